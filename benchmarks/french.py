"""How often does a French search find the hadith that a query was made from? Exact words, inflected words, one typo.

Usage: python benchmarks/french.py [--queries N]     (needs the open data beside the clone, or ISNAD_SHARED)

The queries are made from the French Bukhari of hadith-api (348 hadiths): runs of seven words of which three say something.
Inflected: plurals and verb endings changed, accents dropped, apostrophes typed. Typo: one letter of the longest word is
dropped, doubled, exchanged or swapped. The corpus is a database of its own with these hadiths alone.
"""

import argparse
import os
import random
import re
import statistics
import sys
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.shared import SHARED  # noqa: E402

from isnad_database.connect import administrator  # noqa: E402
from isnad_database.import_texts import import_hadith_api  # noqa: E402
from isnad_database.importers.hadith_api import read_edition  # noqa: E402
from isnad_database.importers.report import Report  # noqa: E402
from isnad_database.importing import Options, Outcome, run_import  # noqa: E402
from isnad_database.migrate import migrate  # noqa: E402
from isnad_local.postgres import postgres  # noqa: E402

WANTED = 5
WORDS = 7
WORD = re.compile(r"[^\W\d_]+(?:['’`‘][^\W\d_]+)*")
DATABASE = "french_benchmark"


def exact(words: list[str], _: random.Random) -> str:
    """The words as they stand in the text."""
    return " ".join(words)


def inflected(words: list[str], _: random.Random) -> str:
    """Other forms of the longer words that are no names, without accents."""
    changed = [
        word if len(word) < 5 or any(letter.isupper() for letter in word) else _other_form(word) for word in words
    ]
    return re.sub("[’`‘]", "'", _without_accents(" ".join(changed)))


def _other_form(word: str) -> str:
    for ending, other in (("ées", "é"), ("és", "er"), ("ée", "é"), ("é", "ée"), ("er", "é"), ("s", ""), ("x", "x")):
        if word.endswith(ending):
            return word.removesuffix(ending) + other
    return f"{word}s"


def _without_accents(text: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))


def one_typo(words: list[str], dice: random.Random) -> str:
    """One letter of the longest word is wrong."""
    longest = max(words, key=len)
    at = dice.randrange(1, len(longest) - 1)
    head, letter, tail = longest[:at], longest[at], longest[at + 1 :]
    wrong = dice.choice([head + tail, head + letter * 2 + tail, head + "x" + tail, head + tail[0] + letter + tail[1:]])
    return " ".join(wrong if word is longest else word for word in words)


KINDS: dict[str, Callable[[list[str], random.Random], str]] = {
    "exact words": exact,
    "inflected words": inflected,
    "one typo": one_typo,
}


def windows(text: str, dice: random.Random) -> list[str] | None:
    """Seven words in a row from the text, after the name of who reports it; None where it is too short."""
    words = WORD.findall(text.split(":", 1)[-1])
    starts = [
        start
        for start in range(len(words) - WORDS + 1)
        if sum(len(word) > 5 for word in words[start : start + WORDS]) >= 3
    ]
    if not starts:
        return None
    start = dice.choice(starts)
    return words[start : start + WORDS]


@contextmanager
def corpus(files: Path) -> Iterator[str]:
    """A database of its own with the French and the Arabic Bukhari; its DSN."""
    with postgres(ROOT / ".local" / "test-postgres") as dsn:
        with administrator(dsn) as connection:
            connection.run(f"drop database if exists {DATABASE} with (force)")
            connection.run(f"create database {DATABASE} template template0")
        own = dsn.replace("/postgres?", f"/{DATABASE}?")
        with administrator(own) as connection:
            migrate(connection)
            paths = sorted(files.glob("*-bukhari.*.json"))
            run_import(connection, import_hadith_api, paths, Options(version="benchmark"), Outcome())
        yield own
        with administrator(dsn) as connection:
            connection.run(f"drop database {DATABASE} with (force)")


def main() -> None:
    """Print recall and time for each kind of query."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=200, help="hadiths to make queries from (default 200)")
    parser.add_argument("--misses", action="store_true", help="show the queries that were not answered")
    given = parser.parse_args()
    if SHARED is None:
        sys.exit("the open data is not beside this clone (ISNAD_SHARED)")
    files = SHARED / "data" / "hadith-api" / "editions"
    [path] = files.glob("fra-bukhari.*.json")
    dice = random.Random(1)
    texts = list(read_edition(path, Report()).texts)
    dice.shuffle(texts)
    made = [(text.number, words) for text in texts if (words := windows(text.text, dice))][: given.queries]
    os.environ.setdefault("TQDM_DISABLE", "1")
    with corpus(files) as dsn, administrator(dsn) as connection:
        for kind, make in KINDS.items():
            found, times = 0, []
            for number, words in made:
                query = make(words, dice)
                start = time.perf_counter()
                rows = connection.run(
                    "select h.canonical_reference from find_hadiths(:query, null, :wanted, 'fr') as f"
                    " inner join public_hadiths as h using (hadith_id)",
                    query=query,
                    wanted=WANTED,
                )
                times.append(time.perf_counter() - start)
                hit = f"bukhari:{number}" in {reference for (reference,) in rows}
                found += hit
                if given.misses and not hit:
                    print(f"  {number}: {query} -> {rows}")
            print(
                f"{kind:16} recall@{WANTED} {found / len(made):.3f} of {len(made)}, "
                f"median {statistics.median(times) * 1000:.1f} ms"
            )


if __name__ == "__main__":
    main()
