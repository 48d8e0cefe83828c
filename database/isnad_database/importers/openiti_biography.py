"""Reads biographical works in OpenITI mARkdown: one entry of the work, one notice, with edition, entry number and page.

Pure reading: what comes out is typed records and a report; storing is somebody else's job. An entry number alone is
no key (published texts repeat, miss and misplace numbers), so the page always goes with it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from isnad_database.importers.report import Report, WrongFileError

NOTICE_LIMIT: Final = 8_000
"""Characters of one notice at most; a longer entry becomes consecutive parts (docs: bounds of the contract)."""

Kind = Literal["man", "woman", "cross_reference", "other"]

_KINDS: Final[dict[str, Kind]] = {"$": "man", "$$": "woman", "$$$": "cross_reference"}

_MAGIC: Final = "######OpenITI#"
_HEADER_END: Final = "#META#Header#End#"
_META: Final = re.compile(r"#META#\s+(\S+)\s*::\s*(.*)")
_YML: Final = re.compile(r"\d+#(\w+)#([A-Z]+)#*:\s*(.*)")
_HEADING: Final = re.compile(r"###\s+(\$DIC_[A-Z]+\$|\$+|\|+)\s*(.*)")
_NUMBER: Final = re.compile(r"(\d+)\s*(?:-\s*)?")
_UNNUMBERED: Final = re.compile(r"\*\s*(?:-\s*)?")
_PAGE: Final = re.compile(r"PageV(\d+)P(\d+)")
_MARK: Final = re.compile(r"\s*(?:\bms\d+\b|PageV\d+P\d+)")
_NO_VALUE: Final = frozenset({"", "NODATA", "NOTGIVEN"})


@dataclass(frozen=True, slots=True)
class Edition:
    """The work and the printed edition behind the text, as its header and `.yml` name them; None where they do not."""

    text_uri: str
    work_uri: str | None
    title: str | None
    author: str | None
    author_died_ah: str | None
    editor: str | None
    number: str | None
    publisher: str | None
    place: str | None
    year: str | None
    volumes: str | None
    url: str | None


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
        where = []
        if self.number is not None:
            where.append(f"no. {self.number}")
        if self.volume is not None:
            pages = f"p. {self.page}"
            if self.last_volume != self.volume:
                pages = f"p. {self.page} to vol. {self.last_volume}, p. {self.last_page}"
            elif self.last_page != self.page:
                pages = f"pp. {self.page}-{self.last_page}"
            where.append(f"vol. {self.volume}, {pages}")
        return ", ".join(where)


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
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise WrongFileError("not an OpenITI text: it is not UTF-8") from error
    if not lines or not lines[0].startswith(_MAGIC):
        raise WrongFileError(f"not an OpenITI text: its first line is not {_MAGIC}")
    if _HEADER_END not in lines:
        raise WrongFileError(f"not an OpenITI text: it has no line {_HEADER_END}")
    body = lines.index(_HEADER_END) + 1
    notices = list(_notices(lines, body, report))
    if not any(notice.number is not None for notice in notices):
        raise WrongFileError("not a biographical work: it has no numbered entry (### $ N)")
    _report_numbers(notices, report)
    return Work(_edition(path, lines[:body]), tuple(part for notice in notices for part in split(notice)))


def split(notice: Notice) -> list[Notice]:
    """Cut an entry longer than `NOTICE_LIMIT` into consecutive parts, after a line or a space where there is one."""
    rest, texts = notice.text, []
    while len(rest) > NOTICE_LIMIT:
        cut = max(rest.rfind("\n", 1, NOTICE_LIMIT), 0) or max(rest.rfind(" ", 1, NOTICE_LIMIT), 0) or NOTICE_LIMIT - 1
        texts.append(rest[: cut + 1])
        rest = rest[cut + 1 :]
    texts.append(rest)
    return [replace(notice, text=text, part=place, parts=len(texts)) for place, text in enumerate(texts, start=1)]


def _edition(path: Path, header: Sequence[str]) -> Edition:
    meta = {found[1]: found[2].strip() for line in header if (found := _META.match(line))}
    beside = path.with_suffix(".yml")
    yml = {}
    if beside.is_file():
        yml = {found[2]: found[3].strip() for line in _yml_lines(beside) if (found := _YML.match(line))}

    def value(*keys: str) -> str | None:
        return next((meta[key] for key in keys if meta.get(key, "") not in _NO_VALUE), None)

    work = value("000.BookURI")
    return Edition(
        text_uri=yml.get("URI") or path.stem,
        work_uri=work.lstrip("#") if work else None,
        title=value("020.BookTITLE"),
        author=value("010.AuthorNAME", "010.AuthorAKA"),
        author_died_ah=value("011.AuthorDIED", "019.AuthorDIED"),
        editor=value("040.EdEDITOR"),
        number=value("041.EdNUMBER", "041.EdNumber"),
        publisher=value("043.EdPUBLISHER"),
        place=value("044.EdPLACE"),
        year=value("045.EdYEAR"),
        volumes=value("022.BookVOLS"),
        url=yml.get("BASED") or None,
    )


def _yml_lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8-sig").splitlines()


def _notices(lines: Sequence[str], body: int, report: Report) -> Iterator[Notice]:
    pages = _pages_ahead(lines)
    starts = [place for place in range(body, len(lines)) if lines[place].startswith("###")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
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
        text = _text([opening, *lines[start + 1 : end]])
        if not text:
            report.skip("empty_entry", where, f"entry {number if number is not None else 'without number'} has no text")
            continue
        if kind != "cross_reference" and number is None:
            report.note("no_number", where, "an entry that is tagged as numbered has no number")
        last = end - 1
        while last > start and not _text([lines[last]]):
            last -= 1
        first_page, last_page = pages[start], _page_of_end(lines, pages, last)
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


def _text(lines: Sequence[str]) -> str:
    """The entry's words: marks of page and milestone removed, each paragraph on a line of its own."""
    paragraphs: list[str] = []
    for place, line in enumerate(lines):
        opens = line.startswith("# ") or place == 0
        bare = _MARK.sub("", line.removeprefix("# ").removeprefix("~~")).strip()
        if not bare:
            continue
        if opens or not paragraphs:
            paragraphs.append(bare)
        else:
            paragraphs[-1] += " " + bare
    return "\n".join(paragraphs)


_Page = tuple[int | None, int | None]


def _pages_ahead(lines: Sequence[str]) -> list[_Page]:
    """For each line, the page on which it begins: a mark stands at the end of its page, so the next one counts."""
    ahead: list[_Page] = [(None, None)] * len(lines)
    following: _Page = (None, None)
    for place in range(len(lines) - 1, -1, -1):
        marks = _PAGE.findall(lines[place])
        if marks:
            following = (int(marks[0][0]), int(marks[0][1]))
        ahead[place] = following
    return ahead


def _page_of_end(lines: Sequence[str], pages: Sequence[_Page], last: int) -> _Page:
    """The page on which the words of a line end: words behind the line's last mark stand on the next page."""
    marks = list(_PAGE.finditer(lines[last]))
    if not marks:
        return pages[last]
    if _MARK.sub("", lines[last][marks[-1].end() :]).strip():
        after = pages[last + 1] if last + 1 < len(lines) else (None, None)
        if after[0] is not None:
            return after
    if not _MARK.sub("", lines[last][: marks[-1].start()]).removeprefix("~~").strip() and len(marks) == 1:
        return pages[last]
    return int(marks[-1][1]), int(marks[-1][2])


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
