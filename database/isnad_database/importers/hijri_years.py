"""Reads the Hijri years that biographical data give as free text, without making them more certain than they are."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from isnad_database.fold import fold

Kind = Literal["exact", "alternatives", "said_to_be", "range", "before", "after", "about", "as_written"]

_UNIT: Final = r"(?:\s*هـ*\b)?"
_YEAR: Final = re.compile(r"\d+")
_EXACT: Final = re.compile(r"(?:سنه )?Y")
_RANGE: Final = re.compile(r"Y : Y|(?:بين|من) Y (?:الي|و)\s?(?:: )?Y")
_ALTERNATIVES: Final = re.compile(r"Y(?: (?:او(?: :)?|:) Y)+")
_SAID: Final = re.compile(r"(?:قيل :? ?)?Y(?: (?:او|وقيل|ويقال|وقيل :|ويقال :|او :) Y)+")
_AROUND: Final[dict[str, Kind]] = {"قبل": "before", "قبيل": "before", "بعد": "after"}
_ABOUT: Final = re.compile(r"(?:نحو|حدود|في حدود(?: ال)?|قريبا من|قرب|حوالي)(?: سنه)? ?Y|Y و(?:نيف|بضع)")


@dataclass(frozen=True, slots=True)
class HijriYear:
    """A year AH as a source gives it.

    `text` is the source's wording. `kind` says how certain it is; `earliest` and `latest` bound it where the wording does,
    both inclusive and equal for `exact`. With `as_written` the wording is more than these rules read, and nothing is bounded.
    """

    text: str
    kind: Kind
    earliest: int | None = None
    latest: int | None = None

    @property
    def exact(self) -> int | None:
        """The year when the source names one and only one, else None."""
        return self.earliest if self.kind == "exact" else None


def parse_year(text: str) -> HijriYear | None:
    """Read a year cell. Takes the cell; `-` and an empty one give None. Never fails: what is not understood is `as_written`."""
    wording = text.strip()
    if wording in {"", "-"}:
        return None
    plain = fold(wording)
    years = [int(year) for year in _YEAR.findall(plain)]
    if not years or max(years) > 1500 or min(years) < 1:
        return HijriYear(wording, "as_written")
    shape = _shape(plain)
    low, high = min(years), max(years)
    if _EXACT.fullmatch(shape):
        return HijriYear(wording, "exact", low, high)
    if _RANGE.fullmatch(shape) and years[0] <= years[1]:
        return HijriYear(wording, "range", *years)
    if _ALTERNATIVES.fullmatch(shape):
        return HijriYear(wording, "alternatives", low, high)
    if _SAID.fullmatch(shape):
        return HijriYear(wording, "said_to_be", low, high)
    if _ABOUT.fullmatch(shape):
        return HijriYear(wording, "about")
    first, _, rest = shape.partition(" ")
    if first in _AROUND and _EXACT.fullmatch(rest):
        kind = _AROUND[first]
        return HijriYear(wording, kind, low if kind == "after" else None, high if kind == "before" else None)
    return HijriYear(wording, "as_written")


def _shape(plain: str) -> str:
    """The folded wording with each year (and its `هـ`) written `Y`, and commas, full stops and spaces made even."""
    shape = re.sub(r"\d+\s*ه?(?![^\W\d_])", "Y", plain)
    shape = re.sub(r"[،,.]", " ", shape).replace(":", " : ")
    shape = re.sub(r"\s+", " ", shape).strip()
    return re.sub(r"\b(او|وقيل|ويقال|قيل) : Y", r"\1 Y", shape)
