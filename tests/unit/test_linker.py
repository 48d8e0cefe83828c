"""Links from chain nodes to narrators, on a small made-up world: what is enough for which status, and what never is."""

import pytest

from isnad_database.linker import KnownNarrator, Linker, Transmission

# A made-up school: Salim teaches Zayd and Bakr; two men are called Bakr; Zayd's father is Umar b. Ali.
SALIM, ZAYD, BAKR, OTHER_BAKR, UMAR, HARITH, QASIM = range(1, 8)
NARRATORS = [
    KnownNarrator(SALIM, "سالم بن نوفل الكوفي", ("سالم بن نوفل", "أبو نوفل"), 4),
    KnownNarrator(ZAYD, "زيد بن عمر بن علي", ("زيد بن عمر", "زيد"), 6),
    KnownNarrator(BAKR, "بكر بن خلف", ("بكر",), 6),
    KnownNarrator(OTHER_BAKR, "بكر بن يونس", ("بكر",), 6),
    KnownNarrator(UMAR, "عمر بن علي بن زيد", ("عمر بن علي",), 5),
    KnownNarrator(HARITH, "الحارث بن سعد", ("الحارث بن سعد", "أبيه"), 2),
    KnownNarrator(QASIM, "القاسم بن الحارث بن سعد", ("القاسم", "أبيه"), 4),
]
PAIRS = [
    Transmission(SALIM, ZAYD),
    Transmission(SALIM, BAKR),
    Transmission(HARITH, SALIM),
    Transmission(UMAR, OTHER_BAKR),
    Transmission(HARITH, UMAR),
    Transmission(HARITH, QASIM),
]
LINKER = Linker(NARRATORS, PAIRS)


def _said(*forms: str, linker: Linker = LINKER) -> list[tuple[str, int | None]]:
    return [(link.status, link.narrator_id) for link in linker.link(forms)]


def test_unique_form_and_an_agreeing_neighbour_confirm() -> None:
    assert _said("زيد بن عمر", "سالم بن نوفل") == [("confirmed", ZAYD), ("confirmed", SALIM)]
    assert [link.rule for link in LINKER.link(["زيد بن عمر", "سالم بن نوفل"])] == [
        "name form names one person; recorded with the narrator after",
        "name form names one person; recorded with the narrator before",
    ]


def test_recorded_neighbours_on_both_sides_leave_one_bearer() -> None:
    linker = Linker(NARRATORS, [*PAIRS, Transmission(BAKR, QASIM)])
    links = linker.link(["القاسم", "بكر", "سالم بن نوفل"])
    assert (links[1].status, links[1].narrator_id, links[1].candidate_count) == ("confirmed", BAKR, 2)
    assert links[1].rule == "recorded neighbours on both sides leave one bearer of 2"


def test_one_recorded_neighbour_leaves_one_bearer_at_best_probable() -> None:
    assert _said("بكر", "سالم بن نوفل")[0] == ("probable", BAKR)
    assert _said("بكر", "عمر بن علي")[0] == ("probable", OTHER_BAKR)


def test_a_unique_form_alone_is_no_more_than_probable() -> None:
    # The world is never closed: the form may belong to somebody who is not loaded.
    assert _said("سالم بن نوفل") == [("probable", SALIM)]
    assert _said("رجل لا يعرف", "سالم بن نوفل", "فلان")[1] == ("probable", SALIM)


def test_a_neighbour_who_is_not_recorded_speaks_against_a_unique_form() -> None:
    # Both are listed with teachers and students, and not with each other: the form belongs to somebody else.
    said = _said("زيد", "الحارث بن سعد", "سالم بن نوفل")
    assert "confirmed" not in {status for status, _ in said}


def test_silence_about_a_narrator_without_lists_contradicts_nothing() -> None:
    linker = Linker([*NARRATORS, KnownNarrator(9, "مالك بن زهير", ("مالك بن زهير",), 5)], PAIRS)
    assert _said("زيد بن عمر", "مالك بن زهير", linker=linker) == [("probable", ZAYD), ("probable", 9)]


def test_a_pair_on_which_the_lists_disagree_confirms_nothing() -> None:
    linker = Linker(NARRATORS, [Transmission(SALIM, ZAYD, certain=False)])
    assert _said("زيد بن عمر", "سالم بن نوفل", linker=linker) == [("probable", ZAYD), ("probable", SALIM)]


def test_generations_too_far_apart_leave_no_bearer() -> None:
    early, late = KnownNarrator(1, "حمزة بن سيف", ("حمزة",), 2), KnownNarrator(2, "حمزة بن ليث", ("حمزة",), 9)
    linker = Linker([early, late, KnownNarrator(3, "ربيع بن فهد", ("ربيع بن فهد",), 10)], [])
    assert _said("ربيع بن فهد", "حمزة", linker=linker) == [("probable", 3), ("probable", 2)]


@pytest.mark.parametrize("form", ["بكر", "بَكْرٍ", "بكرًا"])
def test_r2_a_form_that_several_bear_is_ambiguous(form: str) -> None:
    link = LINKER.link([form])[0]
    assert (link.status, link.narrator_id, link.candidate_count) == ("ambiguous", None, 2)
    assert set(link.candidate_ids) == {BAKR, OTHER_BAKR}


def test_r2_a_number_of_candidates_is_no_identification() -> None:
    link = LINKER.link(["أبيه"])[0]
    assert (link.status, link.narrator_id, link.candidate_count) == ("ambiguous", None, 2)


def test_a_form_that_nobody_bears_is_unresolved() -> None:
    link = LINKER.link(["ثعلبة بن وائل"])[0]
    assert (link.status, link.narrator_id, link.candidate_count) == ("unresolved", None, 0)
    assert link.rule == "no loaded narrator bears this form"


def test_a_form_that_a_name_only_implies_needs_a_neighbour() -> None:
    # Nobody is recorded as "القاسم بن الحارث"; his name implies it.
    assert _said("القاسم بن الحارث") == [("unresolved", None)]
    assert _said("القاسم بن الحارث", "الحارث بن سعد")[0] == ("confirmed", QASIM)


def test_c5_a_father_is_at_best_probable_and_says_by_what_rule() -> None:
    linker = Linker(NARRATORS, [*PAIRS, Transmission(UMAR, ZAYD)])
    links = linker.link(["زيد بن عمر", "أبيه", "الحارث بن سعد"])
    assert (links[1].status, links[1].narrator_id) == ("probable", UMAR)
    assert links[1].rule == "father of the narrator before, by their names and a recorded transmission"


def test_c5_no_father_where_the_son_is_not_known() -> None:
    assert _said("ثعلبة بن وائل", "أبيه")[1] == ("ambiguous", None)
    assert _said("بكر", "أبيه")[1] == ("ambiguous", None)


def test_c5_a_grandfather_is_at_best_probable_and_whose_he_is_stays_open() -> None:
    world = [
        KnownNarrator(1, "عمرو بن شعيب بن محمد بن عبد الله", ("عمرو بن شعيب",), 5),
        KnownNarrator(2, "شعيب بن محمد بن عبد الله", ("شعيب بن محمد",), 3),
        KnownNarrator(3, "محمد بن عبد الله بن عمرو", ("محمد بن عبد الله بن عمرو",), 3),
    ]
    pairs = [Transmission(2, 1), Transmission(3, 2)]
    chain = ("عمرو بن شعيب", "أبيه", "جده")
    assert _said(*chain, linker=Linker(world, pairs)) == [("confirmed", 1), ("probable", 2), ("probable", 3)]
    # His grandfather or his father's: with both loaded, the words do not say which.
    both = Linker([*world, KnownNarrator(4, "عبد الله بن عمرو بن العاص", ("عبد الله بن عمرو",), 1)], pairs)
    assert _said(*chain, linker=both)[2] == ("ambiguous", None)


def test_r3_a_man_is_not_taken_for_the_grandfather_of_his_name() -> None:
    world = [
        KnownNarrator(1, "قتادة بن دعامة بن قتادة", ("قتادة بن دعامة",), 4),
        KnownNarrator(2, "قتادة بن عزيز", ("قتادة بن عزيز",), 2),
        KnownNarrator(3, "شيبان بن مطر", ("شيبان بن مطر",), 6),
    ]
    linker = Linker(world, [Transmission(1, 3)])
    assert _said("شيبان بن مطر", "قتادة بن دعامة", linker=linker)[1] == ("confirmed", 1)
    assert _said("قتادة بن عزيز", linker=linker) == [("probable", 2)]
    assert linker.bearers("قتادة بن دعامة") == {1}
    assert _said("قتادة", linker=linker) == [("ambiguous", None)]


def test_r5_a_pair_with_somebody_not_loaded_says_nothing() -> None:
    linker = Linker(NARRATORS[:2], [Transmission(99, ZAYD), Transmission(SALIM, 99)])
    assert _said("زيد بن عمر", "سالم بن نوفل", linker=linker) == [("probable", ZAYD), ("probable", SALIM)]


def test_c8_two_who_are_joined_only_through_another_confirm_nothing() -> None:
    # Harith taught Salim and Salim taught Zayd; Zayd next to Harith is neither recorded nor made a relation.
    links = LINKER.link(["زيد بن عمر", "الحارث بن سعد"])
    assert all(link.status != "confirmed" for link in links)


def test_c3_narrators_side_by_side_are_linked_each_with_the_neighbours_and_not_with_each_other() -> None:
    links = LINKER.link_groups([["زيد بن عمر", "بكر"], ["سالم بن نوفل"]])
    assert [[(link.status, link.narrator_id) for link in group] for group in links] == [
        [("confirmed", ZAYD), ("probable", BAKR)],
        [("confirmed", SALIM)],
    ]


def test_an_aside_that_says_who_is_meant_is_used_where_somebody_bears_it() -> None:
    assert LINKER.borne("زيد، يعني ابن عمر", "زيد") == "زيد، يعني ابن عمر"
    assert LINKER.borne("زيد، وهو شيخ صالح", "زيد") == "زيد"


def test_the_same_chain_gives_the_same_links_whatever_the_order_of_the_data() -> None:
    turned = Linker(reversed(NARRATORS), reversed(PAIRS))
    for chain in (["بكر", "سالم بن نوفل", "الحارث بن سعد"], ["زيد", "أبيه"], []):
        assert turned.link(chain) == LINKER.link(chain)
