"""How a tool is declared: once, and everything else is made from the declaration."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, Literal, TypeVar

from pydantic import Field, TypeAdapter, ValidationError, create_model

from isnad_gateway.domain.model import Model

ArgumentsT = TypeVar("ArgumentsT", bound=Model)
ResultT = TypeVar("ResultT", bound=Mapping[str, Any])


class Provider(Model):
    """Which voice or chat model made the call; for the journal alone."""

    name: str = Field(min_length=1, max_length=128)
    model: str | None = Field(default=None, max_length=128)


class Envelope(Model):
    """What every call carries beside its arguments."""

    conversation_id: str = Field(min_length=1, max_length=128)
    session_id: str = Field(min_length=1, max_length=128)
    turn_id: int = Field(ge=1, le=2**31 - 1)
    call_id: str | None = Field(default=None, max_length=128)
    provider: Provider | None = None


@dataclass(frozen=True)
class Tool(Generic[ArgumentsT, ResultT]):
    """A tool's declaration.

    Args:
        name: its name in the contract, also the name of its function's folder and the end of its route.
        notice: what it gives and when to call it, in the words that a model reads when it decides. It shows no example
            value, for models repeat them.
        arguments: the closed model of its arguments.
        result: the closed `TypedDict` of its result.
        items: the field of the result that holds the list which `limit` bounds; None where there is no such list.
        limit: the argument that bounds it.
        claim: what the result as a whole is: `own` where it states something itself, `items` where only its parts do,
            `candidates` where its parts are candidates and no more than `inference` (rule E3).

    Example:
        A new tool is a module beside the others with its `Arguments`, its `Result` and
        `TOOL = Tool("get_hadith", "Returns …", Arguments, Result)`, its name in `domain.registry`, a folder
        `functions/<name>/` with `app.py` and its queries, an event in `events/` and its function in `template.yaml`.
        Validation, JSON Schema, the list of tools and the documentation's table follow from the declaration.
    """

    name: str
    notice: str
    arguments: type[ArgumentsT]
    result: type[ResultT]
    items: str | None = None
    limit: str | None = "limit"
    claim: Literal["own", "items", "candidates"] = "items"

    @cached_property
    def call(self) -> type[Any]:
        """The closed model of the whole body of a call."""
        fields: dict[str, Any] = {"arguments": (self.arguments, ...)}
        return create_model("Call", __base__=Envelope, **fields)

    @cached_property
    def checked(self) -> Callable[[ResultT], dict[str, Any]]:
        """Holds a result against its declaration and returns it; raises `pydantic.ValidationError` where they differ."""
        validate: Callable[..., dict[str, Any]] = TypeAdapter(self.result).validate_python

        def checked(result: ResultT) -> dict[str, Any]:
            with suppress(ValidationError):
                # To look for each field that is one too many takes two fifths of the whole; what was left out shows as well.
                known = validate(result, extra="ignore")
                if known == result:
                    return known
            return validate(result)  # which names each fault

        return checked
