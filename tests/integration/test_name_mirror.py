"""The Python mirror of the name keys says what the SQL functions say; where they differ, SQL is right."""

import json
from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings
from tests.conftest import Database

from isnad_database.connect import administrator
from isnad_gateway.domain.name_keys import arabic_initial, arabic_key, arabic_sound, latin_key, latin_sounds

LATIN = [
    "Ḥammād b. Zayd", "Hammâd ben Zeyd", "Abû'z-Zubayr", "Sa'id ibn al-Mousayyab", "'A'icha bint Abi Bakr as-Siddiq",
    "Ouaki'", "Soufyân ath-Thawrî", "Abdelmalik", "Abd-er-Rahman", "Abou Houraïra", "Aboul Zinad", "Is'hâq", "Ismaël",
    "ʿAbdallāh b. ʿUmar", "Moussa", "Oum Salama", "Umm Ḥabība", "Djâbir", "Youssouf", "Mu'adh", "Jacques Chirac", "",
]  # fmt: skip
ARABIC = [
    "أبا بكر ابن عبد الله", "عائشة رضي الله عنها", "أم سلمة", "أبي بن كعب", "عبيد الله بن عمر", "يعني ابن عيينة",
    "ابن أبي شيبة", "عبد الرحمن", "النبي صلى الله عليه وسلم", "الليث", "عيسى", "وكيع", "زكرياء", "",
]  # fmt: skip
MIRRORS: dict[str, tuple[Callable[[str], Any], str]] = {
    "latin_key": (latin_key, "public.isnad_latin_key"),
    "arabic_key": (arabic_key, "public.isnad_arabic_key"),
    "arabic_sound": (arabic_sound, "isnad.arabic_sound"),
    "latin_sounds": (lambda word: sorted(latin_sounds(word)), "isnad.latin_sounds"),
}


def _sql(database: Database, function: str, texts: list[str]) -> list[Any]:
    with administrator(database.administrator) as connection:
        rows = connection.run(
            f"select to_json({function}(t.txt)) from json_array_elements_text(:texts::json) with ordinality as t (txt, place)"
            " order by t.place",
            texts=json.dumps(texts),
        )
    return [sorted(set(row[0])) if isinstance(row[0], list) else row[0] for row in rows]


def _names(database: Database) -> tuple[list[str], list[str]]:
    """Every name form of the sandbox: Arabic and Latin."""
    with administrator(database.administrator) as connection:
        rows = connection.run("select name_ar, name_fr from public.public_narrators")
    return [row[0] for row in rows if row[0]], [row[1] for row in rows if row[1]]


@pytest.mark.parametrize("name", MIRRORS)
def test_mirror_equals_sql_on_the_names_of_the_sandbox(sandbox: Database, name: str) -> None:
    arabic, latin = _names(sandbox)
    assert len(arabic) > 300
    assert len(latin) > 300
    texts = {
        "latin_key": latin + LATIN,
        "arabic_key": arabic + ARABIC,
        "arabic_sound": sorted({word for form in arabic + ARABIC for word in arabic_key(form).split()}),
        "latin_sounds": sorted({word for form in latin + LATIN for word in latin_key(form).split()}),
    }[name]
    mirror, function = MIRRORS[name]
    said = _sql(sandbox, function, texts)
    assert [(text, mirror(text)) for text in texts] == list(zip(texts, said, strict=True))


def test_initials_are_those_of_the_sounds(sandbox: Database) -> None:
    words = {word for form in _names(sandbox)[0] + ARABIC for word in arabic_key(form).split()}
    assert len(words) > 300
    assert {word: arabic_initial(word) for word in words} == {word: arabic_sound(word)[:1] for word in words}


def test_mirror_equals_sql_on_any_name(sandbox: Database) -> None:
    latin = st.text("abdeghiklmnorstuwyz 'ʿâīūḥṭ-.éï", max_size=24)
    arabic = st.text("ابنعمرحصيلوهءئةىقكسط ", max_size=24)

    @given(st.lists(latin, min_size=1, max_size=20), st.lists(arabic, min_size=1, max_size=20))
    @settings(max_examples=15, deadline=None)
    def equal(latins: list[str], arabics: list[str]) -> None:
        keys = [latin_key(text) for text in latins]
        assert keys == _sql(sandbox, "public.isnad_latin_key", latins)
        assert [arabic_key(text) for text in arabics] == _sql(sandbox, "public.isnad_arabic_key", arabics)
        words = [word for key in keys for word in key.split()] or ["a"]
        assert [sorted(latin_sounds(word)) for word in words] == _sql(sandbox, "isnad.latin_sounds", words)

    equal()
