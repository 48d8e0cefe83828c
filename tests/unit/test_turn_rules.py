"""The pure rules of a turn: digests, sources, budget; and the keys that keep callers apart."""

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isnad_gateway.core.ledger_settings import LedgerSettings
from isnad_gateway.data.ledger import TurnState
from isnad_gateway.data.table import partition_of
from isnad_gateway.domain.registry import CONTRACT
from isnad_gateway.domain.turns import answer_of, digest, is_research, left, provenance_of, split_answer, why_spent

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def test_digest_of_the_example_of_rfc_8785() -> None:
    """Sections 3.2.2 and 3.2.3 of the RFC."""
    example = {
        "numbers": [333333333.33333329, 1e30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/",
        "literals": [None, True, False],
    }
    canonical = (
        r'{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        r""""string":"€$\u000f\nA'B\"\\\\\"/"}"""
    )
    assert digest(example) == hashlib.sha256(canonical.encode()).hexdigest()


@given(JSON)
def test_digest_survives_reading_and_writing(value: Any) -> None:
    assert digest(value) == digest(json.loads(json.dumps(value)))
    assert digest({"a": value, "b": 1}) == digest({"b": 1.0, "a": value})


@given(JSON, JSON)
def test_different_results_have_different_digests(one: Any, other: Any) -> None:
    assert (digest(one) == digest(other)) == (_numbers(one) == _numbers(other))


def _numbers(value: Any) -> Any:
    """A value as JSON compares it: true is not 1, and 1.0 is."""
    if isinstance(value, dict):
        return {key: _numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_numbers(item) for item in value]
    return ("number", float(value)) if isinstance(value, int | float) and not isinstance(value, bool) else repr(value)


NO_CANONICAL_FORM: list[Any] = [2**53, -(2**60), float("nan"), float("inf"), "\ud800", {"\ud800": 1}, {1: 2}, {1, 2}]


@pytest.mark.parametrize("value", NO_CANONICAL_FORM, ids=repr)
def test_what_has_no_canonical_form(value: Any) -> None:
    assert digest(value) is None


def test_depth_without_end() -> None:
    value: Any = []
    for _ in range(100_000):
        value = [value]
    assert digest(value) is None
    while value:  # taken apart step by step: freeing it at once would recurse, too
        value = value.pop()


def test_only_the_search_for_narrators_is_no_research() -> None:
    assert [name for name in CONTRACT if not is_research(name)] == ["search_narrator"]


SETTINGS = LedgerSettings(table="t")
STATES: list[tuple[TurnState, str | None, str | None]] = [
    (TurnState(), None, None),
    (TurnState(calls=7, research=7, barren=1), None, None),
    (TurnState(calls=8, research=8), "(8 calls)", None),
    (TurnState(calls=2, research=2, barren=2), "(2 calls in a row", None),
    (TurnState(calls=9, research=8, barren=5), "(8 calls)", None),
    (TurnState(calls=20, research=3), "(20 calls)", "(20 calls)"),
]


@pytest.mark.parametrize(("state", "research", "other"), STATES)
def test_why_spent(state: TurnState, research: str | None, other: str | None) -> None:
    for is_for_research, expected in ((True, research), (False, other)):
        why = why_spent(SETTINGS, state, research=is_for_research)
        assert (why is None) == (expected is None)
        if why is not None and expected is not None:
            assert expected in why
            assert "does not mean that no source exists" in why
            assert len(why) <= 300


def test_left_is_never_negative() -> None:
    assert set(left(SETTINGS, TurnState(calls=99, research=99, barren=99)).values()) == {0}


@given(st.text(alphabet="0123456789abcdef", min_size=64, max_size=64), st.sampled_from(CONTRACT), st.text(min_size=1))
def test_answers_come_apart_as_they_were(result_digest: str, tool: str, call_id: str) -> None:
    """Whatever a provider puts into its call ids, blanks and line ends too."""
    assert split_answer(answer_of(result_digest, tool, call_id)) == (result_digest, tool, call_id)
    assert split_answer(answer_of(result_digest, tool, None)) == (result_digest, tool, "")


def test_sources() -> None:
    """Each entry once, without nulls, in order; what stands under a machine's translation alone is none (E13)."""
    corpus = {"object_id": 1, "object_type": "hadith", "locator": None}
    machine = {"object_id": 1, "object_type": "hadith", "note": "machine translation"}
    dataset = {"object_id": "1", "object_type": "dataset"}
    result = {
        "translation": {"origin": "machine", "provenance": [machine]},
        "results": [{"provenance": [corpus]}, {"provenance": [{**corpus}, dataset]}],
        "provenance": [dataset],
    }
    expected = [{"object_id": 1, "object_type": "hadith"}, dataset]
    assert provenance_of([result, result]) == expected
    assert provenance_of([{"translation": {"origin": "human", "provenance": [machine]}}]) == [machine]


@given(*[st.tuples(st.text(max_size=9), st.text(max_size=9), st.text(max_size=9))] * 2)
def test_callers_are_apart(one: tuple[str, str, str], other: tuple[str, str, str]) -> None:
    assert (partition_of(*one) == partition_of(*other)) == (one == other)


@pytest.mark.parametrize("letter", ["x", "\0", '"', "\U0001f600", "م"])
def test_keys_fit(letter: str) -> None:
    """DynamoDB takes partition keys of up to 2,048 bytes."""
    key = partition_of("https://issuer.example", letter * 256, letter * 128)
    assert len(key.encode()) <= 2048
    assert key != partition_of("https://issuer.example", letter * 255, letter * 128)
