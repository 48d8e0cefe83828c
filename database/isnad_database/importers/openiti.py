"""OpenITI mARkdown, as far as every work has it: header and `.yml`, page marks, paragraphs.

A page mark (`PageV01P077`) stands at the end of its page; `ms003` is a technical mark; `# ` opens a paragraph and `~~`
continues it. Source: the corpus's own description, https://maximromanov.github.io/mARkdown/.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from isnad_database.importers.report import WrongFileError

PASSAGE_LIMIT: Final = 8_000
"""Characters of one stored text at most; a longer one becomes consecutive parts (docs/contract.md, "Bounds")."""

_MAGIC: Final = "######OpenITI#"
_HEADER_END: Final = "#META#Header#End#"
_META: Final = re.compile(r"#META#\s+(\S+)\s*::\s*(.*)")
_META_SHAMELA: Final = re.compile(r"#META#\s+([^:]+):\s+(.*)")
_YML: Final = re.compile(r"\d+#(\w+)#([A-Z]+)#*:\s*(.*)")
_PAGE: Final = re.compile(r"PageV(\d+)P(\d+)")
_MARK: Final = re.compile(r"\s*(?:\bms\d+\b|PageV\d+P\d+)")
_NO_VALUE: Final = frozenset({"", "NODATA", "NOTGIVEN", "NOCODE", "None"})


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
class Text:
    """A file: its edition, all its lines, and where the body begins."""

    edition: Edition
    lines: tuple[str, ...]
    body: int


Page = tuple[int | None, int | None]
"""Volume and page; None where no page mark follows."""


def read_text(path: Path) -> Text:
    """Read an OpenITI text, and the `.yml` beside it where there is one.

    Raises:
        WrongFileError: the file is no OpenITI text; the message names what it lacks.
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
    return Text(_edition(path, lines[:body]), tuple(lines), body)


def plain(lines: Sequence[str]) -> str:
    """The words of some lines: marks of page and milestone removed, each paragraph on a line of its own."""
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


def pages_ahead(lines: Sequence[str]) -> list[Page]:
    """For each line, the page on which it begins: a page mark stands at the end of its page, so the next mark counts."""
    ahead: list[Page] = [(None, None)] * len(lines)
    following: Page = (None, None)
    for place in range(len(lines) - 1, -1, -1):
        marks = _PAGE.findall(lines[place])
        if marks:
            following = (int(marks[0][0]), int(marks[0][1]))
        ahead[place] = following
    return ahead


def page_of_end(lines: Sequence[str], pages: Sequence[Page], last: int) -> Page:
    """The page on which the words of a line end: where words follow the line's last mark, they stand on the next page."""
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


def describe(number: object, first: Page, last: Page) -> str:
    """Where something stands: its number and its pages (`no. 12, vol. 1, p. 77`), as far as the text says."""
    where = [] if number is None else [f"no. {number}"]
    (volume, page), (last_volume, last_page) = first, last
    if volume is not None:
        pages = f"p. {page}"
        if last_volume is not None and last_volume != volume:
            pages = f"p. {page} to vol. {last_volume}, p. {last_page}"
        elif last_page is not None and last_page != page:
            pages = f"pp. {page}-{last_page}"
        where.append(f"vol. {volume}, {pages}")
    return ", ".join(where)


def parts(text: str) -> list[str]:
    """Cut a text longer than `PASSAGE_LIMIT` into consecutive parts, after a line or a space where there is one."""
    rest, cut_off = text, []
    while len(rest) > PASSAGE_LIMIT:
        cut = (
            max(rest.rfind("\n", 1, PASSAGE_LIMIT), 0) or max(rest.rfind(" ", 1, PASSAGE_LIMIT), 0) or PASSAGE_LIMIT - 1
        )
        cut_off.append(rest[: cut + 1])
        rest = rest[cut + 1 :]
    return [*cut_off, rest]


def _edition(path: Path, header: Sequence[str]) -> Edition:
    meta = {found[1].strip(): found[2].strip() for line in header if (found := _META_SHAMELA.match(line))}
    meta |= {found[1]: found[2].strip() for line in header if (found := _META.match(line))}
    beside = path.with_name(path.name + ".yml") if path.suffix != ".mARkdown" else path.with_suffix(".yml")
    beside = beside if beside.is_file() else path.with_suffix(".yml")
    yml: dict[str, str] = {}
    if beside.is_file():
        lines = beside.read_text(encoding="utf-8-sig").splitlines()
        yml = {found[2]: found[3].strip() for line in lines if (found := _YML.match(line))}

    def value(*keys: str) -> str | None:
        return next((meta[key] for key in keys if meta.get(key, "") not in _NO_VALUE), None)

    work = value("000.BookURI")
    based = yml.get("BASED", "")
    return Edition(
        text_uri=yml.get("URI") or path.name.removesuffix(".mARkdown").removesuffix(".completed"),
        work_uri=work.lstrip("#") if work else None,
        title=value("020.BookTITLE", "الكتاب", "bk"),
        author=value("010.AuthorNAME", "010.AuthorAKA", "المؤلف", "auth"),
        author_died_ah=value("011.AuthorDIED", "019.AuthorDIED", "higrid"),
        editor=value("040.EdEDITOR", "المحقق"),
        number=value("041.EdNUMBER", "041.EdNumber", "الطبعة"),
        publisher=value("043.EdPUBLISHER", "الناشر"),
        place=value("044.EdPLACE"),
        year=value("045.EdYEAR"),
        volumes=value("022.BookVOLS", "عدد الأجزاء"),
        url=next((url for url in (based, value("031.LibREADONLINE") or "") if url.startswith("http")), None),
    )
