"""The links' figures on the labelled chains, held to what is promised."""

from pathlib import Path

import pytest
from benchmarks.links import Labelled, load, main, measure
from tests.shared import SHARED, needs_shared

FOLDER = SHARED / "data" / "ar-sanad" if SHARED else Path()
SEEDS = (1, 3)


@pytest.fixture(scope="module")
def labelled() -> Labelled:
    return load(FOLDER)


@needs_shared
def test_with_all_narrators(labelled: Labelled) -> None:
    score = measure(labelled)
    assert score.nodes == score.present == 36604
    assert score.precision >= 0.999
    assert score.linked_share >= 0.95


@needs_shared
def test_with_three_in_ten_narrators_taken_out(labelled: Labelled) -> None:
    first, *others = (measure(labelled, taken_out=0.3, seed=seed) for seed in SEEDS)
    score = sum(others, first)
    assert score.confirmed_precision >= 0.995
    assert score.confirmed_share >= 0.48
    assert score.probable_precision >= 0.92
    assert score.linked_share >= 0.65


@needs_shared
def test_the_script_prints_its_figures(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in ("lite-narrators.csv", "sanads-lite.val", "labels-lite.val"):
        text = (FOLDER / name).read_text(encoding="utf-8")
        short = text if name.endswith("csv") else "".join(text.splitlines(keepends=True)[:50])
        (tmp_path / name).write_text(short, encoding="utf-8")
    main([str(tmp_path), "--seeds", "1"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "all narrators",
        "30% taken out, seed 1",
        "30% taken out, all seeds",
    ]
