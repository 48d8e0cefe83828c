"""Are narrators found, and what does a whole warm call of each narrator tool cost, with all of AR-Sanad lite loaded?

Usage: python benchmarks/narrators.py [--rounds N] [--queries N] [--pooled]   (needs the open data sets, ISNAD_SHARED)

Prints recall at 5 of each kind of query, and each tool's times beside `select 1` through the same database context.
"""

import argparse
import importlib
import json
import os
import sys
import tempfile
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.ar_sanad_lite import load_lite  # noqa: E402
from benchmarks.calls import select_one  # noqa: E402
from benchmarks.measure import print_pairs  # noqa: E402
from benchmarks.narrator_queries import (  # noqa: E402
    DAMAGES,
    Query,
    arabic_queries,
    bearers_of,
    spelling_queries,
    transmitter_queries,
)
from pg8000.native import Connection  # noqa: E402
from tests.shared import SHARED  # noqa: E402

from isnad_database.connect import administrator  # noqa: E402
from isnad_gateway.core.logs import logger  # noqa: E402
from isnad_local.postgres import postgres, reader_dsn  # noqa: E402
from isnad_local.server import Context  # noqa: E402

DATABASE = "narrator_benchmark"
SEED = 7
_SHOWN = 5


def ask(name: str, choices: list[dict[str, Any]]) -> Callable[[], str]:
    """A call of a tool's handler, from event to reply, with one of some arguments after the other; returns the body."""
    handler = importlib.import_module(f"functions.{name}.app").handler
    event = json.loads((ROOT / "events" / f"{name}.json").read_text(encoding="utf-8"))
    body = json.loads(event["body"])
    context = Context(name)  # the runtime's work, not the call's
    events = cycle([{**event, "body": json.dumps({**body, "arguments": each}, ensure_ascii=False)} for each in choices])

    def call() -> str:
        answer = handler(next(events), context)
        assert answer["statusCode"] == 200, answer["body"]
        replied: str = answer["body"]
        return replied

    return call


def recall(connection: Connection, queries: list[Query]) -> tuple[float, float]:
    """The share of queries with a relevant narrator among the first five, and with one first."""
    key_of = dict(connection.run("select narrator_id, narrator_key from isnad.narrators"))
    search = ask("search_narrator", [{"query": query, "limit": _SHOWN} for query, _ in queries])
    among = first = 0
    for _, relevant in queries:
        keys = [key_of[hit["narrator_id"]] for hit in json.loads(search())["result"]["results"]]
        among += bool(relevant & set(keys))
        first += keys[:1] != [] and keys[0] in relevant
    return among / len(queries), first / len(queries)


def timed(connection: Connection, kinds: dict[str, list[Query]]) -> dict[str, Callable[[], object]]:
    """What is timed, by name."""
    [[often, occurrences]] = connection.run(
        "select narrator_id, occurrences from isnad.narrator_occurrence_counts order by occurrences desc limit 1"
    )
    [[student, teacher]] = connection.run(
        "select from_narrator_id, to_narrator_id from isnad.narrator_adjacencies"
        " group by 1, 2 order by count(*) desc, 1, 2 limit 1"
    )
    people = [
        {"narrator_id": number} for (number,) in connection.run("select narrator_id from isnad.narrators limit 200")
    ]
    cases: dict[str, Callable[[], object]] = {}
    for kind, queries in kinds.items():
        cases[f"search_narrator, {kind}"] = ask("search_narrator", [{"query": query} for query, _ in queries])
    mixed = [query for each in zip(*kinds.values(), strict=False) for query, _ in each]
    cases["search_narrator, all kinds"] = ask("search_narrator", [{"query": query} for query in mixed])
    cases["get_narrator_profile"] = ask("get_narrator_profile", people)
    cases["get_narrator_hadiths, first page"] = ask("get_narrator_hadiths", [{"narrator_id": often}])
    last = {"narrator_id": often, "page": occurrences // 10}  # the last full one, as long as the first
    cases["get_narrator_hadiths, last page"] = ask("get_narrator_hadiths", [last])
    both = {"narrator_a_id": student, "narrator_b_id": teacher}
    cases["get_transmission_relation"] = ask("get_transmission_relation", [both])
    observed = {**both, "include_chain_observations": True}
    cases["get_transmission_relation, observed"] = ask("get_transmission_relation", [observed])
    return cases


def main() -> None:
    """Load, measure and print two tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--queries", type=int, default=600)
    parser.add_argument("--pooled", action="store_true", help="without kept prepared statements, as behind a pooler")
    options = parser.parse_args()
    if SHARED is None:
        sys.exit("the open data sets are not beside this clone (ISNAD_SHARED)")
    data = SHARED / "data"
    bearers = bearers_of(data / "ar-sanad")
    kinds = {kind: arabic_queries(bearers, kind, options.queries, SEED) for kind in DAMAGES}
    kinds["transmitters in Latin"] = transmitter_queries(bearers, data / "sahih-moslim-fr")
    kinds["Latin spellings"] = spelling_queries(bearers)
    logger().registered_handler.setStream(open(os.devnull, "w"))  # type: ignore[attr-defined]  # noqa: PTH123, SIM115
    with postgres(ROOT / ".local" / "benchmark-postgres") as server, tempfile.TemporaryDirectory() as folder:
        with administrator(server) as connection:
            connection.run(f"drop database if exists {DATABASE} with (force)")
            connection.run(f"create database {DATABASE} template template0")
        dsn = server.replace("/postgres?", f"/{DATABASE}?")
        os.environ["ISNAD_DSN"] = reader_dsn(dsn)
        os.environ["ISNAD_PREPARED"] = "false" if options.pooled else "true"
        with administrator(dsn) as connection:
            load_lite(connection, data / "ar-sanad")
            print(f"{'queries':<24}  count  recall@5  first")
            for kind, queries in kinds.items():
                among, first = recall(connection, queries)
                print(f"{kind:<24}  {len(queries):5}  {among:8.3f}  {first:5.3f}")
            print_pairs(select_one(Path(folder)), timed(connection, kinds), options.rounds)


if __name__ == "__main__":
    main()
