"""What does the coherence check cost a recorded turn?

Usage: python benchmarks/coherence.py [--rounds N]

The results are those of eight real calls to the sandbox, each as large as its tool gives them (20 hits, 50 places), or as
large as they are by default. The answers are French, Arabic, and both with names, numbers and quotations; then hostile
ones of the greatest length. Needs the database that the tests make.
"""

import argparse
import importlib
import json
import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from isnad_gateway.core.logs import logger  # noqa: E402
from isnad_gateway.domain import name_keys  # noqa: E402
from isnad_gateway.domain.coherence import people, suspicions  # noqa: E402
from isnad_local.postgres import postgres, reader_dsn  # noqa: E402

FULL: list[tuple[str, dict[str, Any]]] = [
    ("search_hadith", {"query": "الصلاة", "limit": 20}),
    ("search_hadith", {"query": "الحج والعمرة", "limit": 20}),
    ("search_hadith", {"query": "رسول الله", "limit": 20}),
    ("search_hadith", {"query": "الجهاد في سبيل الله", "limit": 20}),
    ("search_narrator", {"query": "عبد الله", "limit": 20}),
    ("get_narrator_hadiths", {"narrator_id": 1, "limit": 50}),
    ("get_hadith_chains", {"hadith_id": 13, "limit": 20}),
    (
        "get_transmission_relation",
        {"narrator_a_id": 18, "narrator_b_id": 1, "include_chain_observations": True, "limit": 20},
    ),
]
USUAL = [(tool, {key: value for key, value in arguments.items() if key != "limit"}) for tool, arguments in FULL]

FRENCH = (
    "J'ai trouvé vingt textes dans le Sahih al-Bukhari et le Sahih Muslim, par exemple le numéro 13, d'après Anas. La chaîne "
    "passe par Mousaddad, Yahya, Chou'ba ibn al-Hajjaj et Qatada ibn Di'ama as-Sadousi ; le nom de Yahya reste ambigu. "
    "Az-Zuhri est confirmé 1928 fois dans le corpus, en mille sept cent quatre-vingt-quinze hadiths, ce qui ne veut pas dire "
    "qu'il ait enseigné à tous ceux qui le citent. 'Abd Allah ibn 'Umar est mort en 73 de l'hégire. « لا يؤمن أحدكم حتى يحب "
    "لأخيه ما يحب لنفسه ». Je ne peux rien dire de l'authenticité. "
)
ARABIC = (
    "وجدت عشرين حديثا في صحيح البخاري وصحيح مسلم، منها الحديث رقم 13 عن أنس. في السند مسدد ويحيى وشعبة وقتادة، واسم يحيى "
    "محتمل لأكثر من راو. قال رسول الله صلى الله عليه وسلم: «لا يؤمن أحدكم حتى يحب لأخيه ما يحب لنفسه». ورد الزهري في 1928 موضعا. "
)
LENGTH = 32_768
ANSWERS = {
    "French": FRENCH,
    "Arabic": ARABIC,
    "both": FRENCH + ARABIC,
    "long (8,000 characters)": (FRENCH + ARABIC) * 8,
}
HOSTILE = {
    "the longest answer": (FRENCH + ARABIC) * 40,
    "names alone": "Abou Bakr ibn 'Abd ar-Rahman ibn al-Harith al-Makhzoumi " * 800,
    "names that differ": " ".join(
        f"Abou {a}{b}m ibn {b}{a}r al-{a}{b}i" for a in "BDFGHJKLMN" for b in "aiouéèâîûœ" for _ in range(14)
    ),
    "quotation marks": '«»"“' * 10_000,
    "quotations": "« انما الاعمال بالنيات وانما لكل » " * 1_000,
    "one Arabic quotation": "«" + "انما الاعمال بالنيات وانما لكل امرئ ما نوى " * 700 + "»",
    "one word": "a" * 100_000,
    "ne ne ne": "n'existe n'est pas ne " * 5_000,
    "digits": "1" * 50_000 + " 9.9,9" * 9_000,
    "number words": "deux cent vingt et un mille " * 2_000,
    "ligatures": "ﷺﷻ﷽" * 12_000,
    "bidi": "\u202eaut\u2066hent\u2069ique " * 5_000,
}


def main() -> int:
    """Measure, and print medians and the slowest run, in milliseconds of processor time."""
    parser = argparse.ArgumentParser(description="The coherence check, timed.")
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    logger().setLevel("CRITICAL")
    with postgres(ROOT / ".local" / "test-postgres") as dsn:
        os.environ["ISNAD_DSN"] = reader_dsn(dsn)
        sets = {"eight full results": _results(FULL), "eight usual results": _results(USUAL)}
    began = time.process_time()
    suspicions(FRENCH, [])
    print(f"first check of a process, which reads the vocabulary: {1000 * (time.process_time() - began):.0f} ms\n")
    for title, results in sets.items():
        size = len(json.dumps(results, ensure_ascii=False).encode()) / 1024
        print(f"{title} ({size:.0f} KiB)")
        for name, answer in ANSWERS.items():
            _print(name, answer, results, rounds)
    print("hostile answers, with eight full results, cut at 32,768 characters")
    for name, answer in HOSTILE.items():
        _print(name, answer, sets["eight full results"], 3)
    return 0


def _results(calls: list[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    from tests.conftest import call  # noqa: PLC0415

    results = [
        call(importlib.import_module(f"functions.{tool}.app").handler, arguments)["result"] for tool, arguments in calls
    ]
    assert None not in results
    return results


def _print(name: str, answer: str, results: list[dict[str, Any]], rounds: int) -> None:
    times = []
    for _ in range(rounds):
        name_keys.arabic_sound.cache_clear()  # a turn's names are seldom those of the turn before
        name_keys.latin_sounds.cache_clear()
        people.words_of.cache_clear()
        began = time.process_time()
        suspicions(answer, results)
        times.append(1000 * (time.process_time() - began))
    print(f"  {name:28} median {statistics.median(times):7.1f}   slowest {max(times):7.1f}")


if __name__ == "__main__":
    sys.exit(main())
