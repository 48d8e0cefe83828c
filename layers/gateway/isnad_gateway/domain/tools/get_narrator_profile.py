"""get_narrator_profile: what the loaded sources say of one narrator, each apart."""

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from isnad_gateway.domain.arguments import HARD_MAXIMUM, NarratorId, null_means
from isnad_gateway.domain.evidence import EvidenceStatus
from isnad_gateway.domain.model import Model, closed
from isnad_gateway.domain.provenance import ProvenanceList
from isnad_gateway.domain.tool import Tool

MAX_VARIANTS = 20  # docs/contract.md, "Bounds"


class Arguments(Model):
    """Which narrator, and how many notices."""

    narrator_id: NarratorId
    entry_limit: Annotated[
        int,
        Field(ge=1, le=20, description="How many notices to return at the most.", json_schema_extra=HARD_MAXIMUM),
        null_means(10),
    ] = 10


@closed
class Variant(TypedDict):
    """A form of the name, and whether the narrator alone bears it in the loaded data."""

    form: str
    distinctive: bool


@closed
class Identity(TypedDict):
    """Who the record is about."""

    name_ar: str | None
    name_fr: str | None
    canonical_display: str | None
    variants: Annotated[list[Variant], Field(max_length=MAX_VARIANTS)]


@closed
class Statement(TypedDict):
    """A field as one data set gives it."""

    field: str
    value: Any
    evidence_status: Literal["fact", "insufficient_evidence"]
    provenance: ProvenanceList


@closed
class Assertion(TypedDict):
    """A reviewed assertion of one source. Two critics are two assertions."""

    field: str
    value: Any
    evidence_status: Literal["fact"]
    provenance: ProvenanceList


@closed
class Entry(TypedDict):
    """A notice of a biographical work, and how surely it is about this narrator."""

    entry_id: str
    text: Annotated[str, Field(max_length=8000)]
    resolution_status: Literal["LINKED", "AMBIGUOUS", "CONFLICTED"]
    evidence_status: Literal["fact", "insufficient_evidence"]
    provenance: ProvenanceList


@closed
class Result(TypedDict):
    """Identity, data of data sets, notices and assertions, never merged."""

    narrator_id: int
    identity: Identity
    legacy_scholarly_data: list[Statement]
    source_entries: Annotated[list[Entry], Field(max_length=20)]
    canonical_assertions: list[Assertion]
    truncated: bool
    evidence_status: EvidenceStatus
    provenance: ProvenanceList
    capability_note: str | None


TOOL = Tool(
    name="get_narrator_profile",
    notice=(
        "Returns what the loaded sources say of one narrator: identity and name forms, the data sets' fields, the "
        "notices of biographical works and reviewed assertions, each with its source and never merged. Where critics "
        "differ, say both with their names. An ambiguous notice may be about somebody else. Never describe or grade a "
        "narrator from memory: call this tool."
    ),
    arguments=Arguments,
    result=Result,
    items="source_entries",
    limit="entry_limit",
)
