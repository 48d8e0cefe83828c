"""Phrases of the vocabulary, found among folded words.

A phrase is folded words with one blank between them. `word*` is a word with any ending, `*` alone any words (up to eight
between two others, one at an end), `(a|b c)` a choice, `(a)?` something that may be left out, `~` before an Arabic word
the letters that are written together with it (و ف ب ل ك ال). An Arabic phrase may begin with `و` or `ف`.

All phrases of a section are one automaton over words, which is walked without ever going back: the time is in proportion
to the words, whatever they are.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

_GAP: Final = 8
_REMEMBERED: Final = 4096
_CONJUNCTIONS: Final = ("", "و", "ف")
_PROCLITICS: Final = tuple(
    conjunction + rest for conjunction in _CONJUNCTIONS for rest in ("", "ال", "بال", "كال", "لل", "ب", "ل", "ك")
)
_ARABIC: Final = re.compile("[\u0621-\u064a]")
_TOKEN: Final = re.compile(r"\(|\)\*?\??|\||[^\s()|?]+")


class _Group:
    """A choice of sequences, one of which stands there, or none where it may be left out."""

    def __init__(self) -> None:
        self.choices: list[list[str | _Group]] = [[]]
        self.is_optional = False


class _State:
    """Where the walk through the phrases can be: what may follow."""

    __slots__ = ("affixes", "any", "free", "is_end", "words")

    def __init__(self) -> None:
        self.words: dict[str, list[_State]] = {}
        self.affixes: dict[str, list[tuple[str, str, _State]]] = {}
        self.any: list[_State] = []
        self.free: list[_State] = []
        self.is_end = False

    def after(self, word: str) -> Iterator["_State"]:
        """The states that a word leads to."""
        yield from self.words.get(word, ())
        for letter in (word[0], ""):
            for prefix, suffix, state in self.affixes.get(letter, ()):
                if word.startswith(prefix) and word.endswith(suffix):
                    yield state
        yield from self.any


class Phrases:
    """A list of phrases, ready to be looked for."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self._start = _State()
        for phrase in phrases:
            is_arabic = _ARABIC.match(phrase.lstrip("(")) is not None
            _build(_parsed(phrase), self._start, leads=_CONJUNCTIONS if is_arabic else ("",)).is_end = True
        self._first = _merged(_closure([self._start]))
        self._begun: dict[str, list[_State]] = {}  # what words led to, because most words come again

    def found(
        self, words: Sequence[str], groups: Sequence[int], first: int = 0, last: int | None = None
    ) -> Iterator[tuple[int, int]]:
        """Where phrases stand.

        Args:
            words: the folded words.
            groups: the sentence of each word; a phrase stands within one.
            first: the first word to begin at.
            last: the word before which to stop; the end where it is not said.

        Yields:
            The first word of a phrase and the one behind its last, the longest for each word where one begins.
        """
        begun = self._begun
        if len(begun) > _REMEMBERED:
            begun.clear()
        for place in range(first, len(words) if last is None else min(last, len(words))):
            word = words[place]
            states = begun.get(word)
            if states is None:
                states = begun[word] = _closure(list(self._first.after(word)))
            if states:
                end = _end(states, words, groups, place)
                if end is not None:
                    yield place, end


def _end(states: list[_State], words: Sequence[str], groups: Sequence[int], place: int) -> int | None:
    """Where the longest phrase ends that the first word has led to some states of."""
    end, at = None, place + 1
    while states:
        if any(state.is_end for state in states):
            end = at
        if at >= len(words) or groups[at] != groups[place]:
            break
        word = words[at]
        states = _closure([state for before in states for state in before.after(word)])
        at += 1
    return end


def _merged(states: list[_State]) -> _State:
    """One state that leads wherever some states do."""
    merged = _State()
    for state in states:
        for word, following in state.words.items():
            merged.words.setdefault(word, []).extend(following)
        for letter, affixes in state.affixes.items():
            merged.affixes.setdefault(letter, []).extend(affixes)
        merged.any += state.any
    return merged


def _closure(states: list[_State]) -> list[_State]:
    """States with all that they lead to without a word, each once."""
    if not any(state.free for state in states):
        return states
    found = dict.fromkeys(states)
    waiting = list(states)
    while waiting:
        for state in waiting.pop().free:
            if state not in found:
                found[state] = None
                waiting.append(state)
    return list(found)


def _parsed(phrase: str) -> list[str | _Group]:
    whole = _Group()
    open_groups = [whole]
    for token in _TOKEN.findall(phrase):
        if token == "(":  # noqa: S105 - a bracket, no password
            open_groups.append(_Group())
        elif token == "|":  # noqa: S105
            open_groups[-1].choices.append([])
        elif token.startswith(")"):
            group = open_groups.pop()
            group.is_optional = token.endswith("?")
            if "*" in token:
                group.choices = [[*choice[:-1], f"{choice[-1]}*"] for choice in group.choices]
            open_groups[-1].choices[-1].append(group)
        else:
            open_groups[-1].choices[-1].append(token)
    if len(open_groups) != 1 or len(whole.choices) != 1:
        raise ValueError(f"brackets of a phrase do not match: {phrase}")
    return whole.choices[0]


def _build(items: list[str | _Group], state: _State, leads: Sequence[str] = ("",)) -> _State:
    """Add a sequence behind a state; give the state at its end.

    Args:
        items: the sequence.
        state: where it begins.
        leads: what may be written together with its first word.
    """
    for place, item in enumerate(items):
        following = _State()
        begins = leads if place == 0 else ("",)
        if isinstance(item, _Group):
            for choice in item.choices:
                _build(choice, state, begins).free.append(following)
            if item.is_optional:
                state.free.append(following)
                leads = leads if place == 0 else ("",)
        elif item == "*":
            _add_gap(state, following, is_inner=0 < place < len(items) - 1)
        else:
            _add_word(item, state, following, begins)
        state = following
    return state


def _add_gap(state: _State, following: _State, *, is_inner: bool) -> None:
    if not is_inner:
        state.any.append(following)
        return
    state.free.append(following)
    for _ in range(_GAP):
        skipped = _State()
        skipped.free.append(following)
        state.any.append(skipped)
        state = skipped


def _add_word(item: str, state: _State, following: _State, leads: Sequence[str]) -> None:
    if item.startswith("~"):
        item, leads = item[1:], _PROCLITICS
    for lead in leads:
        word = lead + item
        if "*" in word:
            prefix, _, suffix = word.partition("*")
            state.affixes.setdefault(prefix[:1], []).append((prefix, suffix.strip("*"), following))
        else:
            state.words.setdefault(word, []).append(following)
