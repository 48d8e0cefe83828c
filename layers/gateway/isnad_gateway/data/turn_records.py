"""Turn records in the ledger's table: written whole, once, and read back whole."""

import zlib
from typing import Final, NamedTuple

from isnad_gateway.core.ledger_settings import LedgerSettings
from isnad_gateway.data.table import Item, Place, asking, expiry, latest, number, query, sort_key, turn_of

_PART_BYTES: Final = 350_000  # an item of DynamoDB holds 400 KB
_MAX_PARTS: Final = 99  # a transaction of DynamoDB takes 100 items
_COMPRESSION: Final = 6


class Head(NamedTuple):
    """What is told of a record without reading it.

    Attributes:
        content: the SHA-256 of what was reported.
        evidence_status: the turn's status.
        coherence_check: `PASS` or `SUSPECT`.
        recorded_at: when it was written.
    """

    content: str
    evidence_status: str
    coherence_check: str
    recorded_at: str


class AlreadyRecorded(Exception):
    """The turn has a record, or another request is writing one."""


def _head(item: Item) -> Head:
    return Head(**{name: item[name]["S"] for name in ("content", "evidence_status", "coherence_check", "recorded_at")})


def put_record(place: Place, settings: LedgerSettings, head: Head, record: bytes) -> None:
    """Write a record: head and parts in one transaction, so that there is never a half of one.

    Args:
        place: the turn.
        settings: how long it is kept.
        head: what is told of it.
        record: the record, as JSON.

    Raises:
        AlreadyRecorded: the turn has one.
        LedgerDown: see `asking`.
    """
    data = zlib.compress(record, _COMPRESSION)
    parts = [data[start : start + _PART_BYTES] for start in range(0, len(data), _PART_BYTES)]
    assert len(parts) <= _MAX_PARTS
    expires = expiry(settings)
    fields = {name: {"S": str(getattr(head, name))} for name in Head._fields}
    items: list[Item] = [{**place.key("record"), **fields, "parts": number(len(parts)), "expires": expires}]
    items += [
        {**place.key("part", f"#{index:02d}"), "data": {"B": part}, "expires": expires}
        for index, part in enumerate(parts)
    ]
    with asking() as (client, table):
        writes = [
            {"Put": {"TableName": table, "Item": item, "ConditionExpression": "attribute_not_exists(pk)"}}
            for item in items
        ]
        try:
            client.transact_write_items(TransactItems=writes)
        except client.exceptions.TransactionCanceledException as cancelled:
            reasons = {reason.get("Code") for reason in cancelled.response.get("CancellationReasons", ())}
            if reasons & {"ConditionalCheckFailed", "TransactionConflict"}:
                raise AlreadyRecorded from None
            raise


def record_head(place: Place) -> Head | None:
    """The head of a turn's record, as of the last write; None where there is none.

    Raises:
        LedgerDown: see `asking`.
    """
    with asking() as (client, table):
        item = client.get_item(TableName=table, Key=place.key("record"), ConsistentRead=True).get("Item")
    return None if item is None else _head(item)


def read_record(place: Place) -> bytes | None:
    """A turn's record, as it was written; None where there is none.

    Raises:
        LedgerDown: see `asking`.
    """
    prefix = f"{sort_key('part', place.turn_id)}#"
    parts = query(place.partition, prefix, f"{prefix}~", limit=_MAX_PARTS)
    return zlib.decompress(b"".join(part["data"]["B"] for part in parts)) if parts else None


def heads_of(partition: str, *, before: int, limit: int) -> dict[int, Head]:
    """The heads of a conversation's records, by turn: the latest ones below a turn.

    Raises:
        LedgerDown: see `asking`.
    """
    return {turn_of(item): _head(item) for item in latest(partition, "record", before=before, limit=limit)}
