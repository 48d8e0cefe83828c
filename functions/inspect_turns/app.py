"""GET /v1/turns/<conversation_id>[/<turn_id>]: what the ledger holds of the caller's own turns. It changes nothing."""

import json
import re
from typing import Any, Final

from isnad_gateway.core.errors import InvalidArgument, NotFound, Unavailable
from isnad_gateway.core.ledger_settings import LedgerSettings, ledger_settings
from isnad_gateway.core.logs import Event, log
from isnad_gateway.data.ledger import TurnState, calls_of, states_of, turn_state
from isnad_gateway.data.table import LedgerDown, Place
from isnad_gateway.data.turn_records import heads_of, read_record
from isnad_gateway.domain.inspection import one_turn, overview
from isnad_gateway.http.event import place_of
from isnad_gateway.http.guard import guarded
from isnad_gateway.http.reply import reply

MAX_TURNS: Final = 100  # in an overview; `before` leads to earlier ones
MAX_CALLS: Final = 100  # of one turn; its budget is 20 by default, refused ones are beside it
_LATEST: Final = 2**31
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,9}")


@guarded
def handler(event: dict[str, Any]) -> dict[str, Any]:
    """Give an overview of a conversation, or one turn whole.

    Raises:
        InvalidArgument: a turn's number is none.
        NotFound: the ledger holds nothing of the conversation or turn under this caller.
        Unavailable: no ledger is set up, or it is down.
    """
    settings = ledger_settings()
    if settings is None:
        raise Unavailable("No turn ledger is set up.")
    path, query = event.get("pathParameters") or {}, event.get("queryStringParameters") or {}
    conversation_id = str(path.get("conversation_id", ""))
    try:
        if "turn_id" in path:
            place = place_of(event, conversation_id, _turn(path["turn_id"], "turn_id"))
            return reply(200, _turn_whole(place, conversation_id, settings, query.get("call_id")))
        before = _turn(query["before"], "before") if "before" in query else _LATEST
        return reply(200, _turns(place_of(event, conversation_id, before), conversation_id))
    except LedgerDown as down:
        log(Event.LEDGER_UNREADABLE, "ledger", error=down.reason)
        raise Unavailable("The turn ledger cannot be reached; try again.") from None


def _turn(value: Any, name: str) -> int:
    if not isinstance(value, str) or not _NUMBER.fullmatch(value) or int(value) > _LATEST:
        raise InvalidArgument(f"`{name}` must be the number of a turn.")
    return int(value)


def _turns(place: Place, conversation_id: str) -> dict[str, Any]:
    states = states_of(place.partition, before=place.turn_id, limit=MAX_TURNS + 1)
    heads = heads_of(place.partition, before=place.turn_id, limit=MAX_TURNS + 1)
    if not states and not heads:
        raise NotFound("The ledger holds no turn of this conversation.")
    return overview(conversation_id, states, heads, MAX_TURNS)


def _turn_whole(place: Place, conversation_id: str, settings: LedgerSettings, call_id: str | None) -> dict[str, Any]:
    state, record = turn_state(place), read_record(place)
    calls = [json.loads(call) for call in calls_of(place, MAX_CALLS + 1)]
    if state is None and record is None and not calls:
        raise NotFound("The ledger holds nothing of this turn.")
    shown = [call for call in calls[:MAX_CALLS] if call_id is None or call["call_id"] == call_id]
    if call_id is not None and not shown:
        raise NotFound("The ledger holds no call of this turn with this `call_id`.")
    return {
        "conversation_id": conversation_id,
        "turn_id": place.turn_id,
        **one_turn(settings, state or TurnState(), shown),
        "truncated": len(calls) > MAX_CALLS,
        "record": None if record is None else json.loads(record),
    }
