"""The grammar of a mention: where a narrator's name, as a text gives it, begins and ends."""

from collections.abc import Callable
from dataclasses import dataclass

from . import vocabulary as v
from .given_names import known
from .letters import COMMA, DASH, QUOTE, STOP, Words
from .name_parts import group, kunya, link_after, opens_name, part, stops
from .wishes import blessing, honorific, prophet


@dataclass(frozen=True, slots=True)
class Mention:
    """Words `first` up to, not including, `end`; `aside` is the word at which an aside begins.

    `sure` is false where a word was taken into the name only because of where it stands; `anonymous` holds where the
    text gives no name (`رجل`, `كاتب المغيرة`).
    """

    first: int
    end: int
    sure: bool
    anonymous: bool = False
    aside: int | None = None


def mention(words: Words, i: int) -> Mention | None:
    """Read the mention of a narrator that begins at word `i`; None where no name can stand there."""
    w = words.at(i)
    if not w or w in v.CROWDS or prophet(words, i) is not None:
        return None
    anonymous = False
    if w in v.ANONYMOUS:
        anonymous = True
        begun: tuple[int, bool] | None = (group(words, i if w == "اصحاب" else i + 1), True)
    elif w in v.RELATION and w not in v.KIN and not known(w):
        anonymous = True
        begun = (i, True) if _epithet(words, i) is not None else None
    elif w in v.KIN and not kunya(words, i):
        begun = _kin(words, i)
    else:
        begun = part(words, i)
    if begun is None:
        return None
    end, more = _go_on(words, begun[0])
    if end == i:  # a quotation mark keeps `ختن`, `كاتب` from what they would begin with
        return None
    return _finish(words, Mention(i, end, begun[1] and more, anonymous))


def _finish(words: Words, name: Mention) -> Mention | None:
    """Add what stands behind the name: an aside, or, behind a wish, more of it (عائشة رضي الله عنها زوج النبي)."""
    aside, end = _aside(words, name.end)
    if aside is None:
        if blessing(words, end) and not _related(words, name):
            # One who is blessed so, and is nobody's client or wife, is the Prophet himself.
            return None
        j = honorific(words, end)
        if j == end:
            return name
        if words.at(j) in v.RELATION or (words.at(j) == "ام" and words.at(j + 1) == "المومنين"):
            more, sure = _go_on(words, j)
            return Mention(name.first, more if more > j else end, name.sure and sure, name.anonymous)
        aside, more = _aside(words, j)
        end = more if aside is not None else end
    return Mention(name.first, end, name.sure, name.anonymous, aside)


def _related(words: Words, name: Mention) -> bool:
    return any(words.at(k) in v.RELATION or words.at(k) in v.OF_THE_PROPHET for k in range(name.first, name.end))


def _kin(words: Words, i: int) -> tuple[int, bool]:
    """`أبيه`, `جده أنس`: a relative, named or not."""
    j = i + 1
    w = words.at(j)
    if stops(words, j) or words.gap(j) & (QUOTE | STOP) or w[0] == "و" or w in v.BEHIND_KIN:
        return j, True
    if words.gap(j) & COMMA and not (opens_name(words, j) or known(w)):
        return j, True
    return part(words, j) or (j, True)


# What a name goes on with. Each rule gets the words, the word it may go on at and whether punctuation stands before it;
# it returns the word after what it took, or None.


def _lineage(words: Words, i: int, _apart: bool) -> int | None:
    """`بن سعيد`, `بنت أبي بكر`, `بن أبيه`."""
    if words.at(i) not in v.IBN:
        return None
    j = i + 1
    if words.at(j) in v.KIN and not kunya(words, j):
        return j + 1
    found = part(words, j, inner=True)
    return found[0] if found else None


def _relation(words: Words, i: int, _apart: bool) -> int | None:
    return _epithet(words, i)


def _epithet(words: Words, i: int) -> int | None:
    """`مولى ابن عباس`, `زوج النبي`, `صاحب الزيادي`, `أحد بني حارثة`, `أم المؤمنين`, `رجل من الأنصار`."""
    at = words.at
    w = at(i)
    if w in v.RELATION:
        return _relative(words, i)
    if w in {"رجل", "رجلا"} or (w == "من" and at(i + 1) in v.GROUPS_NAMED):
        end = group(words, i if w == "من" else i + 1)
        return end if end > i + 1 else None
    return i + 2 if w == "ام" and at(i + 1) == "المومنين" else None


def _relative(words: Words, i: int) -> int | None:
    at = words.at
    w = at(i)
    j = i + 1 + (w == "احد" and at(i + 1) == "بني")
    if at(j) == "من":
        return group(words, j)
    if at(j) in {"لبني", "لال"}:
        return (part(words, j + 1, inner=True) or (j + 1, True))[0]
    if at(j).startswith("ل") and w in v.OWNED:
        return j + 1
    end_of_prophet = prophet(words, j)
    if end_of_prophet is not None:
        # The wish behind his designation is part of what the mention says: زوج النبي صلى الله عليه وسلم.
        return honorific(words, end_of_prophet)
    found = part(words, j)
    if found is None and w in v.RELATION_OF_SOMEBODY:
        return None
    return j if found is None else found[0]


def _branch(words: Words, i: int, _apart: bool) -> int | None:
    """`الأنصاري ثم المازني`: of a tribe, and of a branch of it; `عائذ الله`."""
    after = words.at(i + 1)
    if words.at(i) == "ثم" and after.startswith("ال") and after.endswith("ي"):
        return i + 2
    return i + 2 if words.at(i) == "عايذ" and after == "الله" else None


def _article(words: Words, i: int, apart: bool) -> int | None:
    """`الأنصاري`, `الأعمش`; behind a comma only a nisba, or what a link follows."""
    w = words.at(i)
    if _barred(words, i) or not w.startswith("ال") or w == "ال":
        return None
    return None if apart and not w.endswith(("ي", "يه")) and not link_after(words, i + 1) else i + 1


def _opener(words: Words, i: int, apart: bool) -> int | None:
    """`محمد بن العلاء أبو كريب`, `الحميدي عبد الله`."""
    w = words.at(i)
    if _barred(words, i) or w not in v.OPENERS:
        return None
    found = part(words, i)
    if found is None or (w in {"ابي", "ابن"} and apart and not link_after(words, found[0])):
        return None
    return found[0]


def _apposition(words: Words, i: int, apart: bool) -> int | None:
    """`أبي صالح ذكوان`, `أبو كريب، محمد بن العلاء`."""
    w, after = words.at(i), words.at(i + 1)
    if w == "علي" and after in v.IBN:
        return i + 1
    if _barred(words, i):
        return None
    if after in v.IBN and w[0] != "و":
        return i + 1
    if not known(w) or _object(words, i):
        return None
    closed = link_after(words, i + 1) or after in v.SAID or after in v.RELATION or after == "ان"
    return i + 1 if not apart or closed or honorific(words, i + 1) > i + 1 else None


def _object(words: Words, i: int) -> bool:
    """Whether word `i` is in the accusative and the name before it is not: whom he heard (سمع عمرو جابرا)."""
    w, before = words.at(i), words.at(i - 1)
    accusative = w.endswith("ا") and known(w[:-1])
    return accusative and not before.endswith("ا") and words.at(max(i - 2, 0)) != "ابا"


def _barred(words: Words, i: int) -> bool:
    return stops(words, i) or prophet(words, i) is not None


_RULES: tuple[Callable[[Words, int, bool], int | None], ...] = (
    _lineage, _relation, _branch, _article, _opener, _apposition,
)  # fmt: skip


def _go_on(words: Words, i: int) -> tuple[int, bool]:
    """Return the word after all that a name goes on with from word `i`, and whether every word of it surely belongs."""
    sure = True
    for _ in range(v.LONGEST_NAME):
        if not words.at(i) or words.gap(i) & QUOTE:
            break
        apart = bool(words.gap(i) & (COMMA | STOP | DASH))
        for rule in _RULES:
            end = rule(words, i, apart)
            if end is not None:
                break
        if end is None:
            if apart or not _unknown_name(words, i):
                break
            sure, end = False, i + 1
        i = end
    return i, sure


def _unknown_name(words: Words, i: int) -> bool:
    """Whether a word that is not known as a name stands where only a name can: right before a link."""
    w = words.at(i)
    other = _barred(words, i) or w.startswith("و") or w in v.ASIDE or w in v.REFERENCES
    return not other and link_after(words, i + 1)


def _aside(words: Words, i: int) -> tuple[int | None, int]:
    """Read `يعني ابن زيد`, `وهو ابن عيينة`; return the word it begins at (or None) and the word after it."""
    at = words.at
    w = at(i)
    if w not in v.ASIDE:
        return None, i
    j = i + 1
    if w == "الذي":
        if at(j) not in v.CALLED or at(j + 1) not in v.CALLED:
            return None, i
        j += 2
    if at(j) in v.KIN and at(j) not in v.IBN and not kunya(words, j):
        return i, j + 1
    if at(j) in v.RELATION or at(j) in v.KIN or at(j) in v.IBN or at(j) == "من":
        end, _ = _go_on(words, j)
        if end > j:
            return i, end
    found = part(words, j)
    if found is None or (w in v.WHO_IS and not _name_before_link(words, j, found[0])):
        return None, i
    return i, _go_on(words, found[0])[0]


def _name_before_link(words: Words, first: int, end: int) -> bool:
    """`وهو` opens many a story (وهو يصلي): an aside is only what reads as a name, with a link or a dash behind it."""
    if words.at(first) in v.OPENERS or words.at(first) in v.RELATION or words.at(first) == "ام":
        return True
    stop, _ = _go_on(words, end)
    after = words.at(stop)
    closed = link_after(words, stop) or after in v.SAID or after in {v.ROUTE, "ان"}
    return words.at(end) in v.IBN or closed or bool(words.gap(stop) & DASH)
