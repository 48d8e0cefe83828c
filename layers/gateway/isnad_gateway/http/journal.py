"""The technical journal: one structured line a tool call, with a fixed set of fields."""

import hashlib
from datetime import UTC, datetime
from typing import Any

from isnad_gateway.core.errors import GatewayError
from isnad_gateway.core.logs import Event, log
from isnad_gateway.domain.tool import Tool
from isnad_gateway.http.call import Call
from isnad_gateway.http.reply import error_body

_MAX_LOGGED = 200  # characters of a string argument; docs/contract.md, "Journals"


def _shortened(value: Any) -> Any:
    """An argument as the journal keeps it: a long string as its beginning, its length and its hash."""
    if isinstance(value, dict):
        return {key: _shortened(item) for key, item in value.items()}
    if isinstance(value, str) and len(value) > _MAX_LOGGED:
        digest = hashlib.sha256(value.encode()).hexdigest()
        return {"beginning": value[:_MAX_LOGGED], "length": len(value), "sha256": digest}
    return value


def write_call(
    tool: Tool[Any, Any], call: Call, result: dict[str, Any] | None, error: GatewayError | None, milliseconds: float
) -> None:
    """Write the line of one call.

    Args:
        tool: the tool that was called.
        call: the call as far as it was valid; a refused call's arguments are not kept.
        result: what was answered, or None.
        error: the error that was answered, or None.
        milliseconds: how long the call took, from event to reply.
    """
    count = None
    if result is not None:
        count = len(result[tool.items]) if tool.items is not None else 1
    log(
        Event.TOOL_CALL,
        "call",
        **call.echo,
        tool_name=tool.name,
        tool_arguments=_shortened(call.arguments.model_dump(mode="json")) if call.arguments is not None else None,
        execution_time_ms=round(milliseconds, 3),
        result_count=count,
        truncated=None if result is None else result.get("truncated", False),
        error=None if error is None else error_body(error),
        provider=call.provider.name if call.provider is not None else None,
        model=call.provider.model if call.provider is not None else None,
        timestamp=datetime.now(UTC).isoformat(timespec="milliseconds"),
    )
