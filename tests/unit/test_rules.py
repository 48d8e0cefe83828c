"""The evidence rules: good results pass, each broken in one way breaks exactly that rule."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isnad_gateway.domain import rules
from isnad_gateway.domain.evidence import STATUSES, EvidenceStatus, weakest
from isnad_gateway.domain.provenance import Provenance
from isnad_gateway.domain.registry import CONTRACT, declaration
from isnad_gateway.domain.rules import broken_rules
from isnad_gateway.domain.tools import search_hadith, search_narrator

JsonObject = dict[str, Any]


def _source(kind: str, **fields: Any) -> list[JsonObject]:
    return [{"object_id": 7, "object_type": kind, **fields}]


def _with_provenance(value: Any) -> Any:
    """Fill the provenance entries up to all their fields, as a dumped result has them."""
    if isinstance(value, list):
        return [_with_provenance(item) for item in value]
    if not isinstance(value, dict):
        return value
    filled = {key: _with_provenance(item) for key, item in value.items()}
    if "object_type" in filled:
        names = Provenance.__annotations__
        filled = {**dict.fromkeys(names), **filled}
    return filled


def _hit(hadith_id: int) -> JsonObject:
    return {
        "hadith_id": hadith_id, "canonical_reference": f"bukhari:{hadith_id}", "numbering_scheme": "running",
        "text_ar": "نص", "text_fr": None, "match_method": "fulltext", "score": 0.5, "evidence_status": "inference",
        "provenance": _source("hadith", source_key=f"bukhari:{hadith_id}"),
    }  # fmt: skip


def _node(position: int, status: str, narrator_id: int | None) -> JsonObject:
    return {
        "position": position, "narrator_id": narrator_id, "mention_ar": "سفيان",
        "transmission_term_ar": "حدثنا", "text_span": [0, 5], "resolution_status": status, "confidence": None,
        "candidate_count": 1, "provenance": _source("chain_node"),
    }  # fmt: skip


def _relation(recorded: str, status: str, evidence: str, **source: Any) -> JsonObject:
    return {
        "teacher_id": 1, "student_id": 2, "relation_status": status, "recorded_status": recorded,
        "evidence_status": evidence, "provenance": _source("relation", **source),
    }  # fmt: skip


def _statement(status: str) -> JsonObject:
    return {"field": "grade", "value": "ثقة", "evidence_status": status, "provenance": _source("dataset")}


ARGUMENTS: dict[str, JsonObject] = {
    "search_hadith": {"query": "bukhari 1", "limit": 2},
    "get_hadith": {"hadith_id": 1},
    "get_hadith_chains": {"hadith_id": 1, "limit": 2},
    "search_narrator": {"query": "sufyan", "limit": 2},
    "get_narrator_profile": {"narrator_id": 1, "entry_limit": 2},
    "get_narrator_hadiths": {"narrator_id": 1, "limit": 2},
    "get_transmission_relation": {"narrator_a_id": 1, "narrator_b_id": 2, "limit": 3},
    "get_hadith_commentary": {"hadith_id": 1, "limit": 2},
}
DATASET = _source("dataset", dataset_id="1")
GOOD: dict[str, JsonObject] = _with_provenance({
    "search_hadith": {
        "results": [_hit(1), _hit(2)], "truncated": True, "evidence_status": "inference", "provenance": DATASET,
        "capability_note": None,
    },
    "get_hadith": {
        "hadith_id": 1, "canonical_reference": "bukhari:1", "numbering_scheme": "running", "other_references": [],
        "collection": {"id": 1, "code": "bukhari", "name": None}, "book": None,
        "chapter": {"id": 1, "number": "1", "title": None}, "text_ar": "نص", "text_damaged": False,
        "text_fr": "texte",
        "translation": {
            "language": "fr", "text": "texte", "translator": None, "origin": "human", "evidence_status": "fact",
            "provenance": _source("hadith", source_title="x"),
        },
        "evidence_status": "fact", "provenance": _source("hadith"), "capability_note": None,
    },
    "get_hadith_chains": {
        "hadith_id": 1,
        "chains": [
            {
                "chain_id": 1, "chain_number": 1, "completeness": "complete",
                "nodes": [_node(1, "confirmed", 3), _node(2, "ambiguous", None), _node(3, "unresolved", None)],
                "evidence_status": "fact", "provenance": _source("chain"),
            },
            {
                "chain_id": 2, "chain_number": 2, "completeness": "open_start", "nodes": [_node(1, "probable", 4)],
                "evidence_status": "insufficient_evidence", "provenance": _source("chain"),
            },
        ],
        "truncated": False, "evidence_status": "fact", "provenance": _source("hadith"), "capability_note": None,
    },
    "search_narrator": {
        "results": [
            {
                "narrator_id": number, "name_ar": "سفيان", "name_fr": None, "canonical_display": None,
                "matched_form": "سفيان", "death_year_ah": 161, "generation": None, "match_tier": "exact", "score": None,
                "evidence_status": "inference", "provenance": _source("narrator"),
            }
            for number in (1, 2)
        ],
        "truncated": False, "evidence_status": "inference", "provenance": DATASET, "capability_note": None,
    },
    "get_narrator_profile": {
        "narrator_id": 1,
        "identity": {
            "name_ar": "سفيان", "name_fr": None, "canonical_display": None,
            "variants": [{"form": "سفيان", "distinctive": False}],
        },
        "legacy_scholarly_data": [_statement("fact"), _statement("insufficient_evidence")],
        "source_entries": [
            {
                "entry_id": "e1", "text": "ترجمة", "resolution_status": "LINKED", "evidence_status": "fact",
                "provenance": _source("narrator_entry"),
            }
        ],
        "canonical_assertions": [_statement("fact")], "truncated": False, "evidence_status": "fact",
        "provenance": DATASET, "capability_note": None,
    },
    "get_narrator_hadiths": {
        "narrator_id": 1, "occurrence_count": 1, "distinct_hadith_count": 1, "page": 1,
        "items": [
            {
                "hadith_id": 1, "canonical_reference": "bukhari:1", "chain_id": 1, "node_id": 1, "position": 1,
                "relation_type": "chain_occurrence", "evidence_status": "fact", "provenance": _source("chain_node"),
            }
        ],
        "truncated": False, "evidence_status": "fact", "provenance": DATASET, "capability_note": None,
    },
    "get_transmission_relation": {
        "narrator_a_id": 1, "narrator_b_id": 2,
        "relations": [
            _relation("attested", "attested", "fact", source_title="x"),
            _relation("probable", "possible", "inference"),
            _relation("unresolved", "not_established", "insufficient_evidence"),
        ],
        "chain_observations": [
            {
                "hadith_id": 1, "canonical_reference": "bukhari:1", "chain_id": 1, "from_node_id": 1, "to_node_id": 2,
                "transmission_term_ar": "عن", "evidence_status": "fact", "provenance": _source("chain"),
            }
        ],
        "evidence_status": "fact", "provenance": DATASET, "truncated": True, "capability_note": None,
    },
    "get_hadith_commentary": {
        "hadith_id": 1,
        "passages": [
            {
                "passage_id": 1, "passage_kind": "remark", "source_text": "قال", "alignment_status": "contained",
                "translation": {"language": "fr", "text": "il dit", "status": "PUBLISHED"},
                "alignment_confidence": None, "evidence_status": "fact", "provenance": _source("commentary_passage"),
            }
        ],
        "truncated": False, "evidence_status": "fact", "provenance": _source("hadith"), "capability_note": None,
    },
})  # fmt: skip


def _broken(tool: str, result: JsonObject) -> list[str]:
    declared = declaration(tool)
    return broken_rules(declared, declared.arguments.model_validate(ARGUMENTS[tool]), result)


@pytest.mark.parametrize("tool", CONTRACT)
def test_good_results_pass(tool: str) -> None:
    """They are results as the models make them, so that the rules are tried on what they will see."""
    assert declaration(tool).checked(GOOD[tool]) == GOOD[tool]
    assert _broken(tool, GOOD[tool]) == []


NOTHING_FOUND = {"truncated": False, "evidence_status": "insufficient_evidence", "capability_note": "Nothing."}
EMPTY: dict[str, JsonObject] = {
    "search_hadith": {"results": []},
    "get_hadith_chains": {"chains": []},
    "search_narrator": {"results": []},
    "get_narrator_profile": {"legacy_scholarly_data": [], "source_entries": [], "canonical_assertions": []},
    "get_narrator_hadiths": {"items": []},
    "get_transmission_relation": {"relations": [], "chain_observations": []},
    "get_hadith_commentary": {"passages": []},
}


@pytest.mark.parametrize("tool", EMPTY)
def test_empty_results(tool: str) -> None:
    """E6, E12: finding nothing is insufficient evidence, and a note says what it means."""
    nothing = {**GOOD[tool], **EMPTY[tool], **NOTHING_FOUND}
    assert _broken(tool, nothing) == []
    for note in (None, ""):
        rules = {found.split()[0] for found in _broken(tool, {**nothing, "capability_note": note})}
        assert rules == {"E6"} | ({"E5"} if note == "" else set())
    for status in ("fact", "inference"):
        found = _broken(tool, {**nothing, "evidence_status": status})
        assert "E12 result: the status is not the weakest of what is asserted" in found


@pytest.mark.parametrize("tool", EMPTY)
def test_more_items_than_the_limit(tool: str) -> None:
    declared = declaration(tool)
    assert declared.items is not None
    assert declared.limit is not None
    result = deepcopy(GOOD[tool])
    result[declared.items] = result[declared.items][:1] * (ARGUMENTS[tool][declared.limit] + 1)
    assert _broken(tool, result) == [f"E9 {declared.items}: more items than the limit"] + (
        ["E9 result: truncated below the limit"] if result["truncated"] else []
    )


def _set(path: str, value: Any) -> Callable[[JsonObject], None]:
    """A change of one place of a result: `results.0.score`, say."""

    def change(result: JsonObject) -> None:
        *parents, last = path.split(".")
        place: Any = result
        for part in parents:
            place = place[int(part)] if isinstance(place, list) else place[part]
        place[last] = value

    return change


def _all(*changes: Callable[[JsonObject], None]) -> Callable[[JsonObject], None]:
    def change(result: JsonObject) -> None:
        for each in changes:
            each(result)

    return change


MACHINE = _set("translation.origin", "machine")
SUBJECT = "get_transmission_relation"
BREAKS: list[tuple[str, str, Callable[[JsonObject], None]]] = [
    ("E1", "search_hadith", _set("results.1.evidence_status", "certain")),
    ("E1", "search_hadith", _set("evidence_status", None)),
    ("E2", "search_hadith", _set("results.0.provenance", [])),
    ("E2", "search_hadith", _set("results.0.provenance", None)),
    ("E2", "get_hadith", _set("provenance", [])),
    ("E2", "get_hadith", _set("provenance", [{"object_id": 1}])),
    ("E2", "get_hadith", _set("provenance.0.object_type", "book")),
    ("E2", "get_hadith", _set("provenance.0.object_id", None)),
    ("E2", "get_hadith", _set("provenance.0.source_type", "rumour")),
    ("E2", "get_hadith", _set("translation.provenance", [])),
    ("E2", "get_hadith_chains", _set("chains.1.provenance", [])),  # an open claim cites what was searched
    ("E3", "search_hadith", _all(*(_set(f"results.{i}.evidence_status", "fact") for i in (0, 1)),
                                 _set("evidence_status", "fact"))),
    ("E3", "search_narrator", _all(*(_set(f"results.{i}.evidence_status", "fact") for i in (0, 1)),
                                   _set("evidence_status", "fact"))),
    ("E4", SUBJECT, _set("relations.0.provenance.0.source_title", None)),  # attested without a source
    ("E4", SUBJECT, _set("relations.1.recorded_status", "unresolved")),
    ("E4", SUBJECT, _set("relations.1.relation_status", "not_established")),
    ("E4", SUBJECT, _set("relations.1.evidence_status", "fact")),
    ("E4", SUBJECT, _set("relations.0.evidence_status", "inference")),
    ("E5", "search_hadith", _set("results.0.text_fr", "nan")),
    ("E5", "search_hadith", _set("results.0.text_fr", " - ")),
    ("E5", "search_hadith", _set("results.0.text_fr", "")),
    ("E5", "search_hadith", _set("results.0.score", float("nan"))),
    ("E5", "search_hadith", _set("results.0.score", float("inf"))),
    ("E5", "get_hadith", _set("chapter.title", "")),
    ("E7", "get_hadith_chains", _set("chains.0.nodes.1.narrator_id", 9)),
    ("E7", "get_hadith_chains", _set("chains.0.nodes.2.narrator_id", 9)),
    ("E8", SUBJECT, _set("relations.1.chain_id", 1)),
    ("E9", "search_hadith", _set("results.0.provenance", _source("hadith") * 11)),
    ("E9", "get_hadith_chains", _set("chains.0.provenance", _source("chain") * 11)),
    ("E9", "get_narrator_hadiths", _set("truncated", True)),  # fewer items than the limit
    ("E11", "get_hadith_commentary", _set("passages.0.translation.status", "DRAFT")),
    ("E12", "search_hadith", _set("evidence_status", "insufficient_evidence")),
    ("E12", "get_hadith_chains", _set("evidence_status", "insufficient_evidence")),
    ("E12", "get_narrator_hadiths", _set("evidence_status", "inference")),
    ("E12", "get_hadith_commentary", _set("passages.0.evidence_status", "inference")),
    ("E12", SUBJECT, _set("evidence_status", "insufficient_evidence")),
    ("E13", "get_hadith", _all(MACHINE, _set("text_fr", None))),  # a machine's words as a fact
    ("E13", "get_hadith", _all(MACHINE, _set("translation.evidence_status", "insufficient_evidence"))),  # as text_fr
]  # fmt: skip


@pytest.mark.parametrize(("rule", "tool", "change"), BREAKS)
def test_one_breach_is_one_rule(rule: str, tool: str, change: Callable[[JsonObject], None]) -> None:
    result = deepcopy(GOOD[tool])
    change(result)
    assert result != GOOD[tool]
    assert {found.split()[0] for found in _broken(tool, result)} == {rule}


def test_more_observations_than_the_limit() -> None:
    result = deepcopy(GOOD[SUBJECT])
    result["chain_observations"] *= 4
    assert _broken(SUBJECT, result) == ["E9 chain_observations: more items than the limit"]


def test_every_rule_that_a_result_can_show_is_tried() -> None:
    """E10 and E14 need the database (tests/integration)."""
    tried = {rule for rule, *_ in BREAKS} | {"E6"}  # E6: test_empty_results
    assert tried == {f"E{number}" for number in range(1, 16)} - {"E10", "E14", "E15"}


def test_no_hit_is_found_by_similarity_of_vectors() -> None:
    """E15: there is no vector search, and the models have no name for its hits."""
    assert set(get_args(search_hadith.Hit.__annotations__["match_method"])) == {
        "exact", "fulltext", "fuzzy", "reference",
    }  # fmt: skip
    assert set(get_args(search_narrator.Hit.__annotations__["match_tier"])) == {
        "exact", "prefix", "substring", "fulltext", "fuzzy",
    }  # fmt: skip


def test_a_broken_rule_tells_nothing_of_the_text() -> None:
    result = deepcopy(GOOD["search_hadith"])
    result["results"][0] |= {"text_ar": "سر", "evidence_status": "سر", "provenance": []}
    found = _broken("search_hadith", result)
    assert found
    assert "سر" not in str(found)


SCALARS = st.none() | st.booleans() | st.integers(-5, 5) | st.floats() | st.text(max_size=5) | st.sampled_from(
    [*STATUSES, "attested", "possible", "machine", "PUBLISHED", "ambiguous"]
)  # fmt: skip


def _leaves(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        return [leaf for key, item in pairs for leaf in _leaves(item, (*place, key))]
    return [place]


@settings(max_examples=200, deadline=None)
@given(tool=st.sampled_from(CONTRACT), data=st.data())
def test_rules_never_raise(tool: str, data: st.DataObject) -> None:
    """Whatever the values, as long as the shape is the model's; and a status that is unknown is never missed."""
    result = deepcopy(GOOD[tool])
    unknown = False
    for *parents, last in data.draw(st.lists(st.sampled_from(_leaves(result)), min_size=1, max_size=6)):
        place = result
        for part in parents:
            place = place[part]
        place[last] = data.draw(SCALARS)
    for *parents, last in _leaves(result):
        place = result
        for part in parents:
            place = place[part]
        unknown = unknown or (last == "evidence_status" and place[last] not in STATUSES)
    found = _broken(tool, result)
    assert all(text.split()[0].strip("E").isdecimal() for text in found)
    assert not unknown or any(text.startswith("E1 ") for text in found)


@settings(max_examples=200, deadline=None)
@given(tool=st.sampled_from(CONTRACT), data=st.data())
def test_provenance_is_held_together_as_it_is_alone(tool: str, data: st.DataObject) -> None:
    """What a look at all entries of a list lets pass, a look at each lets pass as well."""
    result = deepcopy(GOOD[tool])
    cited = [leaf for leaf in _leaves(result) if "provenance" in leaf]
    for *parents, last in data.draw(st.lists(st.sampled_from(cited), min_size=1, max_size=3)):
        place: Any = result
        for part in parents:
            place = place[part]
        place[last] = data.draw(SCALARS | st.sampled_from(["nan", " - ", "corpus", "hadith"]))
    together = _broken(tool, result)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rules, "_is_sound", lambda *_: False)
        assert _broken(tool, result) == together


MANY = st.lists(st.sampled_from(STATUSES))


@given(MANY, MANY)
def test_weakest(one: list[EvidenceStatus], other: list[EvidenceStatus]) -> None:
    """E12: the weakest of what is asserted; what is open does not pull it down."""
    asserted = [status for status in one if status != "insufficient_evidence"]
    assert weakest(one) == min(asserted, key=STATUSES.index, default="insufficient_evidence")
    assert weakest(one) == weakest(reversed(one)) == weakest([weakest(one)]) == weakest([*one, weakest(one)])
    assert weakest([*one, *other]) == weakest([weakest(one), weakest(other)])
