"""Where the open data and the written cases lie that some tests read. A clone of the project alone has none of them."""

import os
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parent.parent
SHARED: Path | None = Path(os.environ.get("ISNAD_SHARED", _ROOT.parent / "shared"))
if SHARED is not None and not SHARED.is_dir():
    SHARED = None

needs_shared = pytest.mark.skipif(SHARED is None, reason="the open data sets are not beside this clone (ISNAD_SHARED)")
