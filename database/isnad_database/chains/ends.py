"""Where a route stops: at the Prophet, at the report, at a reference to another record, or with the text."""

from abc import ABC, abstractmethod

from . import vocabulary as v
from .letters import QUOTE
from .name_parts import head
from .names import mention
from .path import Path
from .patterns import names_prophet, opens, reopens
from .wishes import honorific, prophet

# How far behind a stretch that is not understood a term is still taken for the same chain.
_REACH = 8
# How far into the report further links are looked for: they may belong to the chain, so that it is no fact.
_AHEAD = 16
# How soon the Prophet is named where a report is about him.
_NAMED_WITHIN = 12
# How soon the Prophet is named where it was he whom somebody met or asked.
_MET_WITHIN = 4
# How far behind a reference (بهذا الإسناد مثله) another route's sign is looked for.
_BEHIND_REFERENCE = 6


class Ends(Path, ABC):
    """The ends of routes. A method returns the word to go on at, or None where the chains of the text are read."""

    @abstractmethod
    def open(self, i: int) -> int | None:
        """Begin a route at word `i`; return None where no chain begins."""

    def new_route(self, i: int) -> int | None:
        """The route breaks off here, and another begins at word `i` (ح)."""
        self.route.ended = "route"
        count = len(self.routes)
        after = self.open(i)
        if len(self.routes) == count:
            self.route.ended = "cut"
            self.doubt("route_not_opened", i - 1, i + 3)
        return after

    def at_prophet(self, i: int) -> int | None:
        """The route ends at the Prophet, who is named at word `i`."""
        words = self.words
        self.route.ended = "prophet"
        self.report_start = words.start[i]
        j = honorific(words, prophet(words, i) or i)
        w = words.at(j)
        if w.removeprefix("و") in v.TOLD or (w in {"وقال", "وعن"} and opens(words, j)):
            # Another route without the sign ح.
            after = self.open(j)
            if after is not None:
                self.doubt("unmarked_route", j, j + 1)
            return after
        while words.at(j) in v.SAID:
            j += 1
        return self.open(j + 1) if words.at(j) == v.ROUTE else None

    def reference(self, i: int) -> int | None:
        """The route ends with a reference to another record at word `i` (بهذا الإسناد, مثله)."""
        at = self.words.at
        self.route.ended = "reference"
        last = self.route.links[-1][0]
        if last.mention.anonymous:
            # حدثني ناس بهذا
            self.doubt("may_be_report", last.mention.first, last.mention.end)
        if at(i + 1) in v.SAID and at(i + 2) in v.TOLD:
            # عن الزهري نحوه قال أخبرني فلان: the chain goes on.
            return i + 1
        for k in range(i, i + _BEHIND_REFERENCE):
            if at(k) == v.ROUTE:
                return self.open(k + 1)
        return None

    def stray(self, i: int, *, said: bool) -> int | None:
        """Word `i` is no link: the report begins, or something that is not understood.

        `said` holds where the words before say that the narrator speaks from here on (قال, يقول).
        """
        words, at = self.words, self.words.at
        if not said and at(i) not in v.STOPS:
            on = self._term_near(i)
            if on is not None:
                self.doubt("unknown_words", i, on)
                return on
            self.doubt("unknown_end", i, i + 1)
        elif not said or at(i) in v.HEARD:
            # Nothing says that the narrator just named speaks from here on (وكان شهد بدرا, في هذا المسجد).
            self.doubt("unmarked_end", i, i + 1)
        elif at(i) in v.MET and not names_prophet(words, i, _MET_WITHIN):
            # قال أتيت جابرا فقال: he whom the narrator met may be the next.
            self.doubt("may_be_link", i, i + 1)
        else:
            found = mention(words, i + (at(i) in v.SAID))
            if found is not None and found.sure and not found.anonymous:
                self.doubt("another_speaker", i, found.end)
        return self.report(i)

    def _term_near(self, i: int) -> int | None:
        words, at = self.words, self.words.at
        for k in range(i, i + _REACH):
            if words.gap(k) & QUOTE or prophet(words, k) is not None:
                return None
            if at(k) in v.TOLD or (at(k) in v.SAID and at(k + 1) in v.TOLD):
                return k
        return None

    def report(self, i: int) -> int | None:
        """The report begins at word `i`; where another route follows close by, go on with it."""
        words, at = self.words, self.words.at
        self.route.ended = "report"
        self.report_start = words.start[i] if at(i) else None
        near = True
        for k in range(i, i + _AHEAD):
            if k > i and reopens(words, k):
                self.doubt("route_in_report", i, k)
                return self.open(k + (at(k) == v.ROUTE))
            if words.gap(k) & QUOTE:
                break
            near = near and prophet(words, k) is None
            if k > i and ((near and self._links(k)) or (at(k) == "وقال" and opens(words, k))):
                self.doubt("link_in_report", i, k)
                near = False
        last = self.route.links[-1][0]
        by_verb = last.mention.anonymous or at(last.term[0]).removeprefix("و") != "عن"
        if by_verb and not names_prophet(words, i, _NAMED_WITHIN):
            # سمعت الحجاج يقول: the last name may be of one whom the report is about.
            self.doubt("may_be_report", last.mention.first, last.mention.end)
        return None

    def _links(self, k: int) -> bool:
        """Whether a term with a name behind it stands at word `k`."""
        bare = head(self.words.at(k))
        if bare not in v.TOLD and bare not in v.HEARD and bare != "عن":
            return False
        found = mention(self.words, k + 1)
        return found is not None and (found.sure or bare in v.TOLD)
