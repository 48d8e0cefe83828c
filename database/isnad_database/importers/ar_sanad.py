"""Reads the published files of AR-Sanad 280K: narrators with their teachers and students, and chains of narrator ids.

Pure reading: what comes out is typed records and a report; storing is somebody else's job. The chains exist in two
numberings that look alike (`id`, 0 to 2221, and `id_in_full_list`, 0 to 18241). A chain read in the wrong one is
plausible and false, so a file is accepted only when the recorded teachers prove the numbering.
"""

import ast
import csv
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final, Literal, TypeVar

from isnad_database.importers.hijri_years import HijriYear, parse_year
from isnad_database.importers.ranks import GradeTier, generation_number, grade_tier
from isnad_database.importers.report import MissingColumnsError, Report, WrongFileError

COLUMNS: Final = (
    "name",
    "namings",
    "Ibnhajar_rank",
    "shuhra",
    "laqab",
    "nasab",
    "selat_karaba",
    "mazhab",
    "kunia",
    "death_year",
    "tabaqa",
    "zahabi_rank",
    "living_city",
    "birth_year",
    "death_city",
    "journey_city",
    "id",
    "narrated_from",
    "narrated_to",
    "id_in_full_list",
)
SEPARATOR: Final = "[فاصل]"
_Value = TypeVar("_Value", str, int)
IdColumn = Literal["id", "id_in_full_list"]

PROOF_SHARE: Final = 0.9
"""Share of checkable steps in which the second narrator must be a recorded teacher of the first. Measured on the
published files: 96.0 % and 99.9 % in the right column, 1.4 % in the wrong one."""


@dataclass(frozen=True, slots=True)
class NarratorRow:
    """One narrator as the file gives him; None where it has `-`. Ids are values of `id`; wordings are as written."""

    id: int
    id_in_full_list: int | None
    name: str
    forms: tuple[str, ...]
    grade_ibn_hajar: str | None
    grade_tier: GradeTier | None
    grade_dhahabi: str | None
    known_as: str | None
    epithet: str | None
    nisbas: str | None
    kin: str | None
    school: str | None
    kunya: str | None
    birth: HijriYear | None
    death: HijriYear | None
    generation: str | None
    generation_number: int | None
    living_city: str | None
    death_city: str | None
    journey_city: str | None
    teacher_ids: tuple[int, ...]
    student_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RecordedPair:
    """A teacher and a student as the lists record them: `attested` by both lists, `ambiguous` by one alone."""

    teacher_id: int
    student_id: int
    recorded_status: Literal["attested", "ambiguous"]
    recorded_in: tuple[Literal["narrated_from", "narrated_to"], ...]


@dataclass(frozen=True, slots=True)
class ChainRow:
    """One line of a chains file: its number from 1, and its narrator ids from the compiler's teacher on."""

    line: int
    ids: tuple[int, ...]


def read_narrators(path: Path, report: Report) -> list[NarratorRow]:
    """Read a narrators file (CSV, UTF-8).

    Raises `MissingColumnsError` when columns are missing, `WrongFileError` when it is no CSV in UTF-8. Rows and
    values that cannot be read are skipped and reported; names borne by several and ids without a record are reported
    and kept.
    """
    rows: list[NarratorRow] = []
    seen: set[int] = set()
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            missing = [column for column in COLUMNS if column not in (reader.fieldnames or ())]
            if missing:
                raise MissingColumnsError("an AR-Sanad narrators file", missing)
            for raw in reader:
                row = _narrator(raw, f"row {reader.line_num}", report)
                if row is None:
                    continue
                if row.id in seen:
                    report.skip("duplicate_id", f"row {reader.line_num}", f"id {row.id} stands on an earlier row too")
                    continue
                seen.add(row.id)
                rows.append(row)
    except (UnicodeDecodeError, csv.Error) as error:
        raise WrongFileError(f"not an AR-Sanad narrators file: {type(error).__name__}") from error
    _report_rows(rows, report)
    return rows


def recorded_pairs(rows: Sequence[NarratorRow], report: Report) -> list[RecordedPair]:
    """The teacher and student pairs that the lists of these narrators record, by teacher and student id.

    Takes all rows of one file. A narrator who lists himself and an id without a record are skipped and reported; a
    pair that only one of the two lists has is kept as `ambiguous`; a pair that stands in both directions is kept
    both ways and reported.
    """
    known = {row.id for row in rows}
    lists: dict[tuple[int, int], list[Literal["narrated_from", "narrated_to"]]] = defaultdict(list)
    for row in rows:
        for teacher in dict.fromkeys(row.teacher_ids):
            if _usable(teacher, row.id, known, "narrated_from", report):
                lists[teacher, row.id].append("narrated_from")
        for student in dict.fromkeys(row.student_ids):
            if _usable(student, row.id, known, "narrated_to", report):
                lists[row.id, student].append("narrated_to")
    pairs = []
    for (teacher, student), found in sorted(lists.items()):
        if len(found) == 1:
            report.note(
                "lists_disagree", f"id {teacher} to id {student}", f"only {found[0]} has the pair: kept as ambiguous"
            )
        if teacher < student and (student, teacher) in lists:
            report.note("both_directions", f"id {teacher} and id {student}", "each is recorded as the other's teacher")
        pairs.append(RecordedPair(teacher, student, "attested" if len(found) > 1 else "ambiguous", tuple(found)))
    return pairs


def read_chains(path: Path, id_column: IdColumn, rows: Sequence[NarratorRow], report: Report) -> list[ChainRow]:
    """Read a chains file whose ids are said to be values of `id_column` of these narrators.

    Raises `WrongFileError` when a line is no list of ids, or when the recorded teachers do not prove the numbering.
    Ids without a record are reported once each and kept: the published chains use many narrators whom the lite file
    does not have.
    """
    chains: list[ChainRow] = []
    for number, line in enumerate(_lines(path), start=1):
        try:
            chains.append(ChainRow(number, tuple(int(value) for value in line.split(","))))
        except ValueError:
            raise WrongFileError(f"not an AR-Sanad chains file: line {number} is no list of ids") from None
    prove_id_column(chains, id_column, rows)
    known = _by_column(rows, id_column)
    dangling = Counter(value for chain in chains for value in chain.ids if value not in known)
    for value, times in sorted(dangling.items()):
        report.note("dangling_id", f"{id_column} {value}", f"no narrator has it; {times} chain nodes do")
    return chains


def prove_id_column(chains: Iterable[ChainRow], id_column: IdColumn, rows: Sequence[NarratorRow]) -> float:
    """Prove that chains are numbered by a column.

    Returns the share of checkable steps whose second narrator is a recorded teacher of the first. Raises
    `WrongFileError` when the share is under `PROOF_SHARE` or no step can be checked, naming the column that fits.
    """
    chains = list(chains)
    share = _teacher_share(chains, id_column, rows)
    if share is not None and share >= PROOF_SHARE:
        return share
    other: IdColumn = "id" if id_column == "id_in_full_list" else "id_in_full_list"
    rival = _teacher_share(chains, other, rows)
    fits = f"; as values of {other} {rival:.1%} are" if rival is not None else ""
    said = "no step can be checked" if share is None else f"only {share:.1%} of the steps are recorded transmissions"
    raise WrongFileError(f"the chains are not numbered by {id_column}: {said}{fits}")


def read_chain_texts(path: Path, chains: Sequence[ChainRow]) -> list[tuple[str, ...]]:
    """Read the text file that goes with a chains file: for each line the name forms in chain order, exactly as written.

    Raises `WrongFileError` when the two files do not pair line by line and name by name.
    """
    texts = [tuple(form.strip() for form in line.split(SEPARATOR)) for line in _lines(path)]
    if len(texts) != len(chains):
        raise WrongFileError(f"the texts have {len(texts)} lines and the chains {len(chains)}")
    for chain, forms in zip(chains, texts, strict=True):
        if len(forms) != len(chain.ids):
            raise WrongFileError(f"line {chain.line} has {len(forms)} names and {len(chain.ids)} ids")
    return texts


def _narrator(raw: dict[str, str], where: str, report: Report) -> NarratorRow | None:
    cells = {column: _cell(raw[column]) for column in COLUMNS}
    identifier, name = cells["id"], cells["name"]
    if identifier is None or not identifier.isdecimal() or name is None:
        report.skip("no_identity", where, f"id {raw['id']!r}, name {raw['name']!r}: both are needed")
        return None
    full = cells["id_in_full_list"]
    if full is not None and not full.isdecimal():
        report.skip("bad_value", where, f"id_in_full_list {full!r} is no number")
        full = None
    grade, generation = cells["Ibnhajar_rank"], cells["tabaqa"]
    return NarratorRow(
        id=int(identifier),
        id_in_full_list=int(full) if full is not None else None,
        name=name,
        forms=tuple(dict.fromkeys(_list(cells["namings"], str, where, "namings", report))),
        grade_ibn_hajar=grade,
        grade_tier=grade_tier(grade) if grade is not None else None,
        grade_dhahabi=cells["zahabi_rank"],
        known_as=cells["shuhra"],
        epithet=cells["laqab"],
        nisbas=cells["nasab"],
        kin=cells["selat_karaba"],
        school=cells["mazhab"],
        kunya=cells["kunia"],
        birth=parse_year(cells["birth_year"] or ""),
        death=parse_year(cells["death_year"] or ""),
        generation=generation,
        generation_number=generation_number(generation) if generation is not None else None,
        living_city=cells["living_city"],
        death_city=cells["death_city"],
        journey_city=cells["journey_city"],
        teacher_ids=tuple(_list(cells["narrated_from"], int, where, "narrated_from", report)),
        student_ids=tuple(_list(cells["narrated_to"], int, where, "narrated_to", report)),
    )


def _cell(value: str | None) -> str | None:
    text = (value or "").strip()
    return None if text in {"", "-"} else text


def _list(cell: str | None, kind: type[_Value], where: str, column: str, report: Report) -> list[_Value]:
    if cell is None:
        return []
    try:
        values = ast.literal_eval(cell)
    except (ValueError, SyntaxError):
        values = None
    if not isinstance(values, list):
        report.skip("bad_list", where, f"{column} is no list of values")
        return []
    good = [value for value in values if type(value) is kind and value != "-"]
    if len(good) < len(values):
        report.skip("bad_value", where, f"{column} holds {len(values) - len(good)} values that are no {kind.__name__}")
    return good


def _report_rows(rows: Sequence[NarratorRow], report: Report) -> None:
    names: dict[str, list[int]] = defaultdict(list)
    forms: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        names[row.name].append(row.id)
        for form in row.forms:
            forms[form].append(row.id)
        for column, year in (("birth_year", row.birth), ("death_year", row.death)):
            if year is not None and year.kind == "as_written":
                report.note("year_as_written", f"id {row.id}", f"{column} {year.text!r} is kept as written")
        if row.grade_ibn_hajar is not None and row.grade_tier is None:
            report.note("grade_as_written", f"id {row.id}", f"{row.grade_ibn_hajar!r} names no one tier")
        if row.generation is not None and row.generation_number is None:
            report.note("generation_as_written", f"id {row.id}", f"{row.generation!r} names no one generation")
    for name, ids in names.items():
        if len(ids) > 1:
            report.note("same_name", name, f"is the name of ids {', '.join(map(str, ids))}: kept apart")
    for form, ids in forms.items():
        if len(ids) > 1:
            report.note("shared_form", form, f"is borne by {len(ids)} narrators")


def _usable(other: int, own: int, known: set[int], column: str, report: Report) -> bool:
    where = f"id {own}"
    if other == own:
        report.skip("self_listed", where, f"{column} lists the narrator himself")
        return False
    if other not in known:
        report.skip("dangling_id", where, f"{column} lists id {other}, which no row has")
        return False
    return True


def _by_column(rows: Iterable[NarratorRow], column: IdColumn) -> dict[int, NarratorRow]:
    by_id = {row.id: row for row in rows}
    if column == "id":
        return by_id
    return {row.id_in_full_list: row for row in by_id.values() if row.id_in_full_list is not None}


def _teacher_share(chains: Iterable[ChainRow], column: IdColumn, rows: Sequence[NarratorRow]) -> float | None:
    known = _by_column(rows, column)
    checked = agreeing = 0
    for chain in chains:
        for student_id, teacher_id in pairwise(chain.ids):
            student, teacher = known.get(student_id), known.get(teacher_id)
            if student is not None and teacher is not None:
                checked += 1
                agreeing += teacher.id in student.teacher_ids or student.id in teacher.student_ids
    return agreeing / checked if checked else None


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise WrongFileError("not a text file in UTF-8") from error
