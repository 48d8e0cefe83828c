"""get_transmission_relation: what is recorded between two narrators and, apart from it, what chains show."""

from typing import Any

from isnad_gateway.core.errors import InvalidArgument, NotFound
from isnad_gateway.core.logs import Event, log
from isnad_gateway.data.statement import Statement
from isnad_gateway.data.transaction import Read
from isnad_gateway.domain.provenance import (
    ChainCitations,
    dataset_provenance,
    nothing_loaded,
    relation_provenance,
)
from isnad_gateway.domain.relation_status import relation_status
from isnad_gateway.domain.tools.get_transmission_relation import TOOL, Arguments, Observation, Relation, Result
from isnad_gateway.http.handler import tool_handler

RELATION = Statement(__file__, "relation.sql")


def answer(arguments: Arguments, read: Read) -> Result:
    """Read the relations in both directions and, where asked, the observations.

    Raises:
        InvalidArgument: both ids are the same.
        NotFound: an id names nobody.
    """
    a, b = arguments.narrator_a_id, arguments.narrator_b_id
    if a == b:
        raise InvalidArgument("`narrator_b_id` must name another narrator than `narrator_a_id`.")
    observed = arguments.include_chain_observations
    [row] = read(RELATION, narrator_a_id=a, narrator_b_id=b, observed=observed, wanted=arguments.limit + 1)
    told = row["told"]
    for name, number in (("narrator_a_id", a), ("narrator_b_id", b)):
        if number not in (told["known"] or ()):
            raise NotFound(f"No narrator has this `{name}`; search_narrator finds ids.")
    citations = ChainCitations()
    recorded, observations = told["relations"] or [], told["observations"] or []
    relations = [_relation(relation) for relation in recorded[: arguments.limit]]
    attested = any(relation["relation_status"] == "attested" for relation in relations)
    notes = {"relations": "recorded relations searched", "chains": "chains searched"}
    searched = [dataset_provenance(row, notes[kind]) for kind in notes for row in told["searched"].get(kind) or ()]
    return Result(
        narrator_a_id=a,
        narrator_b_id=b,
        relations=relations,
        chain_observations=[_observation(observation, citations) for observation in observations[: arguments.limit]],
        evidence_status="fact" if attested else "insufficient_evidence",
        provenance=searched[:10] or [nothing_loaded("relations")],
        truncated=max(len(recorded), len(observations)) > arguments.limit,
        capability_note=_note(relations, told),
    )


def _relation(row: dict[str, Any]) -> Relation:
    recorded, has_source = row["recorded_status"], row["source_id"] is not None
    status, evidence = relation_status(recorded, has_source=has_source)
    if recorded == "attested" and not has_source:
        log(Event.RELATION_WITHOUT_SOURCE, "relation", relation_id=row["relation_id"])
    return Relation(
        teacher_id=row["teacher_id"],
        student_id=row["student_id"],
        relation_status=status,
        recorded_status=recorded,
        evidence_status=evidence,
        provenance=[relation_provenance(row)],
    )


def _observation(item: dict[str, Any], citations: ChainCitations) -> Observation:
    nearer, farther = (item["from_node_id"], item["from_rule"]), (item["to_node_id"], item["to_rule"])
    return {
        "hadith_id": item["hadith_id"],
        "canonical_reference": item["canonical_reference"],
        "chain_id": item["chain_id"],
        "from_node_id": item["from_node_id"],
        "to_node_id": item["to_node_id"],
        "transmission_term_ar": item["transmission_term_ar"],
        "evidence_status": "fact",
        "provenance": citations.of(item, nearer, farther),
    }


def _note(relations: list[Relation], told: dict[str, Any]) -> str | None:
    notes = []
    if not told["searched"]["relations"]:
        notes.append("No recorded relation is loaded.")
    elif not relations:
        titles = "; ".join(dataset["dataset_title"] for dataset in told["searched"]["relations"])
        nothing = f"Nothing is recorded between the two in what was searched ({titles})"
        notes.append(f"{nothing}, which does not show that they never met.")
    if any((each["recorded_status"], each["relation_status"]) == ("attested", "possible") for each in relations):
        notes.append("A relation is recorded as attested without a source: it is given as possible.")
    if told["observations"]:
        notes.append("Standing side by side in a chain is no relation of teacher and student.")
    return " ".join(notes) or None


handler = tool_handler(TOOL, answer)
