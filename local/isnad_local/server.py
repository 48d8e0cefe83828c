"""The local API: the routes of `template.yaml`, answered by the real handlers over HTTP."""

import importlib
import logging
import time
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from isnad_local.events import Environ, event_of
from isnad_local.template import Route, load_routes

FUNCTION_TIMEOUT_MS = 10_000  # docs/contract.md, "Time-outs"

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
    """

    def __init__(self, routes: list[Route] | None = None) -> None:
        self._routes = load_routes() if routes is None else routes
        self._handlers: dict[str, Callable[[dict[str, Any], Context], dict[str, Any]]] = {
            name: importlib.import_module(f"functions.{name}.app").handler
            for name in {route.function for route in self._routes}
        }

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request."""
        path, method = environ["PATH_INFO"], environ["REQUEST_METHOD"]
        for route in self._routes:
            variables = route.match(method, path)
            if variables is not None:
                return self._invoke(route, event_of(environ, route, variables, None), start_response)
        return _send(start_response, 404, {"content-type": "application/json"}, b'{"message":"Not Found"}')

    def _invoke(self, route: Route, event: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        try:
            answer = self._handlers[route.function](event, Context(route.function))
            return _send(start_response, answer["statusCode"], answer["headers"], answer["body"].encode())
        except Exception:
            logging.getLogger(__name__).exception("handler raised: API Gateway would answer 500")
            body = b'{"message":"Internal Server Error"}'
            return _send(start_response, 500, {"content-type": "application/json"}, body)


def _send(start_response: StartResponse, status: int, headers: dict[str, str], body: bytes) -> Iterable[bytes]:
    start_response(f"{status} {HTTPStatus(status).phrase}", [*headers.items(), ("content-length", str(len(body)))])
    return [body]
