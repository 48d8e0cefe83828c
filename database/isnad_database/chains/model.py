"""What the chain reader hands back: frozen values, with spans that anybody can check against the text."""

from dataclasses import dataclass
from typing import Literal

Completeness = Literal["complete", "open_start", "open_end", "not_stated"]
"""What the text says of the two ends of a chain.

`complete`: it begins with the compiler's own term (`حدثنا`) and runs to the report or to the Prophet. `open_start`:
the beginning is not in the text (`وقال الليث`, `ويذكر عن`). `open_end`: the text breaks off or points elsewhere
(`بهذا الإسناد`, `مثله`) before the report is reached. `not_stated`: neither end is stated.
"""


@dataclass(frozen=True, slots=True)
class Node:
    """One narrator as a text names him.

    `text[start:end] == mention` and, where there is a term, `text[term_start:term_end] == term`, byte for byte.
    Positions count from 1 at the compiler's teacher; two narrators at one link share a position and a term. The part of
    the mention that says who is meant (`يعني ابن زيد`) starts at `aside_start` and runs to `end`.
    """

    position: int
    mention: str
    start: int
    end: int
    term: str | None = None
    term_start: int | None = None
    term_end: int | None = None
    aside_start: int | None = None

    @property
    def name(self) -> str:
        """The mention without its aside."""
        if self.aside_start is None:
            return self.mention
        return self.mention[: self.aside_start - self.start].rstrip(" \t\r\n،,-–—ـ\u200e\u200f")


@dataclass(frozen=True, slots=True)
class Meeting:
    """Where a route runs into a later one.

    From `position` (in the chain that holds this value) on, the narrators are those of chain `chain` (index in the
    reading). `stated` when the text says so (`كلاهما عن`): then the nodes at that position are that chain's own. Else
    both routes name a narrator in the same form: each keeps its own mention of him there, and what follows is one.
    """

    chain: int
    position: int
    stated: bool


@dataclass(frozen=True, slots=True)
class Chain:
    """One route, its nodes in order from the compiler's teacher.

    `understood` holds when every word from the first node to the report was understood, and nothing suggests that the
    chain ends elsewhere; only then may it be called a fact. `doubts` are the reason codes otherwise. `meets` is set
    where the route runs into a later one, whose nodes (with the same spans) then complete it.
    """

    nodes: tuple[Node, ...]
    completeness: Completeness
    understood: bool
    doubts: tuple[str, ...] = ()
    meets: Meeting | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """A stretch `text[start:end]` that the reader did not understand, and the code of the reason."""

    reason: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reading:
    """All chains of a text, in its order; where there is none, `reason` is the code that says why.

    `report_start` is the character at which the report begins, or None where the last chain does not reach it.
    """

    chains: tuple[Chain, ...]
    reason: str | None = None
    doubts: tuple[Doubt, ...] = ()
    report_start: int | None = None
