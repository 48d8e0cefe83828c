"""The local API asks the deployed authorizer: whom it lets in, as whom, and whom it never lets in."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from functions.authorize import app
from tests.conftest import ROOT

from isnad_local.issuer import ISSUER, DevelopmentIssuer, served
from isnad_local.server import ANYBODY, LocalApi

TOOLS, TURNS = "/v1/tools", "/v1/turns/c/1"


@pytest.fixture(scope="module")
def issuer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DevelopmentIssuer]:
    made = DevelopmentIssuer(tmp_path_factory.mktemp("issuer"))
    app.issuer.cache_clear()
    with served(made):
        yield made
    app.issuer.cache_clear()


def _ask(*, needs_token: bool, path: str = TOOLS, token: str | None = None) -> tuple[int, Any]:
    """The status, and what the function is told of the caller, or what the platform says."""
    api = LocalApi(needs_token=needs_token)

    def told(event: dict[str, Any], _context: Any) -> dict[str, Any]:
        said = event["requestContext"].get("authorizer")
        return {"statusCode": 200, "headers": {}, "body": json.dumps(said and said["lambda"])}

    api._handlers = dict.fromkeys(api._handlers, told)
    started: list[str] = []
    environ: dict[str, Any] = {"REQUEST_METHOD": "GET", "PATH_INFO": path, "SERVER_PROTOCOL": "HTTP/1.1"}
    if token is not None:
        environ["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    body = b"".join(api(environ, lambda status, _headers: started.append(status)))
    return int(started[0].split()[0]), json.loads(body)


@pytest.mark.parametrize("needs_token", [False, True])
def test_a_token_is_always_checked(needs_token: bool, issuer: DevelopmentIssuer) -> None:
    good = issuer.token(subject="me", scopes=["tools"], seconds=60)
    assert _ask(needs_token=needs_token, token=good) == (200, {"issuer": ISSUER, "subject": "me", "scope": "tools"})
    bad = [
        "",
        "a.b.c",
        good[:-4] + "AAAA",
        issuer.token(subject="me", scopes=["tools"], seconds=-60),
        issuer.token(subject="me", scopes=["turns"], seconds=60),
    ]
    for token in bad:
        assert _ask(needs_token=needs_token, token=token) == (403, {"message": "Forbidden"})


def test_another_machines_issuer_is_a_stranger(issuer: DevelopmentIssuer, tmp_path: Path) -> None:
    token = DevelopmentIssuer(tmp_path).token(subject="me", scopes=["tools"], seconds=60)
    assert _ask(needs_token=False, token=token)[0] == 403


def test_without_a_token() -> None:
    """Let in with every scope where the server says so, else refused as the platform does."""
    for path in (TOOLS, TURNS):
        assert _ask(needs_token=False, path=path) == (200, ANYBODY)
        assert _ask(needs_token=True, path=path) == (401, {"message": "Unauthorized"})
    for open_path in ("/health", "/openapi.json", "/nothing"):
        assert _ask(needs_token=True, path=open_path) == (200, None)


def test_make_token(issuer: DevelopmentIssuer) -> None:
    """It prints one token, or says in a line what is wrong; the key is nobody else's to read."""
    command = [sys.executable, "-m", "isnad_local.print_token"]
    done = subprocess.run(
        [*command, "--scope", "tools"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert len(done.stdout.strip().split(".")) == 3
    assert (ROOT / ".local" / "issuer.pem").stat().st_mode & 0o077 == 0
    wrong = subprocess.run(
        [*command, "--scope", "all"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "there is no scope all" in wrong.stderr
