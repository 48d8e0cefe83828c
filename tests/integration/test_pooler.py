"""All tools through a real PgBouncer in transaction mode: S2, S22, and nothing left behind for the next client."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Database, connected, load_event
from tests.servers import PGBOUNCER, pgbouncer

from isnad_database.connect import administrator
from isnad_gateway.core.errors import InternalError, Unavailable
from isnad_gateway.core.settings import parse_dsn
from isnad_gateway.data import connection as connection_module
from isnad_gateway.data.statement import Statement
from isnad_gateway.data.transaction import reading
from isnad_gateway.domain.registry import CONTRACT
from isnad_local.server import Context

pytestmark = pytest.mark.skipif(PGBOUNCER is None, reason="no pgbouncer on this machine (.ci/run installs it)")
NAME = "isnad-gateway"


@pytest.fixture(scope="module")
def pooled(sandbox: Database) -> Iterator[str]:
    """How the sandbox is reached through a pooler with three servers."""
    reader = parse_dsn(sandbox.reader)
    behind = f"host={reader.socket_directory} port={reader.port} dbname={reader.database} user={reader.user}"
    with pgbouncer(behind, account=Path(str(reader.socket_directory)).owner()) as port:
        yield f"postgresql://{reader.user}@127.0.0.1:{port}/{reader.database}"


def _reply(tool: str) -> dict[str, Any]:
    answer = import_module(f"functions.{tool}.app").handler(load_event(tool), Context(tool))
    assert answer["statusCode"] == 200, answer["body"]
    body: dict[str, Any] = json.loads(answer["body"])
    return body


def _servers(sandbox: Database) -> list[str]:
    """The states of the pooler's sessions on the server."""
    with administrator(sandbox.administrator) as connection:
        rows = connection.run(f"select state from pg_stat_activity where application_name = '{NAME}'")
    return [state for (state,) in rows]


def test_every_tool_answers_the_same(sandbox: Database, pooled: str) -> None:
    """Twenty callers over three servers: each call gets the reply that a direct connection gives."""
    with connected(sandbox.reader):
        direct = {tool: _reply(tool) for tool in CONTRACT}
    calls = list(CONTRACT) * 20
    with connected(pooled), ThreadPoolExecutor(20) as threads:
        for tool, body in zip(calls, threads.map(_reply, calls), strict=True):
            assert body == direct[tool]
        assert 0 < len(_servers(sandbox)) <= 3
        assert set(_servers(sandbox)) == {"idle"}


@pytest.fixture
def statement(tmp_path: Path) -> Callable[[str], Statement]:
    def make(sql: str) -> Statement:
        path = tmp_path / f"{abs(hash(sql))}.sql"
        path.write_text(sql)
        return Statement(str(tmp_path / "app.py"), path.name)

    return make


def test_parameters_reach_their_own_statement(pooled: str, statement: Callable[[str], Statement]) -> None:
    """S2: without an explicit transaction another client's statement comes between."""
    statements = [statement(f"select :number::bigint as n{column}, {column} as c") for column in range(5)]

    def ask(number: int) -> None:
        column = number % 5
        with reading() as read:
            for _ in range(2):
                assert read(statements[column], number=number) == [{f"n{column}": number, "c": column}]

    with connected(pooled), ThreadPoolExecutor(20) as threads:
        list(threads.map(ask, range(600)))


def _session(pooled: str) -> list[tuple[Any, ...]]:
    """What the next client finds: each server of the pool is looked at."""
    found = []
    with administrator(pooled) as first, administrator(pooled) as second, administrator(pooled) as third:
        for client in (first, second, third):
            client.run("begin")
        for client in (first, second, third):
            [row] = client.run(
                "select current_setting('statement_timeout'), current_setting('default_transaction_read_only'),"
                " current_setting('search_path'), current_setting('role'),"
                " (select count(*) from pg_prepared_statements), (select count(*) from pg_cursors),"
                " (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid())"
            )
            found.append(tuple(row))
        for client in (first, second, third):
            client.run("rollback")
    return found


def test_nothing_is_left_for_the_next_client(
    sandbox: Database, pooled: str, statement: Callable[[str], Statement], monkeypatch: pytest.MonkeyPatch
) -> None:
    """S22: after answers, errors and time-outs the pool's sessions are as the role's own settings made them."""
    monkeypatch.setattr(connection_module, "_BEGIN", connection_module._BEGIN.replace("2s", "1500ms"))
    slow, wrong = statement("select pg_sleep(20)"), statement("select 1 / 0 as n")
    with connected(pooled):
        for tool in CONTRACT:
            _reply(tool)
        with pytest.raises(InternalError), reading() as read:
            read(wrong)
        with pytest.raises(Unavailable), reading() as read:
            read(slow)
        with pytest.raises(ZeroDivisionError), reading() as read:
            read(statement("select 1 as n"))[0]["n"] / 0
        with reading() as read:
            assert read(statement("select current_setting('statement_timeout') as t")) == [{"t": "1500ms"}]
        assert _session(pooled) == [("2s", "on", "public", "none", 0, 0, 0)] * 3
        assert set(_servers(sandbox)) <= {"idle"}


def test_server_killed_behind_the_pooler(sandbox: Database, pooled: str) -> None:
    """S4: the pooler's own servers die; the calls after it are answered."""
    with connected(pooled):
        before = _reply("get_hadith")
        with administrator(sandbox.administrator) as connection:
            connection.run(
                f"select pg_terminate_backend(pid, 2000) from pg_stat_activity where application_name = '{NAME}'"
            )
        assert [_reply("get_hadith") for _ in range(3)] == [before] * 3
