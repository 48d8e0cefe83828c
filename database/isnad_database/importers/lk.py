"""Reads chapters of the LK Hadith Corpus (Leeds and King Saud University): isnad and matn apart, Arabic and English.

Pure reading: what comes out is typed records and a report. Published at https://github.com/ShathaTm/LK-Hadith-Corpus, one
CSV a chapter; the folder names the collection. The corpus calls a book (kitab) "chapter" and a chapter (bab) "section".
Its Bukhari was split by hand, the rest by a tool (92 % right, as its authors say).
"""

import csv
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from isnad_database.importers.numbers import number_text, present, report_sequence
from isnad_database.importers.report import MissingColumnsError, Report, WrongFileError

SCHEME: Final = "lk"
"""The numbering of `Hadith_number`."""

COLUMNS: Final = (
    "Chapter_Number", "Chapter_English", "Chapter_Arabic", "Section_Number", "Section_English", "Section_Arabic",
    "Hadith_number", "English_Hadith", "English_Isnad", "English_Matn", "Arabic_Hadith", "Arabic_Isnad", "Arabic_Matn",
    "Arabic_Comment", "English_Grade", "Arabic_Grade",
)  # fmt: skip
_LETTER: Final = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class LkHadith:
    """One row. None is what the file has not; `row` is the line of the file on which the row ends."""

    row: int
    number: str
    book_number: str | None
    book_title_ar: str | None
    chapter_number: str | None
    chapter_title_ar: str | None
    text_ar: str
    isnad_ar: str | None
    matn_ar: str | None
    comment_ar: str | None
    text_en: str | None
    isnad_en: str | None
    matn_en: str | None


def read_chapter(path: Path, report: Report) -> list[LkHadith]:
    """Read one chapter's CSV.

    A row without a number or an Arabic text is skipped. Reported and kept: a text that is not the sum of isnad, matn and
    comment, a missing matn, repeated numbers and steps backwards.

    Raises:
        MissingColumnsError: columns are missing.
        WrongFileError: it is no CSV in UTF-8, or has no usable row.
    """
    rows = []
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            missing = [column for column in COLUMNS if column not in (reader.fieldnames or ())]
            if missing:
                raise MissingColumnsError("LK chapter", missing)
            for raw in reader:
                row = _row(raw, reader.line_num, report)
                if row is not None:
                    rows.append(row)
    except (UnicodeDecodeError, csv.Error) as error:
        raise WrongFileError("not an LK chapter: it is no CSV in UTF-8") from error
    if not rows:
        raise WrongFileError("the chapter holds no hadith")
    report_sequence(((row.number, f"row {row.row}") for row in rows), report)
    return rows


def _row(raw: dict[str, str], line: int, report: Report) -> LkHadith | None:
    cells = {column: present(raw[column]) for column in COLUMNS}
    number, text = number_text(cells["Hadith_number"]), cells["Arabic_Hadith"]
    if number is None or text is None:
        report.skip("no_identity", f"row {line}", "a number and an Arabic text are both needed")
        return None
    parts = [cells[column] for column in ("Arabic_Isnad", "Arabic_Matn", "Arabic_Comment")]
    if parts[1] is None:
        report.note("no_matn", f"row {line}", f"number {number} has no matn")
    if _letters("".join(part or "" for part in parts)) != _letters(text):
        report.note("parts_differ", f"row {line}", f"number {number}: the text is not the sum of its parts")
    return LkHadith(
        row=line,
        number=number,
        book_number=number_text(cells["Chapter_Number"]),
        book_title_ar=cells["Chapter_Arabic"],
        chapter_number=number_text(cells["Section_Number"]),
        chapter_title_ar=cells["Section_Arabic"],
        text_ar=text,
        isnad_ar=parts[0],
        matn_ar=parts[1],
        comment_ar=parts[2],
        text_en=cells["English_Hadith"],
        isnad_en=cells["English_Isnad"],
        matn_en=cells["English_Matn"],
    )


def _letters(text: str) -> str:
    return "".join(_LETTER.findall(text))
