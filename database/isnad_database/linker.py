"""Links the nodes of a chain to narrators, and says for each link how far it can be trusted and by what rule.

A form alone identifies nobody: the world is never closed, and a form that one loaded narrator bears may belong to someone who
is not loaded. So every node may be read as each loaded bearer of its form or as somebody who is not loaded, and the chain is
read as a whole: two readings that stand next to each other support each other when the data record them as teacher and
student, and contradict each other when both are loaded and nothing is recorded. The share of all readings in which a bearer
stands decides whether one bearer is left; what the neighbours are decides the status.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from isnad_database import names
from isnad_database.chain_weights import Says, Step, shares

Status = Literal["confirmed", "probable", "ambiguous", "unresolved"]

LEAVES_ONE: Final = 0.5
"""Share of the readings from which on one bearer is left."""
LEAVES_ONE_SURELY: Final = 0.9
"""Share from which on a link may be confirmed. Both shares: set on labelled chains with 30 % of the narrators taken out."""

SURE_KIN: Final = 2
"""Names that father and son must share (his own and his father's) for a kinship without a recorded transmission."""


@dataclass(frozen=True, slots=True)
class KnownNarrator:
    """A loaded narrator as far as linking goes: id, canonical Arabic name, and the forms under which chains name him."""

    narrator_id: int
    name_ar: str
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Transmission:
    """A recorded pair. `certain` is false where the source's own lists disagree: then it neither supports nor contradicts."""

    teacher_id: int
    student_id: int
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Link:
    """What is said about one node. `narrator_id` is set for `confirmed` and `probable` only."""

    status: Status
    narrator_id: int | None
    rule: str
    candidate_count: int
    candidate_ids: tuple[int, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class _Side:
    """What one neighbour says of a bearer: there is none, nobody loaded is read there, it agrees, or it contradicts."""

    word: Literal["none", "open", "agrees", "contradicts"]


class Linker:
    """Links chains against one set of loaded narrators and recorded pairs. Pure: no input or output, same in, same out."""

    def __init__(self, narrators: Iterable[KnownNarrator], transmissions: Iterable[Transmission]) -> None:
        """Index the narrators by name key and the pairs by student; pairs with a narrator who is not loaded are ignored."""
        self._lineages: dict[int, tuple[str, ...]] = {}
        self._bearers: dict[str, set[int]] = defaultdict(set)
        self._implied: dict[str, set[int]] = defaultdict(set)
        self._by_first_name: dict[str, set[int]] = defaultdict(set)
        for narrator in narrators:
            own = names.lineage(narrator.name_ar)
            self._lineages[narrator.narrator_id] = own
            if own:
                self._by_first_name[own[0]].add(narrator.narrator_id)
            for key in {names.name_key(form) for form in (*narrator.forms, narrator.name_ar)}:
                if not names.is_nameless(key):
                    self._bearers[key].add(narrator.narrator_id)
            # Whoever is called X son of Y may also be called X, or X son of Y, whether or not his forms say so.
            for length in (1, 2):
                self._implied[" بن ".join(own[:length])].add(narrator.narrator_id)
        self._teachers: dict[int, set[int]] = defaultdict(set)
        self._doubtful: set[tuple[int, int]] = set()
        self._listed: set[int] = set()
        for pair in transmissions:
            if pair.teacher_id == pair.student_id or not {pair.teacher_id, pair.student_id} <= self._lineages.keys():
                continue
            self._listed |= {pair.teacher_id, pair.student_id}
            if pair.certain:
                self._teachers[pair.student_id].add(pair.teacher_id)
            else:
                self._doubtful.add((pair.student_id, pair.teacher_id))

    def bearers(self, form: str) -> frozenset[int]:
        """The ids of the loaded narrators who bear this form, in any of its spellings."""
        return frozenset(self._all_bearers(names.name_key(form)))

    def _all_bearers(self, key: str) -> set[int]:
        return self._bearers.get(key, set()) | self._implied.get(key, set())

    def link(self, forms: Sequence[str]) -> tuple[Link, ...]:
        """Link the nodes of one chain.

        Takes the name forms in chain order, the compiler's teacher first, so that each next one is the teacher of the one
        before. Returns one `Link` a node.
        """
        keys = [names.name_key(form) for form in forms]
        steps = self._steps(keys)
        chosen: list[tuple[int | None, float]] = []
        for step, share in zip(steps, shares(steps, self._weight), strict=True):
            best = max(range(len(share)), key=lambda place: share[place])
            chosen.append((step.readings[best], share[best]))
        read = [reading if share >= LEAVES_ONE else None for reading, share in chosen]
        return tuple(self._link(place, keys, steps, read, chosen[place][1]) for place in range(len(keys)))

    def link_groups(self, groups: Sequence[Sequence[str]]) -> tuple[tuple[Link, ...], ...]:
        """Link a chain in which several narrators may stand side by side at one link (`وكيع وعبدة عن هشام`).

        Takes the name forms link by link, in chain order; returns the links in the same shape. Each narrator is linked along
        a way through the chain that passes by him; narrators at one link are no teachers or students of each other.
        """
        linked: list[list[Link | None]] = [[None] * len(group) for group in groups]
        for way in range(max(map(len, groups), default=0)):
            places = [min(way, len(group) - 1) for group in groups]
            links = self.link([group[place] for group, place in zip(groups, places, strict=True)])
            for row, place, link in zip(linked, places, links, strict=True):
                row[place] = row[place] or link
        return tuple(tuple(link for link in row if link is not None) for row in linked)

    def _steps(self, keys: Sequence[str]) -> list[Step]:
        steps: list[Step] = []
        for place, key in enumerate(keys):
            if names.is_kin(key):
                stated, implied = self._kin(key, place, keys, steps), set[int]()
            else:
                stated = self._bearers.get(key, set())
                implied = self._implied.get(key, set()) - stated
            steps.append(Step.of(key, sorted(stated), sorted(implied), is_kin=names.is_kin(key)))
        return steps

    def _kin(self, key: str, place: int, keys: Sequence[str], steps: Sequence[Step]) -> set[int]:
        """Loaded men whom the names make the father or grandfather of somebody read just before (C5)."""
        generations = 1 if key in names.FATHER else 2 if key in names.GRANDFATHER else 0
        if not generations or not place:
            return set()
        found: set[int] = set()
        descendants = {(reading, generations) for reading in steps[place - 1].readings}
        if generations == 2 and keys[place - 1] in names.FATHER and place > 1:
            # "A from his father from his grandfather": A's grandfather, or the father's.
            descendants = {(reading, 2) for step in steps[place - 2 : place] for reading in step.readings}
        for reading, distance in descendants:
            own = self._lineages.get(reading, ()) if reading is not None else ()
            if len(own) <= distance:
                continue
            found.update(
                candidate
                for candidate in self._by_first_name.get(own[distance], ())
                if candidate != reading and names.states_ancestor(own, self._lineages[candidate], distance)
            )
        return found

    def _weight(self, step: Step, student: int, teacher: int) -> Says:
        """How the data speak of two loaded readings next to each other; `step` is the teacher's.

        Silence contradicts only where the data list teachers and students of both: of others it says nothing.
        """
        if step.is_kin and not self._may_be_kin(step.key, student, teacher):
            return "contradicted"
        if teacher in self._teachers.get(student, ()):
            return "recorded"
        if not {student, teacher} <= self._listed:
            return "unlisted"
        return "open" if (student, teacher) in self._doubtful else "contradicted"

    def _may_be_kin(self, key: str, student: int, teacher: int) -> bool:
        if key in names.FATHER:
            return names.states_ancestor(self._lineages[student], self._lineages[teacher], 1)
        return any(names.states_ancestor(self._lineages[student], self._lineages[teacher], n) for n in (1, 2))

    def _shared(self, keys: Sequence[str], steps: Sequence[Step], read: Sequence[int | None], place: int) -> int:
        """How many names of their fathers and forefathers the two share whom a kinship word joins."""
        child, elder = read[place - 1], read[place]
        if child is None or elder is None:
            return 0
        distances = (1,) if keys[place] in names.FATHER else (1, 2)
        own, other = self._lineages[child], self._lineages[elder]
        return max(
            min(len(own) - distance, len(other)) if names.states_ancestor(own, other, distance) else 0
            for distance in distances
        )

    def _side(self, steps: Sequence[Step], read: Sequence[int | None], place: int, bearer: int, other: int) -> _Side:
        if not 0 <= other < len(steps):
            return _Side("none")
        neighbour = read[other]
        undecided = neighbour is None
        says = {
            self._weight(steps[max(place, other)], *((reading, bearer) if other < place else (bearer, reading)))
            for reading in (steps[other].readings if undecided else (neighbour,))
            if reading is not None
        }
        if "recorded" in says:
            return _Side("agrees")
        return _Side("contradicts" if says == {"contradicted"} and not undecided else "open")

    def _link(
        self, place: int, keys: Sequence[str], steps: Sequence[Step], read: Sequence[int | None], share: float
    ) -> Link:
        key, step, bearer = keys[place], steps[place], read[place]
        candidates = tuple(reading for reading in step.readings if reading is not None)
        count = max(len(candidates), len(self._bearers.get(key, ())))
        if bearer is None:
            return _unlinked(key, count, candidates)
        before = self._side(steps, read, place, bearer, place - 1).word
        after = self._side(steps, read, place, bearer, place + 1).word
        if step.is_kin:
            whose = "father" if key in names.FATHER else "grandfather"
            rule = f"{whose} of the narrator before, by their names"
            if before == "agrees":
                return Link("probable", bearer, f"{rule} and a recorded transmission", count, candidates)
            if len(candidates) == 1 and before == "open" and self._shared(keys, steps, read, place) >= SURE_KIN:
                return Link("probable", bearer, rule, count, candidates)
            return _unlinked(key, count, candidates)
        agreeing = [where for where, word in (("before", before), ("after", after)) if word == "agrees"]
        with_whom = " and ".join(f"the narrator {where}" for where in agreeing)
        contradicted = "contradicts" in (before, after)
        surely = share >= LEAVES_ONE_SURELY and not contradicted
        if len(candidates) == 1 and agreeing:
            rule = f"name form names one person; recorded with {with_whom}"
            return Link("confirmed" if surely else "probable", bearer, rule + _but(contradicted), count, candidates)
        if len(agreeing) == 2:
            rule = "recorded neighbours on both sides leave one bearer"
            return Link("confirmed" if surely else "probable", bearer, rule, count, candidates)
        if agreeing:
            rule = f"one bearer of {count} left by {with_whom}"
            return Link("probable", bearer, rule + _but(contradicted), count, candidates)
        if contradicted or bearer not in self._bearers.get(key, ()):
            # A form under which he is not recorded, and nobody who vouches for him.
            return _unlinked(key, count, candidates)
        if len(candidates) == 1:
            return Link("probable", bearer, "name form names one person; no neighbour is recorded", count, candidates)
        if surely:
            rule = f"no other bearer of {count} agrees with the neighbours"
            return Link("probable", bearer, rule, count, candidates)
        return _unlinked(key, count, candidates)


def _but(contradicted: bool) -> str:
    return "; not recorded with the other" if contradicted else ""


def _unlinked(key: str, count: int, candidates: tuple[int, ...]) -> Link:
    """A node for which no bearer is left: ambiguous where several loaded narrators bear the form, else unresolved."""
    if count > 1:
        return Link("ambiguous", None, f"name form is borne by {count} loaded narrators", count, candidates)
    if names.is_nameless(key):
        return Link("unresolved", None, "the text gives no name", 0)
    if names.is_kin(key):
        return Link("unresolved", None, "kinship alone names nobody", count, candidates)
    rule = "neighbours do not agree with the one loaded bearer" if count else "no loaded narrator bears this form"
    return Link("unresolved", None, rule, count, candidates)
