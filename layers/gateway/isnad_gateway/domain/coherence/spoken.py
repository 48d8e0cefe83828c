"""A spoken answer, taken apart into words, clauses and sentences, whatever it hides in its letters."""

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from isnad_gateway.domain.coherence import vocabulary
from isnad_gateway.domain.coherence.phrases import Phrases
from isnad_gateway.domain.fold import fold, without_marks

MAX_CHECKED: Final = 32_768
"""Characters that are read, the most that a report holds; what lies behind them is said not to be checked."""

# Letters of other scripts that look like Latin ones, and would hide a name (Unicode TR 39, confusables).
_LOOKALIKES: Final = str.maketrans(
    "АВСЕНІЈКМОРЅТХУаесһіјорѕухѵԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαινορυγеɡıⅼ",
    "ABCEHIJKMOPSTXYaechijopsyxvdqwABEZHIKMNOPTYXaivopuyegil",
)
_APOSTROPHES: Final = str.maketrans(dict.fromkeys("’‘`´ʼ′‛ʿʾʻˁˀʹ", "'"))
# An apostrophe parts words where French elides (l'imam), and stands within a name (Sa'id, Nasa'i).
_WORD: Final = re.compile(
    r"\d+(?:[.,:]\d+)*|(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu)(?=')|[^\W\d_]+(?:'[^\W\d_]+)*|%|٪", re.IGNORECASE
)
_SENTENCE_END: Final = re.compile(r"[!?؟\n\r…]|\.{2,}|\.(?=\s|$|[»”\"])")
_CLAUSE_END: Final = re.compile(r"[,;:،؛()\[\]—–]|\s-\s")
_SHORT: Final = frozenset({"vol", "no", "nos", "art", "av", "apr", "cf", "ed", "dr", "st", "h", "hd", "num"})
_QUESTION: Final = re.compile(r"[?؟]")
_ALONE: Final = frozenset({"pas", "non", "لا"})
"""Words that put something right only where a clause begins with them: `n'est pas authentique` judges."""

_WITHIN: Final = frozenset({"pas", "rien", "plus", "jamais", "ni", "point", "aucun", "aucune", "bien", "ete"})
"""Behind `donc` these go on with the verb before it: `je ne peux donc pas` is one clause."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word: where it stands, how it is compared, in which clause and sentence it is."""

    start: int
    end: int
    folded: str
    clause: int
    sentence: int


@dataclass(frozen=True, slots=True)
class Span:
    """Words from the first to before the last."""

    first: int
    last: int


class Spoken:
    """An answer and its parts. Every step takes a time in proportion to its length."""

    def __init__(self, answer: str) -> None:
        text = unicodedata.normalize("NFKC", without_marks(answer[:MAX_CHECKED]))
        self.text = without_marks(text).translate(_LOOKALIKES).translate(_APOSTROPHES)[: 2 * MAX_CHECKED]
        self.is_cut = len(answer) > MAX_CHECKED or len(text) > 2 * MAX_CHECKED
        self.words, self.questions = _words(self.text)
        self.folded = [word.folded for word in self.words]
        self._sentence_numbers = [word.sentence for word in self.words]

    def find(self, phrases: Phrases, first: int = 0, last: int | None = None) -> list[Span]:
        """Where phrases begin among some words, each within one sentence."""
        return [Span(*found) for found in phrases.found(self.folded, self._sentence_numbers, first, last)]

    def said(self, span: Span) -> str:
        """The words of a span as they were spoken."""
        return self.text[self.words[span.first].start : self.words[span.last - 1].end]

    def clause_of(self, place: int) -> Span:
        """The clause in which a word stands."""
        return self._around(place, self._clauses, self.words[place].clause)

    def sentence_of(self, place: int) -> Span:
        """The sentence in which a word stands."""
        return self._around(place, self._sentences, self.words[place].sentence)

    def is_asked(self, place: int) -> bool:
        """Whether a word stands in a question."""
        return self.words[place].sentence in self.questions

    def is_withheld(self, place: int) -> bool:
        """Whether a word stands where the speaker says what is not known, not found or not claimed, or asks."""
        return self.words[place].clause in self._withheld or self.is_asked(place)

    def is_mentioned(self, place: int) -> bool:
        """Whether what a word names is not claimed there: withheld, what the user wants, or what is put right."""
        clause = self.words[place].clause
        return self.is_withheld(place) or clause in self._asking or clause in self._topics or place in self._rejected

    def is_hedged(self, span: Span) -> bool:
        """Whether the sentence of some words tells something as no more than possible, by other words than these."""
        begun = self._hedges.get(self.words[span.first].sentence, ())
        return any(not span.first <= place < span.last for place in begun)

    def is_denied(self, place: int) -> bool:
        """Whether a word of denial stands before a word in its clause: what follows is not asserted."""
        return self._denied.get(self.words[place].clause, place) < place

    def has(self, section: str, span: Span) -> bool:
        """Whether a phrase of a section of the vocabulary begins among the words of a span."""
        return any(place in self._begun(section) for place in range(span.first, span.last))

    def _begun(self, section: str) -> frozenset[int]:
        if section not in self._sections:
            self._sections[section] = frozenset(span.first for span in self.find(vocabulary.phrases(section)))
        return self._sections[section]

    @cached_property
    def _sections(self) -> dict[str, frozenset[int]]:
        return {}

    @cached_property
    def _withheld(self) -> frozenset[int]:
        """The clauses that withhold, with those that go on with `ni` or `ولا`."""
        withheld = {self.words[place].clause for place in self._begun("withholding")}
        for clause, span in self._clauses.items():
            if self.words[span.first].folded in ("ni", "ولا") and clause - 1 in withheld:
                withheld.add(clause)
        return frozenset(withheld)

    @cached_property
    def _denied(self) -> dict[int, int]:
        """Where the first word of denial of each clause stands."""
        found: dict[int, int] = {}
        for place in sorted(self._begun("denial")):
            found.setdefault(self.words[place].clause, place)
        return found

    @cached_property
    def _asking(self) -> frozenset[int]:
        """The clauses that ask or say again what was asked; `c'est ce que` asks nothing."""
        return frozenset(
            self.words[place].clause
            for place in self._begun("asking")
            if not (place and self.folded[place] == "est" and self.folded[place - 1] in ("c", "n"))
        )

    @cached_property
    def _rejected(self) -> frozenset[int]:
        """The words that stand behind a `pas` or `وليس` with which a clause begins, or behind `et non`, `plutôt que`."""
        places: set[int] = set()
        for span in self.find(vocabulary.phrases("rejecting")):
            word = self.words[span.first]
            is_first = span.first == self.clause_of(span.first).first
            is_within = span.last < len(self.words) and self.words[span.last].clause == word.clause
            if is_within and (is_first or word.folded not in _ALONE):
                places.add(span.last)
        return frozenset(places)

    @cached_property
    def _topics(self) -> frozenset[int]:
        """Clauses that only name what the next one withholds: `Pour Muslim, je ne peux pas le dire`."""
        begun = self._begun("topics")
        return frozenset(
            number
            for number, span in self._clauses.items()
            if span.first in begun
            and number + 1 in self._withheld
            and self.words[span.first].sentence == self.words[self._clauses[number + 1].first].sentence
        )

    @cached_property
    def _hedges(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        sure = {at for span in self.find(vocabulary.phrases("certainty")) for at in range(span.first, span.last)}
        for place in sorted(self._begun("hedges") - sure):
            found.setdefault(self.words[place].sentence, []).append(place)
        return found

    @cached_property
    def _clauses(self) -> dict[int, Span]:
        return _spans([word.clause for word in self.words])

    @cached_property
    def _sentences(self) -> dict[int, Span]:
        return _spans([word.sentence for word in self.words])

    @staticmethod
    def _around(place: int, spans: dict[int, Span], number: int) -> Span:
        return spans.get(number, Span(place, place + 1))


def _spans(numbers: list[int]) -> dict[int, Span]:
    spans: dict[int, Span] = {}
    for place, number in enumerate(numbers):
        spans[number] = Span(spans[number].first if number in spans else place, place + 1)
    return spans


def folded_word(word: str) -> str:
    """A word as it is compared: lower case, without accents, Arabic letters folded."""
    return "".join(unicodedata.normalize("NFD", letter)[0] for letter in fold(word).replace("'", "")) or word


def _words(text: str) -> tuple[list[Word], frozenset[int]]:
    """The words of a text, and the numbers of the sentences that are questions."""
    found = [(match.start(), match.end(), folded_word(match[0])) for match in _WORD.finditer(text)]
    folded_words = [folded for _, _, folded in found]
    contrasts = {
        first
        for first, last in vocabulary.phrases("contrast").found(folded_words, [0] * len(found))
        if folded_words[first] != "donc" or folded_words[last : last + 1] == [] or folded_words[last] not in _WITHIN
    }
    words: list[Word] = []
    questions: set[int] = set()
    clause = sentence = before = 0
    for place, (start, end, folded) in enumerate(found):
        gap = text[before:start]
        stop = _SENTENCE_END.search(gap) if place else None
        if stop and not (stop[0] == "." and _is_short(found[place - 1][2])):
            if _QUESTION.search(gap):
                questions.add(sentence)
            sentence += 1
            clause += 1
        elif place and (_CLAUSE_END.search(gap) or place in contrasts):
            clause += 1
        words.append(Word(start, end, folded, clause, sentence))
        before = end
    if _QUESTION.search(text[before:]):
        questions.add(sentence)
    return words, frozenset(questions)


def _is_short(word: str) -> bool:
    return (len(word) == 1 and not word.isdigit()) or word in _SHORT
