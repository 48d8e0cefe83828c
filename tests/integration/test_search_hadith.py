"""search_hadith: references, folded words, honest empty answers, bounds. How well it ranks is not asked here."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from functions.get_hadith.app import handler as get_hadith
from functions.list_tools.app import handler as list_tools
from functions.search_hadith.app import handler as search_hadith
from jsonschema import Draft202012Validator
from tests import made_up
from tests.conftest import Database, call, call_event, connected

from isnad_database.connect import administrator
from isnad_gateway.domain.schema import json_schema
from isnad_gateway.domain.tools.search_hadith import TOOL

SCHEMA = Draft202012Validator(json_schema(TOOL.result))
in_sandbox = pytest.mark.usefixtures("gateway")


def _search(query: str, **arguments: Any) -> dict[str, Any]:
    answer = call(search_hadith, {"query": query, **arguments})
    assert answer["error"] is None, answer["error"]
    result: dict[str, Any] = answer["result"]
    SCHEMA.validate(result)
    for hit in result["results"]:
        entry = hit["provenance"][0]  # the least that has to be cited: source key, collection and reference
        assert entry["source_key"]
        assert entry["source_title"]
        assert entry["citation"] == hit["canonical_reference"]
    return result


def _references(result: dict[str, Any]) -> list[str]:
    return [hit["canonical_reference"] for hit in result["results"]]


@in_sandbox
@pytest.mark.parametrize(
    "query",
    [
        "bukhari 1", "Bukhari:1", "BUKHARI #1", "Sahih al-Bukhari 1", "Boukhari 1", "البخاري 1", "صحيح البخاري ١",
        "البخاري رقم ۱", " bukhari\u200f 1 ", "بُخاري ١",
    ],
)  # fmt: skip
def test_the_same_record(query: str) -> None:
    """N1."""
    result = _search(query)
    [hit] = result["results"]
    assert (hit["canonical_reference"], hit["match_method"], hit["numbering_scheme"]) == (
        "bukhari:1", "reference", "running",
    )  # fmt: skip
    assert (result["truncated"], result["evidence_status"], result["capability_note"]) == (False, "inference", None)


@in_sandbox
def test_different_numbers_are_different_texts() -> None:
    """N4."""
    texts = [_search(f"bukhari {number}")["results"][0]["text_ar"] for number in (7563, 7277)]
    assert texts[0] != texts[1]


@in_sandbox
@pytest.mark.parametrize(
    ("query", "expected"),
    [("bukhari 402.2", ["bukhari:402.2"]), ("bukhari 402", ["bukhari:402"]), ("bukhari 1.0", []), ("muslim 8a", [])],
)
def test_numbers_are_never_cut(query: str, expected: list[str]) -> None:
    """N5."""
    assert _references(_search(query)) == expected


@in_sandbox
def test_number_within_a_book() -> None:
    """N5: `1:2` is the second of book 1, as the data has it, and not record 1."""
    [hit] = _search("bukhari 1:2")["results"]
    references = call(get_hadith, {"hadith_id": hit["hadith_id"]})["result"]["other_references"]
    assert {"reference": "bukhari:1:2", "numbering_scheme": "book:hadith"} in references


UNKNOWN = [
    ("bukhari 99999", "No loaded record of Sahih al-Bukhari has the number 99999; the last one is bukhari:7563."),
    ("مسلم ٩٩٩٩٩", "No loaded record of Sahih Muslim has the number 99999; the last one is muslim:7563."),
    ("nosuchbook 5",
     "No loaded collection has the name before the number; the list of tools names the collections."),
]  # fmt: skip


@in_sandbox
@pytest.mark.parametrize(("query", "note"), UNKNOWN)
def test_unknown_references(query: str, note: str) -> None:
    """N6."""
    result = _search(query)
    assert (result["results"], result["truncated"]) == ([], False)
    assert (result["evidence_status"], result["capability_note"]) == ("insufficient_evidence", note)
    assert result["provenance"][0]["note"] == "searched"


ALIKE = [
    ["انما الاعمال", "إِنَّمَا الأَعْمَالُ", "إنما الأعمال", "اِنَّما الأعْمال"],
    ["النيات", "\u200fالنيات\u200e", "ال\u200cنيات", "النـــيات", "\ufeffالنيات", "\u2067النيات\u2069", "ﺍﻟﻨﻴﺎﺕ"],
    ["كتاب الصلاة", "کتاب الصلاة", "كتاب ﺍﻟﺼﻼﺓ", "كتاب الصلاه"],
]


@in_sandbox
@pytest.mark.parametrize("queries", ALIKE, ids=["marks", "controls", "letters"])
def test_spellings_find_the_same(queries: list[str]) -> None:
    """A1 to A4: the same hits in the same order with the same methods and scores."""
    first, *others = (_search(query, limit=20)["results"] for query in queries)
    assert first
    for other in others:
        assert other == first


@in_sandbox
@pytest.mark.parametrize(
    "query",
    ['"النيات', "a-b", "col:val", "NEAR(", "niyya AND", "'; DROP TABLE x;--", "%%ab", "ab\\", "«إنما»", "ab & | ! <->",
     ":query :a", "ab%s{0}", "x" * 16_384, "النيات " * 2_000],
    ids=lambda query: query[:12],
)  # fmt: skip
def test_literal_text(query: str) -> None:
    """A8, A9: no query is a syntax, and a long one is a bounded search."""
    assert isinstance(_search(query)["results"], list)


@in_sandbox
@pytest.mark.parametrize("query", ["ﷺ", "رضي الله عنه", "صلى الله عليه وسلم"])
def test_honorifics_alone(query: str) -> None:
    """A10."""
    result = _search(query)
    assert (result["results"], result["evidence_status"]) == ([], "insufficient_evidence")
    assert result["capability_note"].endswith("give more words.")


@in_sandbox
@pytest.mark.parametrize(("query", "language"), [("le jeûne", "fr"), ("le jeûne", "auto"), ("fasting", "auto")])
def test_what_is_not_covered_is_said(query: str, language: str) -> None:
    result = _search(query, query_language=language)
    assert (result["results"], result["evidence_status"]) == ([], "insufficient_evidence")
    assert "0 of 14940 hadiths have a French text to search." in result["capability_note"]


@in_sandbox
def test_a_query_in_arabic_letters_is_arabic() -> None:
    result = _search("النيات", query_language="fr")
    assert result["results"]
    assert "in Arabic letters" in result["capability_note"]


@in_sandbox
def test_damaged_hits_are_said() -> None:
    """A5."""
    result = _search("bukhari 834")
    assert "\ufffd" in result["results"][0]["text_ar"]
    assert "damaged" in result["capability_note"]


@in_sandbox
def test_collection() -> None:
    listed = {each["code"]: each["id"] for each in _collections()}
    for code, collection_id in listed.items():
        result = _search("انما الاعمال", collection_id=collection_id, limit=20)
        assert result["results"]
        assert {reference.partition(":")[0] for reference in _references(result)} == {code}
    other = _search("bukhari 1", collection_id=listed["muslim"])
    assert (other["results"], other["capability_note"]) == (
        [], "The reference names Sahih al-Bukhari, but `collection_id` names another collection.",
    )  # fmt: skip
    assert _references(_search("bukhari 1", collection_id=listed["bukhari"])) == ["bukhari:1"]


@in_sandbox
@pytest.mark.parametrize("query", ["bukhari 1", "النيات", "nothing"])
@pytest.mark.parametrize("collection_id", [999, 2**63 - 1])
def test_unknown_collection(query: str, collection_id: int) -> None:
    answer = call(search_hadith, {"query": query, "collection_id": collection_id})
    assert (answer["status"], answer["error"]) == (
        404,
        {
            "code": "NOT_FOUND",
            "message": "No collection has this `collection_id`; the list of tools names the collections.",
        },
    )


def _collections() -> list[dict[str, Any]]:
    body = json.loads(list_tools({"routeKey": "GET /v1/tools"}, None)["body"])
    listed: list[dict[str, Any]] = body["collections"]
    return listed


@in_sandbox
def test_truncated_exactly_when_more_exist() -> None:
    """E9: for every limit, against the whole list."""
    for query in ("مسلم من سلم المسلمون", "آية المنافق", "بني الإسلام على خمس"):
        whole = _search(query, limit=20)
        count = len(whole["results"])
        assert count > 1
        for limit in range(1, 21):
            result = _search(query, limit=limit)
            assert result["results"] == whole["results"][:limit], limit
            assert result["truncated"] == (limit < count or whole["truncated"]), limit


@in_sandbox
def test_scores_fall() -> None:
    scores = [hit["score"] for hit in _search("انما الاعمال بالنيات", limit=20)["results"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


@in_sandbox
def test_the_same_call_twice() -> None:
    """M5."""
    body = {"arguments": {"query": "الصبر", "limit": 20}, "conversation_id": "c", "session_id": "s", "turn_id": 1}
    assert search_hadith(call_event(body), None)["body"] == search_hadith(call_event(body), None)["body"]


@in_sandbox
def test_largest_reply_is_bounded(sandbox: Database) -> None:
    """S18: twenty hits as long as the twenty longest records are far from the platform's 6 MB."""
    with administrator(sandbox.administrator) as connection:
        [[longest]] = connection.run(
            "select sum(size) from"
            " (select octet_length(text_ar) as size from isnad.hadiths order by 1 desc limit 20) as longest"
        )
        [[words]] = connection.run(
            "select text_ar from isnad.hadiths order by octet_length(text_ar) desc limit 1"
        )  # fmt: skip
    body = {
        "arguments": {"query": words[:8000], "limit": 20}, "conversation_id": "c", "session_id": "s", "turn_id": 1,
    }  # fmt: skip
    reply = search_hadith(call_event(body), None)["body"]
    overhead = 2_000 * 20  # what a hit holds beside its text
    assert len(reply.encode()) < longest + overhead < 1_000_000
    assert "\\u" not in reply
    assert json.loads(reply)["result"]["results"][0]["text_ar"] == words


@pytest.fixture
def lettered(empty_database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with administrator(empty_database.administrator) as connection:
        made_up.load(connection, tmp_path, monkeypatch)
    with connected(empty_database.reader):
        yield


@pytest.mark.usefixtures("lettered")
def test_lettered_numbers() -> None:
    """N2, N3, N7: a letter is part of a number, a bare one gives all that carry it, a range answers for its ends."""
    for query, expected in [
        ("muslim:1000a", ["muslim:1000a"]),
        ("MUSLIM 8 A", ["muslim:8a"]),
        ("مسلم ٨ أ", ["muslim:8a"]),
        ("مسلم ٨ ب", ["muslim:8b"]),
        ("muslim 8", ["muslim:8a", "muslim:8b"]),
        ("muslim 8c", []),
        ("muslim 1000", ["muslim:1000a"]),
        ("bukhari 408", ["bukhari:408-409"]),
        ("bukhari 409", ["bukhari:408-409"]),
        ("bukhari 408-409", ["bukhari:408-409"]),
        ("bukhari 402", []),
        ("bukhari 402.2", ["bukhari:402.2"]),
    ]:
        assert _references(_search(query)) == expected, query
    two = _search("muslim 8", limit=1)
    assert (_references(two), two["truncated"]) == (["muslim:8a"], True)


def test_nothing_loaded(empty_database: Database) -> None:
    """An empty database says so: there is nothing that an empty list could cite as searched (E2)."""
    with connected(empty_database.reader):
        answer = call(search_hadith, {"query": "bukhari 1"})
        listed = json.loads(list_tools({"routeKey": "GET /v1/tools"}, None)["body"])
    assert (answer["status"], answer["error"]) == (
        503, {"code": "UNAVAILABLE", "message": "No hadith is loaded yet; try again later."},
    )  # fmt: skip
    assert {tool["status"] for tool in listed["tools"]} == {"PARTIAL"}
    assert listed["collections"] == []
