"""How surely an answer tells what results tell less surely.

Kinds `score_as_proof`, `possible_as_attested`, `occurrence_as_teaching`, `ambiguous_as_certain` and `inference_as_fact`.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Final

from isnad_gateway.domain.coherence import vocabulary
from isnad_gateway.domain.coherence.count_words import figures
from isnad_gateway.domain.coherence.narrators import Names
from isnad_gateway.domain.coherence.reason import Kind, Reason
from isnad_gateway.domain.coherence.returned import Returned, objects_in, whole
from isnad_gateway.domain.coherence.spoken import Span, Spoken

_OPEN: Final = ("ambiguous", "unresolved")
_NAMING_REACH: Final = 1  # a word between, as in `il s'agit d'Anas`
_ROUNDED: Final = 0.01
_TEACHING_AR: Final = ("تلميذ", "تلاميذ", "شيخ", "شيوخ", "اخذ عن", "سمع من", "لازم", "تتلمذ")


class Claims:
    """What the results of a turn assert, and how surely."""

    def __init__(self, returned: Returned) -> None:
        self._returned = returned
        self.relations = [item for item in returned.objects if "relation_status" in item]
        self.has_relation_result = any("relations" in result for result in returned.results)

    @cached_property
    def has_fact(self) -> bool:
        """Whether a result that is no search asserts a fact."""
        return any(result.get("evidence_status") == "fact" for result in self._returned.results)

    @cached_property
    def has_candidates(self) -> bool:
        """Whether there are search hits that nothing makes certain: none was found by its reference."""
        hits = [found for result in self._returned.results if (found := objects_in(result, "results"))]
        return bool(hits) and not any(
            len(hit) == 1 and hit[0].get("match_method", hit[0].get("match_tier")) in ("reference", "exact")
            for hit in hits
        )

    @cached_property
    def is_attested(self) -> bool:
        """Whether a relation of teacher and student is attested, or a notice tells of one."""
        if any(item["relation_status"] == "attested" for item in self.relations):
            return True
        texts = [
            item["text"] for item in self._returned.objects if "entry_id" in item and isinstance(item.get("text"), str)
        ]
        texts += [item["source_text"] for item in self._returned.objects if isinstance(item.get("source_text"), str)]
        return any(word in self._returned.folded.get(text, "") for text in texts for word in _TEACHING_AR)

    @cached_property
    def has_one_direction(self) -> bool:
        """Whether two narrators are related in both directions, and only one of these is attested."""
        attested = [item for item in self.relations if item["relation_status"] == "attested"]
        ways = {(item.get("teacher_id"), item.get("student_id")) for item in attested}
        return bool(ways) and not any((student, teacher) in ways for teacher, student in ways)

    @cached_property
    def open_mentions(self) -> list[str]:
        """The names in chains that stand for nobody in particular."""
        nodes = [
            item for item in self._returned.objects if item.get("resolution_status") in _OPEN and "mention_ar" in item
        ]
        return [node["mention_ar"] for node in nodes if isinstance(node["mention_ar"], str)]

    @cached_property
    def confirmed_mentions(self) -> list[str]:
        """The names in chains that results confirm to be one man."""
        nodes = [item for item in self._returned.objects if item.get("resolution_status") == "confirmed"]
        return [node["mention_ar"] for node in nodes if isinstance(node.get("mention_ar"), str)]

    @cached_property
    def has_uncertain_nodes(self) -> bool:
        """Whether a node of a chain is not confirmed."""
        return any(
            item.get("resolution_status") not in (None, "confirmed")
            for item in self._returned.objects
            if "mention_ar" in item
        )

    @cached_property
    def rival_names(self) -> list[dict[str, Any]]:
        """The hits of a search for a narrator that found several, none of which was read or is the only exact one."""
        read = {whole(result, "narrator_id") for result in self._returned.results if "identity" in result}
        rivals: list[dict[str, Any]] = []
        for result in self._returned.results:
            hits = [hit for hit in objects_in(result, "results") if "match_tier" in hit]
            exact = [hit for hit in hits if hit["match_tier"] == "exact"]
            if len(hits) > 1 and len(exact) != 1:
                rivals += [hit for hit in hits if whole(hit, "narrator_id") not in read]
        return rivals


def check(spoken: Spoken, returned: Returned, people: Sequence[Span], marked: Sequence[Span]) -> Iterator[Reason]:
    """Find what an answer tells more surely than results do.

    Args:
        spoken: the answer.
        returned: what the results carry.
        people: where narrators are named.
        marked: what stands between quotation marks.
    """
    claims = Claims(returned)
    told: set[int] = set()  # sentences of which one of these is said already
    for reason, place in (
        *_scores(spoken, returned),
        *_teaching(spoken, claims, marked),
        *_identities(spoken, claims, people),
        *_all_identified(spoken, claims),
        *_identified(spoken, claims, people),
    ):
        told.add(spoken.words[place].sentence)
        yield reason
    for reason, place in _certain(spoken, claims, people):
        if spoken.words[place].sentence not in told:
            yield reason


def _is_unasserted(spoken: Spoken, span: Span) -> bool:
    return spoken.is_withheld(span.first) or spoken.is_denied(span.first)


def _scores(spoken: Spoken, returned: Returned) -> Iterator[tuple[Reason, int]]:
    told: set[int] = set()
    scored = {
        spoken.words[span.first].sentence: span
        for span in (*_decimals(spoken, returned), *spoken.find(vocabulary.phrases("score")))
    }
    for section in ("proof", "conclusion"):
        for span in spoken.find(vocabulary.phrases(section)):
            number = spoken.words[span.first].sentence
            score = scored.get(number)
            if score is None or number in told or _is_unasserted(spoken, span):
                continue
            if section == "conclusion" and spoken.is_hedged(span):
                continue
            told.add(number)
            both = Span(min(span.first, score.first), max(span.last, score.last))
            yield Reason("score_as_proof", spoken.said(both), "makes a score a proof, and no score is one"), span.first


def _decimals(spoken: Spoken, returned: Returned) -> Iterator[Span]:
    """Decimals that are scores of results."""
    scores = [item["score"] for item in returned.objects if isinstance(item.get("score"), int | float)]
    for figure in figures(spoken.folded) if scores else ():
        is_decimal = any(mark in spoken.folded[figure.first] for mark in ".,")
        if is_decimal and any(abs(figure.value - score) < _ROUNDED for score in scores):
            yield Span(figure.first, figure.last)


def _teaching(spoken: Spoken, claims: Claims, marked: Sequence[Span]) -> Iterator[tuple[Reason, int]]:
    if claims.is_attested and not claims.has_one_direction:
        return
    kind: Kind = "possible_as_attested" if claims.has_relation_result else "occurrence_as_teaching"
    missing = (
        "is told as attested, and no result attests this relation"
        if claims.has_relation_result
        else "is told as teaching, and results show no more than names in a chain"
    )
    masked = {
        place for span in spoken.find(vocabulary.phrases("not_teaching")) for place in range(span.first, span.last)
    }
    for span in spoken.find(vocabulary.phrases("teaching")):
        if claims.is_attested and not spoken.has("mutual", spoken.sentence_of(span.first)):
            continue
        if any(quote.first <= span.first < quote.last for quote in marked):
            continue  # what a record says is read out
        if any(place in masked for place in range(span.first, span.last)):
            continue
        if not _is_unasserted(spoken, span) and not spoken.is_hedged(span):
            yield Reason(kind, spoken.said(spoken.clause_of(span.first)), missing), span.first


def _identities(spoken: Spoken, claims: Claims, people: Sequence[Span]) -> Iterator[tuple[Reason, int]]:
    """A name in a chain, or one that several men bear, told to be one of them."""
    if not claims.open_mentions and not claims.rival_names:
        return
    mentions = [Names(Returned([{"mention_ar": mention}])) for mention in claims.open_mentions]
    rivals = [
        Names(Returned([{"name_ar": hit.get("name_ar"), "name_fr": hit.get("name_fr")}])) for hit in claims.rival_names
    ]
    namings = {span.last: span for span in spoken.find(vocabulary.phrases("naming"))}
    for name in people:
        if spoken.is_withheld(name.first) or spoken.is_hedged(name):
            continue
        sentence, clause = spoken.sentence_of(name.first), spoken.clause_of(name.first)
        reach = range(max(clause.first, name.first - _NAMING_REACH), name.first + 1)
        if not any(place in namings for place in reach) or spoken.has("listed", Span(clause.first, name.first)):
            continue
        others = [other for other in people if sentence.first <= other.first < name.first]
        is_expanded = any(_carries(mention, spoken, other) for mention in mentions for other in others) and not any(
            _carries(mention, spoken, name) for mention in mentions
        )
        if is_expanded or (name.last - name.first > 1 and any(_carries(rival, spoken, name) for rival in rivals)):
            yield (
                Reason(
                    "ambiguous_as_certain",
                    spoken.said(name),
                    "is told to be the man who is meant, and results leave open who it is",
                ),
                name.first,
            )


def _carries(names: Names, spoken: Spoken, name: Span) -> bool:
    said = spoken.said(name)
    if "a" <= spoken.words[name.first].folded[0] <= "z":
        return names.carry_latin(said)
    return names.carry_arabic([word.folded for word in spoken.words[name.first : name.last]])


def _all_identified(spoken: Spoken, claims: Claims) -> Iterator[tuple[Reason, int]]:
    if not claims.has_uncertain_nodes:
        return
    for span in spoken.find(vocabulary.phrases("all_identified")):
        if not _is_unasserted(spoken, span):
            yield (
                Reason(
                    "ambiguous_as_certain", spoken.said(span), "is told of a chain in which not every node is confirmed"
                ),
                span.first,
            )


def _lone(spoken: Spoken, mentions: Sequence[str]) -> Iterator[Span]:
    """Where a name of a chain stands as a lone Arabic word, which is not known for a name by itself."""
    lone = {words[0] for mention in mentions if len(words := Spoken(mention).folded) == 1}
    for place, word in enumerate(spoken.folded if lone else ()):
        if word in lone or word.removeprefix("و") in lone:
            yield Span(place, place + 1)


def _identified(spoken: Spoken, claims: Claims, people: Sequence[Span]) -> Iterator[tuple[Reason, int]]:
    """A name that stands for several men, told as identified: in its clause, or in the next one that names nobody."""
    mentions = [Names(Returned([{"mention_ar": mention}])) for mention in claims.open_mentions]
    named = [name for name in people if any(_carries(mention, spoken, name) for mention in mentions)]
    for name in (*named, *_lone(spoken, claims.open_mentions)):
        clause, sentence = spoken.clause_of(name.first), spoken.sentence_of(name.first)
        around = [Span(name.last, clause.last)]
        if clause.last < sentence.last:
            following = spoken.clause_of(clause.last)
            if not any(following.first <= other.first < following.last for other in people):
                around.append(following)
        for span in (
            found for part in around for found in spoken.find(vocabulary.phrases("identified"), part.first, part.last)
        ):
            if not _is_unasserted(spoken, span) and not spoken.is_hedged(span):
                said = spoken.said(Span(name.first, span.last))
                yield (
                    Reason("ambiguous_as_certain", said, "is told as known, and results leave open who it is"),
                    name.first,
                )
                break


def _is_open_node(spoken: Spoken, claims: Claims, people: Sequence[Span], span: Span) -> bool:
    """Whether the sentence of some words tells who a name in a chain is, and nobody named there is confirmed."""
    sentence = spoken.sentence_of(span.first)
    if not claims.has_uncertain_nodes or not spoken.has("node_identity", sentence):
        return False
    confirmed = [Names(Returned([{"mention_ar": mention}])) for mention in claims.confirmed_mentions]
    named = [name for name in people if sentence.first <= name.first < sentence.last]
    if any(sentence.first <= name.first < sentence.last for name in _lone(spoken, claims.confirmed_mentions)):
        return False
    return not any(_carries(mention, spoken, name) for mention in confirmed for name in named)


def _certain(spoken: Spoken, claims: Claims, people: Sequence[Span]) -> Iterator[tuple[Reason, int]]:
    """Words of certainty where results are no more than inferences, and candidates told to be what is meant."""
    identified = {spoken.words[span.first].sentence: span for span in spoken.find(vocabulary.phrases("identification"))}
    told: set[int] = set()
    for span in spoken.find(vocabulary.phrases("certainty")):
        number = spoken.words[span.first].sentence
        if number in told or _is_unasserted(spoken, span) or spoken.is_hedged(span):
            continue
        if claims.has_fact and number not in identified and not _is_open_node(spoken, claims, people, span):
            continue
        told.add(number)
        yield (
            Reason(
                "inference_as_fact",
                spoken.said(spoken.clause_of(span.first)),
                "is told as certain, and no result states it as a fact",
            ),
            span.first,
        )
    if not claims.has_candidates:
        return
    for number, span in identified.items():
        if number not in told and not _is_unasserted(spoken, span) and not spoken.is_hedged(span):
            yield (
                Reason("inference_as_fact", spoken.said(span), "tells a candidate of a search as what is meant"),
                span.first,
            )
