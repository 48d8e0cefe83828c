"""Reads biographical works in OpenITI mARkdown: one entry of the work, one notice, with edition, entry number and page.

Pure reading: what comes out is typed records and a report; storing is somebody else's job. An entry number alone is
no key (published texts repeat, miss and misplace numbers), so the page always goes with it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Final, Literal

from isnad_database.importers.openiti import (
    PASSAGE_LIMIT,
    Edition,
    describe,
    page_of_end,
    pages_ahead,
    parts,
    plain,
    read_text,
)
from isnad_database.importers.report import Report, WrongFileError

NOTICE_LIMIT: Final = PASSAGE_LIMIT

Kind = Literal["man", "woman", "cross_reference", "other"]

_KINDS: Final[dict[str, Kind]] = {"$": "man", "$$": "woman", "$$$": "cross_reference"}

_HEADING: Final = re.compile(r"###\s+(\$DIC_[A-Z]+\$|\$+|\|+)\s*(.*)")
_NUMBER: Final = re.compile(r"(\d+)\s*(?:-\s*)?")
_UNNUMBERED: Final = re.compile(r"\*\s*(?:-\s*)?")


@dataclass(frozen=True, slots=True)
class Notice:
    """One entry, or one part of a long one. Joined in order, the parts are the entry's text, exactly.

    `number` is the work's own entry number (None for a cross-reference). The entry begins on page `page` of `volume`
    and ends on `last_page` of `last_volume`; all None where the text has no page mark after it. `line` is the
    heading's line in the file.
    """

    number: int | None
    kind: Kind
    text: str
    volume: int | None
    page: int | None
    last_volume: int | None
    last_page: int | None
    line: int
    part: int = 1
    parts: int = 1

    @property
    def locator(self) -> str:
        """Where the entry stands: its number and its page (`no. 12, vol. 1, p. 77`), as far as the text says."""
        return describe(self.number, (self.volume, self.page), (self.last_volume, self.last_page))


@dataclass(frozen=True, slots=True)
class Work:
    """A whole work: its edition and its notices in the order of the text."""

    edition: Edition
    notices: tuple[Notice, ...]


def read_work(path: Path, report: Report) -> Work:
    """Read one biographical work, and the `.yml` beside it where there is one.

    Raises `WrongFileError` when the file is no OpenITI text or holds no biographical entry, naming what it lacks.
    Repeated, missing and misplaced numbers are reported and kept as they are; empty entries are skipped and reported.
    """
    text = read_text(path)
    notices = list(_notices(text.lines, text.body, report))
    if not any(notice.number is not None for notice in notices):
        raise WrongFileError("not a biographical work: it has no numbered entry (### $ N)")
    _report_numbers(notices, report)
    return Work(text.edition, tuple(part for notice in notices for part in split(notice)))


def split(notice: Notice) -> list[Notice]:
    """Cut an entry longer than `NOTICE_LIMIT` into consecutive parts, after a line or a space where there is one."""
    texts = parts(notice.text)
    return [replace(notice, text=text, part=place, parts=len(texts)) for place, text in enumerate(texts, start=1)]


def _notices(lines: Sequence[str], body: int, report: Report) -> Iterator[Notice]:
    pages = pages_ahead(lines)
    starts = [place for place in range(body, len(lines)) if lines[place].startswith("###")]
    for start, end in pairwise([*starts, len(lines)]):
        found = _HEADING.match(lines[start])
        where = f"line {start + 1}"
        if found is None:
            report.skip("unknown_heading", where, lines[start][:60])
            continue
        if found[1].startswith("|"):
            continue
        number, opening = _number(found[1], found[2])
        kind = _KINDS.get(found[1], "other")
        if found[1].startswith("$DIC_"):
            report.note("other_tag", where, f"entry {number} is tagged {found[1]}")
        text = plain([opening, *lines[start + 1 : end]])
        if not text:
            report.skip("empty_entry", where, f"entry {number if number is not None else 'without number'} has no text")
            continue
        if kind != "cross_reference" and number is None:
            report.note("no_number", where, "an entry that is tagged as numbered has no number")
        last = end - 1
        while last > start and not plain([lines[last]]):
            last -= 1
        first_page, last_page = pages[start], page_of_end(lines, pages, last)
        yield Notice(
            number, kind, text, *first_page, *(last_page if first_page[0] is not None else (None, None)), start + 1
        )


def _number(tag: str, rest: str) -> tuple[int | None, str]:
    """The entry's number and what of the text stands on the heading line."""
    unnumbered = _UNNUMBERED.match(rest)
    if unnumbered is not None:
        return None, rest[unnumbered.end() :]
    found = None if tag == "$$$" else _NUMBER.match(rest)
    return (int(found[1]), rest[found.end() :]) if found else (None, rest)


def _report_numbers(notices: Sequence[Notice], report: Report) -> None:
    numbered = [(notice.number, notice) for notice in notices if notice.number is not None]
    seen: dict[int, Notice] = {}
    highest = 0
    for number, notice in numbered:
        where = f"line {notice.line}"
        if number in seen:
            report.note(
                "repeated_number", where, f"entry {number} stands on line {seen[number].line} too: kept apart by page"
            )
        elif number < highest:
            report.note("out_of_order", where, f"entry {number} stands after {highest}")
        seen.setdefault(number, notice)
        highest = max(highest, number)
    for number in sorted(set(range(1, highest + 1)) - seen.keys()):
        report.note("missing_number", f"entry {number}", "the text has no entry with this number")
