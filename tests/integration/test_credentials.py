"""The database's credentials in Secrets Manager (moto in its place), and a database that changes the password."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import boto3
import pytest
from functions.get_hadith.app import handler as get_hadith
from moto.server import ThreadedMotoServer
from tests import leaks
from tests.conftest import ROOT, call, connected
from tests.integration.conftest import breakable_dsn, end_sessions, set_password
from tests.servers import PostgresServer, free_port

from isnad_gateway.core import secrets
from isnad_gateway.core.errors import Unavailable
from isnad_gateway.core.logs import Event
from isnad_gateway.core.settings import parse_secret
from isnad_gateway.data import credentials, transaction

Lines = Callable[[], list[dict[str, Any]]]
Ask = Callable[[int], int]
NEXT = leaks.PASSWORD + "-2"
WRONG = leaks.PASSWORD + "-wrong"


@pytest.fixture(scope="module")
def secrets_manager() -> Iterator[str]:
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


class Secret:
    """The database's secret, as a rotation changes it."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server
        self._client = boto3.client("secretsmanager")
        self.arn = self._client.create_secret(Name=f"db-{time.time_ns()}", SecretString="{}")["ARN"]
        self.put(leaks.PASSWORD)

    def text(self, password: str) -> str:
        fields = {"username": "gateway_reader", "password": password, "host": "127.0.0.1", "port": self._server.port}
        return json.dumps({**fields, "dbname": "postgres", "engine": "postgres"})

    def put(self, password: str, stage: str = secrets.CURRENT) -> str:
        version = self._client.put_secret_value(
            SecretId=self.arn, SecretString=self.text(password), VersionStages=[stage]
        )
        return version["VersionId"]

    def put_text(self, text: str) -> None:
        self._client.put_secret_value(SecretId=self.arn, SecretString=text)

    def make_current(self, version: str) -> None:
        described = self._client.describe_secret(SecretId=self.arn)["VersionIdsToStages"]
        before = next(name for name, stages in described.items() if secrets.CURRENT in stages)
        self._client.update_secret_version_stage(
            SecretId=self.arn, VersionStage=secrets.CURRENT, MoveToVersionId=version, RemoveFromVersionId=before
        )


@pytest.fixture
def secret(breakable: PostgresServer, secrets_manager: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Secret]:
    """The gateway takes its credentials from this secret."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", secrets_manager)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-3")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    made = Secret(breakable)
    monkeypatch.setenv("DATABASE_SECRET_ARN", made.arn)
    _start_anew()
    yield made
    _start_anew()


def _start_anew() -> None:
    transaction.discard_idle()
    credentials.forget()
    secrets._client.cache_clear()


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The versions that have been fetched, in order."""
    stages: list[str] = []
    read = secrets.read_secret

    def counted(arn: str, stage: str = secrets.CURRENT) -> str | None:
        stages.append(stage)
        return read(arn, stage)

    monkeypatch.setattr(secrets, "read_secret", counted)
    return stages


def _events(lines: Lines) -> list[str]:
    return [line["message"] for line in lines()]


def test_secret_is_fetched_once(secret: Secret, fetched: list[str], breakable: PostgresServer, ask: Ask) -> None:
    for number in range(3):
        assert ask(number) == number
        assert end_sessions(breakable) == 1
    assert ask(3) == 3
    assert fetched == [secrets.CURRENT]
    assert secret.arn


def test_rotated_while_cached(
    secret: Secret, fetched: list[str], breakable: PostgresServer, ask: Ask, log_lines: Lines
) -> None:
    """S19: one fresh fetch, one retry, and the call is answered."""
    assert ask(1) == 1
    set_password(breakable, NEXT)
    secret.put(NEXT)
    end_sessions(breakable)
    assert ask(2) == 2
    assert fetched == [secrets.CURRENT] * 2
    assert _events(log_lines) == [Event.CONNECTION_REPLACED.value[1], Event.CREDENTIALS_RENEWED.value[1]]
    end_sessions(breakable)
    assert ask(3) == 3
    assert fetched == [secrets.CURRENT] * 2


def test_pending_version_while_a_rotation_runs(
    secret: Secret, fetched: list[str], breakable: PostgresServer, ask: Ask
) -> None:
    """Between the change in the database and the change of the current version."""
    assert ask(1) == 1
    secret.put(NEXT, secrets.PENDING)
    set_password(breakable, NEXT)
    end_sessions(breakable)
    assert ask(2) == 2
    assert fetched == [secrets.CURRENT, secrets.CURRENT, secrets.PENDING]


def test_rotation_that_was_taken_back(secret: Secret, breakable: PostgresServer, ask: Ask) -> None:
    secret.put(NEXT, secrets.PENDING)
    set_password(breakable, NEXT)
    assert ask(1) == 1
    set_password(breakable, leaks.PASSWORD)
    end_sessions(breakable)
    assert ask(2) == 2


def test_refused_for_good(
    secret: Secret, fetched: list[str], breakable: PostgresServer, ask: Ask, log_lines: Lines
) -> None:
    """S19: then UNAVAILABLE, at once; and when the secret is right again, the next call is answered."""
    set_password(breakable, NEXT)
    started = time.monotonic()
    with pytest.raises(Unavailable) as raised:
        ask(1)
    assert time.monotonic() - started < 5
    assert (raised.value.status, raised.value.headers) == (503, {"retry-after": "1"})
    assert raised.value.message == "The database cannot be reached; try again."
    assert fetched == [secrets.CURRENT, secrets.CURRENT, secrets.PENDING]
    assert [line["database"] for line in log_lines()] == [{"error": "DatabaseError", "sqlstate": "28P01"}]
    secret.put(WRONG)
    with pytest.raises(Unavailable):
        ask(1)
    secret.put(NEXT)
    assert ask(2) == 2


def test_secrets_manager_is_down(
    secret: Secret, ask: Ask, log_lines: Lines, monkeypatch: pytest.MonkeyPatch, secrets_manager: str
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free_port()}")
    _start_anew()
    started = time.monotonic()
    for _ in range(2):
        with pytest.raises(Unavailable) as raised:
            ask(1)
    assert time.monotonic() - started < 8
    assert raised.value.headers == {"retry-after": "1"}
    assert [line["secret"] for line in log_lines()] == [{"error": "EndpointConnectionError"}] * 2
    monkeypatch.setenv("AWS_ENDPOINT_URL", secrets_manager)
    secrets._client.cache_clear()
    assert ask(2) == 2
    assert secret.arn


def test_secret_that_does_not_exist(
    secret: Secret, ask: Ask, log_lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_SECRET_ARN", secret.arn + "x")
    with pytest.raises(Unavailable):
        ask(1)
    assert [line["secret"] for line in log_lines()] == [{"error": "ResourceNotFoundException"}]


def test_secret_that_is_none(secret: Secret, log_lines: Lines) -> None:
    """It is our own fault, and neither reply nor log quotes it."""
    secret.put_text(f'{{"password": "{leaks.PASSWORD}"')
    answer = call(get_hadith, {"hadith_id": 1})
    assert (answer["status"], answer["error"]["code"]) == (500, "INTERNAL_ERROR")
    assert leaks.PASSWORD not in json.dumps(log_lines())
    secret.put(leaks.PASSWORD)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "5", "null", '"x"', "{}", '{"username": "u", "password": "p"}',
     '{"username": "u", "password": "p", "host": "h", "port": "x"}',
     '{"username": "u", "password": "p", "host": "h", "port": [1]}'],
)  # fmt: skip
def test_malformed_secret(text: str) -> None:
    with pytest.raises(ValueError, match=r"^a database secret is a JSON object") as raised:
        parse_secret(text)
    assert raised.value.__cause__ is None


def test_fields_of_a_secret() -> None:
    read = parse_secret('{"username": "u.ref", "password": "p", "host": "h", "port": "6543", "dbname": "d", "x": 1}')
    assert (read.user, read.password, read.host, read.port, read.database) == ("u.ref", "p", "h", 6543, "d")
    least = parse_secret('{"username": "u", "password": "p", "host": "h"}')
    assert (least.port, least.database, least.socket_directory) == (5432, "postgres", None)
    assert leaks.PASSWORD not in repr(parse_secret(f'{{"username": "u", "password": "{leaks.PASSWORD}", "host": "h"}}'))


def test_rotation_under_load(secret: Secret, breakable: PostgresServer, ask: Ask) -> None:
    """Every call is answered with its own number while the password is changed four times and all sessions end."""
    stop = threading.Event()

    def ask_on(first: int) -> int:
        number = first
        while not stop.is_set():
            assert ask(number) == number
            number += 1
        return number - first

    with ThreadPoolExecutor(8) as threads:
        calls = [threads.submit(ask_on, worker * 1_000_000) for worker in range(8)]
        for turn in range(4):
            password = f"{leaks.PASSWORD}-{turn}"
            version = secret.put(password, secrets.PENDING)
            set_password(breakable, password)
            end_sessions(breakable)
            time.sleep(0.2)
            secret.make_current(version)
            time.sleep(0.2)
        stop.set()
        assert all(done.result(timeout=20) > 10 for done in calls)


def test_dsn_needs_no_aws(breakable: PostgresServer, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a secret, refused credentials are UNAVAILABLE, and boto3 is never loaded."""
    monkeypatch.delenv("DATABASE_SECRET_ARN", raising=False)
    with connected(breakable_dsn(breakable.port)):
        assert ask(1) == 1
    with connected(breakable_dsn(breakable.port, WRONG)), pytest.raises(Unavailable):
        ask(1)
    code = "import functions.get_hadith.app, isnad_gateway.core.secrets, sys; sys.exit('boto3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
