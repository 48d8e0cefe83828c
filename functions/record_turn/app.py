"""POST /v1/turns: keep what happened in a turn, once, held against what the gateway gave in it."""

import json
from typing import Any, Final

from isnad_gateway.core.errors import InvalidArgument, Unavailable
from isnad_gateway.core.ledger_settings import LedgerSettings, ledger_settings
from isnad_gateway.core.logs import Event, log, timestamp
from isnad_gateway.data.ledger import turn_state
from isnad_gateway.data.table import LedgerDown, Place
from isnad_gateway.data.turn_records import AlreadyRecorded, Head, put_record, read_record, record_head
from isnad_gateway.domain.turn_record import TurnReport, content_of, make_record
from isnad_gateway.http.event import body_of, place_of
from isnad_gateway.http.faults import parse_body
from isnad_gateway.http.guard import guarded
from isnad_gateway.http.journal import write_turn
from isnad_gateway.http.reply import reply

MAX_BODY_BYTES: Final = 4 * 2**20  # twenty results of the largest usual size; Lambda takes and gives 6 MB


@guarded
def handler(event: dict[str, Any]) -> dict[str, Any]:
    """Record the turn, and give the record back.

    Raises:
        InvalidArgument: the body is no report, or the turn is recorded already with other content.
        Unavailable: no ledger is set up, or it is down.
    """
    report = parse_body(TurnReport, body_of(event, MAX_BODY_BYTES))
    settings = ledger_settings()
    if settings is None:
        raise Unavailable("No turn ledger is set up.")
    place = place_of(event, report.conversation_id, report.turn_id)
    try:
        return reply(200, _recorded(place, report, settings))
    except LedgerDown as down:
        log(Event.LEDGER_GAP, "gap", missing="record", error=down.reason,
            conversation_id=report.conversation_id, turn_id=report.turn_id, call_id=None, tool_name=None)  # fmt: skip
        raise Unavailable("The turn ledger cannot be reached; try again.") from None


def _recorded(place: Place, report: TurnReport, settings: LedgerSettings) -> dict[str, Any]:
    """The turn's record: the one that there is, or a new one."""
    content = content_of(report)
    if record_head(place) is None:
        state = turn_state(place)
        record = make_record(
            report,
            state.answers if state is not None else (),
            recorded_at=timestamp(),
            keep_transcripts=settings.keep_transcripts,
        )
        head = Head(content, record["evidence_status"], record["coherence_check"], record["recorded_at"])
        try:
            put_record(place, settings, head, json.dumps(record, ensure_ascii=False).encode())
        except AlreadyRecorded:
            pass  # by a request that came at the same time
        else:
            write_turn(record)
            return record
    return _kept(place, content)


def _kept(place: Place, content: str) -> dict[str, Any]:
    head, kept = record_head(place), read_record(place)
    if head is None or kept is None:
        raise Unavailable("The turn is being recorded; try again.")
    if head.content != content:
        raise InvalidArgument("This turn is recorded already, with other content.")
    record: dict[str, Any] = json.loads(kept)
    return record
