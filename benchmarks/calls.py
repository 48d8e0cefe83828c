"""What does a whole warm call cost, from event to reply, beside `select 1` through the same database context?

Usage: python benchmarks/calls.py [--rounds N] [--pooled]     (needs the database that `make run` or `make test` made)
"""

import argparse
import importlib
import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.measure import print_pairs  # noqa: E402

from isnad_database.connect import administrator  # noqa: E402
from isnad_database.sandbox import ensure_sandbox  # noqa: E402
from isnad_gateway.core.logs import logger  # noqa: E402
from isnad_gateway.data.statement import Statement  # noqa: E402
from isnad_gateway.data.transaction import reading  # noqa: E402
from isnad_local.postgres import postgres, reader_dsn  # noqa: E402
from isnad_local.server import Context  # noqa: E402

CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "get_hadith": ("get_hadith", {"hadith_id": 5000}),
    "search_hadith, phrase": ("search_hadith", {"query": "إنما الأعمال بالنيات"}),
    "search_hadith, reference": ("search_hadith", {"query": "bukhari 5000"}),
    "search_hadith, one typo": ("search_hadith", {"query": "انما الاعمال بالنيتا"}),
}


def select_one(folder: Path) -> Callable[[], object]:
    """`select 1` in a read-only transaction of the gateway's own."""
    (folder / "one.sql").write_text("select 1 as one")
    statement = Statement(str(folder / "module"), "one.sql")

    def ask() -> None:
        with reading() as read:
            read(statement)

    return ask


def tool_call(name: str, arguments: dict[str, Any]) -> Callable[[], object]:
    """A call of a tool's handler."""
    handler = importlib.import_module(f"functions.{name}.app").handler
    event = json.loads((ROOT / "events" / f"{name}.json").read_text(encoding="utf-8"))
    event["body"] = json.dumps({**json.loads(event["body"]), "arguments": arguments}, ensure_ascii=False)

    context = Context(name)  # the runtime's work, not the call's

    def ask() -> None:
        answer = handler(event, context)
        assert answer["statusCode"] == 200, answer["body"]

    return ask


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--pooled", action="store_true", help="without kept prepared statements, as behind a pooler")
    options = parser.parse_args()
    logger().registered_handler.setStream(open(os.devnull, "w"))  # type: ignore[attr-defined]  # noqa: PTH123, SIM115
    with postgres(ROOT / ".local" / "postgres") as dsn, tempfile.TemporaryDirectory() as folder:
        with administrator(dsn) as connection:
            ensure_sandbox(connection)
        os.environ["ISNAD_DSN"] = reader_dsn(dsn)
        os.environ["ISNAD_PREPARED"] = "false" if options.pooled else "true"
        cases = {label: tool_call(*call) for label, call in CALLS.items()}
        print_pairs(select_one(Path(folder)), cases, options.rounds)


if __name__ == "__main__":
    main()
