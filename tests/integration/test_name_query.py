"""A name as it is looked up: whatever is asked, the database understands it, and finds what the release before found."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pg8000.native import Connection
from tests.conftest import Database

from isnad_database.connect import administrator
from isnad_gateway.domain.name_query import name_query

HOSTILE = [
    "بن", "ibn", "زكريا بن أبي", "عبد", "عبد الله بن", "d'd", '"\\', "' | 'x", "a & b", "!x", "x:*", "~VlA", "ʿʿ", "",
    "a" * 512, "ab" * 256, "و" * 512, "\u202eabc\u202c", "ﷺ", "𝕄𝕦𝕙𝕒𝕞𝕞𝕒𝕕",
]  # fmt: skip
_FIND = (
    "select find_names(:asked::text, :asked_padded::text, :all_words::tsquery, :rough_words::tsquery, :any_words::tsquery, :sounds::text[],"
    " null, null, null, :wanted::integer)"
)


@pytest.fixture(scope="module")
def connection(sandbox: Database) -> Iterator[Connection]:
    with administrator(sandbox.administrator) as opened:
        yield opened


def _found(connection: Connection, query: str, language: str = "auto", wanted: int = 6) -> list[tuple[int, str, str]]:
    [[answer]] = connection.run(_FIND, **name_query(query, language), wanted=wanted)
    assert answer["unknown_filter"] is None
    return [(hit["name"]["narrator_id"], hit["match_tier"], hit["name"]["matched_form"]) for hit in answer["hits"]]


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
    assert asked["any_words"].count("'said'") == 2
    assert len(asked["sounds"]) == 2


@pytest.mark.parametrize(
    ("query", "padded"),
    [("زكريا بن أبي", " زكريا بن ابو-"), ("عبد", " عبد "), ("محمد بن عبد", " محمد بن عبد"), ("سفيان", " سفيان ")],
)
def test_a_name_that_breaks_off_is_the_beginning_of_one(query: str, padded: str) -> None:
    assert name_query(query, "auto")["asked_padded"] == padded
