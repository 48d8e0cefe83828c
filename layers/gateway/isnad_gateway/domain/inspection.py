"""What an auditor is told of turns: an overview of a conversation, and one turn with the reasons of its failures."""

from typing import Any, Final

from isnad_gateway.core.ledger_settings import LedgerSettings
from isnad_gateway.data.ledger import TurnState
from isnad_gateway.data.turn_records import Head
from isnad_gateway.domain.turns import left

WHY: Final = {
    "INVALID_ARGUMENT": "The call was refused before anything was read, or a value is outside what the data knows; the "
    "message names the argument. The same call will fail again.",
    "NOT_FOUND": "The id was well formed and names nothing in the loaded data.",
    "INSUFFICIENT_EVIDENCE": "The record exists and has no source to cite.",
    "LIMIT_EXCEEDED": "A limit was over its maximum, or the turn's budget was spent: an expected stop, no failure.",
    "UNAVAILABLE": "Something that the answer needs was down or too slow; the slot was given back, and the same call "
    "may be made again. The function's log says under the request id what it was.",
    "INTERNAL_ERROR": "The gateway failed; the slot was given back. The function's log says where, under the request "
    "id.",
}
"""Why a call failed, by the code of its error."""


def overview(conversation_id: str, states: dict[int, TurnState], heads: dict[int, Head], limit: int) -> dict[str, Any]:
    """The turns of a conversation, the latest first.

    Args:
        conversation_id: the conversation.
        states: what turns have used, by turn.
        heads: the heads of records, by turn; a turn without a call has no state, one that was not recorded no head.
        limit: how many turns to tell at the most.
    """
    turns = sorted(states.keys() | heads.keys(), reverse=True)
    return {
        "conversation_id": conversation_id,
        "turns": [_summary(turn, states.get(turn, TurnState()), heads.get(turn)) for turn in turns[:limit]],
        "truncated": len(turns) > limit,
    }


def _summary(turn_id: int, state: TurnState, head: Head | None) -> dict[str, Any]:
    return {
        "turn_id": turn_id,
        "calls": state.calls,
        "research_calls": state.research,
        "recorded_at": head and head.recorded_at,
        "evidence_status": head and head.evidence_status,
        "coherence_check": head and head.coherence_check,
    }


def one_turn(settings: LedgerSettings, state: TurnState, calls: list[dict[str, Any]]) -> dict[str, Any]:
    """One turn's budget and calls.

    Args:
        settings: the budget.
        state: what the turn has used.
        calls: its calls, as the ledger keeps them.

    Returns:
        `budget`: what was used and what is left; `calls`: each with `why`, the reason of its failure, or null.
    """
    return {
        "budget": {"calls": state.calls, "research_calls": state.research, **left(settings, state)},
        "calls": [{**call, "why": WHY.get(call["error"]["code"]) if call["error"] else None} for call in calls],
    }
