"""Normalises grades and generations in the words of Ibn Hajar's Taqrib, only where the words leave no doubt.

Both schemes are the twelve ranks and twelve generations that Ibn Hajar sets out in the introduction to Taqrib
al-Tahdhib. The words as written are always kept beside what is read here.
"""

import re
from typing import Final, Literal

from isnad_gateway.domain.fold import fold

GradeTier = Literal[
    "sahabi",
    "thiqa",
    "saduq",
    "saduq_yahim",
    "maqbul",
    "layyin",
    "mastur",
    "daif",
    "majhul",
    "matruk",
    "muttaham",
    "kadhdhab",
]

# In this order: the first that matches the whole beginning of the wording counts. Ranks 2 and 3 (stressed and simple
# reliability) are one tier, because their wording shades into each other.
_TIER_WORDINGS: Final[tuple[tuple[GradeTier, str], ...]] = (
    (
        "sahabi",
        r"(?:ال)?صحابي[ه]?\b|له صحبه\b|لها صحبه\b|ام المومنين\b|احد العشره\b|من (?:كبار |فضلاء )?الصحابه\b",
    ),
    ("thiqa", r"(?:ثقه|ثبت|متقن|حافظ ثقه|امام ثقه)\b"),
    (
        "saduq_yahim",
        r"صدوق\b.*(?:\bيهم\b|اوهام|يخطي|اخطا|\bوهم\b|سيي الحفظ|تغير|اختلط|رمي ب|تشيع|يتشيع|\bالقدر\b|الارجاء|مرجي)",
    ),
    ("saduq", r"(?:صدوق|لا باس به|ليس به باس)\b"),
    ("maqbul", r"مقبول[ه]?\b"),
    ("layyin", r"(?:لين الحديث|فيه لين|لين)\b"),
    ("mastur", r"(?:مستور[ه]?|مجهول[ه]? الحال|لا يعرف حال(?:ه|ها))\b"),
    ("majhul", r"(?:مجهول[ه]?|لا (?:يعرف|تعرف))\b"),
    ("matruk", r"(?:متروك[ه]?|ساقط|واهي الحديث)\b"),
    ("muttaham", r"(?:متهم|اتهم)\b"),
    ("kadhdhab", r"(?:كذاب|كذبوه|وضاع|يضع)\b"),
    ("daif", r"ضعيف[ه]?\b(?! جدا)"),
)
_TIERS: Final = tuple((tier, re.compile(wording)) for tier, wording in _TIER_WORDINGS)
# A second opinion inside the wording makes the tier uncertain.
_DISPUTED: Final = re.compile(r"مختلف|قيل|يقال|اختلف في|لا يثبت|وهم من عده|ولا تصح")

_GENERATIONS: Final = {
    "الاولي": 1,
    "الثانيه": 2,
    "الثالثه": 3,
    "الرابعه": 4,
    "الخامسه": 5,
    "السادسه": 6,
    "السابعه": 7,
    "الثامنه": 8,
    "التاسعه": 9,
    "العاشره": 10,
    "الحاديه عشره": 11,
    "الثانيه عشره": 12,
}
_GENERATION: Final = re.compile(
    r"(?:مخضرم )?(?:من )?(?:(?:كبار|صغار|اكابر|قدماء|رووس|رووس|روس|راس) )?(?:الطبقه )?("
    + "|".join(sorted(_GENERATIONS, key=len, reverse=True))
    + r")(?: مخضرم)?"
)
_COMPANION: Final = re.compile(
    r"(?:ال)?صحابي(?:ه)?(?: (?:مشهوره?|جليل|صغيره?|شهير|معروف|مشهور جليل))?"
    r"|له صحبه|لها صحبه|(?:من )?كبار الصحابه|ام المومنين|احد العشره|له ولابيه صحبه"
)


def grade_tier(wording: str) -> GradeTier | None:
    """The tier of a grade in Ibn Hajar's words, or None where the words name none of his or hold a second opinion."""
    plain = _plain(wording)
    if _DISPUTED.search(plain):
        return None
    return next((tier for tier, pattern in _TIERS if pattern.match(plain)), None)


def generation_number(wording: str) -> int | None:
    """The generation (1 to 12) that a wording states, or None where it states none, several, or doubts it.

    Companions are Ibn Hajar's first generation.
    """
    plain = _plain(wording)
    found = _GENERATION.fullmatch(plain)
    if found:
        return _GENERATIONS[found[1]]
    return 1 if _COMPANION.fullmatch(plain) else None


def _plain(wording: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"[،,.؛:()]", " ", fold(wording))).strip()
