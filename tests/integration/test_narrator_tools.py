"""The four narrator tools on made-up people: candidates, things kept apart, confirmed places, recorded relations."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from functions.get_narrator_hadiths.app import handler as get_narrator_hadiths
from functions.get_narrator_profile.app import handler as get_narrator_profile
from functions.get_transmission_relation.app import handler as get_transmission_relation
from functions.search_narrator.app import handler as search_narrator
from tests.conftest import call, connected
from tests.integration.conftest import PeopleDatabase
from tests.made_up_people import MORE

from isnad_database.connect import administrator

Ids = dict[str, int]
UNKNOWN = 9_007_199_254_740_993


@pytest.fixture
def ids(people_database: PeopleDatabase) -> Iterator[Ids]:
    with connected(people_database.database.reader):
        yield people_database.ids.narrators


def result(handler: Callable[..., dict[str, Any]], **arguments: Any) -> dict[str, Any]:
    answer = call(handler, arguments)
    assert answer["error"] is None, answer["error"]
    found: dict[str, Any] = answer["result"]
    return found


def found(ids: Ids, query: str, **arguments: Any) -> list[tuple[str, str]]:
    """Who is found, and in which tier."""
    keys = {number: key for key, number in ids.items()}
    hits = result(search_narrator, query=query, **arguments)["results"]
    return [(keys[hit["narrator_id"]], hit["match_tier"]) for hit in hits]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("سفيان", {"thawri", "uyayna"}), ("حماد", {"zayd", "salama"}), ("Soufyân", {"thawri", "uyayna"}),
        ("Hammad", {"zayd", "salama"}),
    ],
)  # fmt: skip
def test_a_shared_name_gives_its_bearers(ids: Ids, query: str, expected: set[str]) -> None:
    """R1: several candidates, ranked, none chosen; form and death year tell them apart."""
    answer = result(search_narrator, query=query)
    names = {number: key for key, number in ids.items()}
    assert {names[hit["narrator_id"]] for hit in answer["results"][:2]} == expected
    assert len({hit["death_year_ah"] for hit in answer["results"][:2]}) == 2
    scores = [hit["score"] for hit in answer["results"]]
    assert scores == sorted(scores, reverse=True)
    assert answer["evidence_status"] == "inference"
    for hit in answer["results"]:
        assert hit["matched_form"] in hit["provenance"][0]["note"]
        assert (hit["provenance"][0]["object_id"], hit["provenance"][0]["source_key"]) == (
            hit["narrator_id"], names[hit["narrator_id"]],
        )  # fmt: skip


@pytest.mark.parametrize("form", ["ابن عمر", "أبيه"])
def test_a_form_that_many_bear_identifies_nobody(ids: Ids, form: str) -> None:
    """R2."""
    hits = found(ids, form)
    assert len([hit for hit in hits if hit[1] == "exact"]) >= 2


@pytest.mark.parametrize("query", ["Ḥammād b. Zayd", "Hammad ibn Zayd", "Hammad bin Zayd", "Hammâd ben Zeyd"])
def test_spellings_of_one_name(ids: Ids, query: str) -> None:
    """R6."""
    assert found(ids, query)[0] == ("zayd", "exact")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("سُفْيَانُ بْنُ عُيَيْنَةَ", ("uyayna", "exact")),
        ("سفيان ابن عيينه", ("uyayna", "exact")),
        ("نافع مولى", ("nafi", "prefix")),
        ("بن زيد", ("zayd", "substring")),
        ("درهم حماد", ("zayd", "fulltext")),
        ("حماد درهم", ("zayd", "fulltext")),
        ("سفيان الثورى", ("thawri", "exact")),
        ("سفيان الثوزي", ("thawri", "fuzzy")),
        ("سفيان ثوري", ("thawri", "fuzzy")),  # without its article
        ("سفيان ين عيينة", ("uyayna", "fuzzy")),  # the particle has a slip
        ("عبدالله بن عمر", ("ibn-umar", "exact")),
        ("عبد اللخ بن عمر بن الخطاب", ("ibn-umar", "fuzzy")),
        ("Mohammed ibn Ziyad", ("grandfather", "fuzzy")),  # no Latin form is stored: by the sound of the Arabic one
        ("'Abd Allah ibn 'Umar", ("ibn-umar", "exact")),
    ],
)
def test_tiers(ids: Ids, query: str, expected: tuple[str, str]) -> None:
    assert found(ids, query)[0] == expected


def test_a_canonical_display_is_shown_with_its_status(ids: Ids) -> None:
    [hit] = result(search_narrator, query="سفيان بن عيينة", limit=1)["results"]
    assert hit["canonical_display"] == "Sufyān b. ʿUyayna"
    assert hit["provenance"][0]["note"] == "name form: سفيان بن عيينة; canonical display: REVIEWED"
    assert (hit["generation"], hit["death_year_ah"], hit["narrator_id"]) == ("8", 198, ids["uyayna"])


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, ["zayd", "salama"]), ({"grade_tier": "saduq"}, ["salama"]), ({"region": "البصرة"}, ["zayd", "salama"]),
        ({"region": "البصرة", "grade_tier": "thiqa", "generation": "8"}, ["zayd"]), ({"region": "مكة"}, []),
    ],
)  # fmt: skip
def test_filters(ids: Ids, filters: dict[str, str], expected: list[str]) -> None:
    assert sorted(key for key, _ in found(ids, "حماد", filters=filters)) == sorted(expected)


def test_an_unknown_filter_value_is_told_with_those_that_exist(ids: Ids) -> None:
    error = call(search_narrator, {"query": "حماد", "filters": {"grade_tier": "excellent"}})["error"]
    assert error == {
        "code": "INVALID_ARGUMENT", "message": "`grade_tier` must be one of: daif, saduq, sahabi, thiqa.",
    }  # fmt: skip


def test_finding_nothing_is_no_negation(ids: Ids) -> None:
    answer = result(search_narrator, query="Xqzwk")
    assert (answer["results"], answer["truncated"], answer["evidence_status"]) == ([], False, "insufficient_evidence")
    assert "does not show" in answer["capability_note"]
    assert answer["provenance"][0]["note"] == "searched"


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_truncated_says_whether_there_is_more(ids: Ids, limit: int) -> None:
    answer = result(search_narrator, query="حماد", limit=limit)
    assert answer["truncated"] == (len(found(ids, "حماد", limit=20)) > limit)


def test_the_profile_keeps_apart_what_differs(ids: Ids) -> None:
    """R4: two critics are two assertions with two sources."""
    answer = result(get_narrator_profile, narrator_id=ids["uyayna"])
    grades = [(each["value"], each["provenance"][0]["author"]) for each in answer["canonical_assertions"]]
    assert grades == [("ثقة", "Critic A"), ("صدوق", "Critic B")]
    assert all(each["provenance"][0]["locator"] == "vol. 1, p. 2" for each in answer["canonical_assertions"])
    assert {each["field"] for each in answer["legacy_scholarly_data"]} == {"grade", "death"}
    assert [(each["resolution_status"], each["evidence_status"]) for each in answer["source_entries"]] == [
        ("LINKED", "fact"), ("AMBIGUOUS", "insufficient_evidence"),
    ]  # fmt: skip
    assert answer["identity"]["variants"] == [
        {"form": "سفيان بن عيينة", "distinctive": True}, {"form": "ابن عيينة", "distinctive": True},
        {"form": "سفيان", "distinctive": False},
    ]  # fmt: skip
    assert answer["evidence_status"] == "fact"
    assert "withheld: 2" in answer["capability_note"]


def test_a_namesake_in_the_family_is_another_man(ids: Ids) -> None:
    """R3: no grade, date or notice of the grandfather on the grandson."""
    values = {
        key: [each["value"] for each in result(get_narrator_profile, narrator_id=ids[key])["legacy_scholarly_data"]]
        for key in ("grandfather", "grandson")
    }
    assert values == {"grandfather": ["صدوق"], "grandson": ["ضعيف"]}


def test_a_narrator_of_whom_nothing_is_said(ids: Ids) -> None:
    answer = result(get_narrator_profile, narrator_id=ids["nobody"])
    assert answer["identity"] == {"name_ar": None, "name_fr": None, "canonical_display": None, "variants": []}
    assert answer["evidence_status"] == "insufficient_evidence"
    assert "No notice" in answer["capability_note"]


@pytest.mark.parametrize("limit", [1, 7, 10, 50])
def test_pages_partition_the_whole(ids: Ids, people_database: PeopleDatabase, limit: int) -> None:
    pages, items = 1, []
    while (page := result(get_narrator_hadiths, narrator_id=ids["nafi"], page=pages, limit=limit))["items"]:
        items += page["items"]
        assert page["truncated"] == (len(items) < page["occurrence_count"])
        pages += 1
    assert (page["truncated"], page["evidence_status"]) == (False, "insufficient_evidence")
    assert page["capability_note"] == f"This page lies past the end: there are {len(items)} confirmed occurrences."
    with administrator(people_database.database.administrator) as connection:
        expected = connection.run(
            "select n.node_id from isnad.chain_nodes as n inner join isnad.chains as c using (chain_id)"
            " where n.narrator_id = :id and n.resolution_status = 'confirmed'"
            " order by c.hadith_id, c.chain_number, n.position, n.node_id",
            id=ids["nafi"],
        )
    assert [[item["node_id"]] for item in items] == expected
    assert page["occurrence_count"] == len(items) == MORE + 5
    assert page["distinct_hadith_count"] == len({item["hadith_id"] for item in items}) == MORE + 4


def test_only_confirmed_nodes_count(ids: Ids) -> None:
    answer = result(get_narrator_hadiths, narrator_id=ids["ibn-umar"])
    assert (answer["occurrence_count"], len(answer["items"])) == (2, 2)
    for item in answer["items"]:
        node, hadith = item["provenance"]
        assert (node["object_type"], node["object_id"], node["note"]) == ("chain_node", item["node_id"], "made up")
        assert hadith["citation"] == item["canonical_reference"]
        assert item["relation_type"] == "chain_occurrence"


def test_a_narrator_in_no_chain(ids: Ids) -> None:
    answer = result(get_narrator_hadiths, narrator_id=ids["thawri"])
    assert (answer["items"], answer["occurrence_count"], answer["distinct_hadith_count"]) == ([], 0, 0)
    assert answer["evidence_status"] == "insufficient_evidence"
    assert "does not show" in answer["capability_note"]


RELATIONS = [
    # a, b, what is told of each relation: teacher, recorded status, relation status, evidence; then the top status
    ("nafi", "zayd", [("nafi", "attested", "attested", "fact"), ("zayd", "ambiguous", "possible", "inference")],
     "fact"),
    ("nafi", "salama", [("nafi", "attested", "possible", "inference")], "insufficient_evidence"),
    ("nafi", "ibn-umar", [("ibn-umar", "probable", "possible", "inference")], "insufficient_evidence"),
    ("ubayd-allah", "ibn-umar", [("ibn-umar", "unresolved", "not_established", "insufficient_evidence")],
     "insufficient_evidence"),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b", "expected", "top"), RELATIONS)
@pytest.mark.parametrize("turned", [False, True])
def test_relations(ids: Ids, a: str, b: str, expected: list[tuple[str, ...]], top: str, turned: bool) -> None:
    """E4, in both directions."""
    first, second = (b, a) if turned else (a, b)
    answer = result(get_transmission_relation, narrator_a_id=ids[first], narrator_b_id=ids[second])
    told = [
        (each["teacher_id"], each["recorded_status"], each["relation_status"], each["evidence_status"])
        for each in answer["relations"]
    ]
    assert told == [(ids[teacher], *rest) for teacher, *rest in expected]
    assert answer["evidence_status"] == top
    assert answer["chain_observations"] == []


def test_attested_without_a_source_is_possible_and_logged(
    ids: Ids, log_lines: Callable[[], list[dict[str, Any]]]
) -> None:
    answer = result(get_transmission_relation, narrator_a_id=ids["nafi"], narrator_b_id=ids["salama"])
    [entry] = answer["relations"][0]["provenance"]
    assert (entry["source_id"], entry["source_title"]) == (None, None)
    assert "without a source" in answer["capability_note"]
    [line] = [line for line in log_lines() if line["message"] == "relation recorded as attested has no source"]
    assert line["relation"] == {"relation_id": entry["object_id"]}


def test_nothing_recorded_names_what_was_searched(ids: Ids) -> None:
    answer = result(get_transmission_relation, narrator_a_id=ids["thawri"], narrator_b_id=ids["uyayna"])
    assert (answer["relations"], answer["evidence_status"]) == ([], "insufficient_evidence")
    assert answer["capability_note"] == (
        "Nothing is recorded between the two in what was searched (Made-up people), "
        "which does not show that they never met."
    )
    assert [entry["note"] for entry in answer["provenance"]] == ["recorded relations searched"]


def test_who_stands_side_by_side_is_observed_and_no_more(ids: Ids) -> None:
    """C9: adjacency in a text is a fact; that one heard the other is not."""
    answer = result(
        get_transmission_relation, narrator_a_id=ids["nafi"], narrator_b_id=ids["zayd"],
        include_chain_observations=True, limit=5,
    )  # fmt: skip
    assert len(answer["chain_observations"]) == 5
    assert answer["truncated"] is True
    for each in answer["chain_observations"]:
        assert each["evidence_status"] == "fact"
        kinds = [entry["object_type"] for entry in each["provenance"]]
        assert kinds == ["chain_node", "chain_node", "hadith"]
    assert "no relation of teacher and student" in answer["capability_note"]


@pytest.mark.parametrize(
    ("a", "b", "why"),
    [
        ("zayd", "ibn-umar", "C8: only joined through somebody else"),
        ("salama", "nafi", "words between them are not understood"),
        ("nafi", "thawri", "the node beside is ambiguous"),
    ],
)
def test_what_is_no_observation(ids: Ids, a: str, b: str, why: str) -> None:
    answer = result(
        get_transmission_relation, narrator_a_id=ids[a], narrator_b_id=ids[b], include_chain_observations=True
    )
    assert answer["chain_observations"] == [], why


def test_a_probable_node_is_no_observation(ids: Ids) -> None:
    answer = result(
        get_transmission_relation, narrator_a_id=ids["nafi"], narrator_b_id=ids["ibn-umar"],
        include_chain_observations=True,
    )  # fmt: skip
    assert len(answer["chain_observations"]) == 1  # the first chain, not the second


@pytest.mark.parametrize(
    ("handler", "arguments", "code", "named"),
    [
        (get_narrator_profile, {"narrator_id": UNKNOWN}, "NOT_FOUND", "narrator_id"),
        (get_narrator_hadiths, {"narrator_id": UNKNOWN}, "NOT_FOUND", "narrator_id"),
        (get_transmission_relation, {"narrator_a_id": UNKNOWN, "narrator_b_id": 1}, "NOT_FOUND", "narrator_a_id"),
        (get_transmission_relation, {"narrator_a_id": 1, "narrator_b_id": UNKNOWN}, "NOT_FOUND", "narrator_b_id"),
        (get_transmission_relation, {"narrator_a_id": 1, "narrator_b_id": 1}, "INVALID_ARGUMENT", "narrator_b_id"),
        (get_narrator_hadiths, {"narrator_id": 1, "page": 2001, "limit": 50}, "LIMIT_EXCEEDED", "page"),
        (get_narrator_hadiths, {"narrator_id": 1, "page": 0}, "INVALID_ARGUMENT", "page"),
        (get_narrator_hadiths, {"narrator_id": 1, "limit": 51}, "LIMIT_EXCEEDED", "limit"),
        (get_narrator_profile, {"narrator_id": 1, "entry_limit": 21}, "LIMIT_EXCEEDED", "entry_limit"),
        (search_narrator, {"query": "حماد", "limit": 500}, "LIMIT_EXCEEDED", "limit"),
        (search_narrator, {"query": "حماد", "limit": 0}, "INVALID_ARGUMENT", "limit"),
        (search_narrator, {"query": "ح"}, "INVALID_ARGUMENT", "query"),
        (search_narrator, {"query": "حماد", "filters": {"city": "مكة"}}, "INVALID_ARGUMENT", "city"),
        (search_narrator, {"query": "حماد", "filters": {"region": "م\0كة"}}, "INVALID_ARGUMENT", "region"),
        (
            search_narrator,
            {"query": "حماد", "filters": {"generation": "1", "region": "x"}},
            "INVALID_ARGUMENT",
            "region",
        ),
        (get_narrator_profile, {"narrator_id": "Sufyan, سفيان"}, "INVALID_ARGUMENT", "search_narrator"),
    ],
)
def test_what_is_refused(
    ids: Ids,
    handler: Callable[..., dict[str, Any]],
    arguments: dict[str, Any],
    code: str,
    named: str,
) -> None:
    error = call(handler, arguments)["error"]
    assert error["code"] == code
    assert named in error["message"]


@pytest.mark.parametrize(
    "query", ['"حماد', "a-b", "col:val", "NEAR(", "'; drop table x;--", "%%", "\\\\ab", "«حماد»", "!&|", "a'b&c"]
)
def test_search_syntax_is_text(ids: Ids, query: str) -> None:
    answer = call(search_narrator, {"query": query})
    assert answer["status"] in (200, 400)
