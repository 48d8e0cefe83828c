"""A name that is asked for, as the database looks it up: the parameters of `find_names`.

The tiers and what each asks for are told in docs/contract.md, "How a narrator is searched".
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from isnad_gateway.domain.fold import late
from isnad_gateway.domain.name_keys import arabic_key, latin_key, latin_sounds

_ARABIC_LETTER: Final = late("[\u0621-\u064a\ufb50-\ufdff\ufe70-\ufefc]")
_LONGEST_KEY: Final = 255  # letters; the database cuts its keys there, too
_MOST_WORDS: Final = 12  # whose sounds are looked up
_VOWELS: Final = str.maketrans("", "", "VAYEawy")
_ENDING: Final = late("[ht](?= |$)")
_SON: Final = ("بن", "bn")  # which tell nobody apart
_KUNYAS: Final = ("abu-", "umm-")
_KUNYA_BEGUN: Final = late(" اب[ويا]$")
_COMPOUND_BEGUN: Final = late(" (?:اب[ويا]|عبد|عبيد)$")


def name_query(query: str, language: str) -> dict[str, Any]:
    """What is looked up for a name.

    Args:
        query: the name as it was given.
        language: `ar`, `latin`, or `auto`: Arabic where it holds an Arabic letter.

    Returns:
        `asked`: the name's key; `asked_padded`: what a form holds that holds the name; `all_words`: the words that a form
        must hold, as a `tsquery`, or None; `any_words`: the same of a name without an Arabic letter, each word with or
        without its article, or after its kunya's first part, or by a sound that it can have in Arabic; `sounds`: these, by
        word, the likeliest first, with blanks between; `rough_words`: as `any_words`, by what is sure of the sounds. All three
        are None of any other name.
    """
    is_arabic = language == "ar" or (language == "auto" and _ARABIC_LETTER().search(query) is not None)
    key = (arabic_key if is_arabic else latin_key)(query)[:_LONGEST_KEY]
    words = [word for word in key.split(" ") if word and word not in _SON]
    # A name that breaks off within a compound (`زكريا بن أبي`) is the beginning of one.
    breaks_off = _COMPOUND_BEGUN().search(key) is not None
    padded = f" {key[:-3]}ابو-" if _KUNYA_BEGUN().search(key) else f" {key}" if breaks_off else f" {key} "
    looked_up = {
        "asked": key,
        "asked_padded": padded,
        "all_words": _together([f"'{word}'" for word in (words[:-1] if breaks_off else words)]),
        "rough_words": None,
        "any_words": None,
        "sounds": None,
    }
    if _ARABIC_LETTER().search(key) is not None:
        return looked_up
    alike = [_alike(word) for word in words[:_MOST_WORDS]]
    return {
        **looked_up,
        "rough_words": _together([rough for rough, _, _ in alike]),
        "any_words": _together([exact for _, exact, _ in alike]),
        "sounds": [sounds for _, _, sounds in alike],
    }


def _together(parts: list[str]) -> str | None:
    return "&".join(parts) or None


@lru_cache(maxsize=4096)
def _alike(word: str) -> tuple[str, str, str]:
    """What a Latin word may be written as: its part of `rough_words` and of `any_words`, and its sounds."""
    writings = [word, word.removeprefix("al-") if word.startswith("al-") else f"al-{word}"]
    if word.startswith(_KUNYAS):
        writings.append(word.partition("-")[2])
    sounds = " ".join(latin_sounds(word))
    # As the database's `rough_sound` says.
    rough = dict.fromkeys(_ENDING().sub("", sounds.replace("sh", "c").translate(_VOWELS)).split(" "))
    return _any_of(writings, "~~", rough), _any_of(writings, "~", sounds.split(" ")), sounds


def _any_of(writings: list[str], mark: str, sounds: Iterable[str]) -> str:
    return "('" + "'|'".join([*writings, *(mark + sound for sound in sounds)]) + "')"
