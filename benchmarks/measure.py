"""What the benchmarks share: alternating timings, percentiles and a table."""

import statistics
import time
from collections.abc import Callable, Sequence

from tqdm import tqdm


def alternate(cases: dict[str, Callable[[], object]], rounds: int, warm_up: int = 20) -> dict[str, list[float]]:
    """Time each case once a round, in turn, so that a noisy moment of the machine meets all of them.

    Args:
        cases: what to time, by name.
        rounds: how often.
        warm_up: rounds before, which do not count.

    Returns:
        Milliseconds, by name.
    """
    times: dict[str, list[float]] = {name: [] for name in cases}
    for round_ in tqdm(range(rounds + warm_up), desc="rounds", leave=False):
        for name, case in cases.items():
            started = time.perf_counter()
            case()
            if round_ >= warm_up:
                times[name].append((time.perf_counter() - started) * 1000)
    return times


def percentile(times: Sequence[float], share: int) -> float:
    """The percentile of some times."""
    return statistics.quantiles(times, n=100, method="inclusive")[share - 1]


def print_table(times: dict[str, list[float]], base: str) -> None:
    """Print p50 and p95 of each case, and its p50 as a ratio to the base's."""
    width = max(map(len, times))
    print(f"{'case':<{width}}  p50 ms  p95 ms  p50 ratio")
    for name, values in times.items():
        ratio = percentile(values, 50) / percentile(times[base], 50)
        print(f"{name:<{width}}  {percentile(values, 50):6.3f}  {percentile(values, 95):6.3f}  {ratio:9.2f}")


def print_pairs(base: Callable[[], object], cases: dict[str, Callable[[], object]], rounds: int) -> None:
    """Time each case in turn with the base and with nothing else, and print a table.

    A Lambda container makes one tool's calls and no other's: cases that take turns would push each other's code and pages
    out of the processor's caches, which no container does.
    """
    width = max(map(len, cases))
    print(f"{'case':<{width}}  p50 ms  p95 ms  base ms  p50 ratio")
    for name, case in cases.items():
        times = alternate({"base": base, name: case}, rounds)
        p50, asked = percentile(times[name], 50), percentile(times["base"], 50)
        print(f"{name:<{width}}  {p50:6.3f}  {percentile(times[name], 95):6.3f}  {asked:7.3f}  {p50 / asked:9.2f}")
