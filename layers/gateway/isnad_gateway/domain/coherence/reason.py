"""Why a turn is suspect, in words that a person can check."""

from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal[
    "cited_work",
    "cited_author",
    "reference",
    "quotation",
    "verdict",
    "negation",
    "inference_as_fact",
    "possible_as_attested",
    "ambiguous_as_certain",
    "occurrence_as_teaching",
    "score_as_proof",
    "number",
    "date",
    "narrator",
    "translation",
    "unchecked",
]
"""What a spoken answer can do wrong (docs/coherence.md); the names are stable."""

MAX_WORDS: Final = 120
"""Characters of the answer that a reason repeats: enough to find the place, also in a long quotation."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One suspicion: its kind, the words spoken, and what is missing among the results."""

    kind: Kind
    words: str
    missing: str

    def __str__(self) -> str:
        """As the record keeps it: the kind, the words as they were spoken, what no result carries."""
        words = self.words if len(self.words) <= MAX_WORDS else f"{self.words[: MAX_WORDS - 1]}…"
        return f'{self.kind}: "{words}" {self.missing}'
