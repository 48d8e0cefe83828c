"""The instructions that a voice model is given: read from `instructions.toml`, sent as they stand there."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from isnad_gateway.domain.credential import Language

FILE: Final = Path(__file__).with_name("instructions.toml")


@dataclass(frozen=True, slots=True)
class Instructions:
    """One language's.

    Attributes:
        rules: what the model that answers keeps to.
        delegation: what a voice model is told beside them that has another model answer.
    """

    rules: str
    delegation: str


@cache
def instructions(language: Language) -> Instructions:
    """The instructions in a language."""
    texts = tomllib.loads(FILE.read_text(encoding="utf-8"))[language]
    return Instructions(rules=texts["rules"].strip(), delegation=texts["delegation"].strip())
