"""From a request's body to a validated call, or to an error that names what is wrong."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from pydantic import ValidationError
from pydantic_core import ErrorDetails, from_json

from isnad_gateway.core.errors import GatewayError, InvalidArgument, LimitExceeded
from isnad_gateway.domain.model import Model
from isnad_gateway.domain.tool import Envelope, Provider, Tool
from isnad_gateway.http.event import body_of
from isnad_gateway.http.faults import fault, refuse_ambiguous, shown

_ECHOED = ("conversation_id", "session_id", "turn_id", "call_id")
_NO_ECHO: Final = dict.fromkeys(_ECHOED)
_IDS = {"hadith_id": "search_hadith", "narrator_id": "search_narrator", "narrator_a_id": "search_narrator",
        "narrator_b_id": "search_narrator"}  # fmt: skip


class Call(NamedTuple):
    """A request as far as it is valid.

    Attributes:
        echo: the envelope's fields that the reply gives back; null where the request's own is not valid.
        provider: who made the call, where that is valid.
        arguments: the validated arguments, or None where the call is refused.
        error: why it is refused, or None.
    """

    echo: Mapping[str, Any] = _NO_ECHO
    provider: Provider | None = None
    arguments: Model | None = None
    error: GatewayError | None = None


def parse_call(tool: Tool[Any, Any], event: dict[str, Any]) -> Call:
    """Read a call from an API Gateway event.

    Args:
        tool: the tool that is called; its declaration says what is valid.
        event: the event, payload format 2.0.

    Returns:
        The call. It never raises for what a request may hold: a refused call carries its error.
    """
    try:
        body = body_of(event)
    except InvalidArgument as error:
        return Call(error=error)
    try:
        envelope = tool.call.model_validate_json(body)
        refuse_ambiguous(body)
    except InvalidArgument as error:
        return Call(error=error)
    except ValidationError as invalid:
        return _refused(tool, body, invalid.errors(include_url=False, include_input=False, include_context=True))
    assert isinstance(envelope, Envelope)
    return Call(
        echo={name: getattr(envelope, name) for name in _ECHOED},
        provider=envelope.provider,
        arguments=envelope.arguments,  # type: ignore[attr-defined]  # declared by create_model
    )


def _refused(tool: Tool[Any, Any], body: bytes, errors: list[ErrorDetails]) -> Call:
    error = _error(tool, errors[0])
    if errors[0]["type"] == "json_invalid":
        return Call(error=error)
    given = from_json(body)
    if not isinstance(given, dict):
        return Call(error=error)
    invalid = {str(detail["loc"][0]) for detail in errors if detail["loc"]}
    echo = {name: None if name in invalid else given.get(name) for name in _ECHOED}
    return Call(echo=echo, error=error)


def _error(tool: Tool[Any, Any], detail: ErrorDetails) -> GatewayError:
    """The error for the first fault that validation found."""
    kind, location = detail["type"], detail["loc"]
    if kind == "json_invalid" or not location:
        return fault(detail)
    name = shown(str(location[-1]))
    if kind == "extra_forbidden":
        owner = tool.name if location[0] == "arguments" else "the call"
        return InvalidArgument(f"`{name}` is not a field of {owner}.")
    if kind == "less_than_equal" and location[-1] == tool.limit:
        return LimitExceeded(f"`{name}` must be at most {detail['ctx']['le']}.")
    if name in _IDS:
        return InvalidArgument(f"`{name}` must be a JSON integer, an id that {_IDS[name]} returned.")
    return fault(detail)
