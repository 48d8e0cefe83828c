"""The two journals: one structured line a tool call, one a turn, each with a fixed set of fields."""

import hashlib
from typing import Any, Final, NamedTuple

from isnad_gateway.core.errors import GatewayError
from isnad_gateway.core.logs import Event, log, timestamp
from isnad_gateway.domain.model import Model
from isnad_gateway.domain.tool import Tool
from isnad_gateway.http.call import Call
from isnad_gateway.http.reply import error_body

_MAX_LOGGED: Final = 200  # characters of a string; docs/contract.md, "Journals"
_MAX_SOURCES: Final = 50  # sources in a line of the audit journal; the record holds them all
_SOURCE_FIELDS: Final = ("object_type", "object_id", "source_title", "source_key", "locator")


class Outcome(NamedTuple):
    """A call that is over.

    Attributes:
        tool: the tool that was called.
        call: the call as far as it was valid.
        result: what is answered, or None.
        error: the error that is answered, or None.
        milliseconds: from event to answer.
    """

    tool: Tool[Any, Any]
    call: Call
    result: dict[str, Any] | None
    error: GatewayError | None
    milliseconds: float

    @property
    def result_count(self) -> int | None:
        """How many results there are; None where there is no answer."""
        if self.result is None:
            return None
        return len(self.result[self.tool.items]) if self.tool.items is not None else 1

    @property
    def truncated(self) -> bool | None:
        """Whether more exist; None where there is no answer."""
        return None if self.result is None else self.result.get("truncated", False)

    @property
    def arguments(self) -> dict[str, Any] | None:
        """The arguments as they are kept; those of a refused call are not."""
        kept: dict[str, Any] | None = shortened(self.call.arguments)
        return kept


def shortened(value: Any) -> Any:
    """A value as the journals keep it: a model as its fields, a long string as its beginning, its length and its hash."""
    if isinstance(value, Model):
        return {name: shortened(item) for name, item in value}
    if isinstance(value, str) and len(value) > _MAX_LOGGED:
        digest = hashlib.sha256(value.encode()).hexdigest()
        return {"beginning": value[:_MAX_LOGGED], "length": len(value), "sha256": digest}
    return value


def write_call(outcome: Outcome, milliseconds: float) -> None:
    """Write the line of one call.

    Args:
        outcome: the call.
        milliseconds: how long it took, from event to reply.
    """
    provider = outcome.call.provider
    log(
        Event.TOOL_CALL,
        "call",
        **outcome.call.echo,
        tool_name=outcome.tool.name,
        tool_arguments=outcome.arguments,
        execution_time_ms=round(milliseconds, 3),
        result_count=outcome.result_count,
        truncated=outcome.truncated,
        error=None if outcome.error is None else error_body(outcome.error),
        provider=provider.name if provider is not None else None,
        model=provider.model if provider is not None else None,
        timestamp=timestamp(),
    )


def write_turn(record: dict[str, Any]) -> None:
    """Write the line of one turn.

    Args:
        record: the turn's record, without its transcript where those are left out.
    """
    log(
        Event.TURN,
        "turn",
        conversation_id=record["conversation_id"],
        turn_id=record["turn_id"],
        user_transcript=shortened(record["user_transcript"]),
        tools=[call["tool_name"] for call in record["tool_calls"]],
        sources=[
            {name: shortened(source.get(name)) for name in _SOURCE_FIELDS}
            for source in record["sources"][:_MAX_SOURCES]
        ],
        evidence_status=record["evidence_status"],
        coherence_check=record["coherence_check"],
        timestamp=timestamp(),
    )
