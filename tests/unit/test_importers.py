"""The importers' reading: made-up files for each defect that the published ones have, and the published ones themselves."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest
from tests.shared import SHARED, needs_shared

from isnad_database.importers.hadeethenc import read_entries
from isnad_database.importers.hadith_api import read_edition
from isnad_database.importers.lk import COLUMNS, read_chapter
from isnad_database.importers.numbers import number_order, number_text, present, report_sequence
from isnad_database.importers.openiti import describe, parts
from isnad_database.importers.openiti_commentary import read_commentary
from isnad_database.importers.report import Report, WrongFileError

DATA = Path("/nowhere") if SHARED is None else SHARED / "data"


def _edition(folder: Path, *hadiths: dict[str, Any], name: str = "fra-made.json") -> Path:
    path = folder / name
    rows = [
        {"hadithnumber": 1, "arabicnumber": 1, "text": "Un.", "grades": [], "reference": {"book": 1, "hadith": 1}} | h
        for h in hadiths
    ]
    path.write_text(json.dumps({"metadata": {"name": "Made up", "sections": {"0": "", "1": "One"}}, "hadiths": rows}))
    return path


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("1.0", "1"), (1, "1"), ("402.2", "402.2"), ("8.05", "8.05"), ("408-409", "408-409"), ("622 -623", "622-623"),
        ("2242 - 2243", "2242-2243"), ("8a", "8a"), ("nan", None), ("-", None), ("", None), (None, None), (" 7 ", "7"),
    ],
)  # fmt: skip
def test_numbers_are_text(written: object, number: str | None) -> None:
    """N7, N8."""
    assert number_text(written) == number


@pytest.mark.parametrize(
    ("value", "text"), [("nan", None), ("NaN", None), ("-", None), ("", None), (" ", None), (" a ", "a")]
)
def test_missing_values(value: str, text: str | None) -> None:
    """N8."""
    assert present(value) == text


def test_order_is_of_the_first_number_alone() -> None:
    assert [str(number_order(each)) for each in ("402.2", "8a", "408-409", "x")] == ["402.2", "8", "408", "None"]


def test_repeats_and_steps_backwards_are_reported() -> None:
    """N7."""
    report = Report()
    report_sequence([(number, f"row {place}") for place, number in enumerate(["1", "3", "2", "2", "x", "4"])], report)
    assert report.counts() == {"out_of_order": 1, "repeated_number": 1, "not_a_number": 1}


class TestHadithApi:
    def test_an_empty_text_is_no_translation(self, tmp_path: Path) -> None:
        """T4."""
        report = Report()
        edition = read_edition(
            _edition(tmp_path, {}, {"hadithnumber": 2, "text": ""}, {"hadithnumber": 3, "text": "nan"}), report
        )
        assert [text.number for text in edition.texts] == ["1"]
        assert report.counts()["no_translation"] == 2

    def test_numbers_as_they_are_written(self, tmp_path: Path) -> None:
        """N5, N7."""
        path = _edition(
            tmp_path, {"hadithnumber": 402.2, "arabicnumber": "8.05"}, {"hadithnumber": 1000, "arabicnumber": None}
        )
        path.write_text(path.read_text().replace("402.2", "402.20"))
        texts = read_edition(path, report := Report()).texts
        assert [(text.number, text.arabic_number) for text in texts] == [("402.20", "8.05"), ("1000", None)]
        assert report.counts()["no_arabicnumber"] == 1

    def test_book_zero_is_no_book(self, tmp_path: Path) -> None:
        [text] = read_edition(_edition(tmp_path, {"reference": {"book": 0, "hadith": 3}}), Report()).texts
        assert (text.book, text.number_in_book) == (None, None)

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ('Il a dit : "Un', "unclosed_quotation"),
            ('"Un". Prières considérées comme un pilier', "heading_at_the_end"),
        ],
    )
    def test_odd_ends_are_reported_and_kept(self, tmp_path: Path, text: str, code: str) -> None:
        report = Report()
        [found] = read_edition(_edition(tmp_path, {"text": text}), report).texts
        assert found.text == text
        assert code in report.counts()

    @pytest.mark.parametrize(
        ("name", "content", "message"),
        [
            ("bukhari.json", "{}", "not named as an edition file"),
            ("fra-made.json", "[]", "no JSON object"),
            ("fra-made.json", "no json", "not JSON"),
            ("fra-made.json", '{"hadiths": []}', "it lacks"),
            ("fra-made.json", '{"metadata": {"name": "x", "sections": {}}, "hadiths": []}', "0 hadiths and no text"),
        ],
    )
    def test_another_file_is_refused(self, tmp_path: Path, name: str, content: str, message: str) -> None:
        (tmp_path / name).write_text(content)
        with pytest.raises(WrongFileError, match=message):
            read_edition(tmp_path / name, Report())

    @needs_shared
    def test_french_muslim(self) -> None:
        report = Report()
        edition = read_edition(DATA / "hadith-api/jsontocsv/fra-muslim.json", report)
        assert (edition.language, edition.collection, len(edition.texts)) == ("fr", "muslim", 1082)
        assert report.counts()["no_translation"] == 7563 - 1082
        by_number = {text.number: text for text in edition.texts}
        assert by_number["97"].arabic_number == "8.05"
        assert any(f.code == "heading_at_the_end" and f.where == "hadithnumber 97" for f in report.findings)

    @needs_shared
    def test_bukhari(self) -> None:
        report = Report()
        arabic = read_edition(DATA / "hadith-api/editions/ara-bukhari.sections-1-7.json", report)
        french = read_edition(DATA / "hadith-api/editions/fra-bukhari.sections-1-7.json", Report())
        assert [text.number for text in arabic.texts] == [text.number for text in french.texts]
        assert {text.number for text in arabic.texts if text.book is None} == {"299", "300", "329"}
        assert any(f.code == "unclosed_quotation" and f.where == "hadithnumber 1" for f in report.findings)


def _chapter(folder: Path, *rows: dict[str, str]) -> Path:
    path = folder / "Chapter1.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="nan")
        writer.writeheader()
        writer.writerows(
            {"Hadith_number": "1.0", "Arabic_Hadith": "نص", "Arabic_Isnad": "ن", "Arabic_Matn": "ص"} | row
            for row in rows
        )
    return path


class TestLk:
    def test_nan_is_null(self, tmp_path: Path) -> None:
        """N8."""
        [row] = read_chapter(_chapter(tmp_path, {}), Report())
        assert (row.number, row.comment_ar, row.chapter_title_ar, row.text_en) == ("1", None, None, None)

    def test_isnad_and_matn_stay_apart(self, tmp_path: Path) -> None:
        report = Report()
        rows = read_chapter(
            _chapter(
                tmp_path,
                {"Arabic_Hadith": '\u200fحدثنا فلان،\n"نص"', "Arabic_Isnad": "حدثنا فلان،", "Arabic_Matn": '"نص"'},
                {"Hadith_number": "2", "Arabic_Matn": "nan"},
                {"Hadith_number": "3", "Arabic_Hadith": "nan"},
            ),
            report,
        )
        assert [(row.isnad_ar, row.matn_ar) for row in rows] == [("حدثنا فلان،", '"نص"'), ("ن", None)]
        assert rows[0].text_ar == '\u200fحدثنا فلان،\n"نص"'
        assert report.counts() == {"no_matn": 1, "parts_differ": 1, "no_identity": 1}

    @pytest.mark.parametrize(
        ("content", "message"), [("a,b\n1,2\n", "no column Chapter_Number"), (",".join(COLUMNS), "no hadith")]
    )
    def test_another_file_is_refused(self, tmp_path: Path, content: str, message: str) -> None:
        (tmp_path / "x.csv").write_text(content)
        with pytest.raises(WrongFileError, match=message):
            read_chapter(tmp_path / "x.csv", Report())

    @needs_shared
    def test_published_chapters(self) -> None:
        report, rows = Report(), []
        for path in sorted((DATA / "lk-hadith-corpus/Bukhari").glob("*.csv")):
            rows += read_chapter(path, report)
        assert len(rows) == 2514
        assert {"408-409", "622-623"} <= {row.number for row in rows}
        assert sum(row.matn_ar is None for row in rows) == 2
        numbers = [row.number for row in rows]
        assert sorted({number for number in numbers if numbers.count(number) > 1}, key=int) == [
            "220", "567", "1228", "1254", "1391", "1446", "2045",
        ]  # fmt: skip
        assert not any("nan" in (row.comment_ar, row.matn_ar, row.chapter_title_ar, row.text_en) for row in rows)


class TestHadeethEnc:
    ENTRY: ClassVar = {
        "id": "1",
        "hadeeth": "Text",
        "hadeeth_ar": "نص «حديث»",
        "explanation": "Why\r\n",
        "explanation_ar": "شرح",
    }

    def _read(self, folder: Path, content: object, report: Report | None = None) -> list[Any]:
        (folder / "one.json").write_text(json.dumps(content))
        return read_entries(folder / "one.json", report or Report())

    def test_texts_as_published(self, tmp_path: Path) -> None:
        [entry] = self._read(tmp_path, self.ENTRY)
        assert (entry.explanation, entry.explanation_ar) == ("Why\r\n", "شرح")

    def test_incomplete_and_repeated_entries(self, tmp_path: Path) -> None:
        report = Report()
        entries = self._read(tmp_path, [self.ENTRY, self.ENTRY, self.ENTRY | {"id": "2", "explanation_ar": ""}], report)
        assert len(entries) == 1
        assert report.counts() == {"repeated_id": 1, "incomplete": 1}

    @pytest.mark.parametrize("content", [[], {}, [1], {"id": 1}, [{"id": "1", "arabicText": "نص", "theme": "x"}]])
    def test_another_format_is_refused(self, tmp_path: Path, content: object) -> None:
        with pytest.raises(WrongFileError, match="not a HadeethEnc file"):
            self._read(tmp_path, content)

    @needs_shared
    @pytest.mark.parametrize(
        "name",
        [
            "hadeethenc/quran-hafidh-snapshot-excerpt-fr.json", "nawawi-apps/imwaa-sharh-fr.json",
            "nawawi-apps/imwaa-nawawi-fr.json", "nawawi-apps/mahmoodhamdi-40-hadith-nawawi.json",
        ],
    )  # fmt: skip
    def test_texts_without_a_named_source_are_refused(self, name: str) -> None:
        """T3: no work and no author is named, or the app's own guesses stand beside the text."""
        with pytest.raises(WrongFileError):
            read_entries(DATA / name, Report())

    @needs_shared
    def test_published_entry(self) -> None:
        [entry] = read_entries(DATA / "hadeethenc/one-2941-en.json", Report())
        assert entry.id == "2941"
        assert "\r\n" in (entry.explanation or "")


HEAD = "######OpenITI#\n#META# 010.AuthorNAME\t:: مؤلف\n#META# 020.BookTITLE\t:: شرح\n#META#Header#End#\n"


def _work(folder: Path, body: str, head: str = HEAD) -> Path:
    path = folder / "0700Made.Up-ara1"
    path.write_text(head + body, encoding="utf-8-sig")
    return path


class TestOpenitiCommentary:
    def test_numbers_pages_and_marks(self, tmp_path: Path) -> None:
        body = (
            "### | [8]\n# أول ms003 الكلام\n~~وآخره PageV01P077\n# بعد\n### | عنوان\n### | 2 -\n# ثان PageV01P078\n"
            "### || AUTO (3) باب\n# ثالث\n# PageV02P001\n### | [9]\n### | \n"
        )
        report = Report()
        work = read_commentary(_work(tmp_path, body), report)
        assert [(p.number, p.heading, p.text, p.locator) for p in work.passages] == [
            ("8", None, "أول الكلام وآخره\nبعد", "no. 8, vol. 1, pp. 77-78"),
            ("2", "عنوان", "ثان", "no. 2, vol. 1, p. 78"),
            (None, "(3) باب", "ثالث", "vol. 2, p. 1"),
        ]
        assert report.counts() == {"empty_passage": 2, "no_number": 1, "out_of_order": 1}

    @pytest.mark.parametrize(
        ("head", "body", "message"),
        [
            (HEAD.replace("AuthorNAME", "Other"), "### | [1]\n# نص\n", "names no work or no author"),  # T3
            (HEAD.replace("BookTITLE", "Other"), "### | [1]\n# نص\n", "names no work or no author"),
            (HEAD, "# نص\n", "nothing stands under a heading"),
            (HEAD, "### $ 1 فلان\n", "a biographical work"),
            ("", "### | [1]\n# نص\n", "not an OpenITI text"),
            ("######OpenITI#\n", "### | [1]\n", "it has no line"),
        ],
    )
    def test_another_file_is_refused(self, tmp_path: Path, head: str, body: str, message: str) -> None:
        with pytest.raises(WrongFileError, match=message):
            read_commentary(_work(tmp_path, body, head), Report())

    def test_long_passages_become_parts(self, tmp_path: Path) -> None:
        text = "كلمة " * 3000
        found = read_commentary(_work(tmp_path, f"### | [1]\n# {text}\n"), Report()).passages
        assert [(p.part, p.parts) for p in found] == [(1, 2), (2, 2)]
        assert "".join(p.text for p in found) == text.strip()
        assert all(len(p.text) <= 8000 for p in found)

    @needs_shared
    @pytest.mark.parametrize(
        ("start", "passages", "numbered", "counts"),
        [
            ("0911", 2109, 2109, {"out_of_order": 83, "repeated_number": 68, "empty_passage": 5}),
            ("0702", 46, 42, {"no_number": 3}),
            ("0388", 1110, 0, {"no_number": 1105, "empty_passage": 1}),
        ],
    )
    def test_published_works(self, start: str, passages: int, numbered: int, counts: dict[str, int]) -> None:
        report = Report()
        [path] = (DATA / "openiti/commentary").glob(f"{start}*ara1")
        work = read_commentary(path, report)
        assert (len(work.passages), sum(p.number is not None for p in work.passages)) == (passages, numbered)
        assert report.counts() == counts
        assert work.edition.author
        assert work.edition.title
        assert not any("PageV" in p.text or "ms0" in p.text for p in work.passages)


@pytest.mark.parametrize(
    ("number", "first", "last", "text"),
    [
        (1, (1, 2), (1, 2), "no. 1, vol. 1, p. 2"),
        (None, (1, 2), (1, 4), "vol. 1, pp. 2-4"),
        (3, (1, 99), (2, 1), "no. 3, vol. 1, p. 99 to vol. 2, p. 1"),
        (3, (None, None), (None, None), "no. 3"),
        (3, (1, 5), (None, None), "no. 3, vol. 1, p. 5"),
    ],
)
def test_where_something_stands(number: int | None, first: Any, last: Any, text: str) -> None:
    assert describe(number, first, last) == text


@pytest.mark.parametrize("make", [lambda: "x" * 20_001, lambda: "ab " * 7000, lambda: "", lambda: "a"])
def test_parts_are_the_text(make: Callable[[], str]) -> None:
    assert "".join(parts(make())) == make()
    assert all(len(part) <= 8000 for part in parts(make()))
