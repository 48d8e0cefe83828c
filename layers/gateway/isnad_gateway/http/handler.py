"""The handler that every tool shares. The way of a call stands in `tool_handler` and `_answer`, top to bottom."""

import time
from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from isnad_gateway.core.errors import InternalError
from isnad_gateway.core.logs import Event, log
from isnad_gateway.data.transaction import Read, reading
from isnad_gateway.domain.rules import broken_rules
from isnad_gateway.domain.tool import ArgumentsT, ResultT, Tool
from isnad_gateway.http.call import Call, parse_call
from isnad_gateway.http.dry_run import dry_run, is_dry_run
from isnad_gateway.http.guard import Handler, as_known, guarded
from isnad_gateway.http.journal import Outcome, write_call
from isnad_gateway.http.ledger_entry import LedgerEntry
from isnad_gateway.http.reply import envelope

__all__ = ["Handler", "guarded", "tool_handler"]


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
        if is_dry_run(event):
            return dry_run(tool, event)
        started = time.perf_counter()
        call, result, error = Call(), None, None
        entry = LedgerEntry(tool, event)
        try:
            call = parse_call(tool, event)
            entry.reserve(call)
            result = _answer(tool, call, answer)
        except Exception as failure:  # noqa: BLE001 - nothing may escape to the platform, which would print it
            error = as_known(failure)
        outcome = entry.settle(Outcome(tool, call, result, error, (time.perf_counter() - started) * 1000))
        write_call(outcome, (time.perf_counter() - started) * 1000)
        return envelope(tool.name, call.echo, outcome.result, outcome.error)

    return handler


def _answer(
    tool: Tool[ArgumentsT, ResultT], call: Call, answer: Callable[[ArgumentsT, Read], ResultT]
) -> dict[str, Any]:
    """Read, build and check one result."""
    arguments = call.arguments
    assert isinstance(arguments, tool.arguments)
    try:
        with reading() as read:
            result = tool.checked(answer(arguments, read))
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
