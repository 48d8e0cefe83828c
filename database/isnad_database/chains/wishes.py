"""Wishes behind a name (رضي الله عنه) and the designations of the Prophet."""

from . import vocabulary as v
from .given_names import known
from .letters import Words


def honorific(words: Words, i: int) -> int:
    """Return the word after the wishes that stand at `i` (رضي الله عنه, صلى الله عليه وسلم), or `i` itself."""
    while True:
        j = _one(words, i)
        if j == i:
            return i
        i = j


def blessing(words: Words, i: int) -> bool:
    """Whether the blessing on a prophet (صلى الله عليه وسلم) stands at `i`."""
    return words.at(i) in v.BLESSED and words.at(i + 1) == "الله" and words.at(i + 2) in v.UPON


def _one(words: Words, i: int) -> int:
    at = words.at
    head = at(i)
    if head not in v.WISHES:
        return i
    if head == "رضي" and at(i + 1) == "الله":
        return _pleased(words, i + 2 + (at(i + 2) == "تعالي"))
    if head in v.MERCY and at(i + 1) == "الله":
        return i + 2 + (at(i + 2) == "تعالي")
    if blessing(words, i):
        j = i + 3
        if at(j) in {"وعلي", "واله"}:
            j += 2 if at(j) == "وعلي" else 1
        return j + (at(j) in {"وسلم", "وسلام"})
    if head in v.UPON and at(i + 1) == "السلام":
        return i + 2
    return i


def _pleased(words: Words, j: int) -> int:
    """Read on behind رضي الله: عنه, عنهما, عنه وعن أبيه, عنه وأرضاه."""
    at = words.at
    if at(j).startswith("عن"):
        j += 1
        if at(j) == "وارضاه":
            j += 1
        while at(j).startswith("وعن") and (at(j) != "وعن" or at(j + 1) in {"ابيه", "ابيها"}):
            j += 2 if at(j) == "وعن" else 1
    return j


def prophet(words: Words, i: int) -> int | None:
    """Return the word after the Prophet's designation at `i`, or None; he ends a chain and is no node of it.

    His kunya counts where nothing makes it another man's (`أبو القاسم خالد بن خلي`).
    """
    at = words.at
    w = at(i)
    if w not in v.PROPHET_HEADS:
        return None
    if w in v.PROPHET:
        return i + 1
    if w in {"رسول", "نبي"} and at(i + 1) == "الله":
        return i + 2
    if w in v.KUNYA and w != "ام" and at(i + 1) == "القاسم" and not _other_abu_qasim(words, i):
        return i + 2
    return None


def _other_abu_qasim(words: Words, i: int) -> bool:
    after = words.at(i + 2)
    named = known(after) or after in v.COMPOUND or after in v.IBN or words.at(i + 3) in v.IBN
    nisba = after.startswith("ال") and after.endswith("ي")
    return named or nisba or after == "ح" or (i > 0 and words.at(i - 1) in v.TOLD)
