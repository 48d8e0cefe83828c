"""Arabic search queries with known answers, made from a corpus by seeded damage of eleven kinds.

Every query starts from a run of words in the second half of a record of ordinary length. `relevant` are all records
that hold the same run after folding, so that a hit on a parallel narration counts. The kinds are those of the project's
development sets; the queries differ with the seed.

What those sets show of how they were made is kept to: `relevant` is so defined in all of their 110 queries; scattered
words have a gap at least (with a typo and a prefix, a run of eight to twelve words); and in all of the thirty queries of
scattered words, the records that hold the four words anywhere are exactly the relevant ones. Words drawn at random are
like that in three queries of four only, so that their maker must have asked for it, and so do we, unless `parallels`.
"""

import random
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

KNOWN_ITEM = ("exact5", "scattered4", "typo2", "prefix", "spelling", "voweled")
HARD = ("typo3", "suffix", "glue", "reorder", "mixed")

LETTERS = "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"
PREFIXES = ("و", "ف", "ب", "ل", "ال")
ENDINGS = ("هما", "كما", "ها", "هم", "نا", "كم", "ون", "ين", "ان", "ات", "وا", "ه", "ة", "ك", "ت", "ي")
OPENERS = (("", ""), ("«", "»"), ("(", ")"), ("﴿", "﴾"), ("", " ."))
STOPS = ("", "", "", "…", "!", "؛", " :")
_FOLDS = str.maketrans("أإآٱىیةۃؤئک", "ااااييههويك")
_SPELLINGS = {"أ": "اإ", "إ": "اأ", "آ": "ا", "ا": "أ", "ى": "ي", "ي": "ى", "ة": "ه", "ه": "ة"}


@dataclass(frozen=True)
class Query:
    """One search with its known answers: the kind of damage, the text, and the keys of all records that satisfy it."""

    kind: str
    text: str
    key: str
    relevant: frozenset[str]


def strip_marks(text: str) -> str:
    """Text without vowel marks, tatweel and invisible characters; letters keep their spelling."""
    composed = unicodedata.normalize("NFKC", text)
    return "".join(c for c in composed if c != "ـ" and unicodedata.category(c) not in {"Mn", "Me", "Cf"})


def fold(text: str) -> str:
    """The folding of the database, written again in Python so that the benchmark judges it independently."""
    return strip_marks(text).translate(_FOLDS).lower()


def words_of(text: str) -> list[str]:
    """Runs of letters and digits of an unfolded text, marks included in their word."""
    found = re.findall(r"(?:[^\W_][\u064b-\u0655\u0670\u0640\u200c-\u200f]*)+", text)
    return [word for word in found if fold(word)]


@dataclass(frozen=True)
class Corpus:
    """Records ready for making queries: marked words by key, and the folded text padded with blanks."""

    marked: dict[str, list[str]]
    folded: dict[str, str]
    holders: dict[str, set[str]]
    common: frozenset[str]

    @classmethod
    def of(cls, texts: dict[str, str]) -> "Corpus":
        """Index `texts` (key to text as published)."""
        marked = {key: words_of(text) for key, text in texts.items()}
        plain = {key: [fold(word) for word in words] for key, words in marked.items()}
        holders: dict[str, set[str]] = defaultdict(set)
        for key, words in plain.items():
            for word in words:
                holders[word].add(key)
        counts = Counter({word: len(keys) for word, keys in holders.items()})
        common = frozenset(word for word, count in counts.items() if count > 0.1 * len(texts))
        return cls(marked, {key: f" {' '.join(words)} " for key, words in plain.items()}, dict(holders), common)

    def holding(self, phrase: Sequence[str]) -> frozenset[str]:
        """Keys of the records in which the folded words of `phrase` stand in a row."""
        folded = [fold(word) for word in phrase]
        rarest = min((self.holders.get(word, set()) for word in folded), key=len)
        needle = f" {' '.join(folded)} "
        return frozenset(key for key in rarest if needle in self.folded[key])

    def holding_all(self, words: Sequence[str]) -> frozenset[str]:
        """Keys of the records in which the folded `words` stand, in whatever place and order."""
        return frozenset(set.intersection(*(self.holders.get(fold(word), set()) for word in words)))


def _typo(word: str, rng: random.Random) -> str:
    """One letter of `word` replaced, dropped, added or swapped with its neighbour."""
    at = rng.randrange(len(word))
    choice = rng.choice(("replace", "drop", "add", "swap"))
    if choice == "replace":
        return word[:at] + rng.choice(LETTERS) + word[at + 1 :]
    if choice == "drop":
        return word[:at] + word[at + 1 :]
    if choice == "add":
        return word[:at] + rng.choice(LETTERS) + word[at:]
    at = min(at, len(word) - 2)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _prefix(word: str, rng: random.Random) -> str:
    """`word` with an attached prefix taken off, or one put on."""
    for prefix in ("ال", "و", "ف", "ب", "ل"):
        if word.startswith(prefix) and len(word) - len(prefix) >= 3 and rng.random() < 0.7:
            return word[len(prefix) :]
    return rng.choice(PREFIXES) + word


def _ending(word: str, rng: random.Random) -> str:
    """`word` with its ending taken off, another in its place, or one put on."""
    stem = word
    for ending in ENDINGS:
        if word.endswith(ending) or (ending == "ه" and word.endswith("ة")):
            if len(word) - len(ending) >= 2:
                stem = word[: -len(ending)]
            break
    if stem != word and len(stem) >= 3 and rng.random() < 0.4:
        return stem
    return stem + rng.choice([ending for ending in ENDINGS if stem + ending != word])


def _damage(
    words: list[str], count: int, change: Callable[[str, random.Random], str], rng: random.Random, shortest: int = 3
) -> list[str] | None:
    """`words` with `count` of those of at least `shortest` letters changed, or None where there are too few."""
    able = [at for at, word in enumerate(words) if len(word) >= shortest]
    if len(able) < count:
        return None
    damaged = list(words)
    for at in rng.sample(able, count):
        while damaged[at] == words[at] or fold(damaged[at]) == fold(words[at]):
            damaged[at] = change(words[at], rng)
    return damaged


def _glue(words: list[str], rng: random.Random) -> list[str] | None:
    """Two neighbours written as one word, or one word written as two."""
    if rng.random() < 0.7:
        at = rng.randrange(len(words) - 1)
        return [*words[:at], words[at] + words[at + 1], *words[at + 2 :]]
    able = [at for at, word in enumerate(words) if len(word) >= 5]
    if not able:
        return None
    at = rng.choice(able)
    cut = rng.randrange(2, len(words[at]) - 1)
    return [*words[:at], words[at][:cut], words[at][cut:], *words[at + 1 :]]


def _spelling(words: list[str], rng: random.Random) -> list[str]:
    """Hamza, alef, ya and ta marbuta written another way, where they can be."""
    changed = []
    for word in words:
        letters = list(word)
        for at in {0, len(letters) - 1}:
            others = _SPELLINGS.get(letters[at])
            if others and not (letters[at] in "اي" and at == 0 and letters[at] == "ي") and rng.random() < 0.6:
                if letters[at] == "ا" and at:
                    continue
                if letters[at] in "ةهيى" and at == 0:
                    continue
                letters[at] = rng.choice(others)
        changed.append("".join(letters))
    return changed


def _voweled(marked: list[str], rng: random.Random) -> str:
    """The words as published, with tatweel inside and punctuation around."""
    pieces = []
    for word in marked:
        clean = "".join(c for c in word if unicodedata.category(c) != "Cf")
        spots = [at for at in range(1, len(clean)) if unicodedata.category(clean[at]) == "Lo"]
        if spots and rng.random() < 0.5:
            at = rng.choice(spots)
            clean = clean[:at] + "ـ" * rng.randint(1, 3) + clean[at:]
        pieces.append(clean + rng.choice(STOPS))
    opening, closing = rng.choice(OPENERS)
    return f"{opening}{' '.join(pieces)}{closing}"


def _scattered(corpus: Corpus, plain: list[str], start: int, count: int, rng: random.Random) -> list[int] | None:
    """Positions of `count` content words, in order, from a stretch of at most fourteen words that begins at `start`.

    None where they stand in a row, or where there are too few.
    """
    picked: list[int] = []
    for at in range(start, min(start + 14, len(plain))):
        word = plain[at]
        new = fold(word) not in corpus.common and all(fold(word) != fold(plain[earlier]) for earlier in picked)
        if new and len(word) >= 3 and (not picked or rng.random() < 0.6):
            picked.append(at)
        if len(picked) == count:
            return picked if at - start >= count else None
    return None


def _intruder(corpus: Corpus, rng: random.Random) -> str:
    """A content word from anywhere in the corpus."""
    keys = list(corpus.folded)
    while True:
        word = rng.choice(corpus.folded[rng.choice(keys)].split())
        if len(word) >= 3 and word not in corpus.common:
            return word


def _one(kind: str, corpus: Corpus, key: str, rng: random.Random, *, parallels: bool) -> Query | None:
    """One query of `kind` from the record `key`, or None where the drawn run does not allow it."""
    marked = corpus.marked[key]
    plain = [strip_marks(word) for word in marked]
    length = {"typo2": 6}.get(kind, 5)
    if not 20 <= len(plain) <= 200:
        return None
    start = rng.randrange(len(plain) // 2, len(plain) - length)
    run = plain[start : start + length]
    chosen: list[str] | None
    if kind in {"scattered4", "mixed", "reorder"}:
        picked = _scattered(corpus, plain, start, 4, rng)
        if picked is None:
            return None
        run = plain[picked[0] : picked[-1] + 1]
        chosen = [plain[at] for at in picked]
        if not parallels and corpus.holding_all(chosen) != corpus.holding(run):
            return None
        if kind == "mixed":
            if not 8 <= len(run) <= 12:
                return None
            first, second = rng.sample(range(4), 2)
            if len(fold(chosen[first])) < 4:
                return None
            chosen[first] = _typo(chosen[first], rng)
            chosen[second] = _prefix(chosen[second], rng)
        if kind == "reorder":
            chosen.append(_intruder(corpus, rng))
            rng.shuffle(chosen)
    elif kind == "voweled":
        chosen = [_voweled(marked[start : start + length], rng)]
    else:
        runs: dict[str, Callable[[], list[str] | None]] = {
            "exact5": lambda: run,
            "typo2": lambda: _damage(run, 2, _typo, rng, shortest=4),
            "typo3": lambda: _damage(run, 3, _typo, rng, shortest=4),
            "prefix": lambda: _damage(run, 2, _prefix, rng),
            "suffix": lambda: _damage(run, 2, _ending, rng),
            "spelling": lambda: _spelling(run, rng),
            "glue": lambda: _glue(run, rng),
        }
        chosen = runs[kind]()
    if chosen is None:
        return None
    relevant = corpus.holding(run)
    if len(relevant) > 10 or sum(fold(word) not in corpus.common for word in run) < 3:
        return None
    return Query(kind, " ".join(chosen), key, relevant)


def make_queries(
    corpus: Corpus,
    per_kind: int,
    seed: int,
    kinds: Sequence[str] = (*KNOWN_ITEM, *HARD),
    *,
    parallels: bool = False,
) -> list[Query]:
    """`per_kind` queries of each kind; the same corpus, numbers and seed give the same queries.

    Args:
        corpus: what they are made from.
        per_kind: how many of each kind.
        seed: of the random choices.
        kinds: which kinds.
        parallels: scattered words may stand in a record too that does not hold the run; it counts as a wrong hit.
    """
    rng = random.Random(seed)
    keys = sorted(corpus.folded)
    made: list[Query] = []
    for kind in kinds:
        found = 0
        while found < per_kind:
            query = _one(kind, corpus, rng.choice(keys), rng, parallels=parallels)
            if query is not None:
                made.append(query)
                found += 1
    return made
