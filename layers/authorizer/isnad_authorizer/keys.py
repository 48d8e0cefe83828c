"""The issuer's public keys (JWKS, RFC 7517): fetched when one is needed, kept, and asked for again with a cool-down."""

import json
import time
from collections.abc import Callable
from http import HTTPStatus
from threading import Lock
from typing import Any, Final
from urllib.parse import urlsplit

import jwt

FRESH: Final = 300.0  # seconds after which the keys are fetched again, so that a withdrawn key is soon refused
STALE: Final = 3600.0  # seconds for which they are used while their server does not answer
COOL_DOWN: Final = 30.0  # seconds between two fetches: unknown keys in forged tokens do not become requests
RETRY: Final = 2.0  # seconds after a fetch that failed
TIMEOUT: Final = 2.0  # seconds
_MAX_BYTES: Final = 64 * 1024
_MAX_KEYS: Final = 20
_MIN_RSA_BITS: Final = 2048  # RFC 7518, section 3.3
_LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")


class KeysUnavailable(Exception):
    """No key can be had now: the key server is down, slow, or does not answer with a key set."""


class Keys:
    """The keys of one issuer, by their id.

    Args:
        url: where the key set is served; HTTPS, or plain HTTP on loopback.
        fetch: gets the text at a URL; raises OSError where that fails.
        clock: seconds since some moment.

    Raises:
        ValueError: the URL is neither.
    """

    def __init__(
        self, url: str, *, fetch: Callable[[str], bytes] | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
            raise ValueError("the key set's address must begin with https://")
        self._url = url
        self._fetch = fetch or _get
        self._clock = clock
        self._keys: dict[str, jwt.PyJWK] = {}
        self._fetched = self._not_before = float("-inf")
        self._lock = Lock()

    def find(self, key_id: str) -> jwt.PyJWK | None:
        """The key with an id, or None where the issuer has none such.

        Raises:
            KeysUnavailable: nobody can say, for the key server does not answer.
        """
        with self._lock:
            now = self._clock()
            if key_id not in self._keys or now - self._fetched > FRESH:
                self._refresh(now)
            if now - self._fetched > STALE:
                raise KeysUnavailable
            return self._keys.get(key_id)

    def _refresh(self, now: float) -> None:
        if now < self._not_before:
            return
        try:
            keys = _read(self._fetch(self._url))
        except (OSError, ValueError):
            self._not_before = self._clock() + RETRY  # meanwhile the keys at hand are used, until they are stale
        else:
            self._keys, self._fetched, self._not_before = keys, now, now + COOL_DOWN


def _get(url: str) -> bytes:
    from http.client import HTTPConnection, HTTPException, HTTPSConnection  # noqa: PLC0415 - loaded when first needed

    parts = urlsplit(url)
    connect = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = connect(parts.hostname or "", parts.port, timeout=TIMEOUT)
    try:
        connection.request("GET", f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}")
        answer = connection.getresponse()
        if answer.status != HTTPStatus.OK:
            raise OSError(f"status {answer.status}")
        return answer.read(_MAX_BYTES)
    except HTTPException as error:
        raise OSError(type(error).__name__) from error
    finally:
        connection.close()


def _read(text: bytes) -> dict[str, jwt.PyJWK]:
    """The signing keys of a key set that can be used here; others are passed over.

    Raises:
        ValueError: it is no key set.
    """
    document = json.loads(text)
    listed = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(listed, list):
        raise ValueError("no key set")  # noqa: TRY004 - it is the text that is wrong
    return {key.key_id: key for key in map(_key, listed[:_MAX_KEYS]) if key is not None and key.key_id}


def _key(described: Any) -> jwt.PyJWK | None:
    """A P-256 key for ES256 or a long enough RSA key for RS256; None for anything else, a shared secret above all."""
    if not isinstance(described, dict) or described.get("use", "sig") != "sig":
        return None
    match described.get("kty"), described.get("crv"):
        case "EC", "P-256":
            algorithm = "ES256"
        case "RSA", _:
            algorithm = "RS256"
        case _:
            return None
    if described.get("alg", algorithm) != algorithm or not isinstance(described.get("kid"), str):
        return None
    try:
        key = jwt.PyJWK(described, algorithm)
    except (jwt.PyJWTError, ValueError, TypeError):
        return None
    return None if algorithm == "RS256" and key.key.key_size < _MIN_RSA_BITS else key
