"""get_narrator_hadiths: the confirmed occurrences of a narrator, page by page."""

from typing import Any

from isnad_gateway.core.errors import LimitExceeded, NotFound
from isnad_gateway.data.statement import Statement
from isnad_gateway.data.transaction import Read
from isnad_gateway.domain.provenance import (
    Provenance,
    chain_node_provenance,
    dataset_provenance,
    hadith_provenance,
    narrator_provenance,
)
from isnad_gateway.domain.tools.get_narrator_hadiths import MAX_DEPTH, TOOL, Arguments, Occurrence, Result
from isnad_gateway.http.handler import tool_handler

OCCURRENCES = Statement(__file__, "occurrences.sql")


def answer(arguments: Arguments, read: Read) -> Result:
    """Read one page.

    Raises:
        LimitExceeded: the page lies too deep.
        NotFound: no narrator has this id.
    """
    last = arguments.page * arguments.limit
    if last > MAX_DEPTH:
        raise LimitExceeded(f"`page` times `limit` must be at most {MAX_DEPTH}.")
    skipped = last - arguments.limit
    rows = read(OCCURRENCES, narrator_id=arguments.narrator_id, skipped=skipped, last=last)
    if not rows:
        raise NotFound("No narrator has this `narrator_id`; search_narrator finds ids.")
    [row] = rows
    items = [_occurrence(item) for item in row["items"] or ()]
    return Result(
        narrator_id=arguments.narrator_id,
        occurrence_count=row["occurrence_count"],
        distinct_hadith_count=row["distinct_hadith_count"],
        page=arguments.page,
        items=items,
        truncated=row["occurrence_count"] > last,
        evidence_status="fact" if items else "insufficient_evidence",
        provenance=_provenance(row),
        capability_note=_note(arguments, row),
    )


def _occurrence(row: dict[str, Any]) -> Occurrence:
    return Occurrence(
        hadith_id=row["hadith_id"],
        canonical_reference=row["canonical_reference"],
        chain_id=row["chain_id"],
        node_id=row["node_id"],
        position=row["position"],
        relation_type="chain_occurrence",
        evidence_status="fact",
        provenance=[chain_node_provenance(row, row["node_id"], row["rule"]), hadith_provenance(row)],
    )


def _provenance(row: dict[str, Any]) -> list[Provenance]:
    searched = (row["searched"] or ())[:9]
    datasets = [dataset_provenance(dataset, note="chains searched") for dataset in searched]
    return [narrator_provenance(row["narrator"]), *datasets]


def _note(arguments: Arguments, row: dict[str, Any]) -> str | None:
    if not row["searched"]:
        return "No chain is loaded."
    if not row["occurrence_count"]:
        return (
            "No node of the loaded chains is confirmed to be this narrator, which does not show that none is: "
            "nodes that are only probable, ambiguous or unresolved are not counted."
        )
    if (arguments.page - 1) * arguments.limit >= row["occurrence_count"]:
        return f"This page lies past the end: there are {row['occurrence_count']} confirmed occurrences."
    return "Only confirmed nodes are counted; probable, ambiguous and unresolved ones are left out."


handler = tool_handler(TOOL, answer)
