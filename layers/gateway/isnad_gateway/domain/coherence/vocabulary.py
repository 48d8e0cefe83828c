"""The words by which a spoken answer is read: data with sources, in `vocabulary/`, one file a subject.

docs/coherence.md says how to add to it.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from isnad_gateway.domain.coherence.phrases import Phrases

FOLDER: Final = Path(__file__).parent / "vocabulary"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A judgement on a hadith or a narrator: how it is spoken, and by which words a result carries it."""

    id: str
    of: str
    said: Phrases
    carried_ar: tuple[str, ...]
    carried_latin: frozenset[str]


@cache
def read(name: str) -> dict[str, Any]:
    """A file of the vocabulary."""
    content: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return content


@cache
def phrases(section: str) -> Phrases:
    """The phrases of a section of `phrases.json`."""
    return Phrases(read("phrases")[section]["say"])


@cache
def counted() -> dict[str, Phrases]:
    """What a number may count, by what lists of a result hold it."""
    section = read("phrases")["counted"]
    return {name: Phrases(words) for name, words in section.items() if isinstance(words, list)}


@cache
def person_cues() -> dict[str, Phrases]:
    """Words after which a person is named, by script."""
    section = read("phrases")["person_cues"]
    return {script: Phrases(section[script]) for script in ("latin", "arabic")}


@cache
def capitals() -> frozenset[str]:
    """Words that are written with a capital and are no names."""
    return frozenset(read("phrases")["capitals"]["say"])


@cache
def months() -> Phrases:
    """Names of months that no other word is spelt like."""
    section = read("phrases")["months"]
    return Phrases([*section["hijri"], *section["gregorian"]])


@cache
def verdicts() -> tuple[Verdict, ...]:
    """The judgements that are known."""
    return tuple(
        Verdict(
            entry["id"],
            entry["of"],
            Phrases(entry["say"]),
            tuple(entry["carried_ar"]),
            frozenset(entry.get("carried_latin", ())),
        )
        for entry in read("verdicts")["verdicts"]
    )


@cache
def any_verdict() -> Phrases:
    """The words of all judgements: most answers hold none."""
    return Phrases([phrase for entry in read("verdicts")["verdicts"] for phrase in entry["say"]])


@cache
def titles() -> Phrases:
    """Names of works that hold a word of judgement."""
    return Phrases(read("verdicts")["titles"]["say"])


@cache
def not_verdicts() -> Phrases:
    """Phrases that hold a word of judgement and judge nothing."""
    return Phrases(read("verdicts")["not_verdicts"]["say"])
