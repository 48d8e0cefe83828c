"""get_hadith: one hadith by its id."""

from typing import Any

from isnad_gateway.core.errors import NotFound
from isnad_gateway.data.statement import Statement
from isnad_gateway.data.transaction import Read
from isnad_gateway.domain.provenance import (
    Provenance,
    dataset_provenance,
    hadith_provenance,
    translation_provenance,
)
from isnad_gateway.domain.tools.get_hadith import TOOL, Arguments, Collection, Division, Result, Translation
from isnad_gateway.http.handler import tool_handler

HADITH = Statement(__file__, "hadith.sql")


def answer(arguments: Arguments, read: Read) -> Result:
    """Read one hadith.

    Raises:
        NotFound: no hadith has this id.
    """
    found = read(HADITH, hadith_id=arguments.hadith_id)
    if not found:
        raise NotFound("No hadith has this `hadith_id`; search_hadith finds ids.")
    text, row = found[0], found[0]["record"]
    translation = _translation(row)
    return Result(
        hadith_id=row["hadith_id"],
        canonical_reference=row["canonical_reference"],
        numbering_scheme=row["numbering_scheme"],
        other_references=row["other_references"] or [],
        collection=Collection(id=row["collection_id"], code=row["collection_code"], name=row["collection_name"]),
        book=_division(row, "book"),
        chapter=_division(row, "chapter"),
        text_ar=text["text_ar"],
        text_damaged=text["text_damaged"],
        text_fr=translation["text"] if translation is not None and translation["origin"] != "machine" else None,
        translation=translation,
        evidence_status="fact",
        provenance=_provenance(row),
        capability_note=_note(row, damaged=text["text_damaged"]),
    )


def _division(row: dict[str, Any], kind: str) -> Division | None:
    if row[f"{kind}_id"] is None:
        return None
    return Division(id=row[f"{kind}_id"], number=row[f"{kind}_number"], title=row[f"{kind}_title"])


def _provenance(row: dict[str, Any]) -> list[Provenance]:
    entries = [hadith_provenance(row), dataset_provenance(row, note="text and numbers")]
    for kind in ("book", "chapter"):
        start = f"{kind}_title_"
        if row[f"{start}dataset_id"] is not None:
            title = {key.removeprefix(start): value for key, value in row.items() if key.startswith(start)}
            entries.append(dataset_provenance(title, note=f"title of the {kind}"))
    return entries


def _translation(row: dict[str, Any]) -> Translation | None:
    if row["translation_text"] is None:
        return None
    return Translation(
        language=row["translation_language"],
        text=row["translation_text"],
        translator=row["translator"],
        origin=row["origin"],
        evidence_status="insufficient_evidence" if row["origin"] == "machine" else "fact",
        provenance=[translation_provenance(row)],
    )


def _note(row: dict[str, Any], *, damaged: bool) -> str | None:
    notes = []
    if damaged:
        notes.append("The stored Arabic text holds characters that were damaged before it was loaded.")
    if row["holds_remark"]:
        notes.append("The text holds a remark of the compiler, not of the Prophet; get_hadith_commentary returns it.")
    if row["translation_text"] is None:
        notes.append("No French text of this hadith is loaded.")
    elif row["origin"] == "machine":
        notes.append(
            "The only French text is a machine translation, which is no source; the Arabic is the text of record."
        )
    elif row["translator"] is None:
        notes.append("The translator of the French text is unknown; the Arabic is the text of record.")
    return " ".join(notes) or None


handler = tool_handler(TOOL, answer)
