"""Nothing found, told as if there were nothing (kind `negation`, rule E6)."""

from collections.abc import Iterator
from typing import Final

from isnad_gateway.domain.coherence import vocabulary
from isnad_gateway.domain.coherence.reason import Reason
from isnad_gateway.domain.coherence.spoken import Span, Spoken

_SHORT_CLAUSE: Final = 9
"""Words of a clause that only says where something was looked for: `Dans les données chargées, …`."""

_MISSING: Final = "is told as a fact, and no result says so: finding nothing is no finding"


def check(spoken: Spoken) -> Iterator[Reason]:
    """Find what an answer denies without saying where it was looked for; no result ever carries that."""
    for span in spoken.find(vocabulary.phrases("nonexistence")):
        if not spoken.is_asked(span.first) and not _is_scoped(spoken, span):
            yield Reason("negation", spoken.said(span), _MISSING)


def _is_scoped(spoken: Spoken, span: Span) -> bool:
    clause, sentence = spoken.clause_of(span.first), spoken.sentence_of(span.first)
    if spoken.has("scopes", clause) or _is_disclaimed(spoken, span, clause) or _is_ascribed(spoken, span, sentence):
        return True
    neighbours = [place for place in (clause.first - 1, clause.last) if sentence.first <= place < sentence.last]
    return any(
        spoken.has("scopes", around)
        and around.last - around.first <= _SHORT_CLAUSE
        and not spoken.is_withheld(around.first)
        for around in map(spoken.clause_of, neighbours)
    )


def _is_ascribed(spoken: Spoken, span: Span, sentence: Span) -> bool:
    """Whether words that are said not to be the Prophet's are said to be somebody else's, here or just before."""
    if spoken.folded[span.first] not in ("n", "ليس", "ليست"):
        return False
    if spoken.has("ascribed", Span(span.last, sentence.last)) or spoken.has(
        "ascribed", Span(sentence.first, span.first)
    ):
        return True
    return sentence.first > 0 and spoken.has("ascribed", spoken.sentence_of(sentence.first - 1))


def _is_disclaimed(spoken: Spoken, span: Span, clause: Span) -> bool:
    """Whether the clause withholds more than the denial itself does: `aucun commentaire n'est chargé`."""
    withheld = spoken.find(vocabulary.phrases("withholding"), clause.first, clause.last)
    return any(other.first < span.first or other.last > span.last for other in withheld)
