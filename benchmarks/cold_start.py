"""How long does a function's init take under the Lambda Runtime Interface Emulator, beside a bare handler's?

Usage: python benchmarks/cold_start.py --python PYTHON [--rounds N]
PYTHON is an interpreter of the deployed version (3.13) with layers/dependencies/requirements.txt and awslambdaric.
"""

import argparse
import importlib.util
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.measure import print_table  # noqa: E402
from tqdm import tqdm  # noqa: E402

BARE = "def handler(event, context):\n    return {'statusCode': 200}\n"


def emulator(folder: Path) -> Path:
    """A runnable copy of the emulator that the aws-sam-cli package carries."""
    spec = importlib.util.find_spec("samcli")
    assert spec is not None
    assert spec.origin is not None
    copy = folder / "rie"
    shutil.copy(Path(spec.origin).parent / "local" / "rapid" / "aws-lambda-rie-x86_64", copy)
    copy.chmod(0o755)
    return copy


def free_port() -> int:
    """A TCP port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def init_milliseconds(rie: Path, python: str, folder: Path) -> float:
    """Start a function in the emulator, invoke it once and read the init phase's length from the emulator's log."""
    api, runtime = free_port(), free_port()
    environment = {
        "PATH": os.environ["PATH"],
        "AWS_LAMBDA_FUNCTION_NAME": folder.name,
        "LAMBDA_TASK_ROOT": str(folder),
        "PYTHONPATH": f"{folder}:{ROOT / 'layers' / 'gateway'}",
        "PYDANTIC_DISABLE_PLUGINS": "__all__",  # as template.yaml sets it
    }
    command = [str(rie), "--runtime-interface-emulator-address", f"127.0.0.1:{api}"]
    command += ["--runtime-api-address", f"127.0.0.1:{runtime}", python, "-m", "awslambdaric", "app.handler"]
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        url = f"http://127.0.0.1:{api}/2015-03-31/functions/function/invocations"
        for _ in range(100):
            try:
                urllib.request.urlopen(url, data=b"{}", timeout=20).read()
                break
            except OSError:
                time.sleep(0.02)
        process.terminate()
        said = process.communicate(timeout=10)[0]
    found = re.search(r"INIT REPORT\(durationMs: ([0-9.]+)\)", said)
    assert found is not None, said
    return float(found.group(1))


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", required=True)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        bare = Path(scratch) / "bare"
        bare.mkdir()
        (bare / "app.py").write_text(BARE)
        folders = {"bare handler": bare}
        folders |= {path.name: path for path in sorted((ROOT / "functions").iterdir()) if (path / "app.py").exists()}
        rie = emulator(Path(scratch))
        times: dict[str, list[float]] = {name: [] for name in folders}
        for round_ in tqdm(range(options.rounds + 2), desc="rounds"):
            for name, folder in folders.items():
                took = init_milliseconds(rie, options.python, folder)
                if round_ > 1:  # the first rounds write the bytecode
                    times[name].append(took)
        print_table(times, base="bare handler")


if __name__ == "__main__":
    main()
