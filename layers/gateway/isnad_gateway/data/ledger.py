"""The turn ledger's counters and calls: slots taken and given back, answers noted, calls kept."""

from dataclasses import dataclass

from isnad_gateway.core.ledger_settings import LedgerSettings
from isnad_gateway.data.table import Item, Place, asking, expiry, latest, number, query, sort_key, turn_of


@dataclass(frozen=True, slots=True)
class TurnState:
    """What a turn has used.

    Attributes:
        calls: slots taken, of any kind.
        research: slots taken by research calls.
        barren: research calls without progress since the last progress.
        digests: the digests of its results.
        answers: what it was given: `<digest> <tool> <call_id>`, the call's id as it came, empty where there was none.
    """

    calls: int = 0
    research: int = 0
    barren: int = 0
    digests: frozenset[str] = frozenset()
    answers: frozenset[str] = frozenset()


class NoSlot(Exception):
    """The turn has no slot left.

    Args:
        state: what the turn has used.
    """

    def __init__(self, state: TurnState) -> None:
        super().__init__()
        self.state = state


def _state(item: Item | None) -> TurnState:
    item = item or {}
    calls, research, barren = (int(item.get(name, {"N": "0"})["N"]) for name in ("calls", "research", "barren"))
    digests, answers = (frozenset(item.get(name, {"SS": ()})["SS"]) for name in ("digests", "answers"))
    return TurnState(calls, research, barren, digests, answers)


def take_slot(place: Place, settings: LedgerSettings, *, research: bool) -> TurnState:
    """Take a slot of the turn's budget, in one conditional write.

    DynamoDB does one write of an item after the other, so that calls in parallel cannot take more than there are.

    Args:
        place: the turn.
        settings: the budget.
        research: whether the call is a research call.

    Returns:
        What the turn has used, this slot with it.

    Raises:
        NoSlot: none is left.
        LedgerDown: see `asking`.
    """
    update = "SET expires = :expires ADD calls :one"
    condition = "(attribute_not_exists(calls) OR calls < :all)"
    values = {":expires": expiry(settings), ":one": number(1), ":all": number(settings.all_calls)}
    if research:
        update += ", research :one"
        condition += " AND (attribute_not_exists(research) OR research < :research)"
        condition += " AND (attribute_not_exists(barren) OR barren < :barren)"
        values |= {
            ":research": number(settings.research_calls),
            ":barren": number(settings.calls_without_progress),
        }
    with asking() as (client, table):
        try:
            answer = client.update_item(
                TableName=table,
                Key=place.key("turn"),
                UpdateExpression=update,
                ConditionExpression=condition,
                ExpressionAttributeValues=values,
                ReturnValues="ALL_NEW",
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )
        except client.exceptions.ConditionalCheckFailedException as refused:
            raise NoSlot(_state(refused.response.get("Item"))) from None
    return _state(answer["Attributes"])


def give_back(place: Place, *, research: bool) -> None:
    """Give a slot back whose call the gateway could not answer.

    Raises:
        LedgerDown: see `asking`.
    """
    _update(place, f"ADD calls :less{', research :less' if research else ''}", {":less": number(-1)})


def note_progress(place: Place, digest: str, answer: str) -> bool:
    """Note a result that is new in the turn, in one conditional write.

    Returns:
        Whether it was; nothing is written where another call got the same result meanwhile.

    Raises:
        LedgerDown: see `asking`.
    """
    with asking() as (client, table):
        try:
            client.update_item(
                TableName=table,
                Key=place.key("turn"),
                UpdateExpression="SET barren = :none ADD digests :digest, answers :answer",
                ConditionExpression="attribute_not_exists(digests) OR NOT contains(digests, :member)",
                ExpressionAttributeValues={
                    ":none": number(0),
                    ":digest": {"SS": [digest]},
                    ":answer": {"SS": [answer]},
                    ":member": {"S": digest},
                },
            )
        except client.exceptions.ConditionalCheckFailedException:
            return False
    return True


def note_no_progress(place: Place, answer: str | None) -> None:
    """Note a research call that brought nothing new, and what it was given, if anything.

    Raises:
        LedgerDown: see `asking`.
    """
    values: Item = {":one": number(1)}
    if answer is not None:
        values[":answer"] = {"SS": [answer]}
    _update(place, f"ADD barren :one{', answers :answer' if answer is not None else ''}", values)


def note_answer(place: Place, answer: str) -> None:
    """Note what a call was given that is no research.

    Raises:
        LedgerDown: see `asking`.
    """
    _update(place, "ADD answers :answer", {":answer": {"SS": [answer]}})


def _update(place: Place, expression: str, values: Item) -> None:
    with asking() as (client, table):
        client.update_item(
            TableName=table,
            Key=place.key("turn"),
            UpdateExpression=expression,
            ExpressionAttributeValues=values,
        )


def put_call(place: Place, settings: LedgerSettings, *, started: str, request_id: str, call: str) -> None:
    """Keep one call.

    Args:
        place: its turn.
        settings: how long it is kept.
        started: when it began, a time stamp that sorts.
        request_id: the request's own id; the same request is kept once.
        call: what is kept, as JSON.

    Raises:
        LedgerDown: see `asking`.
    """
    item = {**place.key("call", f"#{started}#{request_id}"), "expires": expiry(settings), "call": {"S": call}}
    with asking() as (client, table):
        client.put_item(TableName=table, Item=item)


def turn_state(place: Place) -> TurnState | None:
    """What a turn has used, as of the last write; None where it took no slot.

    Raises:
        LedgerDown: see `asking`.
    """
    with asking() as (client, table):
        answer = client.get_item(TableName=table, Key=place.key("turn"), ConsistentRead=True)
    item = answer.get("Item")
    return None if item is None else _state(item)


def calls_of(place: Place, limit: int) -> list[str]:
    """The calls of a turn, the earliest first, at most `limit` of them.

    Raises:
        LedgerDown: see `asking`.
    """
    prefix = f"{sort_key('call', place.turn_id)}#"
    return [item["call"]["S"] for item in query(place.partition, prefix, f"{prefix}~", limit=limit)]


def states_of(partition: str, *, before: int, limit: int) -> dict[int, TurnState]:
    """What the turns of a conversation have used, by turn: the latest ones below a turn.

    Raises:
        LedgerDown: see `asking`.
    """
    return {turn_of(item): _state(item) for item in latest(partition, "turn", before=before, limit=limit)}
