"""The database that the tests ask: one server, the sandbox loaded once and kept under `.local/` for the next run."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests import leaks
from tests.leaks import pytest_runtest_makereport  # noqa: F401 - the hook that searches every test's output

from isnad_database.connect import administrator
from isnad_database.migrate import MIGRATIONS, migrate
from isnad_database.sandbox import FACTS, ensure_sandbox
from isnad_gateway.core import settings
from isnad_gateway.core.logs import logger
from isnad_gateway.data import transaction
from isnad_gateway.domain import fold
from isnad_local.postgres import postgres, reader_dsn
from isnad_local.server import Context

pytest_plugins = ["pytester", "tests.ledger"]
leaks.watch_replies()

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Database:
    """A database of the test server: as the administrator and as the functions' role."""

    administrator: str
    reader: str


def _fingerprint() -> str:
    """What the loaded data was made from: migrations, facts and loader."""
    loader = [*(ROOT / "database" / "isnad_database").rglob("*.py"), Path(fold.__file__)]
    files = sorted([*MIGRATIONS.glob("*.sql"), *FACTS.iterdir(), *loader])
    return hashlib.sha256(b"".join(file.read_bytes() for file in files if file.is_file())).hexdigest()


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The test server's administrator DSN; its database `postgres` holds the sandbox."""
    data, made_from = ROOT / ".local" / "test-postgres", ROOT / ".local" / "test-postgres.made-from"
    if not made_from.exists() or made_from.read_text() != _fingerprint():
        shutil.rmtree(data, ignore_errors=True)
    with postgres(data) as dsn:
        with administrator(dsn) as connection:
            ensure_sandbox(connection)
        made_from.write_text(_fingerprint())
        yield dsn


@pytest.fixture(scope="session")
def sandbox(server: str) -> Database:
    """The database with the sandbox data. Tests never write to it."""
    return Database(server, reader_dsn(server))


@pytest.fixture(scope="session")
def migrated(server: str) -> Iterator[str]:
    """The name of a migrated database that others are copied from, which is quicker than migrating each."""
    name = "t_migrated"
    with administrator(server) as connection:
        connection.run(f"drop database if exists {name} with (force)")
        connection.run(f"create database {name} template template0")
    with administrator(server.replace("/postgres?", f"/{name}?")) as connection:
        migrate(connection)
    yield name
    with administrator(server) as connection:
        connection.run(f"drop database if exists {name} with (force)")


@pytest.fixture
def empty_database(server: str, migrated: str, request: pytest.FixtureRequest) -> Iterator[Database]:
    """A database of the test's own: migrated, without a row."""
    name = "t_" + hashlib.sha256(request.node.nodeid.encode()).hexdigest()[:12]
    with administrator(server) as connection:
        connection.run(f"drop database if exists {name} with (force)")
        connection.run(f"create database {name} template {migrated}")
    dsn = server.replace("/postgres?", f"/{name}?")
    yield Database(dsn, reader_dsn(dsn))
    with administrator(server) as connection:
        connection.run(f"drop database if exists {name} with (force)")


@contextmanager
def connected(dsn: str) -> Iterator[None]:
    """Let the functions of this process use a database."""
    before = os.environ.get("ISNAD_DSN")
    os.environ["ISNAD_DSN"] = dsn
    settings.database_settings.cache_clear()
    transaction.discard_idle()
    try:
        yield
    finally:
        transaction.discard_idle()
        settings.database_settings.cache_clear()
        if before is None:
            del os.environ["ISNAD_DSN"]
        else:
            os.environ["ISNAD_DSN"] = before


@pytest.fixture
def gateway(sandbox: Database) -> Iterator[None]:
    """The functions of this process answer from the sandbox."""
    with connected(sandbox.reader):
        yield


@pytest.fixture
def log_lines(request: pytest.FixtureRequest) -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """The lines that the functions have logged since the test began."""
    import io  # noqa: PLC0415

    handler = logger().registered_handler
    stream, before = io.StringIO(), handler.stream  # type: ignore[attr-defined]
    handler.setStream(stream)  # type: ignore[attr-defined]
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    handler.setStream(before)  # type: ignore[attr-defined]
    leaks.record(request, "log lines", stream.getvalue())


def load_event(name: str) -> dict[str, Any]:
    """An event of `events/`."""
    event: dict[str, Any] = json.loads((ROOT / "events" / f"{name}.json").read_text(encoding="utf-8"))
    return event


def call_event(body: Any, **changes: Any) -> dict[str, Any]:
    """An API Gateway event with a body; what is not text already is written as JSON."""
    event = load_event("get_hadith")
    event["body"] = body if isinstance(body, str | None) else json.dumps(body, ensure_ascii=False)
    return {**event, **changes}


def call(handler: Callable[..., dict[str, Any]], arguments: Any, **envelope: Any) -> dict[str, Any]:
    """Call a tool's handler; return its reply's body, and check that the reply is well formed."""
    body = {"arguments": arguments, "conversation_id": "c1", "session_id": "s1", "turn_id": 1, **envelope}
    answer = handler(call_event(body), Context("test"))
    assert leaks.in_reply(answer) == []
    parsed: dict[str, Any] = json.loads(answer["body"])
    assert (parsed["result"] is None) != (parsed["error"] is None)
    assert answer["statusCode"] == 200 or parsed["error"] is not None
    return {"status": answer["statusCode"], "headers": answer["headers"], **parsed}
