"""What the proven results of a turn carry: texts, names, numbers, statuses. Each part is made when it is asked for."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Final

from isnad_gateway.domain.coherence.calendar import years_of
from isnad_gateway.domain.coherence.count_words import values_in
from isnad_gateway.domain.fold import fold

_OPAQUE: Final = frozenset({
    "object_id", "object_type", "source_id", "edition_id", "dataset_id", "import_id", "content_hash", "url", "rights",
    "chain_id", "node_id", "from_node_id", "to_node_id", "passage_id", "entry_id", "text_span", "evidence_status",
})  # fmt: skip
"""Keys whose values nobody speaks: a number among them supports no number that is spoken."""

_NAMES: Final = frozenset({
    "name_ar", "name_fr", "canonical_display", "matched_form", "form", "mention_ar", "author", "translator",
})  # fmt: skip
_REFERENCES: Final = frozenset(
    {"canonical_reference", "reference", "citation", "source_key", "hadith_id", "narrator_id"}
)
_CITED: Final = ("source_title", "source_key", "citation", "author", "locator", "note")
"""What an entry of provenance cites."""

_TEXTS: Final = ("text_ar", "text_fr", "text", "source_text", "value", "title", "generation")
"""Keys of what a source says, in whose words numbers may stand."""

_TOLD: Final = ("text_ar", "text_fr", "text", "source_text")

_ENGLISH: Final = frozenset({"capability_note", "note", "rights", "locator"})
_LISTS: Final = ("results", "chains", "items", "relations", "chain_observations", "passages", "source_entries", "nodes")
_STATUSES: Final = (
    "match_method", "match_tier", "resolution_status", "completeness", "relation_status", "recorded_status",
    "evidence_status", "alignment_status", "death_year_ah", "generation", "transmission_term_ar",
)  # fmt: skip
_ARABIC: Final = re.compile("[\u0621-\u064a]")
_WORDS: Final = re.compile(r"[^\W_]+")
_NUMBER: Final = re.compile(r"(?<![\w.])\d{1,18}(?![\w.]\w)(?!\w)")
"""A number that stands alone: no part of a hash or a version."""
_YEAR_FIELD: Final = re.compile("death|birth|year|died|born")
_YEAR_WORDS: Final = frozenset({"سنه", "عام", "مات", "توفي", "ولد"})
_LAST_YEAR: Final = 1500
_CENTURY: Final = 100
_MAX_YEARS: Final = 60
_APART: Final = 5  # words between two that repeat each other
_MOST_REPEATED: Final = 5
_OF_EVERY_TEXT: Final = frozenset(
    {"قال", "قالت", "فقال", "قالوا", "يقول", "الله", "رسول", "حدثنا", "اخبرنا", "حدثني", "ابن"}
)
_LITTLE: Final = 2  # letters of a word that repeats nothing: عن, ثم


def whole(item: dict[str, Any], key: str) -> int | None:
    """An integer of a result; None where there is none. Other tools may use the key for something else."""
    value = item.get(key)
    return value if type(value) is int else None


def objects_in(item: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """The objects of a list of a result, none where there is no such list."""
    values = item.get(key)
    return [value for value in values if type(value) is dict] if type(values) is list else []


class Returned:
    """The proven results of a turn."""

    def __init__(self, results: Iterable[dict[str, Any]]) -> None:
        self.results = list(results)
        self.texts: dict[str, set[str]] = {}
        self.objects: list[dict[str, Any]] = []
        self._counts: dict[str, set[int]] = {}
        self.numbers: set[float] = set()
        self.years: set[float] = set()
        for result in self.results:
            self._walk(result)

    def _walk(self, item: dict[str, Any]) -> None:
        self.objects.append(item)
        for key, value in item.items():
            kind = type(value)
            if kind is str:
                if key not in _OPAQUE:
                    self.texts.setdefault(key, set()).add(value)
            elif kind is list:
                self._list(key, value)
            elif kind is dict:
                self._walk(value)
            elif kind in (int, float) and key not in _OPAQUE:
                self.numbers.add(value)
                if key.startswith("death_year") and kind is int:
                    self.years.add(value)

    def _list(self, key: str, values: list[Any]) -> None:
        if key == "provenance":
            for entry in values:
                if type(entry) is dict:
                    self._provenance(entry)
            return
        objects = [value for value in values if type(value) is dict]
        if key not in _OPAQUE:
            self._count(key, objects or values)
            self.texts.setdefault(key, set()).update(value for value in values if type(value) is str)
        for value in objects:
            self._walk(value)

    def _provenance(self, entry: dict[str, Any]) -> None:
        for key in _CITED:
            value = entry.get(key)
            if type(value) is str:
                self.texts.setdefault(key, set()).add(value)

    def _count(self, key: str, values: list[Any]) -> None:
        """How many a list holds, and how many of each status and each collection."""
        counts = self._counts.setdefault(key, set())
        counts.add(len(values))
        if not values or any(type(value) is not dict for value in values):
            return
        for status in _STATUSES:
            if status in values[0]:
                counts.update(Counter([str(value.get(status)) for value in values]).values())
        if "canonical_reference" in values[0]:
            counts.update(Counter([str(value.get("canonical_reference")).split(":")[0] for value in values]).values())

    def count(self, *keys: str) -> set[float]:
        """How many the lists of some keys hold: each, each of its statuses, and all together."""
        counts: set[float] = set()
        for key in keys:
            counts |= self._counts.get(key, set())
        lists = [item[key] for item in self.objects for key in keys if isinstance(item.get(key), list)]
        return counts | {sum(len(values) for values in lists)} if lists else counts

    @cached_property
    def counts(self) -> set[float]:
        """The lengths of all lists, and how many calls there were."""
        return self.count(*_LISTS) | {len(self.results)}

    def of(self, *keys: str) -> Iterator[str]:
        """The texts under some keys, each once."""
        for key in keys:
            yield from self.texts.get(key, ())

    def has(self, key: str, *values: str) -> bool:
        """Whether an object of a result has one of some values under a key."""
        return any(value in values for value in self.texts.get(key, ()))

    @cached_property
    def folded(self) -> dict[str, str]:
        """Each text that is not a note in English, folded: its words with a blank before, between and after."""
        texts = {text for key, values in self.texts.items() if key not in _ENGLISH for text in values}
        return {text: f" {' '.join(_WORDS.findall(text.lower() if text.isascii() else fold(text)))} " for text in texts}

    @cached_property
    def arabic(self) -> list[str]:
        """The folded texts that hold Arabic."""
        return [folded for folded in self.folded.values() if _ARABIC.search(folded)]

    @cached_property
    def arabic_whole(self) -> str:
        """All of them, one after another."""
        return " | ".join(self.arabic)

    @cached_property
    def latin_whole(self) -> str:
        """The texts that hold no Arabic, in lower case, one after another."""
        return " | ".join(
            text.lower() for key, values in self.texts.items() for text in values if not _ARABIC.search(text)
        )

    @cached_property
    def names(self) -> set[str]:
        """The names that results give as names."""
        return {text for key in _NAMES for text in self.texts.get(key, ())}

    @cached_property
    def unnamed(self) -> int:
        """How many narrators the results speak of by their id alone, as `get_transmission_relation` does."""
        keys = ("narrator_a_id", "narrator_b_id", "narrator_id")
        bare = {whole(result, key) for result in self.results for key in keys if "identity" not in result}
        named = {whole(item, "narrator_id") for item in self.objects if "name_ar" in item}
        named |= {whole(result, "narrator_id") for result in self.results if "identity" in result} | {None}
        return len(bare - named)

    @cached_property
    def ids(self) -> set[float]:
        """The ids of hadiths and narrators."""
        return {
            item[key] for item in self.objects for key in ("hadith_id", "narrator_id") if isinstance(item.get(key), int)
        }

    @cached_property
    def reference_numbers(self) -> set[float]:
        """The numbers by which results name hadiths, books and chapters, and the ids of hadiths and narrators."""
        return self.cited_numbers | self.ids

    @cached_property
    def cited_numbers(self) -> set[float]:
        """The numbers in references, places and notes."""
        texts = [text for key in _REFERENCES for text in self.texts.get(key, ())]
        texts += self.of("capability_note", "locator", "number")
        return {float(number) for text in texts for number in _NUMBER.findall(text)}

    @cached_property
    def note_numbers(self) -> set[float]:
        """The numbers that the gateway itself tells of what it searched: `0 of 14940 hadiths have …`."""
        return {float(number) for text in self.of("capability_note") for number in _NUMBER.findall(text)}

    @cached_property
    def repetitions(self) -> set[float]:
        """How often the text of a hadith says one thing again and again: `your mother`, three times."""
        found: set[float] = set()
        for text in self.of("text_ar"):
            runs: dict[str, tuple[int, int]] = {}
            for place, word in enumerate(self.folded[text].split()):
                last, count = runs.get(word, (-_APART, 0))
                runs[word] = (place, count + 1 if place - last <= _APART else 1)
                if 1 < runs[word][1] <= _MOST_REPEATED and len(word) > _LITTLE and word not in _OF_EVERY_TEXT:
                    found.add(float(runs[word][1]))
        return found

    @cached_property
    def text_numbers(self) -> set[float]:
        """The numbers in texts, in digits and in words."""
        values: set[float] = set()
        for text in self.of(*_TEXTS):
            values |= values_in(self.folded[text].split())
            values.update(float(number) for number in _NUMBER.findall(text))
        return values

    @cached_property
    def told_numbers(self) -> set[float]:
        """The numbers that the texts of hadiths, notices and commentaries tell."""
        return {value for text in self.of(*_TOLD) for value in values_in(self.folded[text].split())}

    @cached_property
    def named_numbers(self) -> set[float]:
        """The numbers that names, titles and notes hold."""
        texts = (text for key, texts in self.texts.items() if key not in _TEXTS for text in texts)
        return {float(number) for text in texts for number in _NUMBER.findall(text)}

    @cached_property
    def dates(self) -> set[float]:
        """Years that results carry, in both calendars, and their centuries."""
        years = set(self.years)
        for item in self.objects:
            if _YEAR_FIELD.search(str(item.get("field", ""))):
                years.update(float(number) for number in _NUMBER.findall(str(item.get("value"))))
        for text in self.of("text", "source_text"):
            words = self.folded[text].split()
            if not _YEAR_WORDS.isdisjoint(words):
                years |= values_in(words)
        return {date for year in years if 0 < year <= _LAST_YEAR for date in years_of(int(year))} | years

    @cached_property
    def centuries(self) -> set[float]:
        """The centuries of those years, in both calendars."""
        return {float(-(-int(date) // _CENTURY)) for date in self.dates}

    @cached_property
    def spans(self) -> set[float]:
        """The years between two years that results carry."""
        years = sorted(self.dates)[:_MAX_YEARS]
        return {abs(one - other) for one in years for other in years}

    @cached_property
    def all_numbers(self) -> set[float]:
        """Every number that a result carries, however it is spoken."""
        return self.numbers | self.text_numbers | self.named_numbers | self.reference_numbers | self.counts | self.dates
