"""Reads the Hijri years that biographical data give as free text, without making them more certain than they are."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from isnad_gateway.domain.fold import fold

Kind = Literal["exact", "alternatives", "said_to_be", "range", "before", "after", "about", "as_written"]

_YEAR: Final = re.compile(r"\d+")
_LAST_YEAR: Final = 1500
# What the wordings look like once `_shape` has written each year Y.
_SHAPES: Final[tuple[tuple[Kind, re.Pattern[str]], ...]] = (
    ("exact", re.compile(r"(?:سنه )?Y")),
    ("range", re.compile(r"Y : Y|(?:بين|من) Y (?:الي|و)\s?(?:: )?Y")),
    ("alternatives", re.compile(r"Y(?: (?:او|:) Y)+")),
    ("said_to_be", re.compile(r"(?:قيل :? ?)?Y(?: (?:او|وقيل|ويقال) Y)+")),
    ("about", re.compile(r"(?:نحو|حدود|في حدود(?: ال)?|قريبا من|قرب|حوالي)(?: سنه)? ?Y|Y و(?:نيف|بضع)")),
    ("before", re.compile(r"(?:قبل|قبيل) (?:سنه )?Y")),
    ("after", re.compile(r"بعد (?:سنه )?Y")),
)


@dataclass(frozen=True, slots=True)
class HijriYear:
    """A year AH as a source gives it.

    `text` is the source's wording. `kind` says how certain it is; `earliest` and `latest` bound it where the wording
    does, both inclusive and equal for `exact`. With `as_written` the wording is more than these rules read, and
    nothing is bounded.
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
    """Read a year cell.

    Takes the cell; `-` and an empty one give None. Never fails: what is not understood is `as_written`.
    """
    wording = text.strip()
    if wording in {"", "-"}:
        return None
    plain = fold(wording)
    years = [int(year) for year in _YEAR.findall(plain)]
    if not years or not all(0 < year <= _LAST_YEAR for year in years):
        return HijriYear(wording, "as_written")
    shape = _shape(plain)
    kind: Kind = next((kind for kind, pattern in _SHAPES if pattern.fullmatch(shape)), "as_written")
    if kind in {"about", "as_written"} or (kind == "range" and years[0] > years[1]):
        return HijriYear(wording, "as_written" if kind == "range" else kind)
    earliest = None if kind == "before" else min(years)
    latest = None if kind == "after" else max(years)
    return HijriYear(wording, kind, earliest, latest)


def _shape(plain: str) -> str:
    """The folded wording with each year (and its `هـ`) written `Y`, and commas, full stops and spaces made even."""
    shape = re.sub(r"\d+\s*ه?(?![^\W\d_])", "Y", plain)
    shape = re.sub(r"[،,.]", " ", shape).replace(":", " : ")
    shape = re.sub(r"\s+", " ", shape).strip()
    return re.sub(r"\b(او|وقيل|ويقال|قيل) : Y", r"\1 Y", shape)
