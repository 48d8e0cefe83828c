"""What several integration tests share: a Postgres that may be broken, and a database of made-up people."""

import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests import leaks
from tests.conftest import Database
from tests.made_up_people import Loaded, load_people
from tests.providers import Providers, Secrets, serving, set_up
from tests.servers import PostgresServer, postgres_server

from isnad_database.connect import administrator
from isnad_gateway.data.statement import Statement
from isnad_gateway.data.transaction import reading
from isnad_local.postgres import reader_dsn
from isnad_providers.providers import nova_sonic


@pytest.fixture(scope="session")
def _breakable() -> Iterator[PostgresServer]:
    with postgres_server() as server:
        with administrator(server.administrator) as connection:
            connection.run("create role gateway_reader login")
        yield server


@pytest.fixture
def breakable(_breakable: PostgresServer) -> PostgresServer:
    """A server that a test may stop, pause and deny; the role `gateway_reader` has the password `leaks.PASSWORD`."""
    set_password(_breakable, leaks.PASSWORD)
    return _breakable


def set_password(server: PostgresServer, password: str) -> None:
    """Change the password of `gateway_reader`; its sessions go on."""
    with administrator(server.administrator) as connection:
        connection.run(f"alter role gateway_reader password '{password}'")


def end_sessions(server: PostgresServer) -> int:
    """End the gateway's sessions; return how many there were."""
    with administrator(server.administrator) as connection:
        return len(
            connection.run(
                "select pg_terminate_backend(pid, 2000) from pg_stat_activity where usename = 'gateway_reader'"
            )
        )


def breakable_dsn(port: int, password: str = leaks.PASSWORD, host: str = "127.0.0.1") -> str:
    """How the gateway reaches a server on this port."""
    return f"postgresql://gateway_reader:{password}@{host}:{port}/postgres"


@pytest.fixture
def ask(tmp_path: Path) -> Callable[[int], int]:
    """Reads back a number that is given to the database; raises what reading raises."""
    (tmp_path / "number.sql").write_text("select :number::bigint as number")
    statement = Statement(str(tmp_path / "app.py"), "number.sql")

    def asked(number: int) -> int:
        with reading() as read:
            [row] = read(statement, number=number)
        answer: int = row["number"]
        return answer

    return asked


@dataclass(frozen=True)
class PeopleDatabase:
    """A database of made-up people, which tests only read, and their ids."""

    database: Database
    ids: Loaded


@pytest.fixture(scope="session")
def people_database(server: str, migrated: str) -> Iterator[PeopleDatabase]:
    """The made-up people, loaded once."""
    with administrator(server) as connection:
        connection.run("drop database if exists made_up_people with (force)")
        connection.run(f"create database made_up_people template {migrated}")
    dsn = server.replace("/postgres?", "/made_up_people?")
    with administrator(dsn) as connection:
        ids = load_people(connection)
    yield PeopleDatabase(Database(dsn, reader_dsn(dsn)), ids)
    with administrator(server) as connection:
        connection.run("drop database if exists made_up_people with (force)")


NOVA_ROLE = "arn:aws:iam::123456789012:role/isnad-nova-sonic"
NOVA_MODEL = "amazon.nova-2-sonic-v1:0"


@pytest.fixture(scope="module")
def _served() -> Iterator[Providers]:
    made = Providers()
    with serving(made.answer) as made.url:
        yield made


@pytest.fixture
def providers(_served: Providers) -> Providers:
    _served.reset()
    return _served


@pytest.fixture(scope="module")
def _secrets(_served: Providers, ledger_server: str) -> Secrets:
    return Secrets(ledger_server, _served.url, str(uuid.uuid4()))


@pytest.fixture
def kept(
    providers: Providers, _secrets: Secrets, ledger_server: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Secrets]:
    """Every provider is set up."""
    monkeypatch.setenv(nova_sonic.ROLE, NOVA_ROLE)
    monkeypatch.setenv(nova_sonic.MODEL, NOVA_MODEL)
    monkeypatch.setenv(nova_sonic.REGION, "eu-north-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL_STS", ledger_server)
    with set_up(_secrets, ledger_server, monkeypatch):
        yield _secrets
