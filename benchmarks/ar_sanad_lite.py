"""Loads the lite part of AR-Sanad into a database of the benchmarks' own, as its files have it and no more.

This is no importer: nothing is normalised and nothing reported. It is here so that the narrator tools can be measured
with all of the narrators, name forms, pairs and labelled chains of that data set.
"""

import ast
import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pg8000.native import Connection

from isnad_database.connect import transaction
from isnad_database.datasets import Dataset, register_import, register_source
from isnad_database.write import write_rows

DATASET = Dataset("ar-sanad-lite", "AR-Sanad 280K, lite part", "ddde1960dd4af1e50ecbe36ff5b92dee0c48bcf4", None, None)
FACTS = (
    "Ibnhajar_rank",
    "zahabi_rank",
    "tabaqa",
    "death_year",
    "kunia",
    "nasab",
    "shuhra",
    "living_city",
    "death_city",
)

_NARRATORS = """
insert into isnad.narrators (narrator_key, name_ar, generation, grade_tier, region, death_year_ah, import_id)
select key, name, generation, grade, region, died, :import_id
from json_to_recordset(cast(:rows as json))
    as r (key text, name text, generation text, grade text, region text, died integer)
"""
_FORMS = """
insert into isnad.narrator_forms (narrator_id, form, form_folded, script, distinctive, source_id, import_id)
select n.narrator_id, r.form, isnad_fold(r.form), 'arabic', r.distinctive, :source_id, :import_id
from json_to_recordset(cast(:rows as json)) as r (key text, form text, distinctive boolean)
inner join isnad.narrators as n on r.key = n.narrator_key
on conflict do nothing
"""
_FACTS = """
insert into isnad.narrator_facts (narrator_id, field, value, source_id, locator, import_id)
select n.narrator_id, r.field, r.value, :source_id, r.locator, :import_id
from json_to_recordset(cast(:rows as json)) as r (key text, field text, value text, locator text)
inner join isnad.narrators as n on r.key = n.narrator_key
"""
_RELATIONS = """
insert into isnad.relations (teacher_id, student_id, recorded_status, source_id, import_id)
select t.narrator_id, s.narrator_id, r.status, :source_id, :import_id
from json_to_recordset(cast(:rows as json)) as r (teacher text, student text, status text)
inner join isnad.narrators as t on r.teacher = t.narrator_key
inner join isnad.narrators as s on r.student = s.narrator_key
"""
_HADITHS = """
insert into isnad.hadiths (source_key, collection_id, canonical_reference, numbering_scheme, import_id)
select 'ar-sanad-line:' || line, :collection_id, 'ar-sanad-line:' || line, 'line', :import_id
from json_to_recordset(cast(:rows as json)) as r (line integer)
"""
_CHAINS = """
with made as (
    insert into isnad.chains (hadith_id, chain_number, completeness, understood, reader, reader_version, import_id)
    select h.hadith_id, 1, 'complete', true, 'labels', '1', :import_id
    from json_to_recordset(cast(:rows as json)) as r (line integer, keys json)
    inner join isnad.hadiths as h on h.source_key = 'ar-sanad-line:' || r.line
    returning chain_id, hadith_id
)
insert into isnad.chain_nodes (chain_id, position, narrator_id, resolution_status, candidate_count, rule)
select m.chain_id, k.position, n.narrator_id, 'confirmed', 1, 'labelled by the data set'
from json_to_recordset(cast(:rows as json)) as r (line integer, keys json)
inner join isnad.hadiths as h on h.source_key = 'ar-sanad-line:' || r.line
inner join made as m on h.hadith_id = m.hadith_id
cross join json_array_elements_text(r.keys) with ordinality as k (key, position)
inner join isnad.narrators as n on n.narrator_key = k.key
"""


def read_lite(folder: Path) -> list[dict[str, Any]]:
    """The rows of `lite-narrators.csv`; missing values are None, lists are lists."""
    with (folder / "lite-narrators.csv").open(encoding="utf-8-sig", newline="") as file:
        rows: list[dict[str, Any]] = list(csv.DictReader(file))
    for row in rows:
        for column in ("namings", "narrated_from", "narrated_to"):
            row[column] = [value for value in ast.literal_eval(row[column]) if value != ""]
    return [{key: None if value in ("-", "") else value for key, value in row.items()} for row in rows]


def load_lite(connection: Connection, folder: Path) -> None:
    """Load narrators, forms, facts, pairs and labelled chains, all or nothing.

    Args:
        connection: an administrator's connection to a migrated database without these rows.
        folder: `ar-sanad/` of the open data sets.
    """
    rows = read_lite(folder)
    bearers: dict[str, set[str]] = {}
    for row in rows:
        for form in row["namings"]:
            bearers.setdefault(form, set()).add(row["id"])
    with transaction(connection):
        path = folder / "lite-narrators.csv"
        import_id = register_import(connection, DATASET, path, "benchmark", len(rows))
        source_id = register_source(connection, DATASET.key, DATASET.title, None, "dataset", None, None)
        ids = {"import_id": import_id, "source_id": source_id}
        write_rows(connection, _NARRATORS, list(_narrators(rows)), "narrators", import_id=import_id)
        forms = [
            {"key": _key(row["id"]), "form": form, "distinctive": len(bearers[form]) == 1}
            for row in rows
            for form in row["namings"]
        ]
        write_rows(connection, _FORMS, forms, "forms", **ids)
        write_rows(connection, _FACTS, list(_facts(rows)), "facts", **ids)
        write_rows(connection, _RELATIONS, list(_relations(rows)), "pairs", **ids)
        _write_chains(connection, folder, import_id, source_id)
    connection.run("analyze")


def _key(number: object) -> str:
    return f"ar-sanad:{number}"


def _narrators(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for row in rows:
        year = re.match(r"\d+", row["death_year"] or "")
        yield {
            "key": _key(row["id"]),
            "name": row["name"],
            "generation": row["tabaqa"],
            "grade": row["Ibnhajar_rank"],
            "region": row["living_city"],
            "died": int(year[0]) if year else None,
        }


def _facts(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for row in rows:
        for field in FACTS:
            if row[field] is not None:
                yield {"key": _key(row["id"]), "field": field, "value": row[field], "locator": f"id {row['id']}"}


def _relations(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    known = {int(row["id"]) for row in rows}
    from_lists = {(teacher, int(row["id"])) for row in rows for teacher in row["narrated_from"]}
    to_lists = {(int(row["id"]), student) for row in rows for student in row["narrated_to"]}
    for teacher, student in sorted(from_lists | to_lists):
        if teacher != student and {teacher, student} <= known:
            both = (teacher, student) in from_lists and (teacher, student) in to_lists
            yield {
                "teacher": _key(teacher),
                "student": _key(student),
                "status": "attested" if both else "ambiguous",
            }


def _write_chains(connection: Connection, folder: Path, import_id: int, source_id: int) -> None:
    lines = (folder / "labels-lite.val").read_text(encoding="utf-8").split()
    rows = [
        {"line": number, "keys": [_key(label) for label in line.split(",")]}
        for number, line in enumerate(lines, start=1)
    ]
    [[collection_id]] = connection.run(
        "insert into isnad.collections (code, name_ar, name_latin, source_id, import_id)"
        " values ('ar-sanad-line', 'AR-Sanad', 'AR-Sanad', :source_id, :import_id) returning collection_id",
        source_id=source_id,
        import_id=import_id,
    )
    write_rows(connection, _HADITHS, rows, "hadiths", import_id=import_id, collection_id=collection_id)
    write_rows(connection, _CHAINS, rows, "chains", import_id=import_id)
