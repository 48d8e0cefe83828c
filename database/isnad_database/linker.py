"""Links the nodes of a chain to narrators, and says for each link how far it can be trusted and by what rule.

A form alone identifies nobody: the world is never closed, and a form that one loaded narrator bears may belong to
someone who is not loaded. So every node may be read as each loaded bearer of its form or as somebody who is not
loaded, and the chain is read as a whole: two readings that stand next to each other support each other when the data
record them as teacher and student, and contradict each other when the data list both and nothing is recorded. The
share of all readings in which a bearer stands decides whether one bearer is left (`chain_weights`); what the
neighbours say decides the status (`link_rules`).
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from isnad_database import names
from isnad_database.chain_weights import Says, Step, shares
from isnad_database.link_rules import LEAVES_ONE, Evidence, Link, Side, judge, judge_kin

MEETING_GENERATIONS: Final = range(-1, 6)
"""How many of Ibn Hajar's twelve generations may lie between a student and his teacher: the youngest followers (the
fifth) saw one or two companions (the first), and peers hear from each other (Taqrib, introduction)."""
SURE_KIN: Final = 2
"""Names that father and son must share (his own and his father's) for a kinship without a recorded transmission."""


@dataclass(frozen=True, slots=True)
class KnownNarrator:
    """A loaded narrator as far as linking goes.

    Id, canonical Arabic name, the forms under which chains name him, and his generation (1 to 12) where it is known.
    """

    narrator_id: int
    name_ar: str
    forms: tuple[str, ...]
    generation: int | None = None


@dataclass(frozen=True, slots=True)
class Transmission:
    """A recorded pair.

    `certain` is false where the source's own lists disagree: then it neither supports nor contradicts.
    """

    teacher_id: int
    student_id: int
    certain: bool = True


class Linker:
    """Links chains against one set of loaded narrators and recorded pairs. Pure: same in, same out."""

    def __init__(self, narrators: Iterable[KnownNarrator], transmissions: Iterable[Transmission]) -> None:
        """Index narrators and pairs; pairs with somebody who is not loaded are ignored."""
        self._known: dict[int, KnownNarrator] = {}
        self._lineages: dict[int, tuple[str, ...]] = {}
        self._stated: dict[str, set[int]] = defaultdict(set)
        self._implied: dict[str, set[int]] = defaultdict(set)
        self._by_first_name: dict[str, set[int]] = defaultdict(set)
        for narrator in narrators:
            self._index(narrator)
        self._teachers: dict[int, set[int]] = defaultdict(set)
        self._doubtful: set[tuple[int, int]] = set()
        self._listed: set[int] = set()
        for pair in transmissions:
            ends = {pair.teacher_id, pair.student_id}
            if len(ends) == 1 or not ends <= self._known.keys():
                continue
            self._listed |= ends
            if pair.certain:
                self._teachers[pair.student_id].add(pair.teacher_id)
            else:
                self._doubtful.add((pair.student_id, pair.teacher_id))

    def _index(self, narrator: KnownNarrator) -> None:
        own = names.lineage(narrator.name_ar)
        self._known[narrator.narrator_id] = narrator
        self._lineages[narrator.narrator_id] = own
        for key in {names.name_key(form) for form in (*narrator.forms, narrator.name_ar)}:
            if not names.is_nameless(key):
                self._stated[key].add(narrator.narrator_id)
        if own:
            self._by_first_name[own[0]].add(narrator.narrator_id)
        # Whoever is called X son of Y may also be called X, or X son of Y, whether or not his forms say so.
        for length in (1, 2):
            self._implied[" بن ".join(own[:length])].add(narrator.narrator_id)

    def bearers(self, form: str) -> frozenset[int]:
        """The loaded narrators who bear this form in any of its spellings, stated or implied by their names."""
        key = names.name_key(form)
        return frozenset(self._stated.get(key, set()) | self._implied.get(key, set()))

    def borne(self, mention: str, name: str) -> str:
        """Which spelling of a mention to link: as the text has it where somebody bears that, else its name alone.

        `mention` may hold an aside that says who is meant (`سفيان، يعني ابن عيينة`); `name` is the mention without it.
        """
        return mention if self.bearers(mention) else name

    def link(self, forms: Sequence[str]) -> tuple[Link, ...]:
        """Link the nodes of one chain.

        Takes the name forms in chain order, the compiler's teacher first, so that each next one is the teacher of
        the one before. Returns one `Link` a node.
        """
        keys = [names.name_key(form) for form in forms]
        steps = self._steps(keys)
        read: list[int | None] = []
        best: list[float] = []
        for step, share in zip(steps, shares(steps, self._says), strict=True):
            place = max(range(len(share)), key=share.__getitem__)
            best.append(share[place])
            read.append(step.readings[place] if share[place] >= LEAVES_ONE else None)
        return tuple(self._judge(steps, read, place, best[place]) for place in range(len(steps)))

    def link_groups(self, groups: Sequence[Sequence[str]]) -> tuple[tuple[Link, ...], ...]:
        """Link a chain in which several narrators may stand side by side at one link (`وكيع وعبدة عن هشام`).

        Takes the name forms link by link, in chain order; returns the links in the same shape. Each narrator is
        linked along a way through the chain that passes by him; narrators at one link are no teachers or students of
        each other.
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
                steps.append(Step.of(key, sorted(self._kin(place, keys, steps)), (), is_kin=True))
            else:
                stated = self._stated.get(key, set())
                implied = self._implied.get(key, set()) - stated
                steps.append(Step.of(key, sorted(stated), sorted(implied), is_kin=False))
        return steps

    def _kin(self, place: int, keys: Sequence[str], steps: Sequence[Step]) -> set[int]:
        """Loaded men whom the names make the father or grandfather of somebody read just before (C5)."""
        generations = 1 if keys[place] in names.FATHER else 2 if keys[place] in names.GRANDFATHER else 0
        if not generations or not place:
            return set()
        # "A from his father from his grandfather": A's grandfather, or the father's.
        behind_father = keys[place] in names.GRANDFATHER and keys[place - 1] in names.FATHER
        since = max(place - 2, 0) if behind_father else place - 1
        found: set[int] = set()
        for reading in {reading for step in steps[since:place] for reading in step.readings if reading is not None}:
            own = self._lineages[reading]
            if len(own) > generations:
                found.update(
                    elder
                    for elder in self._by_first_name.get(own[generations], ())
                    if elder != reading and names.states_ancestor(own, self._lineages[elder], generations)
                )
        return found

    def _says(self, step: Step, student: int, teacher: int) -> Says:
        """How the data speak of two loaded readings next to each other; `step` is the teacher's.

        Silence contradicts only where the data list teachers and students of both: of others it says nothing, unless
        they lived too far apart.
        """
        if step.is_kin and not self._shared_names(step.key, student, teacher):
            return "contradicted"
        if teacher in self._teachers.get(student, ()):
            return "recorded"
        if not {student, teacher} <= self._listed:
            return "unlisted" if self._could_meet(student, teacher) else "contradicted"
        return "open" if (student, teacher) in self._doubtful else "contradicted"

    def _could_meet(self, student: int, teacher: int) -> bool:
        """Whether the generations leave room for a meeting; an unknown generation does."""
        younger, older = self._known[student].generation, self._known[teacher].generation
        return younger is None or older is None or younger - older in MEETING_GENERATIONS

    def _shared_names(self, key: str, child: int, elder: int) -> int:
        """How many names two share who are (grand)father and son by their lineages; none where they are not."""
        own, other = self._lineages[child], self._lineages[elder]
        distances = (1,) if key in names.FATHER else (1, 2)
        agreeing = [distance for distance in distances if names.states_ancestor(own, other, distance)]
        return max((min(len(own) - distance, len(other)) for distance in agreeing), default=0)

    def _side(self, steps: Sequence[Step], read: Sequence[int | None], place: int, other: int) -> Side:
        bearer = read[place]
        if bearer is None or not 0 <= other < len(steps):
            return "none"
        decided = read[other]
        readings = (decided,) if decided is not None else steps[other].readings
        says = {
            self._says(steps[max(place, other)], *((reading, bearer) if other < place else (bearer, reading)))
            for reading in readings
            if reading is not None
        }
        if "recorded" in says:
            return "agrees" if decided is not None else "may_agree"
        return "contradicts" if decided is not None and says == {"contradicted"} else "open"

    def _judge(self, steps: Sequence[Step], read: Sequence[int | None], place: int, share: float) -> Link:
        step, reading = steps[place], read[place]
        candidates = tuple(candidate for candidate in step.readings if candidate is not None)
        stated = self._stated.get(step.key, set())
        found = Evidence(
            key=step.key,
            bearers=max(len(candidates), len(stated)),
            candidates=candidates,
            reading=reading,
            share=share,
            stated=reading in stated,
            before=self._side(steps, read, place, place - 1),
            after=self._side(steps, read, place, place + 1),
        )
        if not step.is_kin:
            return judge(found)
        child = read[place - 1] if place else None
        shared = self._shared_names(step.key, child, reading) if child is not None and reading is not None else 0
        return judge_kin(found, shared_names=shared, sure_names=SURE_KIN)
