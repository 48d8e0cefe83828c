"""How right and how complete the links from chain nodes to narrators are, on AR-Sanad's labelled chains.

    python benchmarks/links.py [FOLDER] [--seeds 1 2 3 4 5] [--taken-out 0.3]

FOLDER holds `lite-narrators.csv`, `sanads-lite.val` and `labels-lite.val` (AR-Sanad 280K, lite part); by default it
is looked for where the tests look for shared data. Prints one line with all narrators loaded and one for each seed
with that share of the narrators taken out at random, so that their nodes can only be left alone or linked wrongly.
"""

import argparse
import os
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from isnad_database.importers.ar_sanad import NarratorRow, read_chain_texts, read_chains, read_narrators, recorded_pairs
from isnad_database.importers.report import Report
from isnad_database.linker import KnownNarrator, Linker, Transmission


@dataclass(frozen=True, slots=True)
class Score:
    """Nodes by what was said of them. `present` are the nodes whose narrator is loaded."""

    nodes: int
    present: int
    confirmed: int
    confirmed_right: int
    probable: int
    probable_right: int

    def __add__(self, other: "Score") -> "Score":
        """Pool two scores."""
        return Score(*(getattr(self, name) + getattr(other, name) for name in Score.__slots__))

    @property
    def confirmed_precision(self) -> float:
        """Share of the confirmed links that are right."""
        return self.confirmed_right / self.confirmed

    @property
    def probable_precision(self) -> float:
        """Share of the probable links that are right."""
        return self.probable_right / self.probable

    @property
    def precision(self) -> float:
        """Share of all links that are right."""
        return (self.confirmed_right + self.probable_right) / (self.confirmed + self.probable)

    @property
    def confirmed_share(self) -> float:
        """Share of all nodes that are confirmed."""
        return self.confirmed / self.nodes

    @property
    def linked_share(self) -> float:
        """Share of all nodes that are linked."""
        return (self.confirmed + self.probable) / self.nodes

    def __str__(self) -> str:
        """One line of figures."""
        return (
            f"{self.nodes} nodes, {self.present / self.nodes:.2%} with their narrator loaded: "
            f"confirmed {self.confirmed_share:.2%} ({self.confirmed_precision:.2%} right), "
            f"probable {self.probable / self.nodes:.2%} ({self.probable_precision:.2%} right), "
            f"linked {self.linked_share:.2%} ({self.precision:.2%} right)"
        )


@dataclass(frozen=True, slots=True)
class Labelled:
    """The narrators, the chains as name forms, and the true narrator of each node."""

    rows: tuple[NarratorRow, ...]
    forms: tuple[tuple[str, ...], ...]
    truth: tuple[tuple[int, ...], ...]


def load(folder: Path) -> Labelled:
    """Read the labelled chains; raises `WrongFileError` when the files are not what they should be."""
    report = Report()
    rows = read_narrators(folder / "lite-narrators.csv", report)
    chains = read_chains(folder / "labels-lite.val", "id", rows, report)
    forms = read_chain_texts(folder / "sanads-lite.val", chains)
    return Labelled(tuple(rows), tuple(forms), tuple(chain.ids for chain in chains))


def measure(data: Labelled, *, taken_out: float = 0.0, seed: int = 0) -> Score:
    """Link all chains with a share of the narrators taken out at random, and count."""
    rows = list(data.rows)
    random.Random(seed).shuffle(rows)
    rows = rows[: round(len(rows) * (1 - taken_out))]
    loaded = {row.id for row in rows}
    linker = Linker(
        [KnownNarrator(row.id, row.name, row.forms, row.generation_number) for row in rows],
        [
            Transmission(pair.teacher_id, pair.student_id, certain=pair.recorded_status == "attested")
            for pair in recorded_pairs(rows, Report())
        ],
    )
    counts = {"confirmed": [0, 0], "probable": [0, 0]}
    nodes = present = 0
    for forms, truth in zip(data.forms, data.truth, strict=True):
        for link, narrator_id in zip(linker.link(forms), truth, strict=True):
            nodes += 1
            present += narrator_id in loaded
            if link.narrator_id is not None:
                counts[link.status][0] += 1
                counts[link.status][1] += link.narrator_id == narrator_id
    return Score(nodes, present, *counts["confirmed"], *counts["probable"])


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    shared = Path(os.environ.get("ISNAD_SHARED") or Path(__file__).resolve().parents[2] / "shared")
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=shared / "data" / "ar-sanad")
    parser.add_argument("--seeds", nargs="*", type=int, default=[1, 2, 3, 4, 5])
    parser.add_argument("--taken-out", type=float, default=0.3)
    chosen = parser.parse_args(arguments)
    data = load(chosen.folder)
    print(f"all narrators: {measure(data)}", flush=True)
    scores = []
    for seed in chosen.seeds:
        scores.append(measure(data, taken_out=chosen.taken_out, seed=seed))
        print(f"{chosen.taken_out:.0%} taken out, seed {seed}: {scores[-1]}", flush=True)
    if scores:
        print(f"{chosen.taken_out:.0%} taken out, all seeds: {sum(scores[1:], scores[0])}")


if __name__ == "__main__":
    main()
