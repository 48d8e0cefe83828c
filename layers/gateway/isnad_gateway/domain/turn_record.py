"""A turn's record: what is reported of it, held against what the gateway gave, and what follows from that."""

import hashlib
import json
from collections.abc import Iterable
from typing import Annotated, Any, Final

from pydantic import AfterValidator, Field

from isnad_gateway.domain.coherence import suspicions
from isnad_gateway.domain.evidence import weakest
from isnad_gateway.domain.model import Model
from isnad_gateway.domain.turns import digest, provenance_of, split_answer

MAX_SPOKEN: Final = 32_768  # characters of a transcript or an answer: an hour of speech
MAX_CALLS: Final = 64  # a turn's budget is 20 by default; calls that were refused are reported too
MAX_IDENTIFIERS: Final = 64
MAX_IDENTIFIER: Final = 128

CallId = Annotated[str | None, Field(max_length=128)]


def _identifiers(context: dict[str, Any]) -> dict[str, Any]:
    """Refuse a context that holds more than identifiers: it is never evidence (docs/contract.md, "Identifiers")."""
    values = [item for value in context.values() for item in (value if isinstance(value, list) else [value])]
    names = [*context, *(value for value in values if isinstance(value, str))]
    if len(values) > MAX_IDENTIFIERS or any(len(name) > MAX_IDENTIFIER for name in names):
        raise ValueError(f"must hold at most {MAX_IDENTIFIERS} identifiers, of at most {MAX_IDENTIFIER} characters")
    if not all(value is None or isinstance(value, int | str) for value in values):
        raise ValueError("must hold identifiers and nothing else")
    return context


class ToolCall(Model):
    """A call that the model asked for, as it asked for it."""

    call_id: CallId = None
    tool_name: str = Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$")
    arguments: dict[str, Any]


class ToolResult(Model):
    """A result as the gateway gave it, whole and unmodified."""

    call_id: CallId = None
    result: dict[str, Any]


class TurnReport(Model):
    """What whoever led a turn reports of it."""

    conversation_id: str = Field(min_length=1, max_length=128)
    session_id: str = Field(min_length=1, max_length=128)
    turn_id: int = Field(ge=1, le=2**31 - 1)
    language: Annotated[str | None, Field(min_length=1, max_length=35)]  # RFC 5646 tags
    user_transcript: str = Field(max_length=MAX_SPOKEN)
    resolved_context: Annotated[dict[str, Any], AfterValidator(_identifiers)]
    tool_calls: list[ToolCall] = Field(max_length=MAX_CALLS)
    tool_results: list[ToolResult] = Field(max_length=MAX_CALLS)
    spoken_answer: str = Field(max_length=MAX_SPOKEN)


def content_of(report: TurnReport) -> str:
    """The SHA-256 of what is reported, which tells the same report from another."""
    text = json.dumps(report.model_dump(mode="json"), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _asked(report: TurnReport) -> str:
    """What was asked: the user's words, and what the calls of the turn looked for."""
    values = [value for call in report.tool_calls for value in call.arguments.values()]
    words = [str(value) for value in values if type(value) in (str, int)]
    return " | ".join([report.user_transcript, *words])[:MAX_SPOKEN]


def make_record(
    report: TurnReport, answers: Iterable[str], *, recorded_at: str, keep_transcripts: bool
) -> dict[str, Any]:
    """Make a turn's record.

    Sources and evidence status come from results that the gateway gave in this turn, and from no other: what is not
    proven is never shown as a source (docs/contract.md, "Evidence").

    Args:
        report: what is reported.
        answers: what the ledger holds of the turn's answers, see `turns.answer_of`.
        recorded_at: the time stamp of the record.
        keep_transcripts: whether what was asked and spoken is kept.

    Returns:
        The report, with `sources`, `evidence_status`, `coherence_check`, `coherence_reasons` and `recorded_at`.
    """
    given = [split_answer(answer) for answer in answers]
    names = {call.call_id: call.tool_name for call in report.tool_calls if call.call_id is not None}
    proven, reasons = [], []
    for index, item in enumerate(report.tool_results):
        why = _why_unproven(item, given, names)
        if why is None:
            proven.append(item.result)
        else:
            reasons.append(f"tool_results[{index}] {why}")
    reasons += map(str, suspicions(report.spoken_answer, proven, asked=_asked(report)))
    record = report.model_dump(mode="json")
    if not keep_transcripts:
        record |= {"user_transcript": None, "spoken_answer": None}
    return {
        **record,
        "sources": provenance_of(proven),
        "evidence_status": weakest(result["evidence_status"] for result in proven),
        "coherence_check": "SUSPECT" if reasons else "PASS",
        "coherence_reasons": reasons,
        "recorded_at": recorded_at,
    }


def _why_unproven(item: ToolResult, given: list[tuple[str, str, str]], names: dict[str, str]) -> str | None:
    """Why a result is not what the gateway gave to the call that it is reported for; None where it is.

    Args:
        item: the result.
        given: digest, tool and call id of each answer of the turn.
        names: the tools of the reported calls, by call id.
    """
    result_digest = digest(item.result)
    matching = [(tool, call_id) for known, tool, call_id in given if known == result_digest]
    if not matching:
        return "is not among the results that the ledger holds of this turn"
    if item.call_id is None:
        return None
    matching = [(tool, call_id) for tool, call_id in matching if call_id in ("", item.call_id)]
    if not matching:
        return "is a result that the gateway gave to another call"
    if all(tool != names.get(item.call_id, tool) for tool, _ in matching):
        return "is a result of another tool than the call's"
    return None
