"""Numbers as they are spoken and written: digits, French words, Arabic words, Roman centuries."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, Final

from isnad_gateway.domain.coherence import vocabulary

_HUNDRED: Final = 100
_THOUSAND: Final = 1000
_TEN: Final = 10
_SCORE: Final = 20
_GROUP: Final = 3  # digits between two marks of thousands
_PAIR: Final = 2
_FOUR: Final = 4
_DIGITS: Final = re.compile(r"\d+(?:[.,:]\d+)*")


@dataclass(frozen=True, slots=True)
class Figure:
    """A number among words: its value, the words that make it, and whether it only orders (`troisième`)."""

    value: float
    first: int
    last: int
    is_ordinal: bool


@cache
def _french() -> dict[str, dict[str, int]]:
    french: dict[str, dict[str, int]] = vocabulary.read("numbers")["french"]
    return french


@cache
def _french_values() -> dict[str, int]:
    return {
        word: value for name in ("units", "tens", "hundreds", "thousands") for word, value in _french()[name].items()
    }


@cache
def _arabic() -> dict[str, int]:
    sections: dict[str, Any] = vocabulary.read("numbers")["arabic"]
    return {word: value for name, words in sections.items() if name != "ordinals" for word, value in words.items()}


@cache
def _ordinals() -> dict[str, int]:
    return {**vocabulary.read("numbers")["french"]["ordinals"], **vocabulary.read("numbers")["arabic"]["ordinals"]}


def figures(
    words: Sequence[str], groups: Sequence[int] | None = None, blanks: Sequence[bool] | None = None
) -> Iterator[Figure]:
    """The numbers among folded words.

    Args:
        words: the words.
        groups: to which clause each belongs; a number is within one. All to one, where it is not said.
        blanks: for each word, whether a blank alone parts it from the one before: `7 563` is one number, `57-159` are two.

    Yields:
        Each number once, as large as its words make it. A lone `un` or `une` is an article and no number.
    """
    place = 0
    while place < len(words):
        end = _end(words, place, groups)
        figure = _digits(words, place, blanks) or _in_french(words, place, end) or _in_arabic(words, place, end)
        figure = figure or _ordinal(words, place)
        if figure is None:
            place += 1
        else:
            yield figure
            place = figure.last


def _end(words: Sequence[str], place: int, groups: Sequence[int] | None) -> int:
    end = place + 1
    limit = min(len(words), place + 12)  # no number has more words
    while end < limit and (groups is None or groups[end] == groups[place]):
        end += 1
    return end


def _digits(words: Sequence[str], place: int, blanks: Sequence[bool] | None) -> Figure | None:
    word = words[place]
    if not _DIGITS.fullmatch(word):
        return None
    value = _value(word)
    last = place + 1
    # 7 563 is one number when it is written with a blank, and `1,2 million` one as well.
    is_parted = blanks is not None and last < len(words) and blanks[last]
    if is_parted and len(word) <= _GROUP == len(words[last]) and words[last].isdecimal():
        value, last = value * _THOUSAND + int(words[last]), last + 1
    return Figure(value, place, last, is_ordinal=last < len(words) and words[last] in ("e", "eme", "ieme"))


def _value(word: str) -> float:
    """`1.928` and `1,928` are thousands where three digits follow, else a decimal; `1:2` is its first part."""
    head, *rest = word.replace(":", " ").split()
    del rest
    parts = head.replace(",", ".").split(".")
    if len(parts) > 1 and all(len(part) == _GROUP for part in parts[1:]) and parts[0] != "0":
        return int("".join(parts)[:18])
    if len(parts) == _PAIR:
        return float(f"{parts[0][:15]}.{parts[1][:15]}")
    return int(parts[0][:18])


def _in_french(words: Sequence[str], place: int, end: int) -> Figure | None:
    values = _french_values()
    if words[place] not in values:
        return None
    total = current = 0
    last = place
    taken: list[int] = []
    while last < end:
        word = words[last]
        if word == "et" and taken and last + 1 < end and words[last + 1] in ("un", "une", "onze", "quelques"):
            last += 1
            continue
        if word not in values or not _can_follow(taken, values[word], current):
            break
        value = values[word]
        if value == _THOUSAND:
            total, current = total + max(current, 1) * _THOUSAND, 0
        elif value == _HUNDRED:
            current = max(current, 1) * _HUNDRED
        elif value == _SCORE and current % _HUNDRED == _FOUR:
            current += _FOUR * _SCORE - _FOUR  # quatre-vingts
        else:
            current += value
        taken.append(value)
        last += 1
    while last > place and words[last - 1] == "et":
        last -= 1
    if taken in ([], [1]):
        return None
    return Figure(total + current, place, last, is_ordinal=False)


def _can_follow(taken: list[int], value: int, current: int) -> bool:
    """Whether a number word continues the number before it: `deux cents`, `soixante dix`, not `deux trois`."""
    if not taken or value >= _HUNDRED:
        return value != _HUNDRED or current < _HUNDRED
    rest = current % _HUNDRED
    if value == _SCORE and rest == _FOUR:
        return True
    if value >= _SCORE:
        return rest == 0
    if value >= _TEN:
        return rest in (0, 60, 80)
    return rest % _TEN == 0 and (rest != _TEN or value in (7, 8, 9))


def _in_arabic(words: Sequence[str], place: int, end: int) -> Figure | None:
    values = _arabic()
    if _bare(words[place]) not in values or (words[place] not in values and words[place][1:] in _MORE):
        return None
    total = current = 0
    last = place
    taken: list[int] = []
    while last < end:
        word = _bare(words[last])
        if word not in values or (taken and not _joins(words[last], values[word], taken[-1])):
            break
        value = values[word]
        if value == _THOUSAND:
            total, current = total + max(current, 1) * _THOUSAND, 0
        elif value == _HUNDRED and taken and taken[-1] < _TEN and words[last] in values:
            current += taken[-1] * (_HUNDRED - 1)
        else:
            current += value
        taken.append(value)
        last += 1
    if taken in ([], [1]):
        return None
    is_ordinal = any(word in _ordinals() for word in words[place:last])
    return Figure(total + current, place, last, is_ordinal=is_ordinal)


_MORE: Final = frozenset({"احد", "احدي"})


_NO_NUMBERS: Final = frozenset({"لست", "ولست", "فلست"})
"""`لست` is `I am not`, and no `for six`."""


def _joins(word: str, value: int, before: int) -> bool:
    """Whether an Arabic number word belongs to the one before it: after `و`, or as ten, hundred or thousand."""
    if word.startswith("و"):
        return value != before
    return (value == _TEN and before < _TEN) or (value == _HUNDRED and before < _TEN) or value == _THOUSAND


def _bare(word: str) -> str:
    if word in _arabic() or word in _NO_NUMBERS:
        return word
    for prefix in ("وال", "ال", "و", "ب", "ل"):
        if word.startswith(prefix) and word[len(prefix) :] in _arabic():
            return word[len(prefix) :]
    return word


def _ordinal(words: Sequence[str], place: int) -> Figure | None:
    word = words[place]
    value = _ordinals().get(word)
    following = words[place + 1] if place + 1 < len(words) else ""
    if value is None and (following.startswith("siecle") or following in ("e", "eme")):
        value = _french()["roman"].get(word)
    return None if value is None else Figure(value, place, place + 1, is_ordinal=True)


def values_in(words: Sequence[str]) -> set[float]:
    """Every number that a text can be said to carry: each as a whole, its parts, and what alternatives leave open.

    `سبع أو ثمان وأربعين` are 47 and 48.
    """
    found = list(figures(words))
    values: set[float] = {figure.value for figure in found}
    arabic = _arabic()
    for figure in found:
        parts = [arabic[bare] for word in words[figure.first : figure.last] if (bare := _bare(word)) in arabic]
        for begin in range(len(parts)):
            for end in range(begin + 1, len(parts) + 1):
                values.add(sum(parts[begin:end]))
    for one, other in pairwise(found):
        between = words[one.last : other.first]
        if between in (["او"], ["وقيل"], ["قيل"], ["ou"]) and one.value < other.value % _HUNDRED:
            values.add(other.value - other.value % _TEN + one.value)
    return values
