"""Weighs all readings of a chain at once: the share of the weight in which each bearer stands at each node.

A reading gives each node a loaded bearer of its form, or nobody loaded. Its weight is the product of what is set
below. The sum over all readings is made forwards and backwards, so the cost grows with the length of the chain and
not with the number of readings.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

Says = Literal["recorded", "unlisted", "open", "contradicted"]
Weigh = Callable[["Step", int, int], Says]

# Weights, relative to 1 for a loaded bearer next to another with whom a transmission is recorded. Their order is
# what matters: results on the labelled chains stay the same within a factor of two of each (see benchmarks/links.py).
_PAIR: Final[dict[Says, float]] = {"recorded": 1.0, "unlisted": 1.0, "open": 0.1, "contradicted": 0.002}
_ONE_NOT_LOADED: Final = 0.1
_NEITHER_LOADED: Final = 0.1
# A form under which a narrator is not recorded but which his name implies.
_IMPLIED: Final = 0.1
# How readily a form of so many words belongs to somebody who is not loaded: the longer, the less.
_NOT_LOADED: Final = (0.3, 0.3, 0.15, 0.05, 0.02)


@dataclass(frozen=True, slots=True)
class Step:
    """One node: its name key, and what it may be read as (None: somebody not loaded) with which weight by itself."""

    key: str
    readings: tuple[int | None, ...]
    weights: tuple[float, ...]
    is_kin: bool

    @classmethod
    def of(cls, key: str, stated: Sequence[int], implied: Sequence[int], *, is_kin: bool) -> "Step":
        """A node that may be read as whoever is recorded under the form, whose name implies it, or is not loaded."""
        words = min(len(key.split()), len(_NOT_LOADED) - 1)
        weights = (_NOT_LOADED[words], *(1.0 for _ in stated), *(_IMPLIED for _ in implied))
        return cls(key, (None, *stated, *implied), weights, is_kin)


def _pair(weigh: Weigh, step: Step, student: int | None, teacher: int | None) -> float:
    if student is None or teacher is None:
        return _NEITHER_LOADED if student is teacher else _ONE_NOT_LOADED
    return _PAIR[weigh(step, student, teacher)]


def _scaled(values: list[float]) -> list[float]:
    total = sum(values)
    return [value / total for value in values]


def shares(steps: Sequence[Step], weigh: Weigh) -> list[list[float]]:
    """For each node, the share of each of its readings; the shares of a node sum to 1.

    `weigh` says how the data speak of two loaded readings next to each other, given the teacher's step, the
    student's id and the teacher's id. An empty chain gives an empty list.
    """
    if not steps:
        return []
    pairs = [
        [[_pair(weigh, after, student, teacher) for teacher in after.readings] for student in before.readings]
        for before, after in pairwise(steps)
    ]
    forwards = [_scaled(list(steps[0].weights))]
    for step, pair in zip(steps[1:], pairs, strict=True):
        sums = [
            sum(f * row[place] for f, row in zip(forwards[-1], pair, strict=True))
            for place in range(len(step.readings))
        ]
        forwards.append(_scaled([own * total for own, total in zip(step.weights, sums, strict=True)]))
    backwards = [[1.0] * len(steps[-1].readings)]
    for step, pair in zip(reversed(steps[1:]), reversed(pairs), strict=True):
        ahead = [own * back for own, back in zip(step.weights, backwards[0], strict=True)]
        backwards.insert(0, _scaled([sum(p * a for p, a in zip(row, ahead, strict=True)) for row in pair]))
    return [
        _scaled([f * b for f, b in zip(forward, backward, strict=True)])
        for forward, backward in zip(forwards, backwards, strict=True)
    ]
