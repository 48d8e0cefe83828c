"""The folded view of a text: its words without marks, each with its place in the original."""

import re
import unicodedata
from functools import lru_cache

# Format characters (bidi controls, zero-width signs, BOM, soft hyphen) stand inside and around words of the sources;
# they belong to the word run here and are dropped by the fold.
_FORMAT = "\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"
_MARKS = "\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u08d3-\u08ff"
# U+FFFD is kept as a letter: a damaged word must not look like two good ones.
_RUN = re.compile(rf"[\w{_FORMAT}{_MARKS}\ufffd\ufdfd]+|[^\s\w]")
_EDGE = re.compile(rf"^[{_FORMAT}]+|[{_FORMAT}]+$")
_FOLD = str.maketrans({"أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ی": "ي", "ئ": "ي", "ؤ": "و", "ة": "ه", "ۃ": "ه",
                       "ۀ": "ه", "ہ": "ه", "ھ": "ه", "ک": "ك"})

COMMA, DASH, STOP, QUOTE = 1, 2, 4, 8
_PUNCTUATION = {"،": COMMA, ",": COMMA, "؛": COMMA, ";": COMMA, ":": COMMA, "؟": STOP, ".": STOP, "۔": STOP}
_PUNCTUATION |= dict.fromkeys("-–—ـ", DASH) | dict.fromkeys('"«»“”„‟{}﴿﴾[]', QUOTE)


@lru_cache(maxsize=1 << 16)
def fold(run: str) -> str:
    """Return the letters of `run`: NFKC, without marks, tatweel and format characters, with alef, ya, ta marbuta and
    hamza seats made one. Only for reading chains; the search columns of the database have their own fold."""
    folded = unicodedata.normalize("NFKC", run)
    kept = (c for c in folded if c != "ـ" and unicodedata.category(c) not in ("Mn", "Cf", "Me"))
    return "".join(kept).translate(_FOLD)


class Words:
    """The words of a text: `word[i]` is folded, `start[i]` and `end[i]` its span in the text, `before[i]` the kinds of
    punctuation between it and the word before. Reading past the end gives the empty word."""

    __slots__ = ("before", "count", "end", "start", "text", "word")

    def __init__(self, text: str, limit: int) -> None:
        """Take at most `limit` words from the beginning of `text`."""
        self.text = text
        self.word: list[str] = []
        self.start: list[int] = []
        self.end: list[int] = []
        self.before: list[int] = []
        pending = 0
        for match in _RUN.finditer(text):
            run = match.group()
            kind = _PUNCTUATION.get(run)
            if kind is not None:
                pending |= kind
                continue
            folded = fold(run)
            if not folded or not (folded[0].isalnum() or folded[0] == "\ufffd"):
                continue
            start, end = match.span()
            edge = _EDGE.search(run)
            if edge is not None:
                stripped = _EDGE.sub("", run)
                start += run.index(stripped)
                end = start + len(stripped)
            # A ligature such as ﷺ folds to several words; they share its place.
            for part in folded.split():
                self.word.append(part)
                self.start.append(start)
                self.end.append(end)
                self.before.append(pending)
                pending = 0
            if len(self.word) >= limit:
                break
        self.count = len(self.word)

    def at(self, index: int) -> str:
        """The folded word at `index`, or the empty string outside the text."""
        return self.word[index] if 0 <= index < self.count else ""

    def gap(self, index: int) -> int:
        """The punctuation before the word at `index`; the end of the text counts as a stop."""
        return self.before[index] if 0 <= index < self.count else STOP

    def split_and(self, index: int) -> None:
        """Take the conjunction و off the word at `index`, so that a name can be read there."""
        i = self.start[index] + 1
        while i < self.end[index] and not fold(self.text[i]):
            i += 1
        self.start[index] = i
        self.word[index] = self.word[index][1:]
