"""The rules of a turn: its budget, the digest of a result, the sources that results cite.

Everything here is pure; the ledger that holds the counters is `isnad_gateway.data.ledger`.
"""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, Final

import rfc8785

from isnad_gateway.core.errors import GatewayError, InternalError, Unavailable
from isnad_gateway.core.ledger_settings import LedgerSettings
from isnad_gateway.data.ledger import TurnState

IDENTIFYING: Final = frozenset({"search_narrator"})
"""Tools that only say which record is meant; they take no research slot."""

_ANSWER: Final = (
    "answer from what the tools have already returned, and say what is missing; a spent budget does not mean that no "
    "source exists."
)


def is_research(tool_name: str) -> bool:
    """Whether a tool's calls take a research slot."""
    return tool_name not in IDENTIFYING


def is_given_back(error: GatewayError | None) -> bool:
    """Whether a call's slot is given back: the gateway could not answer it, and that is not the caller's doing."""
    return isinstance(error, Unavailable | InternalError)


SPENT: Final = f"The budget of this turn is spent: {_ANSWER}"


def why_spent(settings: LedgerSettings, state: TurnState, *, research: bool) -> str | None:
    """What a model is told whose turn has no slot left for a call; None where there is one.

    Args:
        settings: the budget.
        state: what the turn has used.
        research: whether the call is a research call.
    """
    if state.calls >= settings.all_calls:
        return f"The budget of this turn is spent ({settings.all_calls} calls): {_ANSWER}"
    if not research:
        return None
    if state.research >= settings.research_calls:
        return f"The research budget of this turn is spent ({settings.research_calls} calls): {_ANSWER}"
    if state.barren >= settings.calls_without_progress:
        barren = settings.calls_without_progress
        return f"The research budget of this turn is spent ({barren} calls in a row brought nothing new): {_ANSWER}"
    return None


def left(settings: LedgerSettings, state: TurnState) -> dict[str, int]:
    """The slots that a turn has left: of any kind, of research, and the research calls without progress that end it."""
    return {
        "calls_left": max(0, settings.all_calls - state.calls),
        "research_calls_left": max(0, settings.research_calls - state.research),
        "calls_without_progress_left": max(0, settings.calls_without_progress - state.barren),
    }


def digest(result: Any) -> str | None:
    """The SHA-256 of a result's canonical JSON (RFC 8785), in hexadecimal.

    Whoever parses a reply and canonicalises what it read gets the same digest, however it writes numbers and keys.

    Returns:
        The digest, or None where there is no canonical JSON: an integer beyond 2^53, a number that is not finite, a
        lone surrogate. The gateway gives no such result.
    """
    try:
        return hashlib.sha256(rfc8785.dumps(result)).hexdigest()
    except (ValueError, RecursionError):  # CanonicalizationError and UnicodeError are ValueErrors
        return None


def answer_of(result_digest: str, tool_name: str, call_id: str | None) -> str:
    """What the ledger notes of an answer; `split_answer` takes it apart."""
    return f"{result_digest} {tool_name} {call_id or ''}"


def split_answer(answer: str) -> tuple[str, str, str]:
    """Digest, tool and call id (empty where there was none) of a noted answer."""
    result_digest, tool_name, call_id = answer.split(" ", 2)
    return result_digest, tool_name, call_id


def provenance_of(results: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """All that results cite: each entry once, in the order of its first mention, without its null fields.

    What only stands under a machine's translation is no source (rule E13).
    """
    found: dict[tuple[tuple[str, Any], ...], dict[str, Any]] = {}
    for result in results:
        for entry in _entries(result):
            known = {name: value for name, value in entry.items() if value is not None}
            found.setdefault(tuple(sorted(known.items())), known)
    return list(found.values())


def _entries(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, list):
        for item in node:
            yield from _entries(item)
    elif isinstance(node, dict) and node.get("origin") != "machine":
        for name, value in node.items():
            if name == "provenance" and isinstance(value, list):
                yield from value
            else:
                yield from _entries(value)
