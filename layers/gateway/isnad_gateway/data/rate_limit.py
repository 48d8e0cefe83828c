"""How often a caller may ask, counted in the ledger's table: one conditional write, before anything is spent."""

import time
import uuid
from typing import Final

from isnad_gateway.core.ledger_settings import LedgerSettings
from isnad_gateway.data.table import asking, number, partition_of_caller

_WINDOW: Final = 60  # seconds
_KEPT: Final = 3600  # seconds that a counter stays after its window, for DynamoDB's own clock is not ours


class Spent(Exception):
    """The caller has used up the window.

    Args:
        seconds: until the next one begins.
    """

    def __init__(self, seconds: int) -> None:
        super().__init__()
        self.seconds = seconds


def count_credential(issuer: str, subject: str, settings: LedgerSettings, *, now: float | None = None) -> None:
    """Count a request for a credential within the present minute.

    DynamoDB does one write of an item after the other, so that requests in parallel cannot be more than are allowed.
    What is counted are names in a set, so that a write which is sent again after its reply was lost counts once.

    Args:
        issuer: who vouches for the caller.
        subject: the caller.
        settings: how many are allowed.
        now: seconds since the epoch, where it is not the present moment.

    Raises:
        Spent: the minute is used up; nothing is written.
        LedgerDown: see `asking`.
    """
    moment = time.time() if now is None else now
    window = int(moment // _WINDOW)
    ends = (window + 1) * _WINDOW
    name = str(uuid.uuid4())
    with asking() as (client, table):
        try:
            client.update_item(
                TableName=table,
                Key={"pk": {"S": partition_of_caller(issuer, subject)}, "sk": {"S": f"credentials#{window:010d}"}},
                UpdateExpression="SET expires = :expires ADD asked :slot",
                ConditionExpression="attribute_not_exists(asked) OR size(asked) < :most OR contains(asked, :name)",
                ExpressionAttributeValues={
                    ":expires": number(ends + _KEPT),
                    ":slot": {"SS": [name]},
                    ":name": {"S": name},
                    ":most": number(settings.credentials_per_minute),
                },
            )
        except client.exceptions.ConditionalCheckFailedException:
            raise Spent(max(1, int(ends - moment) + 1)) from None
