"""What leads from one narrator to the next: عن, the verbs of telling and hearing, `أن … حدثه`, `قال فلان`."""

from . import vocabulary as v
from .ends import Ends
from .given_names import known
from .letters import QUOTE
from .name_parts import head
from .names import Mention, mention
from .path import Walk
from .patterns import addressed, conjoined, name_closes, used_to
from .wishes import honorific, prophet

# How far behind `أن فلانا وكان …` the verb of reporting is looked for.
_VERB_WITHIN = 16


class Links(Ends):
    """The links. A method returns the word to go on at, or None where the chains of the text are read."""

    def from_(self, i: int, *, said: bool) -> int | None:
        """`عن نافع`, `عن النبي`."""
        words = self.words
        if prophet(words, i + 1) is not None:
            return self.at_prophet(i + 1)
        # عن حديث عائشة: of what she told.
        found = mention(words, i + 1 + (words.at(i + 1) in {"حديث", "خبر"}))
        if found is None or not (found.sure or name_closes(words, found.end)):
            return self.stray(i, said=said)
        return self.link(found, (i, i + 1))

    def told(self, i: int) -> int | None:
        """`حدثنا مالك`, `سمعت أنسا`, `قرأت على مالك`: the term at word `i` leads to a name."""
        at = self.words.at
        term = head(at(i))
        j = i + 1
        if term in v.READ_TO:
            j += 1
        elif term in v.HEARD:
            if at(j) in v.SAYING or at(j) in v.FROM_HIM:
                # سمعه يقول, سمعته منه: of the narrator just named.
                return j + (at(j) in v.FROM_HIM) if self.begun else None
            j += 2 * (at(j) == "هذا" and at(j + 1) == "الحديث")
            if term in v.KEPT and at(j) != "من":
                return self._no_name(i, j)
            j += at(j) == "من"
        elif self.begun and (at(j) == "عن" or (at(j) in v.SAID and at(self.route.links[-1][0].term[0]) in v.SAID)):
            # قال عبيد الله حدثنا عن القاسم, قال الوليد أخبرني قال سمعت: the verb belongs to the name before it.
            return j
        return self._told_name(i, j)

    def _told_name(self, i: int, j: int) -> int | None:
        words, at = self.words, self.words.at
        term = (i, i + 1 if at(j - 1) == "الحديث" else j)
        while at(j) in v.OBJECTS:
            j += 1
        if prophet(words, j) is not None:
            if self.begun:
                return self.at_prophet(j)
            self.reason = "prophet_only"
            return None
        found = mention(words, j)
        heard = head(at(i)) in v.HEARD
        if found is None or (heard and not found.sure and not name_closes(words, found.end)):
            return self._no_name(i, j)
        if i == self.worded and self.named_here(found, 1):
            # كلاهما عن يزيد بن زريع - واللفظ لأبي كامل - حدثنا يزيد: the same man.
            return found.end
        after = self.link(found, term)
        if head(at(i)) == "سمع" and after == found.end and not words.gap(after):
            return self._whom(after, term)
        return after

    def _no_name(self, i: int, j: int) -> int | None:
        if not self.begun:
            return None
        self.doubt("unknown_end", i, j + 1)
        return self.report(i)

    def _whom(self, i: int, term: tuple[int, int]) -> int:
        """`سمع عمرو جابرا`: behind him who heard stands whom he heard, in the accusative."""
        w = self.words.at(i)
        if w != "ابا" and not (w.endswith("ا") and known(w[:-1])):
            return i
        heard = mention(self.words, i)
        return self.link(heard, term) if heard is not None and heard.sure else i

    def told_him(self, i: int, *, that: bool) -> int:
        """`أنه أخبره سالم`: a link where `that` (أنه) stands before the verb; else a word that adds nothing."""
        words = self.words
        found = mention(words, i + 1) if that and not words.gap(i + 1) else None
        return i + 1 if found is None else self.link(found, (i, i + 1))

    def that(self, i: int) -> int | None:
        """`أن نافعا حدثه`: a link where the verb behind the name reports; else the report begins here."""
        words, at = self.words, self.words.at
        if prophet(words, i + 1) is not None:
            return self.at_prophet(i + 1)
        found = mention(words, i + 1)
        if found is None or found.anonymous:
            return self.report(i)
        subjects = [found]
        e = honorific(words, found.end)
        while (other := conjoined(words, e)) is not None:
            subjects.append(other)
            e = honorific(words, other.end)
        e = self._verb(i, e, aside=any(m.aside is not None for m in subjects))
        verb = at(e)
        if verb not in v.REPORTS:
            # أن ابن عمر كان: whether the man told it himself is not said.
            self.doubt("may_be_link", i, found.end)
            return self.report(i)
        if verb in v.SAID and addressed(words, e + 1):
            return self.report(i)
        told = verb in v.TOLD_HIM or verb in v.TOLD
        term = (e, e + 1) if told else (i, i + 1)
        self.route.links.append([self.narrator(subject, term) for subject in subjects])
        return e + 1 if verb in v.TOLD_HIM or (verb in v.TOLD and mention(words, e + 1) is None) else e

    def _verb(self, i: int, e: int, *, aside: bool) -> int:
        """Find the verb of `أن فلانا …`: it may stand behind what is said of the man (وكان من أصحاب النبي)."""
        words, at = self.words, self.words.at
        if at(e) in v.REPORTS:
            return e
        if at(e) not in v.STOPS or at(e).startswith("و") or aside:
            self.doubt("unmarked_end", i, e + 1)
        if at(e) in v.WHO_WAS or aside:
            for k in range(e, e + _VERB_WITHIN):
                if words.gap(k) & QUOTE or at(k) in v.SAID:
                    break
                if at(k) in v.TOLD_HIM:
                    return k
        return e

    def says(self, walk: Walk) -> bool:
        """`قال عمرو حدثنا`, `قال لي فلان`, `قال قال أبو هريرة`: a verb of saying that leads to the next narrator."""
        words, at, i = self.words, self.words.at, walk.at
        k = i + 1
        if prophet(words, k) is not None:
            return walk.leave(self.at_prophet(k))
        to_me = at(k) in {"لي", "لنا"}
        found = mention(words, k + to_me)
        if found is None or found.anonymous:
            return False
        if to_me:
            named = found.sure or name_closes(words, found.end)
            return named and walk.leave(self.link(found, (i, k + 1)))
        return found.sure and self._speaker(walk, found)

    def _speaker(self, walk: Walk, found: Mention) -> bool:
        words, i = self.words, walk.at
        e = honorific(words, found.end)
        w = words.at(e)
        if addressed(words, e):
            return False
        if head(w) in v.TOLD and w not in v.TOLD:
            # قال يحيى وأخبرني أبو سلمة
            return walk.leave(self.told(e) if self.link(found, (i, i + 1)) <= e else None)
        leads = w in v.AFTER_SPEAKER or w in v.TOLD or w in v.HEARD or used_to(words, e) is not None
        return (leads or walk.said) and walk.leave(self.link(found, (i, i + 1)))

    def mentions(self, walk: Walk) -> bool:
        """`ذكر عروة`, `كان عروة يحدث عن سهل`, `أملى علي المغيرة`, `رفعه إلى حكيم`."""
        words, at, i = self.words, self.words.at, walk.at
        found = used_to(words, i)
        if found is not None:
            e = honorific(words, found.end)
            return walk.leave(self.link(found, (e, e + 1)))
        k = i + 1
        if (at(i) in v.DICTATED and at(k) == "علي") or (at(i) in v.TRACED and at(k) == "الي"):
            k += 1
        elif at(i).removeprefix("و") in v.MENTIONED:
            k += at(k) in {"لي", "لنا"}
        else:
            return False
        found = mention(words, k)
        if found is None or found.anonymous or not found.sure:
            return False
        named = at(i) in v.DICTATED or name_closes(words, found.end)
        return named and walk.leave(self.link(found, (i, k)))
