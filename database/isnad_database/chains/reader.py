"""The chain reader: follows the links of a text from the compiler's teacher to the report."""

from collections.abc import Callable

from . import vocabulary as v
from .letters import DASH, Words
from .links import Links
from .model import Reading
from .name_parts import head
from .names import mention
from .path import Walk
from .patterns import addressee
from .routes import Route, chains
from .wishes import honorific, prophet

READER_NAME = "isnad_database.chain_reader"
READER_VERSION = "1.0.0"

# The longest chains of the two Sahihs, with all their routes, stay below 300 words.
_MOST_WORDS = 800
# No more words than this stand between a name and the next term.
_MOST_BETWEEN = 12
# `قالوا` behind no more narrators than so many speaks for the routes before as well.
_PLURAL = 2


def read(text: str) -> Reading:
    """Read the chains of narrators that a hadith opens with.

    Args:
        text: chain and report, as stored. Any string is accepted; the time is linear in its length.

    Returns:
        The chains, with spans in characters of `text` as given. Nothing is filled in: what the text leaves out is said
        by `Chain.completeness`. A text without a chain has none, and a `reason`: `no_text`, `no_chain` (it does not
        begin with one), `prophet_only` (nobody but the Prophet is named) or `reference_only` (`وبإسناده`).

        Only what the text opens with is read: a remark of the compiler behind the report (`تابعه فلان`) is none of its
        chains.
    """
    words = Words(text, _MOST_WORDS)
    if not words.at(0):
        return Reading((), "no_text")
    return _Reader(words).read()


class _Reader(Links):
    def read(self) -> Reading:
        i = self.open(0)
        while i is not None:
            i = self._step(i)
        found = chains(self.words, self.routes)
        reaches = bool(found) and found[-1].completeness in {"complete", "open_start"}
        return Reading(
            found,
            reason=None if found else self.reason or "no_chain",
            doubts=tuple(self.doubts),
            report_start=self.report_start if reaches else None,
        )

    def open(self, i: int) -> int | None:
        """Begin a route at word `i`; return the word to go on at, or None where no chain begins."""
        at = self.words.at
        first = i
        if self._compiler(i):
            i += 4
        while at(i) in v.SAID and (at(i + 1).removeprefix("و") in v.TOLD | v.HEARD or at(i + 1) == "وقال"):
            i += 1
        term = head(at(i))
        if term in v.TOLD or term in {"سمعت", "سمعنا"} or self._read_to(i):
            # قال حدثنا, at the beginning of a record: one whom it does not name speaks.
            self.routes.append(Route(stated_start=i == first or first > 0 or self._compiler(first)))
            end = self.told(i)
            if not self.route.links:
                self.routes.pop()
            return end
        if term in v.SAID or term in v.HANGING:
            return self._open_hanging(i, term)
        if term in v.REFERENCES:
            self.reason = "reference_only"
        return None

    def _compiler(self, i: int) -> bool:
        """Whether al-Bukhari is made to speak at word `i` (قال أبو عبد الله حدثنا): he is no node."""
        at = self.words.at
        name = head(at(i)) == "قال" and at(i + 1) == "ابو" and at(i + 2) == "عبد" and at(i + 3) == "الله"
        return name and (head(at(i + 4)) in v.TOLD or head(at(i + 4)) in v.SAID)

    def _read_to(self, i: int) -> bool:
        return head(self.words.at(i)) in v.READ_TO and self.words.at(i + 1) in {"علي", "الي"}

    def _open_hanging(self, i: int, term: str) -> int | None:
        """`وقال الليث`, `ويذكر عن ابن عباس`: the beginning is not in the text; but it is in `قال لي فلان`."""
        words, at = self.words, self.words.at
        j = i + 1
        to_me = term in v.SAID and at(j) in {"لي", "لنا"}
        j += to_me
        span = (i, j)
        if at(j) == "عن" and term != "عن":
            span = (j, j + 1)
            j += 1
        if prophet(words, j) is not None:
            self.reason = "prophet_only"
            return None
        found = mention(words, j)
        if found is None or found.anonymous:
            return None
        if term == "ان" and at(honorific(words, found.end)) not in v.REPORTS:
            return None
        self.routes.append(Route(stated_start=to_me))
        after = self.link(found, span)
        # قال ابن شهاب وأخبرني فلان: he goes on telling.
        return self.told(after) if at(after) not in v.TOLD and head(at(after)) in v.TOLD else after

    def _step(self, i: int) -> int | None:
        """Go on behind a name at word `i`, to the next name or the end."""
        rules: tuple[Callable[[Walk], bool], ...] = (
            self._sign, self._from, self._told, self._told_him, self._variation, self._says, self._that, self.mentions,
            self._together, self._filler, self._reference,
        )  # fmt: skip
        walk = Walk(honorific(self.words, i))
        for _ in range(_MOST_BETWEEN):
            if not any(rule(walk) for rule in rules):
                break
            if walk.left:
                return walk.to
        return self.stray(walk.at, said=walk.said)

    # The rules: each looks at the word that the walk has come to, and returns whether it took it.

    def _sign(self, walk: Walk) -> bool:
        w = self.words.at(walk.at)
        if not w:
            self.route.ended = "cut"
            return walk.leave(None)
        return w == v.ROUTE and walk.leave(self.new_route(walk.at + 1))

    def _variation(self, walk: Walk) -> bool:
        """`قال يحيى أخبرنا وقال الآخران حدثنا`: who of the narrators before used which term.

        Goes on at the last term, or, where the narrator just named is named again, behind him.
        """
        words, at = self.words, self.words.at
        j, last, again = walk.at, None, False
        while at(j).removeprefix("و") in v.SAID:
            e, student = self._one_of_them(j + 1)
            if e is None or not (at(e) in v.TOLD or at(e) in v.HEARD or at(e) == "عن"):
                break
            last, j, again = e, e + 1, again or student
            if not at(j).startswith("و"):
                break
        if last is None:
            return False
        if at(last + 1) == v.ROUTE:
            return walk.skip(last + 1)
        found = mention(words, last + 1)
        if found is None:
            return walk.skip(last)
        again = again and bool(words.gap(walk.at) & words.gap(found.end) & DASH)
        return walk.skip(found.end if again or self.named_here(found, 1) else last)

    def _one_of_them(self, i: int) -> tuple[int | None, bool]:
        """Read one of the last narrators, or `الآخران`, at word `i`.

        Returns the word after him (None where it is somebody else), and whether he stands at the link before the last:
        then he gives the last narrator by the name that he used (`قال أبو بكر حدثنا ابن علية`).
        """
        if self.words.at(i) in v.THE_OTHERS:
            return i + 1, False
        found = mention(self.words, i)
        if found is None or not self.named_here(found, 2):
            return None, False
        return honorific(self.words, found.end), not self.named_here(found, 1)

    def _from(self, walk: Walk) -> bool:
        w = self.words.at(walk.at)
        if w == "وعن":
            return walk.leave(self.new_route(walk.at))
        return head(w) == "عن" and walk.leave(self.from_(walk.at, said=walk.said))

    def _told(self, walk: Walk) -> bool:
        i = walk.at
        w = self.words.at(i)
        bare = head(w)
        if bare not in v.TOLD and bare not in v.HEARD and not self._read_to(i):
            return False
        if w.startswith("و") and w not in v.TOLD and bare in v.TOLD:
            if not walk.said:
                return walk.leave(self._unmarked_route(i, bare))
            # قال وأخبرني فلان: he told something else before; which of the two the text gives is not said.
            self.doubt("told_beside", i, i + 1)
        return walk.leave(self.told(i))

    def _unmarked_route(self, i: int, term: str) -> int | None:
        """`وحدثنا` without ح: surely the compiler's own; but `وأخبرني يونس` may be the last narrator's."""
        after = self.new_route(i)
        if after is not None and not term.startswith("حدث"):
            self.route.stated_start = False
            self.doubt("unmarked_route", i, i + 1)
        return after

    def _told_him(self, walk: Walk) -> bool:
        if head(self.words.at(walk.at)) not in v.TOLD_HIM:
            return False
        links = len(self.route.links)
        after = self.told_him(walk.at, that=walk.that)
        walk.that = False
        return walk.leave(after) if len(self.route.links) > links else walk.skip(after)

    def _that(self, walk: Walk) -> bool:
        return self.words.at(walk.at) == "ان" and walk.leave(self.that(walk.at))

    def _says(self, walk: Walk) -> bool:
        words, i = self.words, walk.at
        if head(words.at(i)) not in v.SAID:
            return False
        again = self._repeated(i)
        if again is not None:
            walk.said = True
            return walk.skip(honorific(words, again))
        if self.says(walk):
            return True
        walk.said = True
        here = len(self.route.links[-1])
        if words.at(i) == "قالا" and here == 1:
            self.join(2)
        elif words.at(i) == "قالوا" and here <= _PLURAL:
            self.join(0)
        return walk.skip(honorific(words, i + 1))

    def _repeated(self, i: int) -> int | None:
        """`عن عبد الله قال قال عبد الله`: one named already is no further link; return the word after his name."""
        found = mention(self.words, i + 1)
        if found is None or found.anonymous:
            return None
        if self.named_here(found, 1):
            return found.end
        if not self.named(found, *self.routes[:-1]):
            return None
        self.doubt("another_speaker", i, found.end)
        return found.end

    def _together(self, walk: Walk) -> bool:
        """`كلاهما عن شعبة`, `كل هؤلاء عن نافع`: the routes before meet here."""
        w = self.words.at(walk.at)
        these = w == "كل" and self.words.at(walk.at + 1) == "هولاء"
        if w in v.BOTH and len(self.route.links[-1]) == 1:
            self.join(2)
        elif w in v.ALL or these:
            self.join(0)
        return (these or w in v.BOTH or w in v.ALL) and walk.skip(walk.at + 1 + these)

    def _filler(self, walk: Walk) -> bool:
        at, i = self.words.at, walk.at
        w = at(i)
        if w in v.TRACED or w in v.GUESSED:
            if w in v.GUESSED:
                self.doubt("guessed", i, i + 1)
            walk.said = walk.said or w in v.TRACED
            return walk.skip(i + 1 + (at(i + 1) == "به"))
        if w == "قري" and at(i + 1) == "عليه":
            return walk.skip(i + 2)
        if w == "هذا" and at(i + 1) == "ما" and at(i + 2) in v.TOLD:
            # هذا ما حدثنا به أبو هريرة
            return walk.skip(i + 2)
        if w == "يزيد" and at(i + 1) in {"احدهما", "بعضهم"} and at(i + 2) == "علي":
            return walk.skip(i + 4)
        if w in v.SAYING:
            walk.said = True
            return walk.skip(addressee(self.words, i))
        walk.that = walk.that or w == "انه"
        return (w in v.FILLERS or self._where(i)) and walk.skip(i + 1)

    def _where(self, i: int) -> bool:
        """`بمكة`, `ببيتنا`: where, or how, somebody told it, right before the next term."""
        w, after = self.words.at(i), self.words.at(i + 1)
        place = w.startswith("ب") and w not in v.STOPS and w not in v.REFERENCES and not w.startswith(v.BY_THE_CHAIN)
        return place and (after in v.TOLD or after in v.HEARD or after in v.SAID or after in v.SAYING or after == "عن")

    def _reference(self, walk: Walk) -> bool:
        w = self.words.at(walk.at)
        in_this = w == "في" and self.words.at(walk.at + 2) == "الاسناد"
        return (in_this or w in v.REFERENCES or w.startswith(v.BY_THE_CHAIN)) and walk.leave(self.reference(walk.at))
