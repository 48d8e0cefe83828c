"""Numbers and missing values as published files write them: numbers are text, and a missing value is no value."""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from isnad_database.importers.report import Report

_MISSING: Final = frozenset({"", "-", "nan"})
_WHOLE: Final = re.compile(r"(\d+)\.0")
_RANGE: Final = re.compile(r"(\d+[a-z]?)\s*[-–]\s*(\d+[a-z]?)")
_LEADING: Final = re.compile(r"\d+(?:\.\d+)?")


def present(value: str | None) -> str | None:
    """The value without blanks around it; None where it is one of the spellings of a missing value."""
    text = (value or "").strip()
    return None if text.casefold() in _MISSING else text


def number_text(value: object) -> str | None:
    """A number as text: `1.0` is the 1 of a table program, `622 -623` is 622-623; all else stays as it is written."""
    text = present(None if value is None else str(value))
    if text is None:
        return None
    if found := _WHOLE.fullmatch(text):
        return found[1]
    if found := _RANGE.fullmatch(text):
        return f"{found[1]}-{found[2]}"
    return text


def number_order(number: str) -> Decimal | None:
    """What a number is ordered by, and for nothing else: its first number; None where it has none."""
    found = _LEADING.match(number)
    return Decimal(found.group()) if found else None


def report_sequence(numbers: Iterable[tuple[str, str]], report: Report) -> None:
    """Report numbers that occur again and numbers that step backwards; they are kept as they stand.

    Args:
        numbers: number and place of each record, in the order of the file.
        report: where it is told.
    """
    first: dict[str, str] = {}
    before: tuple[Decimal, str] | None = None
    for number, where in numbers:
        if number in first:
            report.note("repeated_number", where, f"number {number} stands at {first[number]} too")
        first.setdefault(number, where)
        order = number_order(number)
        if order is None:
            report.note("not_a_number", where, f"{number!r} does not begin with a number")
            continue
        if before is not None and order < before[0]:
            report.note("out_of_order", where, f"number {number} stands after {before[1]}")
        before = (order, number)
