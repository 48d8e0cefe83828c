"""The persons that an answer names: where names begin and end, in Latin and in Arabic letters."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from isnad_gateway.domain.coherence import vocabulary
from isnad_gateway.domain.coherence.citations import bare
from isnad_gateway.domain.coherence.spoken import Span, Spoken, folded_word
from isnad_gateway.domain.name_keys import arabic_key, arabic_sound, latin_key, latin_sounds

_LINKS: Final = frozenset({"bn", "bint"})
_HEADS: Final = frozenset({"abu", "umm", "bn", "abd", "ubayd", "bint", "abdul"})
_ARTICLES: Final = frozenset(
    {
        "al",
        "il",
        "ul",
        "l",
        "at",
        "as",
        "ash",
        "az",
        "an",
        "ad",
        "ar",
        "ath",
        "adh",
        "is",
        "ir",
        "iz",
        "id",
        "it",
        "in",
        "w",
    }
)
_LOWER_PARTS: Final = frozenset(
    {
        "ibn",
        "bin",
        "ben",
        "b",
        "bint",
        "abi",
        "abu",
        "abou",
        "al",
        "el",
        "ul",
        "as",
        "at",
        "ar",
        "az",
        "an",
        "ad",
        "ash",
        "ath",
        "adh",
        "l",
        "z",
        "umm",
        "oum",
        "abd",
        "mawla",
        "es",
        "et",
        "er",
        "ez",
        "en",
        "ed",
    }
)
_ARABIC_LINKS: Final = frozenset({"بن", "ابن", "بنت"})
_ARABIC_HEADS: Final = frozenset({"ابن", "ابو", "ابي", "ابا", "ام", "عبد", "عبيد"})
_MAX_NAME: Final = 14
_TRIBES: Final = frozenset({"banu", "bani", "bana"})
_LITTLE: Final = 4  # little words in a row within a name: `ibn abi l-`
_FATHERLESS: Final = frozenset({"ابنه", "ابيه", "ابوه", "امه"})


@cache
def _unnarrated() -> tuple[frozenset[tuple[str, ...]], frozenset[str]]:
    """Whom and what no chain names as a narrator: keys of Latin names, folded Arabic ones."""
    entries = vocabulary.read("names")["not_narrators"]
    latin = {words_of(name) for entry in entries for name in entry["latin"]}
    arabic = {bare(word) for entry in entries for name in entry["ar"] for word in [name]}
    return frozenset(latin), frozenset(arabic)


@cache
def _given() -> tuple[frozenset[str], frozenset[str]]:
    """The sounds and the folded words of given names that narrators bear."""
    names = [name for entry in vocabulary.read("names")["given_names"] for name in entry["ar"]]
    keys = [arabic_key(name) for name in names]
    return frozenset(arabic_sound(key) for key in keys), frozenset(bare(key) for key in keys)


@cache
def words_of(name: str) -> tuple[str, ...]:
    """The words of a Latin name's key that tell it: without articles and `ibn`."""
    words = [word.removeprefix("al-") for word in latin_key(name).split()]
    return tuple(word for word in words if word not in _LINKS and word not in _ARTICLES)


@cache
def _not_nisbas() -> frozenset[str]:
    return frozenset(vocabulary.read("phrases")["not_nisbas"]["say"])


def latin_names(spoken: Spoken, taken: Sequence[bool]) -> Iterator[Span]:
    """The names in Latin letters.

    Args:
        spoken: the answer.
        taken: for each word, whether it names a work or an author.
    """
    cued = {span.last for span in spoken.find(vocabulary.person_cues()["latin"])}
    place = 0
    while place < len(spoken.words):
        end = _latin_end(spoken, place, taken)
        if end == place:
            place += 1
            continue
        span = _trimmed(spoken, Span(place, end))
        if span is not None and _is_name(spoken, span, is_cued=span.first in cued or place in cued):
            yield span
        place = end


def _latin_end(spoken: Spoken, place: int, taken: Sequence[bool]) -> int:
    """Where a run of capital words, and the little words within names, ends; the place itself where none begins."""
    end = place
    while end < len(spoken.words) and end - place < _MAX_NAME and not taken[end]:
        word = spoken.words[end]
        if end > place and not _touches(spoken, end):
            break
        if not (_is_capital(spoken, end) or (word.folded in _LOWER_PARTS and _leads_on(spoken, end, taken))):
            break
        end += 1
    return end


def _touches(spoken: Spoken, place: int) -> bool:
    """Whether only blanks, a hyphen, an apostrophe or the point of `b.` part a word from the one before it."""
    gap = spoken.text[spoken.words[place - 1].end : spoken.words[place].start]
    return gap.strip(" \t-'") in ("", ".") and (gap.strip() != "." or len(spoken.words[place - 1].folded) == 1)


def _is_capital(spoken: Spoken, place: int) -> bool:
    word = spoken.words[place]
    return spoken.text[word.start].isupper() and "a" <= word.folded[0] <= "z"


def _leads_on(spoken: Spoken, place: int, taken: Sequence[bool]) -> bool:
    """Whether a name goes on after little words: `ibn al-Hajjaj`."""
    at = place
    while at < len(spoken.words) and at - place < _LITTLE and spoken.words[at].folded in _LOWER_PARTS:
        at += 1
    return (
        at < len(spoken.words)
        and at > place
        and _is_capital(spoken, at)
        and not taken[at]
        and all(_touches(spoken, between) for between in range(place + 1, at + 1))
    )


def _trimmed(spoken: Spoken, span: Span) -> Span | None:
    """A run without the French words that it begins or ends with (`Selon Anas`)."""
    first, last = span.first, span.last
    while first < last and spoken.words[first].folded in vocabulary.capitals():
        first += 1
    while first < last and (
        spoken.words[last - 1].folded in vocabulary.capitals() or spoken.words[last - 1].folded in _LOWER_PARTS
    ):
        last -= 1
    return Span(first, last) if first < last else None


def _is_name(spoken: Spoken, span: Span, *, is_cued: bool) -> bool:
    words = spoken.words[span.first : span.last]
    if any(word.folded in vocabulary.capitals() for word in words):
        return False
    keys = [latin_key(spoken.text[word.start : word.end]) for word in words]
    name = words_of(spoken.said(span))
    if not name or name in _unnarrated()[0] or all((word,) in _unnarrated()[0] for word in name):
        return False
    if keys[0] in _TRIBES:
        return False
    if is_cued or any(key in _HEADS for key in keys[:-1]) or keys[0] in _ARTICLES:
        return True
    return any(not _given()[0].isdisjoint(latin_sounds(word)) for word in name)


def starts_with_article(spoken: Spoken, span: Span) -> bool:
    """Whether a Latin name is one word behind an article (`al-Zuhri`), as many words that are no names are."""
    words = spoken.words[span.first : span.last]
    return len(words) == len(("al", "Zuhri")) and latin_key(words[0].folded) in _ARTICLES


def arabic_names(spoken: Spoken, taken: Sequence[bool]) -> Iterator[Span]:
    """The names in Arabic letters: around `بن`, after Abu, Umm, Ibn and Abd, and after words that announce a person."""
    words = [word.folded for word in spoken.words]
    cued = {span.last for span in spoken.find(vocabulary.person_cues()["arabic"])}
    place = 0
    while place < len(words):
        end = _arabic_end(words, place, spoken)
        if (
            end > place
            and not any(taken[place:end])
            and _is_arabic_name(words, Span(place, end), is_cued=place in cued)
        ):
            yield Span(place, end)
        place = max(end, place + 1)


def _arabic_end(words: Sequence[str], place: int, spoken: Spoken) -> int:
    """Where the name that begins at a word ends; the place itself where none does."""
    end = _one_arabic(words, place)
    while end > place and end + 1 < len(words) and _is_link(words, end) and _same_clause(spoken, place, end + 1):
        following = _one_arabic(words, end + 1)
        if following == end + 1:
            break
        end = following
    while end > place and end < len(words) and _is_nisba(words[end]) and _same_clause(spoken, place, end):
        end += 1
    return end


def _is_link(words: Sequence[str], place: int) -> bool:
    """Whether a word joins two names; `ابن` mostly begins one."""
    return words[place] in ("بن", "بنت") or (words[place] == "ابن" and bare(words[place - 1]) in _given()[1])


def _same_clause(spoken: Spoken, place: int, other: int) -> bool:
    return spoken.words[place].clause == spoken.words[other].clause


def _is_nisba(word: str) -> bool:
    return word.startswith("ال") and word.endswith("ي") and len(word) > len("الي") + 1 and word not in _not_nisbas()


def _one_arabic(words: Sequence[str], place: int) -> int:
    """Where one name (`عبد الله`, `ابو هريره`, `مالك`) ends."""
    word = words[place]
    if not "\u0621" <= word[0] <= "\u064a":
        return place
    if word.lstrip("ول") in _ARABIC_HEADS or word in _ARABIC_HEADS:
        inner = place + 1
        if inner >= len(words) or not "\u0621" <= words[inner][0] <= "\u064a":
            return place
        head = word if word in _ARABIC_HEADS else word.lstrip("ول")
        if head in ("عبد", "عبيد"):
            return inner + 1 if words[inner].startswith("ال") else place
        return _one_arabic(words, inner) if words[inner] in ("ابي", "عبد", "ام", "عبيد") else inner + 1
    return place + 1


def _is_arabic_name(words: Sequence[str], span: Span, *, is_cued: bool) -> bool:
    name = words[span.first : span.last]
    if name[0] in _FATHERLESS or any(word in ("رسول", "نبي", "النبي", "الرسول") for word in name):
        return False
    told = [bare(word) for word in name if word not in _ARABIC_LINKS]
    if all(word in _unnarrated()[1] for word in told) or bare(" ".join(name)) in _unnarrated()[1]:
        return False
    if any(word in _ARABIC_LINKS for word in name[1:]):
        return True
    if name[0].lstrip("ول") in _ARABIC_HEADS and len(name) > 1:
        return True
    is_given = bare(name[0]) in _given()[1] and (len(name) > 1 or name[0] != "علي")  # on its own it is the word `على`
    is_in_chain = span.first > 0 and words[span.first - 1] in ("عن", "وعن") and is_given
    is_listed = (
        is_given
        and span.first > 0
        and (bare(words[span.first - 1]) in _given()[1] or words[span.first - 2 : span.first - 1] in (["ابن"], ["بن"]))
    )
    is_in_chain = is_in_chain or (is_listed and name[0] != "وعن")
    is_full = is_given and len(name) > 1 and _is_nisba(name[-1])
    return is_in_chain or is_full or (is_cued and (is_given or _is_nisba(name[0])))


@cache
def regions() -> frozenset[str]:
    """Names of origin that say where somebody lived."""
    return frozenset(folded_word(name) for entry in vocabulary.read("names")["regions"] for name in entry["ar"])
