"""Single names (عبد الله, أبي بكر, ابن أبي ذئب), and the words that no name can hold."""

from . import vocabulary as v
from .given_names import known
from .letters import Words
from .wishes import honorific, prophet

_KASRA = "\u0650"
_ALEF_MAQSURA = "\u0649"


def head(word: str) -> str:
    """Return a word without the conjunction (و, ف) that may be joined to it."""
    return word[1:] if word[:1] in v.CONJUNCTIONS and word[1:] else word


def stops(words: Words, i: int) -> bool:
    """Whether no name begins or goes on at word `i`: a particle, a verb, a term, a wish, the route sign or the end."""
    w = words.at(i)
    if not w or w == v.ROUTE or (w in v.STOPS and not (known(w) and _is_name(words, i))):
        return True
    return (w[0] in v.CONJUNCTIONS and w[1:] in v.STOPS and not known(w)) or honorific(words, i) > i


def _is_name(words: Words, i: int) -> bool:
    """Tell a name from the word written alike (طلق; عليّ and على): by بن behind it, or by its last letter and marks."""
    if words.at(i + 1) in v.IBN:
        return True
    if words.at(i) != "علي":
        return False
    raw = words.text[words.start[i] : words.end[i]]
    return _ALEF_MAQSURA not in raw or _KASRA in raw


def kunya(words: Words, i: int) -> bool:
    """Tell `أبي هريرة` from `أبي` (my father), which is followed by something that is no name."""
    after = words.at(i + 1)
    if words.at(i) != "ابي" or not after or after in v.IBN:
        return False
    if after[0] == "و" and not known(after) and (known(after[1:]) or _joined_name(words, i + 1)):
        return False
    return not stops(words, i + 1)


def _joined_name(words: Words, i: int) -> bool:
    """Whether و at the head of word `i` joins another name (`أبي ومحمد بن بشر`)."""
    return words.at(i)[1:] in v.OPENERS or words.at(i + 1) in v.IBN


def opens_name(words: Words, i: int) -> bool:
    """Whether word `i` opens a name whatever stands around it."""
    w = words.at(i)
    return (w in v.KUNYA and not stops(words, i + 1)) or w in {"عبد", "ابن"} or words.at(i + 1) in v.IBN


def link_after(words: Words, i: int) -> bool:
    """Whether a term of transmission, or a further بن, stands at word `i`."""
    w = words.at(i)
    return w in v.TOLD or w == "عن" or w in v.IBN or (w in v.SAID and words.at(i + 1) in v.TOLD)


def part(words: Words, i: int, *, inner: bool = False) -> tuple[int, bool] | None:
    """Read one name at word `i`; return the word after it and whether it is surely a name, or None.

    Behind بن or a kunya (`inner`) any word that is no term can be a name (بن علي, ابن علية, بن أسلم).
    """
    at = words.at
    while at(i) in v.PREFIXES and not (at(i) == "ابي" and at(i + 1) == "بن"):
        if at(i) in v.KIN and stops(words, i + 1):
            return i + 1, True
        if not at(i + 1):
            return None
        i += 1
        inner = True
    w = at(i)
    if not w or prophet(words, i) is not None or (w in v.HARD_STOPS if inner else stops(words, i)):
        return None
    if w == "عبد" and at(i + 1) not in v.IBN and not stops(words, i + 1):
        return i + 2, True
    if at(i + 1) == "الله" and (inner or w == "عبيد"):
        return i + 2, True
    return i + 1, inner or known(w) or w.startswith("ال") or at(i + 1) in v.IBN or w == "عبد"


def group(words: Words, i: int) -> int:
    """Return the end of `من الأنصار`, `من أصحاب النبي`, `أصحاب النبي` at word `i`: of whom a narrator was one."""
    at = words.at
    if at(i) == "اصحاب":
        end = prophet(words, i + 1)
        if end is not None:
            return honorific(words, end)
        return i + 2 if at(i + 1) else i + 1  # the text may end with it
    if at(i) != "من":
        return i
    j = i + 1
    if at(j) not in v.GROUPS:
        return j + 1 if at(j) else j
    j += 1
    end = prophet(words, j)
    if end is not None:
        return honorific(words, end)
    named = part(words, j)
    return named[0] if named else j
