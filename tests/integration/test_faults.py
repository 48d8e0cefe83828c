"""A database that is refused, silent, gone or not found, one fault at a time; benchmarks/faults.py makes thousands."""

import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import connected
from tests.integration.conftest import breakable_dsn, end_sessions
from tests.servers import PostgresServer, free_port

from isnad_database.connect import administrator
from isnad_gateway.core.errors import Unavailable
from isnad_gateway.core.logs import Event
from isnad_gateway.core.settings import parse_dsn
from isnad_gateway.data import connection as connection_module
from isnad_gateway.data import sockets, transaction
from isnad_gateway.data.connection import CONNECT_TIMEOUT
from isnad_gateway.data.statement import Statement
from isnad_gateway.data.transaction import reading

Ask = Callable[[int], int]
Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def gateway(breakable: PostgresServer) -> Iterator[PostgresServer]:
    """The gateway reads from the breakable server, over TCP and with a password."""
    with connected(breakable_dsn(breakable.port)):
        yield breakable


@pytest.fixture
def number(tmp_path: Path) -> Statement:
    (tmp_path / "one.sql").write_text("select :number::bigint as number")
    return Statement(str(tmp_path / "app.py"), "one.sql")


def _assert_unavailable(ask: Ask, within: float) -> None:
    started = time.monotonic()
    with pytest.raises(Unavailable) as raised:
        ask(1)
    assert time.monotonic() - started < within
    assert (raised.value.status, raised.value.headers) == (503, {"retry-after": "1"})


def test_stopped_and_started(gateway: PostgresServer, ask: Ask) -> None:
    assert ask(1) == 1
    gateway.stop("immediate")
    for _ in range(2):
        _assert_unavailable(ask, 1.5)
    gateway.start()
    assert ask(2) == 2


def test_restarted_between_two_calls(gateway: PostgresServer, ask: Ask) -> None:
    assert ask(1) == 1
    gateway.stop()
    gateway.start()
    assert ask(2) == 2


def test_paused(gateway: PostgresServer, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A silent server costs the time-outs and no more, and its late answers are nobody's."""
    monkeypatch.setattr(connection_module, "REPLY_TIMEOUT", 0.3)
    monkeypatch.setattr(connection_module, "CONNECT_TIMEOUT", 0.3)
    assert ask(1) == 1
    gateway.pause()
    try:
        _assert_unavailable(ask, 2)
        _assert_unavailable(ask, 1.5)
    finally:
        gateway.resume()
    assert [ask(number) for number in (2, 3)] == [2, 3]


def test_paused_while_it_answers(
    gateway: PostgresServer, number: Statement, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Silence within a call is not asked a second time."""
    monkeypatch.setattr(connection_module, "REPLY_TIMEOUT", 0.3)
    started = time.monotonic()
    try:
        with reading() as read:
            gateway.pause()
            with pytest.raises(Unavailable):
                read(number, number=1)
    finally:
        gateway.resume()
    assert time.monotonic() - started < 2
    assert [ask(number) for number in (2, 3)] == [2, 3]


def test_killed_before_the_first_row(gateway: PostgresServer, number: Statement, log_lines: Lines) -> None:
    """Nothing was seen yet: the query is asked once more on a fresh connection."""
    with reading() as read:
        assert end_sessions(gateway) == 1
        assert read(number, number=1) == [{"number": 1}]
    assert [line["message"] for line in log_lines()] == [Event.CONNECTION_REPLACED.value[1]]
    assert end_sessions(gateway) == 1


def test_killed_after_the_first_row(gateway: PostgresServer, number: Statement, ask: Ask) -> None:
    """Two queries of one transaction never come from two."""
    with reading() as read:
        read(number, number=1)
        end_sessions(gateway)
        with pytest.raises(Unavailable):
            read(number, number=2)
    assert ask(3) == 3


@pytest.mark.usefixtures("gateway")
def test_thawed_after_hours(ask: Ask, log_lines: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    """S4: a connection that rested for long is not asked, for a forgotten one would be silent, not refused."""
    assert ask(1) == 1
    [resting] = transaction._idle
    monkeypatch.setattr(resting, "begin", lambda: pytest.fail("it was asked"))
    resting.rests_since -= transaction._MAX_REST + 1
    assert ask(2) == 2
    assert [line["database"]["error"] for line in log_lines()] == ["TimeoutError"]
    assert transaction._MAX_REST < 350


def test_no_connection_left(gateway: PostgresServer, ask: Ask, log_lines: Lines) -> None:
    with administrator(gateway.administrator) as connection:
        connection.run("alter role gateway_reader connection limit 0")
        _assert_unavailable(ask, 2)
        connection.run("alter role gateway_reader connection limit -1")
    assert [line["database"]["sqlstate"] for line in log_lines()] == ["53300"]
    assert ask(2) == 2


def test_refused(ask: Ask) -> None:
    with connected(breakable_dsn(free_port())):
        _assert_unavailable(ask, 1.5)


def _resolver(answer: Callable[[], Any]) -> Callable[..., Any]:
    return lambda *_args, **_kwargs: answer()


def _address(port: int) -> tuple[Any, ...]:
    return (socket.AF_INET, socket.SOCK_STREAM, 0, "", ("127.0.0.1", port))


def test_name_not_found(gateway: PostgresServer, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """S19: at a cold start, before anything is known of the server."""

    def fail() -> None:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", _resolver(fail))
    for _ in range(2):
        _assert_unavailable(ask, 1.5)
    monkeypatch.undo()
    assert ask(1) == 1
    assert gateway.port


@pytest.mark.usefixtures("gateway")
def test_name_server_silent(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system's resolver may take half a minute; a call may not."""
    monkeypatch.setattr(socket, "getaddrinfo", _resolver(lambda: time.sleep(5)))
    _assert_unavailable(ask, CONNECT_TIMEOUT + 0.5)


def test_second_address_answers(gateway: PostgresServer, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    addresses = [_address(free_port()), _address(gateway.port)]
    monkeypatch.setattr(socket, "getaddrinfo", _resolver(lambda: addresses))
    assert ask(1) == 1


def test_no_address(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", _resolver(list))
    with connected(breakable_dsn(1)):
        _assert_unavailable(ask, 1.5)


def test_silent_address_takes_its_share_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two addresses the first is a black hole: the second is still asked within the limit."""
    asked: list[float] = []
    started = time.monotonic()

    def connect(opened: socket.socket, address: Any, deadline: float) -> socket.socket:
        asked.append(deadline - started)
        if address[1] == 1:
            opened.close()
            raise TimeoutError
        return opened

    monkeypatch.setattr(sockets, "_connected", connect)
    monkeypatch.setattr(socket, "getaddrinfo", _resolver(lambda: [_address(1), _address(2)]))
    sockets.open_socket(parse_dsn(breakable_dsn(1)), 2.0).close()
    assert asked == [pytest.approx(1.0, abs=0.6), pytest.approx(2.0, abs=0.3)]
