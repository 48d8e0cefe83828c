"""Queries for narrators with known answers: name forms of AR-Sanad as they are and damaged, and Latin spellings.

A query's relevant narrators are those who bear the form that it was made from. The Latin spellings are of two kinds:
the transmitters of sahih-moslim-fr in French and English, whose Arabic names are looked up among the forms, and
spellings of well-known narrators as people write them, collected by hand in `SPELLINGS`.
"""

import ast
import csv
import json
import random
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from benchmarks.search_queries import LETTERS, fold

Query = tuple[str, frozenset[str]]
"""A query and the keys of the narrators that answer it."""

_SHORTEST = 3  # letters of a word that gets a typo
_LONG = 3  # words of a form that loses one

SPELLINGS = {
    "أبو هريرة": "Abou Hourayra|Abu Hurairah|Abu Hurayra|Abou Houreïra|Abu Huraira|Abû Hurayrah",
    "أنس بن مالك": "Anas ibn Malik|Anas bin Malik|Anas b. Mālik|Anas ben Mâlik",
    "عبد الله بن عمر": "Abdullah ibn Umar|Abdallah ibn Omar|ʿAbd Allāh b. ʿUmar|Abdullah bin Umar",
    "عائشة": "Aisha|Aïcha|Ayesha|ʿĀʾisha|'A'isha|Aishah",
    "سفيان الثوري": "Sufyan al-Thawri|Soufyan ath-Thawri|Sufyān al-Thawrī|Soufiane at-Thawri",
    "سفيان بن عيينة": "Sufyan ibn Uyayna|Soufyan ibn Ouyayna|Sufyān b. ʿUyayna|Sufyan bin Uyainah",
    "شعبة": "Shu'ba|Chou'ba|Shubah|Šuʿba",
    "حماد بن سلمة": "Hammad ibn Salama|Hammad bin Salamah|Ḥammād b. Salama|Hammad Ibn Salamah",
    "الزهري": "al-Zuhri|az-Zuhri|az-Zouhri|al-Zuhrī|Az-Zohri",
    "ابن شهاب": "Ibn Shihab|Ibn Chihab|Ibn Šihāb",
    "نافع": "Nafi|Nafi'|Nâfi'|Nāfiʿ",
    "هشام بن عروة": "Hisham ibn Urwa|Hicham ibn 'Ourwa|Hisham bin Urwah|Hishām b. ʿUrwa",
    "يحيى بن سعيد": "Yahya ibn Said|Yahya ibn Sa'id|Yahia ben Saïd|Yaḥyā b. Saʿīd",
    "الأعمش": "al-A'mash|al-A'mach|Al-Amash|al-Aʿmaš",
    "إبراهيم": "Ibrahim|Ibrâhîm|Ibraheem|Ibrāhīm",
    "علقمة": "Alqama|Alqamah|'Alqama|ʿAlqama",
    "مسروق": "Masruq|Masrouq|Masrūq|Masrooq",
    "عبد الرزاق": "Abd al-Razzaq|Abdurrazzaq|Abder-Razzaq|Abdul Razzaq|ʿAbd al-Razzāq",
    "معمر": "Ma'mar|Mamar|Maʿmar|Ma`mar",
    "قتيبة بن سعيد": "Qutayba ibn Said|Qutaybah ibn Sa'id|Qoutayba ibn Sa'îd|Qutaiba bin Saeed",
    "وكيع": "Waki|Waki'|Ouaki'|Wakīʿ",
    "ابن جريج": "Ibn Jurayj|Ibn Jouraydj|Ibn Juraij|Ibn Ǧurayǧ",
    "عطاء": "Ata|'Ata|Atâ'|ʿAṭāʾ",
    "مجاهد": "Mujahid|Moujahid|Mudjâhid|Muǧāhid",
    "عكرمة": "Ikrima|Ikrimah|'Ikrima|ʿIkrima",
    "سعيد بن جبير": "Said ibn Jubayr|Sa'id ibn Djoubayr|Saeed bin Jubair|Saʿīd b. Ǧubayr",
    "ابن عباس": "Ibn Abbas|Ibn 'Abbâs|Ibn ʿAbbās|Ibn Abbass",
    "سالم بن عبد الله": "Salim ibn Abdullah|Sâlim ibn 'Abd Allah|Salem bin Abdullah|Sālim b. ʿAbd Allāh",
    "أبو سلمة": "Abu Salama|Abou Salama|Abu Salamah|Abū Salama",
    "سعيد بن المسيب": "Said ibn al-Musayyib|Sa'id ibn al-Mousayyib|Saeed bin al-Musayyab|Saʿīd b. al-Musayyab",
    "عبد الله بن يوسف": "Abdullah ibn Yusuf|Abdallah ibn Youssouf|Abdullah bin Yusuf|ʿAbd Allāh b. Yūsuf",
    "إسحاق بن إبراهيم": "Ishaq ibn Ibrahim|Is-haq ibn Ibrahim|Isḥāq b. Ibrāhīm|Ishaaq bin Ibraheem",
    "أبو الزناد": "Abu al-Zinad|Abou az-Zinad|Abu'l-Zinad|Abū l-Zinād",
    "الأعرج": "al-A'raj|al-A'radj|Al-Araj|al-Aʿraǧ",
    "عروة بن الزبير": "Urwa ibn al-Zubayr|'Ourwa ibn az-Zoubayr|Urwah bin al-Zubair|ʿUrwa b. al-Zubayr",
    "أبو بكر بن أبي شيبة": "Abu Bakr ibn Abi Shayba|Abou Bakr ibn Abi Chayba|Abu Bakr bin Abi Shaibah",
    "زهير بن حرب": "Zuhayr ibn Harb|Zouhayr ibn Harb|Zuhair bin Harb|Zuhayr b. Ḥarb",
    "محمد بن المثنى": "Muhammad ibn al-Muthanna|Mouhammad ibn al-Mouthanna|Muhammad bin al-Muthanna",
    "أبو كريب": "Abu Kurayb|Abou Kourayb|Abu Kuraib|Abū Kurayb",
    "جابر بن عبد الله": "Jabir ibn Abdullah|Djabir ibn 'Abd Allah|Jaber bin Abdullah|Ǧābir b. ʿAbd Allāh",
    "عمرو بن دينار": "Amr ibn Dinar|'Amr ibn Dînâr|Amrou ibn Dinar|ʿAmr b. Dīnār",
    "منصور": "Mansur|Mansour|Mansoor|Manṣūr",
    "قتادة": "Qatada|Qatadah|Qatâda|Qatāda",
    "همام": "Hammam|Hammâm|Hammām",
    "يونس": "Yunus|Younous|Younes|Yūnus",
    "الليث": "al-Layth|al-Laith|Al-Leyth|al-Layṯ",
    "عقيل": "Uqayl|'Ouqayl|Uqail|ʿUqayl",
    "أبو معاوية": "Abu Muawiya|Abou Mou'awiya|Abu Mu'awiyah|Abū Muʿāwiya",
    "ابن نمير": "Ibn Numayr|Ibn Noumayr|Ibn Numair|Ibn Noumeir",
    "عمر بن الخطاب": "Umar ibn al-Khattab|'Omar ibn al-Khattâb|Omar bin al-Khattab|ʿUmar b. al-Ḫaṭṭāb",
    "عبد الله بن مسعود": "Abdullah ibn Masud|Abdallah ibn Mas'oud|Abdullah bin Mas'ud|ʿAbd Allāh b. Masʿūd",
    "أبو سعيد الخدري": "Abu Said al-Khudri|Abou Sa'id al-Khoudri|Abu Saeed al-Khudri|Abū Saʿīd al-Ḫudrī",
    "البراء بن عازب": "al-Bara ibn Azib|al-Barâ' ibn 'Âzib|Al-Bara bin Azib",
    "عبد الرحمن بن مهدي": "Abd al-Rahman ibn Mahdi|'Abd ar-Rahman ibn Mahdi|Abdur Rahman bin Mahdi",
}
"""Arabic form, and Latin spellings of it from French, English and scholarly writing."""


def bearers_of(folder: Path) -> dict[str, frozenset[str]]:
    """Who bears each form of `lite-narrators.csv`, by narrator key."""
    bearers: dict[str, set[str]] = defaultdict(set)
    with (folder / "lite-narrators.csv").open(encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            for form in ast.literal_eval(row["namings"]):
                if form.strip():
                    bearers[form].add(f"ar-sanad:{row['id']}")
            if row["name"] in bearers:
                bearers[row["name"]].add(f"ar-sanad:{row['id']}")
    return {form: frozenset(keys) for form, keys in sorted(bearers.items())}


def _typo(form: str, rng: random.Random) -> str | None:
    """One letter of one word replaced, dropped, added or swapped with its neighbour."""
    words = form.split()
    able = [at for at, word in enumerate(words) if len(word) >= _SHORTEST]
    if not able:
        return None
    at = rng.choice(able)
    word = words[at]
    place = rng.randrange(len(word) - 1)
    damaged = word
    while fold(damaged) == fold(word):
        damaged = rng.choice(
            (
                word[:place] + rng.choice(LETTERS) + word[place + 1 :],
                word[:place] + word[place + 1 :],
                word[:place] + rng.choice(LETTERS) + word[place:],
                word[:place] + word[place + 1] + word[place] + word[place + 2 :],
            )
        )
        place = rng.randrange(len(word) - 1)
    return " ".join([*words[:at], damaged, *words[at + 1 :]])


def _dropped(form: str, rng: random.Random) -> str | None:
    """One word of a form of three or more left out, whichever it is."""
    words = form.split()
    if len(words) < _LONG:
        return None
    gone = rng.randrange(len(words))
    return " ".join(word for at, word in enumerate(words) if at != gone)


DAMAGES: dict[str, Callable[[str, random.Random], str | None]] = {
    "exact": lambda form, _rng: form,
    "one typo": _typo,
    "a word dropped": _dropped,
}


def arabic_queries(bearers: dict[str, frozenset[str]], kind: str, count: int, seed: int) -> list[Query]:
    """Queries of a kind of `DAMAGES`; the same seed gives the same."""
    rng = random.Random(f"{seed} {kind}")
    forms = list(bearers)
    queries: list[Query] = []
    while len(queries) < count:
        form = rng.choice(forms)
        query = DAMAGES[kind](form, rng)
        if query is not None and sum(map(str.isalpha, query)) > 1:
            queries.append((query, bearers[form]))
    return queries


def transmitter_queries(bearers: dict[str, frozenset[str]], folder: Path) -> list[Query]:
    """The French and English names of transmitters whose Arabic name is a form of somebody loaded."""
    by_fold: dict[str, set[str]] = defaultdict(set)
    for form, keys in bearers.items():
        by_fold[fold(form).replace(" ابن ", " بن ")] |= keys
    found: dict[str, frozenset[str]] = {}
    for row in json.loads((folder / "transmitters.json").read_text(encoding="utf-8")):
        relevant = by_fold.get(fold(row["name_ar"]).replace(" ابن ", " بن "))
        if relevant:
            found |= {row[column]: frozenset(relevant) for column in ("name_fr", "name_en") if row[column]}
    return sorted(found.items(), key=lambda query: query[0])


def spelling_queries(bearers: dict[str, frozenset[str]]) -> list[Query]:
    """The spellings of `SPELLINGS` whose Arabic form somebody loaded bears."""
    return [
        (spelling, bearers[form])
        for form, spellings in SPELLINGS.items()
        if form in bearers
        for spelling in spellings.split("|")
    ]
