"""Grades and judgements of authenticity, held against those that results carry (kind `verdict`)."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from isnad_gateway.domain.coherence import vocabulary
from isnad_gateway.domain.coherence.narrators import Names
from isnad_gateway.domain.coherence.quotations import Quote
from isnad_gateway.domain.coherence.reason import Reason
from isnad_gateway.domain.coherence.returned import Returned
from isnad_gateway.domain.coherence.spoken import Span, Spoken
from isnad_gateway.domain.coherence.vocabulary import Verdict

_LONG_QUOTE: Final = 5
"""Words between marks that are what somebody said, and no judgement of the speaker."""

_MISSING: Final = "is told as a judgement, and no result carries it"


def check(spoken: Spoken, returned: Returned, people: Sequence[Span], marked: Sequence[Quote]) -> Iterator[Reason]:
    """Hold the judgements of an answer against those of results.

    Args:
        spoken: the answer.
        returned: what the results carry.
        people: where narrators are named.
        marked: what stands between quotation marks.
    """
    places = [span.first for span in spoken.find(vocabulary.any_verdict())]
    if not places:
        return
    masked = _masked(spoken, marked)
    for verdict in vocabulary.verdicts():
        for span in (found for place in places for found in spoken.find(verdict.said, place, place + 1)):
            if spoken.is_withheld(span.first) or not masked.isdisjoint(range(span.first, span.last)):
                continue
            if not _is_carried(verdict, _about(spoken, returned, span, people)):
                yield Reason("verdict", spoken.said(span), _MISSING)


def _masked(spoken: Spoken, marked: Sequence[Quote]) -> set[int]:
    """The words that belong to a title, to a phrase that judges nothing, or to what somebody else said."""
    spans = spoken.find(vocabulary.titles()) + spoken.find(vocabulary.not_verdicts())
    spans += [quote.span for quote in marked if quote.span.last - quote.span.first >= _LONG_QUOTE]
    return {place for span in spans for place in range(span.first, span.last)}


def _about(spoken: Spoken, returned: Returned, span: Span, people: Sequence[Span]) -> Returned:
    """The results that a judgement can be about: where several profiles were read, those of who is named beside it."""
    profiles = [result for result in returned.results if "canonical_assertions" in result]
    if len(profiles) <= 1:
        return returned
    clause, sentence = spoken.clause_of(span.first), spoken.sentence_of(span.first)
    for around in (clause, sentence):
        names = [spoken.said(name) for name in people if around.first <= name.first < around.last]
        meant = [profile for profile in profiles if any(_is_named(profile, name) for name in names)]
        if meant:
            others = [result for result in returned.results if result not in profiles]
            return Returned([*others, *meant])
    return returned


def _is_named(profile: dict[str, Any], name: str) -> bool:
    names = Names(Returned([{"identity": profile.get("identity")}]))
    return names.carry_latin(name) if name.isascii() or name[0] < "\u0600" else names.carry_arabic(name.split())


def _is_carried(verdict: Verdict, returned: Returned) -> bool:
    values = list(returned.of("value", "source_text"))
    values += [
        item["text"] for item in returned.objects if "resolution_status" in item and isinstance(item.get("text"), str)
    ]
    words = " | ".join(returned.folded.get(text, "") for text in values)
    if verdict.of != "hadith" and any(value.lower() in verdict.carried_latin for value in values):
        return True
    if verdict.of == "hadith":
        words = " | ".join(returned.folded[text] for text in returned.of("source_text"))
    return any(f" {article}{word} " in words for word in verdict.carried_ar for article in ("", "ال", "و", "وال"))
