"""Numbers, dates and references, held against those that results carry (kinds `number`, `date`, `reference`)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from isnad_gateway.domain.coherence import vocabulary
from isnad_gateway.domain.coherence.count_words import Figure, figures
from isnad_gateway.domain.coherence.phrases import Phrases
from isnad_gateway.domain.coherence.reason import Kind, Reason
from isnad_gateway.domain.coherence.returned import Returned
from isnad_gateway.domain.coherence.spoken import Span, Spoken

_REACH: Final = 4
_COUNTS: Final = {
    "hadiths": ("results", "items"),
    "chains": ("chains",),
    "narrators": ("nodes", "results"),
    "occurrences": ("items", "chain_observations"),
    "relations": ("relations", "chain_observations"),
    "passages": ("passages",),
    "works": ("results",),
}
"""The lists of results that hold what a number counts."""

_STRICT: Final = frozenset({"chains", "passages", "relations"})
"""What a text never counts: here the lists alone tell."""

_COUNT_FIELDS: Final = ("occurrence_count", "distinct_hadith_count", "candidate_count")
_SMALL: Final = 2
_TALK: Final = 4
_BETWEEN: Final = 3
_AND: Final = frozenset({"et", "ou", "puis", "aussi", "dans", "le", "au", "aux", "و", "ثم", "او"})
_HUNDRED: Final = 100
_ENDINGS: Final = frozenset({"e", "eme", "ieme", "h", "%", "٪"})
_NEAR: Final = 1.15  # what is still said to be `environ`
_ROUNDED: Final = 0.01
"""Scores are spoken with two places at the most."""

_PERCENT: Final = frozenset({"%", "٪", "pour"})
_MISSING: Final = "stands in no result"


def check(spoken: Spoken, returned: Returned, cited: Sequence[Span], asked: str = "") -> Iterator[Reason]:
    """Hold the numbers of an answer against those of results.

    Args:
        spoken: the answer.
        returned: what the results carry.
        cited: where works and authors are named: a number behind one is a reference.
        asked: what the user said, whose numbers an answer may deny.
    """
    words = [word.folded for word in spoken.words]
    clauses = [word.clause for word in spoken.words]
    ends = {span.last for span in cited}
    found = list(figures(words, clauses, _blanks(spoken)))
    kinds: list[Kind] = []
    wanted = {figure.value for figure in figures(Spoken(asked).folded)} if found else set()
    for place, figure in enumerate(found):
        following = found[place + 1] if place + 1 < len(found) else None
        is_listed = place > 0 and kinds[-1] == "reference" and _is_listed(words, found[place - 1], figure)
        kinds.append("reference" if is_listed else _kind(spoken, words, figure, ends))
        if spoken.is_mentioned(figure.first) or _is_exempt(spoken, words, figure, returned):
            continue
        if figure.value in wanted and spoken.is_denied(figure.first):
            continue
        choices = [figure, *_alternative(words, figure, following)]
        if not any(_is_carried(kinds[-1], spoken, words, choice, returned) for choice in choices):
            yield Reason(kinds[-1], spoken.said(_around(spoken, figure)), _MISSING)
    yield from _months(spoken, returned)


def _is_listed(words: Sequence[str], before: Figure, figure: Figure) -> bool:
    """Whether a number goes on with a list of references: `1035 et 3205`."""
    between = words[before.last : figure.first]
    return len(between) <= _BETWEEN and all(word in _AND for word in between)


def _blanks(spoken: Spoken) -> list[bool]:
    before = [None, *spoken.words]
    return [
        one is not None and not spoken.text[one.end : word.start].strip()
        for one, word in zip(before, spoken.words, strict=False)
    ]


def _alternative(words: Sequence[str], figure: Figure, following: Figure | None) -> Iterator[Figure]:
    """A number to which its alternative gives the hundreds: `سبع عشرة أو ثمان عشرة ومائة`."""
    if following is not None and tuple(words[figure.last : following.first]) in (("او",), ("ou",), ("et",)):
        hundreds = following.value - following.value % _HUNDRED
        if figure.value < _HUNDRED <= hundreds:
            yield replace(figure, value=hundreds + figure.value)


def _around(spoken: Spoken, figure: Figure) -> Span:
    """The number with the words beside it, by which a person finds the place."""
    clause = spoken.clause_of(figure.first)
    return Span(max(clause.first, figure.first - 2), min(max(clause.last, figure.last), figure.last + 2))


@cache
def _uncounted() -> Phrases:
    return Phrases(vocabulary.read("phrases")["uncounted"]["say"])


@cache
def _reference_words(strength: str) -> Phrases:
    return Phrases(vocabulary.read("phrases")["reference_words"][strength])


def _is_exempt(spoken: Spoken, words: Sequence[str], figure: Figure, returned: Returned) -> bool:
    if _is_part_of_a_name(spoken, figure):
        return True
    if figure.value < _SMALL and float(figure.value).is_integer():
        return True
    if figure.value <= _TALK and spoken.find(_uncounted(), figure.last, figure.last + 1):
        return True
    clause = spoken.clause_of(figure.first)
    if figure.value > _SMALL or words[figure.first][0].isdecimal():
        return False
    # `deux` is in every other sentence; it claims something where it counts what a result lists, or dates.
    counted = [name for name in _counts(spoken, figure) if returned.count(*_COUNTS[name])]
    behind = Span(figure.last, min(clause.last, figure.last + 2))
    return not counted and not spoken.has("centuries", behind)


def _is_part_of_a_name(spoken: Spoken, figure: Figure) -> bool:
    """Whether letters follow a number at once, as in the name of a data set, `280K`."""
    if figure.last >= len(spoken.words):
        return False
    following = spoken.words[figure.last]
    return following.start == spoken.words[figure.last - 1].end and following.folded not in _ENDINGS


def _kind(spoken: Spoken, words: Sequence[str], figure: Figure, ends: set[int]) -> Kind:
    clause = spoken.clause_of(figure.first)
    near = Span(max(clause.first, figure.first - _REACH), figure.first)
    if any(place in ends for place in range(max(clause.first, figure.first - 3), figure.first + 1)):
        return "reference"
    if spoken.has("date_words", Span(near.first, min(clause.last, figure.last + 2))) and not _counts(spoken, figure):
        return "date"
    before = (max(clause.first, figure.first - 2), figure.first)
    is_digits = words[figure.first][0].isdecimal() or figure.is_ordinal
    is_reference = spoken.find(_reference_words("say"), *before) or (
        is_digits and spoken.find(_reference_words("weak"), *before)
    )
    return "reference" if is_reference and not _counts(spoken, figure) else "number"


def _counts(spoken: Spoken, figure: Figure) -> list[str]:
    """What a number counts, by the word behind it."""
    end = min(spoken.clause_of(figure.last - 1).last, figure.last + 2)
    if figure.last < end and spoken.folded[figure.last].startswith("و"):
        return []
    return [name for name, phrases in vocabulary.counted().items() if spoken.find(phrases, figure.last, end)]


def _is_carried(kind: Kind, spoken: Spoken, words: Sequence[str], figure: Figure, returned: Returned) -> bool:
    value = figure.value
    if kind == "reference":
        return value in returned.reference_numbers or value in returned.dates
    if kind == "date":
        return _is_date(spoken, figure, returned)
    counted = _counts(spoken, figure)
    if counted and not figure.is_ordinal:
        return _is_counted(spoken, figure, counted, returned)
    if spoken.find(_ranks(), figure.last, figure.last + 1) or spoken.find(
        _ranks(), max(0, figure.first - 1), figure.first
    ):
        return value in returned.text_numbers or value in returned.cited_numbers
    if figure.is_ordinal and value <= max(returned.counts, default=0):
        return True
    return value in returned.all_numbers or _is_score(value, words, figure, returned)


def _is_counted(spoken: Spoken, figure: Figure, counted: Sequence[str], returned: Returned) -> bool:
    """Whether results hold so many of what a number counts, or about so many where that is said."""
    if figure.value in returned.note_numbers or ("occurrences" in counted and figure.value in returned.repetitions):
        return True
    listed = [returned.count(*_COUNTS[name]) for name in counted]
    counts = set().union(*listed) | _told_counts(returned)
    if figure.value in counts or _is_rounded(spoken, figure, counts):
        return True
    if _STRICT.issuperset(counted) and any(listed):
        return False
    return figure.value in returned.told_numbers or figure.value in returned.counts


@cache
def _ranks() -> Phrases:
    return Phrases(vocabulary.read("phrases")["ranks"]["say"])


def _is_date(spoken: Spoken, figure: Figure, returned: Returned) -> bool:
    """Whether results carry a year, its century, or the years between two of theirs."""
    clause = spoken.clause_of(figure.first)
    near = Span(max(clause.first, figure.first - 2), min(clause.last, figure.last + 2))
    if spoken.has("centuries", near):
        return figure.value in returned.centuries
    if spoken.has("years", Span(figure.last, near.last)) and figure.value in returned.spans:
        return True
    return figure.value in returned.dates or figure.value in returned.text_numbers


def _is_rounded(spoken: Spoken, figure: Figure, counts: set[float]) -> bool:
    """Whether a number is said to be about, more or less than, and is near to one of some counts."""
    first = max(spoken.clause_of(figure.first).first, figure.first - 2)
    value = figure.value
    limits = {"over": (value, value * _NEAR), "under": (value / _NEAR, value), "about": (value / _NEAR, value * _NEAR)}
    return any(
        low <= count <= high
        for name, (low, high) in limits.items()
        if spoken.find(_approximations(name), first, figure.first)
        for count in counts
    )


@cache
def _approximations(name: str) -> Phrases:
    return Phrases(vocabulary.read("phrases")["approximations"][name])


def _told_counts(returned: Returned) -> set[float]:
    return {item[key] for item in returned.objects for key in _COUNT_FIELDS if isinstance(item.get(key), int)}


def _is_score(value: float, words: Sequence[str], figure: Figure, returned: Returned) -> bool:
    """Whether a number is a score of a result, rounded, also as a percentage."""
    following = words[figure.last] if figure.last < len(words) else ""
    scores = [item["score"] for item in returned.objects if isinstance(item.get("score"), int | float)]
    if following in _PERCENT:
        return any(abs(100 * score - value) < 1 for score in scores)
    return any(abs(score - value) < _ROUNDED for score in scores)


def _months(spoken: Spoken, returned: Returned) -> Iterator[Reason]:
    """Months that a date names."""
    for span in spoken.find(vocabulary.months()):
        if spoken.is_mentioned(span.first):
            continue
        said = " ".join(word.folded for word in spoken.words[span.first : span.last])
        clause = spoken.clause_of(span.first)
        is_dated = spoken.has("month_words", Span(max(clause.first, span.first - 2), span.first)) or any(
            word.folded[0].isdecimal()
            for word in spoken.words[max(clause.first, span.first - 2) : min(clause.last, span.last + 2)]
        )
        if is_dated and said not in returned.arabic_whole and said not in returned.latin_whole:
            yield Reason("date", spoken.said(span), _MISSING)
