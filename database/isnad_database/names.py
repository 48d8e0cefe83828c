"""Arabic personal names as chains write them: which spellings are the same name, and whose son a name says a man is."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from isnad_gateway.domain.fold import fold

_HONORIFICS: Final = re.compile(
    r"\b(?:رضي الله (?:تعالي )?(?:عنه(?:ما|م|ن|ا)?)|رحمه(?:ما|م|ا)? الله(?: تعالي)?|رحمه الله عليه"
    r"|صلي الله عليه (?:واله )?وسلم|عليه(?:ا|ما)? السلام)\b"
)
# Words by which a transmitter explains a name that he heard short: "Waki', I mean Ibn al-Jarrah".
_EXPLAINING: Final = frozenset({"يعني", "يعنون", "يعنيان", "تعني", "هو", "وهو", "هي", "وهي"})
# Abu in its three cases; a form of one word is "my father" and no kunya, and before "ibn" it is the name Ubayy.
_KUNYA_CASES: Final = frozenset({"ابو", "ابا", "ابي"})
_SON: Final = frozenset({"بن", "ابن"})
_DAUGHTER: Final = frozenset({"بنت", "ابنه"})
# An alef that only carries the accusative ending: `سمعت أنسًا`, `جابرًا`.
_ACCUSATIVE: Final = re.compile(r"(?:\u064b\u0627|\u0627\u064b)(?!\w)")
_LINEAGE_END: Final = re.compile(r"[،,:؛(\"«]")

_COMPOUND: Final = 2
_COMPOUND_HEADS: Final = frozenset({"عبد", "ابو", "ام", "ذو", "ذي", "امري"})

FATHER: Final = frozenset({"ابيه", "ابوه", "ابي", "ابيها", "ابوها", "والده", "اباه"})
GRANDFATHER: Final = frozenset({"جده", "جدي", "جدها"})
_OTHER_KIN: Final = frozenset(
    {
        "امه",
        "امي",
        "امها",
        "والدته",
        "جدته",
        "جدتي",
        "جدتها",
        "عمه",
        "عمته",
        "عمي",
        "عمتي",
        "عمها",
        "خاله",
        "خالته",
        "خالي",
        "خالتي",
        "اخيه",
        "اخي",
        "اخته",
        "اختي",
        "اخوه",
        "اخيها",
        "ابنه",
        "ابني",
        "ابنها",
        "ابنته",
        "ابنتي",
        "زوجها",
        "مولاه",
        "مولاته",
        "مولاهم",
        "سيده",
        "عمومته",
        "ابويه",
        "اهله",
    }
)
_NAMELESS: Final = frozenset(
    {
        "رجل",
        "رجلا",
        "امراه",
        "فلان",
        "فلانه",
        "رجال",
        "رجلين",
        "ناس",
        "نفر",
        "شيخ",
        "شيوخ",
        "غيره",
        "غيرهم",
        "غيرهما",
        "غير",
        "غيري",
        "الناس",
        "اصحابه",
        "اصحابنا",
        "صاحب",
        "اخر",
        "اخرون",
        "اخرين",
        "هولاء",
        "بعض",
        "بعضهم",
        "بعضهن",
        "بعضنا",
        "جماعه",
        "عده",
        "كلاهما",
        "كلهم",
        "قوم",
        "اناس",
        "اشياخ",
        "مشيخه",
        "من",
        "عمن",
        "جميعا",
        "ايضا",
        "الاخر",
        "الاخران",
        "الاول",
    }
)


@lru_cache(maxsize=100_000)
def name_key(form: str) -> str:
    """The key under which two spellings of a name form are the same.

    Takes a form as a text writes it. Returns it folded, without honorifics and explaining words (`يعني`, `هو`), with
    one spelling for the cases of Abu (`أبو`, `أبي`, `أبا`) and for `ابن` and `بن`. Empty when the form holds no word.
    """
    # عمرو drops its waw in the accusative; عمر takes no such ending, so the two stay apart.
    nominative = _ACCUSATIVE.sub("", re.sub(r"عَ?مْ?رً(?=ا(?!\w))|عَ?مْ?ر(?=اً(?!\w))", "عمرو\u064b", form))
    words = re.findall(r"[^\W_]+", _HONORIFICS.sub(" ", fold(nominative)))
    words = [word for place, word in enumerate(words) if place == 0 or word not in _EXPLAINING]
    key: list[str] = []
    for place, word in enumerate(words):
        following = words[place + 1] if place + 1 < len(words) else None
        if word in _KUNYA_CASES and following is not None and following not in _SON:
            key.append("ابو")
        elif word in _SON:
            key.append("بن" if key else "ابن")
        elif word == "ابنه" and key and following is not None:
            key.append("بنت")
        else:
            key.append(word)
    return " ".join(key)


def is_kin(key: str) -> bool:
    """Whether a name key only says whose kin someone is (`أبيه`, `جده`), so that it names nobody by itself."""
    first = key.split(" ", 1)[0]
    if key in FATHER or key in GRANDFATHER or key in _OTHER_KIN:
        return True
    # `جده أنس` names a man, but a kinship word that is followed by `ابي` or a second kinship word still names nobody.
    return first in _OTHER_KIN | FATHER | GRANDFATHER and all(
        word in _OTHER_KIN | FATHER | GRANDFATHER | {"ابو", "او"} for word in key.split()
    )


def is_nameless(key: str) -> bool:
    """Whether a name key is a word for somebody unnamed (`رجل`, `غيره`): no form of any one narrator."""
    return not key or key.split(" ", 1)[0] in _NAMELESS


def lineage(name: str) -> tuple[str, ...]:
    """The names from a person up through the fathers, as the canonical name states them, each as a name key.

    `سفيان بن عيينة بن أبي عمران الهلالي` gives `("سفيان", "عيينه", "ابو عمران")`. Nisbas and by-names are left out,
    and a kunya before a name too (`أبو اليمان الحكم بن نافع` is `("الحكم", "نافع")`). What follows a comma, colon or
    bracket is an alternative and is left out. Nothing is concluded beyond the last name stated.
    """
    words = name_key(_LINEAGE_END.split(name, maxsplit=1)[0]).split()
    parts: list[list[str]] = [[]]
    for word in words:
        if word in _SON | _DAUGHTER and parts[-1]:
            parts.append([])
        else:
            parts[-1].append(word)
    if len(parts) > 1 and parts[0][:1] in (["ابو"], ["ام"]) and len(parts[0]) > _COMPOUND:
        parts[0] = parts[0][_COMPOUND:]
    return tuple(_one_name(part) for part in parts if part)


def _one_name(words: list[str]) -> str:
    """The name proper at the head of some words."""
    return " ".join(words[: words_of_name(words)])


def words_of_name(words: Sequence[str]) -> int:
    """How many of some words of a name key are the one name that they begin with: `عبد الله` and `ابو بكر` are two."""
    if words[:_COMPOUND] == ["عبيد", "الله"]:
        return _COMPOUND
    return _COMPOUND if words[0] in _COMPOUND_HEADS and words[1:_COMPOUND] not in ([], ["بن"]) else 1


def states_ancestor(descendant: tuple[str, ...], ancestor: tuple[str, ...], generations: int) -> bool:
    """Whether two lineages agree that one is the other's father (1 generation) or grandfather (2).

    They agree when every name that both state is the same, with at least one such name. Agreement makes kinship
    possible; it proves none (many men are called `محمد بن عبد الله`).
    """
    expected = descendant[generations:]
    shared = min(len(expected), len(ancestor))
    return shared > 0 and expected[:shared] == ancestor[:shared]
