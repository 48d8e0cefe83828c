"""The Python mirror of the SQL text fold, for code that has to compare names before a database is there.

The one authority is the SQL function `isnad_fold`; a test holds this mirror equal to it. A folded text is never
returned: it only decides which texts are compared as the same.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import cache, partial
from typing import Final


def late(pattern: str) -> Callable[[], re.Pattern[str]]:
    """A pattern that is prepared when it is first asked for, and not when a function starts: that takes .3 ms for each."""
    return cache(partial(re.compile, pattern))


# Harakat, superscript alef, high hamza, Quranic marks, tatweel and the spacing marks of the presentation forms; then
# soft hyphen, zero-width, bidi and other format controls, variation selectors.
_MARKS: Final = re.compile(
    "[\u0610-\u061a\u0640\u064b-\u065f\u0670\u0674\u06d6-\u06ed\u08ca-\u08ff\ufe70-\ufe7f"
    "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]+"
)
# Letters of which NFKC leaves every one as it is, once the marks are away: nearly every stored text holds no other.
_SIMPLE: Final = late("[\x00-\x7f\u0600-\u0674\u0679-\u06ff\u200b-\u200f\u2066-\u2069«»“”]*")
_BASMALA: Final = "\ufdfd"
_LETTERS: Final = str.maketrans(
    "\u0622\u0623\u0625\u0671\u0672\u0673\u0675\u0649\u06cc\u06d2\u06d3\u0626\u0678\u0624\u0676"
    "\u0629\u06c3\u06c0\u06c1\u06c2\u06be\u06d5\u06a9\u06aa٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹",
    "اااااااييييييووهههههههكك01234567890123456789",
)
_RANGES: Final = (*range(0x600, 0x700), *range(0x2000, 0x2070))
_LETTERS_WITHOUT_MARKS: Final[dict[int, str | None]] = {
    **{code: chr(by) for code, by in _LETTERS.items()},
    **{code: None for code in _RANGES if _MARKS.match(chr(code))},
}
_COMMON: Final = tuple(
    (letter, _LETTERS_WITHOUT_MARKS[ord(letter)] or "")
    for letter in "\u064e\u064f\u0650\u0651\u0652\u064b\u064c\u064d\u0670\u0640\u200e\u200fأإآىئؤة"
)
_SHORT: Final = 100  # letters, up to which one pass is as quick
_OTHER: Final = late(f"[{''.join(map(chr, _LETTERS_WITHOUT_MARKS))}]")


def without_marks(text: str) -> str:
    """A text without Arabic marks, tatweel and invisible controls; every letter stays as it is."""
    return _MARKS.sub("", text)


def fold(text: str) -> str:
    """Fold a text for comparison.

    Takes any text. Returns it after NFKC, without marks, tatweel and invisible controls, with one spelling for the
    forms of alef, ya, ta marbuta, hamza seats and kaf, with ASCII digits and in lower case. A free-standing hamza
    and the spaces stay.
    """
    if _SIMPLE().fullmatch(text):
        if len(text) <= _SHORT:
            return text.translate(_LETTERS_WITHOUT_MARKS).lower()
        for letter, by in _COMMON:  # of a long text, many times quicker than one pass over every letter
            text = text.replace(letter, by)
        return (text.translate(_LETTERS_WITHOUT_MARKS) if _OTHER().search(text) else text).lower()
    # Marks go before NFKC, which would turn the spacing ones into a space and a mark, and once more after it.
    normal = unicodedata.normalize("NFKC", _MARKS.sub("", text)).replace(_BASMALA, "بسم الله الرحمن الرحيم")
    return _MARKS.sub("", normal).translate(_LETTERS).lower()


def fold_if_certain(text: str) -> str | None:
    """Fold a text where every database folds it alike, whatever its locale and its version of Unicode.

    Takes any text. Returns it folded, or None where it holds other letters than Arabic and small ASCII ones.
    """
    return fold(text) if _SIMPLE().fullmatch(text) and text == text.lower() else None
