"""Turns from call to record to inspection, with real tools, a real ledger and hostile reports."""

import http.client
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from typing import Any

import pytest
from functions.get_hadith.app import handler as get_hadith
from functions.inspect_turns.app import handler as inspect_turns
from functions.record_turn import app as record_module
from functions.record_turn.app import handler as record_turn
from functions.search_hadith.app import handler as search_hadith
from jsonschema import Draft202012Validator
from tests.conftest import ROOT, load_event
from tests.ledger import SUBJECT, Turn, as_caller, set_ledger

from isnad_gateway.data import table, turn_records
from isnad_gateway.domain.turn_record import MAX_CALLS, MAX_SPOKEN
from isnad_local.server import LocalApi
from isnad_local.serving import serving

pytestmark = pytest.mark.usefixtures("gateway", "ledger")
Lines = Callable[[], list[dict[str, Any]]]
JOURNAL = Draft202012Validator(json.loads((ROOT / "docs" / "schemas" / "turn.schema.json").read_text(encoding="utf-8")))
ALREADY = "This turn is recorded already, with other content."
NOT_GIVEN = "is not among the results that the ledger holds of this turn"


def report(turn: Turn, **changes: Any) -> dict[str, Any]:
    """A report of a turn in which nothing was called."""
    return {
        "conversation_id": turn.conversation_id,
        "session_id": "s1",
        "turn_id": turn.turn_id,
        "language": "fr",
        "user_transcript": "Donne-moi ce hadith.",
        "resolved_context": {"current_hadith_id": 1, "candidates": [1, 2]},
        "tool_calls": [],
        "tool_results": [],
        "spoken_answer": "Le voici.",
        **changes,
    }


def record(body: Any, subject: str | None = SUBJECT) -> tuple[int, dict[str, Any]]:
    """Record a turn; give status and body."""
    event = as_caller(load_event("record_turn"), subject)
    event["body"] = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
    answer = record_turn(event, None)
    return answer["statusCode"], json.loads(answer["body"])


def inspect(
    conversation_id: str, turn_id: Any = None, subject: str | None = SUBJECT, **query: str
) -> tuple[int, dict[str, Any]]:
    """Inspect a conversation or a turn; give status and body."""
    path = {"conversation_id": conversation_id, **({} if turn_id is None else {"turn_id": str(turn_id)})}
    event = as_caller({**load_event("inspect_turns"), "pathParameters": path, "queryStringParameters": query}, subject)
    answer = inspect_turns(event, None)
    return answer["statusCode"], json.loads(answer["body"])


def researched(turn: Turn) -> dict[str, Any]:
    """A report of a turn in which a hadith was looked for and read."""
    found = turn.call(search_hadith, {"query": "bukhari 1"}, call_id="k1")["result"]
    hadith = turn.call(get_hadith, {"hadith_id": found["results"][0]["hadith_id"]}, call_id="k2")["result"]
    return report(
        turn,
        tool_calls=[
            {"call_id": "k1", "tool_name": "search_hadith", "arguments": {"query": "bukhari 1"}},
            {"call_id": "k2", "tool_name": "get_hadith", "arguments": {"hadith_id": hadith["hadith_id"]}},
        ],
        tool_results=[{"call_id": "k1", "result": found}, {"call_id": "k2", "result": hadith}],
    )


def test_an_answer_that_strayed() -> None:
    """What no result carries makes the turn suspect, with reasons; its source is in no list of sources."""
    turn = Turn()
    body = {
        **researched(turn),
        "spoken_answer": "Ce hadith est le numéro 2 d'al-Bukhari, et il est authentique selon at-Tirmidhi dans ses Sunan.",
    }
    status, kept = record(body)
    assert (status, kept["coherence_check"]) == (200, "SUSPECT")
    assert [reason.split(":")[0] for reason in kept["coherence_reasons"]] == ["cited_author", "verdict", "reference"]
    assert '"Tirmidhi"' in kept["coherence_reasons"][0]
    other = Turn()
    honest = record(researched(other))[1]
    assert honest["coherence_check"] == "PASS"
    assert kept["sources"] == honest["sources"]
    assert inspect(turn.conversation_id, 1)[1]["record"]["coherence_reasons"] == kept["coherence_reasons"]


def test_a_turn_whole(log_lines: Lines) -> None:
    """Called, recorded, inspected: what was asked, which tools answered, which sources came back."""
    turn = Turn()
    body = researched(turn)
    status, kept = record(body)
    assert status == 200
    assert {name: kept[name] for name in body} == body
    assert (kept["evidence_status"], kept["coherence_check"], kept["coherence_reasons"]) == ("inference", "PASS", [])
    assert [source["object_type"] for source in kept["sources"]] == ["hadith", "dataset", "dataset", "dataset"]
    assert kept["sources"][0]["source_key"] == "bukhari:1"
    assert None not in kept["sources"][0].values()

    *_, line = log_lines()
    JOURNAL.validate(line["turn"])
    assert line["turn"]["tools"] == ["search_hadith", "get_hadith"]
    assert line["turn"]["user_transcript"] == "Donne-moi ce hadith."
    assert line["turn"]["sources"][0] == {
        "object_type": "hadith", "object_id": 1, "source_title": "صحيح البخاري", "source_key": "bukhari:1",
        "locator": "book 1",
    }  # fmt: skip

    assert inspect(turn.conversation_id) == (
        200,
        {
            "conversation_id": turn.conversation_id,
            "turns": [
                {
                    "turn_id": 1, "calls": 2, "research_calls": 2, "recorded_at": kept["recorded_at"],
                    "evidence_status": "inference", "coherence_check": "PASS",
                },
            ],
            "truncated": False,
        },
    )  # fmt: skip
    status, whole = inspect(turn.conversation_id, 1)
    assert status == 200
    assert whole["record"] == kept
    assert whole["budget"] == {
        "calls": 2, "research_calls": 2, "calls_left": 18, "research_calls_left": 6, "calls_without_progress_left": 2,
    }  # fmt: skip
    search, read = whole["calls"]
    assert (search["tool_name"], search["call_id"], search["progress"], search["why"]) == (
        "search_hadith", "k1", True, None,
    )  # fmt: skip
    assert (read["result_count"], read["truncated"], read["evidence_status"], read["error"]) == (1, False, "fact", None)
    assert read["tool_arguments"] == {"hadith_id": 1}
    assert read["provenance"][0]["source_key"] == "bukhari:1"
    assert len(read["digest"]) == 64
    assert read["execution_time_ms"] > 0


def test_call_ids_may_be_null() -> None:
    body = researched(Turn())
    for item in [*body["tool_calls"], *body["tool_results"]]:
        item["call_id"] = None
    assert record(body)[1]["coherence_check"] == "PASS"


def test_numbers_and_keys_may_be_written_anew() -> None:
    """A client that parses and writes JSON in its own way shows the same result: 1.0 as 1, keys in another order."""
    body = researched(Turn())
    hit = body["tool_results"][0]["result"]["results"][0]
    assert hit["score"] == 1.0
    hit["score"] = 1
    body["tool_results"][0]["result"] = dict(reversed(body["tool_results"][0]["result"].items()))
    assert record(json.dumps(body))[1]["coherence_check"] == "PASS"


def _changed_text(body: dict[str, Any]) -> None:
    body["tool_results"][1]["result"]["text_ar"] += "."


def _raised_status(body: dict[str, Any]) -> None:
    body["tool_results"][0]["result"]["evidence_status"] = "fact"


def _added_source(body: dict[str, Any]) -> None:
    body["tool_results"][0]["result"]["provenance"].append({"object_id": 9, "object_type": "source"})


def _made_up(body: dict[str, Any]) -> None:
    body["tool_results"][0]["result"] = {"provenance": [{"object_type": "source", "source_title": "made up"}]}


def _swapped(body: dict[str, Any]) -> None:
    first, second = body["tool_results"]
    first["result"], second["result"] = second["result"], first["result"]


def _other_tool(body: dict[str, Any]) -> None:
    body["tool_calls"][1]["tool_name"] = "get_hadith_chains"


def _huge_integer(body: dict[str, Any]) -> None:
    body["tool_results"][0]["result"]["results"][0]["hadith_id"] = 2**60


FORGED: dict[str, tuple[Callable[[dict[str, Any]], None], list[str]]] = {
    "one letter more": (_changed_text, [f"tool_results[1] {NOT_GIVEN}"]),
    "a status raised": (_raised_status, [f"tool_results[0] {NOT_GIVEN}"]),
    "a source added": (_added_source, [f"tool_results[0] {NOT_GIVEN}"]),
    "made up": (_made_up, [f"tool_results[0] {NOT_GIVEN}"]),
    "a number without canonical form": (_huge_integer, [f"tool_results[0] {NOT_GIVEN}"]),
    "two results swapped": (
        _swapped,
        [f"tool_results[{index}] is a result that the gateway gave to another call" for index in (0, 1)],
    ),
    "another tool's": (_other_tool, ["tool_results[1] is a result of another tool than the call's"]),
}


@pytest.mark.parametrize(("forge", "reasons"), FORGED.values(), ids=FORGED)
def test_forged_results(forge: Callable[[dict[str, Any]], None], reasons: list[str]) -> None:
    """A forged result makes the turn suspect, and is no source and no evidence of it; it is kept as it was shown."""
    body = researched(Turn())
    forge(body)
    status, kept = record(body)
    assert (status, kept["coherence_check"], kept["coherence_reasons"]) == (200, "SUSPECT", reasons)
    assert kept["tool_results"] == body["tool_results"]
    assert not any("made up" in str(source) for source in kept["sources"])
    proven = 2 - len(reasons)
    assert bool(kept["sources"]) == bool(proven)
    if not proven:
        assert kept["evidence_status"] == "insufficient_evidence"


def test_results_of_another_turn_or_caller_prove_nothing() -> None:
    turn = Turn()
    body = researched(turn)
    assert record({**body, "turn_id": 2})[1]["coherence_check"] == "SUSPECT"
    assert record({**body, "conversation_id": Turn().conversation_id})[1]["coherence_check"] == "SUSPECT"
    assert record(body, subject="user-2")[1]["coherence_check"] == "SUSPECT"
    assert record(body)[1]["coherence_check"] == "PASS"  # and nobody else's record stands in its place


def test_another_subjects_conversation_is_not_there() -> None:
    turn = Turn()
    record(researched(turn))
    for subject in ("user-2", None, "user-1 ", "USER-1"):
        status, answer = inspect(turn.conversation_id, subject=subject)
        assert (status, answer["error"]["code"]) == (404, "NOT_FOUND")
        assert inspect(turn.conversation_id, 1, subject=subject)[0] == 404


def test_the_same_report_is_kept_once(log_lines: Lines) -> None:
    turn = Turn()
    body = researched(turn)
    before = len(log_lines())
    first = record(body)
    assert [record(body), record(json.dumps(body, sort_keys=True))] == [first, first]
    assert [line["message"] for line in log_lines()[before:]] == ["turn"]
    status, answer = record({**body, "spoken_answer": "Autre chose."})
    assert (status, answer["error"]) == (400, {"code": "INVALID_ARGUMENT", "message": ALREADY})
    assert inspect(turn.conversation_id, 1)[1]["record"] == first[1]


def test_many_reports_at_once() -> None:
    """One of two contents is kept, and whoever brought it gets it."""
    turn = Turn()
    bodies = [report(turn, spoken_answer=text) for text in ("un", "deux")] * 6
    with ThreadPoolExecutor(12) as threads:
        answers = list(threads.map(record, bodies))
    kept = {answer["spoken_answer"] for status, answer in answers if status == 200}
    assert len(kept) == 1
    for (status, answer), body in zip(answers, bodies, strict=True):
        if body["spoken_answer"] in kept:
            assert status == 200 or answer["error"]["message"] == "The turn is being recorded; try again."
        else:
            assert status in (400, 503)
    assert record(bodies[0] if bodies[0]["spoken_answer"] in kept else bodies[1])[0] == 200


def test_turns_out_of_order() -> None:
    """A turn that is reported late is kept, as are turns without a call and turns whose number leaves a gap."""
    first = Turn()
    for number in (5, 2, 9):
        assert record(report(Turn(number, conversation_id=first.conversation_id)))[0] == 200
    Turn(7, conversation_id=first.conversation_id).call(get_hadith, {"hadith_id": 1})
    overview = inspect(first.conversation_id)[1]["turns"]
    assert [(turn["turn_id"], turn["calls"], turn["recorded_at"] is None) for turn in overview] == [
        (9, 0, False), (7, 1, True), (5, 0, False), (2, 0, False),
    ]  # fmt: skip
    assert [turn["turn_id"] for turn in inspect(first.conversation_id, before="7")[1]["turns"]] == [5, 2]


def test_why_a_call_failed() -> None:
    turn = Turn()
    turn.call(get_hadith, {"hadith_id": 2**53}, call_id="missing")
    turn.call(get_hadith, {"hadith_id": "1"}, call_id="wrong")
    calls = inspect(turn.conversation_id, 1)[1]["calls"]
    assert [(call["call_id"], call["error"]["code"], call["progress"]) for call in calls] == [
        ("missing", "NOT_FOUND", False), ("wrong", "INVALID_ARGUMENT", None),
    ]  # fmt: skip
    [wrong] = inspect(turn.conversation_id, 1, call_id="wrong")[1]["calls"]
    assert wrong["why"].startswith("The call was refused before anything was read")
    assert wrong["request_id"]
    assert inspect(turn.conversation_id, 1, call_id="other")[0] == 404


@pytest.mark.parametrize("turn_id", ["0", "-1", "1.5", "x", "٣", "99999999999", ""])
def test_turns_that_are_no_numbers(turn_id: str) -> None:
    status, answer = inspect(Turn().conversation_id, turn_id)
    assert (status, answer["error"]["message"]) == (400, "`turn_id` must be the number of a turn.")
    assert inspect(Turn().conversation_id, before=turn_id)[0] == 400


def test_long_conversations_are_cut() -> None:
    first = Turn()
    place = table.Place(table.partition_of("https://issuer.example", SUBJECT, first.conversation_id), 1)
    with table.asking() as (client, name):
        for number in range(1, 103):
            item = table.Place(place.partition, number).key("turn")
            client.put_item(TableName=name, Item={**item, "calls": {"SS": ["a"]}})
    answer = inspect(first.conversation_id)[1]
    assert (len(answer["turns"]), answer["turns"][0]["turn_id"], answer["truncated"]) == (100, 102, True)


CALL = {"call_id": "k", "tool_name": "get_hadith", "arguments": {}}
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a huge transcript": (
        {"user_transcript": "x" * (MAX_SPOKEN + 1)},
        f"`user_transcript` must have at most {MAX_SPOKEN} characters.",
    ),
    "a huge answer": (
        {"spoken_answer": "x" * (MAX_SPOKEN + 1)},
        f"`spoken_answer` must have at most {MAX_SPOKEN} characters.",
    ),
    "ten thousand calls": ({"tool_calls": [CALL] * 10_000}, f"`tool_calls` must have at most {MAX_CALLS} items."),
    "ten thousand results": (
        {"tool_results": [{"call_id": None, "result": {}}] * 10_000},
        f"`tool_results` must have at most {MAX_CALLS} items.",
    ),
    "a context that is evidence": (
        {"resolved_context": {"hadith": {"text_ar": "x"}}},
        "`resolved_context` must hold identifiers and nothing else.",
    ),
    "a long context": (
        {"resolved_context": {"hadith": "x" * 129}},
        "`resolved_context` must hold at most 64 identifiers, of at most 128 characters.",
    ),
    "a field too many": ({"sources": []}, "`sources` is not a field of this request."),
    "a tool's name that is none": (
        {"tool_calls": [{**CALL, "tool_name": "drop table"}]},
        "`tool_name` holds characters that are not allowed.",
    ),
    "turn 0": ({"turn_id": 0}, "`turn_id` must be at least 1."),
    "a result that is no object": (
        {"tool_results": [{"call_id": None, "result": []}]},
        "`result` must be a JSON object.",
    ),
    "calls that are no list": ({"tool_calls": {}}, "`tool_calls` must be a list."),
    "a number that is none": ({"tool_results": [{"result": {"x": float("nan")}}]}, "The body is not valid JSON."),
}


@pytest.mark.parametrize(("changes", "message"), REFUSED.values(), ids=REFUSED)
def test_reports_that_are_refused(changes: dict[str, Any], message: str) -> None:
    turn = Turn()
    assert record(report(turn, **changes)) == (400, {"error": {"code": "INVALID_ARGUMENT", "message": message}})
    assert inspect(turn.conversation_id)[0] == 404


@pytest.mark.parametrize(
    "body",
    [
        "", "{", "[]", "null", '"x"', "[" * 200_000, '{"turn_id": 1, "turn_id": 2}', '{"user_transcript": "\\ud800"}',
        "x" * (record_module.MAX_BODY_BYTES + 1),
    ],
    ids=range(9),
)  # fmt: skip
def test_bodies_that_are_no_report(body: str) -> None:
    status, answer = record(body)
    assert (status, answer["error"]["code"]) == (400, "INVALID_ARGUMENT")


def test_an_endless_number_and_a_key_that_stands_twice() -> None:
    text = json.dumps(report(Turn(), tool_results=[{"result": {"x": 1}}]))
    assert record(text.replace('{"x": 1}', f'{{"x": {"9" * 5000}}}'))[1]["error"]["message"] == (
        "The body is not valid JSON."
    )
    assert record(text.replace('{"x": 1}', '{"x": 1, "x": 2}'))[1]["error"]["message"] == "The body names a key twice."


def test_a_large_turn_is_kept_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record that is larger than one item of DynamoDB comes back as it was."""
    monkeypatch.setattr(turn_records, "_PART_BYTES", 1000)
    turn = Turn()
    body = researched(turn)
    body["spoken_answer"] = "".join(chr(0x600 + number * 7919 % 200) for number in range(20_000))
    status, kept = record(body)
    assert (status, kept["spoken_answer"]) == (200, body["spoken_answer"])
    assert inspect(turn.conversation_id, 1)[1]["record"] == kept


def test_transcripts_can_be_left_out(monkeypatch: pytest.MonkeyPatch, log_lines: Lines) -> None:
    set_ledger(monkeypatch, ISNAD_KEEP_TRANSCRIPTS="false")
    turn = Turn()
    body = report(turn, user_transcript="SECRET-QUESTION", spoken_answer="SECRET-ANSWER")
    kept = record(body)
    assert (kept[1]["user_transcript"], kept[1]["spoken_answer"]) == (None, None)
    assert record(body) == kept
    assert record({**body, "user_transcript": "other"})[0] == 400
    [line] = log_lines()
    JOURNAL.validate(line["turn"])
    assert "SECRET" not in json.dumps([log_lines(), kept, inspect(turn.conversation_id, 1)])


def test_the_audit_journal_is_closed_and_can_fail(log_lines: Lines) -> None:
    long = "س" * 201
    record(report(Turn(), user_transcript=long))
    [line] = log_lines()
    journal = line["turn"]
    JOURNAL.validate(journal)
    assert (journal["user_transcript"]["length"], journal["evidence_status"]) == (201, "insufficient_evidence")
    for broken in (
        {**journal, "spoken_answer": "x"},
        {name: value for name, value in journal.items() if name != "sources"},
        {**journal, "coherence_check": "MAYBE"},
        {**journal, "user_transcript": long},
        {**journal, "sources": [{"object_type": "hadith"}]},
    ):
        assert not JOURNAL.is_valid(broken), broken


def test_entries_expire(monkeypatch: pytest.MonkeyPatch) -> None:
    set_ledger(monkeypatch, ISNAD_LEDGER_DAYS="7")
    turn = Turn()
    record(researched(turn))
    partition = table.partition_of("https://issuer.example", SUBJECT, turn.conversation_id)
    items = table.query(partition, "a", "z", limit=100)
    assert sorted({item["sk"]["S"].split("#")[0] for item in items}) == ["call", "part", "record", "turn"]
    import time  # noqa: PLC0415

    for item in items:
        assert abs(int(item["expires"]["N"]) - time.time() - 7 * 86_400) < 120


def test_without_a_ledger(monkeypatch: pytest.MonkeyPatch) -> None:
    set_ledger(monkeypatch, ISNAD_LEDGER_TABLE="")
    turn = Turn()
    expected = (503, {"error": {"code": "UNAVAILABLE", "message": "No turn ledger is set up."}})
    assert [record(report(turn)), inspect(turn.conversation_id), inspect(turn.conversation_id, 1)] == [expected] * 3


@pytest.mark.usefixtures("ledger_down")
def test_a_ledger_that_is_down(log_lines: Lines) -> None:
    """Nothing is lost in silence: the caller is told to come back, and the log names the turn."""
    turn = Turn()
    expected = (
        503,
        {"error": {"code": "UNAVAILABLE", "message": "The turn ledger cannot be reached; try again."}},
    )
    assert [record(report(turn)), inspect(turn.conversation_id)] == [expected] * 2
    gap, unreadable = log_lines()
    assert (gap["gap"]["missing"], gap["gap"]["conversation_id"]) == ("record", turn.conversation_id)
    assert unreadable["message"] == "the turn ledger cannot be read"


def test_dry_run(log_lines: Lines) -> None:
    """A call is validated, its defaults and the turn's budget are told, and nothing is read, spent or kept."""
    turn = Turn()
    asked = {"queryStringParameters": {"dry_run": "true"}}
    answer = turn.call(search_hadith, {"query": "bukhari 1"}, call_id="k", **asked)
    left = {"calls_left": 20, "research_calls_left": 8, "calls_without_progress_left": 2}
    assert answer == {
        "status": 200, "tool_name": "search_hadith", "conversation_id": turn.conversation_id, "session_id": "s1",
        "turn_id": 1, "call_id": "k", "error": None,
        "result": {
            "dry_run": True,
            "arguments": {"query": "bukhari 1", "query_language": "auto", "collection_id": None, "limit": 5},
            "takes": "a research slot", "budget": left, "refusal": None,
        },
    }  # fmt: skip
    assert inspect(turn.conversation_id)[0] == 404
    assert [line["message"] for line in log_lines()] == ["dry run"]
    for _ in range(8):
        turn.call(get_hadith, {"hadith_id": 2**53})
    planned = turn.call(search_hadith, {"query": "bukhari 1"}, **asked)
    assert planned["result"]["budget"]["calls_without_progress_left"] == 0
    assert planned["result"]["refusal"]["code"] == "LIMIT_EXCEEDED"


@pytest.mark.parametrize(
    ("asked", "arguments", "status", "message"),
    [
        ("true", {"query": 5}, 400, "`query` must be a string."),
        ("true", {"query": "ab", "limit": 21}, 422, "`limit` must be at most 20."),
        ("yes", {"query": "ab"}, 400, "`dry_run` must be 'true' or 'false'."),
        ("true,true", {"query": "ab"}, 400, "`dry_run` must be 'true' or 'false'."),
    ],
)
def test_dry_runs_that_fail(asked: str, arguments: dict[str, Any], status: int, message: str) -> None:
    answer = Turn().call(search_hadith, arguments, queryStringParameters={"dry_run": asked})
    assert (answer["status"], answer["error"]["message"]) == (status, message)


def test_dry_run_false_is_a_call() -> None:
    answer = Turn().call(search_hadith, {"query": "bukhari 1"}, queryStringParameters={"dry_run": "false"})
    assert len(answer["result"]["results"]) == 1


def test_fifty_parallel_requests_get_eight_answers() -> None:
    """Over real HTTP, through the real handlers: slots are taken before any read."""
    body = {"conversation_id": Turn().conversation_id, "session_id": "s1", "turn_id": 1}

    def ask(port: int, number: int) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        data = json.dumps({**body, "arguments": {"query": f"bukhari {number}"}})
        connection.request("POST", "/v1/tools/search_hadith", data, {"content-type": "application/json"})
        with connection.getresponse() as answer:
            assert answer.read()
        connection.close()
        return answer.status

    with serving(LocalApi(), threads=16) as port, ThreadPoolExecutor(50) as threads:
        statuses = sorted(threads.map(ask, repeat(port), range(1, 51)))
    assert statuses == [200] * 8 + [429] * 42
