"""get_hadith_commentary in the sandbox: the compilers' own remarks, cut out of the records byte for byte."""

import re
from typing import Any

import pytest
from functions.get_hadith.app import handler as get_hadith
from functions.get_hadith_commentary.app import handler
from tests.conftest import Database, call

from isnad_database.connect import administrator

pytestmark = pytest.mark.usefixtures("gateway")


def _id(sandbox: Database, source_key: str) -> int:
    with administrator(sandbox.administrator) as connection:
        [[hadith_id]] = connection.run("select hadith_id from isnad.hadiths where source_key = :key", key=source_key)
    return int(hadith_id)


def test_a_remark_is_part_of_the_record(sandbox: Database) -> None:
    hadith_id = _id(sandbox, "bukhari:79")
    result = call(handler, {"hadith_id": hadith_id})["result"]
    [passage] = result["passages"]
    with administrator(sandbox.administrator) as connection:
        [[text]] = connection.run("select text_ar from isnad.hadiths where hadith_id = :id", id=hadith_id)
    [entry] = passage["provenance"]
    start, end = (int(number) for number in re.findall(r"characters (\d+) to (\d+)", entry["locator"])[0])
    assert passage["source_text"] == text[start:end]
    assert passage["passage_kind"] == "compiler_remark"
    assert passage["alignment_status"] == "contained"
    assert passage["evidence_status"] == result["evidence_status"] == "fact"
    assert passage["translation"] is None
    assert entry["author"] == "محمد بن إسماعيل البخاري"
    assert entry["rights"] is not None
    assert "not words of the Prophet" in result["capability_note"]
    assert result["truncated"] is False


@pytest.mark.parametrize(
    ("arguments", "count", "truncated", "note"),
    [
        ({}, 2, False, "compiler's remark"),
        ({"limit": 1}, 1, True, "compiler's remark"),
        ({"language": "ar"}, 2, False, "compiler's remark"),
        ({"language": "fr"}, 0, False, "None of the 2 passages on this hadith can be read in the language asked for."),
    ],
)
def test_language_and_limit(
    sandbox: Database, arguments: dict[str, Any], count: int, truncated: bool, note: str
) -> None:
    result = call(handler, {"hadith_id": _id(sandbox, "bukhari:2449"), **arguments})["result"]
    assert len(result["passages"]) == count
    assert result["truncated"] is truncated
    assert note in result["capability_note"]


def test_a_glued_remark_is_not_the_prophets(sandbox: Database) -> None:
    """T5: the text is as stored, and what in it is the compiler's is said."""
    notes = [
        call(get_hadith, {"hadith_id": _id(sandbox, key)})["result"]["capability_note"]
        for key in ("bukhari:79", "bukhari:1")
    ]
    assert ["a remark of the compiler, not of the Prophet" in note for note in notes] == [True, False]


def test_nothing_is_no_finding(sandbox: Database) -> None:
    result = call(handler, {"hadith_id": _id(sandbox, "bukhari:1")})["result"]
    assert result["passages"] == []
    assert result["evidence_status"] == "insufficient_evidence"
    assert "does not show that there is none" in result["capability_note"]
    assert {entry["object_type"] for entry in result["provenance"]} == {"hadith", "dataset"}


def test_no_such_hadith() -> None:
    assert call(handler, {"hadith_id": 999_999_999})["error"]["code"] == "NOT_FOUND"


def test_the_limit_is_hard(sandbox: Database) -> None:
    assert call(handler, {"hadith_id": _id(sandbox, "bukhari:1"), "limit": 21})["error"]["code"] == "LIMIT_EXCEEDED"
