"""As much of CloudWatch Logs Insights as the template's saved queries use, so that their logic can be asked real lines.

Nested keys are read with dots; a null or a missing key is not present; an aggregate skips what is not present.
"""

import math
import re
from collections.abc import Callable
from typing import Any

Row = dict[str, Any]
_WORD = r"[\w.@]+"
_NUMBER = re.compile(r"-?\d+(\.\d+)?")


def _value(row: Row, text: str) -> Any:
    """A field, a number, a text, `least(a, b)` or a difference."""
    text = text.strip()
    if _NUMBER.fullmatch(text):
        return float(text)
    if text.startswith('"'):
        return text.strip('"')
    least = re.fullmatch(rf"least\(({_WORD}), ({_WORD})\)", text)
    if least:
        return min(_value(row, least[1]), _value(row, least[2]))
    left, minus, right = text.partition(" - ")
    if minus:
        return _value(row, left) - _value(row, right)
    if text in row:
        return row[text]
    node: Any = row
    for key in text.split("."):
        node = node.get(key) if isinstance(node, dict) else None
    return node


def _is_true(row: Row, condition: str) -> bool:
    present = re.fullmatch(rf"ispresent\(({_WORD})\)", condition)
    if present:
        return _value(row, present[1]) is not None
    like = re.fullmatch(rf"({_WORD}) like /(.*)/", condition)
    if like:
        return re.search(like[2], str(_value(row, like[1]) or "")) is not None
    compared = re.fullmatch(rf"({_WORD}) (=|>=) (.+)", condition)
    assert compared is not None, condition
    left, right = _value(row, compared[1]), _value(row, compared[3])
    if left is None:
        return False
    return bool(left == right if compared[2] == "=" else left >= right)


def _percentile(values: list[float], share: float) -> float:
    return sorted(values)[max(0, math.ceil(len(values) * share / 100) - 1)]


_AGGREGATES: dict[str, Callable[[list[Any]], Any]] = {
    "sum": sum,
    "avg": lambda values: sum(values) / len(values),
    "min": min,
    "max": max,
}


def _aggregate(rows: list[Row], text: str) -> Any:
    called = re.fullmatch(rf"(\w+)\((\*|{_WORD})(?:, (\d+))?\)", text)
    assert called is not None, text
    name, field, share = called.groups()
    if name == "count":
        return len(rows)
    values = [value for row in rows if (value := _value(row, field)) is not None]
    return _percentile(values, float(share)) if name == "pct" else _AGGREGATES[name](values)


def _named(text: str) -> list[tuple[str, str]]:
    """The expressions of a list, each with its name."""
    parts = re.split(r",\s(?![^(]*\))", text)
    return [(expression, name or expression) for expression, _, name in (part.partition(" as ") for part in parts)]


def _stats(rows: list[Row], text: str) -> list[Row]:
    expressions, _, by = text.partition(" by ")
    groups: dict[tuple[Any, ...], list[Row]] = {}
    keys = by.split(", ")
    for row in rows:
        groups.setdefault(tuple(_value(row, key) for key in keys), []).append(row)
    return [
        dict(zip(keys, group, strict=True)) | {name: _aggregate(of, what) for what, name in _named(expressions)}
        for group, of in groups.items()
    ]


def run(query: str, lines: list[Row]) -> list[Row]:
    """The rows that a query finds in log lines.

    Args:
        query: the query, a command a line.
        lines: the lines, parsed.

    Returns:
        The rows, with the fields of the last `fields` or `stats`.
    """
    rows, shown = lines, None
    for line in query.strip().splitlines():
        command, _, rest = line.strip().removeprefix("| ").partition(" ")
        if command == "filter":
            rows = [row for row in rows if all(_is_true(row, condition) for condition in rest.split(" and "))]
        elif command == "fields":
            shown = [name for _, name in _named(rest)]
            rows = [row | {name: _value(row, what) for what, name in _named(rest)} for row in rows]
        elif command == "stats":
            rows, shown = _stats(rows, rest), None
        elif command == "sort":
            field, _, direction = rest.partition(" ")
            rows = sorted(rows, key=lambda row: _value(row, field), reverse=direction == "desc")
        else:
            assert command == "limit", line
            rows = rows[: int(rest)]
    return rows if shown is None else [{name: row[name] for name in shown} for row in rows]
