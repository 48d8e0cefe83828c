"""S21: who the database is, is verified; against a real PgBouncer that ends TLS in front of a Postgres."""

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
from pg8000.exceptions import DatabaseError
from tests import leaks
from tests.certificates import Authority
from tests.conftest import connected
from tests.integration.conftest import breakable_dsn
from tests.servers import PGBOUNCER, PostgresServer, pgbouncer

from isnad_gateway.core.errors import Unavailable
from isnad_gateway.core.settings import parse_dsn
from isnad_gateway.data import sockets
from isnad_gateway.data.connection import CONNECT_TIMEOUT, Connection

Ask = Callable[[int], int]
needs_pgbouncer = pytest.mark.skipif(PGBOUNCER is None, reason="no pgbouncer on this machine (.ci/run installs it)")
OURS, OTHERS = Authority("isnad test authority"), Authority("another authority")


@pytest.fixture
def ca_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The gateway trusts our test authority, and nobody else."""
    path = tmp_path / "ca.pem"
    path.write_text(OURS.pem)
    monkeypatch.setenv("ISNAD_CA_FILE", str(path))
    return str(path)


@contextmanager
def _tls_in_front(server: PostgresServer, certificate: tuple[str, str]) -> Iterator[int]:
    behind = f"host=127.0.0.1 port={server.port} dbname=postgres"
    with pgbouncer(behind, {"gateway_reader": leaks.PASSWORD}, certificate=certificate) as port:
        yield port


def _open_sockets() -> int:
    return len(psutil.Process().net_connections(kind="all"))


def _assert_refused(dsn: str, ask: Ask, log_lines: Callable[[], list[dict[str, Any]]], error: str) -> None:
    before, started = _open_sockets(), time.monotonic()
    with connected(dsn):
        for _ in range(3):
            with pytest.raises(Unavailable) as raised:
                ask(1)
    assert time.monotonic() - started < 2 * CONNECT_TIMEOUT
    assert raised.value.headers == {"retry-after": "1"}
    assert _open_sockets() == before
    assert [line["database"]["error"] for line in log_lines()] == [error] * 3


@needs_pgbouncer
@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_right_certificate(host: str, breakable: PostgresServer, ask: Ask, ca_file: str) -> None:
    with _tls_in_front(breakable, OURS.certificate(host)) as port:
        dsn = breakable_dsn(port, host=host)
        with connected(dsn):
            assert [ask(number) for number in range(3)] == [0, 1, 2]
        before = _open_sockets()
        connection = Connection(parse_dsn(dsn, ca_file=ca_file))
        assert isinstance(connection._socket, ssl.SSLSocket)
        assert connection._socket.version() in ("TLSv1.2", "TLSv1.3")
        connection.close()
        assert _open_sockets() == before


@needs_pgbouncer
@pytest.mark.usefixtures("ca_file")
@pytest.mark.parametrize(
    "certificate",
    [OTHERS.certificate("localhost"), OURS.certificate("localhost", expired=True), OURS.certificate("db.example")],
    ids=["of another authority", "expired", "of another name"],
)
def test_wrong_certificate(
    certificate: tuple[str, str],
    breakable: PostgresServer,
    ask: Ask,
    log_lines: Callable[[], list[dict[str, Any]]],
) -> None:
    with _tls_in_front(breakable, certificate) as port:
        _assert_refused(breakable_dsn(port, host="localhost"), ask, log_lines, "SSLCertVerificationError")


@needs_pgbouncer
def test_authorities_of_the_system(
    breakable: PostgresServer,
    ask: Ask,
    monkeypatch: pytest.MonkeyPatch,
    log_lines: Callable[[], list[dict[str, Any]]],
) -> None:
    """Beyond loopback TLS is verified without a CA file, too: our test authority is none that a system knows."""
    monkeypatch.setattr(sockets, "_LOOPBACK", ())
    with _tls_in_front(breakable, OURS.certificate("localhost")) as port:
        _assert_refused(breakable_dsn(port, host="localhost"), ask, log_lines, "SSLCertVerificationError")


@pytest.mark.usefixtures("ca_file")
def test_server_without_tls(breakable: PostgresServer, ask: Ask, log_lines: Callable[[], list[dict[str, Any]]]) -> None:
    _assert_refused(breakable_dsn(breakable.port), ask, log_lines, "SSLError")


@contextmanager
def _listener(answer: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """Somebody who listens, keeps what comes, and answers each message with the same bytes."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            while True:
                try:
                    accepted, _ = listening.accept()
                except OSError:
                    return
                with accepted:
                    accepted.settimeout(3)
                    try:
                        while part := accepted.recv(4096):
                            heard.append(part)
                            accepted.sendall(answer)
                    except OSError:
                        pass

        serving = threading.Thread(target=serve, daemon=True)
        serving.start()
        yield listening.getsockname()[1], heard
        listening.shutdown(socket.SHUT_RDWR)
    serving.join(5)


@pytest.mark.usefixtures("ca_file")
@pytest.mark.parametrize(("answer", "error"), [(b"N", "SSLError"), (b"", "TimeoutError"), (b"S" * 9, "SSLError")])
def test_nothing_is_told_to_a_stranger(answer: bytes, error: str, ask: Ask) -> None:
    """Neither name nor password leaves before the certificate has been verified."""
    with _listener(answer) as (port, heard):
        started = time.monotonic()
        with connected(breakable_dsn(port)), pytest.raises(Unavailable) as raised:
            ask(1)
        assert time.monotonic() - started < CONNECT_TIMEOUT + 2
    assert type(raised.value.__cause__).__name__ == error
    said = b"".join(heard)
    assert said.startswith(sockets._TLS_REQUEST)
    assert leaks.PASSWORD.encode() not in said
    assert b"gateway_reader" not in said


def test_nothing_is_kept_after_a_failure() -> None:
    """A connection that fails late, in the middle of the database's own protocol, leaks no socket either."""
    with _listener(b"X\0\0\0\4") as (port, _):
        before = _open_sockets()
        for _ in range(3):
            with pytest.raises((OSError, KeyError, DatabaseError)):
                Connection(parse_dsn(breakable_dsn(port)))
        deadline = time.monotonic() + 3
        while _open_sockets() > before and time.monotonic() < deadline:
            time.sleep(0.02)  # the listener's own ends
        assert _open_sockets() <= before
