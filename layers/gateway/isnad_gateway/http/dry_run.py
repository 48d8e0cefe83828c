"""`POST /v1/tools/<tool>?dry_run=true`: is the call valid, and what would it do? Nothing is read, no slot is spent."""

from typing import Any

from isnad_gateway.core.errors import BudgetSpent, GatewayError, InvalidArgument, Unavailable
from isnad_gateway.core.ledger_settings import ledger_settings
from isnad_gateway.core.logs import Event, log
from isnad_gateway.data.ledger import TurnState, turn_state
from isnad_gateway.data.table import LedgerDown
from isnad_gateway.domain import turns
from isnad_gateway.domain.tool import Tool
from isnad_gateway.http.call import Call, parse_call
from isnad_gateway.http.event import place_of
from isnad_gateway.http.guard import as_known
from isnad_gateway.http.reply import envelope, error_body


def _asked(event: dict[str, Any]) -> str | None:
    query = event.get("queryStringParameters")
    return query.get("dry_run") if isinstance(query, dict) else None


def is_dry_run(event: Any) -> bool:
    """Whether a call is not to be executed: `dry_run` is given, and not `false`."""
    return isinstance(event, dict) and _asked(event) not in (None, "false")


def dry_run(tool: Tool[Any, Any], event: dict[str, Any]) -> dict[str, Any]:
    """Say what a call would do.

    Returns:
        A reply in the tools' envelope: the error that the call itself would meet before it reads, or as `result` the
        arguments with their defaults, whether a slot would be taken, and what the turn's budget would say.
    """
    call = Call()
    result, error = None, None
    try:
        call = parse_call(tool, event)
        result = _plan(tool, call, event)
    except Exception as failure:  # noqa: BLE001 - nothing may escape to the platform, which would print it
        error = as_known(failure)
    log(Event.DRY_RUN, "dry_run", **call.echo, tool_name=tool.name, error=error and error_body(error))
    return envelope(tool.name, call.echo, result, error)


def _plan(tool: Tool[Any, Any], call: Call, event: dict[str, Any]) -> dict[str, Any]:
    if _asked(event) != "true":
        raise InvalidArgument("`dry_run` must be 'true' or 'false'.")
    if call.error is not None:
        raise call.error
    assert call.arguments is not None
    research = turns.is_research(tool.name)
    budget, refusal = _budget(call, event, research=research)
    return {
        "dry_run": True,
        "arguments": call.arguments.model_dump(mode="json"),
        "takes": "a research slot" if research else "a slot",
        "budget": budget,
        "refusal": refusal and error_body(refusal),
    }


def _budget(call: Call, event: dict[str, Any], *, research: bool) -> tuple[dict[str, int] | None, GatewayError | None]:
    """What the turn has left, and why the call would be refused; None where no ledger is set up."""
    settings = ledger_settings()
    if settings is None:
        return None, None
    try:
        state = turn_state(place_of(event, call.echo["conversation_id"], call.echo["turn_id"])) or TurnState()
    except LedgerDown as down:
        log(Event.LEDGER_UNREADABLE, "ledger", error=down.reason)
        raise Unavailable("The turn ledger cannot be reached; try again.") from None
    why = turns.why_spent(settings, state, research=research)
    return turns.left(settings, state), None if why is None else BudgetSpent(why)
