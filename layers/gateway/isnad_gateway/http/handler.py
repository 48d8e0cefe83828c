"""The handler that every tool shares. The way of a call stands in `_answer`, top to bottom."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeAlias

from pydantic import ValidationError

from isnad_gateway.core.errors import GatewayError, InternalError
from isnad_gateway.core.logs import Event, frames, log
from isnad_gateway.data.transaction import Read, reading
from isnad_gateway.domain.rules import broken_rules
from isnad_gateway.domain.tool import ArgumentsT, ResultT, Tool
from isnad_gateway.http.call import Call, parse_call
from isnad_gateway.http.journal import write_call
from isnad_gateway.http.reply import error_body, error_reply, reply

Handler: TypeAlias = Callable[[dict[str, Any], Any], dict[str, Any]]


def tool_handler(tool: Tool[ArgumentsT, ResultT], answer: Callable[[ArgumentsT, Read], ResultT]) -> Handler:
    """Make a tool's Lambda handler.

    Args:
        tool: the tool's declaration.
        answer: reads what the arguments ask for and builds the result. It may raise any `GatewayError`; what else it
            raises becomes `INTERNAL_ERROR`.

    Returns:
        The handler: an API Gateway event (payload format 2.0) and a context in, a reply out. It never raises.
    """

    def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:  # noqa: ARG001 - Lambda gives both
        started = time.perf_counter()
        call = Call()
        result, error = None, None
        try:
            call = parse_call(tool, event)
            result = _answer(tool, call, answer)
        except Exception as failure:  # noqa: BLE001 - nothing may escape to the platform, which would print it
            error = _as_known(failure)
        write_call(tool, call, result, error, (time.perf_counter() - started) * 1000)
        body = {"tool_name": tool.name, **call.echo, "result": result, "error": error_body(error) if error else None}
        return reply(error.status if error else 200, body, error.headers if error else None)

    return handler


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
        except Exception as failure:  # noqa: BLE001 - as above
            return error_reply(_as_known(failure))

    return handler


def _as_known(failure: Exception) -> GatewayError:
    """An error of the closed set; for one that is not in it, its kind and place are logged, and never its text."""
    if isinstance(failure, GatewayError):
        return failure
    log(Event.UNEXPECTED, "failure", error=type(failure).__name__, frames=frames(failure))
    return InternalError()


def _answer(
    tool: Tool[ArgumentsT, ResultT], call: Call, answer: Callable[[ArgumentsT, Read], ResultT]
) -> dict[str, Any]:
    """Read, build and check one result."""
    if call.error is not None:
        raise call.error
    arguments = call.arguments
    assert isinstance(arguments, tool.arguments)
    try:
        with reading() as read:
            result = answer(arguments, read).model_dump(mode="json")
    except ValidationError as invalid:
        faults = [
            f"{'.'.join(map(str, fault['loc']))}: {fault['type']}" for fault in invalid.errors(include_input=False)
        ]
        log(Event.RESULT_BREAKS_MODEL, "failure", tool_name=tool.name, faults=faults[:20])
        raise InternalError from None
    broken = broken_rules(tool, arguments, result)
    if broken:
        log(Event.RESULT_BREAKS_RULE, "failure", tool_name=tool.name, rules=broken[:20])
        raise InternalError
    return result
