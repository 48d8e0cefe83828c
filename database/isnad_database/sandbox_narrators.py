"""Loads the project's own table of narrators, and the pairs among them that AR-Sanad's lists record."""

import csv
from collections.abc import Iterator
from pathlib import Path

from pg8000.native import Connection

from isnad_database.datasets import Dataset, register_import, register_source
from isnad_database.importers.ranks import grade_tier
from isnad_database.narrator_store import (
    StoredFact,
    StoredNarrator,
    StoredPair,
    store_facts,
    store_narrators,
    store_pairs,
)

IMPORTER = "load-sandbox"

_FIELDS = {
    "generation": "generation_source",
    "grade_ar": "grade_source",
    "region": "region_source",
    "death": "death_source",
}
"""The fields of the table that state something, each with the column that names where it was read."""


def load_narrators(connection: Connection, folder: Path, dataset: Dataset) -> list[str]:
    """Load `narrators.tsv` and `pairs.tsv`.

    Args:
        connection: an administrator's connection, in a transaction.
        folder: where the tables lie.
        dataset: the data set that they are.

    Returns:
        What was loaded, as lines of a report.
    """
    rows = _read(folder / "narrators.tsv")
    pairs = _read(folder / "pairs.tsv")
    sources = {
        "ar-sanad": register_source(
            connection,
            "ar-sanad",
            "AR-Sanad 280K (lite)",
            None,
            "dataset",
            None,
            "https://github.com/somaia02/Narrator-Disambiguation",
        ),
        "taqrib": register_source(
            connection,
            "taqrib",
            "تقريب التهذيب",
            "ابن حجر العسقلاني",
            "scholarly_work",
            None,
            "https://github.com/OpenITI",
        ),
    }
    import_id = register_import(connection, dataset, folder / "narrators.tsv", IMPORTER, len(rows))
    store_narrators(connection, [_narrator(row) for row in rows], import_id)
    store_facts(connection, [fact for row in rows for fact in _facts(row, sources)], import_id)
    pairs_import = register_import(connection, dataset, folder / "pairs.tsv", IMPORTER, len(pairs))
    store_pairs(connection, [_pair(pair, sources["ar-sanad"]) for pair in pairs], pairs_import)
    return [f"narrators: {len(rows)}, recorded pairs among them: {len(pairs)}"]


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def _number(text: str) -> int | None:
    return int(text) if text else None


def _narrator(row: dict[str, str]) -> StoredNarrator:
    return StoredNarrator(
        key=row["key"],
        name_ar=row["name_ar"],
        name_fr=row["name_fr"] or None,
        forms=[form.strip() for form in row["forms"].split(";") if form.strip()],
        generation=_number(row["generation"]),
        grade_tier=grade_tier(row["grade_ar"]) if row["grade_ar"] else None,
        region=row["region"] or None,
        death=_number(row["death_year_ah"]),
        death_bounds=(_number(row["death_earliest"]), _number(row["death_latest"])),
    )


def _facts(row: dict[str, str], sources: dict[str, int]) -> Iterator[StoredFact]:
    for field, source_column in _FIELDS.items():
        value, source = _death(row) if field == "death" else row[field], row[source_column]
        if value and source:
            yield StoredFact(row["key"], field, value, sources[source], _locator(row, source))


def _death(row: dict[str, str]) -> str:
    """The year or years AH with how certain they are, as the table has them."""
    if row["death_year_ah"]:
        return row["death_year_ah"]
    if not row["death_certainty"]:
        return ""
    bounds = "-".join(filter(None, (row["death_earliest"], row["death_latest"])))
    return f"{bounds} ({row['death_certainty'].replace('_', ' ')})"


def _locator(row: dict[str, str], source: str) -> str:
    if source == "ar-sanad":
        return f"id {row['ar_sanad_id']}"
    return f"no. {row['taqrib_number']}, p. {row['taqrib_page']}"


def _pair(pair: dict[str, str], source_id: int) -> StoredPair:
    locator = f"lists of id {pair['teacher'].partition(':')[2]} and id {pair['student'].partition(':')[2]}"
    return StoredPair(pair["teacher"], pair["student"], pair["recorded_status"], source_id, locator)
