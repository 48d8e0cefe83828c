"""Which language a query is in, by its script and its small words: pure, without a dictionary.

It decides in which texts the words are looked for and what a note says, and never whether a hit is right.
"""

from typing import Any, Final, Literal
from unicodedata import normalize

from isnad_gateway.domain.fold import late

QueryLanguage = Literal["ar", "fr", "transliteration", "other"]

_ARABIC: Final = late("[\u0620-\u064a\u066e-\u06d3\u06fa-\u06ff\ufb50-\ufdff\ufe70-\ufefc]")
_NOT_ARABIC: Final = late("[\u0679\u067e\u0686\u0688\u0691\u0698\u06af\u06ba]")  # Urdu and Persian letters
_LATIN: Final = late(r"[a-zà-öø-ɏḀ-ỿ]")
_WORD: Final = late(r"[^\W\d_]+")
_FRENCH_LETTER: Final = late("[éèêëçàâùûîïôœ]")
_TRANSLITERATION_LETTER: Final = late("[āīūḥṣḍṭẓġḫḏṯʿʾ]")
_DOUBLED_VOWEL: Final = late("aa|ii|uu")


def _words(*lines: str) -> frozenset[str]:
    return frozenset(" ".join(lines).split())


# Small words that stand in almost every sentence of their language, without those that two of them share.
_FRENCH: Final = _words(
    "le la les un une des du de d l qu que qui ne pas est et au aux ce cette ces il elle ils elles je tu nous",
    "vous mon ma mes ton ta tes son sa ses leur leurs dans sur pour par avec sans sous chez entre vers mais ou où",
    "donc car si quand comme plus moins très tout tous toute toutes même être avoir fait dit sont était ont sera",
    "celui ceux celle quiconque selon lorsque puis après avant dieu prophète messager prière jeûne foi hadith",
)
_TRANSLITERATION: Final = _words(
    "al el bin ibn bint abi abu abou inna innama wa wal fi fil bi bil min mina ila ala alay ilayhi lahu huwa hiya",
    "man ma ya kana qala yaqul rasul rasulu rasulullah nabi nabiyyu allahumma bismillah ilaha illa amal amalu",
    "niyat niyyat niyyah anna annahu lam lan thumma hatta haddathana akhbarana",
)
_OTHER: Final = _words(
    "the of and to is are was were that this with from for not who whoever what when by be his her their he she they we you",
    "said it which have has will shall as at do does",  # English
    "der die das und ist nicht ein eine von mit auf wer sich zu den dem",  # German
    "el los las una por para como con del y es se lo quien",  # Spanish
    "ve bir bu için ile değil kim olan",  # Turkish
    "yang dan dengan untuk dari adalah tidak orang pada",  # Indonesian
)


def query_language(query: str) -> QueryLanguage:
    """Tell the language of a query.

    Args:
        query: the words as given.

    Returns:
        `ar` where a good part of the letters is Arabic; `other` where the letters are neither Arabic nor Latin, or the
        small words are those of another language; `transliteration` where they are Arabic in Latin letters; else `fr`,
        which is also the answer where no small word tells.
    """
    text = normalize("NFC", query).casefold().translate(_APOSTROPHES)
    if _is_arabic_script(query):
        return "other" if _NOT_ARABIC().search(text) else "ar"
    if not _LATIN().search(text):
        return "other"
    words = _WORD().findall(text)
    french = sum(word in _FRENCH for word in words) + 2 * len(_FRENCH_LETTER().findall(text))
    transliteration = sum(word in _TRANSLITERATION for word in words) + len(_DOUBLED_VOWEL().findall(text))
    transliteration += 2 * len(_TRANSLITERATION_LETTER().findall(text))
    other = sum(word in _OTHER for word in words)
    if transliteration > max(french, other, 1):  # one sign alone is a name within another language
        return "transliteration"
    return "other" if other > french else "fr"


def language_to_search(query: str, asked: Literal["ar", "fr", "auto"]) -> QueryLanguage:
    """Where a query's words are looked for: what is in Arabic letters, in the Arabic texts, whatever language was asked."""
    if _is_arabic_script(query):
        return "ar"
    return query_language(query) if asked == "auto" else asked


def notes_on_language(
    query: str, asked: Literal["ar", "fr", "auto"], french: dict[str, Any] | None, *, found: bool
) -> list[str]:
    """What the caller should know: how the language of the words was read, and how much of the corpus is in French.

    Args:
        query: the words as given.
        asked: the language that was asked for.
        french: `hadiths` and `in_french`, how many there are; None where no French text was looked at.
        found: whether there are hits.
    """
    notes = [_note_on_reading(query, asked, found=found)]
    if french is not None and french["in_french"] < french["hadiths"]:
        notes.append(f"{french['in_french']} of {french['hadiths']} hadiths have a French text to search.")
    return [note for note in notes if note is not None]


def _note_on_reading(query: str, asked: Literal["ar", "fr", "auto"], *, found: bool) -> str | None:
    if _is_arabic_script(query):
        if asked == "fr":
            return "The query is in Arabic letters and was looked for in the Arabic texts."
        if query_language(query) == "other":
            return "The query does not read as Arabic; it was looked for in the Arabic texts, letter by letter."
        return None
    language = language_to_search(query, asked)
    if language == "ar":
        return "The query holds no Arabic letters: give Arabic words, or ask for French."
    meant = _READS_AS.get(language)
    if meant is None:
        return None
    ends = (
        "the hits hold all its words in their French text." if found else "give Arabic letters, French or a reference."
    )
    return f"The query reads as {meant}, which is not searched: {ends}"


_READS_AS: Final = {"transliteration": "Arabic in Latin letters", "other": "neither Arabic nor French"}


def _is_arabic_script(query: str) -> bool:
    text = normalize("NFKC", query).casefold()
    arabic = len(_ARABIC().findall(text))
    return arabic > 0 and arabic >= len(_LATIN().findall(text))


_APOSTROPHES: Final = {ord(letter): "'" for letter in "’‘`´ʼ"}
