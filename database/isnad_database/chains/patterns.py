"""Looks at words without going on: whether a name ends, another is joined, somebody is spoken to, a route opens."""

from . import vocabulary as v
from .given_names import known
from .letters import COMMA, DASH, QUOTE, Words
from .name_parts import head
from .names import Mention, mention
from .wishes import honorific, prophet


def name_closes(words: Words, i: int) -> bool:
    """Whether a name can end before word `i`."""
    i = honorific(words, i)
    w = words.at(i)
    bare = head(w)
    return (
        w in v.CLOSING
        or bare in v.TOLD
        or bare in v.HEARD
        or (w.startswith("و") and w not in v.STOPS)
        or bool(words.gap(i) & (COMMA | DASH))
    )


def conjoined(words: Words, i: int) -> Mention | None:
    """Read `وعبدة` behind a name: another narrator at the same link.

    The و is taken off the word where a name follows. A word of which it is part (وكيع) does not stand behind a name.
    """
    w = words.at(i)
    if w == "و":
        found = mention(words, i + 1)
        return found if found is not None and found.sure and name_closes(words, found.end) else None
    if not w.startswith("و") or words.gap(i) & QUOTE or not _may_join(w):
        return None
    saved = words.split_and(i)
    found = mention(words, i)
    if found is not None and _joins(words, i, found):
        return found
    words.restore(i, saved)
    return None


def _may_join(word: str) -> bool:
    rest = word[1:]
    if not rest or word in v.NOT_JOINED:
        return False
    return rest == "علي" or not (rest in v.STOPS or rest in v.REFERENCES or rest in v.HEARD or rest in v.MEANING)


def _joins(words: Words, i: int, found: Mention) -> bool:
    after = words.at(found.end)
    if found.anonymous and after != "عن" and after not in v.SAID:
        return False
    # A word in ه that is no known name is a verb with its object (وسأله).
    named = found.sure or (after in v.TOLD and not words.at(i).endswith("ه"))
    return named and name_closes(words, found.end)


def wording(words: Words, i: int) -> int:
    """Return the word after the compiler's aside on whose wording he gives (واللفظ له), or `i` where there is none."""
    at = words.at
    w = at(i)
    if w in v.WORDING_OF:
        return _wording_of(words, i + 1)
    if w in v.WORDING_CLOSE:
        i += 1
        while at(i) in v.WORDING_MORE:
            i += 1
        return i
    if w == "وهذا" and at(i + 1) in v.THIS_WORDING:
        found = mention(words, i + 2) if at(i + 1) in {"حديث", "لفظ"} else None
        return found.end if found else i + 2
    return i + 1 + (at(i + 1) == "واحد") if w in v.MEANING else i


def _wording_of(words: Words, i: int) -> int:
    """`واللفظ له`, `واللفظ ليحيى`: the latter with ل joined to the name."""
    w = words.at(i)
    if w in v.TO_HIM:
        return i + 1
    if not w.startswith("ل"):
        return i
    saved = words.split_and(i)
    found = mention(words, i)
    words.restore(i, saved)
    return found.end if found else i + 1


def addressed(words: Words, i: int) -> bool:
    """Whether the words go on with whom somebody spoke to (لعمر, يا رسول الله): then a report is being told."""
    w = words.at(i)
    return w == "يا" or (w.startswith("ل") and w not in v.STOPS and not known(w))


def addressee(words: Words, i: int) -> int:
    """Return the word after the verb at `i`, and after whom the narrator told it (يحدث أباه عن عمه), who is no link."""
    found = mention(words, i + 1) if words.at(i).endswith(v.TELLING) else None
    if found is None or not found.sure:
        return i + 1
    e = honorific(words, found.end)
    return e if words.at(e) in v.SAID or words.at(e) in {"عن", "ان", "انه"} else i + 1


def used_to(words: Words, i: int) -> Mention | None:
    """Read the narrator of `كان عروة يحدث` at word `i`."""
    found = mention(words, i + 1) if words.at(i) == "كان" else None
    if found is None or found.anonymous or not found.sure:
        return None
    e = honorific(words, found.end)
    told = words.at(e)[1:].startswith(v.TELLING) or words.at(e + 1) in v.TOLD or words.at(e + 1) in v.HEARD
    return found if told and words.at(e) in v.SAYING else None


def opens(words: Words, i: int) -> bool:
    """Whether the term or verb at `i` is followed by a name and a further link, so that a route can open with it."""
    found = mention(words, i + 1)
    if found is None or found.anonymous:
        return False
    e = honorific(words, found.end)
    w = words.at(e)
    return w in v.TOLD or w == "عن" or (w in v.SAID and words.at(e + 1) in v.TOLD)


def reopens(words: Words, i: int) -> bool:
    """Whether another route begins at word `i`, within a report: ح, or the compiler's own term before two names."""
    at = words.at
    if at(i) == v.ROUTE:
        return at(i + 1 + (at(i + 1) in v.SAID)).removeprefix("و") in v.TOLD
    if at(i).removeprefix("و") not in v.OWN_TERMS or at(i - 1) in v.SAID or at(i - 1) in v.SAYING:
        return False
    return (at(i).startswith("و") or at(i - 1) in v.WISHES_END) and opens(words, i)


def names_prophet(words: Words, i: int, within: int) -> bool:
    """Whether the Prophet is named at one of the `within` words from `i` on."""
    return any(prophet(words, k) is not None for k in range(i, i + within))
