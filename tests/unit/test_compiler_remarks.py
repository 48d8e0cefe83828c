"""The compiler's own remarks: what is one, and what may be somebody else's words."""

import pytest

from isnad_database.compiler_remarks import find_remarks

# Made-up records; the dots and the invisible marks are as in the corpus.
REMARKS = [
    pytest.param(
        "bukhari",
        "قال النبي كذا\u200f.\u200f قال أبو عبد الله يعني كذا\u200f.\u200f",
        ["قال أبو عبد الله يعني كذا\u200f."],
    ),
    pytest.param("bukhari", "قالت كذا. قَالَ أَبُو عَبْدِ اللَّهِ كَدَاءٌ مَوْضِعٌ", ["قَالَ أَبُو عَبْدِ اللَّهِ كَدَاءٌ مَوْضِعٌ"], id="marks, no dot"),
    pytest.param(
        "bukhari",
        "كذا. قال أبو عبد الله اسمه فلان. وهو مكي.",
        ["قال أبو عبد الله اسمه فلان. وهو مكي."],
        id="two sentences",
    ),
    pytest.param(
        "bukhari",
        "كذا. قال أبو عبد الله اسمه فلان. وقال غيره كذا.",
        ["قال أبو عبد الله اسمه فلان."],
        id="another speaker",
    ),
    pytest.param(
        "bukhari",
        "كذا. قال أبو عبد الله اسمه فلان. حدثنا فلان بكذا.",
        ["قال أبو عبد الله اسمه فلان."],
        id="a chain follows",
    ),
    pytest.param(
        "bukhari",
        "كذا. قال أبو عبد الله الأول. قال أبو عبد الله الثاني.",
        ["قال أبو عبد الله الأول.", "قال أبو عبد الله الثاني."],
        id="two remarks",
    ),
    pytest.param("muslim", "كذا . قال مسلم بن الحجاج ولد حكيم بمكة .", ["قال مسلم بن الحجاج ولد حكيم بمكة ."]),
    pytest.param("muslim", "كذا . قال أبو الحسين مسلم هو خطأ .", ["قال أبو الحسين مسلم هو خطأ ."]),
]
NONE = [
    pytest.param("bukhari", "قال أبو عبد الله وقال الليث كذا.", id="opens the record: a chain"),
    pytest.param("bukhari", "سمعت فلانا قال أبو عبد الله كذا.", id="inside a sentence"),
    pytest.param("bukhari", 'قال " كذا. قال أبو عبد الله كذا. " انتهى.', id="inside a quotation"),
    pytest.param("bukhari", "كذا. قال أبو عبد الله حدثني فلان بكذا.", id="a chain"),
    pytest.param("bukhari", "كذا. قال أبو عبد الله زاد فلان عن فلان كذا.", id="a link"),
    pytest.param("bukhari", 'كذا. قال أبو عبد الله قوله " كذا " يعني كذا.', id="quoted words"),
    pytest.param("bukhari", "كذا. قال أبو عبد الله نهى النبي عنه.", id="the Prophet is named"),
    pytest.param("bukhari", "كذا. قال أبو عبد اللهم كذا.", id="another word"),
    pytest.param("bukhari", "كذا. قال أبو عبد الله هذا الحرف - يعني كذا.", id="ends in the middle"),
    pytest.param("bukhari", "كذا. قال أبو عبد الله كذ\ufffd.", id="damaged"),
    pytest.param("muslim", "كذا . قال مسلم بن صبيح كذا .", id="another Muslim"),
    pytest.param("muslim", "كذا . قال أبو عبد الله كذا .", id="not this compiler's name"),
    pytest.param("muslim", "كذا . قال أبو إسحاق كذا .", id="the compiler's pupil"),
    pytest.param("nawawi", "كذا. قال أبو عبد الله كذا.", id="unknown collection"),
]


@pytest.mark.parametrize(("collection", "text", "expected"), REMARKS)
def test_remark(collection: str, text: str, expected: list[str]) -> None:
    found = list(find_remarks(collection, text))
    assert [remark.text for remark in found] == expected
    assert all(text[remark.start : remark.end] == remark.text for remark in found)


@pytest.mark.parametrize(("collection", "text"), NONE)
def test_no_remark(collection: str, text: str) -> None:
    assert list(find_remarks(collection, text)) == []
