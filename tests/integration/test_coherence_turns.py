"""The coherence check on the written turns, over real results of the sandbox: what docs/coherence.md reports, held."""

from collections import Counter
from pathlib import Path

import pytest
from tests.coherence.turns import (
    FIFTH,
    FIRST,
    FOURTH,
    KINDS,
    SECOND,
    SIXTH,
    THIRD,
    Calls,
    Judged,
    TurnFileError,
    judged,
    read,
)
from tests.conftest import ROOT, Database
from tests.integration.conftest import PeopleDatabase

from isnad_gateway.domain.coherence import suspicions
from isnad_gateway.domain.turn_record import ToolResult, TurnReport, make_record
from isnad_gateway.domain.turns import answer_of, digest

SETS = [FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH]
LEAST = 8
CAUGHT, SUSPECTED = 0.95, 0.05
"""The shares that the check must reach: faults that are caught, honest turns that are suspected."""


@pytest.fixture(scope="module")
def data(sandbox: Database, people_database: PeopleDatabase) -> dict[str, str]:
    """The databases that calls are made against."""
    return {"sandbox": sandbox.reader, "people": people_database.database.reader}


def test_the_first_set_has_what_it_needs() -> None:
    turns = read(FIRST)["turns"]
    kinds = Counter(turn["kind"] for turn in turns)
    assert len(turns) >= 200
    assert all(kinds[kind] >= LEAST for kind in KINDS)
    assert kinds[None] >= sum(kinds[kind] for kind in KINDS)
    assert {turn["language"] for turn in turns} == {"ar", "fr"}


@pytest.mark.parametrize("path", SETS, ids=lambda path: path.stem)
def test_faults_are_caught_and_honest_turns_pass(path: Path, data: dict[str, str]) -> None:
    turns = judged(path, data)
    assert len({turn.id for turn in turns}) == len(turns)
    faults = [turn for turn in turns if turn.kind is not None]
    honest = [turn for turn in turns if turn.kind is None]
    missed = [_shown(turn) for turn in faults if not turn.is_suspect]
    suspected = [_shown(turn) for turn in honest if turn.is_suspect]
    assert len(missed) <= (1 - CAUGHT) * len(faults), "\n".join(missed)
    assert len(suspected) <= SUSPECTED * len(honest), "\n".join(suspected)
    for kind in KINDS:  # no kind is left behind by the others
        of_kind = [turn for turn in faults if turn.kind == kind]
        assert sum(turn.is_suspect for turn in of_kind) >= 0.8 * len(of_kind), kind


def _shown(turn: Judged) -> str:
    return f"{turn.id}: {turn.spoken} {turn.reasons}"


def test_the_table_of_the_documentation_is_true(data: dict[str, str]) -> None:
    from tests.coherence.report import table  # noqa: PLC0415

    documented = (ROOT / "docs" / "coherence.md").read_text(encoding="utf-8")
    for path in SETS:
        assert table(judged(path, data)) in documented, f"python -m tests.coherence.report {path.name}"


def test_a_reason_names_words_of_the_answer(data: dict[str, str]) -> None:
    """Whoever reads a reason finds its words in the answer."""
    for turn in judged(FIRST, data):
        for reason in turn.reasons:
            if not reason.startswith("tool_results["):
                words = reason.split('"')[1].rstrip("…")
                assert _plain(words) in _plain(turn.spoken), reason


def _plain(text: str) -> str:
    from isnad_gateway.domain.coherence.spoken import Spoken  # noqa: PLC0415

    return " ".join(Spoken(text).folded)


def test_unsupported_sources_are_never_among_the_sources(data: dict[str, str]) -> None:
    """Sources come from provenance alone: the same whatever is said, and none without a proven result."""
    content = read(FIRST)
    calls = Calls(content["calls"], data)
    result = calls.result("h1")
    answers = [answer_of(str(digest(result)), "get_hadith", "h1")]
    spoken = [
        turn["spoken"] for turn in content["turns"] if turn["kind"] in ("cited_work", "cited_author", "reference")
    ]
    assert len(spoken) > 20
    seen = set()
    for answer in ["Voici le hadith.", *spoken]:
        report = TurnReport(
            conversation_id="c1", session_id="s1", turn_id=1, language="fr", user_transcript="", resolved_context={},
            tool_calls=[], tool_results=[ToolResult(call_id="h1", result=result)], spoken_answer=calls.filled(answer),
        )  # fmt: skip
        sources = make_record(report, answers, recorded_at="", keep_transcripts=True)["sources"]
        seen.add(repr(sources))
        assert make_record(report, [], recorded_at="", keep_transcripts=True)["sources"] == []
    assert len(seen) == 1


def test_one_answer_over_other_results(data: dict[str, str]) -> None:
    """What is honest over its own results is suspect over none: the check reads results, not phrases."""
    calls = Calls(read(FIRST)["calls"], data)
    answer = "Qutayba ibn Sa'id, thiqa thabt, est mort en 240 de l'hégire selon le Taqrib at-Tahdhib."
    assert suspicions(answer, [calls.result("p-qutayba")]) == []
    kinds = {reason.kind for reason in suspicions(answer, [])}
    assert kinds == {"narrator", "verdict", "date", "cited_work"}


def test_a_broken_file_is_told(data: dict[str, str]) -> None:
    calls = Calls({"x": ["get_hadith", {"hadith_id": 10**9}], "y": ["get_hadith", {"hadith_id": 1}]}, data)
    for text in ("{nobody.results}", "{x.text_ar}", "{y.text_ar|from:مستحيل:2}", "{y.text_ar|upside-down}"):
        with pytest.raises(TurnFileError):
            calls.filled(text)
