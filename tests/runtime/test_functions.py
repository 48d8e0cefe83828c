"""Every function in the real Lambda runtime (AWS's emulator and runtime client), from its event in `events/`."""

import importlib.util
import json
import os
import platform
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest
from functions.record_turn.app import handler as record_turn
from tests import leaks
from tests.conftest import ROOT, Database, load_event
from tests.leaks import in_reply, record
from tests.providers import for_a_process

from isnad_gateway.domain.registry import CONTRACT
from isnad_local.ledger import TABLE

FUNCTIONS = sorted(path.parent.name for path in (ROOT / "functions").glob("*/app.py"))
TOOLS = list(CONTRACT)
BARE = {"list_tools": (404, "NOT_FOUND"), "inspect_turns": (404, "NOT_FOUND")}  # what the event `{}` gets; others: 400
pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="the emulator in the wheel of aws-sam-cli that is used here is for x86_64"
)
Invoke = Callable[[dict[str, Any]], dict[str, Any]]


@pytest.fixture(scope="module")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The emulator out of the wheel of aws-sam-cli, made executable."""
    found = importlib.util.find_spec("samcli")
    assert found is not None
    assert found.origin is not None
    copy = tmp_path_factory.mktemp("rie") / "aws-lambda-rie"
    shutil.copyfile(Path(found.origin).parent / "local" / "rapid" / "aws-lambda-rie-x86_64", copy)
    copy.chmod(0o755)
    return copy


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port


def _post(url: str, event: dict[str, Any]) -> dict[str, Any]:
    """Invoke once the emulator listens."""
    request = Request(url, data=json.dumps(event).encode())
    for _ in range(100):
        try:
            with urlopen(request, timeout=20) as answer:
                answered: dict[str, Any] = json.load(answer)
                return answered
        except URLError as error:
            if not isinstance(error.reason, ConnectionRefusedError):
                raise
            time.sleep(0.05)
    raise AssertionError("the emulator does not listen")


@pytest.fixture(params=FUNCTIONS)
def function(
    request: pytest.FixtureRequest, emulator: Path, sandbox: Database, ledger_server: str, tmp_path: Path
) -> Iterator[tuple[str, Invoke]]:
    """A function's name, and what invokes it. The emulator never ends by itself, so it is ended with its child."""
    name, port = request.param, _free_port()
    with ExitStack() as stack:
        variables: dict[str, str] = {}
        if name == "vend_credential":
            variables, _ = stack.enter_context(for_a_process(ledger_server))
        yield from _run(request, emulator, sandbox, ledger_server, tmp_path, name, port, variables)


def _run(
    request: pytest.FixtureRequest, emulator: Path, sandbox: Database, ledger_server: str, tmp_path: Path, name: str,
    port: int, variables: dict[str, str],
) -> Iterator[tuple[str, Invoke]]:  # fmt: skip
    env = {
        "PATH": os.environ["PATH"],
        "AWS_LAMBDA_FUNCTION_NAME": name,
        "AWS_LAMBDA_FUNCTION_TIMEOUT": "10",
        "LAMBDA_TASK_ROOT": str(ROOT / "functions" / name),
        "PYTHONPATH": str(ROOT / "layers" / "gateway"),
        "ISNAD_DSN": sandbox.reader,
        "ISNAD_PREPARED": "false",
        "ISNAD_LEDGER_TABLE": TABLE,
        # The events share a turn, and each is made several times here.
        **dict.fromkeys(("ISNAD_RESEARCH_CALLS", "ISNAD_ALL_CALLS", "ISNAD_CALLS_WITHOUT_PROGRESS"), "99"),
        "AWS_ENDPOINT_URL_DYNAMODB": ledger_server,
        "AWS_DEFAULT_REGION": "eu-west-3",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        **variables,
    }
    addresses = [
        "--runtime-interface-emulator-address", f"127.0.0.1:{port}",
        "--runtime-api-address", f"127.0.0.1:{_free_port()}",
    ]  # fmt: skip
    output = tmp_path / "output"
    with output.open("wb") as stream:
        process = subprocess.Popen(
            [emulator, *addresses, "--log-level", "error", sys.executable, "-m", "awslambdaric", "app.handler"],
            cwd=ROOT / "functions" / name,
            env=env,
            stdout=stream,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield name, lambda event: _post(f"http://127.0.0.1:{port}/2015-03-31/functions/function/invocations", event)
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # a group of its own: the emulator and the runtime that it started
        process.wait()
        record(request, "emulator", output.read_text(encoding="utf-8", errors="replace"))


@pytest.mark.usefixtures("ledger")
def test_function(function: tuple[str, Invoke]) -> None:
    """Its event is answered; a warm call gives the same; what is no call is refused in our form."""
    name, invoke = function
    event = load_event(name)
    if name == "inspect_turns":
        assert record_turn(load_event("record_turn"), None)["statusCode"] == 200
    first, second = invoke(event), invoke(event)
    assert first == second or name == "vend_credential"  # which gives nothing twice
    if name == "authorize":  # it answers API Gateway, not a caller; without an issuer it lets nobody in
        assert first["isAuthorized"] is False
        return
    assert (first["statusCode"], first["isBase64Encoded"]) == (200, False)
    assert first["headers"]["content-type"] == "application/json; charset=utf-8"
    assert in_reply(first) == []
    body = json.loads(first["body"])
    if name in TOOLS:
        assert body["tool_name"] == name
        assert body["error"] is None
        assert body["result"]["provenance"]
        envelope = json.loads(event["body"])
        assert all(body[key] == envelope[key] for key in ("conversation_id", "session_id", "turn_id", "call_id"))
    bare = invoke({})
    error = json.loads(bare["body"])["error"]
    assert (bare["statusCode"], error["code"]) == BARE.get(name, (400, "INVALID_ARGUMENT"))
    broken = invoke({**event, "body": '{"arguments": '})
    if name in TOOLS:
        assert broken["statusCode"] == 400
        assert json.loads(broken["body"]) == {
            "tool_name": name,
            "conversation_id": None,
            "session_id": None,
            "turn_id": None,
            "call_id": None,
            "result": None,
            "error": {"code": "INVALID_ARGUMENT", "message": "The body is not valid JSON."},
        }
    if name == "vend_credential":
        _check_credentials([first, second, invoke(event)])
    else:
        assert invoke(event) == first


def _check_credentials(answers: list[dict[str, Any]]) -> None:
    """Each is another, and each is whole."""
    bodies = [json.loads(answer["body"]) for answer in answers]
    assert len({body["credential"]["value"] for body in bodies}) == len({body["session_id"] for body in bodies}) == 3
    for body in bodies:
        assert leaks.EPHEMERAL in body["credential"]["value"]
        assert body["connect"]["headers"]["authorization"] == f"Bearer {body['credential']['value']}"
