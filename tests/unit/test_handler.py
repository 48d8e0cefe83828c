"""The way of a call through the handler without a database: success and failure twins, journal, leaks."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests import leaks
from tests.conftest import ROOT, call, call_event

from isnad_gateway.core import settings
from isnad_gateway.core.errors import (
    GatewayError,
    InsufficientEvidence,
    InternalError,
    InvalidArgument,
    LimitExceeded,
    NotFound,
    Unavailable,
)
from isnad_gateway.core.logs import Event, frames, log
from isnad_gateway.core.settings import parse_dsn
from isnad_gateway.domain.provenance import UNKNOWN
from isnad_gateway.domain.tools.get_hadith import TOOL, Arguments, Collection, Result
from isnad_gateway.domain.tools.search_hadith import TOOL as SEARCH
from isnad_gateway.domain.tools.search_hadith import Arguments as SearchArguments
from isnad_gateway.domain.tools.search_hadith import Result as SearchResult
from isnad_gateway.http import handler as handler_module
from isnad_gateway.http.handler import guarded, tool_handler
from isnad_gateway.http.reply import reply

Lines = Callable[[], list[dict[str, Any]]]
SCHEMA = json.loads((ROOT / "docs" / "schemas" / "call.schema.json").read_text(encoding="utf-8"))
JOURNAL = Draft202012Validator(SCHEMA)

HADITH = Result(
    hadith_id=1,
    canonical_reference="bukhari:1",
    numbering_scheme="running",
    other_references=[],
    collection=Collection(id=1, code="bukhari", name=None),
    book=None,
    chapter=None,
    text_ar="إنما الأعمال بالنيات",
    text_damaged=False,
    text_fr=None,
    translation=None,
    evidence_status="fact",
    provenance=[{**UNKNOWN, "object_id": 1, "object_type": "hadith"}],
    capability_note=None,
)
NOTHING = SearchResult(
    results=[],
    truncated=False,
    evidence_status="insufficient_evidence",
    provenance=[{**UNKNOWN, "object_id": "1", "object_type": "dataset"}],
    capability_note="Nothing was found.",
)
INTERNAL = {"code": "INTERNAL_ERROR", "message": "The gateway failed to answer; the cause is in its log."}


@pytest.fixture(autouse=True)
def without_database(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def reading() -> Iterator[None]:
        yield None

    monkeypatch.setattr(handler_module, "reading", reading)


def _raising(error: Exception) -> Callable[..., Any]:
    def answer(_arguments: Any, _read: Any) -> Any:
        raise error

    return answer


def test_success_is_the_whole_reply() -> None:
    body = {
        "arguments": {"hadith_id": 1}, "conversation_id": "c1", "session_id": "s1", "turn_id": 7, "call_id": "k"
    }  # fmt: skip
    answer = tool_handler(TOOL, lambda _arguments, _read: HADITH)(call_event(body), None)
    assert json.loads(answer["body"]) == {
        "tool_name": "get_hadith",
        "conversation_id": "c1",
        "session_id": "s1",
        "turn_id": 7,
        "call_id": "k",
        "result": HADITH,
        "error": None,
    }
    assert {key: value for key, value in answer.items() if key != "body"} == {
        "statusCode": 200,
        "headers": {"content-type": "application/json; charset=utf-8", "cache-control": "no-store"},
        "isBase64Encoded": False,
    }
    assert "إنما الأعمال بالنيات" in answer["body"]  # UTF-8, no escapes (S18)
    assert "\\u" not in answer["body"]


ERRORS: list[tuple[GatewayError, int, str]] = [
    (InvalidArgument("`x` is wrong."), 400, "INVALID_ARGUMENT"),
    (NotFound("No such thing."), 404, "NOT_FOUND"),
    (InsufficientEvidence("No source."), 422, "INSUFFICIENT_EVIDENCE"),
    (LimitExceeded("Too many."), 422, "LIMIT_EXCEEDED"),
    (Unavailable("Down."), 503, "UNAVAILABLE"),
]


@pytest.mark.parametrize(("error", "status", "code"), ERRORS)
def test_known_errors(error: GatewayError, status: int, code: str, log_lines: Lines) -> None:
    answer = call(tool_handler(TOOL, _raising(error)), {"hadith_id": 1})
    assert (answer["status"], answer["error"]) == (status, {"code": code, "message": error.message})
    assert answer["headers"].get("retry-after") == ("1" if code == "UNAVAILABLE" else None)
    [line] = log_lines()
    JOURNAL.validate(line["call"])


@pytest.mark.parametrize("error", [ValueError("p"), RecursionError(), KeyError("x"), UnicodeError(), MemoryError()])
def test_unknown_errors(error: Exception, log_lines: Lines) -> None:
    answer = call(tool_handler(TOOL, _raising(error)), {"hadith_id": 1})
    assert (answer["status"], answer["error"]) == (500, INTERNAL)
    failure, journal = log_lines()
    assert failure["message"] == Event.UNEXPECTED.value[1]
    assert failure["failure"]["error"] == type(error).__name__
    assert failure["failure"]["frames"][-1].split(":")[0].endswith("test_handler")
    assert journal["call"]["error"] == INTERNAL


def test_result_that_breaks_its_model(log_lines: Lines) -> None:
    """S12: our fault is never told as the caller's, and the log says where it is."""

    def answer(_arguments: Arguments, _read: Any) -> Result:
        return {**HADITH, "text_ar": 5, "surprise": "secret text"}  # type: ignore[typeddict-item, typeddict-unknown-key]

    answered = call(tool_handler(TOOL, answer), {"hadith_id": 1})
    assert (answered["status"], answered["error"]) == (500, INTERNAL)
    failure, _ = log_lines()
    assert failure["message"] == Event.RESULT_BREAKS_MODEL.value[1]
    assert failure["failure"] == {
        "tool_name": "get_hadith",
        "faults": ["text_ar: string_type", "surprise: extra_forbidden"],
    }


def test_result_with_a_field_too_many(log_lines: Lines) -> None:
    """Objects are closed, however deep they lie."""
    entry: Any = {**UNKNOWN, "object_id": 1, "object_type": "hadith", "surprise": "secret text"}

    def answer(_arguments: Arguments, _read: Any) -> Result:
        return {**HADITH, "provenance": [entry]}

    answered = call(tool_handler(TOOL, answer), {"hadith_id": 1})
    assert (answered["status"], answered["error"]) == (500, INTERNAL)
    failure, _ = log_lines()
    assert failure["failure"] == {"tool_name": "get_hadith", "faults": ["provenance.0.surprise: extra_forbidden"]}


def test_result_that_breaks_a_rule(log_lines: Lines) -> None:
    """S12: the handler fails closed, and the log names the rule."""
    broken: SearchResult = {**NOTHING, "capability_note": None}
    answered = call(tool_handler(SEARCH, lambda _arguments, _read: broken), {"query": "bukhari 1"})
    assert (answered["status"], answered["error"], answered["result"]) == (500, INTERNAL, None)
    failure, _ = log_lines()
    assert failure["message"] == Event.RESULT_BREAKS_RULE.value[1]
    assert failure["failure"] == {
        "tool_name": "search_hadith",
        "rules": ["E6 results: empty, and nothing says what that means"],
    }


def test_journal_of_a_success(log_lines: Lines) -> None:
    long = "ب" * 201
    call(
        tool_handler(SEARCH, lambda _arguments, _read: NOTHING),
        {"query": long, "limit": 3},
        call_id="k1",
        provider={"name": "voice", "model": "m"},
    )
    [line] = log_lines()
    JOURNAL.validate(line["call"])
    assert {key: value for key, value in line["call"].items() if key not in ("execution_time_ms", "timestamp")} == {
        "conversation_id": "c1",
        "session_id": "s1",
        "turn_id": 1,
        "call_id": "k1",
        "tool_name": "search_hadith",
        "tool_arguments": {
            "query": {
                "beginning": "ب" * 200,
                "length": 201,
                "sha256": "62d0ef7937a2f7bd4d2f55146eed3dbd9296d3dde513cce6587b333f67051fef",
            },
            "query_language": "auto",
            "collection_id": None,
            "limit": 3,
        },
        "result_count": 0,
        "truncated": False,
        "error": None,
        "provider": "voice",
        "model": "m",
    }
    assert line["message"] == "tool call"
    assert line["call"]["execution_time_ms"] > 0


def test_journal_of_a_refusal(log_lines: Lines) -> None:
    call(tool_handler(SEARCH, lambda _arguments, _read: NOTHING), {"query": 5}, session_id="", provider={"name": "p"})
    [line] = log_lines()
    JOURNAL.validate(line["call"])
    assert {key: value for key, value in line["call"].items() if key not in ("execution_time_ms", "timestamp")} == {
        "conversation_id": "c1",
        "session_id": None,
        "turn_id": 1,
        "call_id": None,
        "tool_name": "search_hadith",
        "tool_arguments": None,
        "result_count": None,
        "truncated": None,
        "error": {"code": "INVALID_ARGUMENT", "message": "`session_id` must not be empty."},
        "provider": None,
        "model": None,
    }


def test_journal_schema_is_closed_and_can_fail(log_lines: Lines) -> None:
    call(tool_handler(TOOL, lambda _arguments, _read: HADITH), {"hadith_id": 1})
    [line] = log_lines()
    journal = line["call"]
    assert sorted(SCHEMA["properties"]) == sorted(SCHEMA["required"]) == sorted(journal)
    for broken in (
        {**journal, "text_ar": "x"},
        {key: value for key, value in journal.items() if key != "model"},
        {**journal, "error": INTERNAL},
        {**journal, "timestamp": "yesterday"},
        {**journal, "tool_arguments": {"query": "x" * 201}},
        {**journal, "execution_time_ms": "1"},
    ):
        assert not JOURNAL.is_valid(broken), broken


def test_nothing_of_the_first_call_stays(log_lines: Lines) -> None:
    """S10: two warm calls by different callers; the second one is refused, which leaves most of its line empty."""
    handler = tool_handler(SEARCH, lambda _arguments, _read: NOTHING)
    first = {
        "arguments": {"query": "first words"}, "conversation_id": "first-c", "session_id": "first-s",
        "turn_id": 987654321, "call_id": "first-k", "provider": {"name": "first-p", "model": "first-m"},
    }  # fmt: skip
    handler(call_event(first), None)
    before = len(log_lines())
    answer = handler(call_event({"arguments": {"query": "other words"}}), None)
    tool_handler(SEARCH, _raising(ValueError()))(call_event({**first, **_SECOND}), None)
    later = json.dumps(log_lines()[before:])
    assert len(log_lines()) == before + 3
    for trace in ("first", "987654321"):
        assert trace not in later
        assert trace not in answer["body"]


_SECOND = {
    "arguments": {"query": "third words"}, "conversation_id": "c3", "session_id": "s3", "turn_id": 3, "call_id": None,
    "provider": {"name": "p3"},
}  # fmt: skip


@pytest.fixture
def secrets(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """An environment and headers full of secrets."""
    monkeypatch.setenv("ISNAD_DSN", f"postgresql://reader:{leaks.PASSWORD}@127.0.0.1:1/corpus")
    monkeypatch.setenv("OPENAI_API_KEY", leaks.PROVIDER_KEY)
    settings.database_settings.cache_clear()
    yield {"authorization": f"Bearer {leaks.TOKEN}", "x-api-key": leaks.PROVIDER_KEY}
    settings.database_settings.cache_clear()


@pytest.mark.parametrize(
    "error",
    [
        ValueError(f"connection to {leaks.PASSWORD} failed with {leaks.TOKEN} and {leaks.PROVIDER_KEY}"),
        RuntimeError({"headers": f"Bearer {leaks.TOKEN}"}),
        KeyError(leaks.PROVIDER_KEY),
        InternalError(),
        ExceptionGroup(leaks.PASSWORD, [ValueError(leaks.TOKEN)]),
    ],
)
def test_secrets_stay_out_of_logs_and_replies(secrets: dict[str, str], error: Exception, log_lines: Lines) -> None:
    """S8: whatever an exception's text holds."""
    error.__cause__ = ValueError(leaks.PASSWORD)
    event = call_event({"arguments": {"hadith_id": 1}, **_SECOND, "arguments2": leaks.TOKEN}, headers=secrets)
    valid = call_event({**_SECOND, "arguments": {"hadith_id": 1}}, headers=secrets)
    for answer in (
        tool_handler(TOOL, _raising(error))(event, None),
        tool_handler(TOOL, _raising(error))(valid, None),
        guarded(lambda _event: _raising(error)(None, None))(valid, None),
    ):
        assert leaks.in_reply(answer) == []
    assert len(log_lines()) >= 2
    assert list(leaks.leaks(json.dumps(log_lines()))) == []


def test_unreachable_database_tells_no_secret(
    secrets: dict[str, str], monkeypatch: pytest.MonkeyPatch, log_lines: Lines
) -> None:
    """S8: the connection string with its password is at hand when the connection fails."""
    monkeypatch.undo()
    monkeypatch.setenv("ISNAD_DSN", f"postgresql://reader:{leaks.PASSWORD}@127.0.0.1:1/corpus")
    settings.database_settings.cache_clear()
    answer = tool_handler(TOOL, _raising(ValueError()))(
        call_event({**_SECOND, "arguments": {"hadith_id": 1}}, headers=secrets), None
    )
    assert answer["statusCode"] == 503
    assert answer["headers"]["retry-after"] == "1"
    assert json.loads(answer["body"])["error"]["code"] == "UNAVAILABLE"
    assert log_lines()[0]["message"] == Event.DATABASE_UNREACHABLE.value[1]
    assert leaks.in_reply(answer) == []
    assert list(leaks.leaks(json.dumps(log_lines()))) == []


@pytest.mark.parametrize("dsn", ["", f"mysql://u:{leaks.PASSWORD}@h/d", f"postgresql://u:{leaks.PASSWORD}@h:port/d"])
def test_malformed_connection_string_tells_no_secret(
    dsn: str, monkeypatch: pytest.MonkeyPatch, log_lines: Lines
) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("ISNAD_DSN", dsn)
    settings.database_settings.cache_clear()
    with pytest.raises(ValueError, match=r".") as raised:
        parse_dsn(dsn)
    assert leaks.PASSWORD not in str(raised.value)
    try:
        answer = call(tool_handler(TOOL, lambda _arguments, _read: HADITH), {"hadith_id": 1})
    finally:
        settings.database_settings.cache_clear()
    assert (answer["status"], answer["error"]) == (500, INTERNAL)
    assert list(leaks.leaks(json.dumps(log_lines()))) == []


def test_settings_do_not_show_the_password() -> None:
    shown = parse_dsn(f"postgresql://u:{leaks.PASSWORD}@h:5432/d")
    assert shown.password == leaks.PASSWORD
    assert leaks.PASSWORD not in f"{shown!r} {shown}"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("all is well", []),
        (f"password={leaks.PASSWORD}", ["the password"]),
        (json.dumps({"authorization": leaks.TOKEN}), ["the bearer token"]),
        (leaks.PROVIDER_KEY, ["the provider key"]),
        *((f"x{key}-rotated", [f"the key of {name}"]) for name, key in leaks.PROVIDER_KEYS.items() if name != "openai"),
        (f"Incorrect API key: {leaks.PROVIDER_KEYS['xai'][:22]}***", ["the key of xai"]),
        (f"***{leaks.PROVIDER_KEYS['gemini'][-22:]}", ["the key of gemini"]),
        (f"ek_{leaks.EPHEMERAL}-1", ["a short-lived credential"]),
        ("SELECT h.*\n", []),
        ("select h.text_ar from hadiths as h", ["SQL"]),
        ("left join lateral (\n    select * from public_hadith_translations\n", ["SQL"]),
        (json.dumps("where h.hadith_id = :hadith_id"), ["SQL"]),
        (json.dumps({"query": "إنما الأعمال " * 15}, ensure_ascii=False), []),
        (json.dumps({"text": "إنما الأعمال " * 30}, ensure_ascii=False), ["a long Arabic text"]),
        (json.dumps({"text": "إنما الأعمال " * 30}), ["a long Arabic text"]),
    ],
)
def test_the_search_for_leaks_finds_them(text: str, found: list[str]) -> None:
    assert list(leaks.leaks(text)) == found


def test_a_leaking_reply_is_noticed() -> None:
    """Whoever makes it: a function's own reply is searched without being asked for."""
    from isnad_gateway.http.reply import reply  # noqa: PLC0415

    reply(200, {"fine": "nothing"})
    assert leaks._replied == set()
    reply(200, {"value": f"ek_{leaks.EPHEMERAL}"})
    assert leaks._replied == set()
    reply(500, {"error": {"message": f"Incorrect key: {leaks.PROVIDER_KEYS['gemini'][:30]}"}})
    assert leaks._replied == {"the key of gemini in a reply"}
    leaks._replied.clear()


def test_a_leaking_test_fails(
    pytester: pytest.Pytester, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The watch over the whole suite, watched: each way out of a test is searched, and only the leaking ones fail."""
    leaking = [
        f"print('{leaks.PASSWORD}')",
        f"import sys; print('{leaks.TOKEN}', file=sys.stderr)",
        f"import logging; logging.getLogger('x').warning('{leaks.PROVIDER_KEY}')",
        "import os; os.write(1, 'إنما الأعمال بالنيات '.encode() * 20)",
        "from tests.leaks import record; record(request, 'process', 'select a from b')",
    ]
    hook = "from tests.leaks import pytest_runtest_makereport"
    pytester.makeconftest(f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{hook}")
    tests = [f"def test_{number}(request):\n    {line}\n" for number, line in enumerate([*leaking, "print('fine')"])]
    pytester.makepyfile("\n".join(tests))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # they take longer to load than the run
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    capfd.readouterr()  # what the run said would be searched as the output of this test
    assert result.parseoutcomes() == {"passed": len(leaking) + 1, "errors": len(leaking)}


def test_log_events_are_found_in_the_code() -> None:
    texts = [event.value[1] for event in Event]
    assert len(set(texts)) == len(texts)
    assert all(event.value[0] in ("info", "warning", "error") for event in Event)


def test_frames_hold_no_text() -> None:
    with pytest.raises(ValueError, match=leaks.PASSWORD) as raised:
        _raising(ValueError(leaks.PASSWORD))(None, None)
    found = frames(raised.value)
    assert [frame.rpartition(":")[0].rpartition(".")[2] for frame in found] == ["test_handler"] * 2
    assert all(frame.rpartition(":")[2].isdecimal() for frame in found)


def test_log_line_says_where_it_was_written(log_lines: Lines) -> None:
    log(Event.CONNECTED, "database", user="x")
    [line] = log_lines()
    assert line["location"].startswith("test_log_line_says_where_it_was_written:")
    assert line["level"] == "INFO"
    assert line["timestamp"].endswith(("Z", "+00:00"))


def test_a_line_that_has_no_utf8_is_written_all_the_same(log_lines: Lines) -> None:
    log(Event.CONNECTED, "database", user="x\ud800")
    [line] = log_lines()
    assert line["database"] == {"user": "x\ud800"}


def test_replies_are_utf8() -> None:
    assert reply(200, {"x": "ﷺ"})["body"] == '{"x":"ﷺ"}'


def test_search_arguments_are_frozen() -> None:
    arguments = SearchArguments(query="bukhari 1")
    with pytest.raises(ValueError, match="frozen"):
        arguments.limit = 4  # type: ignore[misc]
