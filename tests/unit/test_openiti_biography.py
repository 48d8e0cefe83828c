"""OpenITI biographical works: marks and every defect of the published texts, on a made-up work and on those."""

from pathlib import Path

import pytest
from tests.shared import SHARED, needs_shared

from isnad_database.importers.openiti_biography import NOTICE_LIMIT, Notice, Work, read_work, split
from isnad_database.importers.report import Report, WrongFileError

DATA = SHARED / "data" / "openiti" / "biography" if SHARED else Path()
TAQRIB = "0852IbnHajarCasqalani.TaqribTahdhib.JK000121-ara1.completed"
KASHIF = "0748Dhahabi.Kashif.Shia003276Vols-ara1.mARkdown"

HEADER = """######OpenITI#

#META# 000.BookURI	:: #0900.Muallif.Kitab
#META# 010.AuthorNAME	:: مؤلف لا وجود له
#META# 011.AuthorDIED	:: 900
#META# 020.BookTITLE	:: كتاب لا وجود له
#META# 040.EdEDITOR	:: NODATA
#META# 043.EdPUBLISHER	:: دار لا وجود لها
#META# 045.EdYEAR	:: 1400 - 1980
#META#Header#End#

"""
BODY = """### | ( حرف الألف )
# مقدمة لا تنسب إلى أحد
### $ 1 أحمد بن ms003 سيف النجدي ثقة ms004، من الثالثة
~~مات سنة تسعين
### $$$ أحمد التاجر هو الذي قبله PageV01P007
### $ 2 -
# إبراهيم بن نوفل، عن سالم.
# وعنه زيد. PageV01P008
### $$ 3 عاتكة بنت سيف لا تعرف
~~PageV01P009
~~ولها حديث PageV01P010
### $ 5 خالد بن زيد مقبول
### $ 5 خالد بن زيد آخر ضعيف PageV02P001
### $ 4 جابر بن فهد صدوق
### $DIC_NIS$ 6 القيسي صحابي
### $ * -
# رجل لم يرقم
### $$$ PageV02P002
### $ 7 آخرهم لا صفحة بعده
"""


def _read(folder: Path, text: str = HEADER + BODY, report: Report | None = None) -> Work:
    path = folder / "0900Muallif.Kitab.X1-ara1.completed"
    path.write_text(text, encoding="utf-8")
    path.with_suffix(".yml").write_text(
        "00#VERS#URI######: 0900Muallif.Kitab.X1-ara1\n80#VERS#BASED####: https://example.org/edition\n",
        encoding="utf-8",
    )
    return read_work(path, report or Report())


def _by_number(work: Work) -> dict[int | None, Notice]:
    return {notice.number: notice for notice in work.notices}


def test_edition_comes_from_header_and_yml(tmp_path: Path) -> None:
    edition = _read(tmp_path).edition
    assert (edition.text_uri, edition.work_uri, edition.title, edition.author, edition.publisher, edition.year) == (
        "0900Muallif.Kitab.X1-ara1",
        "0900.Muallif.Kitab",
        "كتاب لا وجود له",
        "مؤلف لا وجود له",
        "دار لا وجود لها",
        "1400 - 1980",
    )
    assert (edition.editor, edition.place, edition.url) == (None, None, "https://example.org/edition")


def test_text_is_exact_and_its_marks_are_gone(tmp_path: Path) -> None:
    notices = _by_number(_read(tmp_path))
    assert notices[1].text == "أحمد بن سيف النجدي ثقة، من الثالثة مات سنة تسعين"
    assert notices[2].text == "إبراهيم بن نوفل، عن سالم.\nوعنه زيد."
    assert notices[3].text == "عاتكة بنت سيف لا تعرف ولها حديث"


def test_kinds_and_numbers(tmp_path: Path) -> None:
    kinds = [(notice.number, notice.kind) for notice in _read(tmp_path).notices]
    assert kinds == [
        (1, "man"),
        (None, "cross_reference"),
        (2, "man"),
        (3, "woman"),
        (5, "man"),
        (5, "man"),
        (4, "man"),
        (6, "other"),
        (None, "man"),
        (7, "man"),
    ]


def test_a_page_mark_stands_at_the_end_of_its_page(tmp_path: Path) -> None:
    notices = _by_number(_read(tmp_path))
    assert notices[1].locator == "no. 1, vol. 1, p. 7"
    assert notices[2].locator == "no. 2, vol. 1, p. 8"
    assert notices[3].locator == "no. 3, vol. 1, pp. 9-10"
    assert notices[4].locator == "no. 4, vol. 2, p. 2"
    # No mark follows the last entry: its page is not known, and not guessed.
    assert notices[7].locator == "no. 7"


def test_a_number_alone_is_no_key(tmp_path: Path) -> None:
    twice = [notice for notice in _read(tmp_path).notices if notice.number == 5]
    assert [(notice.text, notice.volume, notice.page, notice.line) for notice in twice] == [
        ("خالد بن زيد مقبول", 2, 1, twice[0].line),
        ("خالد بن زيد آخر ضعيف", 2, 1, twice[0].line + 1),
    ]


def test_every_defect_is_reported(tmp_path: Path) -> None:
    report = Report()
    _read(tmp_path, report=report)
    assert [(finding.code, finding.skipped) for finding in report.findings] == [
        ("other_tag", False),
        ("no_number", False),
        ("empty_entry", True),
        ("repeated_number", False),
        ("out_of_order", False),
    ]
    missing = Report()
    _read(tmp_path, HEADER + "### $ 1 أحمد\n### $ 3 خالد\n", missing)
    assert [(finding.code, finding.where) for finding in missing.findings] == [("missing_number", "entry 2")]


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("name,id\n", "its first line is not ######OpenITI#"),
        ("######OpenITI#\n# نص\n", "no line #META#Header#End#"),
        (HEADER + "### | [8]\n# شرح\n", "no numbered entry (### $ N)"),
    ],
)
def test_another_file_is_refused_with_what_it_lacks(tmp_path: Path, text: str, lacks: str) -> None:
    with pytest.raises(WrongFileError) as refused:
        _read(tmp_path, text)
    assert lacks in str(refused.value)


@pytest.mark.parametrize("length", [NOTICE_LIMIT - 1, NOTICE_LIMIT, NOTICE_LIMIT + 1, 3 * NOTICE_LIMIT + 5])
@pytest.mark.parametrize("word", ["كلمة ", "كلمة\n", "ا"])
def test_a_long_notice_becomes_consecutive_parts(length: int, word: str) -> None:
    text = (word * length)[:length]
    parts = split(Notice(1, "man", text, 1, 2, 1, 2, 3))
    assert "".join(part.text for part in parts) == text
    assert all(0 < len(part.text) <= NOTICE_LIMIT for part in parts)
    assert [(part.part, part.parts) for part in parts] == [(place + 1, len(parts)) for place in range(len(parts))]
    assert (len(parts) == 1) == (length <= NOTICE_LIMIT)
    assert {part.locator for part in parts} == {"no. 1, vol. 1, p. 2"}


@needs_shared
def test_the_published_taqrib() -> None:
    report = Report()
    work = read_work(DATA / TAQRIB, report)
    kinds = [notice.kind for notice in work.notices]
    assert (kinds.count("man"), kinds.count("woman"), kinds.count("other")) == (8522, 302, 4)
    # 3,217 cross-references, two of them without a word.
    assert (kinds.count("cross_reference"), report.counts()["empty_entry"]) == (3215, 2)
    repeated = [finding.detail.split()[1] for finding in report.findings if finding.code == "repeated_number"]
    missing = [finding.where for finding in report.findings if finding.code == "missing_number"]
    assert repeated == ["622", "2518", "4391", "6508"]
    # 8499 to 8502 are there, under another tag.
    assert missing == ["entry 623", "entry 7117"]
    assert work.notices[0].locator == "no. 1, vol. 1, p. 77"
    assert (work.edition.title, work.edition.editor, work.edition.year) == (
        "تقريب التهذيب",
        "محمد عوامة",
        "1406 - 1986",
    )
    assert not any("ms0" in notice.text or "PageV" in notice.text or "~~" in notice.text for notice in work.notices)


@needs_shared
def test_the_published_kashif() -> None:
    report = Report()
    work = read_work(DATA / KASHIF, report)
    kinds = [notice.kind for notice in work.notices]
    assert (kinds.count("man"), kinds.count("woman"), kinds.count("cross_reference")) == (6979, 234, 1054)
    repeated = [finding.detail.split()[1] for finding in report.findings if finding.code == "repeated_number"]
    assert repeated == ["5248", "5363", "6567"]
    assert {f"entry {number}" for number in range(6847, 6850)} <= {
        finding.where for finding in report.findings if finding.code == "missing_number"
    }
    assert ("out_of_order", "entry 6495 stands after 6510") in {
        (finding.code, finding.detail) for finding in report.findings
    }
    assert (work.notices[0].number, work.notices[0].text[:20]) == (1, "أحمد بن إبراهيم المو")
    assert {notice.volume for notice in work.notices} == {1, 2}
