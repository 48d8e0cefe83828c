"""The folded view of a text: its words without marks, each with its place in the original."""

import re
import unicodedata
from functools import lru_cache

# Format characters (bidi controls, zero-width signs, BOM, soft hyphen) stand inside and around words of the sources;
# they belong to the word run here and are dropped by the fold.
_FORMAT = "\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"
_MARKS = "\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u08d3-\u08ff"
_DAMAGED = "\ufffd"
# U+FFFD is kept as a letter: a damaged word must not look like two good ones. U+FDFD is the ligature of the basmala.
_RUN = re.compile(rf"[\w{_FORMAT}{_MARKS}{_DAMAGED}\ufdfd]+|[^\s\w]")
_LEADING = re.compile(rf"[{_FORMAT}]*")
_TATWEEL = "\u0640"
_FOLD = str.maketrans(
    {
        **dict.fromkeys("أإآٱ", "ا"),
        **dict.fromkeys("ىیئ", "ي"),
        **dict.fromkeys("ةۃۀہھ", "ه"),
        "ؤ": "و",
        "ک": "ك",
    }
)

COMMA, DASH, STOP, QUOTE = 1, 2, 4, 8
_PUNCTUATION = {
    **dict.fromkeys("،,؛;:", COMMA),
    **dict.fromkeys(f"-–—{_TATWEEL}", DASH),
    **dict.fromkeys("؟.۔", STOP),
    **dict.fromkeys('"«»“”„‟{}﴿﴾[]', QUOTE),
}
# Longer runs are no words, and not worth keeping.
_LONGEST_KEPT = 64
_AT_A_TIME = 24  # how far words are read ahead of what is asked for


def fold(run: str) -> str:
    """Return the bare letters of a word.

    NFKC, without marks, tatweel and format characters; the forms of alef, ya, ta marbuta and hamza seats made one.
    For reading chains only: the search columns of the database have their own fold.
    """
    folded = unicodedata.normalize("NFKC", run)
    kept = (c for c in folded if c != _TATWEEL and unicodedata.category(c) not in {"Mn", "Cf", "Me"})
    return "".join(kept).translate(_FOLD)


class Words:
    """The words of a text, read as far as they are asked for.

    `start[i]` and `end[i]` are the span of word `i` in the text, once the word has been asked for.
    """

    __slots__ = ("_before", "_limit", "_runs", "_words", "end", "start", "text")

    def __init__(self, text: str, limit: int) -> None:
        """Look at no more than `limit` words (or a few more, where a ligature stands for several)."""
        self.text = text
        self.start: list[int] = []
        self.end: list[int] = []
        self._words: list[str] = []
        self._before: list[int] = []
        self._runs = _RUN.finditer(text)
        self._limit = limit

    def at(self, index: int) -> str:
        """Return the folded word at `index`, or the empty string behind the last word."""
        try:
            return self._words[index]
        except IndexError:
            return self._words[index] if self._reach(index) else ""

    def gap(self, index: int) -> int:
        """Return the kinds of punctuation between word `index` and the one before; the end of the text is a stop."""
        return self._before[index] if self._reach(index) else STOP

    def split_and(self, index: int) -> tuple[str, int]:
        """Take the letter joined to the word at `index` (و, ل) off it, so that a name can be read there.

        Returns what `restore` takes.
        """
        saved = self._words[index], self.start[index]
        self.start[index] = self.behind_letter(index)
        self._words[index] = self._words[index][1:]
        return saved

    def behind_letter(self, index: int) -> int:
        """Return the character at which the word at `index` goes on behind its first letter and that letter's marks."""
        i = self.start[index] + 1
        while i < self.end[index] and not fold(self.text[i]):
            i += 1
        return i

    def restore(self, index: int, saved: tuple[str, int]) -> None:
        """Undo `split_and`."""
        self._words[index], self.start[index] = saved

    def _reach(self, index: int) -> bool:
        have = len(self._words)
        if index < have:
            return True
        goal = min(index + _AT_A_TIME, self._limit)
        if have >= goal:
            return False
        pending = 0
        for match in self._runs:
            run = match.group()
            kind, parts, lead, trail = _token(run) if len(run) < _LONGEST_KEPT else _split(run)
            pending |= kind
            if not parts:
                continue
            start, end = match.span()
            # A ligature such as ﷺ folds to several words; they share its place.
            for part in parts[: self._limit]:
                self._words.append(part)
                self.start.append(start + lead)
                self.end.append(end - trail)
                self._before.append(pending)
                pending = 0
            have += len(parts)
            if have >= goal:
                break
        return index < have


def _split(run: str) -> tuple[int, tuple[str, ...], int, int]:
    """Return the kind of a punctuation mark, the folded words, and the format characters a run begins and ends with."""
    if run in _PUNCTUATION:
        return _PUNCTUATION[run], (), 0, 0
    folded = fold(run)
    if not folded or not (folded[0].isalnum() or folded[0] == _DAMAGED):
        return 0, (), 0, 0
    return 0, tuple(folded.split()), _leading(run), _leading(run[::-1])


_token = lru_cache(maxsize=1 << 16)(_split)


def _leading(run: str) -> int:
    """Count the format characters at the beginning of a word."""
    match = _LEADING.match(run)
    return match.end() if match is not None else 0
