"""A name as it is looked up: whatever is asked, the database understands it, and finds what the release before found."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pg8000.native import Connection
from tests.conftest import ROOT, Database

from isnad_database.connect import administrator
from isnad_gateway.domain.name_query import name_query

HOSTILE = [
    "بن", "ibn", "زكريا بن أبي", "عبد", "عبد الله بن", "d'd", '"\\', "' | 'x", "a & b", "!x", "x:*", "~VlA", "ʿʿ", "",
    "a" * 512, "ab" * 256, "و" * 512, "\u202eabc\u202c", "ﷺ", "𝕄𝕦𝕙𝕒𝕞𝕞𝕒𝕕",
]  # fmt: skip
_FOLDER = ROOT / "functions" / "search_narrator"
_TIERS = ("exact", "prefix", "substring", "fulltext", "fuzzy")


@pytest.fixture(scope="module")
def connection(sandbox: Database) -> Iterator[Connection]:
    with administrator(sandbox.administrator) as opened:
        yield opened


def _found(connection: Connection, query: str, language: str = "auto", wanted: int = 6) -> list[tuple[int, str, str]]:
    asked = name_query(query, language)
    statement = (_FOLDER / ("sounding.sql" if "sounds" in asked else "spelt.sql")).read_text(encoding="utf-8")
    [[answer]] = connection.run(statement, **asked, filters=None, wanted=wanted)
    return [
        (hit["name"]["narrator_id"], _TIERS[hit["tier"] - 1], hit["name"]["matched_form"])
        for hit in json.loads(answer)["hits"]
    ]


def _found_before(connection: Connection, query: str, language: str, wanted: int = 6) -> list[tuple[int, str, str]]:
    """What `find_narrators` finds, which the release before asks: it makes the key itself."""
    rows = connection.run(
        "select narrator_id, match_tier, matched_form"
        " from find_narrators(:query::text, :language::text, null, null, null, :wanted::integer)",
        query=query, language=language, wanted=wanted,
    )  # fmt: skip
    return [(number, tier, form) for number, tier, form in rows if number is not None]


@pytest.mark.parametrize("language", ["auto", "ar", "latin"])
@pytest.mark.parametrize("query", HOSTILE)
def test_hostile_names(connection: Connection, query: str, language: str) -> None:
    assert _found(connection, query, language) == _found_before(connection, query, language)


@pytest.mark.parametrize("query", ["محمد " * 60, "Abd al-Rahman " * 30, "محمد بن " * 64, "x y " * 128])
def test_a_key_that_is_cut_at_a_blank(connection: Connection, query: str) -> None:
    """The release before made a tsquery with an empty word of it, and failed."""
    assert all(tier not in ("exact", "prefix") for _, tier, _ in _found(connection, query[:512]))


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=60))
def test_any_text(connection: Connection, query: str) -> None:
    found = _found(connection, query)
    assert len({number for number, *_ in found}) == len(found)


def test_every_name_of_the_sandbox_as_the_release_before(connection: Connection) -> None:
    names = [
        name for row in connection.run("select name_ar, name_fr from public.public_narrators") for name in row if name
    ]
    assert len(names) > 600
    for name in names:
        assert _found(connection, name) == _found_before(connection, name, "auto"), name


def test_a_word_that_stands_twice_counts_for_both(connection: Connection) -> None:
    asked = name_query("Sa'id ibn Sa'id", "auto")
    assert str(asked["any_words"]).count("'said'") == 2
    assert str(asked["sounds"]).count("|") == 1


@pytest.mark.parametrize(
    ("query", "contained"),
    [("زكريا بن أبي", " زكريا بن ابو-"), ("عبد", " عبد "), ("محمد بن عبد", " محمد بن عبد"), ("سفيان", " سفيان ")],
)
def test_a_name_that_breaks_off_is_the_beginning_of_one(query: str, contained: str) -> None:
    assert name_query(query, "auto")["contained"] == contained


_SLIPPED = """
select r.narrator_id, replace(' ' || n.key || ' ', ' ' || w.word || ' ', ' ' || v.word || ' ')
from isnad.narrator_names as n
inner join isnad.narrators as r on n.narrator_id = r.narrator_id
cross join lateral unnest(n.words) as w (word)
inner join isnad.name_words as v on v.near && isnad.search_near(w.word) and v.word <> w.word
where n.word_count >= 3 and length(w.word) >= 4 and length(v.word) >= 4 and n.key ~ '^[ ء-ي]+$' and v.word ~ '^[ء-ي]+$'
    and position(' ' || w.word || ' ' in ' ' || n.key || ' ') > 0
order by md5(n.key || w.word || v.word)
limit 120
"""


def test_a_slip_that_makes_another_name(connection: Connection) -> None:
    """Each word is one that the index holds, and no name holds them all."""
    found = among = 0
    for narrator_id, query in connection.run(_SLIPPED):
        hits = _found(connection, query)
        if hits and hits[0][1] == "fuzzy":  # else it is somebody else's name
            found += 1
            among += narrator_id in [number for number, *_ in hits[:5]]
    assert found > 40
    assert among / found >= 0.9


def test_how_a_word_with_a_slip_is_looked_up(connection: Connection) -> None:
    [[near, particle]] = connection.run("select isnad.near_word('الزهرى')::text, isnad.near_word('ابنن')::text")
    assert {"'-الزهرى'", "'زهرى'", "'-الزرى'"} <= set(near.split(" | "))
    assert particle == ""
