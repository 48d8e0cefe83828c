"""The budget of a turn, with the real handlers' code and a fake read: slots, progress, what is given back."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier
from typing import Any

import pytest
from tests.ledger import Turn, conversation, set_ledger

from isnad_gateway.core.errors import GatewayError, InternalError, InvalidArgument, NotFound, Unavailable
from isnad_gateway.core.ledger_settings import ledger_settings
from isnad_gateway.data import ledger as ledger_module
from isnad_gateway.data.ledger import NoSlot, TurnState
from isnad_gateway.data.table import LedgerDown, Place
from isnad_gateway.domain.provenance import UNKNOWN
from isnad_gateway.domain.tools import search_hadith, search_narrator
from isnad_gateway.http import handler as handler_module
from isnad_gateway.http.handler import Handler, tool_handler

pytestmark = pytest.mark.usefixtures("ledger")
Lines = Callable[[], list[dict[str, Any]]]

SPENT = (
    "answer from what the tools have already returned, and say what is missing; a spent budget does not mean that no "
    "source exists."
)
RESEARCH_SPENT = f"The research budget of this turn is spent (8 calls): {SPENT}"
NO_PROGRESS = f"The research budget of this turn is spent (2 calls in a row brought nothing new): {SPENT}"
ALL_SPENT = f"The budget of this turn is spent (20 calls): {SPENT}"


@pytest.fixture(autouse=True)
def without_database(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def reading() -> Iterator[None]:
        yield None

    monkeypatch.setattr(handler_module, "reading", reading)


def _answer(arguments: search_hadith.Arguments, _read: Any) -> search_hadith.Result:
    """A hit for each query, none for `empty …`, an error for `error …`."""
    kind = arguments.query.split()[0]
    if kind in ERRORS:
        raise ERRORS[kind]
    hit = search_hadith.Hit(
        hadith_id=1,
        canonical_reference=arguments.query,
        numbering_scheme="running",
        text_ar=None,
        text_fr=None,
        match_method="exact",
        score=0.5,
        evidence_status="inference",
        provenance=[{**UNKNOWN, "object_id": 1, "object_type": "hadith"}],
    )
    hits = [] if kind == "empty" else [hit]
    return search_hadith.Result(
        results=hits,
        truncated=False,
        evidence_status="inference" if hits else "insufficient_evidence",
        provenance=[{**UNKNOWN, "object_id": "1", "object_type": "dataset"}],
        capability_note=None if hits else "Nothing was found.",
    )


ERRORS: dict[str, GatewayError] = {
    "down": Unavailable("Down."),
    "broken": InternalError(),
    "missing": NotFound("No such thing."),
    "wrong": InvalidArgument("`query` is wrong."),
}


def _narrators(_arguments: search_narrator.Arguments, _read: Any) -> search_narrator.Result:
    return search_narrator.Result(
        results=[],
        truncated=False,
        evidence_status="insufficient_evidence",
        provenance=[{**UNKNOWN, "object_id": "1", "object_type": "dataset"}],
        capability_note="Nothing was found.",
    )


@pytest.fixture
def search() -> Handler:
    return tool_handler(search_hadith.TOOL, _answer)


@pytest.fixture
def narrator() -> Handler:
    return tool_handler(search_narrator.TOOL, _narrators)


# Words of the queries of one turn, and what each is answered: 200, an error's status, or the message of a spent budget.
TURNS: dict[str, tuple[list[str], list[int | str]]] = {
    "eight different": ([f"word {n}" for n in range(10)], [200] * 8 + [RESEARCH_SPENT] * 2),
    "two empty in a row": (["empty 1", "empty 2", "word 3"], [200, 200, NO_PROGRESS]),
    "empty ones apart": (["empty 1", "word 2", "empty 3", "word 4", "word 5"], [200] * 5),
    "the same again": (["word 1", "word 1", "word 1", "word 1"], [200, 200, 200, NO_PROGRESS]),
    "an error is no progress": (["missing 1", "wrong 2", "word 3"], [404, 400, NO_PROGRESS]),
    "down gives the slot back": ([*["down 1"] * 9, "word 2"], [*[503] * 9, 200]),
    "a fault gives the slot back": ([*["broken 1"] * 9, "word 2"], [*[500] * 9, 200]),
    "down breaks no row": (["empty 1", "down 2", "empty 3", "word 4"], [200, 503, 200, NO_PROGRESS]),
    "a refused call takes no slot": ([*["x"] * 9, *[f"word {n}" for n in range(8)]], [*[400] * 9, *[200] * 8]),
}


@pytest.mark.parametrize(("queries", "answers"), TURNS.values(), ids=TURNS)
def test_turns(queries: list[str], answers: list[int | str], search: Handler) -> None:
    turn, answered = Turn(), []
    for query in queries:
        reply = turn.call(search, {"query": query})
        is_spent = reply["status"] == 429
        if is_spent:
            assert reply["error"]["code"] == "LIMIT_EXCEEDED"
        answered.append(reply["error"]["message"] if is_spent else reply["status"])
    assert answered == answers


def test_the_same_call_gives_the_same_answer(search: Handler) -> None:
    turn = Turn()
    first, second = (turn.call(search, {"query": "word 1"}) for _ in range(2))
    assert first == second


def test_twenty_calls_in_all(search: Handler, narrator: Handler) -> None:
    """A narrator's search takes no research slot, is no progress and breaks no row; twenty calls end the turn."""
    turn = Turn()
    assert turn.call(search, {"query": "empty 1"})["status"] == 200
    for _ in range(11):
        assert turn.call(narrator, {"query": "Sufyan"})["status"] == 200
    for number in range(2, 9):
        assert turn.call(search, {"query": f"word {number}"})["status"] == 200
    assert turn.call(search, {"query": "word 9"})["error"]["message"] == RESEARCH_SPENT
    assert turn.call(narrator, {"query": "Sufyan"})["status"] == 200
    for handler in (narrator, search):
        reply = turn.call(handler, {"query": "Sufyan"})
        assert (reply["status"], reply["error"]["message"]) == (429, ALL_SPENT)


def test_narrators_go_on_when_research_has_ended(search: Handler, narrator: Handler) -> None:
    turn = Turn()
    for number in range(2):
        turn.call(search, {"query": f"empty {number}"})
    assert turn.call(search, {"query": "word 3"})["status"] == 429
    assert turn.call(narrator, {"query": "Sufyan"})["status"] == 200


def test_fifty_at_once_get_eight_answers(search: Handler, log_lines: Lines) -> None:
    """Slots are taken before any read, one after the other, however many ask at once."""
    turn, together = Turn(), Barrier(50)

    def ask(number: int) -> dict[str, Any]:
        together.wait(timeout=60)
        return turn.call(search, {"query": f"word {number}"})

    with ThreadPoolExecutor(50) as threads:
        replies = list(threads.map(ask, range(50)))
    assert sorted(reply["status"] for reply in replies) == [200] * 8 + [429] * 42
    assert {reply["error"]["message"] for reply in replies if reply["error"]} == {RESEARCH_SPENT}
    assert len({reply["result"]["results"][0]["canonical_reference"] for reply in replies if reply["result"]}) == 8
    assert {line["level"] for line in log_lines()} == {"INFO"}  # a spent budget is an expected stop


def test_a_refused_slot_reads_nothing(search: Handler, monkeypatch: pytest.MonkeyPatch) -> None:
    turn = Turn()
    for number in range(8):
        turn.call(search, {"query": f"word {number}"})

    def reading() -> Any:
        raise AssertionError("a read after the budget was spent")

    monkeypatch.setattr(handler_module, "reading", reading)
    assert turn.call(search, {"query": "word 9"})["status"] == 429


def test_turns_conversations_and_callers_are_apart(search: Handler) -> None:
    """Nobody spends another's turn: the key holds the issuer and the subject, and letters cannot move between them."""
    turn = Turn()
    for number in range(9):
        turn.call(search, {"query": f"word {number}"})
    assert turn.call(search, {"query": "word"})["status"] == 429
    for other in (
        Turn(2, conversation_id=turn.conversation_id),
        Turn(1),
        Turn(1, conversation_id=turn.conversation_id, subject="user-2"),
        Turn(1, conversation_id=turn.conversation_id, subject=None),
        Turn(1, conversation_id=turn.conversation_id, subject='user-1","'),
        Turn(1, conversation_id=f'user-1","{turn.conversation_id}'[:128]),
        Turn(1, conversation_id=turn.conversation_id, subject="\U0001f600" * 700),
    ):
        assert other.call(search, {"query": "word"})["status"] == 200


def test_the_budget_is_a_setting(search: Handler, monkeypatch: pytest.MonkeyPatch) -> None:
    set_ledger(monkeypatch, ISNAD_RESEARCH_CALLS="2", ISNAD_ALL_CALLS="3", ISNAD_CALLS_WITHOUT_PROGRESS="1")
    turn = Turn()
    answers = [turn.call(search, {"query": f"word {number}"}) for number in range(3)]
    assert [answer["status"] for answer in answers] == [200, 200, 429]
    assert "(2 calls)" in answers[2]["error"]["message"]
    turn = Turn()
    assert turn.call(search, {"query": "empty"})["status"] == 200
    assert turn.call(search, {"query": "word"})["status"] == 429


def test_no_ledger_no_calls(search: Handler, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a table's name nothing is asked of AWS, and no budget holds."""
    set_ledger(monkeypatch, ISNAD_LEDGER_TABLE="")

    def asked(*_: Any, **__: Any) -> Any:
        raise AssertionError("the ledger was asked")

    for name in ("take_slot", "put_call", "note_progress", "note_no_progress"):
        monkeypatch.setattr(ledger_module, name, asked)
    turn = Turn()
    for _ in range(9):
        assert turn.call(search, {"query": "word"})["status"] == 200


@pytest.mark.usefixtures("ledger_down")
def test_a_ledger_that_is_down_fails_no_read(
    search: Handler, log_lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = Turn()
    assert turn.call(search, {"query": "word"}, call_id="k1")["status"] == 200
    gap, journal = log_lines()
    assert (gap["level"], gap["message"]) == ("ERROR", "the turn ledger misses an entry")
    assert gap["gap"] == {
        "missing": "slot", "error": "EndpointConnectionError", "conversation_id": turn.conversation_id, "turn_id": 1,
        "call_id": "k1", "tool_name": "search_hadith",
    }  # fmt: skip
    assert journal["call"]["error"] is None
    set_ledger(monkeypatch, ISNAD_LEDGER_STRICT="true")
    reply = turn.call(search, {"query": "word"})
    assert (reply["status"], reply["error"]) == (
        503, {"code": "UNAVAILABLE", "message": "The turn ledger cannot be reached; try again."},
    )  # fmt: skip


@pytest.mark.parametrize(("strict", "status"), [("false", 200), ("true", 503)])
def test_a_ledger_that_goes_down_meanwhile(
    strict: str, status: int, search: Handler, log_lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_ledger(monkeypatch, ISNAD_LEDGER_STRICT=strict)

    def down(*_: Any, **__: Any) -> None:
        raise LedgerDown("InternalServerError")

    monkeypatch.setattr(ledger_module, "put_call", down)
    reply = Turn().call(search, {"query": "word"})
    assert reply["status"] == status
    assert (reply["result"] is None) == (strict == "true")
    gap, journal = log_lines()
    assert (gap["gap"]["missing"], gap["gap"]["error"]) == ("entry", "InternalServerError")
    assert (journal["call"]["error"] is None) == (strict == "false")


def test_settings_that_are_no_numbers(search: Handler, monkeypatch: pytest.MonkeyPatch) -> None:
    """The handler never raises, whatever the environment says."""
    set_ledger(monkeypatch, ISNAD_RESEARCH_CALLS="many")
    assert Turn().call(search, {"query": "word"})["status"] == 500


def test_a_write_that_is_sent_again_counts_once() -> None:
    """A reply that is lost makes the client send the write again: no second slot, no second step, no progress lost."""
    settings = ledger_settings()
    assert settings is not None
    place = Place(conversation(), 1)
    for slot in ("a", "b"):
        for _ in range(2):
            ledger_module.take_slot(place, settings, slot, research=True)
    assert [ledger_module.note_progress(place, "a", "d1", "d1 t ") for _ in range(2)] == [True, True]
    assert ledger_module.note_progress(place, "b", "d1", "d1 t ") is False
    for _ in range(2):
        ledger_module.note_no_progress(place, "b", None)
    state = ledger_module.turn_state(place)
    assert state == TurnState(2, 2, 1, frozenset({"d1"}), frozenset({"d1 t "}))
    for _ in range(2):
        ledger_module.give_back(place, "b")
    for number in range(7):
        ledger_module.take_slot(place, settings, f"c{number}", research=True)
    ledger_module.take_slot(place, settings, "c6", research=True)  # the last one again, with nothing left
    with pytest.raises(NoSlot):
        ledger_module.take_slot(place, settings, "d", research=True)
