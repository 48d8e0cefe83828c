"""Which language a query is in, and what is said of it."""

import pytest

from isnad_gateway.domain.language import language_to_search, notes_on_language, query_language

QUERIES = [
    ("إنما الأعمال بالنيات", "ar"),
    ("کتاب علی", "ar"),  # Persian forms of Arabic letters
    ("hadith النيات", "ar"),
    ("پاکستان کے لوگ", "other"),
    ("les actions ne valent que par les intentions", "fr"),
    ("recompense des actions", "fr"),
    ("l’homme qui prie", "fr"),
    ("l`homme qui prie", "fr"),
    ("prière", "fr"),
    ("Kaaba", "fr"),
    ("Ramadan", "fr"),  # nothing tells: the French texts are what there is in Latin letters
    ("le prophète dit à Abou Bakr", "fr"),
    ("Abu Bakr est entré dans la mosquée avec Omar ibn al-Khattab", "fr"),
    ("innama al-a'malu bin-niyyat", "transliteration"),
    ("innamā l-aʿmālu bi-n-niyyāt", "transliteration"),
    ("man kana yuminu billah", "transliteration"),
    ("actions are judged by intentions", "other"),
    ("the reward of deeds depends upon the intentions", "other"),
    ("wer an Gott und den Jüngsten Tag glaubt", "other"),
    ("el Profeta dijo a los hombres", "other"),
    ("действия по намерениям", "other"),
    ("行为", "other"),
]


@pytest.mark.parametrize(("query", "language"), QUERIES)
def test_language(query: str, language: str) -> None:
    assert query_language(query) == language


@pytest.mark.parametrize(
    ("query", "asked", "searched", "note"),
    [
        ("النيات", "auto", "ar", None),
        ("النيات", "ar", "ar", None),
        ("النيات", "fr", "ar", "looked for in the Arabic texts"),
        ("intentions", "auto", "fr", None),
        ("the intentions of the heart", "fr", "fr", None),
        ("the intentions of the heart", "auto", "other", "neither Arabic nor French, which is not searched"),
        ("innama al-amalu", "auto", "transliteration", "Arabic in Latin letters, which is not searched"),
        ("intentions", "ar", "ar", "no Arabic letters"),
        ("پاکستان", "auto", "ar", "does not read as Arabic"),
    ],
)
def test_what_is_searched_and_said(query: str, asked: str, searched: str, note: str | None) -> None:
    assert language_to_search(query, asked) == searched  # type: ignore[arg-type]
    said = notes_on_language(query, asked, None, found=False)  # type: ignore[arg-type]
    assert said == [] if note is None else note in said[0]


@pytest.mark.parametrize(
    ("in_french", "notes"), [(0, ["0 of 9 hadiths have a French text to search."]), (9, [])], ids=["none", "all"]
)
def test_how_much_is_in_french(in_french: int, notes: list[str]) -> None:
    assert notes_on_language("prière", "auto", {"hadiths": 9, "in_french": in_french}, found=True) == notes
