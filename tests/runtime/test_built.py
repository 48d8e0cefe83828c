"""What `make build` makes, in the Lambda runtime: every event is answered from the built artefacts on the deployed Python."""

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from tests.conftest import ROOT, Database, load_event
from tests.leaks import in_reply, record
from tests.providers import for_a_process

from isnad_database.connect import UsageError
from isnad_gateway.domain.coherence import vocabulary
from isnad_gateway.domain.registry import CONTRACT
from isnad_local.build import EPOCH, build, find_python, sizes
from isnad_local.emulator import emulator, running, runtime_client
from isnad_local.issuer import AUDIENCE, ISSUER, DevelopmentIssuer, key_server
from isnad_local.ledger import TABLE
from isnad_local.template import functions, layers_of, load_template

FUNCTIONS = sorted(Path(properties["CodeUri"]).name for properties in functions(load_template()).values())
LIMIT = 250 * 2**20  # bytes of a function with its layers, unzipped; Lambda's quota


@pytest.fixture(scope="session")
def python() -> str:
    """An interpreter of the deployed version."""
    try:
        return find_python(os.environ.get("PYTHON313"))
    except UsageError as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def built(python: str) -> Iterator[Path]:
    """Everything, built for this machine's processor."""
    with tempfile.TemporaryDirectory() as folder:
        yield build("x86_64", python, Path(folder) / "x86_64")


def _layers(built: Path, name: str) -> list[Path]:
    """The layers that the template gives a function."""
    return [built / "layers" / layer / "python" for layer in layers_of(name)]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_event_is_answered(
    name: str, built: Path, python: str, sandbox: Database, ledger: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    issuer = DevelopmentIssuer(tmp_path)
    event = load_event(name)
    if name in CONTRACT:  # a turn of its own, for the events of all tools together would spend one turn's budget
        event["body"] = json.dumps({**json.loads(event["body"]), "conversation_id": f"built-{name}"})
    if name == "authorize":
        token = issuer.token(subject="user-1", scopes=["tools"], seconds=60)
        event["headers"]["authorization"] = f"Bearer {token}"
    output = tmp_path / "output"
    (tmp_path / "boto3").mkdir()
    runtime = [_boto3(tmp_path / "boto3"), runtime_client(python)]
    with key_server(issuer) as url, for_a_process(ledger) as (providers, _):
        settings = {
            "ISNAD_DSN": sandbox.reader, "ISNAD_LEDGER_TABLE": TABLE, "AWS_ENDPOINT_URL_DYNAMODB": ledger,
            "AWS_DEFAULT_REGION": "eu-west-3", "AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing",
            "ISNAD_TOKEN_ISSUER": ISSUER, "ISNAD_TOKEN_AUDIENCE": AUDIENCE, "ISNAD_TOKEN_KEYS_URL": url, **providers,
        }  # fmt: skip
        path = [*_layers(built, name), *runtime]
        with running(
            emulator(tmp_path), built / "functions" / name, path, output, python=python, **settings
        ) as function:
            answers = [function.invoke(event), function.invoke(event)]
    record(request, "emulator", output.read_text(encoding="utf-8", errors="replace"))
    for answer in answers:
        assert in_reply(answer) == []
        _check(name, answer)


def _boto3(folder: Path) -> Path:
    """boto3 and what it needs, which Lambda's runtime brings: this environment's (pure Python), and nothing else of it."""
    packages = Path(boto3.__file__).parents[1]
    for name in ("boto3", "botocore", "s3transfer", "jmespath", "dateutil", "urllib3", "six.py"):
        (folder / name).symlink_to(packages / name)
    return folder


def _check(name: str, answer: dict[str, Any]) -> None:
    if name == "authorize":
        assert answer == {"isAuthorized": True, "context": {"issuer": ISSUER, "subject": "user-1", "scope": "tools"}}
    elif name == "vend_credential":
        body = json.loads(answer["body"])
        assert (answer["statusCode"], body["provider"], body["credential"]["type"]) == (200, "openai", "client_secret")
    elif name in CONTRACT:
        body = json.loads(answer["body"])
        assert (answer["statusCode"], body["tool_name"], body["error"]) == (200, name, None)
        assert body["result"]["provenance"]
    else:
        assert answer["statusCode"] in (200, 404), answer["body"]


def test_nothing_is_built_that_nobody_runs(built: Path) -> None:
    """Bytecode for every module and no other file of a package manager's; sizes far within Lambda's quota."""
    for folder in (*(built / "layers").glob("*/python"), *(built / "functions").iterdir()):
        modules = list(folder.rglob("*.py"))
        assert modules
        for module in modules:
            assert (module.parent / "__pycache__" / f"{module.stem}.cpython-313.pyc").exists(), module
        assert not [path for path in folder.rglob("*") if path.suffix in (".pyi", ".dist-info", ".c", ".h")]
    words = [path.name for path in (built / "layers").rglob("vocabulary/*.json")]
    assert sorted(words) == sorted(path.name for path in vocabulary.FOLDER.glob("*.json"))
    assert not list((built / "layers").rglob("boto*"))
    assert sum(sizes(built).values()) < LIMIT
    assert str(ROOT).encode() not in b"".join(path.read_bytes() for path in built.rglob("*.pyc"))


def test_the_same_sources_give_the_same_archive(built: Path) -> None:
    """No time of the build is in it, so that a layer that has not changed is not uploaded again."""
    assert {path.stat().st_mtime for path in built.rglob("*")} == {EPOCH}
    for bytecode in built.rglob("*.pyc"):
        assert bytecode.read_bytes()[4] == 1, "taken by the hash of its source, without a look at it"


@pytest.mark.parametrize("named", ["/nowhere/python", "sh"])
def test_without_python_there_is_one_line(named: str) -> None:
    with pytest.raises(UsageError, match=r"^Python 3\.13 is needed .* PYTHON313="):
        find_python(named)
