"""The kept records, occurrences and observations of narrators against what the tables say, after every kind of change."""

from collections.abc import Iterator

import pytest
from pg8000.native import Connection
from tests.conftest import Database
from tests.made_up_people import Loaded, load_people

from isnad_database.connect import administrator, transaction

KEPT_AND_LIVE = {
    "records": (
        "select narrator_id, entry_count, record::text from isnad.narrator_records",
        "select narrator_id, entry_count, record::text from isnad.live_narrator_records",
    ),
    "occurrences": (
        (
            "select narrator_id, node_id, item ->> 'rule', item ->> 'position', item ->> 'chain_id', item ->> 'reader',"
            " item ->> 'hadith_id', item ->> 'canonical_reference', item ->> 'source_title', item ->> 'chain_dataset_id'"
            " from isnad.narrator_occurrences"
        ),
        (
            "select n.narrator_id, n.node_id, n.rule, n.position::text, c.chain_id::text, c.reader, h.hadith_id::text,"
            " h.canonical_reference, s.title, i.dataset_id::text"
            " from isnad.chain_nodes as n join isnad.chains as c using (chain_id)"
            " join isnad.active_imports as i on c.import_id = i.import_id"
            " join isnad.narrators as r on n.narrator_id = r.narrator_id"
            " join isnad.hadiths as h using (hadith_id) join isnad.collections as l using (collection_id)"
            " join isnad.sources as s using (source_id)"
            " where n.resolution_status = 'confirmed'"
            " and h.import_id in (select import_id from isnad.active_imports)"
            " and r.import_id in (select import_id from isnad.active_imports)"
        ),
    ),
    "heads": (
        "select narrator_id, head::text from isnad.narrator_heads",
        "select narrator_id, head::text from isnad.live_narrator_heads",
    ),
    "relations": (
        "select relation_id, teacher_id, student_id, place, item::text from isnad.relation_records",
        "select relation_id, teacher_id, student_id, place, item::text from isnad.live_relation_records",
    ),
    "what is searched": (
        "select kind, datasets::text from isnad.searched_datasets",
        "select kind, datasets::text from isnad.live_searched_datasets",
    ),
    "names": (
        "select name_id, item::text from isnad.narrator_names",
        (
            "select n.name_id, json_build_object('narrator_id', r.narrator_id, 'narrator_key', r.narrator_key,"
            " 'name_ar', r.name_ar, 'name_fr', r.name_fr, 'canonical_display', r.canonical_display,"
            " 'display_status', r.canonical_display_status, 'generation', r.generation,"
            " 'death_year_ah', r.death_year_ah, 'matched_form', n.form, 'source_id', f.source_id,"
            " 'dataset_id', i.dataset_id, 'import_id', i.import_id)::text"
            " from isnad.narrator_names as n join isnad.narrators as r using (narrator_id)"
            " left join isnad.narrator_forms as f using (form_id)"
            " left join isnad.active_imports as i on i.import_id = coalesce(f.import_id, r.import_id)"
        ),
    ),
    "observations": (
        (
            "select from_narrator_id, to_narrator_id, from_node_id, to_node_id, item ->> 'from_rule', item ->> 'to_rule',"
            " item ->> 'transmission_term_ar', item ->> 'canonical_reference', item ->> 'source_title'"
            " from isnad.narrator_adjacencies"
        ),
        (
            "select f.narrator_id, t.narrator_id, f.node_id, t.node_id, f.rule, t.rule, t.transmission_term_ar,"
            " h.canonical_reference, s.title"
            " from isnad.chain_nodes as f join isnad.chain_nodes as t on f.chain_id = t.chain_id"
            " and t.position = f.position + 1 join isnad.chains as c on f.chain_id = c.chain_id"
            " join isnad.hadiths as h using (hadith_id) join isnad.collections as l using (collection_id)"
            " join isnad.sources as s using (source_id)"
            " where c.understood and f.resolution_status = 'confirmed' and t.resolution_status = 'confirmed'"
            " and f.narrator_id <> t.narrator_id and c.import_id in (select import_id from isnad.active_imports)"
        ),
    ),
}
CHANGES = {
    "a name comes": "insert into isnad.narrator_forms (narrator_id, form, form_folded, script, distinctive, import_id)"
    " select narrator_id, 'اسم آخر', 'اسم اخر', 'arabic', true, import_id from isnad.narrators where narrator_key = 'zayd'",
    "a name goes": "delete from isnad.narrator_forms where form = 'نافع'",
    "a field changes": "update isnad.narrators set region = 'واسط' where narrator_key = 'zayd'",
    "a narrator gets another generation": "update isnad.narrators set generation = '9', death_year_ah = 212",
    "a name gets another source": "update isnad.narrator_forms set source_id = (select min(source_id) from isnad.sources)",
    "a fact goes": "delete from isnad.narrator_facts",
    "an assertion is withdrawn": "update isnad.narrator_assertions set review_status = 'REJECTED'",
    "a notice is unlinked": "delete from isnad.narrator_entry_links",
    "a source gets another title": "update isnad.sources set title = title || ' (2)'",
    "a link gets another rule": "update isnad.chain_nodes set rule = 'other' where resolution_status = 'confirmed'",
    "a link goes": "update isnad.chain_nodes set resolution_status = 'unresolved', narrator_id = null"
    " where mention_ar = 'نافع'",
    "a term changes": "update isnad.chain_nodes set transmission_term_ar = 'سمعت' where resolution_status = 'confirmed'",
    "a chain is read by another reader": "update isnad.chains set reader = 'other'",
    "a hadith gets another number": "update isnad.hadiths set canonical_reference = canonical_reference || 'b'",
    "a hadith goes": "delete from isnad.hadiths where hadith_id = (select min(hadith_id) from isnad.chains)",
    "all relations go": "delete from isnad.relations",
    "a relation is doubted": "update isnad.relations set recorded_status = 'ambiguous'",
    "relations lose their sources": "update isnad.relations set source_id = null",
    "a narrator gets another key": "update isnad.narrators set narrator_key = 'zaid' where narrator_key = 'zayd'",
    "a narrator goes": "delete from isnad.narrators where narrator_id not in"
    " (select narrator_id from isnad.chain_nodes where narrator_id is not null)",
    "all nodes go at once": "truncate isnad.chain_nodes",
    "the dataset is switched off": "update isnad.datasets set active = false",
}


@pytest.fixture
def people(empty_database: Database) -> Iterator[tuple[Connection, Loaded]]:
    with administrator(empty_database.administrator) as connection:
        yield connection, load_people(connection)


def _kept(connection: Connection) -> dict[str, list[tuple[object, ...]]]:
    return {what: sorted(map(tuple, connection.run(kept)), key=str) for what, (kept, _) in KEPT_AND_LIVE.items()}


def _live(connection: Connection) -> dict[str, list[tuple[object, ...]]]:
    return {what: sorted(map(tuple, connection.run(live)), key=str) for what, (_, live) in KEPT_AND_LIVE.items()}


def test_a_load_makes_them(people: tuple[Connection, Loaded]) -> None:
    connection, ids = people
    assert _kept(connection) == _live(connection)
    assert len(_kept(connection)["records"]) == len(ids.narrators)
    assert len(_kept(connection)["heads"]) == len(ids.narrators)
    assert _kept(connection)["relations"]
    assert _kept(connection)["occurrences"]
    assert _kept(connection)["observations"]


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_they_follow_every_change(people: tuple[Connection, Loaded], change: str) -> None:
    connection, _ = people
    before = _kept(connection)
    with transaction(connection):
        connection.run(change)
    assert _kept(connection) == _live(connection)
    assert _kept(connection) != before
    for marks in (
        "narrator_names_work", "narrator_record_work", "narrator_head_work", "relation_record_work", "occurrence_work",
        "hadith_record_work", "due_work",
    ):  # fmt: skip
        assert connection.run(f"select * from isnad.{marks}") == []


def test_pages_are_numbered_without_a_gap(people: tuple[Connection, Loaded]) -> None:
    connection, _ = people
    with transaction(connection):
        connection.run("delete from isnad.hadiths where hadith_id = (select min(hadith_id) from isnad.chains)")
    for narrator, ordinals in connection.run(
        "select narrator_id, array_agg(ordinal order by ordinal) from isnad.narrator_occurrences group by narrator_id"
    ):
        assert ordinals == list(range(1, len(ordinals) + 1)), narrator
