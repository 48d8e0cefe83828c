"""Does any fault of the database give a wrong answer, or leave a container that does not come back?

Usage: python benchmarks/faults.py [--faults N]     (about five minutes; a Postgres of its own under .local/faults)

Twenty processes stand for twenty containers: each makes one call at a time through the real handlers, over TCP and with
a password. Meanwhile the database is killed, restarted, paused, refused, starved of disk, not found and too slow. Each
answer is compared with the one that was given before the first fault. What is counted is printed as the table of
docs/reliability.md; the exit status is 1 when an answer was wrong or a container stuck.
"""

import argparse
import importlib
import json
import multiprocessing
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from typing import Any, TypeAlias

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.servers import PostgresServer, postgres_server  # noqa: E402

from isnad_database.connect import administrator  # noqa: E402
from isnad_database.sandbox import ensure_sandbox  # noqa: E402
from isnad_gateway.core.logs import logger  # noqa: E402
from isnad_gateway.data.statement import Statement  # noqa: E402
from isnad_gateway.data.transaction import discard_idle, reading  # noqa: E402
from isnad_gateway.domain.registry import CONTRACT  # noqa: E402
from isnad_gateway.http.handler import guarded  # noqa: E402
from isnad_gateway.http.reply import reply  # noqa: E402
from isnad_local.server import Context  # noqa: E402

CONTAINERS = 20
PASSWORD = "of-the-benchmark"  # noqa: S105 - of a server that lives as long as this script
END_SESSIONS = "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'gateway_reader'"
FULL = f"full_{os.getpid()}"  # a tablespace of this run
RARE = 0.35  # the share of faults that are no killed backends, while there are any left to make
LONGEST = 10.0  # seconds; a function ends after them
DATA = ROOT / ".local" / "faults"

Flag: TypeAlias = "Synchronized[int]"
Call = tuple[str, dict[str, Any]]


def calls() -> list[Call]:
    """What is asked: each tool by its example event; more hadiths and words, so that answers differ."""
    events = [(tool, json.loads((ROOT / "events" / f"{tool}.json").read_text(encoding="utf-8"))) for tool in CONTRACT]
    asked = [(tool, json.loads(event["body"])["arguments"]) for tool, event in events]
    asked += [("get_hadith", {"hadith_id": number}) for number in range(1, 14_000, 700)]
    asked += [("search_hadith", {"query": f"bukhari {number}"}) for number in range(1, 7_000, 700)]
    return [*asked, *[("sort", {})] * 5]


@guarded
def sort(_event: dict[str, Any]) -> dict[str, Any]:
    """Ask what needs room on the disk; no tool's query does while the role's memory is as it should be."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "sort.sql").write_text(
            "select md5(string_agg(n, '' order by n)) as sorted"
            " from (select n::text from generate_series(1, 20000) as n) as numbers"
        )
        statement = Statement(f"{folder}/app.py", "sort.sql")
        with reading() as read:
            return reply(200, read(statement))


def ask(call: Call) -> tuple[int, dict[str, str], str]:
    """Make one call; return status, headers and body."""
    tool, arguments = call
    if tool == "sort":
        answer = sort({}, None)
        return answer["statusCode"], answer["headers"], answer["body"]
    event = json.loads((ROOT / "events" / f"{tool}.json").read_text(encoding="utf-8"))
    event["body"] = json.dumps({**json.loads(event["body"]), "arguments": arguments}, ensure_ascii=False)
    answer = importlib.import_module(f"functions.{tool}.app").handler(event, Context(tool))
    return answer["statusCode"], answer["headers"], answer["body"]


@dataclass(frozen=True, slots=True)
class Made:
    """One call that was made: when it began and ended, and whether it was true, unavailable or anything else."""

    began: float
    ended: float
    verdict: str


def verdict(answer: tuple[int, dict[str, str], str], truth: str) -> str:
    """Compare an answer with the true one."""
    status, headers, body = answer
    if (status, body) == (200, truth):
        return "true"
    code = (json.loads(body)["error"] or {}).get("code")
    if (status, code, headers.get("retry-after")) == (503, "UNAVAILABLE", "1"):
        return "unavailable"
    return f"{status} {code or 'another answer'}"


def container(number: int, truths: list[str], nameless: Flag, stop: Flag, made: Any) -> None:
    """One container: call after call until told to stop; while `nameless` is set, it finds no name."""
    look_up = socket.getaddrinfo

    def maybe(*arguments: Any, **named: Any) -> Any:
        if nameless.value:
            raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
        return look_up(*arguments, **named)

    socket.getaddrinfo = maybe
    chosen, asked, results = random.Random(number), calls(), []
    while not stop.value:
        place = chosen.randrange(len(asked))
        began = time.monotonic()
        said = verdict(ask(asked[place]), truths[place])
        results.append(Made(began, time.monotonic(), said))
        time.sleep(0.005 if said == "true" else 0.05)
    made.put(results)


class Faults:
    """What is done to the database, and since when it was whole again."""

    def __init__(self, server: PostgresServer, nameless: Flag) -> None:
        self._server, self._nameless = server, nameless
        self._chosen = random.Random(1)
        self.counts: Counter[str] = Counter()
        self.whole_since: list[tuple[str, float, float]] = []  # kind, when the fault began, when it was over

    def run(self, sql: str) -> list[list[Any]]:
        """Ask as the administrator."""
        with administrator(self._server.administrator) as connection:
            rows: list[list[Any]] = connection.run(sql)
            return rows

    @contextmanager
    def fault(self, kind: str, count: int = 1) -> Iterator[None]:
        """Count a fault, and note when it began and was over."""
        began = time.monotonic()
        yield
        self.counts[kind] += count
        self.whole_since.append((kind, began, time.monotonic()))

    def kill(self, most: int) -> None:
        """End some of the gateway's sessions, whatever they are doing."""
        with self.fault("killed backend", 0):
            killed = self.run(f"{END_SESSIONS} order by random() limit {most}")
            self.counts["killed backend"] += len(killed)

    def restart(self) -> None:
        """Stop it with a word or without one, and start it."""
        with self.fault("restarted server"):
            self._server.stop(self._chosen.choice(("fast", "immediate")))
            self._server.start()

    def refuse(self) -> None:
        """Nobody listens for a while."""
        with self.fault("refused connection"):
            self._server.stop("immediate")
            time.sleep(0.6)
            self._server.start()

    def pause(self) -> None:
        """It is silent: shorter or longer than the time-outs."""
        with self.fault("paused server"):
            self._server.pause()
            time.sleep(self._chosen.choice((0.5, 2.5, 4.0)))
            self._server.resume()

    def lose_name(self) -> None:
        """The name is not found; the open sessions end, so that it is looked for."""
        with self.fault("name not found"):
            self._nameless.value = 1
            self.run(END_SESSIONS)
            time.sleep(0.3)
            self._nameless.value = 0

    def slow_down(self) -> None:
        """A lock holds every statement until its time-out."""
        with self.fault("statement time-out"), administrator(self._server.administrator) as connection:
            connection.run("begin; lock table isnad.hadiths, isnad.collections in access exclusive mode")
            time.sleep(2.3)
            connection.run("rollback")

    def fill_disk(self) -> None:
        """What a query would put on disk has no room."""
        with self.fault("full disk"):
            self.run(f"alter role gateway_reader set temp_tablespaces = '{FULL}'")
            self.run("alter role gateway_reader set work_mem = '64kB'")
            self.run(END_SESSIONS)
            time.sleep(0.7)
            self.run("alter role gateway_reader reset temp_tablespaces")
            self.run("alter role gateway_reader reset work_mem")
            self.run(END_SESSIONS)


@contextmanager
def small_disk(faults: Faults) -> Iterator[bool]:
    """A tablespace on a file system of 64 KiB that is full; False where this machine lets nobody mount one."""
    with tempfile.TemporaryDirectory(prefix="isnad-", dir="/tmp", ignore_cleanup_errors=True) as name:
        owner = faults._server.data.owner()
        if os.geteuid() != 0 or subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size=64k,mode=0700,uid={owner}", "isnad", name],  # noqa: S607
            check=False, stderr=subprocess.DEVNULL,
        ).returncode:  # fmt: skip
            yield False
            return
        try:
            faults.run(f"create tablespace {FULL} location '{name}'")
            faults.run(f"grant create on tablespace {FULL} to gateway_reader")
            with suppress(OSError), (Path(name) / "filler").open("wb") as filler:
                while True:
                    filler.write(bytes(4096))
                    filler.flush()
            yield True
            faults.run(f"drop tablespace {FULL}")
        finally:
            subprocess.run(["umount", "-l", name], check=True)  # noqa: S607


def assault(faults: Faults, total: int, has_disk: bool) -> None:
    """Make the faults, mixed, until there are as many as asked for."""
    rare: list[Callable[[], None]] = [
        *[faults.restart] * 10, *[faults.refuse] * 10, *[faults.pause] * 10, *[faults.lose_name] * 15,
        *[faults.slow_down] * 8, *[faults.fill_disk] * (8 if has_disk else 0),
    ]  # fmt: skip
    random.Random(2).shuffle(rare)
    while rare or faults.counts.total() < total:
        if rare and (faults.counts.total() >= total or faults._chosen.random() < RARE):
            rare.pop()()
            time.sleep(1.5)  # time for each container's first call after it
        else:
            faults.kill(faults._chosen.choice((1, 5, CONTAINERS)))
            time.sleep(0.4)


def judge(faults: Faults, made: list[list[Made]]) -> int:
    """Print what came of it; return the number of calls that should not have been as they were."""
    every = [call for calls_of_one in made for call in calls_of_one]
    verdicts = Counter(call.verdict for call in every)
    wrong = sum(count for name, count in verdicts.items() if name not in ("true", "unavailable"))
    late = sum(call.ended - call.began > LONGEST for call in every)
    ends = [*(began for _, began, _ in faults.whole_since[1:]), float("inf")]
    back: Counter[str] = Counter()  # first calls of a container after a fault, before the next one: answered
    not_back: Counter[str] = Counter()  # the same, not answered
    slowest: Counter[str] = Counter()
    for (kind, began, over), next_began in zip(faults.whole_since, ends, strict=True):
        for calls_of_one in made:
            first = next((call for call in calls_of_one if call.began > over), None)
            if first is not None and first.ended < next_began:
                (back if first.verdict == "true" else not_back)[kind] += 1
            during = [call.ended - call.began for call in calls_of_one if began <= call.began < over]
            slowest[kind] = max([slowest[kind], *(round(1000 * took) for took in during)])
    stuck = sum(not calls_of_one or calls_of_one[-1].verdict != "true" for calls_of_one in made)
    print(
        "| fault | times | slowest call begun in it | first calls after it: answered | not answered |\n|---|---|---|---|---|"
    )
    for kind, count in sorted(faults.counts.items()):
        print(f"| {kind} | {count:,} | {slowest[kind] / 1000:.1f} s | {back[kind]:,} | {not_back[kind]} |")
    print(
        f"\n{faults.counts.total():,} faults, {len(every):,} calls by {CONTAINERS} containers:"
        f" {verdicts['true']:,} true answers, {verdicts['unavailable']:,} UNAVAILABLE with Retry-After,"
        f" {wrong} wrong, {late} over {LONGEST:g} s, {stuck} containers stuck."
    )
    for name in verdicts.keys() - {"true", "unavailable"}:
        print(f"  {verdicts[name]} x {name}")
    return wrong + late + stuck + not_back.total()


def main() -> int:
    """Run it; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", type=int, default=1000, help="how many at the least (default: %(default)s)")
    arguments = parser.parse_args()
    DATA.mkdir(parents=True, exist_ok=True)
    context = multiprocessing.get_context("fork")
    nameless, stop, made = context.Value("i", 0), context.Value("i", 0), context.Queue()
    with postgres_server(DATA) as server:
        with administrator(server.administrator) as connection:
            ensure_sandbox(connection)
            connection.run(f"alter role gateway_reader password '{PASSWORD}'")
        os.environ["ISNAD_DSN"] = f"postgresql://gateway_reader:{PASSWORD}@127.0.0.1:{server.port}/postgres"
        logger().setLevel("CRITICAL")
        truths = truths_of(calls())
        containers = [
            context.Process(target=container, args=(number, truths, nameless, stop, made))
            for number in range(CONTAINERS)
        ]
        for each in containers:
            each.start()
        faults = Faults(server, nameless)
        try:
            with small_disk(faults) as has_disk:
                assault(faults, arguments.faults, has_disk)
            time.sleep(LONGEST / 2)
        finally:
            stop.value = 1
        results = [made.get(timeout=3 * LONGEST) for _ in containers]
        for each in containers:
            each.join(LONGEST)
    return 1 if judge(faults, results) else 0


def truths_of(asked: list[Call]) -> list[str]:
    """The true answers, from a database that nobody disturbs."""
    truths = []
    for call in asked:
        status, _, body = ask(call)
        assert status == 200, body
        truths.append(body)
    discard_idle()  # a connection must not be shared with the containers
    return truths


if __name__ == "__main__":
    sys.exit(main())
