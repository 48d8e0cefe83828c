"""Stores narrators, their name forms, what data sets state of them, and recorded pairs; ids stay what they were."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pg8000.native import Connection

from isnad_database.write import write_rows
from isnad_gateway.domain.fold import fold


@dataclass(frozen=True, slots=True)
class StoredNarrator:
    """A narrator as a data set gives him; what it does not give is None.

    Attributes:
        key: the record's own key, the same in every data set that means the same record.
        name_ar: canonical Arabic name.
        name_fr: name in French transliteration.
        forms: name forms as chains write them.
        generation: tabaqa, 1 to 12 in Ibn Hajar's count.
        grade_tier: tier of the grade, a short code.
        region: where he lived.
        death: the year AH, where the source names one and no other.
        death_bounds: the earliest and the latest year that the source allows.
    """

    key: str
    name_ar: str | None
    name_fr: str | None
    forms: Sequence[str]
    generation: int | None
    grade_tier: str | None
    region: str | None
    death: int | None
    death_bounds: tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
class StoredFact:
    """One field of one narrator as one source words it."""

    key: str
    field: str
    value: str
    source_id: int
    locator: str | None


@dataclass(frozen=True, slots=True)
class StoredPair:
    """A teacher and a student as a source records them."""

    teacher_key: str
    student_key: str
    recorded_status: str
    source_id: int
    locator: str | None


def store_narrators(connection: Connection, narrators: Sequence[StoredNarrator], import_id: int) -> None:
    """Store narrators and their forms.

    A narrator whom another data set brought first keeps what that one says of his identity; his forms are added. What
    an earlier import of the same data set brought and this one does not is removed.

    Args:
        connection: an administrator's connection, in a transaction.
        narrators: the narrators.
        import_id: the import that brings them.
    """
    rows = [
        {
            "key": narrator.key,
            "name_ar": narrator.name_ar,
            "name_fr": narrator.name_fr,
            "generation": None if narrator.generation is None else str(narrator.generation),
            "generation_number": narrator.generation,
            "grade_tier": narrator.grade_tier,
            "region": narrator.region,
            "death": narrator.death,
            "death_earliest": narrator.death_bounds[0],
            "death_latest": narrator.death_bounds[1],
        }
        for narrator in narrators
    ]
    forms = [
        {"key": narrator.key, "form": form, "folded": fold(form), "script": script}
        for narrator in narrators
        for form, script in _forms(narrator)
    ]
    write_rows(connection, _UPSERT_NARRATORS, rows, "narrators", import_id=import_id)
    write_rows(connection, _UPSERT_FORMS, forms, "name forms", import_id=import_id)
    for table in ("narrator_forms", "narrators"):
        connection.run(_FORGET.format(table=table), import_id=import_id)


def mark_distinctive(connection: Connection) -> None:
    """Say of each name form whether one narrator alone bears it in all loaded data."""
    connection.run(
        """
        update isnad.narrator_forms as f set distinctive = (b.bearers = 1)
        from (
            select form_folded, count(distinct narrator_id) as bearers from isnad.narrator_forms group by form_folded
        ) as b
        where f.form_folded = b.form_folded and f.distinctive is distinct from (b.bearers = 1)
        """
    )


def _forms(narrator: StoredNarrator) -> list[tuple[str, str]]:
    forms = dict.fromkeys(form for form in (narrator.name_ar, *narrator.forms) if form)
    return [(form, "arabic") for form in forms] + ([(narrator.name_fr, "latin")] if narrator.name_fr else [])


def store_facts(connection: Connection, facts: Sequence[StoredFact], import_id: int) -> None:
    """Store what sources state of narrators; what an earlier import of the data set stated beyond it is removed."""
    write_rows(connection, _UPSERT_FACTS, [_as_row(fact) for fact in facts], "facts", import_id=import_id)
    connection.run(_FORGET.format(table="narrator_facts"), import_id=import_id)


def store_pairs(connection: Connection, pairs: Sequence[StoredPair], import_id: int) -> None:
    """Store recorded pairs, and remove what an earlier import of the data set recorded and this does not."""
    write_rows(connection, _UPSERT_PAIRS, [_as_row(pair) for pair in pairs], "recorded pairs", import_id=import_id)
    connection.run(_FORGET.format(table="relations"), import_id=import_id)


def _as_row(item: StoredFact | StoredPair) -> dict[str, Any]:
    return {name: getattr(item, name) for name in item.__slots__}


_SAME_DATASET = """(
    select i.import_id from isnad.imports as i
    where i.dataset_id = (select dataset_id from isnad.imports where import_id = :import_id)
)"""

_FORGET = f"delete from isnad.{{table}} where import_id <> :import_id and import_id in {_SAME_DATASET}"  # noqa: S608

_UPSERT_NARRATORS = f"""
insert into isnad.narrators as n (
    narrator_key, name_ar, name_fr, canonical_display, generation, generation_number, grade_tier, region,
    death_year_ah, death_earliest_ah, death_latest_ah, import_id
)
select
    r.key, r.name_ar, r.name_fr, null, r.generation, r.generation_number, r.grade_tier, r.region, r.death,
    r.death_earliest, r.death_latest, :import_id::bigint
from json_to_recordset(:rows::json) as r (
    key text, name_ar text, name_fr text, generation text, generation_number integer, grade_tier text, region text,
    death integer, death_earliest integer, death_latest integer
)
on conflict (narrator_key) do update
set name_ar = excluded.name_ar, name_fr = excluded.name_fr, generation = excluded.generation,
    generation_number = excluded.generation_number, grade_tier = excluded.grade_tier, region = excluded.region,
    death_year_ah = excluded.death_year_ah, death_earliest_ah = excluded.death_earliest_ah,
    death_latest_ah = excluded.death_latest_ah, import_id = excluded.import_id
where n.import_id in {_SAME_DATASET}
"""  # noqa: S608 - no value is in it

_UPSERT_FORMS = f"""
insert into isnad.narrator_forms as f (narrator_id, form, form_folded, script, distinctive, import_id)
select n.narrator_id, r.form, r.folded, r.script, false, :import_id::bigint
from json_to_recordset(:rows::json) as r (key text, form text, folded text, script text)
inner join isnad.narrators as n on r.key = n.narrator_key
on conflict (narrator_id, form) do update set import_id = excluded.import_id, form_folded = excluded.form_folded
where f.import_id in {_SAME_DATASET}
"""  # noqa: S608 - no value is in it

_UPSERT_FACTS = """
insert into isnad.narrator_facts (narrator_id, field, value, source_id, locator, import_id)
select n.narrator_id, r.field, r.value, r.source_id, r.locator, :import_id::bigint
from json_to_recordset(:rows::json) as r (key text, field text, value text, source_id bigint, locator text)
inner join isnad.narrators as n on r.key = n.narrator_key
on conflict (narrator_id, field, value, source_id, locator) do update set import_id = excluded.import_id
"""

_UPSERT_PAIRS = """
insert into isnad.relations (teacher_id, student_id, recorded_status, source_id, locator, import_id)
select t.narrator_id, s.narrator_id, r.recorded_status, r.source_id, r.locator, :import_id::bigint
from json_to_recordset(:rows::json) as r (
    teacher_key text, student_key text, recorded_status text, source_id bigint, locator text
)
inner join isnad.narrators as t on r.teacher_key = t.narrator_key
inner join isnad.narrators as s on r.student_key = s.narrator_key
on conflict (teacher_id, student_id, source_id, locator) do update
set recorded_status = excluded.recorded_status, import_id = excluded.import_id
"""
