"""The template's saved queries, asked of lines that the real functions wrote."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from functions.get_hadith.app import handler as get_hadith
from functions.search_hadith.app import handler as search_hadith
from tests import insights
from tests.conftest import ROOT
from tests.integration.test_turns import record, report
from tests.integration.test_vend_credential import vend
from tests.ledger import Turn

from isnad_local import template

RESOURCES: dict[str, Any] = yaml.load((ROOT / "template.yaml").read_text(encoding="utf-8"), template._Loader)[
    "Resources"
]
QUERIES = {
    name: resource["Properties"]["QueryString"]
    for name, resource in RESOURCES.items()
    if resource["Type"] == "AWS::Logs::QueryDefinition"
}
RUN = uuid.uuid4()
Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def lines(gateway: None, ledger: str, log_lines: Lines) -> list[dict[str, Any]]:
    """What the functions logged of three turns: one with a spent budget, one suspect, one with nothing found."""
    spent, suspect, quiet = Turn(1), Turn(2), Turn(3)
    for number in range(1, 11):
        spent.call(search_hadith, {"query": f"bukhari {number}"})
    result = suspect.call(get_hadith, {"hadith_id": 1})["result"]
    suspect.call(get_hadith, {"hadith_id": "1"})
    quiet.call(search_hadith, {"query": "bukhari 99999"})
    record(report(suspect, tool_results=[{"result": {**result, "text_ar": "x"}}]))
    record(report(quiet))
    return log_lines()


def test_each_query_is_tested() -> None:
    assert sorted(QUERIES) == [
        "Credentials", "EmptyAnswers", "FailedCalls", "LedgerGaps", "SlowestTools", "SpentBudgets", "SuspectTurns",
    ]  # fmt: skip


def test_slowest_tools(lines: list[dict[str, Any]]) -> None:
    calls = [line["call"] for line in lines if "call" in line]
    calls[0]["execution_time_ms"] = 60_000
    slowest, other = insights.run(QUERIES["SlowestTools"], lines)
    assert (slowest["call.tool_name"], slowest["calls"], slowest["p99_ms"]) == ("search_hadith", 11, 60_000)
    assert (other["call.tool_name"], other["calls"]) == ("get_hadith", 2)
    assert other["p50_ms"] == min(call["execution_time_ms"] for call in calls if call["tool_name"] == "get_hadith")


def test_empty_answers(lines: list[dict[str, Any]]) -> None:
    assert insights.run(QUERIES["EmptyAnswers"], lines) == [
        {"call.tool_name": "search_hadith", "answers": 9, "empty": 1, "share": 1 / 9},
        {"call.tool_name": "get_hadith", "answers": 1, "empty": 0, "share": 0},
    ]


def test_suspect_turns(lines: list[dict[str, Any]]) -> None:
    [found] = insights.run(QUERIES["SuspectTurns"], lines)
    assert (found["turn.turn_id"], found["turn.evidence_status"]) == (2, "insufficient_evidence")


def test_spent_budgets(lines: list[dict[str, Any]]) -> None:
    [found] = insights.run(QUERIES["SpentBudgets"], lines)
    assert (found["call.turn_id"], found["refused"]) == (1, 2)


def test_failed_calls(lines: list[dict[str, Any]]) -> None:
    assert insights.run(QUERIES["FailedCalls"], lines) == [
        {"call.error.code": "LIMIT_EXCEEDED", "call.tool_name": "search_hadith", "calls": 2},
        {"call.error.code": "INVALID_ARGUMENT", "call.tool_name": "get_hadith", "calls": 1},
    ]


@pytest.mark.usefixtures("gateway", "ledger_down")
def test_gaps_in_the_ledger(log_lines: Lines) -> None:
    turn = Turn()
    turn.call(get_hadith, {"hadith_id": 1})
    record(report(turn))
    found = insights.run(QUERIES["LedgerGaps"], log_lines())
    assert sorted((gap["gap.missing"], gap["gap.error"], gap["gaps"]) for gap in found) == [
        ("record", "EndpointConnectionError", 1), ("slot", "EndpointConnectionError", 1),
    ]  # fmt: skip


@pytest.mark.usefixtures("ledger", "kept")
def test_credentials(log_lines: Lines) -> None:
    for provider, subject in (("openai", "anna"), ("openai", "anna"), ("gpt_live", "anna"), ("nobody", "anna")):
        vend(provider, f"{subject}-{RUN}")
    rows = insights.run(QUERIES["Credentials"], log_lines())
    assert [(row["credential.subject"], row["credential.provider"], row["issued"]) for row in rows] == [
        (f"anna-{RUN}", "openai", 2), (f"anna-{RUN}", "gpt_live", 1),
    ]  # fmt: skip
