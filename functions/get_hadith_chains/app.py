"""get_hadith_chains: the chains that a hadith's text names."""

from typing import Any

from isnad_gateway.core.errors import NotFound
from isnad_gateway.data.statement import Statement
from isnad_gateway.data.transaction import Read
from isnad_gateway.domain.evidence import weakest
from isnad_gateway.domain.provenance import UNKNOWN, Provenance, as_id, dataset_provenance, hadith_provenance
from isnad_gateway.domain.tools.get_hadith_chains import TOOL, Arguments, Chain, Node, Result
from isnad_gateway.http.handler import tool_handler

CHAINS = Statement(__file__, "chains.sql")

NO_CHAIN = {
    "no_text": "The record has no Arabic text to read a chain from.",
    "no_chain": "The reader found no chain in the text: it does not begin as a chain does.",
    "reference_only": "The text gives no chain of its own: it refers to another one that it does not repeat.",
    "prophet_only": "The text names nobody between the compiler and the Prophet.",
}


def answer(arguments: Arguments, read: Read) -> Result:
    """Read a hadith's chains, in the order of its text.

    Raises:
        NotFound: no hadith has this id.
    """
    rows = read(CHAINS, hadith_id=arguments.hadith_id, wanted=arguments.limit + 1)
    if not rows:
        raise NotFound("No hadith has this `hadith_id`; search_hadith finds ids.")
    chains = [_chain(row) for row in rows[: arguments.limit] if row["chain_id"] is not None]
    return Result(
        hadith_id=arguments.hadith_id,
        chains=chains,
        truncated=len(rows) > arguments.limit,
        evidence_status=weakest(chain["evidence_status"] for chain in chains),
        provenance=[
            hadith_provenance(rows[0]),
            dataset_provenance(rows[0], note="text from which the chains are read"),
        ],
        capability_note=_note(rows[0], chains),
    )


def _chain(row: dict[str, Any]) -> Chain:
    reader = f"read from the text by {row['reader']} {row['reader_version']}"
    met = f"; from position {row['met_position']} on the same as chain {row['met_number']}" if row["met_number"] else ""
    return Chain(
        chain_id=row["chain_id"],
        chain_number=row["chain_number"],
        completeness=row["completeness"],
        nodes=[_node(row, node) for node in row["nodes"] or ()],
        evidence_status="fact" if row["understood"] else "insufficient_evidence",
        provenance=[_provenance(row, row["chain_id"], "chain", reader + met)],
    )


def _node(row: dict[str, Any], node: dict[str, Any]) -> Node:
    return Node(
        position=node["position"],
        narrator_id=node["narrator_id"],
        mention_ar=node["mention_ar"],
        transmission_term_ar=node["transmission_term_ar"],
        text_span=None if node["span_start"] is None else [node["span_start"], node["span_end"]],
        resolution_status=node["resolution_status"],
        confidence=node["confidence"],
        candidate_count=node["candidate_count"],
        provenance=[_provenance(row, node["node_id"], "chain_node", node["rule"])],
    )


def _provenance(row: dict[str, Any], object_id: int, kind: Any, note: str | None) -> Provenance:
    return {
        **UNKNOWN,
        "object_id": object_id,
        "object_type": kind,
        "source_id": as_id(row["source_id"]),
        "source_title": row["source_title"],
        "source_type": row["source_type"],
        "source_key": row["source_key"],
        "citation": row["canonical_reference"],
        "dataset_id": as_id(row["dataset_id"]),
        "import_id": as_id(row["import_id"]),
        "note": note,
    }


def _note(row: dict[str, Any], chains: list[Chain]) -> str | None:
    if not chains:
        return NO_CHAIN.get(row["reason"], "No chain of this hadith is loaded.")
    if any(chain["evidence_status"] != "fact" for chain in chains):
        return "Not every word of each chain was understood; where it was not, the chain is no more than a reading."
    return None


handler = tool_handler(TOOL, answer)
