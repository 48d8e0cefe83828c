"""`make openapi`: write `docs/openapi.json`, the document that `GET /openapi.json` serves."""

import json
from pathlib import Path

from isnad_gateway.domain.openapi import openapi
from isnad_local.template import ROOT

FILE = ROOT / "docs" / "openapi.json"


def write(file: Path = FILE) -> None:
    """Write the document, made from the declarations as they are now."""
    file.write_text(json.dumps(openapi(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
