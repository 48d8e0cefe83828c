"""One HTTPS request to a provider, and what its answer means in the gateway's own words.

The server's certificate and name are verified. No redirect is followed, for the key would travel along. A connection
serves one request: credentials are asked for too seldom to keep one, and a kept one that has died in a frozen container
could not be told from a request that was received. Nothing of an answer but its status, and a code made of letters, gets
into the log, and nothing of it into an error.
"""

import json
import re
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from isnad_gateway.core.errors import InternalError, Unavailable
from isnad_gateway.core.logs import Event, log
from isnad_gateway.domain.model import Model

CONNECT_TIMEOUT: Final = 2.0  # seconds
READ_TIMEOUT: Final = 5.0  # seconds that the provider may be silent
TIME_LIMIT: Final = 8.0  # seconds for all of it: look-up, connection, request, answer, and the second attempt
MAX_ANSWER: Final = 256 * 1024  # bytes; the largest real one repeats our instructions and tools, some 20 KB
_SECOND_NEEDS: Final = 1.0  # seconds that must be left for a second attempt
_WAIT: Final = range(1, 61)  # seconds of Retry-After that are passed on
_DEFAULT_WAIT: Final = 5
_CODE: Final = re.compile(r"[A-Za-z_]{1,48}")
_DROPPED: Final = "connection dropped"
_BUSY: Final = 429
_KEY_REFUSED: Final = (401, 403)
_SERVER_ERROR: Final = 500
_OK: Final = (200, 201)
_REDIRECT: Final = range(300, 400)
_BAD_REQUEST: Final = 400
_NO_ANSWER: Final = "The provider does not answer as it should; try again."

AnswerT = TypeVar("AnswerT", bound=Model)


class KeyRefused(Exception):
    """The provider refuses the permanent key.

    Args:
        status: the status of its answer.
        code: what it says in one word, or None.
    """

    def __init__(self, status: int, code: str | None) -> None:
        super().__init__()
        self.status = status
        self.code = code


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked.

    Attributes:
        provider: whom, for the log.
        url: where.
        headers: with the permanent key; not part of the representation.
        body: the JSON body.
        repeatable: whether the provider may get it twice without harm. Where it may not, it is sent again only when the
            first one certainly never left.
        is_key_fault: tells of an answer with status 400 whether it refuses the key.
    """

    provider: str
    url: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    repeatable: bool = True
    is_key_fault: Callable[[Any], bool] = lambda _: False

    def __repr__(self) -> str:
        return f"Request(provider={self.provider!r})"


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    body: bytes
    retry_after: str | None


@dataclass(frozen=True, slots=True)
class _Failure:
    """No answer, and why; `sent` says whether the provider may have got the request."""

    reason: str
    sent: bool
    hopeless: bool = False


@cache
def _context() -> ssl.SSLContext:
    """What verifies servers, by the authorities that the system trusts. Loading them costs 17 ms: done once."""
    return ssl.create_default_context()


def post(request: Request, shape: type[AnswerT]) -> AnswerT:
    """Ask a provider.

    Args:
        request: what.
        shape: what is needed of the answer; whatever else it holds is passed over.

    Returns:
        The answer to a request that succeeded.

    Raises:
        KeyRefused: the provider refuses the key.
        Unavailable: it is not reached, is busy, fails, is too slow, or answers something that is no answer.
        InternalError: it refuses the request itself: the gateway's fault, or its settings'.
    """
    deadline = time.monotonic() + TIME_LIMIT
    outcome = _attempt(request, deadline)
    if _may_repeat(request, outcome) and deadline - time.monotonic() > _SECOND_NEEDS:
        outcome = _attempt(request, deadline)
    if isinstance(outcome, _Failure):
        raise no_answer(request.provider, outcome.reason)
    return _read(request, outcome, shape)


def _may_repeat(request: Request, outcome: _Answer | _Failure) -> bool:
    if isinstance(outcome, _Failure):
        return not outcome.hopeless and (request.repeatable or not outcome.sent)
    return request.repeatable and outcome.status >= _SERVER_ERROR


def _attempt(request: Request, deadline: float) -> _Answer | _Failure:
    """One attempt, which ends at the deadline whatever the other side does: a look-up has no time-out of its own, and a
    server that sends a byte a second would never reach one.
    """  # noqa: D205 - one sentence
    done: SimpleQueue[_Answer | _Failure] = SimpleQueue()
    Thread(target=lambda: done.put(_exchange(request)), name="provider", daemon=True).start()
    try:
        return done.get(timeout=max(0.0, deadline - time.monotonic()))
    except Empty:
        return _Failure("time-out", sent=True, hopeless=True)


def _exchange(request: Request) -> _Answer | _Failure:
    import urllib3  # noqa: PLC0415 - a fifth of the function's init, and a request that is refused needs none
    from urllib3.exceptions import (  # noqa: PLC0415
        ConnectTimeoutError,
        HTTPError,
        NameResolutionError,
        NewConnectionError,
        ReadTimeoutError,
        SSLError,
    )

    try:
        with urllib3.PoolManager(ssl_context=_context(), retries=False) as pool:
            response = pool.request(
                "POST",
                request.url,
                body=json.dumps(request.body, ensure_ascii=False).encode(),
                headers={"content-type": "application/json", "accept": "application/json", **request.headers},
                timeout=urllib3.Timeout(connect=CONNECT_TIMEOUT, read=READ_TIMEOUT),
                redirect=False,
                preload_content=False,
                decode_content=False,
            )
            try:
                body = response.read(MAX_ANSWER + 1, decode_content=False)
            finally:
                response.close()
            return _Answer(response.status, body, response.headers.get("retry-after"))
    except SSLError:
        return _Failure("TLS", sent=False, hopeless=True)
    except (NameResolutionError, NewConnectionError, ConnectTimeoutError) as error:
        return _Failure(type(error).__name__, sent=False)
    except ReadTimeoutError:
        return _Failure("time-out", sent=True, hopeless=True)
    except HTTPError:
        return _Failure(_DROPPED, sent=True)
    except Exception as error:  # noqa: BLE001 - nothing may end the thread without an outcome
        return _Failure(type(error).__name__, sent=True, hopeless=True)


def _read(request: Request, answer: _Answer, shape: type[AnswerT]) -> AnswerT:
    if answer.status in _OK:
        if len(answer.body) > MAX_ANSWER:
            raise no_answer(request.provider, "answer too large", answer.status)
        try:
            return shape.model_validate_json(answer.body)
        except ValidationError:
            raise no_answer(request.provider, "answer not understood", answer.status) from None
    told = _told(answer.body)
    code = _code(told)
    if answer.status in _KEY_REFUSED or (answer.status == _BAD_REQUEST and request.is_key_fault(told)):
        raise KeyRefused(answer.status, code)
    log(Event.PROVIDER_FAILED, "provider", name=request.provider, reason="status", status=answer.status, code=code)
    if answer.status == _BUSY:
        raise Unavailable("The provider is busy; try again.", retry_after=_wait(answer.retry_after))
    if answer.status in _REDIRECT or answer.status >= _SERVER_ERROR:
        raise Unavailable(_NO_ANSWER, retry_after=_DEFAULT_WAIT)
    raise InternalError


def no_answer(provider: str, reason: str, status: int | None = None) -> Unavailable:
    """The error for what is no answer, after a line in the log.

    Args:
        provider: whose.
        reason: what is wrong with it, in the gateway's own words.
        status: the status that came with it, or None.
    """
    log(Event.PROVIDER_FAILED, "provider", name=provider, reason=reason, status=status, code=None)
    return Unavailable(_NO_ANSWER, retry_after=_DEFAULT_WAIT)


def _told(body: bytes) -> Any:
    try:
        return json.loads(body[: MAX_ANSWER + 1])
    except (ValueError, RecursionError):
        return None


def _code(told: Any) -> str | None:
    """What an error says in one word: OpenAI's `error.code` or `error.type`, Google's `error.status`."""
    error = told.get("error") if isinstance(told, dict) else None
    for name in ("code", "type", "status"):
        word = error.get(name) if isinstance(error, dict) else None
        if isinstance(word, str) and _CODE.fullmatch(word):
            return word
    return None


def _wait(header: str | None) -> int:
    """The seconds of a Retry-After, within reason; a date or nonsense is answered with the usual wait."""
    if header is None or not re.fullmatch(r"[0-9]{1,6}", header.strip()):
        return _DEFAULT_WAIT
    return min(max(int(header), _WAIT.start), _WAIT.stop - 1)
