"""A call's side of the turn ledger: a slot before the read, an entry once the answer is made."""

import json
import time
import uuid
from functools import cached_property
from typing import Any, Final

from isnad_gateway.core.errors import BudgetSpent, Unavailable
from isnad_gateway.core.ledger_settings import ledger_settings
from isnad_gateway.core.logs import Event, log, timestamp
from isnad_gateway.data import ledger
from isnad_gateway.data.ledger import NoSlot, TurnState
from isnad_gateway.data.table import LedgerDown, Place
from isnad_gateway.domain import turns
from isnad_gateway.domain.tool import Tool
from isnad_gateway.http.call import Call
from isnad_gateway.http.event import place_of, request_id_of
from isnad_gateway.http.guard import as_known
from isnad_gateway.http.journal import Outcome
from isnad_gateway.http.reply import error_body

_MAX_PROVENANCE: Final = 200  # entries of a call, which is under 400 KB, DynamoDB's limit for an item


def _is_strict() -> bool:
    settings = ledger_settings()
    return settings is not None and settings.strict


class LedgerEntry:
    """One call's entry in the ledger of its turn. Where no ledger is set up, nothing happens and nothing is asked.

    Args:
        tool: the tool that is called.
        event: the event.
    """

    def __init__(self, tool: Tool[Any, Any], event: dict[str, Any]) -> None:
        self._research = turns.is_research(tool.name)
        self._tool = tool
        self._event = event
        self._started = time.time()
        self._state: TurnState | None = None  # of the turn, once a slot is taken
        self._is_down = False

    @cached_property
    def _slot(self) -> str:
        return uuid.uuid4().hex

    def reserve(self, call: Call) -> None:
        """Refuse a call that is not valid; take a slot for one that is.

        Raises:
            GatewayError: the call's own error.
            BudgetSpent: the turn has no slot left.
            Unavailable: the ledger is down, and the deployment wants no answer without it.
        """
        if call.error is not None:
            raise call.error
        settings = ledger_settings()
        if settings is None:
            return
        try:
            self._state = ledger.take_slot(self._place(call), settings, self._slot, research=self._research)
        except NoSlot as refused:
            why = turns.why_spent(settings, refused.state, research=self._research)
            raise BudgetSpent(why or turns.SPENT) from None
        except LedgerDown as down:
            self._is_down = True
            self._tell_gap(call, "slot", down)
            if settings.strict:
                raise Unavailable("The turn ledger cannot be reached; try again.") from None

    def settle(self, outcome: Outcome) -> Outcome:
        """Write what came of the call. It never raises.

        Returns:
            What to answer: the outcome as it is, or `UNAVAILABLE` where the ledger is down and the deployment wants no
            answer without it.
        """
        if self._is_down:  # it was a moment ago, and the log says so already; the caller waits no longer
            return outcome
        try:
            self._write(outcome)
        except LedgerDown as down:
            self._tell_gap(outcome.call, "entry", down)
        except Exception as failure:  # noqa: BLE001 - the answer is made; nothing may take its place but strict mode
            as_known(failure)
        else:
            return outcome
        if outcome.result is None or not _is_strict():
            return outcome
        return outcome._replace(result=None, error=Unavailable("The turn ledger cannot be reached; try again."))

    def _place(self, call: Call) -> Place:
        return place_of(self._event, call.echo["conversation_id"], call.echo["turn_id"])

    def _write(self, outcome: Outcome) -> None:
        settings = ledger_settings()
        if settings is None or None in (outcome.call.echo["conversation_id"], outcome.call.echo["turn_id"]):
            return
        place = self._place(outcome.call)
        started = timestamp(self._started)
        digest = None if outcome.result is None else turns.digest(outcome.result)
        progress = None if self._state is None else self._spend(place, self._state, outcome, digest)
        provenance = [] if outcome.result is None else turns.provenance_of([outcome.result])
        call = {
            "call_id": outcome.call.echo["call_id"],
            "session_id": outcome.call.echo["session_id"],
            "tool_name": outcome.tool.name,
            "tool_arguments": outcome.arguments,
            "started": started,
            "execution_time_ms": round(outcome.milliseconds, 3),
            "result_count": outcome.result_count,
            "truncated": outcome.truncated,
            "evidence_status": None if outcome.result is None else outcome.result["evidence_status"],
            "error": None if outcome.error is None else error_body(outcome.error),
            "progress": progress,
            "digest": digest,
            "provenance": provenance[:_MAX_PROVENANCE],
            "request_id": request_id_of(self._event),
        }
        ledger.put_call(
            place,
            settings,
            self._slot,
            started=started,
            call=json.dumps(call, ensure_ascii=False),
        )

    def _spend(self, place: Place, state: TurnState, outcome: Outcome, digest: str | None) -> bool | None:
        """Settle the slot that the call took; say whether it was progress, None where that is not asked."""
        if turns.is_given_back(outcome.error):
            ledger.give_back(place, self._slot)
            return None
        answer = None
        if digest is not None:
            answer = turns.answer_of(digest, outcome.tool.name, outcome.call.echo["call_id"])
        if not self._research:
            if answer is not None:
                ledger.note_answer(place, answer)
            return None
        may_be_new = outcome.result_count != 0 and digest not in state.digests
        if digest and answer and may_be_new and ledger.note_progress(place, self._slot, digest, answer):
            return True
        ledger.note_no_progress(place, self._slot, answer)
        return False

    def _tell_gap(self, call: Call, missing: str, down: LedgerDown) -> None:
        echo = call.echo
        log(
            Event.LEDGER_GAP,
            "gap",
            missing=missing,
            error=down.reason,
            conversation_id=echo["conversation_id"],
            turn_id=echo["turn_id"],
            call_id=echo["call_id"],
            tool_name=self._tool.name,
        )
