"""The ledger's DynamoDB table: the client, the keys, and what may go wrong.

One partition a conversation of one caller. Within it:

| sort key | item |
|---|---|
| `turn#<turn_id>` | the turn's slots, the digests that it has seen, the answers that it was given |
| `call#<turn_id>#<start>#<slot>` | one call, as JSON |
| `record#<turn_id>` | the head of the turn's record |
| `part#<turn_id>#<n>` | a part of the record, compressed |

One partition a caller beside them, whose key has no conversation: `credentials#<minute>`, what was asked for in a minute.

Every item carries `expires`, by which DynamoDB removes it.
"""

import hashlib
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final, NamedTuple

from isnad_gateway.core.ledger_settings import LedgerSettings, ledger_settings

Item = dict[str, dict[str, Any]]  # DynamoDB's own form: each value under its type

_MAX_KEY_BYTES: Final = 2048  # DynamoDB's limit for a partition key


class LedgerDown(Exception):
    """The table is not reached, or refuses.

    Args:
        reason: AWS's code or the kind of the error; it names no host and no table.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Place(NamedTuple):
    """Where a turn stands in the table.

    Attributes:
        partition: the conversation of one caller, see `partition_of`.
        turn_id: the turn.
    """

    partition: str
    turn_id: int

    def key(self, kind: str, rest: str = "") -> Item:
        """The key of one of the turn's items."""
        return {"pk": {"S": self.partition}, "sk": {"S": f"{sort_key(kind, self.turn_id)}{rest}"}}


def partition_of(issuer: str, subject: str, conversation_id: str) -> str:
    """The partition of a caller's conversation.

    JSON keeps the three apart whatever letters they hold, so that nobody can make a key of another's; what is too long
    for a key is hashed.
    """
    return _partition(issuer, subject, conversation_id)


def partition_of_caller(issuer: str, subject: str) -> str:
    """The partition of what belongs to a caller and to no conversation; no conversation can have its key."""
    return _partition(issuer, subject)


def _partition(*parts: str) -> str:
    key = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    data = key.encode()
    return key if len(data) <= _MAX_KEY_BYTES else f"sha256:{hashlib.sha256(data).hexdigest()}"


def sort_key(kind: str, turn_id: int) -> str:
    """The sort key of a turn's items of a kind; numbers are padded, so that they sort as numbers."""
    return f"{kind}#{turn_id:010d}"


def turn_of(item: Item) -> int:
    """The turn that an item belongs to."""
    return int(item["sk"]["S"].split("#")[1])


def number(value: int) -> dict[str, str]:
    """A number in DynamoDB's form."""
    return {"N": str(value)}


def expiry(settings: LedgerSettings) -> dict[str, str]:
    """When an item that is written now is removed."""
    return number(int(time.time()) + settings.days * 86_400)


@cache
def _client() -> Any:
    """The client. boto3 costs a quarter of a second to load, so it is loaded where a ledger is used, and only there."""
    import boto3  # noqa: PLC0415 - part of the Lambda runtime
    from botocore.config import Config  # noqa: PLC0415

    settings = ledger_settings()
    assert settings is not None
    config = Config(
        connect_timeout=settings.timeout,
        read_timeout=settings.timeout,
        retries={"total_max_attempts": 2, "mode": "standard"},
        max_pool_connections=32,  # the local API's threads share the client; a Lambda container needs one
    )
    return boto3.session.Session().client("dynamodb", config=config)  # a session of its own: the default is not shared


@contextmanager
def asking() -> Iterator[tuple[Any, str]]:
    """Give the client and the table's name, and tell every failure as one kind.

    Raises:
        LedgerDown: AWS is not reached or refuses. A failed condition is for the caller to take within.
    """
    from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415 - see `_client`

    settings = ledger_settings()
    assert settings is not None
    try:
        yield _client(), settings.table
    except ClientError as error:
        raise LedgerDown(error.response["Error"]["Code"]) from error
    except BotoCoreError as error:
        raise LedgerDown(type(error).__name__) from error


def query(partition: str, first: str, last: str, *, limit: int, backwards: bool = False) -> list[Item]:
    """The items of a partition between two sort keys, both included, at most `limit` of them, as of the last write.

    Raises:
        LedgerDown: see `asking`.
    """
    asked: dict[str, Any] = {
        "KeyConditionExpression": "pk = :partition AND sk BETWEEN :first AND :last",
        "ExpressionAttributeValues": {":partition": {"S": partition}, ":first": {"S": first}, ":last": {"S": last}},
        "ScanIndexForward": not backwards,
        "ConsistentRead": True,
        "Limit": limit,
    }
    found: list[Item] = []
    with asking() as (client, table):
        while True:
            page = client.query(TableName=table, **asked)
            found += page["Items"]
            if len(found) >= limit or "LastEvaluatedKey" not in page:
                return found[:limit]
            asked["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def latest(partition: str, kind: str, *, before: int, limit: int) -> list[Item]:
    """The items of a kind that stand once a turn, the latest turns below one first.

    Raises:
        LedgerDown: see `asking`.
    """
    return query(partition, sort_key(kind, 0), sort_key(kind, before - 1), limit=limit, backwards=True)
