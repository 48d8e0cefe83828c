"""A name that is asked for, as the database looks it up: the parameters of `find_names`.

The tiers and what each asks for are told in docs/contract.md, "How a narrator is searched".
"""

import re
from typing import Any, Final

from isnad_gateway.domain.name_keys import arabic_key, latin_key, latin_sounds

_ARABIC_LETTER: Final = re.compile("[\u0621-\u064a\ufb50-\ufdff\ufe70-\ufefc]")
_LONGEST_KEY: Final = 255  # letters; the database cuts its keys there, too
_MOST_WORDS: Final = 12  # whose sounds are looked up
_SON: Final = ("بن", "bn")  # which tell nobody apart
_KUNYAS: Final = ("abu-", "umm-")
_KUNYA_BEGUN: Final = re.compile(" اب[ويا]$")
_COMPOUND_BEGUN: Final = re.compile(" (?:اب[ويا]|عبد|عبيد)$")


def name_query(query: str, language: str) -> dict[str, Any]:
    """What is looked up for a name.

    Args:
        query: the name as it was given.
        language: `ar`, `latin`, or `auto`: Arabic where it holds an Arabic letter.

    Returns:
        `asked`: the name's key; `asked_padded`: what a form holds that holds the name; `all_words`: the words that a form
        must hold, as a `tsquery`, or None; `any_words`: the same of a name without an Arabic letter, each word with or
        without its article, or after its kunya's first part, or by a sound that it can have in Arabic; `sounds`: these, by
        word, the likeliest first, with blanks between. Both are None of any other name.
    """
    is_arabic = language == "ar" or (language == "auto" and _ARABIC_LETTER.search(query) is not None)
    key = (arabic_key if is_arabic else latin_key)(query)[:_LONGEST_KEY]
    words = [word for word in key.split(" ") if word and word not in _SON]
    # A name that breaks off within a compound (`زكريا بن أبي`) is the beginning of one.
    breaks_off = _COMPOUND_BEGUN.search(key) is not None
    padded = f" {key[:-3]}ابو-" if _KUNYA_BEGUN.search(key) else f" {key}" if breaks_off else f" {key} "
    looked_up = {
        "asked": key,
        "asked_padded": padded,
        "all_words": _together([f"'{word}'" for word in (words[:-1] if breaks_off else words)]),
        "any_words": None,
        "sounds": None,
    }
    if _ARABIC_LETTER.search(key) is not None:
        return looked_up
    sounds = [latin_sounds(word) for word in words[:_MOST_WORDS]]
    any_words = [_any_of(*pair) for pair in zip(words, sounds, strict=False)]
    return {**looked_up, "any_words": _together(any_words), "sounds": [" ".join(each) for each in sounds]}


def _together(parts: list[str]) -> str | None:
    return "&".join(parts) or None


def _any_of(word: str, sounds: tuple[str, ...]) -> str:
    """A Latin word as a part of a `tsquery`: as it is, with or without its article, without its `abu`, or by its sound."""
    writings = [word, word.removeprefix("al-") if word.startswith("al-") else f"al-{word}"]
    if word.startswith(_KUNYAS):
        writings.append(word.partition("-")[2])
    return "('" + "'|'".join([*writings, *(f"~{sound}" for sound in sounds)]) + "')"
