"""French search over made-up translations: accents, elisions, apostrophes, endings, one typo, and what is said of the rest."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from functions.search_hadith.app import handler
from tests import made_up
from tests.conftest import Database, call, connected

from isnad_database.connect import administrator

TEXTS = {
    "bukhari:1": "Les actions ne valent que par les intentions, et l’homme n’a que ce qu’il a eu l'intention de faire.",
    "bukhari:3": "Les deux vendeurs ont le choix tant qu'ils ne se sont pas séparés ; s'ils s’étaient trompés, Sa'd l'aurait su.",
    "bukhari:4": "Priez comme vous m’avez vu prier : l'Envoyé d’Allah (ﷺ) priait à l’heure, près de la Ka‘ba, le cœur serein.",
    "muslim:8a": "La purification est la moitié de la foi.",
}


@pytest.fixture(scope="module")
def ids(server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, int]]:
    """A database of this module with the made-up corpus and its French texts; ids by source key."""
    from isnad_database.migrate import migrate  # noqa: PLC0415
    from isnad_local.postgres import reader_dsn  # noqa: PLC0415

    folder: Path = tmp_path_factory.mktemp("french")
    dsn = server.replace("/postgres?", "/t_french?")
    with administrator(server) as connection:
        connection.run("drop database if exists t_french with (force)")
        connection.run("create database t_french template template0")
    with pytest.MonkeyPatch.context() as patch, administrator(dsn) as connection:
        migrate(connection)
        found = made_up.load(connection, folder, patch)
        for key, text in TEXTS.items():
            made_up.translate(connection, found[key], folder, text=text, origin="unknown", translator=None)
        made_up.translate(
            connection,
            found["muslim:8b"],
            folder,
            text="Une phrase faite par une machine.",
            origin="machine",
            translator=None,
        )
    with connected(reader_dsn(dsn)):
        yield found
    with administrator(server) as connection:
        connection.run("drop database t_french with (force)")


EXACT, FULLTEXT, FUZZY = "exact", "fulltext", "fuzzy"
FOUND = [
    ("Les actions ne valent que par les intentions", "bukhari:1", EXACT),
    ("les actions ne valent que par les intentions,", "bukhari:1", EXACT),
    ("LES ACTIONS NE VALENT", "bukhari:1", EXACT),
    ("l'homme n'a que ce qu'il a eu l’intention", "bukhari:1", EXACT),
    ("l`homme n´a que ce qu‘il a eu lʼintention", "bukhari:1", EXACT),
    ("tant qu'ils ne se sont pas separes", "bukhari:3", EXACT),
    ("SÉPARÉS", "bukhari:3", EXACT),
    ("se\u0301pare\u0301s", "bukhari:3", EXACT),
    ("le coeur serein", "bukhari:4", EXACT),
    ("Kaaba", "bukhari:4", FUZZY),
    ("la Ka'ba", "bukhari:4", EXACT),
    ("la Kaʿba", "bukhari:4", EXACT),
    ("l'Envoyé d'Allah priait", "bukhari:4", EXACT),
    ("intention et action", "bukhari:1", FULLTEXT),
    ("action, intention", "bukhari:1", FULLTEXT),
    ("le vendeur et son choix", "bukhari:3", FULLTEXT),
    ("ils se séparent, les vendeurs", "bukhari:3", FUZZY),
    ("se séparèrent les vendeurs", "bukhari:3", FULLTEXT),
    ("purifications", "muslim:8a", FULLTEXT),
    ("purifcation", "muslim:8a", FUZZY),
    ("purifiaction de la foi", "muslim:8a", FUZZY),
    ("les vendueurs ont le choix", "bukhari:3", FUZZY),
    ("muslim 8a", "muslim:8a", "reference"),
]


@pytest.mark.parametrize(("query", "key", "method"), FOUND)
def test_found(ids: dict[str, int], query: str, key: str, method: str) -> None:
    result = call(handler, {"query": query})["result"]
    first = result["results"][0]
    assert (first["hadith_id"], first["match_method"]) == (ids[key], method)
    assert first["text_fr"] == TEXTS[key]
    assert first["evidence_status"] == result["evidence_status"] == "inference"
    assert first["provenance"][1]["note"] == "translator unknown"


def test_a_machine_s_french_is_no_part_of_a_hit(ids: dict[str, int]) -> None:
    first = call(handler, {"query": "muslim 8b"})["result"]["results"][0]
    assert (first["hadith_id"], first["match_method"]) == (ids["muslim:8b"], "reference")
    assert first["text_fr"] is None
    assert len(first["provenance"]) == 1


NOTHING = [
    ("une phrase faite par une machine", "auto", "4 of 7 hadiths have a French text to search."),
    ("un éléphant rose et des girafes", "auto", "does not show that there is no such hadith"),
    ("the purification of the hearts", "auto", "reads as neither Arabic nor French, which is not searched"),
    ("innama al-a'malu bin-niyyat", "auto", "reads as Arabic in Latin letters, which is not searched"),
    ("purification", "ar", "holds no Arabic letters"),
    ("nosuchbook 5", "auto", "No loaded collection has the name before the number"),
    ("que les des", "fr", "give more words"),
    ("des mots", "fr", "4 of 7 hadiths have a French text to search."),
    ("a-b col:val NEAR( '; DROP TABLE x;-- % \\", "auto", "does not show"),
]


@pytest.mark.parametrize(("query", "language", "note"), NOTHING)
def test_nothing(ids: dict[str, int], query: str, language: str, note: str) -> None:
    result = call(handler, {"query": query, "query_language": language})["result"]
    assert result["results"] == []
    assert result["evidence_status"] == "insufficient_evidence"
    assert note in result["capability_note"]


@pytest.mark.usefixtures("ids")
def test_what_was_searched_is_cited() -> None:
    result = call(handler, {"query": "intentions"})["result"]
    assert [entry["source_title"] for entry in result["provenance"]][-1] == "Made-up French"
    result = call(handler, {"query": "النيات"})["result"]
    assert "Made-up French" not in [entry["source_title"] for entry in result["provenance"]]


@pytest.mark.usefixtures("ids")
def test_another_language_is_said_also_where_words_are_found() -> None:
    result = call(handler, {"query": "the purification"})["result"]
    assert "reads as neither Arabic nor French" in result["capability_note"]


def test_a_collection_narrows_the_search(ids: dict[str, int]) -> None:
    with_id = {"query": "la foi", "collection_id": 1}
    assert call(handler, with_id)["result"]["results"] == []
    assert call(handler, {**with_id, "collection_id": 2})["result"]["results"][0]["hadith_id"] == ids["muslim:8a"]


def test_the_index_follows_the_texts(empty_database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Insert, update and delete; in the end no word is left."""
    with administrator(empty_database.administrator) as connection:
        ids = made_up.load(connection, tmp_path, monkeypatch)
        made_up.translate(connection, ids["bukhari:1"], tmp_path, text="Les prières", origin="unknown", translator=None)
        words = "select lexeme, text_count from isnad.french_vocabulary order by lexeme"
        assert connection.run(words) == [["prieres", 1], ["~prier", 1]]
        connection.run("update isnad.translations set text = 'Le jeûne'")
        assert connection.run(words) == [["jeune", 1], ["~jeun", 1]]
        connection.run("update isnad.translations set origin = 'machine'")
        assert connection.run(words) == []
        connection.run("update isnad.translations set origin = 'human'")
        connection.run("delete from isnad.hadiths")
        assert connection.run(words) == []
