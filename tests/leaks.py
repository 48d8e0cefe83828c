"""What no log line and no reply may hold: secrets, our SQL, a whole matn. Every test's output is searched for them.

Tests that need a secret take it from here, so that its appearance anywhere is a leak.
"""

import json
import re
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from isnad_gateway.http import reply as reply_module

ROOT = Path(__file__).resolve().parents[1]

PASSWORD = "p4ss-of-the-test-database"
TOKEN = "eyJhbGciOiJFUzI1NiJ9.dGhlIHRlc3QncyBiZWFyZXI.c2lnbmF0dXJl"
PROVIDER_KEY = "sk-test-4f3c2b1a09f8e7d6c5b4a39281706f5e"
PROVIDER_KEYS = {
    "openai": PROVIDER_KEY,
    "gpt_live": "sk-test-live-0b1c2d3e4f5061728394a5b6c7d8e9f0",
    "azure_openai": "8d2e7f1c0b9a48576a3f2e1d0c9b8a76",  # as Azure's: 32 letters and digits
    "xai": "xai-test-Zk4Qw8Lm2Np6Rs0Tv3Xy7Bc1Df5Gh9Jk",
    "gemini": "AIzaTest-9sD8fG7hJ6kL5zX4cV3bN2mQ1wE0rT_y",
}
"""The permanent keys of the providers."""

ROTATED = "-rotated"
"""What a rotated key ends with; whoever shows it shows the key as well."""

EPHEMERAL = "ephemeral-value-of-the-test"
"""What every short-lived credential of the test's providers holds: a reply gives it, a log never does."""

SECRETS = {
    "the password": PASSWORD,
    "the bearer token": TOKEN,
    "the provider key": PROVIDER_KEY,
    **{f"the key of {name}": key for name, key in PROVIDER_KEYS.items() if name != "openai"},
}

MAX_ARABIC = 220  # characters; a logged argument has at most 200 (docs/contract.md, "Journals")
_STATEMENT = re.compile(r"(?i)\bselect\b[^\n]{0,200}\bfrom\b|\binsert into\b|\bdelete from\b|\bbegin read only\b")
_ARABIC = re.compile(f'[\u0600-\u06ff\ufb50-\ufdff\ufe70-\ufeff\u200c-\u200f\ufffd\\s:،.,؛"«»()-]{{{MAX_ARABIC + 1},}}')


@cache
def _sql_lines() -> frozenset[str]:
    """The lines of our queries that are long enough to be nobody else's words."""
    files = (ROOT / "functions").rglob("*.sql")
    lines = (" ".join(line.split()) for file in files for line in file.read_text(encoding="utf-8").splitlines())
    return frozenset(line for line in lines if len(line) >= 20 and not line.startswith("--"))


def leaks(text: str, *, matn: bool = True) -> Iterator[str]:
    """Say what a text holds that it must not.

    Args:
        text: a log, or a reply's body.
        matn: whether a long Arabic text, or a short-lived credential, is a leak: in a log it is, in a reply it is the
            answer.
    """
    plain = _unescaped(text)
    yield from (name for name, secret in SECRETS.items() if any(part in plain for part in _parts(name, secret)))
    if matn and EPHEMERAL in plain:
        yield "a short-lived credential"
    flat = " ".join(plain.split())
    if _STATEMENT.search(plain) or any(line in flat for line in _sql_lines()):
        yield "SQL"
    if matn and any(sum(map(str.isalpha, run.group())) > MAX_ARABIC / 2 for run in _ARABIC.finditer(plain)):
        yield "a long Arabic text"


def _parts(name: str, secret: str) -> tuple[str, ...]:
    """What of a secret is a leak: of a provider's key each half, for providers quote keys in part."""
    half = len(secret) // 2
    return (secret[:half], secret[half:]) if "key" in name else (secret,)


def _unescaped(text: str) -> str:
    r"""The text with JSON's `\uXXXX` and `\n` read, so that escapes hide nothing."""
    without = re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), text)
    return without.replace("\\n", "\n").replace('\\"', '"')


_replied: set[str] = set()
"""What the replies of the present test held that they must not."""


def watch_replies() -> None:
    """Search every reply that any function of this process makes for secrets; all of them pass one place."""
    places = vars(reply_module)
    made = places["to_json"]

    def watched(payload: Any) -> bytes:
        data: bytes = made(payload)
        text = _unescaped(data.decode())
        for name, secret in SECRETS.items():
            if any(part in text for part in _parts(name, secret)):
                _replied.add(f"{name} in a reply")
        return data

    places["to_json"] = watched


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
    call: pytest.CallInfo[None],
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test whose captured output (standard streams, logs, recorded output of processes) or whose replies leak."""
    report = yield
    found: list[str] = []
    if call.when == "teardown":
        found = sorted({leak for _, text in report.sections for leak in leaks(text)} | _replied)
        _replied.clear()
    if found and report.outcome == "passed":
        report.outcome = "failed"
        report.longrepr = f"The output of this test holds {', '.join(found)}."
    return report


def record(request: pytest.FixtureRequest, source: str, text: str) -> None:
    """Add text that pytest does not capture by itself to the output of a test."""
    request.node.add_report_section("call", source, text)


def in_reply(reply: dict[str, Any]) -> list[str]:
    """What a handler's reply holds that it must not."""
    return list(leaks(json.dumps(reply, ensure_ascii=False), matn=False))
