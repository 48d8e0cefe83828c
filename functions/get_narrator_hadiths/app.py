"""get_narrator_hadiths: the confirmed occurrences of a narrator, page by page."""

from typing import Any

from isnad_gateway.core.errors import LimitExceeded, NotFound
from isnad_gateway.data.statement import Statement
from isnad_gateway.data.transaction import Read
from isnad_gateway.domain.provenance import ChainCitations, Provenance, dataset_provenance, narrator_provenance
from isnad_gateway.domain.tools.get_narrator_hadiths import MAX_DEPTH, TOOL, Arguments, Occurrence, Result
from isnad_gateway.http.handler import tool_handler

PAGE = Statement(__file__, "page.sql")


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
    [row] = read(PAGE, narrator_id=arguments.narrator_id, skipped=skipped, last=last)
    told = row["told"]
    if told is None:
        raise NotFound("No narrator has this `narrator_id`; search_narrator finds ids.")
    head, citations = told["head"], ChainCitations()
    items = [_occurrence(item, citations) for item in told["items"] or ()]
    return Result(
        narrator_id=arguments.narrator_id,
        occurrence_count=head["occurrence_count"],
        distinct_hadith_count=head["distinct_hadith_count"],
        page=arguments.page,
        items=items,
        truncated=head["occurrence_count"] > last,
        evidence_status="fact" if items else "insufficient_evidence",
        provenance=_provenance(told),
        capability_note=_note(arguments, told),
    )


def _occurrence(item: dict[str, Any], citations: ChainCitations) -> Occurrence:
    return {
        "hadith_id": item["hadith_id"],
        "canonical_reference": item["canonical_reference"],
        "chain_id": item["chain_id"],
        "node_id": item["node_id"],
        "position": item["position"],
        "relation_type": "chain_occurrence",
        "evidence_status": "fact",
        "provenance": citations.of(item, (item["node_id"], item["rule"])),
    }


def _provenance(told: dict[str, Any]) -> list[Provenance]:
    searched = (told["searched"] or ())[:9]
    datasets = [dataset_provenance(dataset, note="chains searched") for dataset in searched]
    return [narrator_provenance(told["head"]), *datasets]


def _note(arguments: Arguments, told: dict[str, Any]) -> str | None:
    if not told["searched"]:
        return "No chain is loaded."
    count = told["head"]["occurrence_count"]
    if not count:
        return (
            "No node of the loaded chains is confirmed to be this narrator, which does not show that none is: "
            "nodes that are only probable, ambiguous or unresolved are not counted."
        )
    if (arguments.page - 1) * arguments.limit >= count:
        return f"This page lies past the end: there are {count} confirmed occurrences."
    return "Only confirmed nodes are counted; probable, ambiguous and unresolved ones are left out."


handler = tool_handler(TOOL, answer)
