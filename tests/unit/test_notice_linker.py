"""A notice is linked only where the evidence leaves one person, never by its name alone. All notices are made up."""

import pytest

from isnad_database.notice_linker import Entry, Subject, entry_lineage, link_entries, stated_year

HAMZA = Subject(1, "حمزة بن سيف بن نوفل", "أبو الليث", "من السابعة", "ثقة حافظ", range(160, 162))
NOTICE = Entry("1", "حمزة بن سيف بن نوفل النجدي أبو الليث ثقة حافظ من السابعة مات سنة ستين")


def _said(entries: list[Entry], subjects: list[Subject]) -> dict[tuple[str, int], str]:
    return {(link.entry_key, link.narrator_id): link.resolution_status for link in link_entries(entries, subjects)}


def test_names_and_two_more_statements_link() -> None:
    links = link_entries([NOTICE], [HAMZA])
    assert [(link.resolution_status, link.rule) for link in links] == [
        ("LINKED", "same names, generation, grade, kunya, death year; no other entry and no other narrator fits")
    ]


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("حمزة بن سيف بن نوفل النجدي", "AMBIGUOUS"),
        ("حمزة بن سيف بن نوفل النجدي أبو الليث", "AMBIGUOUS"),
        ("حمزة بن سيف بن نوفل ثقة حافظ من الثالثة", "CONFLICTED"),
        ("حمزة بن سيف بن نوفل أبو الليث ثقة حافظ من السابعة مات سنة تسعين", "CONFLICTED"),
        ("حمزة بن سيف بن نوفل أبو الليث ثقة حافظ من السابعة مات سنة ستين أو سبعين", "LINKED"),
    ],
)
def test_never_by_name_alone_and_never_against_a_statement(text: str, status: str) -> None:
    assert _said([Entry("1", text)], [HAMZA]) == {("1", 1): status}


def test_another_name_gets_no_link_at_all() -> None:
    assert _said([Entry("1", "حمزة بن ليث بن نوفل أبو الليث ثقة حافظ من السابعة")], [HAMZA]) == {}


def test_two_who_fit_leave_nobody() -> None:
    twin = Subject(2, "حمزة بن سيف", "أبو الليث", "السابعة", "ثقة حافظ")
    assert set(_said([NOTICE], [HAMZA, twin]).values()) == {"AMBIGUOUS"}
    again = Entry("2", "حمزة بن سيف أبو الليث ثقة حافظ من السابعة")
    assert set(_said([NOTICE, again], [HAMZA]).values()) == {"AMBIGUOUS"}


def test_namesakes_of_a_linked_pair_are_other_people() -> None:
    namesake = Entry("2", "حمزة بن سيف المصري مقبول من العاشرة")
    assert _said([NOTICE, namesake], [HAMZA]) == {("1", 1): "LINKED"}


def test_r3_a_grandfather_of_the_same_name_gets_nothing_of_the_other() -> None:
    man = Subject(1, "قتادة بن دعامة بن قتادة", "أبو الخطاب", "الرابعة", "ثقة ثبت")
    grandfather = Subject(2, "قتادة بن عزيز", "أبو الخطاب", "الرابعة", "ثقة ثبت")
    entry = Entry("1", "قتادة بن دعامة بن قتادة أبو الخطاب ثقة ثبت من الرابعة")
    assert _said([entry], [man, grandfather]) == {("1", 1): "LINKED"}
    assert _said([entry], [grandfather]) == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("عقيل بن خالد بن عقيل الأيلي", ("عقيل", "خالد", "عقيل")),
        ("هشيم بالتصغير بن بشير", ("هشيم", "بشير")),
        ("عبد الله بن أبي بكر بن محمد الأنصاري", ("عبد الله", "ابو بكر", "محمد")),
        ("عبد بن حميد", ("عبد", "حميد")),
        ("زينب بنت جحش", ("زينب", "جحش")),
        ("", ()),
    ],
)
def test_lineage_of_a_notice(text: str, expected: tuple[str, ...]) -> None:
    assert entry_lineage(text) == expected


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("مات سنه سبع وعشرين", 27),
        ("ماتت سنه احدي وخمسين", 51),
        ("مات سنه تسع عشره", 19),
        ("توفي سنه مايتين", 200),
        ("مات بالمدينه سنه اثنتين وثلاثين ومايه", 132),
        ("مات سنه 197", 197),
        ("مات 236", 236),
        ("مات سنه خمس او ست وسبعين", None),
        ("مات سنه ثمان وخمسين وقيل سنه تسع", None),
        ("مات سنه ست في اخر او اول سنه سبع", None),
        ("من السابعه", None),
    ],
)
def test_year_of_death_in_words(text: str, year: int | None) -> None:
    assert stated_year(text) == year
