"""The chain reader: follows the links of a text from the compiler's teacher to the report."""

from . import vocabulary as v
from .given_names import known
from .letters import COMMA, DASH, QUOTE, STOP, Words
from .model import Doubt, Reading
from .names import Mention, honorific, mention, prophet
from .routes import Narrator, Route, alike, chains, form

READER_NAME = "isnad_database.chain_reader"
READER_VERSION = "1.0.0"

# The longest chains of the two Sahihs, with all their routes, stay below 300 words.
MAX_WORDS = 800
# How far behind a stretch that is not understood a term is still taken for the same chain.
REACH = 8
# How far into the report further links are looked for: they may belong to the chain, so that it is no fact.
AHEAD = 16
# How soon the Prophet is named where a report is about him.
NAMED_WITHIN = 12


def read(text: str) -> Reading:
    """Read the chains of narrators that `text` (a hadith: chain and report) opens with.

    Returns a `Reading`; spans are character offsets in `text` as given. Any string is accepted, and time is linear in its
    length. Nothing is filled in: what the text leaves out is said by `Chain.completeness`, and a text without a chain has
    no chains and a `reason`: `no_text`, `no_chain` (it does not begin with one), `prophet_only` (only the Prophet is named),
    `reference_only` (`بهذا الإسناد`).
    """
    words = Words(text, MAX_WORDS)
    if not words.count:
        return Reading((), "no_text")
    return _Reader(words).read()


class _Reader:
    def __init__(self, words: Words) -> None:
        self.words = words
        self.routes: list[Route] = []
        self.doubts: list[Doubt] = []
        self.reason: str | None = None

    def read(self) -> Reading:
        i: int | None = self.open(0)
        while i is not None:
            i = self.step(i)
        found = chains(self.words, self.routes)
        if not found and self.reason is None:
            self.reason = "no_chain"
        return Reading(found, None if found else self.reason, tuple(self.doubts))

    def doubt(self, reason: str, first: int, end: int) -> None:
        words = self.words
        if self.routes:
            self.routes[-1].doubts.append(reason)
        first = min(first, words.count - 1)
        end = max(first + 1, min(end, words.count))
        self.doubts.append(Doubt(reason, words.start[first], words.end[end - 1]))

    # opening

    def open(self, i: int) -> int | None:
        """Begin a route at word `i`; return the word to go on at, or None where no chain begins."""
        words, at = self.words, self.words.at
        first = i
        stated = True
        if at(i) in ("قال", "وقال") and at(i + 1) == "ابو" and at(i + 2) == "عبد" and at(i + 3) == "الله":
            after = at(i + 4)
            if after.removeprefix("و") in v.TOLD or after.removeprefix("و") == "قال":
                i += 4
        while at(i) in v.SAID and at(i + 1) not in ("لي", "لنا") and at(i + 1).removeprefix("و") in v.TOLD | v.HEARD:
            i += 1
            stated = first > 0
        w = at(i)
        bare = w[1:] if w[:1] in ("و", "ف") and w[1:] else w
        if bare in v.TOLD or bare in ("سمعت", "سمعنا") or (bare in ("قرات", "قري", "كتب", "عرضت")):
            route = Route(stated)
            self.routes.append(route)
            end = self.told(i, bare)
            if end is None:
                self.routes.pop()
            return end
        if bare in v.SAID or bare in ("زاد", "رواه", "روي", "رواها", "تابعه", "يروي", "يذكر", "عن", "ان", "ذكر"):
            j = i + 1
            if bare in v.SAID and at(j) in ("لي", "لنا"):
                j += 1
                term = (i, j)
            else:
                stated = False
                term = (i, i + 1)
            if at(j) == "عن" and bare != "عن":
                term = (j, j + 1)
                j += 1
            if prophet(words, j) is not None:
                self.reason = "prophet_only"
                return None
            found = mention(words, j)
            if found is None or found.anonymous:
                return None
            if bare == "ان":
                e = honorific(words, found.end)
                if at(e) not in v.REPORTS:
                    return None
            self.routes.append(Route(stated))
            after = self.link(found, term)
            if at(after)[:1] in ("و", "ف") and at(after)[1:] in v.TOLD:
                # قال ابن شهاب وأخبرني فلان: he goes on telling.
                return self.told(after, at(after)[1:])
            return after
        if bare in v.REFERENCES:
            self.reason = "reference_only"
        return None

    # links

    def link(self, found: Mention, term: tuple[int, int] | None) -> int:
        """Add a link, with all narrators that the text puts at it; return the word after them."""
        route = self.routes[-1]
        link = [Narrator(found, term)]
        route.links.append(link)
        self.check(found)
        return self.more(link, found.end)

    def check(self, found: Mention) -> None:
        if not found.sure:
            self.doubt("unsure_name", found.first, found.end)

    def more(self, link: list[Narrator], i: int) -> int:
        """Read `و…` behind a name: further narrators at the same link."""
        words = self.words
        while True:
            i = honorific(words, i)
            i = self.wording(i)
            w = words.at(i)
            if w == "او":
                k = i + 1 + (words.at(i + 1) == "عن")
                found = mention(words, k)
                if found is None or not found.sure or not self.closes(found.end):
                    return i
                self.doubt("one_or_other", i, found.end)
                link.append(Narrator(found, (i + 1, k) if k > i + 1 else link[0].term))
                i = found.end
                continue
            if w in ("وغيره", "وغيرهم", "وغيرهما", "وغيرها"):
                self.doubt("unnamed_others", i, i + 1)
                i += 1
                continue
            if w == "وعن":
                found = mention(words, i + 1) if prophet(words, i + 1) is None else None
                if found is None or self.branches(found):
                    return i
                link.append(Narrator(found, (i, i + 1)))
            else:
                found = self.conjoined(i)
                if found is None:
                    return i
                link.append(Narrator(found, link[0].term))
            self.check(found)
            i = found.end

    def branches(self, found: Mention) -> bool:
        """`عن أبي هريرة وعن عمارة عن أبي زرعة`: the second عن opens another route, for it leads to one named already."""
        words = self.words
        e = honorific(words, found.end)
        if words.at(e) != "عن":
            return False
        following = mention(words, e + 1)
        if following is None:
            return prophet(words, e + 1) is None
        mine = form(words, following)
        return any(alike(mine, form(words, n.mention)) for link in self.routes[-1].links for n in link)

    def conjoined(self, i: int) -> Mention | None:
        words = self.words
        w = words.at(i)
        if w == "و":
            found = mention(words, i + 1)
            return found if found is not None and found.sure and self.closes(found.end) else None
        if len(w) < 3 or w[0] != "و" or w in v.STOPS or (w[1:] in v.STOPS and w != "وعلي") or w in v.ASIDE or w[1:] in v.WORDING:
            return None
        if w in v.WORDING or w in v.REFERENCES or w[1:] in v.REFERENCES or w[1:] in v.HEARD:
            return None
        if words.gap(i) & QUOTE:
            return None
        saved = words.word[i], words.start[i]
        words.split_and(i)
        found = mention(words, i)
        if (
            found is not None
            and (found.sure or (words.at(found.end) in v.TOLD and not words.word[i].endswith("ه")))
            and (not found.anonymous or words.at(found.end) in v.SAID or words.at(found.end) == "عن")
            and self.closes(found.end)
        ):
            return found
        words.word[i], words.start[i] = saved
        return None

    def closes(self, i: int) -> bool:
        """Whether a name can end before word `i`."""
        words = self.words
        i = honorific(words, i)
        w = words.at(i)
        bare = w[1:] if w[:1] in ("و", "ف") else w
        return (
            w in v.SAID
            or w in v.SAYING
            or w in v.FILLERS
            or w in ("ان", "ح", "عن", "")
            or bare in v.TOLD
            or bare in v.HEARD
            or w in v.TOLD_HIM
            or w in v.REFERENCES
            or (w[:1] == "و" and w not in v.STOPS)
            or bool(words.gap(i) & (COMMA | DASH))
        )

    def wording(self, i: int) -> int:
        """Skip the compiler's aside on whose wording he gives (واللفظ له)."""
        words = self.words
        at = words.at
        w = at(i)
        if w in ("واللفظ", "والسياق") :
            j = i + 1
            if at(j) in ("له", "لهما", "لهم", "هذا"):
                return j + 1
            if at(j).startswith("ل"):
                found = None
                saved = words.word[j]
                words.word[j] = saved[1:]
                found = mention(words, j)
                words.word[j] = saved
                return found.end if found else j + 1
            return j
        if w in ("وتقاربا", "وتقاربوا", "والفاظهم", "والفاظهما"):
            j = i + 1
            while at(j) in ("في", "اللفظ", "لفظ", "متقاربه", "والمعني", "واحد", "سياق", "الحديث", "الفاظهم"):
                j += 1
            return j
        if w == "وهذا" and at(i + 1) in ("حديث", "لفظ", "حديثه", "لفظه", "حديثهم", "حديثهما"):
            found = mention(words, i + 2) if at(i + 1) in ("حديث", "لفظ") else None
            return found.end if found else i + 2
        if w == "والمعني" or w == "المعني":
            return i + 1 + (at(i + 1) == "واحد")
        return i

    def told(self, i: int, bare: str) -> int | None:
        """Word `i` is a term before a name: read the link; None where the chain ends there."""
        words, at = self.words, self.words.at
        j = i + 1
        term_end = j
        if bare in ("قرات", "قري", "كتب", "كتبت", "عرضت"):
            if at(j) not in ("علي", "الي"):
                return None
            j += 1
            term_end = j
        elif bare in v.HEARD:
            if at(j) == "هذا" and at(j + 1) == "الحديث":
                j += 2
            if at(j) == "من":
                j += 1
                term_end = j
            elif at(j) in v.SAYING or at(j) in ("منه", "منها"):
                # سمعه يقول, سمعته منه: of the narrator just named.
                return j + (at(j) not in v.SAYING) if self.routes[-1].links else None
            elif bare in ("حفظناه", "حفظته"):
                if not self.routes[-1].links:
                    return None
                self.doubt("unknown_end", i, j + 1)
                return self.end("report", i)
        if at(j) == "عن" and self.routes[-1].links:
            # قال عبيد الله حدثنا عن القاسم: the verb belongs to the name before it.
            return j
        if at(j) in v.SAID and self.routes[-1].links and words.at((self.routes[-1].links[-1][0].term or (-1, 0))[0]) in v.SAID:
            # قال الوليد أخبرني قال سمعت
            return j
        while at(j) in ("به", "بها", "بهما", "بهذا", "بذلك", "ايضا", "هذا"):
            j += 1
        if prophet(words, j) is not None:
            if self.routes and self.routes[-1].links:
                return self.end("prophet", j)
            self.reason = "prophet_only"
            return None
        found = mention(words, j)
        if found is None:
            if not self.routes[-1].links:
                return None
            self.doubt("unknown_end", i, j + 1)
            return self.end("report", i)
        if not found.sure and bare in v.HEARD and not self.closes(found.end):
            self.doubt("unknown_end", i, found.end)
            return self.end("report", i) if self.routes[-1].links else None
        after = self.link(found, (i, term_end))
        if bare == "سمع" and after == found.end and not words.gap(after) and (known(at(after)[:-1]) or at(after) == "ابا"):
            # سمع عمرو جابرا: he who heard, then whom he heard.
            heard = mention(words, after)
            if heard is not None and heard.sure and at(after)[-1] == "ا":
                return self.link(heard, (i, term_end))
        return after

    def step(self, i: int) -> int | None:
        """Go on behind a name at word `i`."""
        words, at = self.words, self.words.at
        route = self.routes[-1]
        j = honorific(words, i)
        said = that = False
        for _ in range(12):
            w = at(j)
            if not w:
                return self.end("cut", j)
            if w == "ح":
                return self.new_route(j + 1)
            bare = w[1:] if w[0] in "وف" and len(w) > 2 else w
            after = self.variation(j)
            if after is not None:
                j = after
                w = bare = at(j)
                if w not in v.TOLD and w not in v.HEARD and w != "عن":
                    continue
            if w == "وعن":
                return self.new_route(j)
            if bare == "عن":
                if prophet(words, j + 1) is not None:
                    return self.end("prophet", j + 1)
                # عن حديث عائشة: of what she told.
                found = mention(words, j + 1 + (at(j + 1) in ("حديث", "خبر")))
                if found is None or not (found.sure or self.closes(found.end)):
                    return self.stray(j, said)
                return self.link(found, (j, j + 1))
            if bare in v.TOLD or bare in v.HEARD or (bare in ("قرات", "قري", "كتب", "عرضت") and at(j + 1) in ("علي", "الي")):
                if w[0] == "و" and bare in v.TOLD and w != bare:
                    if not said:
                        # Without ح only حدثنا is surely the compiler's: وأخبرني يونس may be the last narrator's own.
                        own = bare.startswith("حدث")
                        after = self.new_route(j)
                        if not own and after is not None:
                            self.routes[-1].stated_start = False
                            self.doubt("unmarked_route", j, j + 1)
                        return after
                    # قال وأخبرني فلان: he told something else before; which of the two the text gives is not said.
                    self.doubt("told_beside", j, j + 1)
                return self.told(j, bare)
            if bare in v.TOLD_HIM:
                found = mention(words, j + 1) if prophet(words, j + 1) is None else None
                if found is not None and that and not words.gap(j + 1):
                    return self.link(found, (j, j + 1))
                j += 1
                that = False
                continue
            if bare in v.MENTIONED and not (w[0] == "ف"):
                k = self.mentioned(j)
                if k is not None:
                    return k
            if w == "كان":
                k = self.used_to(j)
                if k is not None:
                    return k
            if w in ("املي", "املاه") and at(j + 1) == "علي":
                found = mention(words, j + 2)
                if found is not None:
                    return self.link(found, (j, j + 2))
            if bare == "ان" and (bare == w):
                return self.that(j)
            if bare in v.SAID:
                k = self.repeated(j)
                if k is not None:
                    said = True
                    j = honorific(words, k)
                    continue
                k = self.said_name(j, said)
                if k is not None:
                    return k
                said = True
                if w in v.DUAL_SAID and len(route.links[-1]) == 1 and len(self.routes) > 1:
                    self.join(2)
                if w in v.PLURAL_SAID and len(self.routes) > 1 and len(route.links[-1]) <= 2:
                    self.join(0)
                j = honorific(words, j + 1)
                continue
            if w in v.BOTH:
                if len(self.routes) > 1 and len(route.links[-1]) == 1:
                    self.join(2)
                j += 1
                continue
            if w == "كل" and at(j + 1) == "هولاء":
                if len(self.routes) > 1:
                    self.join(0)
                j += 2
                continue
            if w in v.ALL:
                if len(self.routes) > 1:
                    self.join(0)
                j += 1
                continue
            if w in v.TRACED or w in v.GUESSED:
                if w in v.GUESSED:
                    self.doubt("guessed", j, j + 1)
                said = said or w in v.TRACED
                j += 1 + (at(j + 1) == "به")
                continue
            if w == "قري" and at(j + 1) == "عليه":
                j += 2
                continue
            if w == "يزيد" and at(j + 1) in ("احدهما", "بعضهم") and at(j + 2) == "علي":
                j += 4
                continue
            if w in v.SAYING:
                said = True
                j = self.addressee(j)
                continue
            if w in v.FILLERS:
                that = that or w.startswith("انه")
                j += 1
                continue
            if w in v.REFERENCES or w.startswith(("باسناد", "بالاسناد")) or (w == "في" and at(j + 2) == "الاسناد"):
                return self.reference(j)
            return self.stray(j, said)
        return self.stray(j, said)

    def addressee(self, i: int) -> int:
        """`يحدث أباه عن عمه`: whom the narrator told it is no link; return the word after him, or after the verb."""
        words = self.words
        if words.at(i)[-3:] not in ("حدث", "خبر"):
            return i + 1
        found = mention(words, i + 1)
        if found is None or not found.sure:
            return i + 1
        e = honorific(words, found.end)
        return e if words.at(e) in ("عن", "ان", "انه") or words.at(e) in v.SAID else i + 1

    def join(self, count: int) -> None:
        route = self.routes[-1]
        if route.joins_from is None:
            route.joins_from = len(route.links)
            route.joins_count = count

    def variation(self, i: int) -> int | None:
        """`قال يحيى أخبرنا وقال الآخران حدثنا`: who of the narrators before used which term. Return the last term's word,
        or, where the narrator just named is named again, the word after that name."""
        words, at = self.words, self.words.at
        links = self.routes[-1].links
        near = [form(words, n.mention) for link in links[-2:] for n in link]
        here = [form(words, n.mention) for n in links[-1]]
        j = i
        last = None
        while at(j).removeprefix("و") in v.SAID or at(j).removeprefix("و") in ("ان", "في"):
            if at(j).removeprefix("و") not in v.SAID:
                return None
            k = j + 1
            if at(k) in v.THE_OTHERS:
                e = k + 1
            else:
                found = mention(words, k)
                if found is None or not any(alike(form(words, found), known) for known in near):
                    return last
                e = honorific(words, found.end)
            if at(e) in v.TOLD or at(e) in v.HEARD or at(e) == "عن":
                last = e
                j = e + 1
                if at(j).removeprefix("و") not in v.SAID or not at(j).startswith("و"):
                    break
            else:
                return last
        if last is None:
            return None
        if at(last + 1) == "ح":
            return last + 1
        found = mention(words, last + 1)
        if found is not None and any(alike(form(words, found), known) for known in here):
            return found.end
        return last

    def repeated(self, i: int) -> int | None:
        """`عن عبد الله قال قال عبد الله`: one named already speaks, and is no further link; return the word after his name."""
        words = self.words
        found = mention(words, i + 1)
        if found is None or found.anonymous:
            return None
        mine = form(words, found)
        here = self.routes[-1].links
        if any(alike(mine, form(words, n.mention)) for n in here[-1]):
            return found.end
        before = [n for route in self.routes[:-1] for link in route.links for n in link]
        if any(alike(mine, form(words, n.mention)) for n in before):
            self.doubt("another_speaker", i, found.end)
            return found.end
        return None

    def said_name(self, i: int, said: bool) -> int | None:
        """`قال عمرو حدثنا`, `قال لي فلان`, `قال قال أبو هريرة`: the verb itself leads to the next narrator."""
        words, at = self.words, self.words.at
        k = i + 1
        if prophet(words, k) is not None:
            return self.end("prophet", k)
        if at(k) in ("لي", "لنا"):
            found = mention(words, k + 1)
            if found is None or found.anonymous or not (found.sure or self.closes(found.end)):
                return None
            return self.link(found, (i, k + 1))
        found = mention(words, k)
        if found is None or found.anonymous or not found.sure:
            return None
        e = honorific(words, found.end)
        w = at(e)
        if self.addressed(e):
            return None
        bare = w[1:] if w[:1] in ("و", "ف") else w
        if bare in v.TOLD and w != bare:
            return self.told(e, bare) if self.link(found, (i, i + 1)) <= e else None
        if w in v.TOLD or w in v.HEARD or w in ("عن", "ان", "انه", "انها") or said or w in v.SAID:
            return self.link(found, (i, i + 1))
        if w == "كان" and self.used_to_at(e) is not None:
            return self.link(found, (i, i + 1))
        return None

    def addressed(self, i: int) -> bool:
        """Whether the words go on with whom somebody spoke to (لعمر, يا رسول الله): then a report is being told."""
        w = self.words.at(i)
        return w == "يا" or (w.startswith("ل") and len(w) > 2 and w not in v.STOPS and not known(w))

    def mentioned(self, i: int) -> int | None:
        """`ذكر عروة`, `زعم عطاء`, `حدث ابن عمر`: a verb that leads to a name."""
        words = self.words
        k = i + 1 + (words.at(i + 1) in ("لي", "لنا"))
        found = mention(words, k)
        if found is None or found.anonymous or not found.sure or not self.closes(found.end):
            return None
        return self.link(found, (i, k))

    def used_to(self, i: int) -> int | None:
        """`كان عروة يحدث عن سهل`."""
        found = self.used_to_at(i)
        if found is None:
            return None
        e = honorific(self.words, found.end)
        return self.link(found, (e, e + 1))

    def used_to_at(self, i: int) -> Mention | None:
        found = mention(self.words, i + 1)
        if found is None or found.anonymous or not found.sure:
            return None
        verb = self.words.at(honorific(self.words, found.end))
        return found if verb in v.SAYING and verb[1:4] in ("حدث", "خبر") else None

    def that(self, i: int) -> int | None:
        """`أن نافعا حدثه`: a link when the verb behind the name reports; else the report begins here."""
        words, at = self.words, self.words.at
        if prophet(words, i + 1) is not None:
            return self.end("prophet", i + 1)
        found = mention(words, i + 1)
        if found is None or found.anonymous:
            return self.report(i)
        e = honorific(words, found.end)
        others: list[Mention] = []
        while (other := self.conjoined(e)) is not None:
            others.append(other)
            e = honorific(words, other.end)
        verb = at(e)
        if verb not in v.REPORTS and (verb not in v.STOPS or verb[:1] == "و" or any(m.aside for m in (found, *others))):
            # What is said of the man comes before the verb, which may still be one of reporting.
            self.doubt("unmarked_end", i, e + 1)
        if verb in ("وهو", "وهي", "وكان", "وكانت") or (verb not in v.REPORTS and found.aside):
            for k in range(e, e + AHEAD):
                if words.gap(k) & QUOTE or at(k) in v.SAID:
                    break
                if at(k) in v.TOLD_HIM:
                    verb, e = at(k), k
                    break
        if verb not in v.REPORTS:
            return self.report(i)
        if verb in v.SAID and self.addressed(e + 1):
            return self.report(i)
        term = (e, e + 1) if verb in v.TOLD_HIM or verb in v.TOLD else (i, i + 1)
        route = self.routes[-1]
        route.links.append([Narrator(m, term) for m in (found, *others)])
        for m in (found, *others):
            self.check(m)
        return e + 1 if verb in v.TOLD_HIM or (verb in v.TOLD and mention(words, e + 1) is None) else e

    # ends

    def new_route(self, i: int) -> int | None:
        self.routes[-1].ended = "route"
        count = len(self.routes)
        after = self.open(i)
        if len(self.routes) == count:
            self.routes[-1].ended = "cut"
            self.doubt("route_not_opened", i - 1, i + 3)
        return after

    def end(self, how: str, i: int) -> int | None:
        """The route ends before word `i`; another may follow behind a free-standing ح."""
        words = self.words
        self.routes[-1].ended = how
        j = i
        if how == "prophet":
            j = honorific(words, prophet(words, i) or i)
        w = words.at(j)
        if how == "prophet" and (w.removeprefix("و") in v.TOLD or (w in ("وقال", "وعن") and self.opens(j))):
            # Another route without the sign ح.
            after = self.open(j)
            if after is not None:
                self.doubt("unmarked_route", j, j + 1)
            return after
        if how == "reference" and words.at(i + 1) in v.SAID and words.at(i + 2) in v.TOLD:
            return i + 1
        for k in range(j, j + (6 if how == "reference" else 3)):
            if words.at(k) == "ح":
                return self.open(k + 1)
            if how == "prophet" and words.at(k) not in v.SAID:
                break
        return None

    def opens(self, i: int) -> bool:
        """Whether `وقال فلان` or `وعن فلان` at `i` is followed by a further link, and so opens a route."""
        words = self.words
        found = mention(words, i + 1)
        if found is None or found.anonymous:
            return False
        e = honorific(words, found.end)
        return words.at(e) in v.TOLD or words.at(e) == "عن" or (words.at(e) in v.SAID and words.at(e + 1) in v.TOLD)

    def reference(self, i: int) -> int | None:
        return self.end("reference", i)

    def stray(self, i: int, said: bool) -> int | None:
        """Word `i` is no link: the report begins, or something that is not understood."""
        words, at = self.words, self.words.at
        if not (said or at(i) in v.STOPS):
            for k in range(i, i + REACH):
                if words.gap(k) & QUOTE or prophet(words, k) is not None:
                    break
                w = at(k)
                if w in v.TOLD or (w in v.SAID and at(k + 1) in v.TOLD):
                    self.doubt("unknown_words", i, k)
                    return k
            self.doubt("unknown_end", i, i + 1)
        elif not said or at(i) in v.HEARD:
            # Nothing says that the narrator just named speaks from here on (وكان شهد بدرا, في هذا المسجد).
            self.doubt("unmarked_end", i, i + 1)
        else:
            found = mention(words, i + 1) if at(i) in v.SAID else mention(words, i)
            if found is not None and found.sure and not found.anonymous:
                self.doubt("another_speaker", i, found.end)
        return self.report(i)

    def report(self, i: int) -> int | None:
        """The report begins at word `i`; where more of a chain follows close by, say so, and read another route there."""
        words, at = self.words, self.words.at
        near = True
        for k in range(i, min(i + AHEAD, words.count)):
            w = at(k)
            if k > i and self.reopens(k):
                self.doubt("route_in_report", i, k)
                self.routes[-1].ended = "report"
                return self.open(k + (w == "ح"))
            if words.gap(k) & QUOTE:
                break
            near = near and prophet(words, k) is None
            if w == "وقال" and self.opens(k) and k > i:
                self.doubt("link_in_report", i, k)
            bare = w[1:] if w[0] in "وف" and len(w) > 2 else w
            if near and k > i and (bare in v.TOLD or bare in v.HEARD or bare == "عن"):
                found = mention(words, k + 1)
                if found is not None and (found.sure or bare in v.TOLD):
                    self.doubt("link_in_report", i, k)
                    near = False
        if not self.speaks_of_prophet(i):
            last = self.routes[-1].links[-1][0]
            if last.mention.anonymous or last.term is None or at(last.term[0]).removeprefix("و") != "عن":
                self.doubt("may_be_report", last.mention.first, last.mention.end)
        return self.end("report", i)

    def speaks_of_prophet(self, i: int) -> bool:
        """Whether the Prophet is named soon behind word `i`.

        Where the last narrator is brought in by a verb (سمعت الحجاج يقول) and the Prophet is not, the last name may be of
        one whom the report is about."""
        return any(prophet(self.words, k) is not None for k in range(i, min(i + NAMED_WITHIN, self.words.count)))

    def reopens(self, k: int) -> bool:
        """Whether another route begins at word `k`, within a report: ح, or the compiler's own term before two names."""
        at = self.words.at
        w = at(k)
        if w == "ح":
            return (at(k + 2) if at(k + 1) in v.SAID else at(k + 1)).removeprefix("و") in v.TOLD
        if w.removeprefix("و") not in ("حدثنا", "حدثني", "اخبرنا", "اخبرني") or at(k - 1) in v.SAID | v.SAYING:
            return False
        return (w[0] == "و" or at(k - 1) in ("وسلم", "عنه", "عنها", "عنهما")) and self.opens(k)
