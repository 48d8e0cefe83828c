"""The socket to the database: found, connected and verified within one time limit, and never leaked."""

import os
import socket
import ssl
import struct
import time
from functools import cache
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from isnad_gateway.core.settings import DatabaseSettings

_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_TLS_REQUEST = struct.pack("!ii", 8, 80877103)  # SSLRequest: PostgreSQL documentation, "Message Formats"


@cache
def _verifying_context(ca_file: str | None) -> ssl.SSLContext:
    """A context that verifies the server's certificate and its name. Loading the authorities costs 17 ms: done once."""
    context = ssl.create_default_context(cafile=ca_file)
    if ca_file is not None:
        # From Python 3.13 on the default refuses certificates without an authority key identifier, which private
        # authorities issue (python/cpython#107361). Signature, dates, purpose and name are verified all the same.
        context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    return context


def open_socket(settings: DatabaseSettings, timeout: float) -> socket.socket:
    """Connect to the server. Plain text is spoken on a Unix socket or loopback only, there only without a CA file.

    Args:
        settings: where the server is and who may vouch for it.
        timeout: seconds that all of it may take; it stays the socket's time-out for each single answer.

    Raises:
        OSError: the server is not found, not reached or not trusted (`ssl.SSLError`). No socket stays open.
    """
    deadline = time.monotonic() + timeout
    if settings.socket_directory is not None:
        plain = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        return _connected(plain, f"{settings.socket_directory}/.s.PGSQL.{settings.port}", deadline)
    assert settings.host is not None
    plain = _connected_to_any(_addresses(settings.host, settings.port, deadline), deadline)
    if settings.ca_file is None and settings.host in _LOOPBACK:
        return plain
    try:
        return _secured(plain, settings.host, _verifying_context(settings.ca_file), deadline)
    except BaseException:
        close_socket(plain)
        raise


def close_socket(opened: socket.socket) -> None:
    """Close at once; `close` alone waits until the files that were made of the socket are forgotten, too."""
    descriptor = opened.detach()
    if descriptor >= 0:
        os.close(descriptor)


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("the server did not answer in time")
    return left


def _addresses(host: str, port: int, deadline: float) -> list[tuple[Any, ...]]:
    """Look the name up. The system's resolver has no time limit and may outlast a function, hence the thread."""
    answers: SimpleQueue[list[tuple[Any, ...]] | OSError] = SimpleQueue()

    def look_up() -> None:
        try:
            answers.put(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except OSError as error:
            answers.put(error)

    Thread(target=look_up, name="look-up", daemon=True).start()
    try:
        answer = answers.get(timeout=_left(deadline))
    except Empty:
        raise TimeoutError("the name was not looked up in time") from None
    if isinstance(answer, OSError):
        raise answer
    return answer


def _connected_to_any(addresses: list[tuple[Any, ...]], deadline: float) -> socket.socket:
    """Connect to the first address that answers; one that is silent may use up its share of the time and no more."""
    failure: OSError = OSError("the name has no address")
    for position, (family, kind, protocol, _, address) in enumerate(addresses):
        share = _left(deadline) / (len(addresses) - position)
        try:
            opened = _connected(socket.socket(family, kind, protocol), address, time.monotonic() + share)
        except OSError as error:
            failure = error
        else:
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return opened
    raise failure


def _connected(opened: socket.socket, address: Any, deadline: float) -> socket.socket:
    try:
        opened.settimeout(_left(deadline))
        opened.connect(address)
    except BaseException:
        close_socket(opened)
        raise
    return opened


def _secured(plain: socket.socket, host: str, context: ssl.SSLContext, deadline: float) -> ssl.SSLSocket:
    plain.settimeout(_left(deadline))
    plain.sendall(_TLS_REQUEST)
    if plain.recv(1) != b"S":
        raise ssl.SSLError("the server speaks no TLS")
    plain.settimeout(_left(deadline))
    return context.wrap_socket(plain, server_hostname=host)
