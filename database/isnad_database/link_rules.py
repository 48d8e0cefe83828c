"""What may be said of one node of a chain, given who is read there and what his neighbours say of him.

The rules are the project's own; their shares were set on labelled chains with 30 % of the narrators taken out, so
that what is `confirmed` stays right when many narrators are not loaded (see `benchmarks/links.py`).
"""

from dataclasses import dataclass
from typing import Final, Literal

from isnad_database import names

Status = Literal["confirmed", "probable", "ambiguous", "unresolved"]
Side = Literal["none", "open", "agrees", "may_agree", "contradicts"]
"""What one neighbour says of a bearer: there is no neighbour; nothing; a transmission with him is recorded; one is
recorded with somebody whom that neighbour may be; both are listed and none is recorded."""

LEAVES_ONE: Final = 0.5
"""Share of the readings from which on a bearer is read at a node at all."""
LEAVES_ONE_OF_SEVERAL: Final = 0.75
"""Share from which on one of several loaded bearers is left."""
LEAVES_ONE_SURELY: Final = 0.9
"""Share from which on a link may be confirmed."""


@dataclass(frozen=True, slots=True)
class Link:
    """What is said about one node. `narrator_id` is set for `confirmed` and `probable` only."""

    status: Status
    narrator_id: int | None
    rule: str
    candidate_count: int
    candidate_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """One node, ready to be judged.

    `key` is the name key, `bearers` how many loaded narrators bear the form, `candidates` who was weighed, `reading`
    who is read there (None: nobody is left) with which `share` of all readings, and `stated` whether the form is
    recorded for him.
    """

    key: str
    bearers: int
    candidates: tuple[int, ...]
    reading: int | None
    share: float
    stated: bool
    before: Side
    after: Side


def judge(found: Evidence) -> Link:
    """The link of a node that is named by a form of a name."""
    sides = {"before": found.before, "after": found.after}
    vouching = [where for where, side in sides.items() if side in {"agrees", "may_agree"}]
    contradicted = "contradicts" in sides.values()
    if found.reading is None:
        return unlinked(found)
    if not vouching:
        # A form under which he is not recorded is left alone here, because nobody vouches for him.
        return unlinked(found) if contradicted or not found.stated else _without_neighbours(found)
    surely = found.share >= LEAVES_ONE_SURELY and not contradicted
    if len(found.candidates) == 1:
        rule = f"name form names one person; recorded with {_narrators(vouching)}"
        return _linked(found, rule + _but(contradicted), confirmed=surely)
    if found.before == found.after == "agrees" and found.share >= LEAVES_ONE_OF_SEVERAL:
        return _linked(
            found, f"recorded neighbours on both sides leave one bearer of {found.bearers}", confirmed=surely
        )
    if found.share >= LEAVES_ONE_OF_SEVERAL:
        rule = f"one bearer of {found.bearers} left by {_narrators(vouching)}"
        return _linked(found, rule + _but(contradicted))
    return unlinked(found)


def _without_neighbours(found: Evidence) -> Link:
    """A node for whose bearer no neighbour vouches and whom none contradicts: at best probable."""
    if len(found.candidates) == 1:
        return _linked(found, "name form names one person; no neighbour is recorded")
    if found.share >= LEAVES_ONE_SURELY:
        return _linked(found, f"no other bearer of {found.bearers} agrees with the neighbours")
    return unlinked(found)


def judge_kin(found: Evidence, *, shared_names: int, sure_names: int) -> Link:
    """The link of a node that is named by kinship alone (`أبيه`, `جده`): at best probable (C5).

    `shared_names` is how many names father and son share by their lineages, `sure_names` how many are enough without a
    recorded transmission between the two.
    """
    whose = "father" if found.key in names.FATHER else "grandfather"
    rule = f"{whose} of the narrator before, by their names"
    if found.reading is not None and found.before == "agrees":
        return _linked(found, f"{rule} and a recorded transmission")
    if (
        found.reading is not None
        and found.before == "open"
        and len(found.candidates) == 1
        and shared_names >= sure_names
    ):
        return _linked(found, rule)
    return unlinked(found)


def unlinked(found: Evidence) -> Link:
    """A node for which no bearer is left: ambiguous where several loaded narrators bear the form, else unresolved."""
    if found.bearers > 1:
        rule = f"name form is borne by {found.bearers} loaded narrators"
        return Link("ambiguous", None, rule, found.bearers, found.candidates)
    if names.is_nameless(found.key):
        rule = "the text gives no name"
    elif names.is_kin(found.key):
        rule = "kinship alone names nobody"
    elif found.bearers:
        rule = "the neighbours do not speak for the one loaded bearer"
    else:
        rule = "no loaded narrator bears this form"
    return Link("unresolved", None, rule, found.bearers, found.candidates)


def _linked(found: Evidence, rule: str, *, confirmed: bool = False) -> Link:
    status: Status = "confirmed" if confirmed else "probable"
    return Link(status, found.reading, rule, found.bearers, found.candidates)


def _narrators(places: list[str]) -> str:
    return " and ".join(f"the narrator {place}" for place in places)


def _but(contradicted: bool) -> str:
    return "; not recorded with the other" if contradicted else ""
