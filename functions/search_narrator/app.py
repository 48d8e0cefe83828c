"""search_narrator: candidates for a name."""

from typing import Any, get_args

from pydantic_core import from_json, to_json

from isnad_gateway.core.errors import InvalidArgument
from isnad_gateway.data.statement import Statement
from isnad_gateway.data.transaction import Read
from isnad_gateway.domain.name_query import name_query
from isnad_gateway.domain.provenance import dataset_provenance, narrator_provenance, nothing_loaded
from isnad_gateway.domain.tools.search_narrator import TOOL, Arguments, Hit, MatchTier, Result
from isnad_gateway.http.handler import tool_handler

SPELT = Statement(__file__, "spelt.sql")
SOUNDING = Statement(__file__, "sounding.sql")
UNKNOWN_FILTER = Statement(__file__, "unknown_filter.sql")
_VALUES_SHOWN = 30
_TIERS: tuple[MatchTier, ...] = get_args(MatchTier)
_TOP_SCORES = {"exact": 1.0, "prefix": 0.95, "substring": 0.9, "fulltext": 0.85}


def answer(arguments: Arguments, read: Read) -> Result:
    """Search, and say what an empty answer means.

    Raises:
        InvalidArgument: no loaded narrator has the value of a filter.
    """
    filters = _filters(arguments, read)
    asked = name_query(arguments.query, arguments.query_language)
    statement = SOUNDING if "sounds" in asked else SPELT
    [row] = read(statement, **asked, filters=filters, wanted=arguments.limit + 1)
    found = from_json(row["found"])
    hits = [_hit(hit, place) for place, hit in enumerate(found["hits"][: arguments.limit])]
    return Result(
        results=hits,
        truncated=len(found["hits"]) > arguments.limit,
        evidence_status="inference" if hits else "insufficient_evidence",
        provenance=[dataset_provenance(row, note="searched") for row in (found["searched"] or ())[:10]]
        or [nothing_loaded("narrators")],
        capability_note=_note(arguments, hits, is_loaded=found["searched"] is not None),
    )


def _filters(arguments: Arguments, read: Read) -> str | None:
    """The filters that are set, as JSON; None where there are none."""
    given = {} if arguments.filters is None else arguments.filters.model_dump(exclude_none=True)
    if not given:
        return None
    filters = to_json(given).decode()
    [row] = read(UNKNOWN_FILTER, filters=filters)
    if row["found"] is not None:
        raise _unknown_value(row["found"]["name"], row["found"]["known_values"])
    return filters


def _unknown_value(name: str, values: list[str]) -> InvalidArgument:
    known = sorted(values, key=lambda value: (value.rjust(2, "0"), value))  # generations are numbers
    if not known:
        return InvalidArgument(f"`{name}` cannot be used: no loaded narrator has one.")
    more = f" and {len(known) - _VALUES_SHOWN} more" if len(known) > _VALUES_SHOWN else ""
    return InvalidArgument(f"`{name}` must be one of: {', '.join(known[:_VALUES_SHOWN])}{more}.")


def _hit(hit: dict[str, Any], place: int) -> Hit:
    row, tier = hit["name"], _TIERS[hit["tier"] - 1]
    score = 0.8 * hit["closeness"] - 0.0001 * place if tier == "fuzzy" else _TOP_SCORES[tier] - 0.001 * place
    display = f"; canonical display: {row['display_status'] or 'status not stated'}" if row["canonical_display"] else ""
    return Hit(
        narrator_id=row["narrator_id"],
        name_ar=row["name_ar"],
        name_fr=row["name_fr"],
        canonical_display=row["canonical_display"],
        matched_form=row["matched_form"],
        death_year_ah=row["death_year_ah"],
        generation=row["generation"],
        match_tier=tier,
        score=score,
        evidence_status="inference",
        provenance=[narrator_provenance(row, note=f"name form: {row['matched_form']}{display}")],
    )


def _note(arguments: Arguments, hits: list[Hit], *, is_loaded: bool) -> str | None:
    """What the hits cannot say, or what an empty list means. It never says that a narrator does not exist (rule E6)."""
    if not is_loaded:
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
