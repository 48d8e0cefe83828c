"""Reads edition files of hadith-api: the texts of one collection in one language, by number.

Pure reading: what comes out is typed records and a report. Published at https://github.com/fawazahmed0/hadith-api as
`editions/<language>-<collection>.json`; the name is the only place where a file says what it is.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from isnad_database.importers.numbers import number_text, present, report_sequence
from isnad_database.importers.report import Report, WrongFileError

SCHEME: Final = "hadith-api"
"""The numbering of `hadithnumber`."""

_NAME: Final = re.compile(r"([a-z]{3})-([a-z]+)")
_LANGUAGES: Final = {
    "ara": "ar", "ben": "bn", "eng": "en", "fra": "fr", "ind": "id", "rus": "ru", "tam": "ta", "tur": "tr", "urd": "ur",
}  # fmt: skip
_GLUED: Final = re.compile(r"[\"”»]\s*\.?\s+[A-ZÀ-Ý][^.!?\"”»]*$")  # words without an end after the end of a quotation
_NO_BOOK: Final = "0"


@dataclass(frozen=True, slots=True)
class EditionText:
    """One hadith. Numbers are text; `arabic_number` is another count, and wrong in places: it is given, never joined by."""

    number: str
    arabic_number: str | None
    text: str
    book: str | None
    number_in_book: str | None
    grades: tuple[tuple[str | None, str | None], ...]


@dataclass(frozen=True, slots=True)
class EditionFile:
    """One file. `language` has two letters where it has such a code; `books` gives the titles in English."""

    language: str
    collection: str
    name: str
    books: dict[str, str]
    texts: tuple[EditionText, ...]


def read_edition(path: Path, report: Report) -> EditionFile:
    """Read an edition file; its name must begin as the publisher has it, `fra-bukhari`.

    An empty text is no translation: skipped and reported. Repeated numbers, steps backwards and texts that look cut or
    glued to a heading are reported and kept.

    Raises:
        WrongFileError: the file's name or its content is not that of an edition file, or it holds no text at all.
    """
    named = _NAME.match(path.name)
    if named is None:
        raise WrongFileError("not named as an edition file is, <language>-<collection>.json, as in fra-bukhari.json")
    data = _load(path)
    try:
        name = str(data["metadata"]["name"])
        books = {str(key): str(title) for key, title in data["metadata"]["sections"].items() if present(title)}
        raw = list(data["hadiths"])
        texts = tuple(_texts(raw, report))
    except (KeyError, TypeError, AttributeError) as error:
        raise WrongFileError("not an edition file: it lacks metadata.name, metadata.sections or hadiths") from error
    if not texts:
        raise WrongFileError(f"the edition holds {len(raw)} hadiths and no text")
    return EditionFile(_LANGUAGES.get(named[1], named[1]), named[2], name, books, texts)


def _load(path: Path) -> dict[str, Any]:
    """The JSON, with fractions kept as they are written: 402.20 is not 402.2."""
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"), parse_float=str)
    except ValueError as error:  # neither JSON nor UTF-8
        raise WrongFileError("not an edition file: it is not JSON in UTF-8") from error
    if not isinstance(data, dict):
        raise WrongFileError("not an edition file: it is no JSON object")
    return data


def _texts(raw: list[dict[str, Any]], report: Report) -> Iterator[EditionText]:
    places = []
    for position, item in enumerate(raw, start=1):
        number, where = number_text(item["hadithnumber"]), f"hadith {position}"
        if number is None:
            report.skip("no_number", where, "it has no hadithnumber")
            continue
        where = f"hadithnumber {number}"
        places.append((number, f"entry {position}"))
        text = item["text"] if present(item["text"]) else None
        if text is None:
            report.skip("no_translation", where, "the text is empty")
            continue
        if item.get("arabicnumber") is None:
            report.note("no_arabicnumber", where, "it has no arabicnumber")
        if text.count('"') % 2:
            report.note("unclosed_quotation", where, "a quotation mark has no counterpart: the text may stop early")
        if _GLUED.search(text):
            report.note("heading_at_the_end", where, "the heading of the next chapter may be glued to the text")
        place = item.get("reference") or {}
        book = number_text(place.get("book"))
        if book == _NO_BOOK:
            report.note("no_book", where, "upstream gives it to no book")
        yield EditionText(
            number=number,
            arabic_number=number_text(item.get("arabicnumber")),
            text=text,
            book=None if book == _NO_BOOK else book,
            number_in_book=None if book == _NO_BOOK else number_text(place.get("hadith")),
            grades=tuple((present(grade.get("name")), present(grade.get("grade"))) for grade in item.get("grades", ())),
        )
    report_sequence(places, report)
