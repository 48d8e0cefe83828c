"""The local API: the routes of `template.yaml`, answered by the real handlers over HTTP."""

import importlib
import json
import logging
import time
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from isnad_authorizer.scopes import ALL
from isnad_local.events import Environ, authorizer_event_of, event_of
from isnad_local.template import Route, load_routes

FUNCTION_TIMEOUT_MS = 10_000  # docs/contract.md, "Time-outs"

ANYBODY = {"issuer": "local", "subject": "local", "scope": " ".join(ALL)}
"""Who calls without a token, where that is allowed."""

StartResponse = Callable[[str, list[tuple[str, str]]], object]


@dataclass(frozen=True)
class Context:
    """What a handler may ask of its Lambda context."""

    function_name: str
    aws_request_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    function_version: str = "$LATEST"
    memory_limit_in_mb: int = 512
    started: float = field(default_factory=time.monotonic)

    @property
    def invoked_function_arn(self) -> str:
        """An ARN in the form of the real one."""
        return f"arn:aws:lambda:local:000000000000:function:{self.function_name}"

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until the function would be ended."""
        return max(0, FUNCTION_TIMEOUT_MS - int((time.monotonic() - self.started) * 1000))


class LocalApi:
    """A WSGI application in the place of API Gateway.

    Args:
        routes: the routes to serve; their functions are imported at once, so that a broken one shows at the start.
        needs_token: refuse a call without a token, as API Gateway does; else it is let in with every scope. A token
            that is given is always held against its issuer.
    """

    def __init__(self, routes: list[Route] | None = None, *, needs_token: bool = False) -> None:
        self._routes = load_routes() if routes is None else routes
        self._needs_token = needs_token
        self._authorize = _handler("authorize")
        self._handlers = {name: _handler(name) for name in {route.function for route in self._routes}}

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request."""
        path, method = environ["PATH_INFO"], environ["REQUEST_METHOD"]
        for route in self._routes:
            variables = route.match(method, path)
            if variables is not None:
                return self._answer(environ, route, variables, start_response)
        return _refuse(start_response, HTTPStatus.NOT_FOUND)

    def _answer(
        self, environ: Environ, route: Route, variables: dict[str, str], start_response: StartResponse
    ) -> Iterable[bytes]:
        caller = None
        if route.protected:
            has_token = "HTTP_AUTHORIZATION" in environ
            if not has_token and self._needs_token:
                return _refuse(start_response, HTTPStatus.UNAUTHORIZED)
            caller = self._caller(environ, route) if has_token else ANYBODY
            if caller is None:
                return _refuse(start_response, HTTPStatus.FORBIDDEN)
        return self._invoke(route, event_of(environ, route, variables, caller), start_response)

    def _caller(self, environ: Environ, route: Route) -> dict[str, Any] | None:
        """What the authorizer says of the caller; None where it refuses."""
        answer = self._authorize(authorizer_event_of(environ, route), Context("authorize"))
        return answer["context"] if answer["isAuthorized"] else None

    def _invoke(self, route: Route, event: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        try:
            answer = self._handlers[route.function](event, Context(route.function))
            return _send(start_response, answer["statusCode"], answer["headers"], answer["body"].encode())
        except Exception:
            logging.getLogger(__name__).exception("handler raised: API Gateway would answer 500")
            return _refuse(start_response, HTTPStatus.INTERNAL_SERVER_ERROR)


def _handler(function: str) -> Callable[[dict[str, Any], Context], dict[str, Any]]:
    handler: Callable[[dict[str, Any], Context], dict[str, Any]]
    handler = importlib.import_module(f"functions.{function}.app").handler
    return handler


def _refuse(start_response: StartResponse, status: HTTPStatus) -> Iterable[bytes]:
    """What API Gateway says by itself, in its form."""
    body = json.dumps({"message": status.phrase}, separators=(",", ":")).encode()  # to the letter what API Gateway says
    return _send(start_response, status, {"content-type": "application/json"}, body)


def _send(start_response: StartResponse, status: int, headers: dict[str, str], body: bytes) -> Iterable[bytes]:
    start_response(f"{status} {HTTPStatus(status).phrase}", [*headers.items(), ("content-length", str(len(body)))])
    return [body]
