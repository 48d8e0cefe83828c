"""How long does a function's init take under the Lambda Runtime Interface Emulator, beside a bare handler's?

Usage: python benchmarks/cold_start.py [--python PYTHON3.13] [--rounds N] [--imports]
It measures what `make build` made for x86_64; --imports lists what each function's imports cost instead.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.measure import print_table  # noqa: E402
from tqdm import tqdm  # noqa: E402

from isnad_local.build import BUILD, find_python  # noqa: E402
from isnad_local.emulator import emulator, running, runtime_client  # noqa: E402
from isnad_local.template import layers_of  # noqa: E402

BARE = "def handler(event, context):\n    return {'statusCode': 200}\n"
SHOWN = 10.0  # milliseconds from which on an import is listed


def layers(built: Path, function: str) -> list[Path]:
    """The folders of the layers that a function has."""
    return [built / "layers" / name / "python" for name in layers_of(function)]


def imports(python: str, folder: Path, path: list[Path], rounds: int) -> dict[str, tuple[float, float]]:
    """The cumulative and own milliseconds of each module that a function imports, the fastest of some rounds."""
    best: dict[str, tuple[float, float]] = {}
    environment = {"PYTHONPATH": ":".join(map(str, [folder, *path])), "PYDANTIC_DISABLE_PLUGINS": "__all__"}
    for _ in range(rounds):
        done = subprocess.run(
            [python, "-X", "importtime", "-c", "import app"],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=True,
        )
        for line in done.stderr.splitlines():
            if line.startswith("import time:") and "[us]" not in line:
                own, cumulative, name = line.removeprefix("import time:").split("|")
                spent = (int(cumulative) / 1000, int(own) / 1000)
                best[name.strip()] = min(best.get(name.strip(), spent), spent)
    return best


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", default=os.environ.get("PYTHON313"))
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--imports", action="store_true")
    parser.add_argument("--built", type=Path, default=BUILD / "x86_64")
    options = parser.parse_args()
    python = find_python(options.python)
    functions = sorted((options.built / "functions").iterdir())
    if options.imports:
        for folder in functions:
            print(f"{folder.name}: cumulative ms, own ms")
            found = imports(python, folder, layers(options.built, folder.name), options.rounds)
            for name, (cumulative, own) in sorted(found.items(), key=lambda item: -item[1][0]):
                if cumulative >= SHOWN:
                    print(f"  {cumulative:7.1f} {own:7.1f}  {name}")
        return
    client = runtime_client(python)
    with tempfile.TemporaryDirectory() as scratch:
        bare = Path(scratch) / "bare handler"
        bare.mkdir()
        (bare / "app.py").write_text(BARE)
        rie = emulator(Path(scratch))
        times: dict[str, list[float]] = {folder.name: [] for folder in [bare, *functions]}
        for round_ in tqdm(range(options.rounds + 1), desc="rounds", leave=False):
            for folder in [bare, *functions]:
                path = [client] if folder is bare else [*layers(options.built, folder.name), client]
                with running(rie, folder, path, Path(scratch) / "output", python=python) as function:
                    function.invoke({})
                    if round_:  # the first one warms the file cache
                        times[folder.name].append(function.init_milliseconds())
        print_table(times, base="bare handler")


if __name__ == "__main__":
    main()
