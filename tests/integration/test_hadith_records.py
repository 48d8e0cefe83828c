"""The kept records of hadiths against what the tables say, after every kind of change."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pg8000.native import Connection
from tests import made_up
from tests.conftest import Database

from isnad_database.connect import administrator, transaction

DIFFERENT = """
    (select hadith_id, record::text, citation::text from isnad.hadith_records
     except select hadith_id, record::text, citation::text from isnad.live_hadith_records)
    union all
    (select hadith_id, record::text, citation::text from isnad.live_hadith_records
     except select hadith_id, record::text, citation::text from isnad.hadith_records)
"""
DIFFERENT_SCOPES = """
    select coalesce(l.collection_id, k.collection_id) from isnad.live_french_scopes as l
    full join isnad.french_scopes as k on l.collection_id = k.collection_id
    where l.scope::text is distinct from k.scope::text
"""
CHANGES = {
    "a reference goes": "delete from isnad.hadith_references where number = '1:1'",
    "a reference changes": "update isnad.hadith_references set reference = reference || 'x' where number = '2:1'",
    "a reference comes": """
        insert into isnad.hadith_references
        (hadith_id, collection_id, numbering_scheme, number, reference, import_id)
        select hadith_id, collection_id, 'other', '7', 'bukhari:other:7', import_id from isnad.hadiths
        where source_key = 'bukhari:1'""",
    "a number changes": "update isnad.hadiths set canonical_reference = 'bukhari:77' where source_key = 'bukhari:1'",
    "a hadith goes": "delete from isnad.hadiths where source_key = 'bukhari:1'",
    "a title changes": "update isnad.books set title_ar = 'كتاب آخر' where number = '1'",
    "a chapter comes and gets a title": """
        with chapter as (
            insert into isnad.chapters (book_id, number, import_id)
            select book_id, '1', import_id from isnad.books where book_id = (
                select book_id from isnad.hadiths where source_key = 'bukhari:1')
            returning chapter_id)
        update isnad.hadiths set chapter_id = (select chapter_id from chapter) where source_key = 'bukhari:1'""",
    "a collection is renamed": "update isnad.collections set name_ar = 'اسم'",
    "a source gets its rights": "update isnad.sources set rights = 'made-up rights'",
    "a translation changes": "update isnad.translations set text = 'Autre texte'",
    "a translation goes": "delete from isnad.translations",
    "a remark is withdrawn": "update isnad.commentary_passages set published = not published",
    "a remark goes": "delete from isnad.commentary_alignments",
    "a dataset gets a licence": "update isnad.datasets set licence = 'made-up licence'",
    "a dataset is switched off": "update isnad.datasets set active = false where dataset_key = 'made-up-fr'",
    "all is switched off": "update isnad.datasets set active = false",
}


@pytest.fixture
def connection(empty_database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Connection]:
    """A few made-up hadiths, one with a French text, one with a remark of its compiler."""
    with administrator(empty_database.administrator) as connection:
        ids = made_up.load(connection, tmp_path / "made-up", monkeypatch)
        made_up.translate(
            connection, ids["bukhari:1"], tmp_path / "made-up", text="Les actes", origin="human", translator="Moi"
        )
        connection.run(
            "with edition as (insert into isnad.editions (edition_key, source_id)"
            " select 'made-up', min(source_id) from isnad.sources returning edition_id), passage as ("
            " insert into isnad.commentary_passages"
            " (passage_key, edition_id, passage_kind, source_text, language, content_hash, published, import_id)"
            " select 'made-up', edition_id, 'remark', 'قال', 'ar', repeat('0', 64), true, min(import_id)"
            " from edition, isnad.imports group by edition_id returning passage_id)"
            " insert into isnad.commentary_alignments (passage_id, hadith_id, alignment_status)"
            " select passage_id, :hadith, 'contained' from passage",
            hadith=ids["bukhari:1"],
        )
        yield connection


def test_a_load_makes_them(connection: Connection) -> None:
    assert connection.run(DIFFERENT) == []
    [[count, remarks, french]] = connection.run(
        "select count(*), count(*) filter (where (record ->> 'holds_remark')::boolean),"
        " count(record ->> 'translation_text') from isnad.hadith_records"
    )
    assert (count, remarks, french) == (len(made_up.RECORDS), 1, 1)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_they_follow_every_change(connection: Connection, change: str) -> None:
    before = connection.run("select hadith_id, record::text from isnad.hadith_records order by hadith_id")
    with transaction(connection):
        connection.run(change)
    assert connection.run(DIFFERENT) == []
    assert connection.run("select hadith_id, record::text from isnad.hadith_records order by hadith_id") != before
    assert connection.run("select * from isnad.hadith_record_work") == []
    assert connection.run(DIFFERENT_SCOPES) == []


@pytest.mark.parametrize(
    ("change", "counts"),
    [
        ("select 1", [[0, "7", "1"], [1, "4", "1"], [2, "3", "0"]]),
        ("delete from isnad.translations", [[0, "7", "0"], [1, "4", "0"], [2, "3", "0"]]),
    ],
)
def test_how_much_is_in_french_is_kept(connection: Connection, change: str, counts: list[list[object]]) -> None:
    connection.run(change)
    assert connection.run(DIFFERENT_SCOPES) == []
    assert (
        connection.run(
            "select collection_id, scope ->> 'hadiths', scope ->> 'in_french' from isnad.french_scopes order by 1"
        )
        == counts
    )


def test_what_changes_nothing_makes_nothing_anew(connection: Connection) -> None:
    made_by = "select hadith_id, xmin from isnad.hadith_records order by hadith_id"
    before = connection.run(made_by)
    with transaction(connection):
        connection.run("update isnad.hadiths set text_ar = text_ar")
        connection.run("update isnad.datasets set active = active")
    assert connection.run(made_by) == before
