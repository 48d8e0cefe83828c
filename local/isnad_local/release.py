"""What a release is: a hash over functions and layers. `python -m isnad_local.release` prints it."""

import hashlib
from pathlib import Path

from isnad_local.template import ROOT


def release_hash(root: Path = ROOT) -> str:
    """The SHA-256 over the path and content of every file of `functions/` and `layers/`, in hexadecimal.

    Any change in one of them, in a layer alone too, is another release; nothing else is.
    """
    digest = hashlib.sha256()
    for file in sources(root):
        content = file.read_bytes()
        digest.update(f"{file.relative_to(root).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def sources(root: Path) -> list[Path]:
    """The files that a release is made from, in the order of their paths."""
    found = (path for folder in ("functions", "layers") for path in (root / folder).rglob("*"))
    return sorted(path for path in found if path.is_file() and "__pycache__" not in path.parts)


if __name__ == "__main__":
    print(release_hash())
