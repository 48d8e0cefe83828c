"""The Python mirror of the fold says what the SQL function says; where they differ, SQL is right."""

import json

import hypothesis.strategies as st
from hypothesis import given, settings
from tests.conftest import Database

from isnad_database.connect import administrator
from isnad_gateway.domain.fold import fold, fold_if_certain

TEXTS = [
    "إِنَّمَا الأَعْمَالُ بِالنِّيَّاتِ",
    "النـــيات علی کتاب صلوۃ",
    "ﺍﻟﺼﻼﺓ ﻣﻮﺳﻰ ﻻ ﷲ ﷺ ﷽",
    "\u200fالنيات\u200e ال\u200cنيات \u2067ابن\u2069 \ufeffعمر",
    "مُؤْمِن شَيْئًا سُئِلَ قِرَاءَة ماء جزء",
    "١٢٣ ۴۵۶ ABC Ḥammād",
    "أبو  هريرة\n",
]
# Every code point that Arabic texts of this field are made of, with its neighbours.
BLOCKS = ((0x20, 0x7E), (0x600, 0x6FF), (0x750, 0x77F), (0x8A0, 0x8FF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFF))
ARABIC = "".join(chr(code) for first, last in BLOCKS for code in range(first, last + 1))


def _sql(database: Database, texts: list[str]) -> list[str]:
    with administrator(database.administrator) as connection:
        rows = connection.run(
            "select public.isnad_fold(t.txt) from json_array_elements_text(:texts::json) with ordinality as t (txt, place)"
            " order by t.place",
            texts=json.dumps(texts),
        )
    return [row[0] for row in rows]


def test_mirror_equals_sql_on_written_texts(sandbox: Database) -> None:
    assert [fold(text) for text in TEXTS] == _sql(sandbox, TEXTS)


def test_mirror_equals_sql_on_every_arabic_character(sandbox: Database) -> None:
    texts = [f"ب{character}ب" for character in ARABIC]
    differing = [ascii(text) for text, said in zip(texts, _sql(sandbox, texts), strict=True) if fold(text) != said]
    assert differing == []


def test_mirror_equals_sql_on_any_arabic_text(sandbox: Database) -> None:
    characters = st.sampled_from(ARABIC + "\u200b\u200c\u200f\u2066")
    texts = st.lists(st.text(characters, max_size=30), min_size=1, max_size=40)

    @given(texts)
    @settings(max_examples=15, deadline=None)
    def equal(drawn: list[str]) -> None:
        assert [fold(text) for text in drawn] == _sql(sandbox, drawn)

    equal()


def test_only_what_is_certain_is_said_to_be(sandbox: Database) -> None:
    texts = [*TEXTS, *(f"ب{character}ب" for character in ARABIC)]
    certain = [text for text in texts if fold_if_certain(text) is not None]
    assert [fold_if_certain(text) for text in certain] == _sql(sandbox, certain)
    assert [fold_if_certain(text) for text in ("Bukhari 1", "ḥadith", "ﺍﻟﺼﻼﺓ", "ﷺ", "ٵ", "é")] == [None] * 6
    assert [fold_if_certain(text) for text in ("bukhari 1", "مُسْلِم ١٢", "")] == ["bukhari 1", "مسلم 12", ""]
