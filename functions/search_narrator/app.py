"""search_narrator: candidates for a name."""

from typing import Any

from isnad_gateway.core.errors import InvalidArgument
from isnad_gateway.data.statement import Statement
from isnad_gateway.data.transaction import Read
from isnad_gateway.domain.provenance import UNKNOWN, as_id, dataset_provenance, nothing_loaded
from isnad_gateway.domain.tools.search_narrator import TOOL, Arguments, Filters, Hit, Result
from isnad_gateway.http.handler import tool_handler

SEARCH = Statement(__file__, "search.sql")
_VALUES_SHOWN = 30


def answer(arguments: Arguments, read: Read) -> Result:
    """Search, and say what an empty answer means.

    Raises:
        InvalidArgument: no loaded narrator has the value of a filter.
    """
    filters = arguments.filters or Filters()
    rows = read(
        SEARCH,
        query=arguments.query,
        query_language=arguments.query_language,
        wanted=arguments.limit + 1,
        **filters.model_dump(),
    )
    if rows[0]["unknown_filter"] is not None:
        raise _unknown_value(rows[0]["unknown_filter"], rows[0]["known_values"])
    hits = [_hit(row) for row in rows[: arguments.limit] if row["narrator_id"] is not None]
    return Result(
        results=hits,
        truncated=len(rows) > arguments.limit,
        evidence_status="inference" if hits else "insufficient_evidence",
        provenance=[dataset_provenance(row, note="searched") for row in (rows[0]["searched"] or ())[:10]]
        or [nothing_loaded("narrators")],
        capability_note=_note(arguments, hits, rows[0]),
    )


def _unknown_value(name: str, values: list[str | None]) -> InvalidArgument:
    known = sorted(filter(None, values), key=lambda value: (value.rjust(2, "0"), value))  # generations are numbers
    if not known:
        return InvalidArgument(f"`{name}` cannot be used: no loaded narrator has one.")
    more = f" and {len(known) - _VALUES_SHOWN} more" if len(known) > _VALUES_SHOWN else ""
    return InvalidArgument(f"`{name}` must be one of: {', '.join(known[:_VALUES_SHOWN])}{more}.")


def _hit(row: dict[str, Any]) -> Hit:
    display = f"; canonical display: {row['display_status'] or 'status not stated'}" if row["canonical_display"] else ""
    return Hit(
        narrator_id=row["narrator_id"],
        name_ar=row["name_ar"],
        name_fr=row["name_fr"],
        canonical_display=row["canonical_display"],
        matched_form=row["matched_form"],
        death_year_ah=row["death_year_ah"],
        generation=row["generation"],
        match_tier=row["match_tier"],
        score=row["score"],
        evidence_status="inference",
        provenance=[
            UNKNOWN
            | {
                "object_id": row["narrator_id"],
                "object_type": "narrator",
                "source_id": as_id(row["form_source_id"]),
                "source_key": row["narrator_key"],
                "dataset_id": as_id(row["form_dataset_id"]),
                "import_id": as_id(row["form_import_id"]),
                "note": f"name form: {row['matched_form']}{display}",
            }
        ],
    )


def _note(arguments: Arguments, hits: list[Hit], first: dict[str, Any]) -> str | None:
    """What the hits cannot say, or what an empty list means. It never says that a narrator does not exist (rule E6)."""
    if not first["searched"]:
        return "No narrator is loaded."
    if not hits:
        narrowed = "filters left nothing, or " if arguments.filters is not None else ""
        return (
            f"Nothing was found in what was searched ({narrowed}no loaded name is like it), which does not show "
            "that there is no such narrator: try another spelling, fewer words, or the Arabic name."
        )
    if all(hit["match_tier"] == "fuzzy" for hit in hits):
        return "No name is the same as the query: the hits are like it or sound like it."
    return None


handler = tool_handler(TOOL, answer)
