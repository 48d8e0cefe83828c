"""The one logger and the closed list of what it says, so that a line of a log can be looked up in the code."""

import json
import logging
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from enum import Enum
from functools import cache, lru_cache
from typing import Any, Final

from aws_lambda_powertools import Logger

_SERVICE: Final = "isnad-gateway"
_LEVELS: Final = {"info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


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

    def __init__(self, level: str, text: str) -> None:
        self.level = level
        self.text = text


@cache
def logger() -> Logger:
    """The function's logger; made at the first line, so that importing a module does nothing."""
    return Logger(service=_SERVICE)


@cache
def _encoder() -> Callable[[Any], str]:
    """Pydantic's, in a quarter of the time of Python's, where a function carries it. The authorizer does not."""
    try:
        from pydantic_core import to_json  # noqa: PLC0415
    except ModuleNotFoundError:
        return json.JSONEncoder(default=str, separators=(",", ":"), ensure_ascii=False).encode

    def encode(line: Any) -> str:
        try:
            return to_json(line, fallback=str).decode()
        except ValueError:  # a lone surrogate, which has no UTF-8: no line may be lost for it
            return json.dumps(line, default=str)

    return encode


def log(event: Event, key: str, **values: Any) -> None:
    """Write one structured line.

    The line has Powertools' fields, and its logger says whether and where it is written. It is made here, because with the
    logging module's record, search for the caller and formatter a line takes nearly twice the time.

    Args:
        event: which event it is.
        key: the key under which the values stand, never one that the logging module uses itself.
        values: what to tell. Never a secret, an exception's text, SQL or a whole matn. A `timestamp` is the line's, too.
    """
    lines = logger()
    if lines.log_level > _LEVELS[event.level]:
        return
    caller = sys._getframe(1)
    line = {
        "level": event.level.upper(),
        "location": f"{caller.f_code.co_name}:{caller.f_lineno}",
        "message": event.text,
        "timestamp": values.get("timestamp") or timestamp(),
        "service": _SERVICE,
        key: values,
    }
    trace = os.environ.get("_X_AMZN_TRACE_ID")
    if trace is not None:
        line["xray_trace_id"] = trace.partition(";")[0].removeprefix("Root=")
    stream = lines.registered_handler.stream  # type: ignore[attr-defined]  # Powertools' is a StreamHandler
    encoded = _encoder()(line)
    with suppress(OSError, ValueError):  # nobody reads: no reason to fail a call, and nowhere to say so
        stream.write(f"{encoded}\n")
        stream.flush()


def timestamp(seconds: float | None = None) -> str:
    """A moment, in seconds of the wall clock, or now: in UTC, to the millisecond."""
    milliseconds = int((time.time() if seconds is None else seconds) * 1000)
    return f"{_second(milliseconds // 1000)}.{milliseconds % 1000:03d}+00:00"


@lru_cache(maxsize=1)  # a call asks several times within the same
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def frames(error: BaseException) -> list[str]:
    """Where an error came from, innermost last, as `module:line`: a trace without a word of its text."""
    found = []
    trace = error.__traceback__
    while trace is not None:
        found.append(f"{trace.tb_frame.f_globals.get('__name__', '?')}:{trace.tb_lineno}")
        trace = trace.tb_next
    return found[-10:]
