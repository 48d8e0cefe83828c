"""get_transmission_relation: what is recorded between two narrators, apart from what chains show."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from isnad_gateway.domain.arguments import HARD_MAXIMUM, NULLABLE, NarratorId, null_means
from isnad_gateway.domain.evidence import EvidenceStatus
from isnad_gateway.domain.model import Model, closed
from isnad_gateway.domain.provenance import ProvenanceList
from isnad_gateway.domain.tool import Tool


class Arguments(Model):
    """Which two narrators."""

    narrator_a_id: NarratorId
    narrator_b_id: NarratorId
    include_chain_observations: Annotated[
        bool,
        Field(description="Whether to list chains in which the two stand side by side.", json_schema_extra=NULLABLE),
        null_means(default=False),
    ] = False
    limit: Annotated[
        int,
        Field(ge=1, le=20, description="How many items each list holds at the most.", json_schema_extra=HARD_MAXIMUM),
        null_means(10),
    ] = 10


@closed
class Relation(TypedDict):
    """One recorded relation, its status as recorded and as the gateway may say it (rule E4)."""

    teacher_id: int
    student_id: int
    relation_status: Literal["attested", "possible", "not_established"]
    recorded_status: Literal["attested", "probable", "ambiguous", "unresolved"]
    evidence_status: EvidenceStatus
    provenance: ProvenanceList


@closed
class Observation(TypedDict):
    """Two confirmed nodes side by side in a chain: adjacency in a text, not that one heard the other."""

    hadith_id: int
    canonical_reference: str
    chain_id: int
    from_node_id: int
    to_node_id: int
    transmission_term_ar: str | None
    evidence_status: Literal["fact"]
    provenance: ProvenanceList


@closed
class Result(TypedDict):
    """Recorded relations in both directions and, apart from them, chain observations."""

    narrator_a_id: int
    narrator_b_id: int
    relations: Annotated[list[Relation], Field(max_length=20)]
    chain_observations: Annotated[list[Observation], Field(max_length=20)]
    evidence_status: Literal["fact", "insufficient_evidence"]
    provenance: ProvenanceList
    truncated: bool
    capability_note: str | None


TOOL = Tool(
    name="get_transmission_relation",
    notice=(
        "Returns the relations of teacher and student that are recorded between two narrators and, when asked, the "
        "chains in which the two stand side by side. Only an attested relation may be told as one; a possible one must "
        "be told as possible, and standing side by side in a chain is no relation. That nothing is recorded does not "
        "mean that they never met."
    ),
    arguments=Arguments,
    result=Result,
    items="relations",
)
