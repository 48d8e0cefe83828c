"""The way to the database when things go wrong: S1, S3, S4 and S15 of the written cases, against a running Postgres."""

import json
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from functions.get_hadith.app import handler as get_hadith
from functions.list_tools.app import handler as list_tools
from functions.search_hadith.app import handler as search_hadith
from tests.conftest import ROOT, Database, call, call_event, connected, load_event

from isnad_database.connect import administrator
from isnad_database.migrate import migrate
from isnad_database.sandbox import records_file
from isnad_gateway.core.errors import InternalError, Unavailable
from isnad_gateway.core.logs import Event
from isnad_gateway.core.settings import DatabaseSettings
from isnad_gateway.data import connection as connection_module
from isnad_gateway.data import transaction
from isnad_gateway.data.connection import STATEMENT_TIMEOUT, Connection
from isnad_gateway.data.statement import Statement
from isnad_gateway.data.transaction import reading
from isnad_local.postgres import postgres, reader_dsn

Lines = Callable[[], list[dict[str, Any]]]
pytestmark = pytest.mark.usefixtures("gateway")


@pytest.fixture
def statement(tmp_path: Path) -> Callable[[str], Statement]:
    def make(sql: str) -> Statement:
        (tmp_path / "query.sql").write_text(sql)
        made = Statement(str(tmp_path / "app.py"), "query.sql")
        assert made.text  # read now: the next one has the same file
        return made

    return make


@pytest.fixture(scope="module")
def truth() -> dict[str, str]:
    """The texts by source key, from the package's own file."""
    with records_file().open(encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    return {record["hadith_key"]: record["text"] for record in records}


@pytest.fixture
def ids(sandbox: Database) -> dict[str, int]:
    with administrator(sandbox.administrator) as connection:
        return dict(connection.run("select source_key, hadith_id from isnad.hadiths order by hadith_id limit 400"))


def _sessions(sandbox: Database) -> list[str]:
    """The states of the gateway's sessions on the server."""
    with administrator(sandbox.administrator) as connection:
        return [
            state
            for (state,) in connection.run(
                "select state from pg_stat_activity where application_name = 'isnad-gateway'"
            )
        ]


def _kill_sessions(sandbox: Database) -> int:
    with administrator(sandbox.administrator) as connection:
        return len(
            connection.run(
                "select pg_terminate_backend(pid, 2000) from pg_stat_activity"
                " where application_name = 'isnad-gateway' and usename = 'gateway_reader'"
            )
        )


def _texts(event: Event, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [line for line in lines if line["message"] == event.value[1]]


def _assert_true_answer(key: str, ids: dict[str, int], truth: dict[str, str]) -> None:
    result = call(get_hadith, {"hadith_id": ids[key]})["result"]
    assert (result["hadith_id"], result["text_ar"]) == (ids[key], truth[key])
    assert result["provenance"][0]["source_key"] == key


@pytest.mark.parametrize("prepared", ["true", "false"])
@pytest.mark.parametrize("poison", ["\ud800", "a\udfffb"], ids=["surrogate", "inside"])
def test_poisoned_call(
    poison: str,
    prepared: str,
    sandbox: Database,
    ids: dict[str, int],
    truth: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """S1: what cannot be encoded must not shift the next answers to the wrong questions."""
    monkeypatch.setenv("ISNAD_PREPARED", prepared)
    echo = Statement(str(ROOT / "functions" / "search_hadith" / "app.py"), "search.sql")
    with connected(sandbox.reader):
        _assert_true_answer("bukhari:1", ids, truth)
        with pytest.raises(UnicodeEncodeError), reading() as read:
            read(echo, query=poison, folded=None, collection_id=None, wanted=2, query_language="ar")
        _assert_true_answer("bukhari:2", ids, truth)
        _assert_true_answer("bukhari:3", ids, truth)


@pytest.mark.parametrize("escaped", ["\\ud800", "\\udfff", "x\\ud83d"])
def test_poisoned_body(escaped: str, ids: dict[str, int], truth: dict[str, str]) -> None:
    """S1, over the whole way: a lone surrogate in the JSON is refused, and the next two answers are the true ones."""
    body = f'{{"arguments": {{"query": "ab{escaped}"}}, "conversation_id": "c", "session_id": "s", "turn_id": 1}}'
    answer = search_hadith(call_event(body), None)
    assert answer["statusCode"] == 400
    assert json.loads(answer["body"])["error"]["code"] == "INVALID_ARGUMENT"
    _assert_true_answer("bukhari:2", ids, truth)
    _assert_true_answer("bukhari:3", ids, truth)


@pytest.mark.parametrize(
    ("sql", "sqlstate"),
    [("select 1 / 0", "22012"), ("select nothing", "42703"), ("select from nowhere", "42P01"), ("select (", "42601")],
)
def test_error_inside_a_transaction(
    sql: str,
    sqlstate: str,
    statement: Callable[[str], Statement],
    sandbox: Database,
    ids: dict[str, int],
    truth: dict[str, str],
    log_lines: Lines,
) -> None:
    """S3: rolled back, the connection is idle and kept, and the next call is answered."""
    with pytest.raises(InternalError), reading() as read:
        read(statement(sql))
    assert [line["database"] for line in log_lines()] == [{"sqlstate": sqlstate}]
    assert _sessions(sandbox) == ["idle"]
    _assert_true_answer("bukhari:1", ids, truth)
    assert _sessions(sandbox) == ["idle"]
    assert _texts(Event.CONNECTION_DISCARDED, log_lines()) == []


def test_error_of_our_own_inside_a_transaction(sandbox: Database) -> None:
    """S3: whatever is raised between two reads, nothing stays open."""
    health = Statement(str(ROOT / "functions" / "list_tools" / "app.py"), "health.sql")
    with pytest.raises(KeyError), reading() as read:
        read(health)[0]["nothing"]
    assert _sessions(sandbox) == ["idle"]


def test_calls_share_one_connection(sandbox: Database, ids: dict[str, int], truth: dict[str, str]) -> None:
    for key in ("bukhari:1", "bukhari:2", "bukhari:3"):
        _assert_true_answer(key, ids, truth)
    assert _sessions(sandbox) == ["idle"]


def test_backend_killed_between_two_calls(
    sandbox: Database, ids: dict[str, int], truth: dict[str, str], log_lines: Lines
) -> None:
    """S4: the next call answers after one reconnect."""
    _assert_true_answer("bukhari:1", ids, truth)
    assert _kill_sessions(sandbox) == 1
    _assert_true_answer("bukhari:2", ids, truth)
    assert len(_texts(Event.CONNECTION_REPLACED, log_lines())) == 1
    _assert_true_answer("bukhari:3", ids, truth)
    assert len(_texts(Event.CONNECTION_REPLACED, log_lines())) == 1


def test_many_idle_connections_killed(sandbox: Database, ids: dict[str, int], truth: dict[str, str]) -> None:
    """S4: one call replaces them all, not one call each."""
    with reading(), reading(), reading():
        pass
    assert _kill_sessions(sandbox) == 3
    _assert_true_answer("bukhari:1", ids, truth)
    assert _sessions(sandbox) == ["idle"]


def test_backend_killed_within_a_call(
    statement: Callable[[str], Statement], ids: dict[str, int], truth: dict[str, str]
) -> None:
    with pytest.raises(Unavailable) as raised, reading() as read:
        read(statement("select pg_terminate_backend(pg_backend_pid())"))
    assert (raised.value.status, raised.value.headers) == (503, {"retry-after": "1"})
    _assert_true_answer("bukhari:1", ids, truth)


def test_statement_timeout(
    statement: Callable[[str], Statement],
    sandbox: Database,
    ids: dict[str, int],
    truth: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """S4: a statement that takes too long is UNAVAILABLE, and the next call is clean."""
    assert STATEMENT_TIMEOUT == 2.0
    assert f"{STATEMENT_TIMEOUT:g}s" in connection_module._BEGIN
    monkeypatch.setattr(connection_module, "_BEGIN", connection_module._BEGIN.replace("2s", "200ms"))
    started = time.monotonic()
    with pytest.raises(Unavailable) as raised, reading() as read:
        read(statement("select pg_sleep(30)"))
    assert time.monotonic() - started < 2
    assert (raised.value.status, raised.value.headers) == (503, {"retry-after": "1"})
    monkeypatch.undo()
    _assert_true_answer("bukhari:2", ids, truth)
    assert _sessions(sandbox) == ["idle"]


def test_time_out_of_the_client(
    statement: Callable[[str], Statement],
    sandbox: Database,
    ids: dict[str, int],
    truth: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """S4: when the server does not even say that it took too long, its late answer is nobody's."""

    def impatient(settings: DatabaseSettings) -> Connection:
        made = Connection(settings)
        made._connection._usock.settimeout(0.2)
        return made

    monkeypatch.setattr(transaction, "Connection", impatient)
    with connected(sandbox.reader):
        with pytest.raises(Unavailable), reading() as read:
            read(statement("select pg_sleep(0.6), 'late'"))
        monkeypatch.undo()
        _assert_true_answer("bukhari:2", ids, truth)
        _assert_true_answer("bukhari:3", ids, truth)


def test_twenty_threads(ids: dict[str, int], truth: dict[str, str]) -> None:
    """S15: each gets the answer to its own question."""
    keys = list(ids)
    together = threading.Barrier(20)

    def ask(number: int) -> None:
        together.wait(timeout=10)
        for key in keys[number::20]:
            answer = call(
                get_hadith, {"hadith_id": ids[key]}, conversation_id=f"c{number}", call_id=key, turn_id=number + 1
            )
            assert (answer["conversation_id"], answer["call_id"], answer["turn_id"]) == (f"c{number}", key, number + 1)
            assert answer["result"]["text_ar"] == truth[key]
            assert answer["result"]["provenance"][0]["source_key"] == key

    with ThreadPoolExecutor(20) as threads:
        for done in [threads.submit(ask, number) for number in range(20)]:
            done.result(timeout=60)


@pytest.fixture(scope="module")
def own_server() -> Iterator[Path]:
    """The data of a server of this module's own, which a test may stop and start."""
    data = ROOT / ".local" / "test-postgres-to-stop"
    shutil.rmtree(data, ignore_errors=True)
    with postgres(data) as dsn, administrator(dsn) as connection:
        migrate(connection)
    yield data
    shutil.rmtree(data, ignore_errors=True)


def _asked() -> tuple[int, dict[str, str], Any]:
    started = time.monotonic()
    answer = call(get_hadith, {"hadith_id": 1})
    assert time.monotonic() - started < 1.5
    return answer["status"], answer["headers"], answer["error"]


def test_server_stopped_and_back(own_server: Path) -> None:
    """S4: down is said at once, with when to try again; when it is back, the first call is answered."""
    empty = (404, "NOT_FOUND")
    with postgres(own_server) as dsn:
        socket = dsn
    with connected(reader_dsn(socket)):
        for _ in range(2):
            with postgres(own_server) as dsn:
                assert dsn == socket
                status, _, error = _asked()
                assert (status, error["code"]) == empty
            for _ in range(2):
                status, headers, error = _asked()
                assert (status, headers["retry-after"]) == (503, "1")
                assert error == {
                    "code": "UNAVAILABLE", "message": "The database cannot be reached; try again.",
                }  # fmt: skip
            health = list_tools({**load_event("list_tools"), "routeKey": "GET /health"}, None)
            assert (health["statusCode"], health["headers"]["retry-after"]) == (503, "1")
            assert json.loads(health["body"]) == {"error": error}
