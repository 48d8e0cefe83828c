"""What is wrong with a body, in the caller's words; and the strictness that pydantic leaves out."""

import json
from typing import Any, Final, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from isnad_gateway.core.errors import InvalidArgument
from isnad_gateway.domain.model import Model

ModelT = TypeVar("ModelT", bound=Model)

_MAX_NAME_SHOWN: Final = 40
_NOT_JSON: Final = "The body is not valid JSON."


def parse_body(model: type[ModelT], body: bytes) -> ModelT:
    """Read a body that is one model.

    Args:
        model: what the body has to be.
        body: JSON in UTF-8.

    Raises:
        InvalidArgument: it is not; the message names the first fault and the field.
    """
    try:
        parsed = model.model_validate_json(body)
    except ValidationError as invalid:
        detail = invalid.errors(include_url=False, include_input=False, include_context=True)[0]
        if detail["type"] == "extra_forbidden":
            raise InvalidArgument(f"`{shown(_place(detail))}` is not a field of this request.") from None
        raise fault(detail) from None
    refuse_ambiguous(body)
    return parsed


def refuse_ambiguous(body: bytes) -> None:
    """Refuse a body whose meaning depends on who reads it, which pydantic lets pass.

    Args:
        body: what pydantic took for JSON.

    Raises:
        InvalidArgument: an object names a key twice, or a number is NaN, infinite or endless.
    """
    try:
        _STRICT_DECODER.raw_decode(body.decode().lstrip())  # that nothing follows it, pydantic has seen
    except _DuplicateKey:
        raise InvalidArgument("The body names a key twice.") from None
    except (ValueError, RecursionError):  # an integer of thousands of digits is a ValueError, too
        raise InvalidArgument(_NOT_JSON) from None


class _DuplicateKey(Exception):
    """A JSON object names a key twice: which of the two is meant, nobody can tell."""


def _refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise _DuplicateKey
    return result


def _refuse_constant(_: str) -> None:
    raise ValueError


_STRICT_DECODER: Final = json.JSONDecoder(object_pairs_hook=_refuse_duplicates, parse_constant=_refuse_constant)


def fault(detail: ErrorDetails) -> InvalidArgument:
    """The error for a fault that validation found.

    Args:
        detail: the fault, as pydantic tells it.
    """
    kind, location = detail["type"], detail["loc"]
    if kind == "json_invalid":
        return InvalidArgument(_NOT_JSON)
    if not location:
        return InvalidArgument("The body must be a JSON object.")
    name = shown(_place(detail))
    if kind == "missing":
        return InvalidArgument(f"`{name}` is missing.")
    return InvalidArgument(f"`{name}` {_FAULTS.get(kind, 'is not valid')}.".format(**detail.get("ctx", {})))


def _place(detail: ErrorDetails) -> str:
    """The field at fault; where that is an element of a list, the list."""
    return next((part for part in reversed(detail["loc"]) if isinstance(part, str)), "")


_FAULTS: Final = {
    "int_type": "must be a JSON integer",
    "int_from_float": "must be a JSON integer",
    "int_parsing_size": "must be a smaller integer",
    "string_type": "must be a string",
    "string_pattern_mismatch": "holds characters that are not allowed",
    "bool_type": "must be true or false",
    "dict_type": "must be a JSON object",
    "list_type": "must be a list",
    "model_type": "must be a JSON object",
    "literal_error": "must be {expected}",
    "string_too_short": "must not be empty",
    "string_too_long": "must have at most {max_length} characters",
    "too_long": "must have at most {max_length} items",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "value_error": "{error}",
}


def shown(name: str) -> str:
    """A field's name as an error may show it: short, and nothing but what a name is made of."""
    return "".join(letter if letter.isalnum() or letter == "_" else "?" for letter in name)[:_MAX_NAME_SHOWN]
