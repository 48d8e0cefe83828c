"""What holds for every call of every tool that is built, whatever the arguments: tried with arguments at random."""

import importlib
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conftest import call, connected
from tests.integration.conftest import PeopleDatabase

from isnad_database.connect import administrator
from isnad_gateway.domain.evidence import STATUSES
from isnad_gateway.domain.registry import CONTRACT, declaration
from isnad_gateway.domain.rules import broken_rules

CODES = {
    "INVALID_ARGUMENT": 400, "NOT_FOUND": 404, "INSUFFICIENT_EVIDENCE": 422, "LIMIT_EXCEEDED": 422, "UNAVAILABLE": 503,
}  # fmt: skip
WORDS = ["سفيان", "حماد", "بن", "ابن", "عمر", "نافع", "أبيه", "عبد", "الله", "زيد", "حدثنا", "قال", "Hammad", "ibn",
         "Zayd", "Sufyan", "book", "1", "%", "'", "\\", "ﷺ", "\u200f", "x"]  # fmt: skip
queries = st.one_of(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join), st.text(max_size=40))
small = st.integers(-1, 40)
ids = st.one_of(st.integers(0, 40), st.just(2**63 - 1))
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "query": queries,
    "query_language": st.sampled_from(["ar", "fr", "latin", "auto", None]),
    "collection_id": st.one_of(st.none(), st.integers(0, 3)),
    "language": st.sampled_from(["fr", "ar", None]),
    "filters": st.one_of(st.none(), st.fixed_dictionaries({}, optional={
        "grade_tier": st.sampled_from(["thiqa", "saduq", "none", None]), "region": st.sampled_from(["مكة", "x", None]),
        "generation": st.sampled_from(["8", "99", None]),
    })),
    "include_chain_observations": st.sampled_from([True, False, None]),
    "page": st.one_of(st.none(), st.integers(-1, 30), st.just(10**9)),
    **dict.fromkeys(("hadith_id", "narrator_id", "narrator_a_id", "narrator_b_id"), ids),
    **dict.fromkeys(("limit", "entry_limit"), st.one_of(st.none(), small)),
}  # fmt: skip
many = settings(
    max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def arguments_of(name: str) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments of a tool: those that it needs, and some of the others."""
    fields = declaration(name).arguments.model_fields
    needed = {key: VALUES[key] for key, field in fields.items() if field.is_required()}
    return st.fixed_dictionaries(needed, optional={key: VALUES[key] for key in fields if key not in needed})


def handler_of(name: str) -> Callable[..., dict[str, Any]]:
    handler: Callable[..., dict[str, Any]] = importlib.import_module(f"functions.{name}.app").handler
    return handler


@pytest.fixture
def administrators(people_database: PeopleDatabase) -> Iterator[str]:
    with connected(people_database.database.reader):
        yield people_database.database.administrator


@pytest.mark.usefixtures("administrators")
@pytest.mark.parametrize("name", CONTRACT)
@many
@given(data=st.data())
def test_every_reply_keeps_the_rules(name: str, data: st.DataObject) -> None:
    """A result breaks no rule; an error is code and message and leaks nothing; the same call answers the same."""
    arguments = data.draw(arguments_of(name))
    tool, reply = declaration(name), call(handler_of(name), arguments)  # `call` searches the reply for leaks
    assert call(handler_of(name), arguments) == reply
    if reply["error"] is not None:
        assert set(reply["error"]) == {"code", "message"}
        assert reply["status"] == CODES[reply["error"]["code"]]
        return
    parsed = tool.arguments.model_validate_json(json.dumps(arguments))
    assert broken_rules(tool, parsed, reply["result"]) == []
    for claim in claims(reply["result"]):
        check_claim(claim)


def claims(node: Any) -> Iterator[dict[str, Any]]:
    """Every object within a result that has a status."""
    if isinstance(node, dict):
        if "evidence_status" in node:
            yield node
        for value in node.values():
            yield from claims(value)
    elif isinstance(node, list):
        for value in node:
            yield from claims(value)


def check_claim(claim: dict[str, Any]) -> None:
    """What `broken_rules` says, said again in another way, so that it cannot be wrong alone."""
    order = STATUSES.index
    if "recorded_status" in claim:
        highest = {"attested": "fact", "probable": "inference", "ambiguous": "inference"}
        assert order(claim["evidence_status"]) <= order(highest.get(claim["recorded_status"], "insufficient_evidence"))
        if claim["relation_status"] == "attested":
            assert any(entry["source_id"] or entry["source_title"] for entry in claim["provenance"])
    if "match_tier" in claim or "match_method" in claim:
        assert claim["evidence_status"] == "inference"
    if claim.get("resolution_status") in ("AMBIGUOUS", "CONFLICTED"):
        assert claim["evidence_status"] == "insufficient_evidence"


def test_a_status_never_rises(administrators: str, people_database: PeopleDatabase) -> None:
    """Of every two people: what is told is never more than what is recorded."""
    narrators = people_database.ids.narrators.values()
    with administrator(administrators) as connection:
        recorded = {
            (teacher, student, status, source is not None)
            for teacher, student, status, source in connection.run(
                "select teacher_id, student_id, recorded_status, source_id from isnad.relations"
            )
        }
    told = set()
    for a in narrators:
        for b in narrators:
            if a < b:
                arguments = {"narrator_a_id": a, "narrator_b_id": b}
                for each in call(handler_of("get_transmission_relation"), arguments)["result"]["relations"]:
                    has_source = each["provenance"][0]["source_id"] is not None
                    told.add((each["teacher_id"], each["student_id"], each["recorded_status"], has_source))
                    attested = each["recorded_status"] == "attested" and has_source
                    assert (each["relation_status"] == "attested") == attested
                    assert (each["evidence_status"] == "fact") == attested
    assert told == recorded


def test_every_occurrence_is_a_confirmed_node(administrators: str, people_database: PeopleDatabase) -> None:
    with administrator(administrators) as connection:
        confirmed = {
            (narrator, node, chain, position)
            for narrator, node, chain, position in connection.run(
                "select narrator_id, node_id, chain_id, position from isnad.chain_nodes"
                " where resolution_status = 'confirmed'"
            )
        }
    told = set()
    for narrator in people_database.ids.narrators.values():
        result = call(handler_of("get_narrator_hadiths"), {"narrator_id": narrator, "limit": 50})["result"]
        told |= {(narrator, item["node_id"], item["chain_id"], item["position"]) for item in result["items"]}
    assert told == confirmed


@pytest.mark.usefixtures("administrators")
def test_mentions_are_substrings_in_order(people_database: PeopleDatabase) -> None:
    seen = 0
    for hadith in people_database.ids.hadiths:
        text = call(handler_of("get_hadith"), {"hadith_id": hadith})["result"]["text_ar"]
        for chain in call(handler_of("get_hadith_chains"), {"hadith_id": hadith})["result"]["chains"]:
            spans = [node["text_span"] for node in chain["nodes"]]
            assert spans == sorted(spans)
            for node, (start, end) in zip(chain["nodes"], spans, strict=True):
                assert text[start:end] == node["mention_ar"]
                seen += 1
    assert seen > 0


@pytest.mark.usefixtures("administrators")
@many
@given(narrator=st.integers(1, 10), limit=st.integers(1, 50))
def test_pages_partition(narrator: int, limit: int) -> None:
    """All pages together are the whole, once; the last but one is full."""
    whole = call(handler_of("get_narrator_hadiths"), {"narrator_id": narrator, "limit": 50})["result"]
    nodes, page = [], 0
    while page == 0 or page * limit < whole["occurrence_count"]:
        page += 1
        answer = call(handler_of("get_narrator_hadiths"), {"narrator_id": narrator, "page": page, "limit": limit})[
            "result"
        ]
        nodes += [item["node_id"] for item in answer["items"]]
        assert answer["truncated"] == (page * limit < whole["occurrence_count"])
    assert nodes == [item["node_id"] for item in whole["items"]]
