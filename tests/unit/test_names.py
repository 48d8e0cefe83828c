"""Spellings of one name are one key; different names stay apart; a lineage says no more than the name does."""

import pytest

from isnad_database.names import is_kin, is_nameless, lineage, name_key, states_ancestor

SAME = [
    ("أبو هريرة", "أَبِي هُرَيْرَةَ"),
    ("أبو هريرة", "أبا هريرة"),
    ("أبو هريرة", "أبي هريرة رضي الله عنه"),
    ("سفيان بن عيينة", "سفيان ابن عيينة"),
    ("وكيع بن الجراح", "وكيع، يعني ابن الجراح"),
    ("إسماعيل بن جعفر", "إسماعيل ـ وهو ابن جعفر"),
    ("أنس", "أَنَسًا"),
    ("عمرو", "عَمْرًا"),
    ("عائشة أم المؤمنين", "عائشة أم المؤمنين رضى الله عنها"),
    ("عبد الله بن أبي أوفى", "عبد الله بن أبى أوفى"),
    ("زينب بنت أم سلمة", "زينب ابنة أم سلمة"),
]
DIFFERENT = [
    ("عمر", "عمرو"),
    ("أبي", "أبو"),
    ("أبي بن كعب", "أبو بن كعب"),
    ("ابن عمر", "عمر"),
    ("عبيد الله", "عبد الله"),
    ("أبو سلمة", "سلمة"),
    ("حصين", "أبو حصين"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spellings_of_one_name_are_one_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other) != ""


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_names_stay_apart(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize(
    ("form", "kin", "nameless"),
    [
        ("أبيه", True, False),
        ("جَدِّهِ", True, False),
        ("أبي", True, False),
        ("أبي هريرة", False, False),
        ("أبي بن كعب", False, False),
        ("جده رافع بن خديج", False, False),
        ("رجل من الأنصار", False, True),
        ("غيره", False, True),
        ("", False, True),
        ("نافع", False, False),
    ],
)
def test_words_that_name_nobody(form: str, kin: bool, nameless: bool) -> None:
    assert (is_kin(name_key(form)), is_nameless(name_key(form))) == (kin, nameless)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("سفيان بن عيينة بن أبي عمران : ميمون", ("سفيان", "عيينه", "ابو عمران")),
        ("أبو اليمان الحكم بن نافع البهراني", ("الحكم", "نافع")),
        ("أبو سلمة بن عبد الرحمن بن عوف ، قيل : اسمه عبد الله", ("ابو سلمه", "عبد الرحمن", "عوف")),
        ("أبو هريرة الدوسي", ("ابو هريره",)),
        ("عائشة بنت أبي بكر الصديق", ("عايشه", "ابو بكر")),
        ("عبد بن حميد بن نصر", ("عبد", "حميد", "نصر")),
    ],
)
def test_lineage(name: str, expected: tuple[str, ...]) -> None:
    assert lineage(name) == expected


def test_a_grandfather_of_the_same_name_is_no_father() -> None:
    # R3: both are called Qatada, two generations apart.
    man, grandfather = lineage("قتادة بن دعامة بن قتادة"), lineage("قتادة بن عزيز")
    assert not states_ancestor(man, grandfather, 1)
    assert states_ancestor(man, grandfather, 2)
