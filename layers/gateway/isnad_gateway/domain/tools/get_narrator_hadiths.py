"""get_narrator_hadiths: where a narrator certainly stands in the chains of the corpus."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from isnad_gateway.domain.arguments import HARD_MAXIMUM, NULLABLE, NarratorId, null_means
from isnad_gateway.domain.evidence import EvidenceStatus
from isnad_gateway.domain.model import Model, closed
from isnad_gateway.domain.provenance import ProvenanceList
from isnad_gateway.domain.tool import Tool

MAX_DEPTH = 100_000  # page times limit; docs/contract.md, get_narrator_hadiths


class Arguments(Model):
    """Which narrator, and which page."""

    narrator_id: NarratorId
    page: Annotated[
        int,
        Field(ge=1, description="Which page, counted from the first.", json_schema_extra=NULLABLE),
        null_means(1),
    ] = 1
    limit: Annotated[
        int,
        Field(ge=1, le=50, description="How many items a page holds at the most.", json_schema_extra=HARD_MAXIMUM),
        null_means(10),
    ] = 10


@closed
class Occurrence(TypedDict):
    """One confirmed node. It implies neither teaching nor authenticity (rule E8)."""

    hadith_id: int
    canonical_reference: str
    chain_id: int
    node_id: int
    position: int
    relation_type: Literal["chain_occurrence"]
    evidence_status: Literal["fact"]
    provenance: ProvenanceList


@closed
class Result(TypedDict):
    """One page of occurrences and the counts of the whole."""

    narrator_id: int
    occurrence_count: Annotated[int, Field(ge=0)]
    distinct_hadith_count: Annotated[int, Field(ge=0)]
    page: int
    items: Annotated[list[Occurrence], Field(max_length=50)]
    truncated: bool
    evidence_status: EvidenceStatus
    provenance: ProvenanceList
    capability_note: str | None


TOOL = Tool(
    name="get_narrator_hadiths",
    notice=(
        "Returns where a narrator certainly stands in the chains of the corpus, page by page, with the count of the "
        "whole. Only confirmed places are counted: the true number may be higher. An occurrence is neither a relation "
        "of teacher and student nor a judgement of authenticity."
    ),
    arguments=Arguments,
    result=Result,
    items="items",
)
