"""get_hadith: one hadith, its text, its place in its collection and its references."""

from typing import Literal

from typing_extensions import TypedDict

from isnad_gateway.domain.arguments import HadithId
from isnad_gateway.domain.evidence import EvidenceStatus
from isnad_gateway.domain.model import Model, closed
from isnad_gateway.domain.provenance import ProvenanceList
from isnad_gateway.domain.tool import Tool


class Arguments(Model):
    """Which hadith."""

    hadith_id: HadithId


@closed
class Collection(TypedDict):
    """The collection that holds the hadith."""

    id: int
    code: str
    name: str | None


@closed
class Division(TypedDict):
    """A book or a chapter of the collection."""

    id: int
    number: str | None
    title: str | None


@closed
class Reference(TypedDict):
    """Another number of the same hadith, with the scheme that it belongs to."""

    reference: str
    numbering_scheme: str


@closed
class Translation(TypedDict):
    """A translation: a claim of its own, for the Arabic is the text of record."""

    language: str
    text: str
    translator: str | None
    origin: Literal["human", "machine", "unknown"]
    evidence_status: EvidenceStatus
    provenance: ProvenanceList


@closed
class Result(TypedDict):
    """The hadith as stored."""

    hadith_id: int
    canonical_reference: str
    numbering_scheme: str
    other_references: list[Reference]
    collection: Collection
    book: Division | None
    chapter: Division | None
    text_ar: str | None
    text_damaged: bool
    text_fr: str | None
    translation: Translation | None
    evidence_status: Literal["fact"]
    provenance: ProvenanceList
    capability_note: str | None


TOOL = Tool(
    name="get_hadith",
    notice=(
        "Returns one hadith by its id: the Arabic text exactly as stored, its collection, book and chapter, every "
        "reference with its numbering scheme, and a French text where one is loaded. Use it to quote a hadith or to "
        "say where it stands. Never quote a hadith or give a reference from memory: call this tool."
    ),
    arguments=Arguments,
    result=Result,
    limit=None,
    claim="own",
)
