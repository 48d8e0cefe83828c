"""The Python mirror of the keys under which the database finds names: for queries, and for code that has no database.

The one authority are the SQL functions `isnad_arabic_key`, `isnad_latin_key`, `arabic_sound` and `latin_sounds`
(docs/contract.md, "How a narrator is searched"); a test holds this mirror equal to them. The steps are theirs, in their
order.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import product
from typing import Any, Final, TypeAlias

from isnad_gateway.domain.fold import fold, late

# A step: what a name has to hold for it to change anything (looked for first, which is cheap); the pattern, or None where it
# is that text; and what comes in its place.
_Step: TypeAlias = tuple[str, re.Pattern[str] | None, Any]


def _steps(*told: tuple[str, str | None, str]) -> Callable[[], tuple[_Step, ...]]:
    """Steps that are prepared when the first name comes, for a function's start to be short."""

    @cache
    def prepared() -> tuple[_Step, ...]:
        return tuple((held, pattern and re.compile(pattern), _filling(by)) for held, pattern, by in told)  # type: ignore[misc]

    return prepared


def _filling(by: str) -> str | Callable[[re.Match[str]], str]:
    """A text with a group is filled in where there is a match; `re` would prepare it in Python for each name."""
    return (lambda match: match.expand(by)) if "\\" in by else by


_ARABIC_STEPS: Final = _steps(
    (
        "",
        (
            r" (?:رضي الله (?:تعالي )?عنه(?:ما|م|ن|ا)?|رحمه(?:ما|م|ا)? الله(?: تعالي)?"
            r"|صلي الله عليه (?:واله )?وسلم|عليه(?:ا|ما)? السلام|يعني|تعني|هو|وهو|هي|وهي)(?= )"
        ),
        "",
    ),
    (" عب", r" (عبد|عبيد) (?=ال[^ ])", r" \1"),
    (" ابن ", r" ابن(?= )", " بن"),
    (" اب", r" اب[اوي] (?!بن )(?=[^ ])", " ابو-"),
    (" ام ", r" ام (?!بن )(?=[^ ])", " ام-"),
)
_NO_WORD: Final = late(r"[\W_]+")

_LETTERS: Final = {
    "ḫ": "kh", "ẖ": "kh", "ġ": "gh", "ḡ": "gh", "ğ": "gh", "ḏ": "dh", "đ": "dh", "ṯ": "th", "š": "sh", "ş": "sh",
    "ǧ": "j", "ž": "j", "ç": "s", "ö": "u", "ü": "u", "ı": "i", "ħ": "h", "œ": "u", "æ": "a",
}  # fmt: skip
_GROUPS: Final = (
    ("sch", "sh"), ("ch", "sh"), ("dj", "j"), ("ph", "f"), ("ck", "k"), ("c", "k"), ("x", "ks"), ("v", "w"), ("p", "b"),
    ("oo", "u"), ("ee", "i"),
)  # fmt: skip
_LATIN_MARKS: Final = late("[\u0300-\u036f]")
_AYN: Final = str.maketrans(dict.fromkeys("ʿʾʻʼ‘’'`´′ˁˀ‛ʹ", "_"))
_BEFORE_WORDS: Final = _steps(
    ("ou", r"ou(?=[aeiu])", "w"), ("ou", None, "u"), ("o", None, "u"),
    ("ei", None, "ay"), ("ey", None, "ay"), ("ae", None, "a_i"),
    ("e", r"(?:(?<=m)e(?=d(?!\w))|e(?=h(?!\w)))", "a"),
    ("ne", r"(?<=[aiu]n)e(?!\w)", ""), ("e", None, "i"),
    ("ai", None, "ay"), ("au", None, "aw"),
    ("", r"i_?y*_?(?=[au])|yy", "y"),
    ("", r"u_?w*_?(?=a)|ww", "w"),
    ("", r"([aiu])(?:_?\1)+", r"\1"), ("_", None, ""),
    ("ss", r"ss(?!a)|(?<!a)ss", "s"),
)  # fmt: skip
_NO_LATIN: Final = late("[^a-z]+")
_WORDS: Final = tuple((f" {word} ", f" {by} ") for word, by in {
    "sayd": "said", "aysha": "aisha", "ayisha": "aisha", "ismayl": "ismail", "wayl": "wail", "aydh": "aidh",
    "zayda": "zaida", "mikayl": "mikail", "dawd": "dawud", "daud": "dawud", "taws": "tawus", "taus": "tawus",
    "muhamad": "muhammad", "usman": "uthman", "amru": "amr", "bikr": "bakr", "is haq": "ishaq",
}.items())  # fmt: skip
_ENDINGS: Final = _steps(
    ("a", r"(?<=[a-z]{2})(?<!ll)a[ht](?= )", "a"),
    ("y ", r"(?<![au ])i?y(?= )", "i"),
)
_PARTICLES: Final = _steps(
    ("b", r" (?:i?bn[aiu]?|bin|b)(?= )", " bn"),
    ("l ", r" (bn|ab|i?bn)[aiu]l(?= )", r" \1 al"),
    (" ab", r" ab[aiu]?(?= )", " abu"),
    ("la", r" (abd|ubayd) ?[aiu]l ?lah?(?= )", r" \1allah"),
    (" abd", r" abd(?:[aiu]| [aiu])l ?(?=[a-km-z])", " abdal"),
    (" abd", r" abd[aiu]? ?[aiu]?(th|dh|sh|[tdrzsn]) ?(\1)", r" abdal\2"),
    ("l ", r" [aiu]?l (?=[a-z])", " al-"),
    ("", r" [aiu]?(th|dh|sh|[tdrzsn]) (\1)", r" al-\2"),
    (" abu ", r" abu (?!bn )(?=[a-z])", " abu-"),
    (" um", r" umm? (?!bn )(?=[a-z])", " umm-"),
)
_BEFORE_ARTICLE: Final = late(r"_(?=(?:th|dh|sh|[tdrzsn])-)")


def _stepped(key: str, steps: Callable[[], tuple[_Step, ...]]) -> str:
    for held, pattern, by in steps():
        if held in key:
            key = key.replace(held, by) if pattern is None else pattern.sub(by, key)
    return key


def arabic_key(name: str) -> str:
    """An Arabic name as it is compared: `أبا بكر ابن عبد الله` is `ابو-بكر بن عبدالله`."""
    return arabic_key_of_folded(_NO_WORD().sub(" ", fold(name)))


def arabic_key_of_folded(words: str) -> str:
    """The same of words that are folded already, with one blank between them."""
    return _stepped(f" {words.strip()} ", _ARABIC_STEPS).strip()


@lru_cache(maxsize=4096)
def latin_key(name: str) -> str:
    """A Latin name as it is compared: `Ḥammâd ben Zeyd` and `Hammad b. Zayd` are `hammad bn zayd`."""
    key = unicodedata.normalize("NFKC", name).lower()
    if not key.isascii():
        for letter, by in _LETTERS.items():
            key = key.replace(letter, by)
        key = _LATIN_MARKS().sub("", unicodedata.normalize("NFD", key))
    key = key.translate(_AYN)
    if "_" in key:
        key = _BEFORE_ARTICLE().sub(" ", key)
    for group, by in _GROUPS:
        key = key.replace(group, by)
    key = f" {_NO_LATIN().sub(' ', _stepped(key, _BEFORE_WORDS)).strip()} "
    key = _stepped(key, _ENDINGS)
    for word, by in _WORDS:
        key = key.replace(word, by)
    key = _stepped(key, _PARTICLES)
    return key.strip()


_SOUND_APART: Final = {"عمر": "1", "عمرو": "2", "عبدالله": "3", "عبيدالله": "4"}
_LATIN_APART: Final = {"umar": "1", "amr": "2", "abdallah": "3", "ubaydallah": "4"}
_ARABIC_LETTERS: Final = str.maketrans("بتثجحخدذرزسشصضطظغفقكلمنهوياعء", "bttjhxddrdscsdtdgfkklmnhwya\0\0")
_DROPPED: Final = "\0"
_LAST_LETTERS: Final = {"ه": "A", "ا": "A", "ي": "Y", "ع": "E"}


@lru_cache(maxsize=65_536)
def arabic_sound(word: str) -> str:
    """The sound of a word of an Arabic key; names that are not the same may share one."""
    bare, head = word, ""
    if word.startswith("ابو-"):
        bare, head = word[4:], "B"
    elif word.startswith("ام-"):
        bare, head = word[3:], "M"
    if bare in _SOUND_APART:
        return head + _SOUND_APART[bare]
    if bare.startswith("عبدال") and len(bare) > len("عبدال"):
        head, bare = head + "D", bare[5:]
    elif bare.startswith("ال") and len(bare) >= len("ال") + 2:
        bare = bare[2:]
    first = "V" if bare[:1] in ("ا", "ع") else bare[:1]
    rest = bare[1:]
    if rest.endswith("اء"):
        rest = rest[:-2] + "A"
    elif rest[-1:] in _LAST_LETTERS:
        rest = rest[:-1] + _LAST_LETTERS[rest[-1]]
    return head + (first + rest).translate(_ARABIC_LETTERS).replace(_DROPPED, "")


def arabic_initial(word: str) -> str:
    """What the sound of a word begins with, by which many need not be sounded out; a test holds it to `arabic_sound`."""
    if word.startswith(("ابو-", "ام-")):
        return "B" if word[1] == "ب" else "M"
    if word in _SOUND_APART:
        return _SOUND_APART[word]
    if word.startswith("عبدال") and len(word) > len("عبدال"):
        return "D"
    bare = word[2:] if word.startswith("ال") and len(word) >= len("ال") + 2 else word
    return "V" if bare[0] in "اع" else bare[0].translate(_ARABIC_LETTERS)


_LATIN_SOUNDS: Final = (
    ("g", "j"),
    ("jh", "g"),
    ("kh", "x"),
    ("th", "t"),
    ("dh", "d"),
    ("sh", "c"),
    ("z", "d"),
    ("q", "k"),
)
_DOUBLED: Final = late(r"([^aiu])\1")
_PART: Final = late("[aiuwyhc]|[^aiuwyhc]+")
_FIRST: Final = {"a": ("V", "Va"), "i": ("V", "Vy"), "u": ("V", "Vw"), "y": ("y", "Vy"), "w": ("w", "Vw")}
_LAST: Final = {
    "a": ("A", "Y", "aA", "ah", "at", "aE", "E"), "i": ("Y", "yE", "E"), "u": ("w", "wE", "E"), "h": ("h", "A"),
}  # fmt: skip
_INNER: Final = {"a": ("", "a"), "c": ("c", "sh"), "i": ("", "y"), "u": ("", "w")}
_MAX_SOUNDS: Final = 64  # a word of so many vowels is no name


@lru_cache(maxsize=4096)
def latin_sounds(word: str) -> tuple[str, ...]:
    """The sounds that a word of a Latin key can have in Arabic letters, the likeliest first."""
    bare, head = word, ""
    if word.startswith("abu-"):
        bare, head = word[4:], "B"
    elif word.startswith("umm-"):
        bare, head = word[4:], "M"
    bare = bare.removeprefix("al-")
    if bare in _LATIN_APART:
        return (head + _LATIN_APART[bare],)
    if bare.startswith("abdal") and len(bare) >= len("abdal") + 2:
        head, bare = head + "D", bare[5:]
    for letters, by in _LATIN_SOUNDS:
        bare = bare.replace(letters, by)
    parts = _PART().findall(_DOUBLED().sub(r"\1", bare))
    choices: list[tuple[str, ...]] = [(head,)]
    count = 1
    for place, part in enumerate(parts):
        options = _options(parts, place) or (part,)
        choices.append(options if count <= _MAX_SOUNDS else options[:1])
        count *= len(choices[-1])
    return tuple(dict.fromkeys(map("".join, product(*choices))))


def _options(parts: list[str], place: int) -> tuple[str, ...] | None:
    """What the letters at a place of a word can be in Arabic; None where they are what they are."""
    part = parts[place]
    if place == 0:
        return _FIRST.get(part)
    if place == len(parts) - 1:
        return _LAST.get(part)
    if part in ("w", "y") and parts[place - 1] not in ("a", "i", "u"):
        return ("", part)
    return _INNER.get(part)
