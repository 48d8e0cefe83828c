"""From the links that a text gives to its chains: routes, and where they meet."""

from dataclasses import dataclass, field

from . import vocabulary as v
from .letters import Words
from .model import Chain, Completeness, Meeting, Node
from .names import Mention


@dataclass(slots=True)
class Narrator:
    """A mention with the words of its term."""

    mention: Mention
    term: tuple[int, int]


@dataclass(slots=True)
class Route:
    """What stands between two route signs: links in order, each with one narrator or more."""

    stated_start: bool
    links: list[list[Narrator]] = field(default_factory=list)
    ended: str = "cut"
    doubts: list[str] = field(default_factory=list)
    joins_from: int | None = None
    """Index of the link that the text says is shared with the routes before (`كلاهما عن`)."""
    joins_count: int = 0
    """How many routes share it; 0 for all of them."""


_ARTICLE = "ال"
# Shorter words lose nothing: الا is no name with an article, nor is هنا an accusative.
_SHORTEST_WITH_ARTICLE = 5
_SHORTEST_ACCUSATIVE = 4


def form(words: Words, mention: Mention) -> tuple[str, ...]:
    """The bare letters by which two mentions are compared: case endings of kunyas, ابن/بن and the article made one."""
    out = []
    stop = mention.aside if mention.aside is not None else mention.end
    for i in range(mention.first, stop):
        w = words.at(i)
        if w in ("ابو", "ابا", "ابي"):
            w = "ابو"
        elif w in ("بن", "ابن"):
            w = "ابن"
        elif w.startswith(_ARTICLE) and len(w) >= _SHORTEST_WITH_ARTICLE:
            w = w.removeprefix(_ARTICLE)
        if w.endswith("ا") and len(w) >= _SHORTEST_ACCUSATIVE and w != "زكريا":
            w = w[:-1]
        out.append(w)
    return tuple(out)


def alike(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Whether one form is the other, or stands whole inside it as a name of the same man (`ابن نمير`, `المقدمي`).

    What stands behind ابن is his father's name: `أبو بكرة` is not `عبد الرحمن بن أبي بكرة`.
    """
    if len(a) > len(b):
        a, b = b, a
    places = (k for k in range(len(b) - len(a) + 1) if b[k : k + len(a)] == a)
    return bool(a) and any(k == 0 or b[k - 1] != "ابن" for k in places)


def chains(words: Words, routes: list[Route]) -> tuple[Chain, ...]:
    """Put the routes together: each becomes one chain, completed by the later route that it runs into.

    Where the text shows no meeting, the chain ends with its route, and says so.
    """
    routes = [route for route in routes if route.links]
    whole: list[_Whole] = []
    # From the last to the first: a route can run only into a later one.
    for index in range(len(routes) - 1, -1, -1):
        route = routes[index]
        one = _Whole(route, list(route.links), route.ended, list(route.doubts))
        if route.ended == "route":
            found = _meeting(words, routes, index)
            if found is None:
                one.doubts.append("route_not_joined")
            else:
                one.meet(whole[len(routes) - 1 - found.chain], found)
        whole.append(one)
    return tuple(_chain(words, one) for one in reversed(whole))


@dataclass(slots=True)
class _Whole:
    """A route with what it takes over from a later one."""

    route: Route
    links: list[list[Narrator]]
    ended: str
    doubts: list[str]
    meets: Meeting | None = None

    def meet(self, later: "_Whole", at: Meeting) -> None:
        """Go on with the links of a later route from `at.position` (there) on."""
        own = len(self.links)
        # Where both name the same narrator, the route keeps its own mention of him.
        self.meets = Meeting(at.chain, own + 1 if at.stated else own, at.stated)
        self.links += later.links[at.position if at.stated else at.position + 1 :]
        self.ended = later.ended
        self.doubts += later.doubts


def _meeting(words: Words, routes: list[Route], index: int) -> Meeting | None:
    """Find the later route, and the index of its link, into which a route runs."""
    for later in range(index + 1, len(routes)):
        route = routes[later]
        if route.joins_from is not None and (route.joins_count == 0 or later - index < route.joins_count):
            return Meeting(later, route.joins_from, stated=True)
    mine = [form(words, n.mention) for n in routes[index].links[-1]]
    for later in range(index + 1, len(routes)):
        for k, link in enumerate(routes[later].links):
            theirs = [form(words, n.mention) for n in link]
            if all(any(alike(one, other) for other in theirs) for one in mine):
                return Meeting(later, k, stated=False)
    return None


def _chain(words: Words, one: _Whole) -> Chain:
    stated_end = one.ended in {"report", "prophet"}
    completeness: Completeness
    if one.route.stated_start:
        completeness = "complete" if stated_end else "open_end"
    else:
        completeness = "open_start" if stated_end else "not_stated"
    nodes = tuple(node(words, narrator, position) for position, link in enumerate(one.links, 1) for narrator in link)
    return Chain(nodes, completeness, not one.doubts, tuple(dict.fromkeys(one.doubts)), one.meets)


def node(words: Words, narrator: Narrator, position: int) -> Node:
    """The node of a narrator, with spans in the original text."""
    m = narrator.mention
    start, end = words.start[m.first], words.end[m.end - 1]
    first, last = narrator.term[0], narrator.term[1] - 1
    # The conjunction joined to a term (وحدثنا) is not part of it.
    joined = words.at(first)[:1] in v.CONJUNCTIONS
    term_start, term_end = words.behind_letter(first) if joined else words.start[first], words.end[last]
    term = words.text[term_start:term_end]
    aside = words.start[m.aside] if m.aside is not None else None
    return Node(position, words.text[start:end], start, end, term, term_start, term_end, aside)
