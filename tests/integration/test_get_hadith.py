"""get_hadith over every kind of record: whole answers, bytes as stored, translations, what is not there."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from functions.get_hadith.app import handler as get_hadith
from jsonschema import Draft202012Validator
from tests import made_up
from tests.conftest import Database, call, connected, load_event

from isnad_database.connect import administrator
from isnad_database.sandbox import records_file
from isnad_gateway.domain.schema import json_schema
from isnad_gateway.domain.tools.get_hadith import TOOL

SCHEMA = Draft202012Validator(json_schema(TOOL.result))
DAMAGED = "The stored Arabic text holds characters that were damaged before it was loaded."
NO_FRENCH = "No French text of this hadith is loaded."


@pytest.fixture(scope="module")
def records() -> list[dict[str, Any]]:
    with records_file().open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def ids(sandbox: Database) -> dict[str, int]:
    with administrator(sandbox.administrator) as connection:
        return dict(connection.run("select source_key, hadith_id from isnad.hadiths"))


def _result(hadith_id: int) -> dict[str, Any]:
    answer = call(get_hadith, {"hadith_id": hadith_id})
    assert answer["error"] is None
    result: dict[str, Any] = answer["result"]
    SCHEMA.validate(result)
    return result


@pytest.mark.usefixtures("gateway")
def test_whole_answer(records: list[dict[str, Any]], ids: dict[str, int]) -> None:
    record = records[0]
    result = _result(ids["bukhari:1"])
    entries = result.pop("provenance")
    assert result == {
        "hadith_id": ids["bukhari:1"],
        "canonical_reference": "bukhari:1",
        "numbering_scheme": "running",
        "other_references": [{"reference": "bukhari:1:1", "numbering_scheme": "book:hadith"}],
        "collection": {"id": result["collection"]["id"], "code": "bukhari", "name": "صحيح البخاري"},
        "book": {"id": result["book"]["id"], "number": "1", "title": "كتاب بدء الوحي"},
        "chapter": None,
        "text_ar": record["text"],
        "text_damaged": False,
        "text_fr": None,
        "translation": None,
        "evidence_status": "fact",
        "capability_note": NO_FRENCH,
    }
    own, dataset, title = ({key: value for key, value in entry.items() if value is not None} for entry in entries)
    assert own == {
        "object_id": ids["bukhari:1"],
        "object_type": "hadith",
        "source_id": own["source_id"],
        "source_title": "صحيح البخاري",
        "locator": "book 1",
        "source_type": "corpus",
        "source_key": "bukhari:1",
        "citation": "bukhari:1",
        "author": "محمد بن إسماعيل البخاري",
        "rights": "public domain",
        "content_hash": hashlib.sha256(record["text"].encode()).hexdigest(),
        "dataset_id": dataset["dataset_id"],
        "import_id": dataset["import_id"],
    }
    assert (dataset["object_type"], dataset["source_key"], dataset["note"]) == (
        "dataset", "quranlab-hadith", "text and numbers",
    )  # fmt: skip
    assert (title["object_type"], title["source_key"], title["note"]) == (
        "dataset", "isnad-sandbox", "title of the book",
    )  # fmt: skip


@pytest.mark.usefixtures("gateway")
def test_texts_are_the_stored_bytes(records: list[dict[str, Any]], ids: dict[str, int]) -> None:
    """E10, over 500 records from the whole corpus, the longest and the damaged ones among them."""
    longest = sorted(records, key=lambda record: len(record["text"]))[-20:]
    damaged = [record for record in records if "\ufffd" in record["text"]]
    sample = [*records[:: len(records) // 450], *longest, *damaged]
    assert len(sample) >= 500
    assert any("\u200f" in record["text"] for record in sample)
    for record in sample:
        result = _result(ids[record["hadith_key"]])
        assert result["text_ar"].encode() == record["text"].encode()
        assert result["text_damaged"] == ("\ufffd" in record["text"])
        assert result["canonical_reference"] == f"{record['collection']}:{record['hadith_number']}"
        assert result["provenance"][0]["source_key"] == record["hadith_key"]
        assert (result["book"] or {}).get("number") == (str(record["book_number"]) if record["book_number"] else None)


@pytest.mark.usefixtures("gateway")
def test_damaged_texts_say_so(records: list[dict[str, Any]], ids: dict[str, int]) -> None:
    """A5: returned as stored, and said to be damaged."""
    damaged = [record for record in records if "\ufffd" in record["text"]]
    assert len(damaged) == 31
    for record in damaged:
        result = _result(ids[record["hadith_key"]])
        assert result["text_damaged"] is True
        assert result["capability_note"] == f"{DAMAGED} {NO_FRENCH}"


@pytest.mark.usefixtures("gateway")
def test_record_without_a_book(records: list[dict[str, Any]], ids: dict[str, int]) -> None:
    record = next(record for record in records if record["book_number"] == 0)
    result = _result(ids[record["hadith_key"]])
    assert (result["book"], result["chapter"], result["other_references"]) == (None, None, [])
    assert result["provenance"][0]["locator"] is None
    assert len(result["provenance"]) == 2


@pytest.mark.usefixtures("gateway")
@pytest.mark.parametrize("hadith_id", [14_941 + 10**6, 9_007_199_254_740_993, 2**53, 2**63 - 1])
def test_not_found(hadith_id: int, log_lines: Callable[[], list[dict[str, Any]]]) -> None:
    """M2: never another record by rounding."""
    answer = call(get_hadith, {"hadith_id": hadith_id}, call_id="k")
    assert {key: value for key, value in answer.items() if key != "headers"} == {
        "status": 404,
        "tool_name": "get_hadith",
        "conversation_id": "c1",
        "session_id": "s1",
        "turn_id": 1,
        "call_id": "k",
        "result": None,
        "error": {"code": "NOT_FOUND", "message": "No hadith has this `hadith_id`; search_hadith finds ids."},
    }
    [line] = log_lines()
    assert line["call"]["tool_arguments"] == {"hadith_id": hadith_id}


@pytest.mark.usefixtures("gateway")
def test_the_same_call_twice(log_lines: Callable[[], list[dict[str, Any]]]) -> None:
    """M5: the same answer, counted as two calls."""
    first, second = (get_hadith(load_event("get_hadith"), None) for _ in range(2))
    assert first == second
    assert first["statusCode"] == 200
    assert len([line for line in log_lines() if "call" in line]) == 2


@pytest.mark.usefixtures("gateway")
def test_largest_reply_is_bounded(records: list[dict[str, Any]], ids: dict[str, int]) -> None:
    """S18: far from the platform's 6 MB, in UTF-8 and without escapes."""
    longest = max(records, key=lambda record: len(record["text"].encode()))
    event = load_event("get_hadith")
    event["body"] = json.dumps({**json.loads(event["body"]), "arguments": {"hadith_id": ids[longest["hadith_key"]]}})
    body = get_hadith(event, None)["body"]
    assert len(longest["text"].encode()) < len(body.encode()) < 40_000
    assert "\\u" not in body


KINDS = [("human", "Untel"), ("unknown", None), ("machine", "un modèle")]


@pytest.mark.parametrize(("origin", "translator"), KINDS)
def test_translations(
    origin: str, translator: str | None, empty_database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T2, E13: whose words they are is said; a model's are never `text_fr` and never a fact."""
    with administrator(empty_database.administrator) as connection:
        hadith_id = made_up.load(connection, tmp_path, monkeypatch)["bukhari:1"]
        made_up.translate(connection, hadith_id, tmp_path, text="Les actes", origin=origin, translator=translator)
    with connected(empty_database.reader):
        result = _result(hadith_id)
    is_machine = origin == "machine"
    assert result["text_fr"] == (None if is_machine else "Les actes")
    assert result["evidence_status"] == "fact"
    translation = result["translation"]
    [entry] = translation.pop("provenance")
    assert translation == {
        "language": "fr",
        "text": "Les actes",
        "translator": translator,
        "origin": origin,
        "evidence_status": "insufficient_evidence" if is_machine else "fact",
    }
    assert entry["source_title"] == f"French, {origin}"
    assert entry["locator"] == "no. 1"
    assert entry["note"] == {"human": None, "unknown": "translator unknown", "machine": "machine translation"}[origin]
    assert (
        result["capability_note"]
        == {
            "human": None,
            "unknown": "The translator of the French text is unknown; the Arabic is the text of record.",
            "machine": "The only French text is a machine translation, which is no source; the Arabic is the text of record.",
        }[origin]
    )


def test_a_person_translates_before_a_machine(
    empty_database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with administrator(empty_database.administrator) as connection:
        hadith_id = made_up.load(connection, tmp_path, monkeypatch)["bukhari:1"]
        made_up.translate(connection, hadith_id, tmp_path, text="Machine", origin="machine", translator=None)
        made_up.translate(connection, hadith_id, tmp_path, text="Humain", origin="human", translator="Untel")
    with connected(empty_database.reader):
        assert _result(hadith_id)["text_fr"] == "Humain"


def test_dataset_that_is_switched_off_answers_nothing(
    empty_database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with administrator(empty_database.administrator) as connection:
        hadith_id = made_up.load(connection, tmp_path, monkeypatch)["bukhari:1"]
        with connected(empty_database.reader):
            assert _result(hadith_id)["text_ar"]
        connection.run("update isnad.datasets set active = false where dataset_key = 'quranlab-hadith'")
    with connected(empty_database.reader):
        assert call(get_hadith, {"hadith_id": hadith_id})["error"]["code"] == "NOT_FOUND"
