"""`make build`: functions and layers as they are deployed, for both processors, without Docker.

`build/<processor>/` has the layout of the repository: `template.yaml` names its folders, so a copy of it deploys them.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from isnad_database.connect import UsageError
from isnad_local.release import release_hash
from isnad_local.template import ROOT

BUILD: Final = ROOT / "build"
PYTHON: Final = "3.13"  # what template.yaml deploys: bytecode is good for one version only
PLATFORMS: Final = {"arm64": "aarch64", "x86_64": "x86_64"}
"""The processors that Lambda has, and what wheels call them."""

# glibc 2.34 is what the python3.13 runtime has (Amazon Linux 2023).
_WHEELS: Final = ("manylinux_2_34", "manylinux_2_28", "manylinux_2_17", "manylinux2014")
_LAYERS: Final = {
    "gateway": "isnad_gateway",
    "dependencies": None,
    "authorizer": "isnad_authorizer",
    "providers": "isnad_providers",
}
"""The layers, each with the package of ours in it."""

# What no function runs; tests answer every event from what is left.
_UNUSED: Final = (
    "bin",
    "*.dist-info",
    "**/*.pyi",
    "**/py.typed",
    "**/tests",
    "pydantic/v1",
    "pydantic/mypy.py",
    "aws_lambda_powertools/event_handler",
    *(f"aws_lambda_powertools/utilities/{name}" for name in (
        "auth_alpha", "batch", "circuit_breaker", "data_classes", "data_masking", "feature_flags", "idempotency", "kafka",
        "parser", "streaming", "validation",
    )),
    "dateutil/zoneinfo",
    "cffi",  # cryptography needs its compiled part alone
    "pycparser",
)  # fmt: skip
# These ask their own version of `importlib.metadata` when they are imported, which then costs a fifth of a function's
# init (it brings zipfile, bz2, lzma, email). The answer is known when the layer is built, so it is written in.
_ASK_VERSION: Final = {"pg8000": "core.py", "scramp": "__init__.py"}
# What packages import at their top and our functions never use, or not before a rare value is met: together a fourteenth of
# a function's init. Each text is replaced in the built layer.
_NOT_AT_ONCE: Final = {
    "aws_lambda_powertools/__init__.py": (
        "from aws_lambda_powertools.metrics import Metrics, single_metric\n",
        "",
    ),
    "pg8000/converters.py": (  # only a time stamp that Postgres writes unusually is read with it; its error is a ValueError
        "from dateutil.parser import ParserError, parse\n",
        "ParserError = ValueError\n\n\ndef parse(text):\n    from dateutil.parser import parse as read\n\n    return read(text)\n",
    ),
}
EPOCH: Final = 315_532_800  # 1980-01-01: the same content gives the same archive, whenever it is made


def main() -> int:
    """Build, print the sizes, return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m isnad_local.build", description="Functions and layers, built.")
    parser.add_argument("--python", default=os.environ.get("PYTHON313"), help=f"an interpreter of Python {PYTHON}")
    parser.add_argument("--only", choices=PLATFORMS, help="build for this processor only")
    arguments = parser.parse_args()
    try:
        python = find_python(arguments.python)
        for processor in [arguments.only] if arguments.only else PLATFORMS:
            folder = build(processor, python)
            for name, size in sizes(folder).items():
                print(f"{processor:7} {name:24} {size / 1024:8.0f} KiB")
    except UsageError as error:
        print(f"make build: {error}", file=sys.stderr)
        return 1
    print(f"release {release_hash()}")
    return 0


def find_python(named: str | None) -> str:
    """An interpreter of the deployed version.

    Args:
        named: its path or name; None for `python3.13` on the PATH.

    Raises:
        UsageError: there is none, or it is of another version.
    """
    found = shutil.which(named or f"python{PYTHON}")
    says = "" if found is None else _output(found, "import sys; print('%d.%d' % sys.version_info[:2])")
    if says != PYTHON:
        where = f"{named} is not one" if named else "none is on the PATH"
        raise UsageError(f"Python {PYTHON} is needed to compile what runs on it, and {where}; make build PYTHON313=…")
    assert found is not None
    return found


def _output(python: str, code: str) -> str:
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def build(processor: str, python: str, folder: Path | None = None) -> Path:
    """Build everything for one processor.

    Args:
        processor: `arm64` or `x86_64`.
        python: an interpreter of the deployed version.
        folder: where to; made anew. `build/<processor>` where it is not said.

    Returns:
        The folder: `template.yaml`, `alarms.yaml`, `functions/<name>/`, `layers/<name>/python/`.

    Raises:
        UsageError: a package cannot be fetched, or does not compile.
    """
    folder = folder or BUILD / processor
    shutil.rmtree(folder, ignore_errors=True)
    for function in sorted(path.parent for path in (ROOT / "functions").glob("*/app.py")):
        shutil.copytree(function, folder / "functions" / function.name, ignore=shutil.ignore_patterns("__pycache__"))
    for layer, package in _LAYERS.items():
        source, target = ROOT / "layers" / layer, folder / "layers" / layer / "python"
        target.mkdir(parents=True)
        if (source / "requirements.txt").exists():
            _install(source / "requirements.txt", target, processor)
            _answer_versions(target)
            _defer_imports(target)
            _prune(target)
        if package is not None:
            shutil.copytree(source / package, target / package, ignore=shutil.ignore_patterns("__pycache__"))
        for certificates in [*source.glob("*.pem"), *source.glob("*.crt")]:
            shutil.copy(certificates, target)
        _compile(python, target, shown_as="/opt/python")
    for function in (folder / "functions").iterdir():
        _compile(python, function, shown_as="/var/task")
    text = (ROOT / "template.yaml").read_text(encoding="utf-8")
    (folder / "template.yaml").write_text(released(text, processor, release_hash()), encoding="utf-8")
    shutil.copy(ROOT / "alarms.yaml", folder)
    for path in folder.rglob("*"):
        os.utime(path, (EPOCH, EPOCH))
    return folder


def _install(requirements: Path, target: Path, processor: str) -> None:
    """Put the pinned packages for a processor into a folder, whatever machine this is."""
    platforms = [f"--platform={wheel}_{PLATFORMS[processor]}" for wheel in _WHEELS]
    command = [
        sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "--quiet", "install", "--require-hashes",
        "--no-deps", "--no-compile", "--only-binary=:all:", "--implementation=cp", f"--python-version={PYTHON}",
        *platforms, f"--target={target}", "-r", str(requirements),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        said = errors[-1].removeprefix("ERROR: ") if errors else "pip failed"
        raise UsageError(f"the packages of {requirements.parent.name} for {processor} cannot be fetched: {said}")


def _answer_versions(target: Path) -> None:
    for name, module in _ASK_VERSION.items():
        for info in target.glob(f"{name}-*.dist-info"):
            version = info.name.removesuffix(".dist-info").removeprefix(f"{name}-")
            path = target / name / module
            text = path.read_text(encoding="utf-8")
            answered = text.replace("from importlib.metadata import version\n", "").replace(
                f'version("{name}")', f'"{version}"'
            )
            if len(text) - len(answered) < len("from importlib.metadata import version\n"):
                raise UsageError(f"{name} no longer asks its version as it did: see _ASK_VERSION in {__name__}")
            path.write_text(answered, encoding="utf-8")


def _defer_imports(target: Path) -> None:
    for name, (before, after) in _NOT_AT_ONCE.items():
        path = target / name
        if not path.exists():
            continue
        text = path.read_text(encoding="utf-8")
        if text.count(before) != 1:
            raise UsageError(f"{name} no longer imports what it did: see _NOT_AT_ONCE in {__name__}")
        path.write_text(text.replace(before, after), encoding="utf-8")


def _prune(target: Path) -> None:
    for pattern in _UNUSED:
        for path in target.glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _compile(python: str, target: Path, *, shown_as: str) -> None:
    """Compile every module beside its source, to be taken without a look at the source's time.

    Args:
        python: an interpreter of the deployed version.
        target: the folder.
        shown_as: where the folder lies when it runs, for the traces of errors.
    """
    command = [python, "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", "-s", str(target)]
    done = subprocess.run([*command, "-p", shown_as, str(target)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise UsageError(f"{target.name} does not compile: {done.stdout.strip()[:200]}")


def released(template: str, processor: str, release: str) -> str:
    """The template of one release for one processor.

    The hash stands in it as a value: `sam deploy` keeps a parameter's former value when none is given, and nothing
    new would be published.

    Args:
        template: the text of template.yaml.
        processor: `arm64` or `x86_64`.
        release: the release's hash.
    """
    text = re.sub(r"\n  Release:\n(?:    .*\n)+", "\n", template).replace(", Release]", "]")
    text = text.replace("!Ref Release", f'"{release}"')
    return re.sub(r"((?:Architectures: \[|BuildArchitecture: ))arm64\b", rf"\g<1>{processor}", text)


def sizes(folder: Path) -> dict[str, int]:
    """The bytes of each layer and function as they lie in the function's file system, by folder."""
    parts = sorted([*folder.glob("layers/*"), *folder.glob("functions/*")])
    return {
        part.relative_to(folder).as_posix(): sum(file.stat().st_size for file in part.rglob("*") if file.is_file())
        for part in parts
    }


if __name__ == "__main__":
    sys.exit(main())
