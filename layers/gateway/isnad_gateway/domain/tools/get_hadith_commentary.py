"""get_hadith_commentary: published passages of commentary on a hadith."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from isnad_gateway.domain.arguments import NULLABLE, HadithId, Limit
from isnad_gateway.domain.evidence import EvidenceStatus
from isnad_gateway.domain.model import Model, closed
from isnad_gateway.domain.provenance import ProvenanceList
from isnad_gateway.domain.tool import Tool


class Arguments(Model):
    """Which hadith, and in which language."""

    hadith_id: HadithId
    language: Annotated[
        Literal["fr", "ar"] | None,
        Field(description="Return only passages that can be read in this language.", json_schema_extra=NULLABLE),
    ] = None
    limit: Limit = 5


@closed
class Translation(TypedDict):
    """A published translation of a passage."""

    language: str
    text: str
    status: Literal["PUBLISHED"]


@closed
class Passage(TypedDict):
    """A passage, and how it is tied to the hadith."""

    passage_id: int
    passage_kind: str
    source_text: Annotated[str | None, Field(max_length=8000)]
    translation: Translation | None
    alignment_status: str
    alignment_confidence: Annotated[float | None, Field(ge=0, le=1)]
    evidence_status: Literal["fact", "inference"]
    provenance: ProvenanceList


@closed
class Result(TypedDict):
    """The passages, in a fixed order."""

    hadith_id: int
    passages: Annotated[list[Passage], Field(max_length=20)]
    truncated: bool
    evidence_status: EvidenceStatus
    provenance: ProvenanceList
    capability_note: str | None


TOOL = Tool(
    name="get_hadith_commentary",
    notice=(
        "Returns published passages of commentary on a hadith, each with its work, author and place, and how it is "
        "tied to the hadith. Name the work and the author when you tell what a commentator says, and say when the tie "
        "is inferred. Never explain a hadith in a commentator's name from memory: call this tool."
    ),
    arguments=Arguments,
    result=Result,
    items="passages",
)
