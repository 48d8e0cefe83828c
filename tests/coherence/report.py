"""How well the coherence check does on a set of written turns, kind by kind.

Usage: python -m tests.coherence.report [FILE] [--all | --show CALL]

Prints the table that docs/coherence.md shows, then every turn that was judged wrongly, with the reasons given; with --all
the reasons of every turn.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.coherence.turns import FIRST, KINDS, Calls, Judged, judged, read
from tests.conftest import ROOT
from tests.made_up_people import load_people

from isnad_database.connect import administrator
from isnad_database.migrate import migrate
from isnad_gateway.core.logs import logger
from isnad_local.postgres import postgres, reader_dsn


@contextmanager
def databases() -> Iterator[dict[str, str]]:
    """The test server's sandbox and made-up people, as the tests have them; the tests load the sandbox."""
    with postgres(ROOT / ".local" / "test-postgres") as dsn:
        people = dsn.replace("/postgres?", "/made_up_people?")
        with administrator(dsn) as connection:
            connection.run("drop database if exists made_up_people with (force)")
            connection.run("create database made_up_people template template0")
        with administrator(people) as connection:
            migrate(connection)
            load_people(connection)
        yield {"sandbox": reader_dsn(dsn), "people": reader_dsn(people)}


def table(turns: list[Judged]) -> str:
    """A line a kind: how many faults were planted, caught, and caught by a reason of their own kind; then the honest ones."""
    lines = ["| kind | planted | caught | named as such |", "|---|---|---|---|"]
    faults = [turn for turn in turns if turn.kind is not None]
    for kind in KINDS:
        of_kind = [turn for turn in faults if turn.kind == kind]
        caught = [turn for turn in of_kind if turn.is_suspect]
        lines.append(f"| {kind} | {len(of_kind)} | {len(caught)} | {sum(kind in turn.kinds for turn in of_kind)} |")
    caught = [turn for turn in faults if turn.is_suspect]
    named = sum(turn.kind in turn.kinds for turn in faults)
    lines.append(f"| **all faults** | {len(faults)} | {len(caught)} ({_share(len(caught), len(faults))}) | {named} |")
    honest = [turn for turn in turns if turn.kind is None]
    suspected = [turn for turn in honest if turn.is_suspect]
    lines.append(
        f"| **honest** | {len(honest)} | {len(suspected)} suspected ({_share(len(suspected), len(honest))}) | |"
    )
    return "\n".join(lines)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def main() -> int:
    """Judge the turns of a file and print how that went."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.coherence.report", description="The coherence check, measured."
    )
    parser.add_argument("file", nargs="?", type=Path, default=FIRST)
    parser.add_argument("--show", metavar="CALL", help="print the result of one of the file's calls, and judge nothing")
    parser.add_argument("--all", action="store_true", help="print the reasons of every turn")
    arguments = parser.parse_args()
    logger().setLevel("CRITICAL")
    with databases() as data:
        if arguments.show:
            result = Calls(read(arguments.file)["calls"], data).result(arguments.show)
            print(json.dumps(result, ensure_ascii=False, indent=1))
            return 0
        turns = judged(arguments.file, data)
    print(table(turns))
    for turn in turns:
        if arguments.all or not turn.is_right or (turn.kind is not None and turn.kind not in turn.kinds):
            mark = "" if turn.is_right else "WRONG "
            print(f"\n{mark}{turn.id} ({turn.kind or 'honest'}): {turn.spoken}")
            for reason in turn.reasons:
                print(f"    {reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
