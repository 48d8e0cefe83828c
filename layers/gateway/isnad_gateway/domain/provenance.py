"""Provenance: what a claim stands on."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import Field

from isnad_gateway.domain.model import Model

ObjectType = Literal[
    "hadith", "chain", "chain_node", "narrator", "narrator_entry", "relation", "commentary_passage", "source", "dataset"
]
SourceType = Literal["corpus", "scholarly_work", "commentary", "dataset"]


class Provenance(Model):
    """One entry. Only what the data gives is filled in; an unknown field is null, never reconstructed (rule E5)."""

    object_id: str | int
    object_type: ObjectType
    source_id: str | None = None
    source_title: str | None = None
    edition_id: str | None = None
    locator: str | None = None
    source_type: SourceType | None = None
    source_key: str | None = None
    citation: str | None = None
    author: str | None = None
    rights: str | None = None
    url: str | None = None
    content_hash: str | None = None
    dataset_id: str | None = None
    import_id: str | None = None
    note: str | None = None


ProvenanceList = Annotated[list[Provenance], Field(min_length=1, max_length=10)]
"""At least one entry (rule E2), at most ten (docs/contract.md, "Bounds")."""


def as_id(value: object) -> str | None:
    """An id as provenance carries it: text, or null where there is none."""
    return None if value is None else str(value)


def hadith_provenance(row: dict[str, Any]) -> Provenance:
    """The entry for a hadith: its own key, its collection, its reference and where it stands.

    Args:
        row: a row of the view `public_hadiths`.
    """
    divisions = ((name, row[f"{name}_number"]) for name in ("book", "chapter"))
    return Provenance(
        object_id=row["hadith_id"],
        object_type="hadith",
        source_id=as_id(row["source_id"]),
        source_title=row["source_title"],
        locator=", ".join(f"{name} {number}" for name, number in divisions if number is not None) or None,
        source_type=row["source_type"],
        source_key=row["source_key"],
        citation=row["canonical_reference"],
        author=row["author"],
        rights=row["rights"],
        content_hash=row["content_hash"],
        dataset_id=as_id(row["dataset_id"]),
        import_id=as_id(row["import_id"]),
    )


def translation_provenance(row: dict[str, Any]) -> Provenance:
    """The entry for a translation of a hadith; who made it is said in its note, also that nobody knows.

    Args:
        row: `hadith_id`, `translator`, `origin` and the columns of the view `public_hadith_translations`, each with
            `translation_` before its name.
    """
    is_machine = row["origin"] == "machine"
    unknown = None if row["translator"] else "translator unknown"
    return Provenance(
        object_id=row["hadith_id"],
        object_type="hadith",
        source_id=as_id(row["translation_source_id"]),
        source_title=row["translation_source_title"],
        locator=row["translation_locator"],
        source_type="dataset",
        author=row["translator"],
        rights=row["translation_rights"],
        url=row["translation_url"],
        dataset_id=as_id(row["translation_dataset_id"]),
        import_id=as_id(row["translation_import_id"]),
        note="machine translation" if is_machine else unknown,
    )


def dataset_provenance(row: dict[str, Any], note: str | None = None) -> Provenance:
    """The entry for a data set that was read or searched.

    Args:
        row: `dataset_id`, `dataset_title` and, where known, `dataset_key`, `dataset_version`, `dataset_licence`,
            `dataset_url` and `import_id`.
        note: what was done with it.
    """
    return Provenance(
        object_id=str(row["dataset_id"]),
        object_type="dataset",
        source_title=row["dataset_title"],
        source_type="dataset",
        source_key=row.get("dataset_key"),
        locator=row.get("dataset_version"),
        rights=row.get("dataset_licence"),
        url=row.get("dataset_url"),
        dataset_id=as_id(row["dataset_id"]),
        import_id=as_id(row.get("import_id")),
        note=note,
    )


def searched_provenance(rows: Iterable[dict[str, Any]]) -> list[Provenance]:
    """The entries for the data sets that were searched, each once, at most ten; one that says so where there is none.

    Args:
        rows: as for `dataset_provenance`, in their order.
    """
    entries = [dataset_provenance(row, note="searched") for row in {row["dataset_id"]: row for row in rows}.values()]
    nothing = Provenance(object_id="none", object_type="dataset", note="no data set that holds any is loaded and active")
    return entries[:10] or [nothing]
