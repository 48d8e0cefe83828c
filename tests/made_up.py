"""A small corpus of made-up records, for what the sandbox does not have: lettered numbers, ranges, translations."""

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pg8000.native import Connection

from isnad_database import sandbox
from isnad_database.datasets import Dataset, register_import, register_source
from isnad_database.sandbox import FACTS, load_sandbox

FEW = 12  # narrators
RECORDS = [
    ("bukhari:1", "bukhari", "1", 1, 1, "إنما الأعمال بالنيات وإنما لكل امرئ ما نوى"),
    ("bukhari:2", "bukhari", "2", 0, 0, "كتاب ناقص \ufffd الحرف"),
    ("bukhari:3", "bukhari", "408-409", 1, 3, "البيعان بالخيار ما لم يتفرقا"),
    ("bukhari:4", "bukhari", "402.2", 1, 4, "صلوا كما رأيتموني أصلي"),
    ("muslim:8a", "muslim", "8a", 1, 1, "الطهور شطر الإيمان"),
    ("muslim:8b", "muslim", "8b", 1, 2, "بني الإسلام على خمس"),
    ("muslim:1000a", "muslim", "1000a", 2, 1, "من غشنا فليس منا"),
]


def records(rows: list[tuple[str, str, str, int, int, str]] = RECORDS) -> list[dict[str, Any]]:
    """The records in the form of the package's file."""
    names = ("hadith_key", "collection", "hadith_number", "book_number", "in_book_number", "text")
    return [dict(zip(names, row, strict=True)) for row in rows]


def use(folder: Path, monkeypatch: pytest.MonkeyPatch, rows: list[dict[str, Any]] | None = None) -> None:
    """Let `load_sandbox` read made-up records and a few narrators of the own tables, from files in a folder."""
    folder.mkdir(exist_ok=True)
    lines = [json.dumps(row, ensure_ascii=False) for row in (records() if rows is None else rows)]
    (folder / "records.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    (folder / "manifest.json").write_text(json.dumps({"source_dataset": {"revision": "made-up"}}))
    monkeypatch.setattr(sandbox, "records_file", lambda: folder / "records.jsonl")
    facts = folder / "facts"
    if not facts.exists():
        shutil.copytree(FACTS, facts)
        few = _shorten(facts / "narrators.tsv", lambda place, _row: place < FEW)
        keys = {row["key"] for row in few}
        _shorten(facts / "pairs.tsv", lambda _place, row: {row["teacher"], row["student"]} <= keys)
    monkeypatch.setattr(sandbox, "FACTS", facts)


def _shorten(path: Path, keep: Callable[[int, dict[str, str]], bool]) -> list[dict[str, str]]:
    """Keep some rows of a table, and return them."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for place, row in enumerate(csv.DictReader(file, delimiter="\t")) if keep(place, row)]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter="\t")
        writer.writeheader()
        writer.writerows(rows)
    return rows


def load(connection: Connection, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Load them; return the ids by source key."""
    use(folder, monkeypatch)
    load_sandbox(connection)
    return dict(connection.run("select source_key, hadith_id from isnad.hadiths"))


def translate(
    connection: Connection, hadith_id: int, folder: Path, *, text: str, origin: str, translator: str | None
) -> None:
    """Give a hadith a French text."""
    dataset = Dataset("made-up-fr", "Made-up French", "1", None, None)
    source_id = register_source(connection, f"fr-{origin}", f"French, {origin}", None, "dataset", None, None)
    connection.run(
        "insert into isnad.translations (hadith_id, language, text, translator, origin, locator, source_id, import_id)"
        " values (:hadith, 'fr', :text, :translator, :origin, 'no. 1', :source, :import)",
        hadith=hadith_id,
        text=text,
        translator=translator,
        origin=origin,
        source=source_id,
        **{"import": register_import(connection, dataset, folder / "records.jsonl", "test", 1)},
    )
