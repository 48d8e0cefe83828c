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
    divisions = ((name, row.get(f"{name}_number")) for name in ("book", "chapter"))
    return {
        **UNKNOWN,
        "object_id": row["hadith_id"],
        "object_type": "hadith",
        "source_id": as_id(row["source_id"]),
        "source_title": row["source_title"],
        "locator": ", ".join(f"{name} {number}" for name, number in divisions if number is not None) or None,
        "source_type": row["source_type"],
        "source_key": row["source_key"],
        "citation": row["canonical_reference"],
        "author": row["author"],
        "rights": row["rights"],
        "content_hash": row.get("content_hash"),
        "dataset_id": as_id(row["dataset_id"]),
        "import_id": as_id(row["import_id"]),
    }


def chain_node_provenance(row: dict[str, Any], node_id: int, rule: str | None) -> Provenance:
    """The entry for a node of a chain: its chain, what read the chain, and the rule of the link.

    Args:
        row: an item of `public_narrator_occurrences` or `public_chain_observations`.
        node_id: which node.
        rule: how it was linked to its narrator.
    """
    return {
        **UNKNOWN,
        "object_id": node_id,
        "object_type": "chain_node",
        "source_title": row["source_title"],
        "locator": f"chain {row['chain_id']}, read by {row['reader']} {row['reader_version']}",
        "source_type": row["source_type"],
        "citation": row["canonical_reference"],
        "dataset_id": as_id(row["chain_dataset_id"]),
        "import_id": as_id(row["chain_import_id"]),
        "note": rule,
    }


def narrator_provenance(row: dict[str, Any], note: str | None = None) -> Provenance:
    """The entry for a narrator's record: its own key and where it came from.

    Args:
        row: `narrator_id`, `narrator_key`, `dataset_id` and `import_id`, as `public_narrators` has them.
        note: what was taken from it.
    """
    return {
        **UNKNOWN,
        "object_id": row["narrator_id"],
        "object_type": "narrator",
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
