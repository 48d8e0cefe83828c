"""Reads commentaries in OpenITI mARkdown: one passage a heading, with its volume and page and the number it prints.

Pure reading: what comes out is typed records and a report. A number is one only where the heading prints nothing else
(`### | [8]`, `### | 2 -`); the number of a chapter (`### || AUTO (3) ...`) is no hadith's, and a heading without a number is
never taken for a part of the numbered passage before it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from isnad_database.importers.numbers import report_sequence
from isnad_database.importers.openiti import Edition, describe, page_of_end, pages_ahead, parts, plain, read_text
from isnad_database.importers.report import Report, WrongFileError

_HEADING: Final = re.compile(r"###\s+\|+\s*(?:AUTO\b)?\s*(.*)")
_NUMBER: Final = re.compile(r"\[\s*(\d+)\s*\]|(\d+)\s*-?")
_MARKS: Final = re.compile(r"ms\d+|PageV\d+P\d+")


@dataclass(frozen=True, slots=True)
class CommentaryPassage:
    """One part of what stands under a heading. Joined in order, the parts are its text, exactly.

    `number` is the number that the work prints as the heading; None where it prints none. `line` is the heading's line.
    """

    number: str | None
    heading: str | None
    text: str
    locator: str
    line: int
    part: int
    parts: int


@dataclass(frozen=True, slots=True)
class Commentary:
    """A whole work: its edition and its passages in the order of the text."""

    edition: Edition
    passages: tuple[CommentaryPassage, ...]


def read_commentary(path: Path, report: Report) -> Commentary:
    """Read one commentary, and the `.yml` beside it where there is one.

    An empty passage is skipped and reported. Repeated numbers and steps backwards are reported and kept: the page tells
    such passages apart.

    Raises:
        WrongFileError: the file is no OpenITI text, names no work or no author, is no commentary, or holds no passage.
    """
    text = read_text(path)
    if text.edition.title is None or text.edition.author is None:
        raise WrongFileError("its header names no work or no author; a passage without both is not published")
    if any(line.startswith("### $") for line in text.lines):
        raise WrongFileError("a biographical work, not a commentary: import it as openiti-biography")
    passages = tuple(_passages(text.lines, text.body, report))
    if not passages:
        raise WrongFileError("not a commentary: nothing stands under a heading (### |)")
    numbers = ((passage.number, f"line {passage.line}") for passage in passages if passage.part == 1)
    report_sequence(((number, where) for number, where in numbers if number is not None), report)
    return Commentary(text.edition, passages)


def _passages(lines: tuple[str, ...], body: int, report: Report) -> Iterator[CommentaryPassage]:
    pages = pages_ahead(lines)
    starts = [place for place in range(body, len(lines)) if lines[place].startswith("###")]
    title: str | None = None  # of a heading under which nothing stands: it belongs to the next
    for start, end in pairwise([*starts, len(lines)]):
        where = f"line {start + 1}"
        found = _HEADING.match(lines[start])
        if found is None:
            report.skip("unknown_heading", where, lines[start][:60])
            continue
        words = " ".join(_MARKS.sub("", found[1]).split())
        numbered = _NUMBER.fullmatch(words)
        number = (numbered[1] or numbered[2]) if numbered else None
        heading = title if numbered else (words or None)
        passage = plain(["", *lines[start + 1 : end]])
        if not passage:
            if number is not None or not words:
                report.skip("empty_passage", where, f"nothing stands under {words or 'an empty heading'}")
            title = None if numbered else (words or None)
            continue
        title = None
        if number is None:
            report.note("no_number", where, "the heading prints no number: kept, tied to no hadith")
        last = max(place for place in range(start, end) if plain([lines[place]]))
        locator = describe(number, pages[start], page_of_end(lines, pages, last)) or f"line {start + 1}"
        texts = parts(passage)
        for place, part in enumerate(texts, start=1):
            yield CommentaryPassage(number, heading, part, locator, start + 1, place, len(texts))
