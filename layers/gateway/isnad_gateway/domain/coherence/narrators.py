"""Narrators that are named, held against the names and texts of results (kind `narrator`)."""

import re
from collections.abc import Iterator, Sequence, Set
from functools import cached_property
from typing import Final

from isnad_gateway.domain.coherence.people import arabic_names, latin_names, regions, starts_with_article, words_of
from isnad_gateway.domain.coherence.reason import Reason
from isnad_gateway.domain.coherence.returned import Returned
from isnad_gateway.domain.coherence.spoken import Span, Spoken
from isnad_gateway.domain.name_keys import arabic_initial, arabic_key_of_folded, arabic_sound, latin_sounds

_MISSING: Final = "is named, and no result carries this name"
_GAP: Final = 6
"""How many words may stand between two words of a name in a result: `محمد بن مسلم بن عبيد الله الزهري`."""

_APART: Final = 100
_PROCLITICS: Final = frozenset("وفلبك")
_SHORTEST: Final = 3
_PROCLITIC: Final = re.compile("^[وفلبك](?=.{3})")
_ARABIC_WORD: Final = re.compile("[\u0621-\u064a]")


class Names:
    """The names that results carry, found by their letters or by their sound."""

    def __init__(self, returned: Returned) -> None:
        self._returned = returned

    @cached_property
    def _given(self) -> "_Keyed":
        """What results give as names: few, and most of what is asked for is among them."""
        names = " | ".join(self._returned.folded[name] for name in self._returned.names if _ARABIC_WORD.search(name))
        return _Keyed(names)

    @cached_property
    def _all(self) -> "_Keyed":
        """All Arabic of the results."""
        return _Keyed(self._returned.arabic_whole)

    @cached_property
    def _latin(self) -> list[tuple[str, ...]]:
        """The Latin names of the results, in keys."""
        return [words_of(name) for name in self._returned.names if not _ARABIC_WORD.search(name)]

    def carry_latin(self, name: str) -> bool:
        """Whether a Latin name is, in any usual spelling, a name of a result or stands in one of its Arabic texts."""
        words = words_of(name)
        if re.search(
            rf"(?<!\w){re.escape(name.lower())}(?!\w)", self._returned.latin_whole
        ):  # the title of a data set, say
            return True
        if not words or any(_in_order(words, known) for known in self._latin):
            return True
        return self._given.sounds_like(words) or self._all.sounds_like(words)

    def carry_arabic(self, words: Sequence[str]) -> bool:
        """Whether an Arabic name stands in a result, in whatever case and with whatever of its fathers left out."""
        key = arabic_key_of_folded(" ".join(words)).split()
        told = [word for word in key if word not in ("بن", "ابن", "بنت")]
        if not told:
            return True
        choices = [_spellings(word.removeprefix("ال")) for word in told]
        return self._given.hold(choices) or self._all.hold(choices)


def _spellings(word: str) -> frozenset[str]:
    """A word as it stands in a text, with what may be written together with it."""
    cases = {word, f"{word}ا"}  # the accusative of a name: جابرا
    if len(word) > _SHORTEST and word.endswith("ا"):
        cases.add(word[:-1])
    return frozenset(lead + article + case for case in cases for lead in ("", *_PROCLITICS) for article in ("", "ال"))


class _Keyed:
    """Arabic words in the keys of names, and their sounds."""

    def __init__(self, words: str) -> None:
        self.text = f" {arabic_key_of_folded(words)} "

    @cached_property
    def _by_initial(self) -> dict[str, list[tuple[str, str]]]:
        """The words by what their sound begins with, in each way to read what is written together with them."""
        initials: dict[str, list[tuple[str, str]]] = {}
        for word in set(self.text.split()):
            spellings = [word]
            if len(word) > _SHORTEST:
                if word[-1] == "ا":  # the accusative of a name: جابرا
                    spellings.append(word[:-1])
                if word[0] in _PROCLITICS:
                    spellings.append(word[1:])
            for spelling in spellings:
                initials.setdefault(arabic_initial(spelling), []).append((spelling, word))
        return initials

    @cached_property
    def _sounds(self) -> dict[str, dict[str, set[str]]]:
        return {}

    def _alike(self, sound: str) -> Set[str]:
        """The words of a sound; only those that begin like it are sounded out."""
        initial = sound[:1]
        if initial not in self._sounds:
            sounds: dict[str, set[str]] = {}
            for spelling, word in self._by_initial.get(initial, ()):
                sounds.setdefault(arabic_sound(spelling).replace("Y", "y"), set()).add(word)
            self._sounds[initial] = sounds
        return self._sounds[initial].get(sound.replace("Y", "y"), frozenset())

    def sounds_like(self, words: Sequence[str]) -> bool:
        """Whether words of these sounds stand in a row, with whatever of the fathers left out between them."""
        choices = []
        for word in words:
            alike = {found for sound in latin_sounds(word) for found in self._alike(sound)}
            if not alike:
                return False
            choices.append(alike)
        return self.hold(choices)

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """Where each word stands; two texts are farther apart than a name is long."""
        places: dict[str, list[int]] = {}
        at = 0
        for word in self.text.split():
            at += _APART if word == "|" else 1
            places.setdefault(word, []).append(at)
        return places

    def hold(self, choices: Sequence[Set[str]]) -> bool:
        """Whether words stand one after another, each one of some choices, with at most `_GAP` others between two."""
        reached: set[int] = set()
        for number, alike in enumerate(choices):
            places = [place for word in alike for place in self._places.get(word, ())]
            reached = {
                place for place in places if number == 0 or not reached.isdisjoint(range(place - _GAP - 1, place))
            }
            if not reached:
                return False
        return True


def _in_order(words: Sequence[str], known: Sequence[str]) -> bool:
    rest = iter(known)
    return all(word in rest for word in words)


def check(
    spoken: Spoken, names: Names, unnamed: int, taken: Sequence[bool], marked: Sequence[Span], asked: Names
) -> Iterator[tuple[Reason | None, Span]]:
    """Hold the names that an answer speaks against those that results carry.

    Args:
        spoken: the answer.
        names: the names of the results.
        unnamed: how many narrators results speak of by their id alone; so many names cannot be checked.
        taken: for each word, whether it names a work or an author, which are held against provenance.
        marked: what stands between quotation marks: there, a word with an article is Arabic in Latin letters, no name.
        asked: the names that the user said, which an answer may deny or leave open.

    Yields:
        For each name: why it is suspect, or None, and where it stands.
    """
    known: dict[str, bool] = {}
    passed: list[str] = []
    for span in (*latin_names(spoken, taken), *arabic_names(spoken, taken)):
        said = spoken.said(span)
        if _is_quoted_word(spoken, span, marked):
            continue
        if said not in known:
            known[said] = _is_carried(spoken, names, span)
        is_one_of_them = any(_are_one(said, other) for other in passed)
        if not (known[said] or is_one_of_them or spoken.is_mentioned(span.first)):
            is_left_open = spoken.is_denied(span.first) or spoken.is_hedged(span)
            if is_left_open and _is_carried(spoken, asked, span):
                yield None, span
                continue
            if len(passed) >= unnamed:
                yield Reason("narrator", said, _MISSING), span
                continue
            passed.append(said)
        yield None, span


def _is_quoted_word(spoken: Spoken, span: Span, marked: Sequence[Span]) -> bool:
    return starts_with_article(spoken, span) and any(quote.first <= span.first < quote.last for quote in marked)


def _is_carried(spoken: Spoken, names: Names, span: Span) -> bool:
    words = [word.folded for word in spoken.words[span.first : span.last]]
    if "a" <= words[0][0] <= "z":
        return names.carry_latin(spoken.said(span))
    while len(words) > 1 and words[-1] in regions():
        words.pop()
    return names.carry_arabic(words) or names.carry_arabic([_PROCLITIC.sub("", words[0]), *words[1:]])


def _are_one(one: str, other: str) -> bool:
    """Whether one of two Latin names is the other, shortened or spelt otherwise."""
    first, second = words_of(one), words_of(other)
    if not first or not second:
        return one == other
    return _in_order(first, second) or _in_order(second, first)
