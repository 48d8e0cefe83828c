"""search_narrator: candidate narrators for a name."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from isnad_gateway.domain.arguments import NULLABLE, Limit, Searchable, Storable, null_means
from isnad_gateway.domain.evidence import EvidenceStatus
from isnad_gateway.domain.model import Model, closed
from isnad_gateway.domain.provenance import ProvenanceList
from isnad_gateway.domain.tool import Tool

MAX_NAME = 512  # characters; the longest name form of the published data sets has under 200
MatchTier = Literal["exact", "prefix", "substring", "fulltext", "fuzzy"]
FilterValue = Annotated[
    Annotated[str, Storable] | None, Field(min_length=1, max_length=128, json_schema_extra=NULLABLE)
]


class Filters(Model):
    """What the candidates must be; all given filters apply together."""

    grade_tier: FilterValue = Field(default=None, description="The tier of the narrator's grade.")
    region: FilterValue = Field(default=None, description="The region that the narrator belongs to.")
    generation: FilterValue = Field(default=None, description="The narrator's generation (tabaqa).")


class Arguments(Model):
    """Which name to look for."""

    query: Annotated[
        str,
        Field(min_length=1, max_length=MAX_NAME, description="A narrator's name, in Arabic or in Latin letters."),
        Searchable,
    ]
    query_language: Annotated[
        Literal["ar", "latin", "auto"],
        Field(description="The script of the query.", json_schema_extra=NULLABLE),
        null_means("auto"),
    ] = "auto"
    filters: Annotated[Filters | None, Field(description="Narrows the candidates.", json_schema_extra=NULLABLE)] = None
    limit: Limit = 5


@closed
class Hit(TypedDict):
    """A candidate: the name form that matched, and what tells namesakes apart."""

    narrator_id: int
    name_ar: str | None
    name_fr: str | None
    canonical_display: str | None
    matched_form: str
    death_year_ah: int | None
    generation: str | None
    match_tier: MatchTier
    score: Annotated[float | None, Field(ge=0, le=1)]
    evidence_status: Literal["inference"]
    provenance: ProvenanceList


@closed
class Result(TypedDict):
    """Candidates, the best first."""

    results: Annotated[list[Hit], Field(max_length=20)]
    truncated: bool
    evidence_status: EvidenceStatus
    provenance: ProvenanceList
    capability_note: str | None


TOOL = Tool(
    name="search_narrator",
    notice=(
        "Finds candidate narrators for a name in Arabic or Latin letters. Many narrators share a name: the hits are "
        "candidates, and the matched form, the generation and the death year tell them apart. Where several fit, ask "
        "the user which one is meant. Never identify a narrator from memory: call this tool."
    ),
    arguments=Arguments,
    result=Result,
    items="results",
    claim="candidates",
)
