"""Reads entries of HadeethEnc as its `hadeeths/one` call gives them: hadith, explanation and translation side by side.

Pure reading: what comes out is typed records and a report. Source: https://hadeethenc.com. The plain fields are in the
language that was asked for, those in `_ar` are Arabic.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from isnad_database.importers.numbers import number_text, present
from isnad_database.importers.report import Report, WrongFileError

PUBLISHER: Final = "HadeethEnc.com"
LICENCE: Final = "verbatim redistribution with attribution and version, without modification; removal on request"
"""As others quote it; the publisher's own page is the authority."""

_NEEDED: Final = ("id", "hadeeth", "hadeeth_ar", "explanation_ar")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry. `explanation` and `attribution` are in the file's language; None where the file has none."""

    id: str
    hadeeth_ar: str
    hadeeth: str | None
    explanation_ar: str
    explanation: str | None
    attribution_ar: str | None
    attribution: str | None
    grade_ar: str | None


def read_entries(path: Path, report: Report) -> list[Entry]:
    """Read a file that holds one entry or a list of entries. Line ends are as published.

    An entry without an Arabic hadith or explanation is skipped and reported, and so is a second entry of the same id.

    Raises:
        WrongFileError: the file is not in this format, or no entry can be used.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise WrongFileError("not a HadeethEnc file: it is not JSON in UTF-8") from error
    items = data if isinstance(data, list) else [data]
    if not items or not all(isinstance(item, dict) for item in items):
        raise WrongFileError("not a HadeethEnc file: it holds no entry")
    for item in items:
        missing = [name for name in _NEEDED if name not in item]
        if missing:
            raise WrongFileError(f"not a HadeethEnc file: an entry has no field {', '.join(missing)}")
    entries = list(_entries(items, report))
    if not entries:
        raise WrongFileError("no entry has an Arabic hadith and an Arabic explanation")
    return entries


def _entries(items: list[dict[str, Any]], report: Report) -> Iterator[Entry]:
    seen: set[str] = set()
    for position, item in enumerate(items, start=1):
        values = {name: _text(item.get(name)) for name in item}
        number, where = number_text(item["id"]), f"entry {position}"
        if number is None or values["hadeeth_ar"] is None or values["explanation_ar"] is None:
            report.skip("incomplete", where, "an id, an Arabic hadith and an Arabic explanation are all needed")
            continue
        if number in seen:
            report.skip("repeated_id", where, f"id {number} stands earlier in the file")
            continue
        seen.add(number)
        if values.get("explanation") is None:
            report.note("no_translation", f"id {number}", "the explanation is in Arabic alone")
        yield Entry(
            id=number,
            hadeeth_ar=values["hadeeth_ar"],
            hadeeth=values["hadeeth"],
            explanation_ar=values["explanation_ar"],
            explanation=values.get("explanation"),
            attribution_ar=values.get("attribution_ar"),
            attribution=values.get("attribution"),
            grade_ar=values.get("grade_ar"),
        )


def _text(value: object) -> str | None:
    """A text as published, blanks within and around it kept; None where it is missing or no text."""
    return value if isinstance(value, str) and present(value) else None
