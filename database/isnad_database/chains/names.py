"""The grammar of a mention: where a narrator's name, as a text gives it, begins and ends."""

from dataclasses import dataclass

from . import vocabulary as v
from .given_names import known
from .letters import COMMA, DASH, QUOTE, STOP, Words


@dataclass(frozen=True, slots=True)
class Mention:
    """Words `first` up to, not including, `end`; `aside` is the word at which an aside begins.

    `sure` is false where a word was taken into the name only because of where it stands; `anonymous` where nobody is
    named (`رجل`)."""

    first: int
    end: int
    sure: bool
    anonymous: bool = False
    aside: int | None = None


def honorific(words: Words, i: int) -> int:
    """Return the word after the wishes that stand at `i` (رضي الله عنه, صلى الله عليه وسلم), or `i` itself."""
    while True:
        j = _one_honorific(words, i)
        if j == i:
            return i
        i = j


def _one_honorific(words: Words, i: int) -> int:
    at = words.at
    head = at(i)
    if head == "رضي" and at(i + 1) == "الله":
        j = i + 2 + (at(i + 2) == "تعالي")
        if at(j).startswith("عن"):
            j += 1
            if at(j) == "وارضاه":
                j += 1
            while at(j).startswith("وعن") and (at(j) != "وعن" or at(j + 1) in ("ابيه", "ابيها")):
                j += 2 if at(j) == "وعن" else 1
        return j
    if head in ("رحمه", "رحمهما", "رحمهم", "رحمها") and at(i + 1) == "الله":
        return i + 2 + (at(i + 2) == "تعالي")
    if head == "رحمه" and at(i + 1) == "عليه":
        return i
    if head in ("صلي", "صل") and at(i + 1) == "الله" and at(i + 2) in ("عليه", "عليهما", "عليها"):
        j = i + 3
        if at(j) in ("وعلي", "واله"):
            j += 2 if at(j) == "وعلي" else 1
        return j + (at(j) in ("وسلم", "وسلام"))
    if head in ("عليه", "عليها", "عليهما", "عليهم") and at(i + 1) == "السلام":
        return i + 2
    return i


def prophet(words: Words, i: int) -> int | None:
    """Return the word after the Prophet's designation at `i`, or None; he ends a chain and is no node of it.

    His kunya counts when nothing makes it another man's (أبو القاسم بن أبي الزناد)."""
    at = words.at
    w = at(i)
    if w in ("رسول", "نبي") and at(i + 1) == "الله":
        return i + 2
    if w in ("النبي", "المصطفي", "خليلي", "نبيكم", "نبينا", "رسوله"):
        return i + 1
    if w in v.KUNYA and w != "ام" and at(i + 1) == "القاسم":
        after = at(i + 2)
        named = known(after) or after in ("عبد", "عبيد") or at(i + 3) in v.IBN or (after[:2] == "ال" and after[-1:] == "ي")
        if after not in v.IBN and not named and not (after == "ح" or at(i - 1) in v.TOLD):
            return i + 2
    return None


def mention(words: Words, i: int) -> Mention | None:
    """Read the mention of a narrator that begins at word `i`; None where no name can stand there."""
    at = words.at
    w = at(i)
    if not w or w in v.CROWDS or prophet(words, i) is not None:
        return None
    anonymous = False
    if w in v.ANONYMOUS:
        anonymous = True
        end, sure = (_group(words, i) if w == "اصحاب" else _group(words, i + 1)), True
    elif w in v.RELATION and w not in v.KIN and not known(w):
        anonymous = True
        end, sure = _continue(words, i)
        if end == i:
            return None
    elif w in v.KIN and not _kunya_at(words, i):
        end, sure = _kin(words, i)
    else:
        part = _part(words, i)
        if part is None:
            return None
        end, sure = part
    end, more = _continue(words, end)
    sure = sure and more
    aside, end = _aside(words, end)
    j = honorific(words, end)
    if j > end and j >= end + 3 and at(end) in ("صلي", "صل") and not _related(words, i, end):
        return None
    if aside is None and j > end:
        # The name may go on behind the wish: عائشة رضي الله عنها زوج النبي.
        if at(j) in v.RELATION or (at(j) == "ام" and at(j + 1) == "المومنين"):
            end2, more = _continue(words, j)
            if end2 > j:
                return Mention(i, end2, sure and more, anonymous)
        aside, end2 = _aside(words, j)
        if aside is not None:
            end = end2
    return Mention(i, end, sure, anonymous, aside)


def _related(words: Words, first: int, end: int) -> bool:
    return any(words.at(k) in v.RELATION or words.at(k) in ("من", "اصحاب", "النبي", "الله") for k in range(first, end))


def _kunya_at(words: Words, i: int) -> bool:
    """Tell `أبي هريرة` from `أبي` (my father): the latter is followed by something that is no name."""
    if words.at(i) != "ابي":
        return False
    after = words.at(i + 1)
    if after[:1] == "و" and not known(after) and (known(after[1:]) or _conjoined(words, i + 1)):
        return False
    return bool(after) and not _stops(words, i + 1) and after not in v.IBN


def _conjoined(words: Words, i: int) -> bool:
    """Whether `و` at the head of word `i` joins another name (`أبي ومحمد بن بشر`)."""
    rest = words.at(i)[1:]
    return rest in ("ابو", "ابن", "عبد", "عبيد") or words.at(i + 1) in v.IBN


def _stops(words: Words, i: int) -> bool:
    w = words.at(i)
    if not w or (w in v.STOPS and not (known(w) and _is_name(words, i))) or w == "ح":
        return True
    if w[0] in "وف" and w[1:] in v.STOPS and not known(w):
        return True
    return honorific(words, i) > i


def _is_name(words: Words, i: int) -> bool:
    """Tell a name from the verb or preposition written alike (طلق, عليّ and على): by بن behind it, or the letter and marks."""
    if words.at(i + 1) in v.IBN:
        return True
    if words.at(i) != "علي":
        return False
    raw = words.text[words.start[i] : words.end[i]]
    return "ي" in raw and "\u0649" not in raw or "\u0650" in raw


def _kin(words: Words, i: int) -> tuple[int, bool]:
    """`أبيه`, `جده أنس`, `ابن أخي الزهري`: a relative, named or not."""
    j = i + 1
    if _stops(words, j) or words.gap(j) & (QUOTE | STOP):
        return j, True
    w = words.at(j)
    if w in v.ASIDE or w[0] == "و" or w in v.REFERENCES or w in v.RELATION or w in v.COMPANIONS:
        return j, True
    part = _part(words, j)
    if part is None:
        return j, True
    if words.gap(j) & COMMA and not (_namelike(words, j) or known(w)):
        return j, True
    return part[0], part[1]


def _namelike(words: Words, i: int) -> bool:
    """A word that opens a name whatever stands around it."""
    w = words.at(i)
    return (w in v.KUNYA and not _stops(words, i + 1)) or w in ("عبد", "ابن") or words.at(i + 1) in v.IBN


def _part(words: Words, i: int, inner: bool = False) -> tuple[int, bool] | None:
    """One name: `عبد الله`, `أبي بكر`, `ابن أبي ذئب`, `أم سلمة`, `الزهري`, `نافع`. Behind بن or a kunya (`inner`) any word
    that is no term can be a name (بن علي, ابن علية, بن أسلم)."""
    at = words.at
    sure = inner
    while at(i) in v.PREFIXES and not (at(i) == "ابي" and at(i + 1) == "بن"):
        if at(i) in v.KIN and _stops(words, i + 1):
            return i + 1, True
        if not at(i + 1):
            return None
        i += 1
        sure = inner = True
    w = at(i)
    if (inner and w in v.HARD_STOPS) or (not inner and _stops(words, i)) or not w or prophet(words, i) is not None:
        return None
    if w == "عبد" and at(i + 1) not in v.IBN and not _stops(words, i + 1):
        return i + 2, True
    if at(i + 1) == "الله" and (inner or w == "عبيد"):
        return i + 2, True
    return i + 1, sure or known(w) or w.startswith("ال") or at(i + 1) in v.IBN or w == "عبد"


def _group(words: Words, i: int) -> int:
    """`رجل من الأنصار`, `رجل من أصحاب النبي`, `رجل`: the end of a group that stands after `من`."""
    at = words.at
    if at(i) == "اصحاب":
        i += 1
        end = prophet(words, i)
        return end if end is not None else i + 1
    if at(i) not in v.COMPANIONS:
        return i
    j = i + 1
    if at(j) in ("اهل", "بني", "ولد", "اصحاب", "بعض", "ازواج", "آل", "ال"):
        j += 1
        end = prophet(words, j)
        if end is not None:
            return honorific(words, end)
        part = _part(words, j)
        return part[0] if part else j
    return j + 1


def _continue(words: Words, i: int) -> tuple[int, bool]:
    """Go on with `بن …`, nisbas, a kunya or a name in apposition, and what the narrator was to somebody."""
    at = words.at
    sure = True
    for _ in range(40):
        w = at(i)
        if not w or words.gap(i) & QUOTE:
            break
        comma = bool(words.gap(i) & (COMMA | STOP | DASH))
        if w in v.IBN:
            j = i + 1
            if at(j) in v.KIN and not _kunya_at(words, j):
                part: tuple[int, bool] | None = (j + 1, True)
            else:
                part = _part(words, j, inner=True)
            if part is None:
                break
            i = part[0]
            continue
        if w in v.RELATION:
            j = i + 1
            if w == "احد" and at(j) == "بني":
                j += 1
            if at(j) in v.COMPANIONS:
                i = _group(words, j)
                continue
            end = prophet(words, j)
            if end is not None:
                i = honorific(words, end)
                continue
            if at(j) in ("لبني", "لال"):
                part = _part(words, j + 1, inner=True)
                i = part[0] if part is not None else j + 1
                continue
            if at(j).startswith("ل") and w in ("مولي", "مولاه", "غلام", "ظير"):
                i = j + 1
                continue
            part = _part(words, j)
            if part is None:
                if w in ("عم", "خال", "جد", "غلام", "احد", "امير", "امام", "عامل"):
                    break
                i = j
                continue
            i = part[0]
            continue
        if w in ("رجل", "رجلا") and at(i + 1) == "من":
            i = _group(words, i + 1)
            continue
        if w == "من" and at(i + 1) in ("اهل", "بني", "ولد", "اصحاب", "الانصار"):
            i = _group(words, i)
            continue
        if w == "ام" and at(i + 1) == "المومنين":
            i += 2
            continue
        if w == "ثم" and at(i + 1).startswith("ال") and at(i + 1).endswith("ي"):
            # الأنصاري ثم المازني: of a tribe, and of a branch of it.
            i += 2
            continue
        if w == "علي" and at(i + 1) in v.IBN:
            i += 1
            continue
        if _stops(words, i):
            break
        if prophet(words, i) is not None:
            break
        if w.startswith("ال") and len(w) > 3:
            if comma and not (w.endswith("ي") or w.endswith("يه")):
                if not _link_after(words, i + 1):
                    break
            i += 1
            continue
        if w in ("ابو", "ابا", "ابي", "عبد", "عبيد", "ابن"):
            part = _part(words, i)
            if part is None or (w in ("ابي", "ابن") and comma and not _link_after(words, part[0]) and at(part[0]) not in v.IBN):
                break
            i = part[0]
            continue
        if at(i + 1) in v.IBN and w[0] != "و":
            i += 1
            continue
        if comma and known(w) and (_link_after(words, i + 1) or at(i + 1) in v.SAID or at(i + 1) in v.RELATION or at(i + 1) == "ان" or honorific(words, i + 1) > i + 1):
            i += 1
            continue
        if w == "عايذ" and at(i + 1) == "الله":
            i += 2
            continue
        if not comma and known(w):
            i += 1
            continue
        if not comma and w[0] != "و" and _link_after(words, i + 1) and w not in v.ASIDE and w not in v.REFERENCES:
            sure = False
            i += 1
            continue
        break
    return i, sure


def _link_after(words: Words, i: int) -> bool:
    w = words.at(i)
    return w in v.TOLD or w == "عن" or (w in v.SAID and words.at(i + 1) in v.TOLD) or w in v.IBN


def _aside(words: Words, i: int) -> tuple[int | None, int]:
    """Read `يعني ابن زيد`, `وهو ابن عيينة`, `المعروف بـ…`; return the word it begins at (or None) and the word after it."""
    at = words.at
    w = at(i)
    if w not in v.ASIDE:
        return None, i
    j = i + 1
    if w == "الذي":
        if at(j) in ("يقال", "كان", "يدعي") and at(j + 1) in ("له", "يقال", "يدعي"):
            j += 2
        else:
            return None, i
    if w in ("واسمه", "اسمه") or w in ("يعني", "يعنيان", "يعنون", "هو", "وهو", "وهي", "هي"):
        pass
    if at(j) in v.RELATION or at(j) in v.KIN or at(j) in ("من", "احد") or at(j) in v.IBN:
        if at(j) in v.KIN and not _kunya_at(words, j) and at(j) not in v.IBN:
            j += 1
            return i, j
        end, _ = _continue(words, j)
        if end > j:
            return i, end
    part = _part(words, j)
    if part is None:
        return None, i
    if w in ("هو", "وهو", "هي", "وهي") and not _name_before_link(words, j, part[0]):
        return None, i
    end, _ = _continue(words, part[0])
    return i, end


def _name_before_link(words: Words, first: int, end: int) -> bool:
    """`وهو` opens many a story (وهو يصلي): only what reads as a name and is followed by a link or a break is an aside."""
    w = words.at(first)
    if w in ("ابن", "ابو", "ابي", "عبد", "عم", "ام") or w in v.RELATION:
        return True
    stop, _ = _continue(words, end)
    return words.at(end) in v.IBN or _link_after(words, stop) or words.at(stop) in v.SAID or words.at(stop) in ("ح", "ان") or bool(words.gap(stop) & DASH)
