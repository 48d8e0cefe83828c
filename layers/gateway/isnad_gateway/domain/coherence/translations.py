"""A model's translation, told as a published one (kind `translation`, rule E13)."""

from collections.abc import Iterator
from typing import Final

from isnad_gateway.domain.coherence import vocabulary
from isnad_gateway.domain.coherence.reason import Reason
from isnad_gateway.domain.coherence.returned import Returned
from isnad_gateway.domain.coherence.spoken import Spoken

_MISSING: Final = "is told of a translation, and no result carries a published one"


def check(spoken: Spoken, returned: Returned) -> Iterator[Reason]:
    """Find where an answer tells a translation as one of a source, and no result has one."""
    if _has_translation(returned):
        return
    for span in spoken.find(vocabulary.phrases("published_translation")):
        clause = spoken.clause_of(span.first)
        if (
            not spoken.is_withheld(span.first)
            and not spoken.is_denied(span.first)
            and not spoken.has("own_translation", clause)
        ):
            yield Reason("translation", spoken.said(span), _MISSING)


def _has_translation(returned: Returned) -> bool:
    if any(returned.of("text_fr")):
        return True
    return any(
        item.get("origin") in ("human", "unknown") or item.get("status") == "PUBLISHED" for item in returned.objects
    )
