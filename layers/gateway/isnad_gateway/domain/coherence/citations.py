"""Works and authors that are cited, held against what results cite (kinds `cited_work` and `cited_author`)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from isnad_gateway.domain.coherence import vocabulary
from isnad_gateway.domain.coherence.reason import Kind, Reason
from isnad_gateway.domain.coherence.returned import Returned
from isnad_gateway.domain.coherence.spoken import Span, Spoken
from isnad_gateway.domain.name_keys import latin_key

_FILLERS: Final = frozenset(
    [
        "al",
        "il",
        "ul",
        "l",
        "d",
        "di",
        "du",
        "da",
        "dis",
        "wa",
        "w",
        "wal",
        "wat",
        "was",
        "wan",
        "war",
        "bil",
        "fil",
        "lil",
        "at",
        "as",
        "ash",
        "az",
        "an",
        "ad",
        "ar",
        "ath",
        "adh",
        "imam",
        "t",
        "n",
        "s",
        "r",
        "z",
        "sh",
        "bar",
    ]
)
"""Keys of articles and little words, which may stand in a title or be left out."""

_KIN: Final = frozenset({"bn", "abu", "umm", "bint", "بن", "ابن", "ابو", "ابي", "ابا", "ام", "بنت", "عبد"})
_AFTER_NAME: Final = frozenset({"bn", "بن", "bint", "بنت"})
_CUE_REACH: Final = 3
_MIN_BARE: Final = 3
_LONGEST: Final = 40  # letters; no name has more
_ARABIC: Final = re.compile("[\u0621-\u064a]")
_LATIN_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz")


@dataclass(frozen=True, slots=True)
class Form:
    """How a work or an author is named: as keys of words."""

    kind: str
    id: str
    keys: tuple[str, ...]
    needs_cue: bool


@dataclass(frozen=True, slots=True)
class Named:
    """A work or an author that is named, and where."""

    form: Form
    span: Span


def key_of(word: str, folded: str) -> str:
    """The key under which a word of a title or of a name is looked up, in either script."""
    if folded[:1] in _LATIN_LETTERS:
        return latin_key(word) if len(folded) < _LONGEST else folded
    return bare(folded)


def bare(folded: str) -> str:
    """An Arabic word without the letters that are written together with it, and without its article."""
    word = folded
    for prefix in ("وال", "فال", "بال", "كال", "ال", "لل"):
        if word.startswith(prefix) and len(word) - len(prefix) >= _MIN_BARE:
            return word[len(prefix) :]
    return word


@cache
def _index() -> dict[str, list[Form]]:
    """The forms by the key of their first word, the longest first."""
    names = vocabulary.read("names")
    index: dict[str, list[Form]] = {}
    for kind, entries in (("cited_work", names["works"]), ("cited_author", names["authors"])):
        for entry in entries:
            for field in ("ar", "latin", "cued_ar", "cued_latin"):
                for name in entry.get(field, ()):
                    form = Form(kind, entry["id"], _keys(name), needs_cue=field.startswith("cued"))
                    index.setdefault(form.keys[0], []).append(form)
    for forms in index.values():
        forms.sort(key=lambda form: -len(form.keys))
    return index


def _keys(name: str) -> tuple[str, ...]:
    words = Spoken(name).words
    keys = [
        key_of(name_word, word.folded)
        for word, name_word in ((word, Spoken(name).text[word.start : word.end]) for word in words)
    ]
    return tuple(key for place, key in enumerate(keys) if key not in _FILLERS or (place == 0 and key == "imam"))


@cache
def _entries(kind: str) -> dict[str, dict[str, Any]]:
    names = vocabulary.read("names")
    return {entry["id"]: entry for entry in names["works" if kind == "cited_work" else "authors"]}


def named(spoken: Spoken, keys: Sequence[str]) -> Iterator[Named]:
    """The works and authors that an answer names.

    Args:
        spoken: the answer.
        keys: the key of each of its words, see `key_of`.
    """
    index = _index()
    taken = 0
    for place, key in enumerate(keys):
        if place < taken:
            continue
        for form in index.get(key, index.get(_without_conjunction(key), [])):
            end = _match(form, keys, place)
            if end is None or not _may_be(form, spoken, keys, Span(place, end)):
                continue
            taken = end
            yield Named(form, Span(place, end))
            break


def _without_conjunction(key: str) -> str:
    return bare(key[1:]) if key[:1] in ("و", "ف", "ل", "ب") and len(key) > _MIN_BARE else key


def _match(form: Form, keys: Sequence[str], place: int) -> int | None:
    """Where a form that begins at a place ends; little words between its words do not count."""
    at = place + 1
    for key in form.keys[1:]:
        while at < len(keys) and keys[at] in _FILLERS and key != keys[at]:
            at += 1
        if at >= len(keys) or keys[at] != key:
            return None
        at += 1
    return at


def _may_be(form: Form, spoken: Spoken, keys: Sequence[str], span: Span) -> bool:
    """Whether words that spell a form mean it: a lone name within a longer one is a man of the chain."""
    if spoken.words[span.first].sentence != spoken.words[span.last - 1].sentence:
        return False
    if form.keys[0] == "bn" and _is_patronymic(spoken, span.first):
        return False
    if form.kind == "cited_author" and len(form.keys) == 1:
        before = next((keys[at] for at in range(span.first - 1, -1, -1) if keys[at] not in _FILLERS), "")
        if before in _KIN or (span.last < len(keys) and keys[span.last] in _AFTER_NAME):
            return False
    if not form.needs_cue:
        return True
    clause = spoken.clause_of(span.first)
    begin = max(clause.first, span.first - _CUE_REACH)
    return spoken.has("citing", Span(begin, span.first))


def _is_patronymic(spoken: Spoken, place: int) -> bool:
    """Whether `ibn` stands behind a name, as in `al-Layth ibn Sa'd`: then it begins no author's name."""
    if not place or spoken.words[place - 1].clause != spoken.words[place].clause:
        return False
    before, word = spoken.words[place - 1], spoken.words[place]
    gap = spoken.text[before.end : word.start]
    is_name = spoken.text[before.start].isupper() and before.folded not in vocabulary.capitals()
    return is_name and not gap.strip(" '")


def _asked_for(asked: str) -> set[tuple[str, str]]:
    """The works and authors that the user named, which an answer may deny."""
    answer = Spoken(asked)
    keys = [key_of(answer.text[word.start : word.end], word.folded) for word in answer.words]
    return {(name.form.kind, name.form.id) for name in named(answer, keys)}


def check(
    spoken: Spoken, returned: Returned, keys: Sequence[str], asked: str = ""
) -> Iterator[tuple[Reason | None, Span]]:
    """Hold what an answer cites against what results cite.

    Yields:
        For each work or author that is named: why it is suspect, or None, and where it stands.
    """
    carried: dict[tuple[str, str], bool] = {}
    wanted: set[tuple[str, str]] | None = None
    for found in named(spoken, keys):
        form = found.form
        if (form.kind, form.id) not in carried:
            carried[form.kind, form.id] = is_carried(form.kind, form.id, returned)
        if carried[form.kind, form.id] or spoken.is_mentioned(found.span.first):
            yield None, found.span
            continue
        if spoken.is_denied(found.span.first):
            wanted = _asked_for(asked) if wanted is None else wanted
            if (form.kind, form.id) in wanted:
                yield None, found.span
                continue
        kind: Kind = "cited_work" if form.kind == "cited_work" else "cited_author"
        missing = f"is cited, and no provenance of the turn names this {kind.removeprefix('cited_')}"
        yield Reason(kind, spoken.said(found.span), missing), found.span


def is_carried(kind: str, identifier: str, returned: Returned) -> bool:
    """Whether results name a work or an author, by title, by name or by the code of a collection."""
    entry = _entries(kind)[identifier]
    plain = [_plain(name) for name in (*entry["ar"], *entry.get("carried_ar", ()))]
    if identifier in _codes(returned) or any(
        f" {lead}{name} " in returned.arabic_whole for name in plain for lead in ("", "و")
    ):
        return True
    if kind == "cited_author":
        works = [work for work in _entries("cited_work").values() if work["author"] == identifier]
        if any(is_carried("cited_work", work["id"], returned) for work in works):
            return True
    return (kind, identifier) in _named_in_latin(returned)


@cache
def _plain(name: str) -> str:
    return " ".join(Spoken(name).folded)


def _codes(returned: Returned) -> set[str]:
    """The codes of the collections that results name."""
    references = (text for text in returned.of("canonical_reference", "citation", "source_key", "code"))
    return {text.split(":")[0] for text in references}


def _named_in_latin(returned: Returned) -> set[tuple[str, str]]:
    """The works and authors that results name in Latin letters."""
    found: set[tuple[str, str]] = set()
    for text in returned.of(
        "source_title", "author", "citation", "capability_note", "name", "translator", "title", "text"
    ):
        if _ARABIC.search(text):
            continue
        answer = Spoken(text)
        keys = [key_of(answer.text[word.start : word.end], word.folded) for word in answer.words]
        found |= {(name.form.kind, name.form.id) for name in named(answer, keys) if not name.form.needs_cue}
    return found
