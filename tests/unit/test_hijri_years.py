"""Years are read as certain as their wording, and no more."""

import pytest

from isnad_database.importers.hijri_years import HijriYear, parse_year


@pytest.mark.parametrize("cell", ["-", "", "  ", " - "])
def test_missing_is_none(cell: str) -> None:
    assert parse_year(cell) is None


@pytest.mark.parametrize(
    ("wording", "kind", "earliest", "latest"),
    [
        ("197 هـ", "exact", 197, 197),
        ("197هـ", "exact", 197, 197),
        ("381 هــ", "exact", 381, 381),
        ("١٩٧ هـ .", "exact", 197, 197),
        ("224", "exact", 224, 224),
        ("235 هـ ، أو 234 هـ", "alternatives", 234, 235),
        ("275 هـ ، أو :  276 هـ  .", "alternatives", 275, 276),
        ("68 هـ  أو 72 هـ أو 78 هـ", "alternatives", 68, 78),
        ("234 هـ ، وقيل : 232 هـ", "said_to_be", 232, 234),
        ("243 هـ ، ويقال : 244 هـ", "said_to_be", 243, 244),
        ("121 هـ : 130 هـ", "range", 121, 130),
        ("بين 91 هـ إلى 100 هـ", "range", 91, 100),
        ("بين 131 هـ و140 هـ", "range", 131, 140),
        ("قبل 127هـ", "before", None, 127),
        ("قبل سنة 100 هـ", "before", None, 100),
        ("بعد 180 هـ", "after", 180, None),
        ("في حدود 350 هـ", "about", None, None),
        ("قريبا من 115 هـ", "about", None, None),
        ("70 هـ ونيف", "about", None, None),
        ("قال البخاري : 235 هـ . وقال غيره : 234 هـ ، والأول أصح", "as_written", None, None),
        ("خلافة يزيد بن عبد الملك", "as_written", None, None),
        ("130 هـ : 121 هـ", "as_written", None, None),
        ("99999 هـ", "as_written", None, None),
    ],
)
def test_wordings(wording: str, kind: str, earliest: int | None, latest: int | None) -> None:
    year = parse_year(wording)
    assert isinstance(year, HijriYear)
    assert (year.kind, year.earliest, year.latest) == (kind, earliest, latest)
    assert year.text == wording.strip()
    assert year.exact == (earliest if kind == "exact" else None)
