"""The one logger and the closed list of what it says, so that a line of a log can be looked up in the code."""

import json
import logging
import os
from enum import Enum
from functools import cache
from typing import Any, Final

from aws_lambda_powertools import Logger
from aws_lambda_powertools.logging.formatter import LambdaPowertoolsFormatter

_SERVICE: Final = "isnad-gateway"


class Event(Enum):
    """A log event: its level and its text. Values travel beside it, under one key of our own."""

    TOOL_CALL = ("info", "tool call")
    TURN = ("info", "turn")
    DRY_RUN = ("info", "dry run")
    LEDGER_GAP = ("error", "the turn ledger misses an entry")
    LEDGER_UNREADABLE = ("error", "the turn ledger cannot be read")
    CONNECTED = ("info", "connected to the database")
    CONNECTION_REPLACED = ("warning", "stale database connection replaced")
    CONNECTION_DISCARDED = ("warning", "database connection discarded")
    CREDENTIALS_RENEWED = ("warning", "database credentials fetched anew")
    SECRET_UNREADABLE = ("error", "secret cannot be read")
    DATABASE_UNREACHABLE = ("error", "database unreachable")
    DATABASE_ERROR = ("error", "database refused a statement")
    RESULT_BREAKS_MODEL = ("error", "result breaks its model")
    RESULT_BREAKS_RULE = ("error", "result breaks an evidence rule")
    RELATION_WITHOUT_SOURCE = ("warning", "relation recorded as attested has no source")
    TOKEN_REFUSED = ("warning", "token refused")
    CREDENTIAL_ISSUED = ("info", "credential issued")
    CREDENTIAL_REFUSED = ("info", "credential refused")
    PROVIDER_KEY_REFUSED = ("error", "a provider refuses the gateway's key")
    PROVIDER_KEY_RENEWED = ("warning", "provider key fetched anew")
    PROVIDER_SETTINGS_UNREADABLE = ("error", "a provider's settings cannot be read")
    PROVIDER_FAILED = ("error", "a provider does not answer as it should")
    KEYS_UNAVAILABLE = ("error", "the issuer's keys cannot be fetched")
    UNEXPECTED = ("error", "unexpected error")


class _Formatter(LambdaPowertoolsFormatter):
    """Powertools' line with what `log` tells, in two fifths of the time: a line was a tenth of a whole call.

    Powertools' own reads the message as JSON, and looks for an exception and for keys of every record; ours has neither.
    """

    def format(self, record: logging.LogRecord) -> str:
        told = getattr(record, "told", None)
        if told is None:  # not from `log`
            return super().format(record)
        line = {
            "level": record.levelname,
            "location": f"{record.funcName}:{record.lineno}",
            "message": record.msg,
            "timestamp": self.formatTime(record),
            "service": _SERVICE,
            **told,
        }
        trace = os.environ.get("_X_AMZN_TRACE_ID")
        if trace is not None:
            line["xray_trace_id"] = trace.partition(";")[0].removeprefix("Root=")
        return self.serialize(line)


@cache
def logger() -> Logger:
    """The function's logger; made at the first line, so that importing a module does nothing."""
    encode = json.JSONEncoder(
        default=str, separators=(",", ":"), ensure_ascii=False
    ).encode  # made once, not for each line
    return Logger(service=_SERVICE, logger_formatter=_Formatter(json_serializer=encode, use_rfc3339=True, utc=True))


def log(event: Event, key: str, **values: Any) -> None:
    """Write one structured line.

    Args:
        event: which event it is.
        key: the key under which the values stand, never one that the logging module uses itself.
        values: what to tell. Never a secret, an exception's text, SQL or a whole matn.
    """
    level, text = event.value
    getattr(logger(), level)(text, extra={"told": {key: values}}, stacklevel=3)


def frames(error: BaseException) -> list[str]:
    """Where an error came from, innermost last, as `module:line`: a trace without a word of its text."""
    found = []
    trace = error.__traceback__
    while trace is not None:
        found.append(f"{trace.tb_frame.f_globals.get('__name__', '?')}:{trace.tb_lineno}")
        trace = trace.tb_next
    return found[-10:]
