"""A name that is asked for, as the database looks it up: what `find_spelt` and `find_sounding` are given.

The tiers and what each asks for are told in docs/contract.md, "How a narrator is searched".
"""

from functools import lru_cache
from typing import Final

from isnad_gateway.domain.fold import late
from isnad_gateway.domain.name_keys import arabic_key, latin_key, latin_sounds

_ARABIC_LETTER: Final = late("[\u0621-\u064a\ufb50-\ufdff\ufe70-\ufefc]")
_LONGEST_KEY: Final = 255  # letters; the database cuts its keys there, too
_MOST_WORDS: Final = 12  # whose sounds are looked up
_SON: Final = ("بن", "bn")  # which tell nobody apart
_KUNYAS: Final = ("abu-", "umm-")
_KUNYA_BEGUN: Final = late(" اب[ويا]$")
_COMPOUND_BEGUN: Final = late(" (?:اب[ويا]|عبد|عبيد)$")


def name_query(query: str, language: str) -> dict[str, str | None]:
    """What is looked up for a name.

    Args:
        query: the name as it was given.
        language: `ar`, `latin`, or `auto`: Arabic where it holds an Arabic letter.

    Returns:
        What `find_spelt` is given: `asked`, the name's key; `contained`, what a form holds that holds the name; `held`, the
        words that a form must hold, with blanks between, or None. Of a name with words in Latin letters, what `find_sounding`
        is given: these and `any_words`, a `tsquery`, each word with or without its article, or after its kunya's first part,
        or by a sound that it can have in Arabic; and `sounds`: by word, the likeliest first, with blanks between sounds and
        bars between words.
    """
    is_arabic = language == "ar" or (language == "auto" and _ARABIC_LETTER().search(query) is not None)
    key = (arabic_key if is_arabic else latin_key)(query)[:_LONGEST_KEY]
    words = [word for word in key.split(" ") if word and word not in _SON]
    # A name that breaks off within a compound (`زكريا بن أبي`) is the beginning of one.
    breaks_off = _COMPOUND_BEGUN().search(key) is not None
    contained = f" {key[:-3]}ابو-" if _KUNYA_BEGUN().search(key) else f" {key}" if breaks_off else f" {key} "
    held = words[:-1] if breaks_off else words
    looked_up = {"asked": key, "contained": contained, "held": " ".join(held) or None}
    if not held or _ARABIC_LETTER().search(key) is not None:
        return looked_up
    return {
        **looked_up,
        "any_words": "&".join(map(_any_of, held[:_MOST_WORDS])),
        "sounds": "|".join(" ".join(latin_sounds(word)) for word in held[:_MOST_WORDS]),
    }


@lru_cache(maxsize=4096)
def _any_of(word: str) -> str:
    """What a Latin word may be written as: its part of `any_words`."""
    writings = [word, word.removeprefix("al-") if word.startswith("al-") else f"al-{word}"]
    if word.startswith(_KUNYAS):
        writings.append(word.partition("-")[2])
    return "('" + "'|'".join(writings) + "'|'~" + "'|'~".join(latin_sounds(word)) + "')"
