"""`isnad-database import` and `dataset` as the data steward uses them, on made-up files in a database of the test's own."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from functions.get_hadith.app import handler as get_hadith
from functions.get_hadith_commentary.app import handler as get_hadith_commentary
from functions.search_hadith.app import handler as search_hadith
from pg8000.native import Connection
from tests import made_up
from tests.conftest import Database, call, connected

from isnad_database.cli import main
from isnad_database.connect import administrator

Capture = pytest.CaptureFixture[str]
Command = Callable[..., int]

# The numbers of this edition are not the corpus's: its 1 is the corpus's 408-409, its 3 the corpus's 1. Its 2 is no
# hadith of the corpus.
ARABIC = {
    "1": "البَيِّعَانِ بِالخِيَارِ مَا لَمْ يَتَفَرَّقَا",
    "2": "نص ليس في المجموعة المحملة",
    "3": "إنما الأعمال بالنيات، وإنما لكل امرئ ما نوى",
    "4.5": "صلوا كما رأيتموني أصلي",
}
FRENCH = {
    "1": "Les deux vendeurs ont le choix tant qu’ils ne se sont pas séparés.",
    "2": "Un texte d'ailleurs.",
    "3": "Les actions ne valent que par les intentions.",
    "4.5": "",
}


def edition(folder: Path, name: str, texts: dict[str, str]) -> Path:
    """An edition file; a number with a fraction is written as JSON has it."""
    hadiths: list[dict[str, Any]] = [
        {
            "hadithnumber": float(n) if "." in n else int(n),
            "text": text,
            "grades": [],
            "reference": {"book": 1, "hadith": 1},
        }
        for n, text in texts.items()
    ]
    path = folder / name
    data = {"metadata": {"name": "Made up", "sections": {"1": "One"}}, "hadiths": hadiths}
    path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    return path


@pytest.fixture
def corpus(empty_database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, int]]:
    """The made-up corpus, and the functions of this process answer from it; ids by source key."""
    monkeypatch.setenv("TQDM_DISABLE", "1")
    with administrator(empty_database.administrator) as connection:
        ids = made_up.load(connection, tmp_path / "records", monkeypatch)
    with connected(empty_database.reader):
        yield ids


@pytest.fixture
def command(empty_database: Database) -> Command:
    return lambda *words: main(["--dsn", empty_database.administrator, *map(str, words)])


@pytest.fixture
def french(corpus: dict[str, int], command: Command, tmp_path: Path) -> dict[str, int]:
    """The corpus with the made-up French edition."""
    edition(tmp_path, "ara-bukhari.json", ARABIC)
    assert command("import", "hadith-api", edition(tmp_path, "fra-bukhari.json", FRENCH), "--version", "made-up 1") == 0
    return corpus


def rows(database: Database, sql: str) -> list[list[Any]]:
    with administrator(database.administrator) as connection:
        return list(connection.run(sql))


def _everything(connection: Connection) -> dict[str, list[list[Any]]]:
    tables = [
        name
        for (name,) in connection.run(
            "select relname from pg_class where relkind = 'r' and relnamespace = 'isnad'::regnamespace"
        )
    ]
    return {
        name: sorted(
            connection.run(f"select to_json(t)::jsonb - 'imported_at' - 'active' from isnad.{name} as t"), key=str
        )
        for name in tables
        if name not in ("active_imports", "migrations")
    }


def test_translations_follow_the_text_and_not_the_number(french: dict[str, int], empty_database: Database) -> None:
    """N2, N4: equal numbers of two data sets join nothing; each join has its evidence."""
    found = {
        key: call(get_hadith, {"hadith_id": french[key]})["result"]["text_fr"] for key in ("bukhari:1", "bukhari:3")
    }
    assert found == {"bukhari:1": FRENCH["3"], "bukhari:3": FRENCH["1"]}
    joins = rows(
        empty_database,
        "select h.source_key, j.numbering_scheme, j.number, j.evidence from isnad.numbering_joins as j"
        " inner join isnad.hadiths as h using (hadith_id) order by j.number",
    )
    assert joins == [
        ["bukhari:3", "hadith-api", "1", "same text after folding"],
        ["bukhari:1", "hadith-api", "3", "same text after folding"],
        ["bukhari:4", "hadith-api", "4.5", "same text after folding"],
    ]


def test_an_empty_text_is_no_translation(french: dict[str, int]) -> None:
    """T4."""
    result = call(get_hadith, {"hadith_id": french["bukhari:4"]})["result"]
    assert (result["text_fr"], result["translation"]) == (None, None)
    assert "No French text" in result["capability_note"]


def test_an_unknown_translator_is_said_to_be_unknown(french: dict[str, int]) -> None:
    """T2."""
    result = call(get_hadith, {"hadith_id": french["bukhari:1"]})["result"]
    translation = result["translation"]
    assert (translation["translator"], translation["origin"]) == (None, "unknown")
    [entry] = translation["provenance"]
    assert entry["note"] == "translator unknown"
    assert entry["rights"] == "compilation: Unlicense; rights in the translation: not stated"
    assert "hadithnumber 3" in entry["locator"]
    assert "the Arabic is the text of record" in result["capability_note"]


def test_a_named_translator_and_a_machine(corpus: dict[str, int], command: Command, tmp_path: Path) -> None:
    """A machine translation is no fact, no text_fr and no hit."""
    edition(tmp_path, "ara-bukhari.json", ARABIC)
    path = edition(tmp_path, "fra-bukhari.json", FRENCH)
    assert command("import", "hadith-api", path, "--translator", "Jeanne Exemple", "--origin", "human") == 0
    translation = call(get_hadith, {"hadith_id": corpus["bukhari:1"]})["result"]["translation"]
    assert (translation["translator"], translation["origin"]) == ("Jeanne Exemple", "human")
    assert command("import", "hadith-api", path, "--origin", "machine") == 0
    result = call(get_hadith, {"hadith_id": corpus["bukhari:1"]})["result"]
    assert result["text_fr"] is None
    assert result["translation"]["evidence_status"] == "insufficient_evidence"
    assert "machine translation" in result["capability_note"]
    assert call(search_hadith, {"query": "les actions ne valent que par les intentions"})["result"]["results"] == []


def test_what_cannot_be_joined_is_in_the_report(
    corpus: dict[str, int], command: Command, tmp_path: Path, capsys: Capture
) -> None:
    arabic, report = edition(tmp_path, "ara-bukhari.json", ARABIC), tmp_path / "report.tsv"
    assert (
        command("import", "hadith-api", edition(tmp_path, "fra-bukhari.json", FRENCH), arabic, "--report", report) == 0
    )
    assert "imported 3 numbers joined, 2 translations (fr)" in capsys.readouterr().out
    lines = [line.split("\t")[:3] for line in report.read_text().splitlines()]
    assert ["skipped", "not_joined", "number 2"] in lines
    assert ["skipped", "no_translation", "hadithnumber 4.5"] in lines


def test_without_the_arabic_edition_nothing_is_joined(
    corpus: dict[str, int], command: Command, tmp_path: Path, empty_database: Database, capsys: Capture
) -> None:
    assert command("import", "hadith-api", edition(tmp_path, "fra-muslim.json", FRENCH)) == 1
    assert "give the Arabic edition ara-muslim.json too" in capsys.readouterr().err
    assert rows(empty_database, "select count(*) from isnad.translations") == [[0]]


def test_a_collection_that_is_not_loaded_comes_with_its_own_numbers(
    corpus: dict[str, int], command: Command, tmp_path: Path
) -> None:
    """N5, N7: a fraction is part of the number."""
    paths = [
        edition(tmp_path, f"{language}-forty.json", texts) for language, texts in (("fra", FRENCH), ("ara", ARABIC))
    ]
    assert command("import", "hadith-api", *paths) == 0
    [hit] = call(search_hadith, {"query": "forty 4.5"})["result"]["results"]
    assert (hit["canonical_reference"], hit["numbering_scheme"], hit["text_ar"]) == (
        "forty:4.5",
        "hadith-api",
        ARABIC["4.5"],
    )
    assert call(search_hadith, {"query": "forty 4"})["result"]["results"] == []
    [hit] = call(search_hadith, {"query": "forty 1"})["result"]["results"]
    assert hit["text_fr"] == FRENCH["1"]


def test_again_changes_nothing(
    french: dict[str, int], command: Command, tmp_path: Path, empty_database: Database
) -> None:
    with administrator(empty_database.administrator) as connection:
        before = _everything(connection)
        assert command("import", "hadith-api", tmp_path / "fra-bukhari.json", "--version", "made-up 1") == 0
        assert _everything(connection) == before


def test_a_newer_version_of_a_file_takes_the_place_of_the_older(
    french: dict[str, int], command: Command, tmp_path: Path
) -> None:
    path = edition(tmp_path, "fra-bukhari.json", {"3": "Les œuvres selon l'intention.", "1": ""})
    assert command("import", "hadith-api", path, "--version", "made-up 2") == 0
    assert call(get_hadith, {"hadith_id": french["bukhari:1"]})["result"]["text_fr"] == "Les œuvres selon l'intention."
    assert call(get_hadith, {"hadith_id": french["bukhari:3"]})["result"]["text_fr"] is None


def test_a_dry_run_keeps_nothing(
    corpus: dict[str, int], command: Command, tmp_path: Path, empty_database: Database, capsys: Capture
) -> None:
    edition(tmp_path, "ara-bukhari.json", ARABIC)
    with administrator(empty_database.administrator) as connection:
        before = _everything(connection)
        assert command("import", "hadith-api", edition(tmp_path, "fra-bukhari.json", FRENCH), "--dry-run") == 0
        assert _everything(connection) == before
    assert "would import 3 numbers joined, 2 translations (fr)" in capsys.readouterr().out


def test_all_or_nothing(
    corpus: dict[str, int], command: Command, tmp_path: Path, empty_database: Database, capsys: Capture
) -> None:
    good = edition(tmp_path, "ara-bukhari.json", ARABIC)
    bad = edition(tmp_path, "fra-bukhari.json", {"1": ""})
    with administrator(empty_database.administrator) as connection:
        before = _everything(connection)
        assert command("import", "hadith-api", good, bad) == 1
        assert _everything(connection) == before
    assert capsys.readouterr().err == "isnad-database: fra-bukhari.json: the edition holds 1 hadiths and no text\n"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("nowhere.json", None, "there is no file at "),
        ("empty.json", "", "empty.json is empty"),
        ("fra-bukhari.json", "[]", "fra-bukhari.json: not an edition file"),
    ],
)
def test_a_wrong_path_is_an_error(
    command: Command, tmp_path: Path, name: str, content: str | None, message: str, capsys: Capture
) -> None:
    if content is not None:
        (tmp_path / name).write_text(content)
    assert command("import", "hadith-api", tmp_path / name) == 1
    assert message in capsys.readouterr().err
    assert command("status") == 0
    assert json.loads(capsys.readouterr().out)["datasets"] == []


def test_what_is_off_answers_nothing(french: dict[str, int], command: Command, capsys: Capture) -> None:
    query = {"query": "actions et intentions"}
    before = [call(search_hadith, query), call(get_hadith, {"hadith_id": french["bukhari:1"]})]
    assert [hit["hadith_id"] for hit in before[0]["result"]["results"]] == [french["bukhari:1"]]
    assert command("dataset", "off", "hadith-api") == 0
    assert call(search_hadith, query)["result"]["results"] == []
    assert call(get_hadith, {"hadith_id": french["bukhari:1"]})["result"]["translation"] is None
    assert call(search_hadith, {"query": "النيات"})["result"]["results"] != []
    assert command("dataset", "on", "hadith-api") == 0
    assert [call(search_hadith, query), call(get_hadith, {"hadith_id": french["bukhari:1"]})] == before
    assert command("dataset", "off", "quranlab-hadith") == 0
    for query_ in (query, {"query": "النيات"}, {"query": "bukhari 1"}):
        assert call(search_hadith, query_)["error"]["code"] == "UNAVAILABLE"  # there is nothing left to search
    assert call(get_hadith, {"hadith_id": french["bukhari:1"]})["error"]["code"] == "NOT_FOUND"
    assert command("dataset", "off", "nothing") == 1
    assert (
        "there is no data set nothing; there are: hadith-api, isnad-sandbox, quranlab-hadith" in capsys.readouterr().err
    )


def test_status_tells_shares_and_what_is_off(french: dict[str, int], command: Command, capsys: Capture) -> None:
    def told() -> tuple[dict[str, Any], dict[str, Any]]:
        capsys.readouterr()
        assert command("status") == 0
        shown = json.loads(capsys.readouterr().out)
        [dataset] = [each for each in shown["datasets"] if each["dataset_key"] == "hadith-api"]
        return dataset, shown["collections"][0]

    dataset, bukhari = told()
    assert (dataset["version"], dataset["active"], dataset["imports"]) == ("made-up 1", True, 2)
    assert dataset["licence"].startswith("compilation: Unlicense")
    assert (bukhari["hadiths"], bukhari["share_in_french"], bukhari["share_with_commentary"]) == (4, 0.5, 0.0)
    assert command("dataset", "off", "hadith-api") == 0
    dataset, bukhari = told()
    assert (dataset["active"], bukhari["share_in_french"]) == (False, 0.0)


HEAD = "######OpenITI#\n#META# 010.AuthorNAME\t:: مؤلف\n#META# 020.BookTITLE\t:: شرح\n#META#Header#End#\n"
BODY = (
    "### | [1]\n# قوله البيعان بالخيار ما لم يتفرقا أي بالأبدان PageV01P005\n"
    "### | [2]\n# نص ليس في المجموعة المحملة بيانه\n### | [3]\n# الأعمال بالنيات ولكل امرئ ما نوى يعني القصد\n# PageV01P006\n"
)


def _commentary(folder: Path, body: str = BODY) -> Path:
    path = folder / "0700Made.Up-ara1"
    path.write_text(HEAD + body, encoding="utf-8")
    return path


def test_commentary_is_tied_by_the_printed_number_in_its_own_scheme(
    french: dict[str, int], command: Command, tmp_path: Path, capsys: Capture
) -> None:
    """T1: the hadith between two that are mapped gets nothing, and never the neighbour's passage."""
    arguments = ("--collection", "bukhari", "--scheme", "hadith-api")
    assert command("import", "openiti-commentary", _commentary(tmp_path), *arguments) == 0
    assert "3 passages, 2 passages tied to a hadith" in capsys.readouterr().out
    found = {key: call(get_hadith_commentary, {"hadith_id": id_})["result"] for key, id_ in french.items()}
    assert {key for key, result in found.items() if result["passages"]} == {"bukhari:1", "bukhari:3"}
    [passage] = found["bukhari:1"]["passages"]
    assert passage["source_text"].startswith("الأعمال بالنيات")
    assert (passage["alignment_status"], passage["evidence_status"]) == ("by_printed_number", "fact")
    [entry] = passage["provenance"]
    assert (entry["source_title"], entry["author"], entry["locator"]) == ("شرح", "مؤلف", "no. 3, vol. 1, p. 6")
    assert "the work prints 3; as hadith-api numbers bukhari: same text after folding" in entry["note"]
    assert command("dataset", "off", "openiti:0700Made.Up-ara1") == 0
    assert call(get_hadith_commentary, {"hadith_id": french["bukhari:1"]})["result"]["passages"] == []


def test_commentary_without_a_scheme_is_kept_and_tied_to_nothing(
    french: dict[str, int], command: Command, tmp_path: Path, capsys: Capture
) -> None:
    assert command("import", "openiti-commentary", _commentary(tmp_path)) == 0
    assert "3 passages, 0 passages tied to a hadith" in capsys.readouterr().out
    assert (
        command(
            "import", "openiti-commentary", _commentary(tmp_path), "--collection", "bukhari", "--scheme", "abd-al-baqi"
        )
        == 0
    )
    assert "0 passages tied" in capsys.readouterr().out
    assert (
        command("import", "openiti-commentary", _commentary(tmp_path), "--collection", "tirmidhi", "--scheme", "x") == 1
    )


def test_a_scheme_that_the_texts_belie_is_refused(
    french: dict[str, int], command: Command, tmp_path: Path, capsys: Capture
) -> None:
    """Equal numbers of another count would tie each passage to its neighbour."""
    body = BODY.replace("[1]", "[x]").replace("[3]", "[1]").replace("[x]", "[3]")
    assert (
        command(
            "import",
            "openiti-commentary",
            _commentary(tmp_path, body),
            "--collection",
            "bukhari",
            "--scheme",
            "hadith-api",
        )
        == 1
    )
    assert "the numbers are not those of bukhari in hadith-api" in capsys.readouterr().err


def test_hadeethenc(french: dict[str, int], command: Command, tmp_path: Path, capsys: Capture) -> None:
    """The explanation is a passage with its published translation; its tie rests on the words that it quotes."""
    entry = {
        "id": "1", "hadeeth": "x", "hadeeth_ar": "عن عمر قال: «إنما الأعمال بالنيات، وإنما لكل امرئ ما نوى».",
        "explanation": "Explication inventée.", "explanation_ar": "شرح مختلق.", "attribution_ar": "متفق عليه",
    }  # fmt: skip
    path = tmp_path / "one.json"
    path.write_text(json.dumps(entry))
    assert command("import", "hadeethenc", path) == 1
    assert "--language" in capsys.readouterr().err
    assert command("import", "hadeethenc", path, "--language", "fr", "--version", "1.17.0") == 0
    result = call(get_hadith_commentary, {"hadith_id": french["bukhari:1"], "language": "fr"})["result"]
    [passage] = result["passages"]
    assert passage["translation"] == {"language": "fr", "text": "Explication inventée.", "status": "PUBLISHED"}
    assert passage["source_text"] == "شرح مختلق."
    assert (passage["alignment_status"], passage["evidence_status"]) == ("by_quoted_words", "inference")
    [source] = passage["provenance"]
    assert (source["author"], source["citation"]) == ("HadeethEnc.com", "version 1.17.0")
    assert "without modification" in source["rights"]
    assert "inferred" in result["capability_note"]


def test_lk_chapters(french: dict[str, int], command: Command, tmp_path: Path, empty_database: Database) -> None:
    """A chapter of the corpus gives the joined hadiths their chapter; its numbers join nothing (its 1 is the corpus's 408-409)."""
    folder = tmp_path / "Bukhari"
    folder.mkdir()
    from isnad_database.importers.lk import COLUMNS  # noqa: PLC0415

    lines = [
        ",".join(COLUMNS),
        "1.0,B,كتاب,2.0,S,باب الخيار,1.0,Two traders,nan,nan,البيعان بالخيار ما لم يتفرقا,nan,البيعان بالخيار ما لم يتفرقا,nan,g,g",
        "1.0,B,كتاب,3.0,nan,nan,2.0,nan,nan,nan,نص آخر,nan,نص آخر,nan,g,g",
    ]
    (folder / "Chapter1.csv").write_text("\n".join(lines), encoding="utf-8")
    assert command("import", "lk", folder) == 0
    result = call(get_hadith, {"hadith_id": french["bukhari:3"]})["result"]
    assert (result["chapter"]["number"], result["chapter"]["title"]) == ("2", "باب الخيار")
    assert any(entry["note"] == "title of the chapter" for entry in result["provenance"])
    assert call(get_hadith, {"hadith_id": french["bukhari:1"]})["result"]["chapter"] is None
    assert rows(empty_database, "select text, locator from isnad.translations where language = 'en'") == [
        ["Two traders", "Hadith_number 1, joined by: same text after folding"]
    ]
    assert command("dataset", "off", "lk-hadith-corpus") == 0
    assert call(get_hadith, {"hadith_id": french["bukhari:3"]})["result"]["chapter"] is None
