"""The turn ledger that the tests ask: moto, served on loopback once a session, and what tests need to call a turn."""

import json
import os
import uuid
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import boto3
import pytest
from tests.conftest import call_event

from isnad_gateway.core import ledger_settings as settings_module
from isnad_gateway.data import table
from isnad_local.ledger import TABLE, make_table
from isnad_local.ledger import ledger as served_ledger

SUBJECT = "user-1"
ISSUER = "https://issuer.example"


@pytest.fixture(scope="session")
def ledger_server() -> Iterator[str]:
    """The address of moto with the ledger's table. Until a test asks for `ledger`, no function uses it."""
    with served_ledger() as url:
        del os.environ["ISNAD_LEDGER_TABLE"]
        table._client.cache_clear()
        yield url
        os.environ["ISNAD_LEDGER_TABLE"] = TABLE


@cache
def _client(url: str) -> Any:
    """A client takes a quarter of a second to make: one for all tests."""
    return boto3.session.Session().client("dynamodb", endpoint_url=url)


@pytest.fixture
def ledger(ledger_server: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The functions of this process keep a ledger; gives its address. Each test has its own conversations."""
    monkeypatch.setenv("ISNAD_LEDGER_TABLE", TABLE)
    settings_module.ledger_settings.cache_clear()
    make_table(_client(ledger_server))  # moto has one memory a process: a test that mocks AWS in it takes it along
    yield ledger_server
    settings_module.ledger_settings.cache_clear()


@pytest.fixture
def ledger_down(ledger: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A ledger that is set up, and that nobody answers for."""
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:9")
    table._client.cache_clear()
    yield
    table._client.cache_clear()


def set_ledger(monkeypatch: pytest.MonkeyPatch, **settings: str) -> None:
    """Change settings of the ledger, by the names of their variables."""
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    settings_module.ledger_settings.cache_clear()


def conversation() -> str:
    """A conversation of the test's own."""
    return str(uuid.uuid4())


def as_caller(event: dict[str, Any], subject: str | None = SUBJECT) -> dict[str, Any]:
    """An event as the authorizer let it through; without a subject, as nobody asked an authorizer."""
    if subject is None:
        return event
    said = {"lambda": {"issuer": ISSUER, "subject": subject, "scope": "tools turns audit"}}
    return {**event, "requestContext": {**event["requestContext"], "requestId": str(uuid.uuid4()), "authorizer": said}}


class Turn:
    """A turn of a conversation, as one caller."""

    def __init__(self, turn_id: int = 1, *, conversation_id: str | None = None, subject: str | None = SUBJECT) -> None:
        self.conversation_id = conversation_id or conversation()
        self.turn_id = turn_id
        self.subject = subject

    def event(self, arguments: Any, **changes: Any) -> dict[str, Any]:
        """The event of a call in this turn."""
        call_id = changes.pop("call_id", None)
        body = {
            "arguments": arguments, "conversation_id": self.conversation_id, "session_id": "s1",
            "turn_id": self.turn_id, "call_id": call_id,
        }  # fmt: skip
        return as_caller(call_event(body, **changes), self.subject)

    def call(
        self, handler: Callable[[dict[str, Any], Any], dict[str, Any]], arguments: Any, **changes: Any
    ) -> dict[str, Any]:
        """Call a tool; give the reply's body and its status."""
        answer = handler(self.event(arguments, **changes), None)
        return {"status": answer["statusCode"], **json.loads(answer["body"])}
