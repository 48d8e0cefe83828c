"""Makes the virtual environment and installs what is pinned. Runs on the system's Python: standard library only."""

import hashlib
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LOCKS = {"run": ROOT / "requirements" / "run.txt", "dev": ROOT / "requirements" / "dev.txt"}
NEEDED_BYTES = {"run": 700 * 2**20, "dev": 1500 * 2**20}
PIP = ("-m", "pip", "--disable-pip-version-check", "--quiet", "--quiet", "install")

_NO_NETWORK = (
    "NewConnectionError",
    "NameResolutionError",
    "ConnectTimeoutError",
    "Network is unreachable",
    "ProxyError",
    "Temporary failure in name resolution",
    "No matching distribution found",
)


class SetUpError(Exception):
    """Why the set-up cannot go on, in one line."""


def main() -> int:
    """Install the set named on the command line, `run` or `dev`, where it is not installed already."""
    kind = sys.argv[1]
    try:
        _check_python()
        if not _is_done(kind):
            _install(kind)
    except SetUpError as error:
        print(f"set-up: {error}", file=sys.stderr)
        return 1
    return 0


def _check_python() -> None:
    if sys.version_info < (3, 11):  # noqa: UP036 - this file runs on whatever Python the machine has
        version = sys.version.split()[0]
        raise SetUpError(f"Python 3.11 or newer is needed, this is {version}; try make PYTHON=python3.11 ...")


def _fingerprint(kind: str) -> str:
    texts = [LOCKS[kind], ROOT / "requirements" / "pip.txt", ROOT / "pyproject.toml"]
    return hashlib.sha256(b"".join(path.read_bytes() for path in texts) + sys.version.encode()).hexdigest()


def _is_done(kind: str) -> bool:
    return any(_stamp(each).exists() and _stamp(each).read_text() == _fingerprint(each) for each in {kind, "dev"})


def _stamp(kind: str) -> Path:
    return VENV / f"{kind}.installed"


def _install(kind: str) -> None:
    free = shutil.disk_usage(ROOT).free
    if free < NEEDED_BYTES[kind]:
        raise SetUpError(f"the disk is full: {free // 2**20} MiB free, {NEEDED_BYTES[kind] // 2**20} MiB needed")
    print(f"set-up: installing what `{kind}` needs into .venv", flush=True)
    python = VENV / "bin" / "python"
    try:
        if not python.exists():
            venv.create(VENV, with_pip=True)
        _pip(python, "--require-hashes", "-r", str(ROOT / "requirements" / "pip.txt"))
        _pip(python, "--require-hashes", "-r", str(LOCKS[kind]))
        _pip(python, "--no-deps", "--no-build-isolation", "-e", str(ROOT))
        _stamp(kind).write_text(_fingerprint(kind))
    except OSError as error:
        raise SetUpError(error.strerror or str(error)) from None
    except subprocess.CalledProcessError as error:
        raise SetUpError(f"the virtual environment cannot be made ({error})") from None


def _pip(python: Path, *arguments: str) -> None:
    done = subprocess.run([str(python), *PIP, *arguments], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return
    said = done.stdout + done.stderr
    if "No space left on device" in said:
        raise SetUpError("the disk is full")
    if any(sign in said for sign in _NO_NETWORK):
        raise SetUpError("no network: the packages cannot be fetched")
    errors = [line for line in said.splitlines() if line.startswith("ERROR")]
    raise SetUpError(f"pip failed: {errors[0].removeprefix('ERROR: ') if errors else said.strip()[-200:]}")


if __name__ == "__main__":
    sys.exit(main())
