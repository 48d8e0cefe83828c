"""The base of every JSON object that comes in, and the mark of every one that goes out: strict and closed both."""

from typing import Final

from pydantic import BaseModel, ConfigDict, with_config

_STRICT: Final = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


class Model(BaseModel):
    """A JSON object with exactly the fields declared: no other is accepted, no type is converted, NaN is refused."""

    model_config = ConfigDict(**_STRICT, frozen=True, defer_build=True)


closed = with_config(_STRICT)
"""Marks a `TypedDict` as such an object. Results are made of them: an answer has dozens of parts, a dictionary is made in a
third of a model's time, and what was checked is what is sent."""
