"""Measures the chain reader against chains that people marked by hand.

    python benchmarks/chains.py [--json] [--list short|matn|none]

Bukhari, from the LK Hadith Corpus: a person split each hadith into isnad and matn. The text that is read is its
`Arabic_Hadith`, which begins with the words of its `Arabic_Isnad` in every row (elsewhere it is not always the sum of
its parts), so the split lies behind as many words as that has. Of each hadith's last node (the one that begins last in
the text, over all chains) it is counted whether it begins in the isnad with at most eight words of it left behind the
mention (`good`), with more left (`short`), or in the matn (`matn`); `none` where no chain was read. A hadith counts
among the facts when all its chains are understood. Chapters whose number six divides were never looked at while the
reader was made: `held out`.

Muslim, from sahih-moslim-fr: hadiths with an ordered chain, one route each. It is counted how many have as many nodes
as one of the reader's chains, or as many links: where two narrators stand at one link, its lists give now both, now one
of them. Some of its texts were given without the chain, and some chains belong to another text.

And how long it takes to read the sandbox's records, and what was not understood there.
"""

import argparse
import csv
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tqdm import tqdm

from isnad_database.chain_reader import Reading, read
from isnad_database.sandbox import records_file

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.shared import SHARED  # noqa: E402 - the tests' folder is no package of the project

HELD_OUT = 6
WORDS_LEFT = 8
TARGETS = "asked: good >= 94, matn <= 2.5; facts: good >= 99, matn <= 0.3, share >= 70"


@dataclass
class Tally:
    """How many hadiths fell where, over all and among the facts."""

    every: Counter[str] = field(default_factory=Counter)
    facts: Counter[str] = field(default_factory=Counter)

    def add(self, where: str, *, fact: bool) -> None:
        """Count a hadith."""
        self.every[where] += 1
        if fact:
            self.facts[where] += 1

    def shares(self) -> dict[str, float]:
        """The shares in per cent, those among the facts with the prefix `fact_`."""
        count, facts = self.every.total(), self.facts.total()
        shares = {where: 100 * self.every[where] / count for where in ("good", "short", "matn", "none")}
        shares["facts"] = 100 * facts / count
        shares |= {f"fact_{where}": 100 * self.facts[where] / max(facts, 1) for where in ("good", "short", "matn")}
        return {"hadiths": count} | {name: round(share, 2) for name, share in shares.items()}


def rows(shared: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of the split Bukhari, with the number of their chapter."""
    for number in range(1, 51):
        path = shared / "data" / "lk-hadith-corpus" / "Bukhari" / f"Chapter{number}.csv"
        with path.open(encoding="utf-8-sig", newline="") as lines:
            yield from ((number, row) for row in csv.DictReader(lines))


def word_starts(text: str) -> list[int]:
    """Where the words of a text begin: runs of anything but white space that hold a letter."""
    starts, at = [], 0
    for word in text.split():
        at = text.index(word, at)
        if any(character.isalpha() for character in word):
            starts.append(at)
        at += len(word)
    return starts


def place(reading: Reading, starts: list[int], isnad: int) -> str:
    """Where the last node lies, in a text whose first `isnad` words are its isnad."""
    nodes = [node for chain in reading.chains for node in chain.nodes]
    if not nodes:
        return "none"
    last = max(nodes, key=lambda node: node.start)
    split = starts[isnad] if isnad < len(starts) else sys.maxsize
    if last.start >= split:
        return "matn"
    left = sum(last.end <= start < split for start in starts)
    return "good" if left <= WORDS_LEFT else "short"


def bukhari(shared: Path, wanted: str | None) -> dict[str, dict[str, float]]:
    """Read the split Bukhari; print the hadiths that fell where `wanted` says."""
    tallies = {"seen": Tally(), "held out": Tally(), "all": Tally()}
    for chapter, row in tqdm(list(rows(shared)), desc="Bukhari", unit="hadith"):
        text, isnad = row["Arabic_Hadith"], row["Arabic_Isnad"]
        reading = read(text)
        where = place(reading, word_starts(text), len(word_starts(isnad)))
        fact = bool(reading.chains) and all(chain.understood for chain in reading.chains)
        held_out = chapter % HELD_OUT == 0
        for name in ("held out" if held_out else "seen", "all"):
            tallies[name].add(where, fact=fact)
        if where == wanted and not held_out:
            last = [chain.nodes[-1].mention for chain in reading.chains]
            tqdm.write(f"{chapter}/{row['Hadith_number']} fact={fact} {last} | {' '.join(isnad.split()[-15:])}")
    return {name: tally.shares() for name, tally in tallies.items()}


def muslim(shared: Path) -> dict[str, float]:
    """Compare the length of chains with the ordered chains of sahih-moslim-fr."""
    path = shared / "data" / "sahih-moslim-fr" / "hadiths.json"
    hadiths = [h for h in json.loads(path.read_text(encoding="utf-8")) if h.get("isnad") and h.get("matn_ar")]
    tally: Counter[str] = Counter()
    for hadith in tqdm(hadiths, desc="Muslim", unit="hadith"):
        asked, chains = len(hadith["isnad"]), read(hadith["matn_ar"]).chains
        nodes = any(len(chain.nodes) == asked for chain in chains)
        links = any(chain.nodes[-1].position == asked for chain in chains)
        tally.update({"same nodes": nodes, "same links": links, "either": nodes or links})
    return {"hadiths": len(hadiths)} | {name: round(100 * count / len(hadiths), 2) for name, count in tally.items()}


def sandbox() -> dict[str, float | dict[str, int]]:
    """Time the sandbox's records, and count what was not understood."""
    with records_file().open(encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in lines]
    started, computed = time.perf_counter(), time.process_time()
    readings = [read(text) for text in tqdm(texts, desc="Sandbox", unit="record")]
    seconds, computed = time.perf_counter() - started, time.process_time() - computed
    chains = [chain for reading in readings for chain in reading.chains]
    return {
        "records": len(texts),
        "seconds": round(seconds, 2),
        "seconds of processor time": round(computed, 2),
        "chains": len(chains),
        "understood": round(100 * sum(chain.understood for chain in chains) / len(chains), 2),
        "completeness": count(chain.completeness for chain in chains),
        "without a chain": count(reading.reason for reading in readings if reading.reason is not None),
        "doubts": count(doubt for chain in chains for doubt in chain.doubts),
    }


def count(values: Iterable[str]) -> dict[str, int]:
    """How often each value occurs, the most frequent first."""
    return dict(Counter(values).most_common())


def main() -> None:
    """Run what the data at hand allows, and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--list", choices=["short", "matn", "none"], help="show these hadiths of the chapters seen")
    arguments = parser.parse_args()
    result: dict[str, object] = {"sandbox": sandbox()}
    if SHARED is None:
        print("the open data sets are not beside this clone (ISNAD_SHARED): only the sandbox is read", file=sys.stderr)
    else:
        result |= {"bukhari": bukhari(SHARED, arguments.list), "bukhari_targets": TARGETS, "muslim": muslim(SHARED)}
    if arguments.json:
        print(json.dumps(result, ensure_ascii=False))
        return
    for name, figures in result.items():
        print(f"{name}:")
        lines = figures.items() if isinstance(figures, dict) else [("", figures)]
        print("\n".join(f"  {key}  {value}" for key, value in lines))


if __name__ == "__main__":
    main()
