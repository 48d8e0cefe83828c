"""Did a spoken answer stay true? What was said, held against what was returned (docs/coherence.md).

Deterministic and without a model. It reads French and Arabic, and both together; what it reads them by is the vocabulary.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from isnad_gateway.domain.coherence import (
    certainty,
    citations,
    narrators,
    negations,
    numbers,
    quotations,
    translations,
    verdicts,
)
from isnad_gateway.domain.coherence.reason import Reason
from isnad_gateway.domain.coherence.returned import Returned
from isnad_gateway.domain.coherence.spoken import MAX_CHECKED, Span, Spoken
from isnad_gateway.domain.language import query_language

MAX_REASONS: Final = 50
"""Reasons that a record keeps: after so many nobody reads on."""

_MIN_FOREIGN: Final = 12  # words; fewer are a name or a greeting

__all__ = ["MAX_CHECKED", "MAX_REASONS", "Reason", "suspicions"]


def suspicions(spoken_answer: str, results: Sequence[dict[str, Any]], *, asked: str = "") -> list[Reason]:
    """Hold a spoken answer against the results of its turn.

    Args:
        spoken_answer: what was said. Characters beyond `MAX_CHECKED` are not read, and a reason says so.
        results: the results that the gateway gave, and no others.
        asked: what the user said, and what was looked for.

    Returns:
        The suspicions in the order of their kinds, each once, at most `MAX_REASONS`; none where the answer stayed true
        as far as this can tell.
    """
    found: dict[Reason, None] = {}
    for reason in _all(Spoken(spoken_answer), Returned(results), asked):
        found.setdefault(reason)
        if len(found) >= MAX_REASONS:
            break
    return list(found)


def _all(spoken: Spoken, returned: Returned, asked: str) -> Iterator[Reason]:
    if spoken.is_cut:
        yield Reason("unchecked", spoken.text[-40:], f"and what follows was not checked: over {MAX_CHECKED} characters")
    if not spoken.words:
        return
    if _is_foreign(spoken):
        yield Reason("unchecked", spoken.text[:80], "is neither French nor Arabic, which is all that the check reads")
    keys = [citations.key_of(spoken.text[word.start : word.end], word.folded) for word in spoken.words]
    cited, taken = [], [False] * len(keys)
    for reason, span in citations.check(spoken, returned, keys, asked):
        cited.append(span)
        taken[span.first : span.last] = [True] * (span.last - span.first)
        if reason is not None:
            yield reason
    people: list[Span] = []
    marked = quotations.quotes(spoken)
    quoted = [quote.span for quote in marked]
    wanted = narrators.Names(Returned([{"name_fr": asked, "name_ar": asked}]))
    for reason, span in narrators.check(spoken, narrators.Names(returned), returned.unnamed, taken, quoted, wanted):
        people.append(span)
        if reason is not None:
            yield reason
    yield from quotations.check(spoken, returned, asked, marked)
    yield from verdicts.check(spoken, returned, people, marked)
    yield from negations.check(spoken)
    yield from certainty.check(spoken, returned, people, quoted)
    yield from numbers.check(spoken, returned, cited, asked)
    yield from translations.check(spoken, returned)


def _is_foreign(spoken: Spoken) -> bool:
    return len(spoken.words) >= _MIN_FOREIGN and query_language(spoken.text) == "other"
