"""get_hadith_chains: the chains (isnads) that a hadith's text names."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from isnad_gateway.domain.arguments import HadithId, Limit
from isnad_gateway.domain.evidence import EvidenceStatus
from isnad_gateway.domain.model import Model, closed
from isnad_gateway.domain.provenance import ProvenanceList
from isnad_gateway.domain.tool import Tool

ResolutionStatus = Literal["confirmed", "probable", "ambiguous", "unresolved"]
Span = Annotated[list[int], Field(min_length=2, max_length=2)]


class Arguments(Model):
    """Which hadith, and how many chains."""

    hadith_id: HadithId
    limit: Limit = 5


@closed
class Node(TypedDict):
    """A place in a chain: the mention as written, and who it is as far as that is known."""

    position: Annotated[int, Field(ge=1)]
    narrator_id: int | None
    mention_ar: str | None
    transmission_term_ar: str | None
    text_span: Span | None
    resolution_status: ResolutionStatus
    confidence: Annotated[float | None, Field(ge=0, le=1)]
    candidate_count: Annotated[int, Field(ge=0)]
    provenance: ProvenanceList


@closed
class Chain(TypedDict):
    """A chain from the compiler's teacher on. What it states is that the text names these people in this order."""

    chain_id: int
    chain_number: Annotated[int, Field(ge=1)]
    completeness: Literal["complete", "open_start", "open_end", "not_stated"]
    nodes: list[Node]
    evidence_status: Literal["fact", "insufficient_evidence"]
    provenance: ProvenanceList


@closed
class Result(TypedDict):
    """The hadith's chains, in the order of the text."""

    hadith_id: int
    chains: Annotated[list[Chain], Field(max_length=20)]
    truncated: bool
    evidence_status: EvidenceStatus
    provenance: ProvenanceList
    capability_note: str | None


TOOL = Tool(
    name="get_hadith_chains",
    notice=(
        "Returns the chains of transmission that a hadith's text names, in order from the compiler's teacher, each "
        "mention as written, with how far the person is identified. A chain says who is named after whom, not that "
        "they met and not that the hadith is authentic. Tell ambiguous and unresolved people as such. Never give a "
        "chain from memory: call this tool."
    ),
    arguments=Arguments,
    result=Result,
    items="chains",
)
