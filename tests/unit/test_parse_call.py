"""Bodies that are refused, each with the whole reply: S5, S6, S13 and M1 to M4 of the written cases."""

import base64
import json
from typing import Any

import pytest
from functions.get_hadith.app import handler as get_hadith
from functions.search_hadith.app import handler as search_hadith
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conftest import call_event

from isnad_gateway.core.errors import GatewayError
from isnad_gateway.domain.registry import CONTRACT, declaration
from isnad_gateway.domain.tools.search_hadith import TOOL as SEARCH
from isnad_gateway.http.call import parse_call
from isnad_gateway.http.event import MAX_BODY_BYTES
from isnad_local.server import Context

ECHO = {"conversation_id": "c1", "session_id": "s1", "turn_id": 1, "call_id": None}
NO_ECHO = dict.fromkeys(ECHO)
HEADERS = {"content-type": "application/json; charset=utf-8", "cache-control": "no-store"}
ID_OF = {"get_hadith": "hadith_id", "search_hadith": "query"}

NO_BODY = "The request has no body; a JSON object is expected."
NOT_JSON = "The body is not valid JSON."
NO_OBJECT = "The body must be a JSON object."
NO_ID = "`hadith_id` must be a JSON integer, an id that search_hadith returned."


def _body(arguments: Any, **changes: Any) -> dict[str, Any]:
    return {"arguments": arguments, "conversation_id": "c1", "session_id": "s1", "turn_id": 1, **changes}


def _raw(arguments: str) -> str:
    """A body whose arguments are this very text, which need not be JSON."""
    return f'{{"arguments": {arguments}, "conversation_id": "c1", "session_id": "s1", "turn_id": 1}}'


def _assert_refused(
    answer: dict[str, Any], tool: str, echo: dict[str, Any], message: str, code: str = "INVALID_ARGUMENT"
) -> None:
    body = {"tool_name": tool, **echo, "result": None, "error": {"code": code, "message": message}}
    status = {"INVALID_ARGUMENT": 400, "LIMIT_EXCEEDED": 422}[code]
    assert {**answer, "body": json.loads(answer["body"])} == {
        "statusCode": status,
        "headers": HEADERS,
        "body": body,
        "isBase64Encoded": False,
    }


DEEP = "[" * 30_000
BODIES: list[Any] = [
    pytest.param({"body": None}, NO_BODY, id="null"),
    pytest.param({"body": ""}, NO_BODY, id="empty"),
    pytest.param({"body": 5}, NO_BODY, id="no-text"),
    pytest.param({"body": "[1]"}, NO_OBJECT, id="list"),
    pytest.param({"body": "5"}, NO_OBJECT, id="number"),
    pytest.param({"body": "null"}, NO_OBJECT, id="json-null"),
    pytest.param({"body": '"{}"'}, NO_OBJECT, id="string"),
    pytest.param({"body": "{"}, NOT_JSON, id="cut-off"),
    pytest.param({"body": "{'a': 1}"}, NOT_JSON, id="single-quotes"),
    pytest.param({"body": " "}, NOT_JSON, id="blank"),
    pytest.param({"body": "\ufeff" + json.dumps(_body({"hadith_id": 1}))}, NOT_JSON, id="bom"),
    pytest.param({"body": DEEP}, NOT_JSON, id="deep-list"),
    pytest.param({"body": "[" * 200_000}, f"The body is larger than {MAX_BODY_BYTES} bytes.", id="200000-deep"),
    pytest.param({"body": _raw(f'{{"hadith_id": {DEEP}}}')}, NOT_JSON, id="deep-argument"),
    pytest.param({"body": "9" * 5000}, NOT_JSON, id="long-integer"),
    pytest.param({"body": '{"a": "\ud800"}'}, "The body is not valid UTF-8.", id="surrogate-in-the-event"),
    pytest.param({"body": _raw('{"hadith_id": "\\ud800"}')}, NOT_JSON, id="escaped-surrogate"),
    pytest.param({"body": '{"\\ud800": 1}'}, NOT_JSON, id="escaped-surrogate-key"),
    pytest.param({"body": "/w==", "isBase64Encoded": True}, "The body is not valid UTF-8.", id="base64-no-utf8"),
    pytest.param({"body": "{}!", "isBase64Encoded": True}, "The body is not valid base64.", id="no-base64"),
    pytest.param({"body": "ab=", "isBase64Encoded": True}, "The body is not valid base64.", id="cut-off-base64"),
    pytest.param({"body": "إنما", "isBase64Encoded": True}, "The body is not valid base64.", id="arabic-as-base64"),
    pytest.param({"body": "\ud800", "isBase64Encoded": True}, "The body is not valid base64.", id="surrogate-base64"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "message"), BODIES)
def test_unreadable_bodies(changes: dict[str, Any], message: str) -> None:
    _assert_refused(get_hadith({**call_event(""), **changes}, Context("t")), "get_hadith", NO_ECHO, message)


@pytest.mark.parametrize("event", [{}, {"headers": None}, {"headers": None, "body": None, "isBase64Encoded": None}])
def test_bare_events(event: dict[str, Any]) -> None:
    _assert_refused(get_hadith(event, None), "get_hadith", NO_ECHO, NO_BODY)


def test_body_at_its_limit() -> None:
    fits = json.dumps(_body({"hadith_id": "x"}))
    fits += " " * (MAX_BODY_BYTES - len(fits))
    _assert_refused(get_hadith(call_event(fits), None), "get_hadith", ECHO, NO_ID)
    too_large = f"The body is larger than {MAX_BODY_BYTES} bytes."
    _assert_refused(get_hadith(call_event(fits + " "), None), "get_hadith", NO_ECHO, too_large)


def test_limits_count_bytes_not_characters() -> None:
    body = json.dumps(_body({"query": "ا" * (MAX_BODY_BYTES // 2)}), ensure_ascii=False)
    assert len(body) < MAX_BODY_BYTES
    too_large = f"The body is larger than {MAX_BODY_BYTES} bytes."
    _assert_refused(search_hadith(call_event(body), None), "search_hadith", NO_ECHO, too_large)


ENVELOPES: list[Any] = [
    pytest.param({"turn_id": True}, "`turn_id` must be a JSON integer.", "turn_id", id="true-as-integer"),
    pytest.param({"turn_id": "1"}, "`turn_id` must be a JSON integer.", "turn_id", id="string-as-integer"),
    pytest.param({"turn_id": 1.0}, "`turn_id` must be a JSON integer.", "turn_id", id="float-as-integer"),
    pytest.param({"turn_id": None}, "`turn_id` must be a JSON integer.", "turn_id", id="null-as-integer"),
    pytest.param({"turn_id": 0}, "`turn_id` must be at least 1.", "turn_id", id="turn-0"),
    pytest.param({"turn_id": 2**31}, "`turn_id` must be at most 2147483647.", "turn_id", id="turn-too-large"),
    pytest.param({"turn_id": float("nan")}, "`turn_id` must be a JSON integer.", "turn_id", id="nan"),
    pytest.param({"conversation_id": ""}, "`conversation_id` must not be empty.", "conversation_id", id="empty-id"),
    pytest.param(
        {"conversation_id": "x" * 129},
        "`conversation_id` must have at most 128 characters.", "conversation_id", id="long-id",
    ),
    pytest.param({"session_id": 5}, "`session_id` must be a string.", "session_id", id="number-as-string"),
    pytest.param({"call_id": 7}, "`call_id` must be a string.", "call_id", id="number-as-call-id"),
    pytest.param({"provider": "x"}, "`provider` must be a JSON object.", None, id="provider-string"),
    pytest.param({"provider": {}}, "`name` is missing.", None, id="provider-without-name"),
    pytest.param({"extra": 1}, "`extra` is not a field of the call.", None, id="extra"),
    pytest.param({"Turn_id": 1}, "`Turn_id` is not a field of the call.", None, id="wrong-case"),
    pytest.param({"a{0}`; drop": 1}, "`a?0????drop` is not a field of the call.", None, id="hostile-name"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "message", "invalid"), ENVELOPES)
def test_envelope_faults(changes: dict[str, Any], message: str, invalid: str | None) -> None:
    """What is valid of the envelope is given back, what is not is null."""
    answer = get_hadith(call_event(_body({"hadith_id": 1}, **changes)), None)
    _assert_refused(answer, "get_hadith", {**ECHO, **({invalid: None} if invalid else {})}, message)


@pytest.mark.parametrize("name", ["arguments", "conversation_id", "session_id", "turn_id"])
def test_missing_fields(name: str) -> None:
    body = _body({"hadith_id": 1})
    del body[name]
    echo = {key: None if key == name else value for key, value in ECHO.items()}
    _assert_refused(get_hadith(call_event(body), None), "get_hadith", echo, f"`{name}` is missing.")


ARGUMENTS: list[Any] = [
    # M2, S13: what is no JSON integer is no id
    *(
        pytest.param("get_hadith", f'{{"hadith_id": {value}}}', NO_ID, id=f"hadith_id-{value[:30]}")
        for value in ('"1"', "true", "1.0", "null", "1e99", "1e0", "NaN", "Infinity", "[]", "{}", "0", "-1", '"fake:1"',
                      '"Sufyan"', str(2**63), "9" * 4000, "-9223372036854775809")
    ),
    pytest.param("get_hadith", "{}", NO_ID, id="hadith_id-missing"),
    # M3: nothing else, and nothing inside a string
    pytest.param(
        "get_hadith", '{"hadith_id": 1, "verbose": true}', "`verbose` is not a field of get_hadith.", id="extra"
    ),
    pytest.param(
        "get_hadith", '{"Hadith_id": 1, "hadith_id": 1}', "`Hadith_id` is not a field of get_hadith.", id="case"
    ),
    pytest.param("get_hadith", '"{\\"hadith_id\\": 1}"', "`arguments` must be a JSON object.", id="json-in-string"),
    pytest.param("get_hadith", "null", "`arguments` must be a JSON object.", id="arguments-null"),
    pytest.param("get_hadith", "[1]", "`arguments` must be a JSON object.", id="arguments-list"),
    # M1, M2: limits
    *(
        pytest.param("search_hadith", f'{{"query": "bukhari 1", "limit": {value}}}', message, id=f"limit-{value}")
        for value, message in (
            ("0", "`limit` must be at least 1."),
            ("-1", "`limit` must be at least 1."),
            ('"5"', "`limit` must be a JSON integer."),
            ("true", "`limit` must be a JSON integer."),
            ("5.0", "`limit` must be a JSON integer."),
            ("1e1", "`limit` must be a JSON integer."),
        )
    ),
    *(
        pytest.param(
            "search_hadith", f'{{"query": "bukhari 1", "collection_id": {value}}}', f"`collection_id` {message}.",
            id=f"collection-{value}",
        )
        for value, message in (
            ('"1"', "must be a JSON integer"), ("true", "must be a JSON integer"), ("1.0", "must be a JSON integer"),
            ("0", "must be at least 1"), (str(2**63), f"must be at most {2**63 - 1}"),
        )
    ),
    # queries
    pytest.param("search_hadith", "{}", "`query` is missing.", id="query-missing"),
    pytest.param("search_hadith", '{"query": null}', "`query` must be a string.", id="query-null"),
    pytest.param("search_hadith", '{"query": ["a"]}', "`query` must be a string.", id="query-list"),
    pytest.param("search_hadith", '{"query": ""}', "`query` must not be empty.", id="query-empty"),
    *(
        pytest.param(
            "search_hadith", json.dumps({"query": query}), "`query` must hold at least 2 letters or digits.", id=name
        )
        for name, query in (
            ("blanks", "  \n"), ("marks", "\u064e\u064f\u0650"), ("one-letter", "ا"), ("signs", "%\\;--")
        )
    ),
    pytest.param(
        "search_hadith", '{"query": "ab\\u0000cd"}', "`query` must not hold a NUL character.", id="nul"
    ),
    pytest.param(
        "search_hadith", json.dumps({"query": "a" * 16_385}), "`query` must have at most 16384 characters.", id="long"
    ),
    pytest.param(
        "search_hadith", '{"query": "bukhari 1", "query_language": "en"}',
        "`query_language` must be 'ar', 'fr' or 'auto'.", id="language",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "arguments", "message"), ARGUMENTS)
def test_argument_faults(tool: str, arguments: str, message: str) -> None:
    handler = {"get_hadith": get_hadith, "search_hadith": search_hadith}[tool]
    _assert_refused(handler(call_event(_raw(arguments)), None), tool, ECHO, message)


@pytest.mark.parametrize("limit", [21, 500, 2**40])
def test_limit_over_its_maximum(limit: int) -> None:
    answer = search_hadith(call_event(_body({"query": "bukhari 1", "limit": limit})), None)
    _assert_refused(answer, "search_hadith", ECHO, "`limit` must be at most 20.", code="LIMIT_EXCEEDED")


@pytest.mark.parametrize(
    "body",
    [
        _raw('{"hadith_id": 1, "hadith_id": 2}'),
        _raw('{"hadith_id": 1, "hadith\\u005fid": 2}'),
        _raw('{"hadith_id": 1}')[:-1] + ', "turn_id": 1}',
    ],
)
def test_duplicate_keys(body: str) -> None:
    """Which of the two is meant nobody can tell, so that neither is given back."""
    answer = get_hadith(call_event(body), None)
    _assert_refused(answer, "get_hadith", NO_ECHO, "The body names a key twice.")


@pytest.mark.parametrize("tool", CONTRACT)
def test_ids_say_which_tool_finds_them(tool: str) -> None:
    """M4: every id argument of every tool says what an id is."""
    declared = declaration(tool)
    ids = [name for name in declared.arguments.model_fields if name.endswith("_id") and name != "collection_id"]
    for name in ids:
        others = dict.fromkeys(ids, 1)
        error = parse_call(declared, call_event(_body({**others, name: "Sufyan, سفيان"}))).error
        finder = "search_hadith" if name == "hadith_id" else "search_narrator"
        assert isinstance(error, GatewayError)
        assert (error.code, error.message) == (
            "INVALID_ARGUMENT",
            f"`{name}` must be a JSON integer, an id that {finder} returned.",
        )


@pytest.mark.parametrize("encoded", [False, True])
def test_valid_body(*, encoded: bool) -> None:
    """S5: base64 with valid text is decoded; what may be null may be left out or null."""
    arguments = {"query": "إنما الأعمال", "query_language": None, "collection_id": None, "limit": None}
    text = json.dumps(_body(arguments, call_id="x\u200f", provider={"name": "p", "model": None}), ensure_ascii=False)
    body = base64.b64encode(text.encode()).decode() if encoded else text
    call = parse_call(SEARCH, call_event(body, isBase64Encoded=encoded))
    assert call.error is None
    assert call.echo == {**ECHO, "call_id": "x\u200f"}
    assert call.provider is not None
    assert call.provider.model_dump() == {"name": "p", "model": None}
    assert call.arguments is not None
    assert call.arguments.model_dump() == {
        "query": "إنما الأعمال", "query_language": "auto", "collection_id": None, "limit": 5,
    }  # fmt: skip


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=2**60, max_value=2**70)
    | st.floats()
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
ENVELOPE = st.fixed_dictionaries(
    {},
    optional={
        "arguments": JSON | st.fixed_dictionaries({}, optional={"query": JSON, "limit": JSON, "collection_id": JSON}),
        "conversation_id": JSON | st.just("c1"),
        "session_id": JSON | st.just("s1"),
        "turn_id": JSON | st.just(1),
        "call_id": JSON,
        "provider": JSON | st.fixed_dictionaries({"name": JSON, "model": JSON}),
    },
)
bounded = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@bounded
@given(body=JSON | ENVELOPE, ascii_only=st.booleans())
def test_never_raises_for_json(*, body: Any, ascii_only: bool) -> None:
    call = parse_call(SEARCH, call_event(json.dumps(body, ensure_ascii=ascii_only)))
    assert (call.arguments is None) == (call.error is not None)
    json.dumps(call.echo, ensure_ascii=False).encode()  # what is given back can be sent


@bounded
@given(body=st.binary(max_size=200), cut=st.integers(0, 200), encoded=st.booleans())
def test_never_raises_for_bytes(*, body: bytes, cut: int, encoded: bool) -> None:
    valid = json.dumps(_body({"query": "bukhari 1"})).encode()
    data = valid[:cut] + body + valid[cut:]
    text = base64.b64encode(data).decode() if encoded else data.decode("utf-8", "surrogateescape")
    call = parse_call(SEARCH, call_event(text, isBase64Encoded=encoded))
    assert (call.arguments is None) == (call.error is not None)
