"""Written turns: read from a file, called against a real database, recorded as `record_turn` records them.

docs/coherence.md describes the files.
"""

import functools
import importlib
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.conftest import call as call_tool

from isnad_gateway.domain.fold import fold, without_marks
from isnad_gateway.domain.turn_record import TurnReport, make_record
from isnad_gateway.domain.turns import answer_of, digest

FOLDER = Path(__file__).parent
FIRST, SECOND, THIRD = FOLDER / "first.json", FOLDER / "second.json", FOLDER / "third.json"
FOURTH, FIFTH, SIXTH = FOLDER / "fourth.json", FOLDER / "fifth.json", FOLDER / "sixth.json"
KINDS = (
    "cited_work", "cited_author", "reference", "quotation", "verdict", "negation", "inference_as_fact",
    "possible_as_attested", "ambiguous_as_certain", "occurrence_as_teaching", "score_as_proof", "number", "date",
    "narrator", "translation", "result_differs",
)  # fmt: skip
"""The kinds of fault, in the order of docs/coherence.md."""

_PLACEHOLDER = re.compile(r"\{([a-z0-9_-]+)((?:\.[a-z0-9_]+)*)((?:\|[^{}|]+)*)\}")


class TurnFileError(Exception):
    """A file of turns is not as it should be; the message names the turn or the call."""


@dataclass(frozen=True)
class Judged:
    """A written turn and what the check said of it."""

    id: str
    kind: str | None
    spoken: str
    reasons: list[str]

    @property
    def is_suspect(self) -> bool:
        """Whether any reason was given."""
        return bool(self.reasons)

    @property
    def kinds(self) -> set[str]:
        """The kinds of the reasons."""
        return {
            "result_differs" if reason.startswith("tool_results[") else reason.split(":")[0] for reason in self.reasons
        }

    @property
    def is_right(self) -> bool:
        """Whether a fault was caught, or an honest turn passed."""
        return self.is_suspect == (self.kind is not None)


class Calls:
    """The named calls of a file, each made once, with the results that the functions gave."""

    def __init__(self, named: dict[str, list[Any]], data: dict[str, str]) -> None:
        self._named = named
        self._data = data
        self._results: dict[str, dict[str, Any]] = {}

    def tool(self, name: str) -> str:
        """The tool of a call."""
        tool: str = self._named[name][0]
        return tool

    def result(self, name: str) -> dict[str, Any]:
        """The result of a call."""
        if name not in self._named:
            raise TurnFileError(f"no call {name}")
        if name not in self._results:
            tool, arguments, *where = self._named[name]
            given = {key: self.filled(value) for key, value in arguments.items()}
            with _connected(self._data[where[0] if where else "sandbox"]):
                answer = call_tool(importlib.import_module(f"functions.{tool}.app").handler, given)
            if answer["error"] is not None:
                raise TurnFileError(f"call {name}: {answer['error']}")
            self._results[name] = answer["result"]
        return self._results[name]

    def arguments(self, name: str) -> dict[str, Any]:
        """The arguments of a call."""
        return {key: self.filled(value) for key, value in self._named[name][1].items()}

    def filled(self, value: Any) -> Any:
        """A text with its placeholders filled in; one that is a placeholder alone is the value itself."""
        if not isinstance(value, str):
            return value
        whole = _PLACEHOLDER.fullmatch(value)
        if whole:
            return self._value(whole)
        return _PLACEHOLDER.sub(lambda match: str(self._value(match)), value)

    def _value(self, match: re.Match[str]) -> Any:
        value: Any = self.result(match[1])
        for step in match[2].split(".")[1:]:
            value = value[int(step)] if isinstance(value, list) else value[step]
        for change in match[3].split("|")[1:]:
            value = _changed(value, change, match[0])
        return value


def _changed(value: Any, change: str, where: str) -> Any:
    """A value after one change: `bare`, `words:3-9`, `from:word:7`."""
    name, *arguments = change.split(":")
    words = str(value).split()
    if name == "bare":
        return without_marks(str(value))
    if name == "words":
        first, last = map(int, arguments[0].split("-"))
        return " ".join(words[first - 1 : last])
    if name == "from":
        sought = fold(arguments[0])
        place = next((place for place, word in enumerate(words) if fold(word).strip('"،.:') == sought), None)
        if place is None:
            raise TurnFileError(f"{where}: no word {arguments[0]}")
        return " ".join(words[place : place + int(arguments[1])]).strip('"،.: ')
    raise TurnFileError(f"{where}: no change {name}")


@functools.cache
def _connector() -> Any:
    from tests.conftest import connected  # noqa: PLC0415

    return connected


@contextmanager
def _connected(dsn: str) -> Iterator[None]:
    with _connector()(dsn):
        yield


def read(path: Path) -> dict[str, Any]:
    """A file of turns."""
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def judged(path: Path, data: dict[str, str]) -> list[Judged]:
    """Judge the turns of a file.

    Args:
        path: the file.
        data: the connection string of each database that calls are made against: `sandbox`, `people`.
    """
    content = read(path)
    calls = Calls(content["calls"], data)
    return [_judged(turn, calls) for turn in content["turns"]]


def _judged(turn: dict[str, Any], calls: Calls) -> Judged:
    try:
        names = turn.get("calls", [])
        results = [calls.result(name) for name in names]
        spoken = calls.filled(turn["spoken"])
        reported = [_tampered(result, turn.get("tamper"), calls) for result in results]
        report = TurnReport.model_validate_json(json.dumps({
            "conversation_id": "c1", "session_id": "s1", "turn_id": 1, "language": turn.get("language", "fr"),
            "user_transcript": calls.filled(turn.get("asked", "")), "resolved_context": {},
            "tool_calls": [
                {"call_id": name, "tool_name": calls.tool(name), "arguments": calls.arguments(name)} for name in names
            ],
            "tool_results": [{"call_id": name, "result": result} for name, result in zip(names, reported, strict=True)],
            "spoken_answer": spoken,
        }))  # fmt: skip
    except (TurnFileError, KeyError, IndexError, TypeError, ValueError) as error:
        raise TurnFileError(f"turn {turn.get('id')}: {error!r}") from error
    answers = [
        answer_of(str(digest(result)), calls.tool(name), name) for name, result in zip(names, results, strict=True)
    ]
    record = make_record(report, answers, recorded_at="2026-01-01T00:00:00.000+00:00", keep_transcripts=True)
    return Judged(turn["id"], turn["kind"], spoken, record["coherence_reasons"])


def _tampered(result: dict[str, Any], tamper: dict[str, Any] | None, calls: Calls) -> dict[str, Any]:
    """A result as the turn reports it: with the values under some paths changed, where the fault is that."""
    copy: dict[str, Any] = json.loads(json.dumps(result))
    for path, value in (tamper or {}).items():
        *steps, last = path.split(".")
        item: Any = copy
        for step in steps:
            item = item[int(step)] if isinstance(item, list) else item[step]
        if isinstance(item, list):
            item[int(last)] = calls.filled(value)
        elif last in item:
            item[last] = calls.filled(value)
    return copy
