"""The one place where Arabic is folded, asked in batches: A1 to A4 of the written cases, and what holds of any text."""

import json
import unicodedata
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pg8000.native import Connection
from tests.conftest import Database

from isnad_database.connect import administrator

LETTERS = "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"
VARIANTS = "آأإٱىیےئؤةۃۀہھەکڪ"
MARKS = "\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652\u0653\u0670\u06d6\u06e1\u0610\u08f0"
CONTROLS = "\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2060\u2066\u2069\ufeff\ufe0f\u034f"
NOTHING = f"{MARKS}{CONTROLS}\u0640"


@pytest.fixture(scope="module")
def connection(sandbox: Database) -> Iterator[Connection]:
    with administrator(sandbox.reader) as opened:
        yield opened


def _fold(connection: Connection, texts: list[str]) -> list[str]:
    """Fold many texts in one query."""
    rows = connection.run(
        "select public.isnad_fold(t.txt) from json_array_elements_text(:texts::json) with ordinality as t (txt, place)"
        " order by place",
        texts=json.dumps(texts, ensure_ascii=False),
    )
    return [folded for (folded,) in rows]


EQUAL = [
    ("إِنَّمَا الأَعْمَالُ", "انما الاعمال"),  # A1
    ("النـــيات", "النيات"),  # A2
    ("علی", "علي"),
    ("کتاب", "كتاب"),
    ("صلوۃ", "صلوة"),
    ("ﺍﻟﺼﻼﺓ", "الصلاة"),  # A3
    ("ﻣﻮﺳﻰ", "موسى"),
    ("ﻻ", "لا"),
    ("ﷲ", "الله"),
    ("ﷺ", "صلى الله عليه وسلم"),
    ("﷽", "بسم الله الرحمن الرحيم"),
    ("ﷻ", "جل جلاله"),
    ("\u200fالنيات\u200e", "النيات"),  # A4
    ("ال\u200cنيات", "النيات"),
    ("\ufeffالنيات", "النيات"),
    ("\u2067النيات\u2069", "النيات"),
    ("أإآٱا", "ااااا"),
    ("ى ئ", "ي ي"),
    ("ؤ", "و"),
    ("ة", "ه"),
    ("٠١٢٣٤٥٦٧٨٩", "0123456789"),
    ("۰۱۲۳۴۵۶۷۸۹", "0123456789"),
    ("BUKHARI", "bukhari"),
    ("ﹷ", ""),  # the spacing form of a mark, which NFKC would turn into a space and a mark
    ("الرَّحْمَٰن", "الرحمن"),
]
DIFFERENT = [("صلوۃ", "صلاة"), ("1", "١٠"), ("سعد", "سعيد"), ("صلى", "صل"), ("ا", "ع"), ("8", "8a")]


def test_equal_after_folding(connection: Connection) -> None:
    folded = _fold(connection, [text for pair in EQUAL for text in pair])
    for place, pair in enumerate(EQUAL):
        assert folded[2 * place] == folded[2 * place + 1], pair


def test_different_after_folding(connection: Connection) -> None:
    folded = _fold(connection, [text for pair in DIFFERENT for text in pair])
    for place, pair in enumerate(DIFFERENT):
        assert folded[2 * place] != folded[2 * place + 1], pair


def test_whole_values(connection: Connection) -> None:
    texts = ["إِنَّمَا الأَعْمَالُ بِالنِّيَّاتِ", "صحيح البُخاريّ ١", "ﷺ", "كتابة"]
    assert _fold(connection, texts) == ["انما الاعمال بالنيات", "صحيح البخاري 1", "صلي الله عليه وسلم", "كتابه"]


def test_every_sign_that_means_nothing(connection: Connection) -> None:
    """Inside a word, before it and after it: removed, never turned into a space."""
    texts = [text for sign in NOTHING for text in (f"ني{sign}ات", f"{sign}نيات", f"نيات{sign}")]
    wrong = [ascii(text) for text, folded in zip(texts, _fold(connection, texts), strict=True) if folded != "نيات"]
    assert wrong == []


def test_every_presentation_form_of_a_letter(connection: Connection) -> None:
    """A3: as its plain spelling, for every letter and ligature of the two blocks."""
    forms = [
        chr(code)
        for code in (*range(0xFB50, 0xFDFE), *range(0xFE80, 0xFEFD))
        if unicodedata.category(chr(code)) == "Lo" and unicodedata.decomposition(chr(code))
    ]
    assert len(forms) > 500
    plain = [unicodedata.normalize("NFKC", form) for form in forms]
    folded = _fold(connection, forms)
    assert folded == _fold(connection, plain)
    assert all(form not in folded for form in forms)


TEXTS = st.lists(
    st.text(alphabet=LETTERS + VARIANTS + NOTHING + " ٠١۲ab19ﷲﷺﻻﭐ،:", max_size=12) | st.text(max_size=8),
    min_size=10,
    max_size=60,
).map(lambda texts: [text.replace("\0", "") for text in texts])


@settings(max_examples=15, deadline=None)
@given(TEXTS, st.integers(0, 2**32))
def test_folding_any_text(connection: Connection, texts: list[str], seed: int) -> None:
    """Idempotent; blind to marks, tatweel and controls wherever they stand; the same for canonically equal texts."""
    random = Random(seed)
    noisy = ["".join(letter + random.choice(["", "", *NOTHING]) for letter in text) for text in texts]
    arabic = [
        (plain, noise)
        for plain, noise in zip(texts, noisy, strict=True)
        if all(letter in LETTERS + VARIANTS + NOTHING + " 19ab" for letter in plain)
    ]
    count = len(texts)
    canonical = [unicodedata.normalize("NFC", text) for text in texts]
    folded = _fold(connection, [*texts, *canonical, *(text for pair in arabic for text in pair)])
    plain, composed, pairs = folded[:count], folded[count : 2 * count], folded[2 * count :]
    assert _fold(connection, plain) == plain
    assert composed == plain
    assert pairs[::2] == pairs[1::2]
    assert not any(sign in text for text in plain for sign in NOTHING)
