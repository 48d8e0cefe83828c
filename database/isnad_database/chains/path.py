"""The state of a reading: the routes found so far, their links, and what was not understood."""

from dataclasses import dataclass

from . import vocabulary as v
from .letters import Words
from .model import Doubt
from .names import Mention, mention
from .patterns import conjoined, name_closes, wording
from .routes import Narrator, Route, alike, form
from .wishes import honorific, prophet


@dataclass(slots=True)
class Walk:
    """The way from a name to the next term.

    `at` is the word it has come to; `said` holds once a verb of saying was met, `that` behind أنه. Once it has led to a
    link or an end, it is `left`, and `to` is the word to go on at (None: the chains of the text are read).
    """

    at: int
    said: bool = False
    that: bool = False
    left: bool = False
    to: int | None = None

    def leave(self, to: int | None) -> bool:
        """Leave for word `to`; returns True, so that a rule can end with it."""
        self.left, self.to = True, to
        return True

    def skip(self, to: int) -> bool:
        """Come to word `to`; returns True, so that a rule can end with it."""
        self.at = to
        return True


class Path:
    """A path along the words of a text; every method that reads returns the word to go on at."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.routes: list[Route] = []
        self.doubts: list[Doubt] = []
        self.reason: str | None = None
        self.report_start: int | None = None
        self.worded: int | None = None
        """The word behind the last aside on wording: there the narrator before it can be named again."""

    @property
    def route(self) -> Route:
        """The route that is being read."""
        return self.routes[-1]

    @property
    def begun(self) -> bool:
        """Whether the route that is being read has a link."""
        return bool(self.routes and self.route.links)

    def doubt(self, reason: str, first: int, end: int) -> None:
        """Note that the words `first` up to `end` were not understood; the route that is being read is then no fact."""
        words = self.words
        if self.routes:
            self.route.doubts.append(reason)
        while first and not words.at(first):
            first -= 1
        last = max(first, end - 1)
        while last > first and not words.at(last):
            last -= 1
        self.doubts.append(Doubt(reason, words.start[first], words.end[last]))

    def link(self, found: Mention, term: tuple[int, int]) -> int:
        """Add a link, with all narrators whom the text puts at it."""
        narrators = [self.narrator(found, term)]
        self.route.links.append(narrators)
        return self._more(narrators, found.end)

    def narrator(self, found: Mention, term: tuple[int, int]) -> Narrator:
        """Return the narrator of a mention, doubted where its name is not sure."""
        if not found.sure:
            self.doubt("unsure_name", found.first, found.end)
        return Narrator(found, term)

    def join(self, routes: int) -> None:
        """Note that the text says that the last `routes` routes (0: all) share what follows (كلاهما عن, قالا حدثنا)."""
        if self.route.joins_from is None and len(self.routes) > 1:
            self.route.joins_from = len(self.route.links)
            self.route.joins_count = routes

    def _more(self, narrators: list[Narrator], i: int) -> int:
        """Read on behind a name: further narrators at the same link, and asides on wording."""
        words = self.words
        while True:
            i = honorific(words, i)
            behind = wording(words, i)
            if behind > i:
                i = self.worded = behind
            if words.at(i) in v.AND_OTHERS:
                self.doubt("unnamed_others", i, i + 1)
                i += 1
                continue
            found, term = self._another(i, narrators[0].term)
            if found is None:
                return i
            narrators.append(self.narrator(found, term))
            i = found.end

    def _another(self, i: int, term: tuple[int, int]) -> tuple[Mention | None, tuple[int, int]]:
        words = self.words
        if words.at(i) == "او":
            k = i + 1 + (words.at(i + 1) == "عن")
            found = mention(words, k)
            if found is None or not found.sure or not name_closes(words, found.end):
                return None, term
            self.doubt("one_or_other", i, found.end)
            return found, (i + 1, k) if k > i + 1 else term
        if words.at(i) == "وعن":
            found = mention(words, i + 1)
            return (None if found is None or self._branches(found) else found), (i, i + 1)
        return conjoined(words, i), term

    def _branches(self, found: Mention) -> bool:
        """`عن أبي هريرة وعن عمارة عن أبي زرعة`: وعن opens another route, for it leads to one named already."""
        words = self.words
        e = honorific(words, found.end)
        if words.at(e) != "عن":
            return False
        following = mention(words, e + 1)
        if following is None:
            return prophet(words, e + 1) is None
        return self.named(following, self.route)

    def named(self, found: Mention, *routes: Route) -> bool:
        """Whether one of the narrators of `routes` bears the form of a mention."""
        words = self.words
        mine = form(words, found)
        return any(alike(mine, form(words, n.mention)) for route in routes for link in route.links for n in link)

    def named_here(self, found: Mention, links: int) -> bool:
        """Whether one of the narrators at the last `links` links bears the form of a mention."""
        words = self.words
        mine = form(words, found)
        return any(alike(mine, form(words, n.mention)) for link in self.route.links[-links:] for n in link)
