"""Finds the compiler's own remarks in the records of Sahih al-Bukhari and Sahih Muslim.

A record often ends with words that are the compiler's, not the Prophet's: `قال أبو عبد الله` is al-Bukhari, who explains a
word or names a narrator. Rather too few than one too many: whatever could be part of the hadith or of a chain is left out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

READER: Final = "compiler-remarks 1"
"""What found the remarks, as provenance names it."""

_MARKS: Final = "[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]*"
_ALEF: Final = "[\u0627\u0623\u0625\u0622\u0671]"


def _words(*words: str) -> str:
    """A pattern for words one after another, whatever marks stand on their letters; an alef is any alef."""
    letters = (("".join((_ALEF if c == "ا" else c) + _MARKS for c in word)) for word in words)
    return rf"[\s{_MARKS[1:-2]}]+".join(letters)


def _any_of(*phrases: str) -> str:
    return "|".join(_words(*phrase.split()) for phrase in phrases)


_WORD_START: Final = r"(?<![\u0621-\u065f\u0670])"
_WORD_END: Final = r"(?![\u0621-\u065f\u0670])"

_OPENINGS: Final = {
    "bukhari": _any_of("قال ابو عبد الله", "قال محمد بن اسماعيل"),
    "muslim": _any_of("قال مسلم بن الحجاج", "قال ابو الحسين مسلم")
    + rf"|(?:{_words('قال', 'مسلم')})(?!\s*{_words('بن')})",
}
"""How a compiler names himself: kunya and name, from the collections' title pages."""

# What may be the Prophet's words, a report of him, or a chain. A remark that holds any of it is left out.
_FORBIDDEN: Final = re.compile(
    rf"{_WORD_START}[وف]?{_MARKS}(?:"
    + _any_of(
        "حدثنا", "حدثني", "حدثناه", "حدثنيه", "حدثت", "اخبرنا", "اخبرني", "اخبرناه", "انبانا", "انباني", "سمعت", "سمع",
        "سمعا", "سمعوا", "قرات", "قرانا", "كتبت", "كتب", "ذكر لي", "قال لي", "قال لنا", "عن", "زادني", "زادنا", "النبي", "نبي الله",
        "رسول", "الرسول", "صلي الله عليه", "صلى الله عليه",
    )
    + rf"){_WORD_END}|\"|«|»|\ufdfa|\ufffd"
)  # fmt: skip
_INVISIBLE: Final = "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
_NEXT_SPEAKER: Final = re.compile(
    rf"[\s{_INVISIBLE}]*(?:"
    + _any_of(
        "قال", "وقال", "فقال", "قالت", "وقالت", "قالا", "قالوا", "عن", "وعن", "وروي", "ورواه", "تابعه", "وتابعه"
    )
    + f"){_WORD_END}"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark: `text` is the record's own, from character `start` up to `end`, unchanged."""

    start: int
    end: int
    text: str


def find_remarks(collection: str, text: str) -> Iterator[Remark]:
    """Find the compiler's remarks in a record.

    Args:
        collection: the collection's code; one that is not known has no remarks.
        text: the record's text as stored.

    Yields:
        The remarks in the order of the text. One begins after the end of a sentence, outside a quotation, with the
        compiler's name for himself, and ends with a sentence. What could belong to the hadith or to a chain ends it; where
        that stands in its first sentence, there is no remark.
    """
    opening = _OPENINGS.get(collection)
    if opening is None:
        return
    openings = (found.start() for found in re.finditer(f"(?:{opening}){_WORD_END}", text))
    starts = [start for start in openings if _begins_a_sentence(text, start)]
    for place, start in enumerate(starts, start=1):
        end = _end(text, start, starts[place] if place < len(starts) else len(text))
        if end is not None:
            yield Remark(start, end, text[start:end])


def _begins_a_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip(" \n\t" + _INVISIBLE)
    return before.endswith(".") and before.count('"') % 2 == 0


def _end(text: str, start: int, limit: int) -> int | None:
    """Where the remark ends: sentence after sentence, as long as nothing stands in them that may be somebody else's."""
    end = None
    for sentence in re.finditer(r"[^.]*(?:\.|$)", text[start:limit]):
        words = sentence.group()
        if not words.strip(" \n\t." + _INVISIBLE):
            continue
        so_far = text[start : start + sentence.end()]
        if _FORBIDDEN.search(words) or (end is not None and _NEXT_SPEAKER.match(words)):
            break
        end = start + len(so_far.rstrip(" \n\t" + _INVISIBLE))
    if end is not None and (
        text.count("-", start, end) % 2 or text.count("{", start, end) != text.count("}", start, end)
    ):
        return None  # it ends in the middle of something
    return end
