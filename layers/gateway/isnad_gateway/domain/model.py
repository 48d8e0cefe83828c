"""The base of every model: strict, closed and frozen."""

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """A JSON object with exactly the fields declared: no other is accepted, no type is converted, NaN is refused."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False, defer_build=True)
