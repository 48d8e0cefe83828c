"""get_hadith_commentary: published passages on a hadith, each with its work and how it is tied to the hadith."""

from typing import Any

from isnad_gateway.core.errors import NotFound
from isnad_gateway.data.statement import Statement
from isnad_gateway.data.transaction import Read
from isnad_gateway.domain.evidence import weakest
from isnad_gateway.domain.provenance import UNKNOWN, as_id, hadith_provenance, searched_provenance
from isnad_gateway.domain.tools.get_hadith_commentary import TOOL, Arguments, Passage, Result, Translation
from isnad_gateway.http.handler import tool_handler

COMMENTARY = Statement(__file__, "commentary.sql")

_STATED = (
    "contained",
    "by_printed_number",
)  # ties that a text itself states; docs/contract.md, "get_hadith_commentary"


def answer(arguments: Arguments, read: Read) -> Result:
    """Read the passages, and say what their ties and an empty list mean.

    Raises:
        NotFound: no hadith has this id.
    """
    rows = read(COMMENTARY, hadith_id=arguments.hadith_id, language=arguments.language, wanted=arguments.limit + 1)
    if not rows:
        raise NotFound("No hadith has this `hadith_id`; search_hadith finds ids.")
    passages = [_passage(row) for row in rows[: arguments.limit] if row["passage_id"] is not None]
    searched = searched_provenance(rows[0]["searched"] or ())
    return Result(
        hadith_id=arguments.hadith_id,
        passages=passages,
        truncated=len(rows) > arguments.limit,
        evidence_status=weakest(passage["evidence_status"] for passage in passages),
        provenance=[hadith_provenance(rows[0]), *searched[:9]],
        capability_note=_note(rows[0], passages),
    )


def _passage(row: dict[str, Any]) -> Passage:
    is_translated = row["translation_text"] is not None
    notes = [row["note"], f"translator: {row['translator'] or 'unknown'}" if is_translated else None]
    return Passage(
        passage_id=row["passage_id"],
        passage_kind=row["passage_kind"],
        source_text=row["source_text"],
        translation=Translation(
            language=row["translation_language"], text=row["translation_text"], status=row["translation_status"]
        )
        if is_translated
        else None,
        alignment_status=row["alignment_status"],
        alignment_confidence=None if row["alignment_confidence"] is None else float(row["alignment_confidence"]),
        evidence_status="fact" if row["alignment_status"] in _STATED else "inference",
        provenance=[
            UNKNOWN
            | {
                "object_id": row["passage_id"],
                "object_type": "commentary_passage",
                "source_id": as_id(row["passage_source_id"]),
                "source_title": row["passage_source_title"],
                "edition_id": as_id(row["edition_id"]),
                "locator": row["passage_locator"],
                "source_type": row["passage_source_type"],
                "citation": row["edition_title"],
                "author": row["passage_author"],
                "rights": row["passage_rights"] or row["passage_dataset_licence"],
                "url": row["passage_url"],
                "content_hash": row["passage_hash"],
                "dataset_id": as_id(row["passage_dataset_id"]),
                "import_id": as_id(row["passage_import_id"]),
                "note": "; ".join(note for note in notes if note) or None,
            }
        ],
    )


def _note(row: dict[str, Any], passages: list[Passage]) -> str | None:
    if not passages:
        others = row["passages_in_any_language"]
        if others:
            return f"None of the {others} passages on this hadith can be read in the language asked for."
        return "No published commentary on this hadith is loaded, which does not show that there is none."
    notes = []
    if any(passage["alignment_status"] == "contained" for passage in passages):
        notes.append("A contained passage is the compiler's remark within the record, not words of the Prophet.")
    if any(passage["evidence_status"] == "inference" for passage in passages):
        notes.append(
            "That a passage marked as an inference is on this very hadith is inferred, not stated by its work."
        )
    return " ".join(notes) or None


handler = tool_handler(TOOL, answer)
