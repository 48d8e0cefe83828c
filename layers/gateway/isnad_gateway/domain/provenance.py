"""Provenance: what a claim stands on."""

from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal, cast

from pydantic import Field
from typing_extensions import TypedDict

from isnad_gateway.domain.model import closed

ObjectType = Literal[
    "hadith", "chain", "chain_node", "narrator", "narrator_entry", "relation", "commentary_passage", "source", "dataset"
]
SourceType = Literal["corpus", "scholarly_work", "commentary", "dataset"]


@closed
class Provenance(TypedDict):
    """One entry. Only what the data gives is filled in; an unknown field is null, never reconstructed (rule E5)."""

    object_id: str | int
    object_type: ObjectType
    source_id: str | None
    source_title: str | None
    edition_id: str | None
    locator: str | None
    source_type: SourceType | None
    source_key: str | None
    citation: str | None
    author: str | None
    rights: str | None
    url: str | None
    content_hash: str | None
    dataset_id: str | None
    import_id: str | None
    note: str | None


UNKNOWN: Final = cast("Provenance", dict.fromkeys(Provenance.__annotations__))
"""An entry of which nothing is known yet; `{**UNKNOWN, ...}` is one of which something is. It must name its object."""

ProvenanceList = Annotated[list[Provenance], Field(min_length=1, max_length=10)]
"""At least one entry (rule E2), at most ten (docs/contract.md, "Bounds")."""


def as_id(value: object) -> str | None:
    """An id as provenance carries it: text, or null where there is none."""
    return None if value is None else str(value)


def hadith_provenance(row: dict[str, Any]) -> Provenance:
    """The entry for a hadith: its own key, its collection, its reference and where it stands.

    Args:
        row: what is kept of a hadith (`public_hadith_records`), or a row of the view `public_hadiths`.
    """
    return {
        **UNKNOWN,
        "object_id": row["hadith_id"],
        "object_type": "hadith",
        "source_id": as_id(row["source_id"]),
        "source_title": row["source_title"],
        "locator": _place(row.get("book_number"), row.get("chapter_number")),
        "source_type": row["source_type"],
        "source_key": row["source_key"],
        "citation": row["canonical_reference"],
        "author": row["author"],
        "rights": row["rights"],
        "content_hash": row.get("content_hash"),
        "dataset_id": as_id(row["dataset_id"]),
        "import_id": as_id(row["import_id"]),
    }


def _place(book: str | None, chapter: str | None) -> str | None:
    if book is None:
        return None if chapter is None else f"chapter {chapter}"
    return f"book {book}" if chapter is None else f"book {book}, chapter {chapter}"


class ChainCitations:
    """Makes the entries for places in chains, of one answer.

    What a source and its imports give to all of them is put together once: the entries were a seventh of a page's call.
    """

    def __init__(self) -> None:
        self._shared: dict[tuple[int, int, int], tuple[Provenance, Provenance]] = {}

    def of(self, row: dict[str, Any], *nodes: tuple[int, str | None]) -> list[Provenance]:
        """The entries for nodes of one chain (the chain, what read it, the rule of the link), and for its hadith.

        Args:
            row: an item of `public_narrator_occurrences` or `public_chain_observations`.
            nodes: which nodes, each with the rule by which it was linked to its narrator.
        """
        known = row["source_id"], row["import_id"], row["chain_import_id"]
        shared = self._shared.get(known)
        if shared is None:
            shared = self._shared[known] = _node_of(row), _hadith_of(row)
        citation = row["canonical_reference"]
        locator = f"chain {row['chain_id']}, read by {row['reader']} {row['reader_version']}"
        entries = []
        for node_id, rule in nodes:
            entry = shared[0].copy()
            entry["object_id"], entry["locator"], entry["citation"], entry["note"] = node_id, locator, citation, rule
            entries.append(entry)
        hadith = shared[1].copy()
        hadith["object_id"], hadith["source_key"], hadith["citation"] = row["hadith_id"], row["source_key"], citation
        entries.append(hadith)
        return entries


def _node_of(row: dict[str, Any]) -> Provenance:
    return {
        **UNKNOWN,
        "object_type": "chain_node",
        "source_title": row["source_title"],
        "source_type": row["source_type"],
        "dataset_id": as_id(row["chain_dataset_id"]),
        "import_id": as_id(row["chain_import_id"]),
    }


def _hadith_of(row: dict[str, Any]) -> Provenance:
    return {
        **UNKNOWN,
        "object_type": "hadith",
        "source_id": as_id(row["source_id"]),
        "source_title": row["source_title"],
        "source_type": row["source_type"],
        "author": row["author"],
        "rights": row["rights"],
        "dataset_id": as_id(row["dataset_id"]),
        "import_id": as_id(row["import_id"]),
    }


def narrator_provenance(row: dict[str, Any], note: str | None = None) -> Provenance:
    """The entry for a narrator's record: its own key and where it came from.

    Args:
        row: `narrator_id`, `narrator_key`, `dataset_id` and `import_id`, as `public_narrators` has them; of a name form
            also its `source_id`.
        note: what was taken from it.
    """
    return {
        **UNKNOWN,
        "object_id": row["narrator_id"],
        "object_type": "narrator",
        "source_id": as_id(row.get("source_id")),
        "source_key": row["narrator_key"],
        "dataset_id": as_id(row["dataset_id"]),
        "import_id": as_id(row["import_id"]),
        "note": note,
    }


def claim_provenance(row: dict[str, Any], object_id: int, object_type: ObjectType, note: str | None) -> Provenance:
    """The entry for what a source or a data set says of a narrator: work, edition and place as far as they are known.

    Args:
        row: a row of `public_narrator_facts`, `public_narrator_entries` or `public_narrator_assertions`.
        object_id: what the claim is, or whom it is about.
        object_type: the kind of that object.
        note: the status of the claim's review or link.
    """
    return {
        **UNKNOWN,
        "object_id": object_id,
        "object_type": object_type,
        "source_id": as_id(row["source_id"]),
        "source_title": row["source_title"],
        "edition_id": as_id(row.get("edition_id")),
        "locator": row["locator"],
        "source_type": row["source_type"],
        "source_key": row.get("entry_key"),
        "author": row.get("author"),
        "rights": row.get("rights") or row.get("dataset_licence"),
        "url": row.get("url"),
        "content_hash": row.get("content_hash"),
        "dataset_id": as_id(row["dataset_id"]),
        "import_id": as_id(row["import_id"]),
        "note": note,
    }


def fact_citations(rows: Iterable[dict[str, Any]]) -> list[list[Provenance]]:
    """The entries for the fields that data sets give to a narrator; fields of one place share theirs.

    Args:
        rows: rows of `public_narrator_facts`, all of one narrator.
    """
    known: dict[tuple[Any, ...], list[Provenance]] = {}
    entries = []
    for row in rows:
        place = row["source_id"], row["import_id"], row["locator"]
        if place not in known:
            known[place] = [claim_provenance(row, row["narrator_id"], "narrator", note=row["dataset_title"])]
        entries.append(known[place])
    return entries


def relation_provenance(row: dict[str, Any]) -> Provenance:
    """The entry for a recorded relation. Without a source it names its data set by id alone: that is no source (E4).

    Args:
        row: a row of `public_relations`.
    """
    return {
        **UNKNOWN,
        "object_id": row["relation_id"],
        "object_type": "relation",
        "source_id": as_id(row["source_id"]),
        "source_title": row["source_title"],
        "locator": row["locator"],
        "source_type": row["source_type"],
        "citation": row["source_text"],
        "author": row["author"],
        "rights": row["rights"] or row["dataset_licence"],
        "dataset_id": as_id(row["dataset_id"]),
        "import_id": as_id(row["import_id"]),
        "note": None if row["source_id"] is not None else f"recorded in {row['dataset_title']} without a source",
    }


def nothing_loaded(what: str) -> Provenance:
    """The entry of a result that could search nothing, because no data set of that kind is loaded.

    Args:
        what: what there is none of, in the plural.
    """
    return {**UNKNOWN, "object_id": "none", "object_type": "dataset", "note": f"no data set with {what} is loaded"}


def translation_provenance(row: dict[str, Any]) -> Provenance:
    """The entry for a translation of a hadith; who made it is said in its note, also that nobody knows.

    Args:
        row: `hadith_id`, `translator`, `origin` and the columns of the view `public_hadith_translations`, each with
            `translation_` before its name.
    """
    is_machine = row["origin"] == "machine"
    unknown = None if row["translator"] else "translator unknown"
    return {
        **UNKNOWN,
        "object_id": row["hadith_id"],
        "object_type": "hadith",
        "source_id": as_id(row["translation_source_id"]),
        "source_title": row["translation_source_title"],
        "locator": row["translation_locator"],
        "source_type": "dataset",
        "author": row["translator"],
        "rights": row["translation_rights"],
        "url": row["translation_url"],
        "dataset_id": as_id(row["translation_dataset_id"]),
        "import_id": as_id(row["translation_import_id"]),
        "note": "machine translation" if is_machine else unknown,
    }


def dataset_provenance(row: dict[str, Any], note: str | None = None) -> Provenance:
    """The entry for a data set that was read or searched.

    Args:
        row: `dataset_id`, `dataset_title` and, where known, `dataset_key`, `dataset_version`, `dataset_licence`,
            `dataset_url` and `import_id`.
        note: what was done with it.
    """
    return {
        **UNKNOWN,
        "object_id": str(row["dataset_id"]),
        "object_type": "dataset",
        "source_title": row["dataset_title"],
        "source_type": "dataset",
        "source_key": row.get("dataset_key"),
        "locator": row.get("dataset_version"),
        "rights": row.get("dataset_licence"),
        "url": row.get("dataset_url"),
        "dataset_id": as_id(row["dataset_id"]),
        "import_id": as_id(row.get("import_id")),
        "note": note,
    }


def searched_provenance(rows: Iterable[dict[str, Any]]) -> list[Provenance]:
    """The entries for the data sets that were searched, each once, at most ten; one that says so where there is none.

    Args:
        rows: as for `dataset_provenance`, in their order.
    """
    entries = [dataset_provenance(row, note="searched") for row in {row["dataset_id"]: row for row in rows}.values()]
    nothing: Provenance = {
        **UNKNOWN,
        "object_id": "none",
        "object_type": "dataset",
        "note": "no data set that holds any is loaded and active",
    }
    return entries[:10] or [nothing]
