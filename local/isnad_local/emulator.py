"""A function in AWS's own emulator (the wheel of aws-sam-cli holds it) and runtime client: what tests and benchmarks run."""

import importlib.util
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from isnad_local.template import ROOT

_CLIENT = ("awslambdaric", "simplejson", "snapshot-restore-py")
_START = 30.0  # seconds until the emulator listens, on a busy machine


@dataclass(frozen=True)
class Running:
    """A function that runs.

    Attributes:
        url: where it is invoked.
        output: the file that everything it prints goes to.
    """

    url: str
    output: Path

    def invoke(self, event: Any) -> Any:
        """Invoke the function; return what it answers."""
        request = Request(self.url, data=json.dumps(event).encode())  # noqa: S310 - http on loopback
        deadline = time.monotonic() + _START
        while True:
            try:
                with urlopen(request, timeout=30) as answer:  # noqa: S310
                    return json.load(answer)
            except URLError as error:
                if not isinstance(error.reason, ConnectionRefusedError) or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)

    def init_milliseconds(self) -> float:
        """How long the init phase took, as the emulator says once the function was invoked."""
        found = re.search(r"INIT REPORT\(durationMs: ([0-9.]+)\)", self.output.read_text(encoding="utf-8"))
        assert found is not None
        return float(found.group(1))


def emulator(folder: Path) -> Path:
    """A runnable copy, in a folder, of the emulator that the aws-sam-cli package carries (for x86_64)."""
    spec = importlib.util.find_spec("samcli")
    assert spec is not None
    assert spec.origin is not None
    copy = folder / "rie"
    shutil.copyfile(Path(spec.origin).parent / "local" / "rapid" / "aws-lambda-rie-x86_64", copy)
    copy.chmod(0o755)
    return copy


def runtime_client(python: str) -> Path:
    """A folder with the runtime client for an interpreter, pinned as the development lock has it; made once.

    Raises:
        subprocess.CalledProcessError: it cannot be fetched or built.
    """
    lock = (ROOT / "requirements" / "dev.txt").read_text(encoding="utf-8")
    pins = [found.group() for name in _CLIENT if (found := re.search(rf"^{name}==(?:.*\\\n)*.*\n", lock, re.MULTILINE))]
    version = subprocess.run(
        [python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], capture_output=True, text=True, check=True
    ).stdout.strip()
    made = ROOT / ".local" / f"runtime-client-{version}"
    stamp = made / "made-from"
    if not stamp.exists() or stamp.read_text() != "".join(pins):
        shutil.rmtree(made, ignore_errors=True)
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as requirements:
            requirements.write("".join(pins))
            requirements.flush()
            command = [
                python,
                "-m",
                "pip",
                "--disable-pip-version-check",
                "-qq",
                "install",
                "--no-deps",
                "--require-hashes",
            ]
            command += ["--target", str(made), "-r", requirements.name]
            subprocess.run(command, capture_output=True, check=True)
        stamp.write_text("".join(pins))
    return made


def free_port() -> int:
    """A TCP port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running(
    rie: Path, folder: Path, path: list[Path], output: Path, *, python: str = sys.executable, **environment: str
) -> Iterator[Running]:
    """Run a function as long as it is needed.

    Args:
        rie: the emulator.
        folder: the function's own folder.
        path: the folders of its layers' modules, and of the runtime client where the interpreter lacks it.
        output: the file to print to.
        python: the interpreter.
        environment: further variables.
    """
    port = free_port()
    variables = {
        "PATH": os.environ["PATH"],
        "AWS_LAMBDA_FUNCTION_NAME": folder.name,
        "AWS_LAMBDA_FUNCTION_TIMEOUT": "10",
        "LAMBDA_TASK_ROOT": str(folder),
        "PYTHONPATH": ":".join(map(str, [folder, *path])),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYDANTIC_DISABLE_PLUGINS": "__all__",  # as template.yaml sets it
        **environment,
    }
    addresses = [
        "--runtime-interface-emulator-address", f"127.0.0.1:{port}",
        "--runtime-api-address", f"127.0.0.1:{free_port()}",
    ]  # fmt: skip
    with output.open("wb") as stream:
        process = subprocess.Popen(
            [rie, *addresses, python, "-m", "awslambdaric", "app.handler"],
            cwd=folder,
            env=variables,
            stdout=stream,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield Running(f"http://127.0.0.1:{port}/2015-03-31/functions/function/invocations", output)
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # a group of its own: the emulator and the runtime that it started
        process.wait()
