"""The turn ledger's budget and calls: slots taken and given back, answers noted, calls kept."""

from typing import NamedTuple

from isnad_gateway.core.ledger_settings import LedgerSettings
from isnad_gateway.data.table import Item, Place, asking, expiry, latest, number, query, sort_key, turn_of


class TurnState(NamedTuple):
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
    sets = {name: frozenset(value["SS"]) for name, value in (item or {}).items() if "SS" in value}
    calls, research, barren = (len(sets.get(name, ())) for name in ("calls", "research", "barren"))
    return TurnState(calls, research, barren, sets.get("digests", frozenset()), sets.get("answers", frozenset()))


def _set(member: str) -> dict[str, list[str]]:
    return {"SS": [member]}


def take_slot(place: Place, settings: LedgerSettings, slot: str, *, research: bool) -> TurnState:
    """Take a slot of the turn's budget, in one conditional write.

    DynamoDB does one write of an item after the other, so that calls in parallel cannot take more than there are. Slots
    are names in a set, and not a count, so that a write which is sent again after its reply was lost takes one slot.

    Args:
        place: the turn.
        settings: the budget.
        slot: the slot's name, the call's own.
        research: whether the call is a research call.

    Returns:
        What the turn has used, this slot with it.

    Raises:
        NoSlot: none is left.
        LedgerDown: see `asking`.
    """
    limits = {"calls": settings.all_calls}
    if research:
        limits |= {"research": settings.research_calls, "barren": settings.calls_without_progress}
    within = " AND ".join(f"(attribute_not_exists({name}) OR size({name}) < :{name})" for name in limits)
    with asking() as (client, table):
        try:
            answer = client.update_item(
                TableName=table,
                Key=place.key("turn"),
                UpdateExpression=f"SET expires = :expires ADD calls :slot{', research :slot' if research else ''}",
                ConditionExpression=f"contains(calls, :name) OR {within}",
                ExpressionAttributeValues={
                    ":expires": expiry(settings),
                    ":slot": _set(slot),
                    ":name": {"S": slot},
                    **{f":{name}": number(limit) for name, limit in limits.items()},
                },
                ReturnValues="ALL_NEW",
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )
        except client.exceptions.ConditionalCheckFailedException as refused:
            raise NoSlot(_state(refused.response.get("Item"))) from None
    return _state(answer["Attributes"])


def give_back(place: Place, slot: str) -> None:
    """Give a slot back whose call the gateway could not answer.

    Raises:
        LedgerDown: see `asking`.
    """
    _update(place, "DELETE calls :slot, research :slot", {":slot": _set(slot)})


def note_progress(place: Place, slot: str, digest: str, answer: str) -> bool:
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
                UpdateExpression="REMOVE barren ADD digests :digest, answers :answer, progress :slot",
                ConditionExpression="attribute_not_exists(digests) OR NOT contains(digests, :member)"
                " OR contains(progress, :name)",
                ExpressionAttributeValues={
                    ":digest": _set(digest),
                    ":answer": _set(answer),
                    ":slot": _set(slot),
                    ":member": {"S": digest},
                    ":name": {"S": slot},
                },
            )
        except client.exceptions.ConditionalCheckFailedException:
            return False
    return True


def note_no_progress(place: Place, slot: str, answer: str | None) -> None:
    """Note a research call that brought nothing new, and what it was given, if anything.

    Raises:
        LedgerDown: see `asking`.
    """
    if answer is None:
        _update(place, "ADD barren :slot", {":slot": _set(slot)})
    else:
        _update(place, "ADD barren :slot, answers :answer", {":slot": _set(slot), ":answer": _set(answer)})


def note_answer(place: Place, answer: str) -> None:
    """Note what a call was given that is no research.

    Raises:
        LedgerDown: see `asking`.
    """
    _update(place, "ADD answers :answer", {":answer": _set(answer)})


def _update(place: Place, expression: str, values: Item) -> None:
    with asking() as (client, table):
        client.update_item(
            TableName=table,
            Key=place.key("turn"),
            UpdateExpression=expression,
            ExpressionAttributeValues=values,
        )


def put_call(place: Place, settings: LedgerSettings, slot: str, *, started: str, call: str) -> None:
    """Keep one call.

    Args:
        place: its turn.
        settings: how long it is kept.
        slot: the call's own name.
        started: when it began, a time stamp that sorts.
        call: what is kept, as JSON.

    Raises:
        LedgerDown: see `asking`.
    """
    item = {**place.key("call", f"#{started}#{slot}"), "expires": expiry(settings), "call": {"S": call}}
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
