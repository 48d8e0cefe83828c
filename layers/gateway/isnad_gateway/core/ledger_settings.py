"""What the environment sets about turns: the ledger's table, its retention and the budget. Read once, lazily."""

import os
from functools import cache
from typing import NamedTuple


class LedgerSettings(NamedTuple):
    """The ledger and the budget that it holds turns to.

    Attributes:
        table: name of the DynamoDB table.
        strict: give no answer that the ledger does not hold; else a ledger that is down fails no read.
        days: days that an entry is kept.
        research_calls: calls of a turn that may read, but for those that only identify.
        all_calls: calls of a turn, whatever they do.
        calls_without_progress: research calls in a row without progress that end the turn's research.
        timeout: seconds to connect to DynamoDB, and for each reply; two attempts fit into a call beside its read.
        keep_transcripts: whether what was said is kept in records and in the audit line.
        credentials_per_minute: provider credentials that one caller may ask for in a minute.
    """

    table: str
    strict: bool = False
    days: int = 30
    research_calls: int = 8
    all_calls: int = 20
    calls_without_progress: int = 2
    timeout: int = 1
    keep_transcripts: bool = True
    credentials_per_minute: int = 6


@cache
def ledger_settings() -> LedgerSettings | None:
    """The ledger's settings, or None where no table is named: then there is no ledger and no budget.

    Raises:
        ValueError: a number is none.
    """
    table = os.environ.get("ISNAD_LEDGER_TABLE")
    if not table:
        return None
    return LedgerSettings(
        table=table,
        strict=os.environ.get("ISNAD_LEDGER_STRICT", "false") == "true",
        days=int(os.environ.get("ISNAD_LEDGER_DAYS", "30")),
        research_calls=int(os.environ.get("ISNAD_RESEARCH_CALLS", "8")),
        all_calls=int(os.environ.get("ISNAD_ALL_CALLS", "20")),
        calls_without_progress=int(os.environ.get("ISNAD_CALLS_WITHOUT_PROGRESS", "2")),
        timeout=int(os.environ.get("ISNAD_LEDGER_TIMEOUT", "1")),
        keep_transcripts=os.environ.get("ISNAD_KEEP_TRANSCRIPTS", "true") == "true",
        credentials_per_minute=int(os.environ.get("ISNAD_CREDENTIALS_PER_MINUTE", "6")),
    )
