"""AR-Sanad files: every defect that the published ones have, on made-up rows, and the published ones where they are."""

import csv
from pathlib import Path

import pytest
from tests.shared import SHARED, needs_shared

from isnad_database.importers.ar_sanad import (
    COLUMNS,
    ChainRow,
    prove_id_column,
    read_chain_texts,
    read_chains,
    read_narrators,
    recorded_pairs,
)
from isnad_database.importers.report import MissingColumnsError, Report, WrongFileError

DATA = SHARED / "data" / "ar-sanad" if SHARED else Path()


def _row(identifier: str, **cells: str) -> dict[str, str]:
    return dict.fromkeys(COLUMNS, "-") | {"id": identifier, "name": f"راو {identifier}", "namings": "['راو']"} | cells


def _file(folder: Path, rows: list[dict[str, str]], columns: tuple[str, ...] = COLUMNS) -> Path:
    path = folder / "narrators.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    return path


def _codes(report: Report) -> set[tuple[str, bool]]:
    return {(finding.code, finding.skipped) for finding in report.findings}


def test_a_dash_is_null(tmp_path: Path) -> None:
    row = read_narrators(_file(tmp_path, [_row("0", death_year=" - ", tabaqa="")]), Report())[0]
    assert (row.grade_ibn_hajar, row.grade_tier, row.death, row.generation, row.living_city) == (None,) * 5
    assert (row.teacher_ids, row.student_ids, row.id_in_full_list) == ((), (), None)


def test_lists_are_python_literals(tmp_path: Path) -> None:
    cells = {"namings": "['أبو بكر', 'ابن أبي شيبة', 'أبو بكر']", "narrated_from": "[1, 2]", "narrated_to": "[3]"}
    row = read_narrators(_file(tmp_path, [_row("0", **cells)]), Report())[0]
    assert (row.forms, row.teacher_ids, row.student_ids) == (("أبو بكر", "ابن أبي شيبة"), (1, 2), (3,))


@pytest.mark.parametrize(
    ("cells", "code"),
    [
        ({"narrated_from": "[1, 2"}, "bad_list"),
        ({"narrated_from": "__import__('os')"}, "bad_list"),
        ({"narrated_from": "{'a': 1}"}, "bad_list"),
        ({"narrated_to": "[1, 'x']"}, "bad_value"),
        ({"namings": "['a', 3]"}, "bad_value"),
        ({"id_in_full_list": "12a"}, "bad_value"),
    ],
)
def test_values_that_cannot_be_read_are_reported(tmp_path: Path, cells: dict[str, str], code: str) -> None:
    report = Report()
    assert len(read_narrators(_file(tmp_path, [_row("0", **cells)]), report)) == 1
    assert (code, True) in _codes(report)


@pytest.mark.parametrize("cells", [{"id": "-"}, {"id": "x"}, {"name": "-"}])
def test_a_row_without_identity_is_skipped_and_reported(tmp_path: Path, cells: dict[str, str]) -> None:
    report = Report()
    assert read_narrators(_file(tmp_path, [_row("0", **cells)]), report) == []
    assert _codes(report) == {("no_identity", True)}


def test_the_same_id_twice_is_reported(tmp_path: Path) -> None:
    report = Report()
    assert [row.id for row in read_narrators(_file(tmp_path, [_row("0"), _row("0", name="آخر")]), report)] == [0]
    assert ("duplicate_id", True) in _codes(report)


def test_names_and_forms_that_several_bear_are_kept_apart_and_reported(tmp_path: Path) -> None:
    report = Report()
    rows = read_narrators(_file(tmp_path, [_row("0", name="زيد"), _row("1", name="زيد")]), report)
    assert len(rows) == 2
    assert {("same_name", False), ("shared_form", False)} <= _codes(report)


def test_r5_an_id_that_no_row_has_is_reported_and_not_skipped_silently(tmp_path: Path) -> None:
    rows = read_narrators(_file(tmp_path, [_row("0", narrated_from="[7]")]), Report())
    report = Report()
    assert recorded_pairs(rows, report) == []
    assert [(finding.code, finding.where, finding.detail) for finding in report.findings] == [
        ("dangling_id", "id 0", "narrated_from lists id 7, which no row has")
    ]


def test_a_narrator_who_lists_himself_is_reported(tmp_path: Path) -> None:
    rows = read_narrators(_file(tmp_path, [_row("0", narrated_from="[0]", narrated_to="[0]")]), Report())
    report = Report()
    assert recorded_pairs(rows, report) == []
    assert report.counts() == {"self_listed": 2}


def test_where_the_two_lists_disagree_the_pair_is_ambiguous(tmp_path: Path) -> None:
    rows = read_narrators(
        _file(tmp_path, [_row("0", narrated_from="[1, 2]"), _row("1", narrated_to="[0]"), _row("2")]), Report()
    )
    report = Report()
    pairs = recorded_pairs(rows, report)
    assert [(pair.teacher_id, pair.student_id, pair.recorded_status, pair.recorded_in) for pair in pairs] == [
        (1, 0, "attested", ("narrated_from", "narrated_to")),
        (2, 0, "ambiguous", ("narrated_from",)),
    ]
    assert report.counts() == {"lists_disagree": 1}


def test_a_pair_in_both_directions_stays_two_pairs(tmp_path: Path) -> None:
    both = "[1]", "[0]"
    rows = read_narrators(
        _file(
            tmp_path,
            [
                _row("0", narrated_from=both[0], narrated_to=both[0]),
                _row("1", narrated_from=both[1], narrated_to=both[1]),
            ],
        ),
        Report(),
    )
    report = Report()
    assert [(pair.teacher_id, pair.student_id) for pair in recorded_pairs(rows, report)] == [(0, 1), (1, 0)]
    assert report.counts() == {"both_directions": 1}


def test_another_file_is_refused_with_the_columns_that_it_misses(tmp_path: Path) -> None:
    columns = tuple(column for column in COLUMNS if column not in {"namings", "id"})
    with pytest.raises(MissingColumnsError) as refused:
        read_narrators(_file(tmp_path, [_row("0")], columns), Report())
    assert refused.value.missing == ("namings", "id")
    assert str(refused.value) == "not an AR-Sanad narrators file: it has no column namings, id"


def test_a_file_that_is_no_utf_8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "narrators.csv"
    path.write_bytes(b"name,id\n\xff\xfe,0\n")
    with pytest.raises(WrongFileError):
        read_narrators(path, Report())


def _school() -> list[dict[str, str]]:
    """Four narrators in a line; the two numberings run against each other."""
    return [
        _row(
            str(number),
            narrated_from=f"[{number + 1}]" if number < 3 else "-",
            narrated_to=f"[{number - 1}]" if number else "-",
            id_in_full_list=str((number * 2 + 1) % 4),
        )
        for number in range(4)
    ]


def test_the_numbering_of_a_chains_file_is_proven(tmp_path: Path) -> None:
    rows = read_narrators(_file(tmp_path, _school()), Report())
    path = tmp_path / "chains"
    path.write_text("0,1,2,3\n1,2,9\n", encoding="utf-8")
    report = Report()
    assert read_chains(path, "id", rows, report) == [ChainRow(1, (0, 1, 2, 3)), ChainRow(2, (1, 2, 9))]
    assert [(finding.code, finding.where) for finding in report.findings] == [("dangling_id", "id 9")]
    with pytest.raises(WrongFileError, match=r"not numbered by id_in_full_list: .*as values of id 100.0% are"):
        read_chains(path, "id_in_full_list", rows, Report())


def test_a_chains_file_that_cannot_be_proven_is_refused(tmp_path: Path) -> None:
    rows = read_narrators(_file(tmp_path, _school()), Report())
    with pytest.raises(WrongFileError, match="no step can be checked"):
        prove_id_column([ChainRow(1, (70, 80))], "id", rows)


def test_texts_and_chains_that_do_not_pair_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "texts"
    path.write_text("زيد [فاصل] عمرو\n", encoding="utf-8")
    assert read_chain_texts(path, [ChainRow(1, (0, 1))]) == [("زيد", "عمرو")]
    with pytest.raises(WrongFileError, match="line 1 has 2 names and 3 ids"):
        read_chain_texts(path, [ChainRow(1, (0, 1, 2))])
    with pytest.raises(WrongFileError, match="1 lines and the chains 0"):
        read_chain_texts(path, [])


@pytest.mark.parametrize("content", ["زيد,عمرو\n", "1,,2\n", "name,id\n"])
def test_another_file_is_no_chains_file(tmp_path: Path, content: str) -> None:
    path = tmp_path / "chains"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(WrongFileError, match="line 1 is no list of ids"):
        read_chains(path, "id", [], Report())


@needs_shared
def test_the_published_narrators() -> None:
    report = Report()
    rows = read_narrators(DATA / "lite-narrators.csv", report)
    pairs = recorded_pairs(rows, report)
    assert len(rows) == 2222
    assert sum(row.death is None for row in rows) == 271
    assert sum(row.generation is None for row in rows) == 700
    assert sum(row.grade_ibn_hajar is None for row in rows) == 696
    counts = report.counts()
    assert (counts["same_name"], counts["shared_form"], counts["self_listed"]) == (13, 735, 10)
    # 13 pairs stand in the teacher lists alone and 13 in the student lists alone.
    assert counts["lists_disagree"] == sum(pair.recorded_status == "ambiguous" for pair in pairs) == 26
    assert len({row.id for row in rows if "أبيه" in row.forms}) == 287


@needs_shared
def test_the_published_chains_are_read_in_one_numbering_only() -> None:
    rows = read_narrators(DATA / "lite-narrators.csv", Report())
    full = read_chains(DATA / "labels.test", "id_in_full_list", rows, Report())
    assert len(full) == 27056
    assert prove_id_column(full, "id_in_full_list", rows) == pytest.approx(0.96, abs=0.001)
    lite = read_chains(DATA / "labels-lite.val", "id", rows, Report())
    assert len(read_chain_texts(DATA / "sanads-lite.val", lite)) == 7829
    for name, wrong in (("labels.test", "id"), ("labels-lite.val", "id_in_full_list")):
        with pytest.raises(WrongFileError, match=f"not numbered by {wrong}:"):
            read_chains(DATA / name, wrong, rows, Report())  # type: ignore[arg-type]
