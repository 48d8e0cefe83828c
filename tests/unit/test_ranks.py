"""Grades and generations are read only where Ibn Hajar's words leave no doubt."""

import pytest

from isnad_database.importers.ranks import generation_number, grade_tier


@pytest.mark.parametrize(
    ("wording", "tier"),
    [
        ("ثقة", "thiqa"),
        ("ثقة .", "thiqa"),
        ("ثقة حافظ ، له تصانيف", "thiqa"),
        ("صدوق", "saduq"),
        ("ليس به بأس", "saduq"),
        ("صدوق يهم", "saduq_yahim"),
        ("صدوق ، سيئ الحفظ", "saduq_yahim"),
        ("صدوق يتشيع", "saduq_yahim"),
        ("مقبولة", "maqbul"),
        ("لين الحديث", "layyin"),
        ("مجهول الحال", "mastur"),
        ("مجهول", "majhul"),
        ("ضعيف", "daif"),
        ("متروك", "matruk"),
        ("كذبوه", "kadhdhab"),
        ("صحابي مشهور", "sahabi"),
        ("أم المؤمنين", "sahabi"),
        ("ضعيف جدا", None),
        ("مختلف في صحبته", None),
        ("ثقة ، وقيل : له صحبة", None),
        ("الحافظ", None),
        ("فيه ضعف", None),
    ],
)
def test_grade_tier(wording: str, tier: str | None) -> None:
    assert grade_tier(wording) == tier


@pytest.mark.parametrize(
    ("wording", "number"),
    [
        ("الثالثة", 3),
        ("الثالثة .", 3),
        ("من الثالثة", 3),
        ("من كبار الثالثة", 3),
        ("كبار العاشرة", 10),
        ("الحادية عشرة", 11),
        ("من صغار الحادية عشرة", 11),
        ("الثانية عشرة", 12),
        ("مخضرم ، من الثانية", 2),
        ("الثانية ، مخضرم", 2),
        ("رأس الطبقة العاشرة", 10),
        ("صحابي", 1),
        ("صحابية", 1),
        ("له صحبة", 1),
        ("له رؤية", None),
        ("الثانية ، وقيل : إن له صحبة", None),
        ("من كبار التابعين", None),
        ("مذكور في الصحابة ، وقيل : من الثانية", None),
    ],
)
def test_generation_number(wording: str, number: int | None) -> None:
    assert generation_number(wording) == number
