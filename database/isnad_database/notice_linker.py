"""Links the notices of a biographical work to narrators: LINKED only where the evidence leaves one person.

A name alone links nothing: of the narrators of one dataset, a third share their first three names with no entry or with
several. A notice belongs to a narrator when the lineages agree and something else that both state agrees as well
(generation, death year, grade in words, kunya), and when no other notice and no other narrator fits as well. A man
whose grandfather bears his name gets nothing of the other (R3): lineages are compared from the person upwards, in
place.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from isnad_database import names
from isnad_gateway.domain.fold import fold

ResolutionStatus = Literal["LINKED", "AMBIGUOUS", "CONFLICTED"]

SAME_NAMES: Final = 2
"""Names of a lineage (own and father's) that must be stated on both sides and agree before anything else is looked
at."""
ENOUGH: Final = 2
"""Further statements that must agree for a link: two of generation, death year, grade and kunya."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A narrator as far as notices go; None is not known. `death_years` are the years that his source allows."""

    narrator_id: int
    name_ar: str
    kunya: str | None = None
    generation_words: str | None = None
    grade_words: str | None = None
    death_years: range | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One notice: its key and its text as the work has it."""

    entry_key: str
    text: str


@dataclass(frozen=True, slots=True)
class EntryLink:
    """One notice and one narrator, how the link stands, and the rule in a few words."""

    entry_key: str
    narrator_id: int
    resolution_status: ResolutionStatus
    rule: str


def link_entries(entries: Sequence[Entry], subjects: Iterable[Subject]) -> list[EntryLink]:
    """Link notices to narrators.

    Takes all notices of one work and all loaded narrators. Returns a link for each notice and each narrator whose
    names agree with it: `LINKED` where the evidence leaves one of each, `CONFLICTED` where a statement of the two
    excludes the other, `AMBIGUOUS` else. Notices that no narrator's names fit get none, and neither
    do the namesakes of a pair that is linked.
    """
    by_first: dict[str, list[tuple[Subject, tuple[str, ...]]]] = defaultdict(list)
    for subject in subjects:
        lineage = names.lineage(subject.name_ar)
        if len(lineage) >= SAME_NAMES:
            by_first[lineage[0]].append((subject, lineage))
    found: list[tuple[Entry, Subject, list[str], list[str]]] = []
    for entry in entries:
        stated = entry_lineage(entry.text)
        if stated:
            for subject, lineage in by_first.get(stated[0], ()):
                shared = min(len(stated), len(lineage))
                if shared >= SAME_NAMES and stated[:shared] == lineage[:shared]:
                    found.append((entry, subject, *_compare(entry.text, subject)))
    rivals: dict[str | int, int] = defaultdict(int)
    for entry, subject, agreeing, against in found:
        if len(agreeing) >= ENOUGH and not against:
            rivals[entry.entry_key] += 1
            rivals[subject.narrator_id] += 1
    links = [
        _link(entry, subject, agreeing, against, alone=max(rivals[entry.entry_key], rivals[subject.narrator_id]) == 1)
        for entry, subject, agreeing, against in found
    ]
    # Once a notice has its man and a man his notice, their namesakes are other people, and nothing of them is in
    # question.
    settled = {
        key for link in links if link.resolution_status == "LINKED" for key in (link.entry_key, link.narrator_id)
    }
    return [
        link for link in links if link.resolution_status == "LINKED" or not {link.entry_key, link.narrator_id} & settled
    ]


def entry_lineage(text: str) -> tuple[str, ...]:
    """The lineage with which a notice opens, as name keys; spelling notes (`بفتح الهمزة`) end it or are passed over."""
    words = names.name_key(_SPELLING_NOTE.sub(" ", fold(text[:400]))).split()
    found: list[str] = []
    place = 0
    while place < len(words):
        length = names.words_of_name(words[place:])
        found.append(" ".join(words[place : place + length]))
        place += length
        if words[place : place + 1] not in (["بن"], ["بنت"]):
            break
        place += 1
    return tuple(found)


# "with a on the hamza", "diminutive", "with b and then n": how a name is read, put between a name and its father.
_SPELLING_NOTE: Final = re.compile(r"\b(?:بالتصغير|مصغرا?|بغير اضافه|بوزن \w+)(?= )")


def _compare(text: str, subject: Subject) -> tuple[list[str], list[str]]:
    """Which further statements of the notice agree with the narrator's data, and which exclude them."""
    plain = " ".join(re.findall(r"[^\W_]+", fold(text)))
    agreeing: list[str] = []
    against: list[str] = []
    generation = _generation(plain)
    if subject.generation_words is not None:
        own = _generation("من " + _words(subject.generation_words))
        if own is not None and generation is not None:
            (agreeing if own == generation else against).append("generation")
    if subject.grade_words is not None and f" {_words(subject.grade_words)} " in f" {plain} ":
        agreeing.append("grade")
    if subject.kunya is not None and f" {names.name_key(subject.kunya)} " in f" {names.name_key(text)} ":
        agreeing.append("kunya")
    year = stated_year(plain)
    if subject.death_years is not None and year is not None:
        allowed = {number % 100 if year < _CENTURY else number for number in subject.death_years}
        (agreeing if year in allowed else against).append("death year")
    return agreeing, against


def _link(entry: Entry, subject: Subject, agreeing: list[str], against: list[str], *, alone: bool) -> EntryLink:
    if against:
        rule = f"same names, but another {' and '.join(against)}"
        return EntryLink(entry.entry_key, subject.narrator_id, "CONFLICTED", rule)
    if len(agreeing) >= ENOUGH and alone:
        rule = f"same names, {', '.join(agreeing)}; no other entry and no other narrator fits"
        return EntryLink(entry.entry_key, subject.narrator_id, "LINKED", rule)
    why = f"same names and {', '.join(agreeing)}, but others fit too" if len(agreeing) >= ENOUGH else "names alone"
    return EntryLink(entry.entry_key, subject.narrator_id, "AMBIGUOUS", why if agreeing else "names alone")


def _words(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", fold(text)))


_ORDINALS: Final = (
    "الحاديه عشره|الثانيه عشره|الاولي|الثانيه|الثالثه|الرابعه|الخامسه|السادسه|السابعه|الثامنه|التاسعه|العاشره"
)
_STATED_GENERATION: Final = re.compile(
    rf"\bمن (?:من )?(?:(?:كبار|صغار|رووس|روس|راس|اكابر|قدماء) )?(?:الطبقه )?({_ORDINALS})\b"
)


def _generation(plain: str) -> str | None:
    found = _STATED_GENERATION.search(plain)
    return found[1] if found else None


_CENTURY: Final = 100
_UNITS: Final = dict(
    zip(("احدي", "اثنتين", "ثلاث", "اربع", "خمس", "ست", "سبع", "ثمان", "تسع"), range(1, 10), strict=True),
    احد=1,
    اثنين=2,
    اثنتي=2,
    ثماني=8,
)
_TENS: Final = dict(
    zip(("عشرين", "ثلاثين", "اربعين", "خمسين", "ستين", "سبعين", "ثمانين", "تسعين"), range(20, 100, 10), strict=True)
)
_HUNDREDS: Final = {"مايه": 100, "ماءه": 100, "مايتين": 200, "ماءتين": 200, "ثلاثمايه": 300}
_DIED: Final = re.compile(r"\b(?:مات|ماتت|توفي|توفيت|قتل|استشهد)(?: \w+){0,2} سنه (.+)")
_DIED_IN_FIGURES: Final = re.compile(r"\b(?:مات|ماتت|توفي|توفيت)(?: سنه)? (\d{2,3})\b")


def stated_year(plain: str) -> int | None:
    """The year of death that a folded notice states, or None where it states none, several, or one with a doubt.

    Words are read (`سنه سبع وعشرين` is 27) and figures. A year under 100 may lack its century: these works leave it
    out.
    """
    figures = _DIED_IN_FIGURES.search(plain)
    if figures:
        return int(figures[1])
    found = _DIED.search(plain)
    if found is None:
        return None
    words = found[1].split()
    total, place = 0, 0
    if words[:1] and words[0] in _UNITS:
        total, place = _UNITS[words[0]], 1
        if words[1:2] in (["عشره"], ["عشر"]):
            total, place = total + 10, 2
    elif words[:1] == ["عشر"] or words[:1] == ["عشره"]:
        total, place = 10, 1
    for table in (_TENS, _HUNDREDS):
        word = words[place] if place < len(words) else ""
        value = table.get(word.removeprefix("و") if place else word)
        if value is not None:
            total, place = total + value, place + 1
    if place < len(words) and words[place] in {"او", "وقيل", "ويقال", "في", "اخر"}:
        return None
    return total or None
