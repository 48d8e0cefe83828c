"""The sandbox's table of narrators: whole, of one piece, and each fact as the source that was read has it."""

import csv
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tests.shared import SHARED, needs_shared

from isnad_database import names
from isnad_database.importers.ar_sanad import NarratorRow, read_narrators
from isnad_database.importers.hijri_years import parse_year
from isnad_database.importers.openiti_biography import Notice, read_work
from isnad_database.importers.ranks import generation_number
from isnad_database.importers.report import Report
from isnad_database.notice_linker import entry_lineage
from isnad_gateway.domain.fold import fold

TABLE = Path(__file__).resolve().parents[2] / "database" / "sandbox" / "narrators.tsv"
DATA = SHARED / "data" if SHARED else Path()
TAQRIB = DATA / "openiti" / "biography" / "0852IbnHajarCasqalani.TaqribTahdhib.JK000121-ara1.completed"
FACTS = ("generation", "grade", "region", "death")
SOURCES = {"taqrib", "ar-sanad"}


def _rows() -> Iterator[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


ROWS = list(_rows())


@cache
def _ar_sanad() -> dict[int, NarratorRow]:
    return {row.id: row for row in read_narrators(DATA / "ar-sanad" / "lite-narrators.csv", Report())}


@cache
def _taqrib() -> dict[tuple[int, int], Notice]:
    return {
        (notice.number, notice.page): notice
        for notice in read_work(TAQRIB, Report()).notices
        if notice.number is not None and notice.page is not None
    }


def _words(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", fold(text)))


def _entry(row: dict[str, str]) -> Notice:
    return _taqrib()[int(row["taqrib_number"]), int(row["taqrib_page"])]


def test_the_table_is_whole() -> None:
    assert len(ROWS) >= 200
    for row in ROWS:
        assert None not in {*row, *row.values()}
        assert all(value == value.strip() for value in row.values())
        assert row["key"] == (
            f"ar-sanad:{row['ar_sanad_id']}" if row["ar_sanad_id"] else f"taqrib:{row['taqrib_number']}"
        )
        assert all(row[column] for column in ("name_ar", "name_fr", "forms"))
    assert max(Counter(row["key"] for row in ROWS).values()) == 1
    assert max(Counter(row["taqrib_number"] for row in ROWS).values()) == 1
    assert max(Counter(row["name_ar"] for row in ROWS).values()) == 1


@pytest.mark.parametrize("fact", FACTS)
def test_every_fact_has_a_source_and_no_source_is_without_a_fact(fact: str) -> None:
    column = {"grade": "grade_ar", "death": "death_certainty"}.get(fact, fact)
    assert any(row[column] for row in ROWS)
    for row in ROWS:
        assert bool(row[column]) == bool(row[f"{fact}_source"])
        assert row[f"{fact}_source"] in SOURCES | {""}


def test_forms_are_names_and_no_kinship() -> None:
    for row in ROWS:
        keys = [names.name_key(form) for form in row["forms"].split("; ")]
        assert len(keys) == len(set(keys))
        assert not any(names.is_kin(key) or names.is_nameless(key) for key in keys)


def test_french_names_are_latin_and_as_many_words_as_the_arabic() -> None:
    for row in ROWS:
        assert re.fullmatch(r"[A-Za-z' -]+", row["name_fr"])
        assert len(row["name_fr"].split()) == len(row["name_ar"].split())


def test_years_are_as_certain_as_they_say() -> None:
    for row in ROWS:
        exact, earliest, latest = (row[f"death_{name}"] for name in ("year_ah", "earliest", "latest"))
        if row["death_certainty"] == "exact":
            assert exact == earliest == latest != ""
        else:
            assert exact == ""
        if earliest and latest:
            assert int(earliest) <= int(latest)


@needs_shared
@pytest.mark.parametrize("row", ROWS, ids=[row["key"] for row in ROWS])
def test_names_agree_with_the_sources(row: dict[str, str]) -> None:
    own = names.lineage(row["name_ar"])
    texts = [names.name_key(_entry(row).text)]
    if row["ar_sanad_id"]:
        texts.append(names.name_key(_ar_sanad()[int(row["ar_sanad_id"])].name).replace("طاووس", "طاوس"))
    own_words = set(names.name_key(row["name_ar"]).split()) - {"ابو", "بن", "عبد", "الله"}
    assert all(own_words & set(text.split()) for text in texts)
    assert all(any(name in text for text in texts) for name in own)
    stated = entry_lineage(_entry(row).text)
    if own[0] == stated[0] and min(len(own), len(stated)) > 1:
        # The father is the same man's father, and no name is taken from further up (R3).
        assert own[1] == stated[1] or not row["ar_sanad_id"] or own[1] in texts[1]


@needs_shared
@pytest.mark.parametrize("row", ROWS, ids=[row["key"] for row in ROWS])
def test_facts_stand_in_their_sources(row: dict[str, str]) -> None:
    notice = f" {_words(_entry(row).text)} "
    dataset = _ar_sanad()[int(row["ar_sanad_id"])] if row["ar_sanad_id"] else None
    if row["grade_source"] == "taqrib":
        assert f" {_words(row['grade_ar'])} " in notice
    if row["generation_source"] == "taqrib":
        assert _generation(notice) == int(row["generation"])
    elif row["generation_source"]:
        assert dataset is not None
        assert dataset.generation_number == int(row["generation"])
    if row["region"]:
        assert re.search(f" (?:ال)?(?:{PLACES[row['region']]}) ", notice)
    if row["death_source"] == "taqrib":
        for year in {row["death_earliest"], row["death_latest"]}:
            assert _states_year(notice, int(year)), year
    elif row["death_source"]:
        assert dataset is not None
        death = parse_year(dataset.death.text if dataset.death else "")
        assert death is not None
        assert (death.kind, death.earliest, death.latest) == (
            row["death_certainty"],
            int(row["death_earliest"]) if row["death_earliest"] else None,
            int(row["death_latest"]) if row["death_latest"] else None,
        )


PLACES = {
    "Medina": "مدني|مدنيه",
    "Mecca": "مكي|مكه",
    "Kufa": "كوفي|كوفه",
    "Basra": "بصري|بصره",
    "Egypt": "مصري|مصر|اسكندريه",
    "Damascus": "دمشقي",
    "Homs": "حمصي",
    "Wasit": "واسطي",
    "Baghdad": "بغدادي|بغداد",
    "Yemen": "يماني|صنعاني|يمن",
    "Nishapur": "نيسابوري|نيسابور",
    "Marw": "مروزي|مرو",
    "Rayy": "رازي|ري",
    "Balkh": "بلخي",
    "Bukhara": "بخاري",
    "Yamama": "يمامي",
}
UNITS = ("", "احدي|احد", "اثنتين|اثنتي", "ثلاث", "اربع", "خمس", "ست", "سبع", "ثمان|ثماني", "تسع")
TENS = ("", "عشر|عشره", "عشرين", "ثلاثين", "اربعين", "خمسين", "ستين", "سبعين", "ثمانين", "تسعين")
COMPANION = re.compile(r" (?:ال)?صحابيه? | ام المومنين | زوج النبي | صحبه | وصحب | من الصحابه | العشره | بدري ")


def _generation(notice: str) -> int | None:
    found = re.search(r" من (?:(?:كبار|صغار|رووس|راس) )?(?:الطبقه )?(?:ال\w+ عشره|ال\w+ه)(?= )", notice)
    for match in re.finditer(r" (من (?:\w+ )?(?:الطبقه )?(?:الحاديه عشره|الثانيه عشره|ال\w+ه))(?= )", notice):
        number = generation_number(match[1])
        if number is not None:
            return number
    return 1 if found is None or COMPANION.search(notice) else None


def _states_year(notice: str, year: int) -> bool:
    """Whether the notice states the year in words or figures; the century may be left out."""
    if f" {year} " in notice:
        return True
    tens, units = divmod(year % 100, 10)
    if not year % 100:
        return bool(re.search(r" (?:مايه|ماءه|مايتين|ماءتين) ", notice))
    said_units = not units or bool(re.search(f" (?:{UNITS[units]}) ", notice))
    said_tens = not tens or bool(re.search(f" و?(?:{TENS[tens]}) ", notice))
    return said_units and said_tens
