"""search_hadith: candidate hadiths for words or for a reference."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from isnad_gateway.domain.arguments import MAX_QUERY, NULLABLE, CollectionId, Limit, Searchable, null_means
from isnad_gateway.domain.evidence import EvidenceStatus
from isnad_gateway.domain.model import Model, closed
from isnad_gateway.domain.provenance import ProvenanceList
from isnad_gateway.domain.tool import Tool


class Arguments(Model):
    """What to look for, and where."""

    query: Annotated[
        str,
        Field(
            min_length=1,
            max_length=MAX_QUERY,
            description="Words of the hadith as heard or read, or a reference: a collection's name and a number.",
        ),
        Searchable,
    ]
    query_language: Annotated[
        Literal["ar", "fr", "auto"],
        Field(description="The language of the query.", json_schema_extra=NULLABLE),
        null_means("auto"),
    ] = "auto"
    collection_id: CollectionId = None
    limit: Limit = 5


@closed
class Hit(TypedDict):
    """A candidate: what matched, how, and where it stands. It identifies nothing by itself (rule E3)."""

    hadith_id: int
    canonical_reference: str
    numbering_scheme: str
    text_ar: str | None
    text_fr: str | None
    match_method: Literal["exact", "fulltext", "fuzzy", "reference"]
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
    name="search_hadith",
    notice=(
        "Finds candidate hadiths for words that the user remembers, even misspelt or incomplete, or for a reference "
        "(a collection's name and a number). The hits are candidates, not identifications: where several fit, ask the "
        "user which one is meant. An empty list says that nothing was found in what was searched, not that no such "
        "hadith exists. Never answer where a hadith stands from memory: call this tool."
    ),
    arguments=Arguments,
    result=Result,
    items="results",
    claim="candidates",
)
