"""What keeps unforeseen errors from the platform, and the handlers of the routes without the tools' envelope."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeAlias

from isnad_gateway.core.errors import GatewayError, InternalError
from isnad_gateway.core.logs import Event, frames, log
from isnad_gateway.http.reply import error_reply

Handler: TypeAlias = Callable[[dict[str, Any], Any], dict[str, Any]]


def guarded(respond: Callable[[dict[str, Any]], dict[str, Any]]) -> Handler:
    """Make a Lambda handler of a function that answers a route without the tools' envelope.

    Args:
        respond: an event in, a reply out. It may raise any `GatewayError`; what else it raises is `INTERNAL_ERROR`.

    Returns:
        The handler. It never raises.
    """

    @wraps(respond)
    def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:  # noqa: ARG001 - Lambda gives both
        try:
            return respond(event)
        except Exception as failure:  # noqa: BLE001 - nothing may escape to the platform, which would print it
            return error_reply(as_known(failure))

    return handler


def as_known(failure: Exception) -> GatewayError:
    """An error of the closed set; for one that is not in it, its kind and place are logged, and never its text."""
    if isinstance(failure, GatewayError):
        return failure
    log(Event.UNEXPECTED, "failure", error=type(failure).__name__, frames=frames(failure))
    return InternalError()
