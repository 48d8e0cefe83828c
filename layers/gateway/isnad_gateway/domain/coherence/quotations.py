"""Arabic quotations, held against the texts of results (kind `quotation`)."""

import re
from bisect import bisect_left
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

from isnad_gateway.domain.coherence import vocabulary
from isnad_gateway.domain.coherence.reason import Reason
from isnad_gateway.domain.coherence.returned import Returned
from isnad_gateway.domain.coherence.spoken import Span, Spoken

_MARKED: Final = 3
"""Words of Arabic between marks that make a quotation; fewer are a term or a name."""

_UNMARKED: Final = 4
"""Words of Arabic in a row that make one within a French sentence, or after `قال رسول الله`."""

_BLOCK: Final = 3
"""Where a quotation leaves words out, what it keeps stands in a text in blocks of at least so many words."""

_OPENING: Final = 12
"""So many words after `قال رسول الله` are looked at: what follows may be the speaker's own."""

_CUE_REACH: Final = 10
_LEAD: Final = 3  # words before the naming of a text with which a clause may begin
_GOES_ON: Final = frozenset({
    "برقم", "رقم", "تحت", "ايضا", "نفسه", "الشريف", "النبوي", "المذكور", "الصحيح", "في", "عن", "من", "ان", "انه", "بلفظ",
    "التالي", "الاتي", "قوله", "ما", "هذا", "النص", "وغيره", "ومسلم", "والبخاري", "كذلك",
})  # fmt: skip
"""Behind the naming of a text: the clause still says where it stands, and not what it tells."""

_PARAPHRASES: Final = frozenset({
    "المعني", "معناه", "معناها", "ومعناه", "مفاده", "مضمونه", "خلاصته", "خلاصه", "اي", "بمعني", "يعني", "يفيد", "انه",
    "مما", "فيه", "هناك", "رجل", "امراه", "قصه", "سوال", "دعوه", "حث", "امر", "نهي", "يامر", "ينهي", "يحث", "يدعو",
    "ان", "جاء", "ورد", "سال", "سيل",
})  # fmt: skip
"""What begins so tells a text in the speaker's words."""

_RETOLD: Final = frozenset({"فيه", "وفيه"})
_MAX_QUOTATIONS: Final = 200
_MAX_WORDS: Final = 600
_PAIRS: Final = {"«": "»", "“": "”", "„": "”", "‹": "›", "﴿": "﴾", "﴾": "﴿", '"': '"', "”": "“"}
_QURAN: Final = frozenset("﴿﴾")
_MARK: Final = re.compile(f"[{''.join(sorted({*_PAIRS, *_PAIRS.values()}))}]")
_LEFT_OUT: Final = re.compile(r"…|\.\.|\(|\[|/|\*")
_HONORIFIC: Final = re.compile(
    r" (?:صلي الله عليه (?:واله )?(?:وصحبه )?(?:وسلم)?|رضي الله (?:تعالي )?عنه(?:ما|م|ن|ا)?|عليه(?:ما|م|ا)? السلام"
    r"|عز وجل|تعالي|سبحانه وتعالي|رحمه(?:ما|م|ا)? الله)(?= )"
)
_MISSING: Final = "stands in no result"


@dataclass(frozen=True, slots=True)
class Quote:
    """Words between two marks."""

    span: Span
    is_quran: bool


class Texts:
    """The Arabic texts of the results, without honorifics."""

    def __init__(self, returned: Returned, asked: str) -> None:
        self._returned = returned
        self._asked = asked

    @cached_property
    def plain(self) -> list[str]:
        """Each text as folded words."""
        return [_plain(text) for text in self._returned.arabic]

    @cached_property
    def whole(self) -> str:
        """All of them."""
        return " | ".join(self.plain)

    @cached_property
    def asked(self) -> str:
        """What the user said, in the same form."""
        spoken = Spoken(self._asked)
        return _plain(f" {' '.join(spoken.folded)} ")

    def carry(self, words: list[str]) -> bool:
        """Whether one text holds the words, in a row or with some left out between blocks of them."""
        piece = _plain(f" {' '.join(words)} ").strip()
        if not piece or _stands(piece, self.whole):
            return True
        kept = piece.split()
        return any(_in_blocks(kept, text) for text in self.plain if _block_at(kept, 0, text) is not None)

    def carry_half(self, words: list[str]) -> bool:
        """Whether half of the first words stand in a text, in blocks: what follows may be the speaker's own."""
        kept = words[:_OPENING]
        covered: set[int] = set()
        for place in range(len(kept) - 1):
            if _stands(" ".join(kept[place : place + 2]), self.whole):
                covered.update((place, place + 1))
        return 2 * len(covered) >= len(kept)


def _plain(text: str) -> str:
    return _HONORIFIC.sub("", text)


def _stands(piece: str, text: str) -> bool:
    """Whether words stand in a text; their first may carry a `و` or `ف` in one of the two."""
    return any(f" {lead}{piece} " in text for lead in ("", "و", "ف")) or (
        piece[:1] in ("و", "ف") and f" {piece[1:]} " in text
    )


def _block_at(words: list[str], place: int, text: str, after: int = 0) -> tuple[int, int] | None:
    """The longest block of words from a place that stands in a text behind a point: its end in words and in the text."""
    begun = " ".join(words[place : place + _BLOCK])
    if len(words) - place < _BLOCK:
        return None
    at = -1
    for lead in (" ", " و", " ف"):
        at = text.find(f"{lead}{begun} ", after)
        if at >= 0:
            at += len(lead) + len(begun)
            break
    else:
        return None
    end = place + _BLOCK
    while end < len(words) and text.startswith(f" {words[end]} ", at):
        at += len(words[end]) + 1
        end += 1
    return end, at


def _in_blocks(words: list[str], text: str) -> bool:
    place = after = 0
    while place < len(words):
        block = _block_at(words, place, text, after)
        if block is None:
            return False
        place, after = block
    return True


def quotes(spoken: Spoken) -> list[Quote]:
    """What stands between quotation marks, the innermost pairs; a mark without its other half quotes nothing."""
    starts = [word.start for word in spoken.words]
    found: list[Quote] = []
    opened: tuple[str, int] | None = None
    for match in _MARK.finditer(spoken.text):
        mark = match[0]
        if opened is not None and mark == _PAIRS.get(opened[0]):
            span = Span(bisect_left(starts, opened[1]), bisect_left(starts, match.start()))
            if span.last > span.first:
                found.append(Quote(span, opened[0] in _QURAN))
            opened = None
        elif mark in _PAIRS:
            opened = (mark, match.end())
    return found


@cache
def _formulas() -> frozenset[str]:
    return frozenset(vocabulary.read("phrases")["formulas"]["say"])


def check(spoken: Spoken, returned: Returned, asked: str, marked: list[Quote]) -> Iterator[Reason]:
    """Hold the Arabic that an answer quotes against the texts of results.

    Args:
        spoken: the answer.
        returned: what the results carry.
        asked: what the user said, which may be said again while it is looked for.
        marked: what stands between marks.
    """
    texts = Texts(returned, asked)
    quoted: set[int] = set()
    for count, quote in enumerate(marked):
        quoted.update(range(quote.span.first, quote.span.last))
        if count >= _MAX_QUOTATIONS:
            yield Reason(
                "unchecked",
                spoken.said(quote.span),
                "and what is quoted behind it was not checked: too many quotations",
            )
            return
        if quote.is_quran or _is_of_quran(spoken, quote.span):
            continue
        yield from _checked(spoken, texts, quote.span, _MARKED)
    for span in _unmarked(spoken, quoted):
        yield from _checked(spoken, texts, span, _UNMARKED)
    yield from _cued(spoken, texts, quoted)


def _checked(spoken: Spoken, texts: Texts, span: Span, least: int) -> Iterator[Reason]:
    for piece in _pieces(spoken, span):
        words = [word.folded for word in spoken.words[piece.first : piece.last]]
        if (
            len(words) < least
            or spoken.is_withheld(piece.first)
            or _is_formula(words)
            or _is_echo(spoken, texts, piece, words)
        ):
            continue
        if len(words) > _MAX_WORDS or not texts.carry(words):
            yield Reason("quotation", spoken.said(piece), _MISSING)


def _pieces(spoken: Spoken, span: Span) -> Iterator[Span]:
    """The runs of Arabic words of a span; where something is visibly left out, a new one begins."""
    first: int | None = None
    for place in range(span.first, span.last):
        word = spoken.words[place]
        is_arabic = "\u0621" <= word.folded[0] <= "\u064a"
        if first is not None and (
            not is_arabic or _LEFT_OUT.search(spoken.text[spoken.words[place - 1].end : word.start])
        ):
            yield Span(first, place)
            first = None
        if first is None and is_arabic:
            first = place
    if first is not None:
        yield Span(first, span.last)


def _unmarked(spoken: Spoken, quoted: set[int]) -> Iterator[Span]:
    """Arabic in a row within sentences that are not Arabic."""
    first: int | None = None
    for place, word in enumerate([*spoken.words, None]):
        stands = word is not None and "\u0621" <= word.folded[0] <= "\u064a" and place not in quoted
        if first is not None and (not stands or (word and word.sentence != spoken.words[first].sentence)):
            if _is_mixed(spoken, spoken.sentence_of(first), quoted):
                span = Span(first, place)
                if not _is_of_quran(spoken, span):
                    yield span
            first = None
        if first is None and stands:
            first = place


def _is_of_quran(spoken: Spoken, span: Span) -> bool:
    """Whether words just before a quotation tell it to be of the Quran, which the tools do not hold."""
    first = max(spoken.sentence_of(span.first).first, span.first - _CUE_REACH)
    return spoken.has("quran_cues", Span(first, span.first))


def _is_mixed(spoken: Spoken, sentence: Span, quoted: Container[int] = ()) -> bool:
    """Whether a sentence is French with Arabic in it; a Latin title or French between marks makes no Arabic French."""
    return any(
        len(word.folded) > 1 and word.folded in vocabulary.capitals()
        for place, word in enumerate(spoken.words[sentence.first : sentence.last], sentence.first)
        if place not in quoted
    )


def _cued(spoken: Spoken, texts: Texts, quoted: set[int]) -> Iterator[Reason]:
    """What follows `قال رسول الله` without marks in an Arabic sentence."""
    for cue in spoken.find(vocabulary.phrases("quotation_cues")):
        sentence = spoken.sentence_of(cue.first)
        following = Span(cue.last, sentence.last)
        if _is_mixed(spoken, sentence, quoted) or not quoted.isdisjoint(range(following.first, following.last)):
            continue
        if spoken.is_mentioned(cue.first) or _is_of_quran(spoken, following):
            continue
        if spoken.folded[cue.last - 1] in _RETOLD and spoken.said(following).startswith("أن"):
            continue  # `وفيه أن`: what a text tells, in the speaker's words
        words = _words(spoken, following)
        if len(words) >= _UNMARKED and not _is_formula(words) and not texts.carry_half(words):
            yield Reason("quotation", spoken.said(following), _MISSING)
    yield from _verbatim(spoken, texts, quoted)
    yield from _behind_colons(spoken, texts, quoted)
    yield from _ascribed(spoken, texts, quoted)


def _words(spoken: Spoken, span: Span) -> list[str]:
    return _plain(f" {' '.join(spoken.folded[span.first : span.last])} ").split()


def _verbatim(spoken: Spoken, texts: Texts, quoted: set[int]) -> Iterator[Reason]:
    """What is said to be the words themselves, up to where the speaker goes on."""
    for cue in spoken.find(vocabulary.phrases("verbatim_cues")):
        first = last = cue.last
        sentence = spoken.sentence_of(cue.first)
        if spoken.has("quotation_ends", Span(first, first + 1)) and first != spoken.clause_of(first).first:
            first = last = spoken.clause_of(first).last  # `نصه كما في صحيح البخاري:` says where it stands first
        while last < sentence.last and not (
            last == spoken.clause_of(last).first and spoken.has("quotation_ends", Span(last, last + 1))
        ):
            last += 1
        span = Span(first, last)
        if first < last and quoted.isdisjoint(range(span.first, span.last)) and not _is_mixed(spoken, sentence, quoted):
            words = _words(spoken, span)
            if len(words) >= _UNMARKED and not spoken.is_withheld(cue.first) and not texts.carry(words):
                yield Reason("quotation", spoken.said(span), _MISSING)


def _behind_colons(spoken: Spoken, texts: Texts, quoted: set[int]) -> Iterator[Reason]:
    """What follows the colon behind a work or a text that is named: `في البخاري: …`."""
    for cue in spoken.find(vocabulary.phrases("colon_cues")):
        clause, sentence = spoken.clause_of(cue.first), spoken.sentence_of(cue.first)
        if clause.last >= sentence.last or cue.first - clause.first > _LEAD or spoken.is_mentioned(cue.first):
            continue
        if cue.last < clause.last and spoken.folded[cue.last] not in _GOES_ON:
            continue
        gap = spoken.text[spoken.words[clause.last - 1].end : spoken.words[clause.last].start]
        span = spoken.clause_of(clause.last)
        if ":" not in gap or _is_mixed(spoken, sentence, quoted) or _is_of_quran(spoken, span):
            continue
        words = _words(spoken, span)
        if (
            len(words) >= _UNMARKED
            and quoted.isdisjoint(range(span.first, span.last))
            and not spoken.is_mentioned(span.first)
            and spoken.folded[span.first] not in _PARAPHRASES
            and not _is_formula(words)
            and not texts.carry_half(words)
        ):
            yield Reason("quotation", spoken.said(span), _MISSING)


def _ascribed(spoken: Spoken, texts: Texts, quoted: set[int]) -> Iterator[Reason]:
    """A clause that the next one ascribes to a collection: `…، رواه البخاري`."""
    for cue in spoken.find(vocabulary.phrases("attributions")):
        if cue.first == 0 or cue.first != spoken.clause_of(cue.first).first:
            continue
        span = spoken.clause_of(cue.first - 1)
        if spoken.words[span.first].sentence != spoken.words[cue.first].sentence or _is_mixed(spoken, span):
            continue
        words = _words(spoken, span)
        if (
            (
                len(words) >= _UNMARKED
                and quoted.isdisjoint(range(span.first, span.last))
                and not spoken.is_withheld(span.first)
            )
            and not _is_formula(words)
            and not texts.carry_half(words)
        ):
            yield Reason("quotation", spoken.said(span), _MISSING)


def _is_formula(words: list[str]) -> bool:
    """Whether words are formulas of piety, one or several."""
    rest = list(words)
    while rest:
        for size in range(min(len(rest), 12), 0, -1):
            if (phrase := " ".join(rest[:size])) in _formulas() or phrase.removeprefix("و") in _formulas():
                rest = rest[size:]
                break
        else:
            return False
    return True


def _is_echo(spoken: Spoken, texts: Texts, piece: Span, words: list[str]) -> bool:
    """Whether the user's own words are said again, as what was looked for."""
    if not _stands(" ".join(words), texts.asked):
        return False
    return spoken.is_mentioned(piece.first) or spoken.has("echo", spoken.sentence_of(piece.first))
