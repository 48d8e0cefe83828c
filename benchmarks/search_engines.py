"""How does our search compare with bm25s, tantivy and SQLite FTS5, on the same texts, folding and queries, in one run?

Usage: python benchmarks/search_engines.py [--per-kind N] [--seed N] [--dev FOLDER]     (needs `bm25s` and `tantivy`)
"""

import argparse
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import bm25s
import tantivy
from tqdm import tqdm

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.measure import percentile  # noqa: E402
from benchmarks.search_corpus import index_bytes, sandbox_texts, searchable  # noqa: E402
from benchmarks.search_quality import in_transaction, rank_of, read_queries  # noqa: E402
from benchmarks.search_queries import KNOWN_ITEM, Corpus, Query, fold, make_queries, words_of  # noqa: E402

Search = Callable[[str], list[str]]
TOP = 10


def folded_words(text: str) -> list[str]:
    """A query as every engine but ours gets it: folded words."""
    return [fold(word) for word in words_of(text)]


def trigrams(words: list[str]) -> list[str]:
    """The three-letter pieces of words, with a blank at either end."""
    padded = [f" {word} " for word in words]
    return [word[at : at + 3] for word in padded for at in range(len(word) - 2)]


def bytes_below(folder: Path) -> int:
    """Bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def bm25(folded: dict[str, list[str]], folder: Path, pieces: Callable[[list[str]], list[str]]) -> tuple[Search, int]:
    """bm25s on words or on pieces of them."""
    keys = list(folded)
    index = bm25s.BM25()
    index.index([pieces(words) for words in folded.values()], show_progress=False)
    index.save(str(folder))

    def search(text: str) -> list[str]:
        found, _ = index.retrieve([pieces(folded_words(text))], k=TOP, show_progress=False)
        return [keys[place] for place in found[0]]

    return search, bytes_below(folder)


def tantivy_fuzzy(folded: dict[str, list[str]], folder: Path) -> tuple[Search, int]:
    """tantivy: any word, one letter off."""
    schema = tantivy.SchemaBuilder()
    schema.add_text_field("key", stored=True, tokenizer_name="raw")
    schema.add_text_field("text", tokenizer_name="whitespace")
    built = schema.build()
    index = tantivy.Index(built, path=str(folder))
    writer = index.writer()
    for key, words in folded.items():
        writer.add_document(tantivy.Document(key=key, text=" ".join(words)))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def search(text: str) -> list[str]:
        terms = [tantivy.Query.fuzzy_term_query(built, "text", word, distance=1) for word in folded_words(text)]
        exact = [tantivy.Query.term_query(built, "text", word) for word in folded_words(text)]
        query = tantivy.Query.boolean_query([(tantivy.Occur.Should, term) for term in (*terms, *exact)])
        return [searcher.doc(address)["key"][0] for _, address in searcher.search(query, TOP).hits]

    return search, bytes_below(folder)


def sqlite_fts5(folded: dict[str, list[str]], folder: Path) -> tuple[Search, int]:
    """SQLite FTS5: any word, ranked by its bm25."""
    path = folder / "fts.db"
    connection = sqlite3.connect(path)
    connection.execute("create virtual table texts using fts5 (key unindexed, text)")
    connection.executemany("insert into texts values (?, ?)", ((key, " ".join(words)) for key, words in folded.items()))
    connection.commit()

    def search(text: str) -> list[str]:
        query = " or ".join(f'"{word}"' for word in folded_words(text)).replace(" or ", " OR ")
        sql = f"select key from texts where texts match ? order by bm25(texts) limit {TOP}"  # noqa: S608
        return [key for (key,) in connection.execute(sql, (query,))]

    return search, path.stat().st_size


def measure(name: str, search: Search, queries: list[Query], built: float, size: int) -> str:
    """One row of the table."""
    for query in queries[:20]:
        search(query.text)
    ranks: dict[bool, list[float]] = {True: [], False: []}
    times = []
    for query in tqdm(queries, desc=name, leave=False):
        started = time.perf_counter()
        keys = search(query.text)
        times.append((time.perf_counter() - started) * 1000)
        ranks[query.kind in KNOWN_ITEM].append(rank_of(keys, query.relevant))
    cells = [
        f"{statistics.fmean(rank >= 1 / 5 for rank in group):.3f} / {statistics.fmean(group):.3f}"
        for group in ranks.values()
    ]
    latency = f"{percentile(times, 50):.2f} / {percentile(times, 95):.1f}"
    return f"| {name} | {' | '.join(cells)} | {latency} | {size / 1e6:.0f} | {built:.1f} |"


def main() -> None:
    """Measure every engine in turn and print one table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--per-kind", type=int, default=60)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--dev", type=Path, help="a folder with development sets, instead of made queries")
    options = parser.parse_args()
    texts = sandbox_texts()
    corpus = Corpus.of(texts)
    queries = read_queries(options.dev) if options.dev else make_queries(corpus, options.per_kind, options.seed)
    folded = {key: text.split() for key, text in corpus.folded.items()}
    rows = []
    with searchable(ROOT / ".local" / "benchmark-postgres", texts) as (connection, took):
        keys = dict(connection.run("select hadith_id, source_key from isnad.hadiths"))
        ask = in_transaction(connection, "select hadith_id from public.search_hadith_texts(:query, null, 10)")

        def ours(text: str) -> list[str]:
            return [keys.get(row[0], "") for row in ask(query=text)]

        rows.append(measure("ISNAD, inside Postgres", ours, queries, took, index_bytes(connection)))
    engines: dict[str, Callable[[Path], tuple[Search, int]]] = {
        "bm25s on words": lambda folder: bm25(folded, folder, list),
        "bm25s on letter 3-grams": lambda folder: bm25(folded, folder, trigrams),
        "tantivy, any word, fuzzy 1": lambda folder: tantivy_fuzzy(folded, folder),
        "SQLite FTS5, any word, bm25": lambda folder: sqlite_fts5(folded, folder),
    }
    for name, build in engines.items():
        with tempfile.TemporaryDirectory() as folder:
            started = time.perf_counter()
            search, size = build(Path(folder))
            rows.append(measure(name, search, queries, time.perf_counter() - started, size))
    print("| engine | known-item recall@5 / MRR@10 | hard recall@5 / MRR@10 | p50 / p95 ms | index MB | build s |")
    print("|---|---|---|---|---|---|")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
