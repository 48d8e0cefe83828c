"""The local API over real HTTP: the same routes, events and replies as API Gateway."""

import base64
import http.client
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.conftest import load_event

from isnad_gateway.http.event import MAX_BODY_BYTES
from isnad_local.events import event_of
from isnad_local.server import LocalApi
from isnad_local.serving import serving
from isnad_local.template import Route

pytestmark = pytest.mark.usefixtures("gateway")
SEARCH = "/v1/tools/search_hadith"
TOOLS = "GET /v1/tools lists the tools."


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving(LocalApi(), threads=16) as served:
        yield served


def _request(
    port: int, method: str, path: str, body: bytes | str | None = None, kind: str | None = "application/json"
) -> tuple[int, dict[str, str], Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        data = body.encode() if isinstance(body, str) else body
        connection.request(method, path, data, {"content-type": kind} if kind else {})
        answer = connection.getresponse()
        text = answer.read()
        headers = {key.lower(): value for key, value in answer.getheaders()}
        assert int(headers["content-length"]) == len(text) or method == "HEAD"
        return answer.status, headers, json.loads(text) if text else None
    finally:
        connection.close()


def _body(**arguments: Any) -> str:
    body = {"arguments": arguments, "conversation_id": "c1", "session_id": "s1", "turn_id": 1}
    return json.dumps(body, ensure_ascii=False)


def test_a_call(port: int) -> None:
    status, headers, answer = _request(port, "POST", SEARCH, _body(query="صحيح البخاري ١"))
    assert status == 200
    assert headers["content-type"] == "application/json; charset=utf-8"
    assert headers["cache-control"] == "no-store"
    assert answer["result"]["results"][0]["canonical_reference"] == "bukhari:1"


STATUSES: list[tuple[str, str, str | None, int, str]] = [
    ("POST", SEARCH, "{", 400, "INVALID_ARGUMENT"),
    ("POST", SEARCH, None, 400, "INVALID_ARGUMENT"),
    ("POST", SEARCH, _body(query="ab", limit=21), 422, "LIMIT_EXCEEDED"),
    ("POST", SEARCH, _body(query="ab", collection_id=999), 404, "NOT_FOUND"),
    ("POST", "/v1/tools/get_hadith", _body(hadith_id=2**53 + 1), 404, "NOT_FOUND"),
    ("POST", SEARCH, " " * (MAX_BODY_BYTES + 1), 400, "INVALID_ARGUMENT"),
    ("GET", SEARCH, None, 404, "NOT_FOUND"),
    ("PUT", SEARCH, "{}", 404, "NOT_FOUND"),
    ("POST", f"{SEARCH}/", "{}", 404, "NOT_FOUND"),
    ("POST", "/v1/tools/get_nothing", "{}", 404, "NOT_FOUND"),
    ("POST", "/v1/tools", "{}", 404, "NOT_FOUND"),
    ("GET", "/", None, 404, "NOT_FOUND"),
    ("GET", "/%D8%A7%FF", None, 404, "NOT_FOUND"),
    ("GET", "/v1/tools?mode=x", None, 400, "INVALID_ARGUMENT"),
]


@pytest.mark.parametrize(("method", "path", "body", "status", "code"), STATUSES)
def test_statuses(method: str, path: str, body: str | None, status: int, code: str, port: int) -> None:
    answered, headers, answer = _request(port, method, path, body)
    assert (answered, answer["error"]["code"]) == (status, code)
    assert headers["content-type"].startswith("application/json")


def test_lists(port: int) -> None:
    assert _request(port, "GET", "/health")[0] == 200
    status, _, answer = _request(port, "GET", "/v1/tools?mode=agent")
    assert (status, answer["mode"]) == (200, "agent")


@pytest.mark.parametrize("kind", ["application/octet-stream", "application/x-www-form-urlencoded", None, "image/png"])
def test_other_content_types_come_as_base64(kind: str | None, port: int) -> None:
    """API Gateway encodes what is neither text nor JSON; the handler decodes it (S5)."""
    status, _, answer = _request(port, "POST", SEARCH, _body(query="البخاري 1"), kind)
    assert (status, len(answer["result"]["results"])) == (200, 1)


def test_bytes_that_are_no_text(port: int) -> None:
    for kind in ("application/json", "application/octet-stream"):
        status, _, answer = _request(port, "POST", SEARCH, b"\xff\xfe{}", kind)
        assert (status, answer["error"]["message"]) == (400, "The body is not valid UTF-8.")


def test_many_at_once(port: int) -> None:
    """Several callers are served at the same time, each with its own answer."""
    together = threading.Barrier(12)

    def ask(number: int) -> None:
        together.wait(timeout=10)
        for turn in range(1, 6):
            reference = f"bukhari {number * 5 + turn}"
            status, _, answer = _request(port, "POST", SEARCH, _body(query=reference))
            assert status == 200
            assert answer["result"]["results"][0]["canonical_reference"] == reference.replace(" ", ":")

    with ThreadPoolExecutor(12) as threads:
        for done in [threads.submit(ask, number) for number in range(12)]:
            done.result(timeout=60)


def test_events_have_the_form_of_api_gateway() -> None:
    """The same keys, with values of the same types, as the events that are kept as files."""
    kept = load_event("get_hadith")
    body: bytes = kept["body"].encode()

    class Input:
        def read(self, length: int) -> bytes:
            return body[:length]

    environ = {
        "REQUEST_METHOD": "POST", "PATH_INFO": "/v1/tools/get_hadith", "QUERY_STRING": "",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "CONTENT_TYPE": "application/json", "CONTENT_LENGTH": str(len(body)), "wsgi.input": Input(),
        "REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": "localhost:3000", "HTTP_USER_AGENT": "test",
    }  # fmt: skip
    route = Route("POST", "/v1/tools/get_hadith", "POST /v1/tools/get_hadith", "get_hadith")
    event = event_of(environ, route, {}, None)
    assert _types(event) == _types({**kept, "headers": event["headers"]})
    assert event["body"] == kept["body"]
    assert event["headers"] == {
        "content-type": "application/json", "content-length": str(len(body)), "host": "localhost:3000",
        "user-agent": "test",
    }  # fmt: skip
    encoded = event_of({**environ, "CONTENT_TYPE": "application/pdf"}, route, {}, {"scope": "tools"})
    assert encoded["isBase64Encoded"] is True
    assert base64.b64decode(encoded["body"]) == body
    assert encoded["requestContext"]["authorizer"] == {"lambda": {"scope": "tools"}}
    queried = event_of({**environ, "QUERY_STRING": "a=1&a=2&b="}, route, {"id": "7"}, None)
    assert queried["queryStringParameters"] == {"a": "1,2", "b": ""}
    assert queried["pathParameters"] == {"id": "7"}


def _types(value: Any) -> Any:
    return {key: _types(item) for key, item in value.items()} if isinstance(value, dict) else type(value)


def test_a_handler_that_raises_is_the_platforms_500(caplog: pytest.LogCaptureFixture) -> None:
    """What would escape from a handler is answered in API Gateway's form, and the server goes on."""
    api = LocalApi()

    def broken(_event: Any, _context: Any) -> dict[str, Any]:
        raise RuntimeError

    api._handlers = dict.fromkeys(api._handlers, broken)
    started: list[str] = []
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/health", "SERVER_PROTOCOL": "HTTP/1.1", "wsgi.input": None}
    body = api(environ, lambda status, _headers: started.append(status))
    assert (started, list(body)) == (["500 Internal Server Error"], [b'{"message":"Internal Server Error"}'])
    assert "handler raised" in caplog.text


def test_routes_match_whole_paths() -> None:
    route = Route("GET", "/v1/turns/{conversation_id}/{turn_id}", "k", "f")
    assert route.match("GET", "/v1/turns/c.1/2") == {"conversation_id": "c.1", "turn_id": "2"}
    for method, path in (
        ("POST", "/v1/turns/c/2"),
        ("GET", "/v1/turns/c"),
        ("GET", "/v1/turns/c/2/3"),
        ("GET", "/v1/t"),
    ):
        assert route.match(method, path) is None
