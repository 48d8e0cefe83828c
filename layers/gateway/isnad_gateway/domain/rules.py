"""The evidence rules E1 to E15, held against any result before it leaves.

What one result cannot show is held elsewhere: E10 (bytes as stored) by tests against the database, E14 (nothing
written) by the database's role, E15 by `search_hadith`, which knows no vector search.
"""

import math
from collections.abc import Iterator
from itertools import product
from operator import itemgetter
from typing import Any, Final, TypeAlias, get_args

from isnad_gateway.domain.evidence import STATUSES, EvidenceStatus, weakest
from isnad_gateway.domain.model import Model
from isnad_gateway.domain.provenance import ObjectType, SourceType
from isnad_gateway.domain.relation_status import relation_status
from isnad_gateway.domain.tool import Tool

_MAX_PROVENANCE: Final = 10
_OBJECT_TYPES: Final = frozenset(get_args(ObjectType))
_SOURCE_TYPES: Final = frozenset(get_args(SourceType))
_OBJECT_ID: Final = itemgetter("object_id")
_KIND: Final = itemgetter("object_type", "source_type")
_SOUND_KINDS: Final = frozenset(product(_OBJECT_TYPES, (*_SOURCE_TYPES, None)))
_CLAIMING: Final = frozenset({"evidence_status", "recorded_status", "resolution_status", "translation"})
"""An object without any of these fields claims nothing: no rule of objects is about it."""

_MISSING_SPELT_OUT: Final = frozenset({"", "nan", "-"})
_LONGEST_MISSING: Final = 8  # characters, blanks around them included

_Place: TypeAlias = tuple[str | int, ...]  # the keys and indices that lead to an object


def broken_rules(tool: Tool[Any, Any], arguments: Model, result: dict[str, Any]) -> list[str]:
    """Hold a result against the evidence rules.

    Args:
        tool: the tool that made it.
        arguments: the arguments of the call, for the limit.
        result: the result as it would be sent.

    Returns:
        The rules that it breaks, each with the place, as `E2 results.0: no provenance`; empty where it breaks none.
        Nothing of the result's own text is in it.
    """
    broken: list[str] = []
    below: list[EvidenceStatus] = []
    values: set[Any] = set()
    _walk(result, (), broken, below, values)
    short = [each for each in values if type(each) is float or (type(each) is str and len(each) <= _LONGEST_MISSING)]
    if any(map(_what_is_missing, short)):
        _find_missing(result, (), broken)
    broken += _status_of_the_whole(tool, result, below)
    broken += _list_bounds(tool, arguments, result)
    return broken


def _walk(
    item: dict[str, Any], place: _Place, broken: list[str], below: list[EvidenceStatus], values: set[Any]
) -> None:
    """Check an object and all within it; collect the statuses of the claims below the result itself, and all values."""
    found: list[tuple[str, str]] = []
    if "object_type" in item and "object_id" in item:
        found += _in_provenance(item)
    elif not _CLAIMING.isdisjoint(item):
        found += _in_object(item)
    if found:
        broken += _named(found, place)
    if place and "evidence_status" in item:
        below.append(item["evidence_status"])
    for key, value in item.items():
        kind = type(value)  # of a checked result, which holds plain JSON types
        if kind is list:
            if key == "provenance":
                if _is_sound(value, values):
                    continue
                broken += _named(_naming_no_object(value), place)
            for index, entry in enumerate(value):
                if type(entry) is dict:
                    _walk(entry, (*place, key, index), broken, below, values)
        elif kind is dict:
            _walk(value, (*place, key), broken, below, values)
        else:
            values.add(value)


def _is_sound(entries: list[Any], values: set[Any]) -> bool:
    """Whether provenance breaks no rule of its own, its values aside, which are collected; if not, a walk says which.

    Entries are most of a result and seldom break one: they are held against the rules together, without a step for each.
    """
    try:
        if None in map(_OBJECT_ID, entries) or not _SOUND_KINDS.issuperset(map(_KIND, entries)):
            return False
        values.update(*map(dict.values, entries))
    except (KeyError, TypeError):  # one has not these fields, or holds an object
        return False
    return True


def _what_is_missing(value: Any) -> str | None:
    """How a value hides that there is none (E5); None where it does not."""
    kind = type(value)
    if kind is str:
        if len(value) <= _LONGEST_MISSING and value.strip() in _MISSING_SPELT_OUT:
            return "spells a missing value out"
    elif kind is float and not math.isfinite(value):
        return "is no finite number"
    return None


def _find_missing(item: dict[str, Any], place: _Place, broken: list[str]) -> None:
    """Name the places at which values hide that there is none."""
    for key, value in item.items():
        what = _what_is_missing(value)
        if what:
            broken += _named([("E5", f"{key} {what}")], place)
        for index, entry in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(entry, dict):
                _find_missing(entry, (*place, key) if index is None else (*place, key, index), broken)


def _named(found: list[tuple[str, str]], place: _Place) -> list[str]:
    where = ".".join(map(str, place)) or "result"
    return [f"{rule} {where}: {what}" for rule, what in found]


def _in_object(item: dict[str, Any]) -> list[tuple[str, str]]:
    """What an object breaks that has a field of `_CLAIMING`."""
    found: list[tuple[str, str]] = []
    if "evidence_status" in item:
        found += _claim(item)
    if "recorded_status" in item:
        found += _relation(item)
    if item.get("resolution_status") in ("ambiguous", "unresolved") and item.get("narrator_id") is not None:
        found.append(("E7", "a node that is not resolved names a narrator"))
    if item.get("evidence_status") == "fact":
        if item.get("origin") == "machine":
            found.append(("E13", "a machine translation is called a fact"))
        if "match_method" in item or "match_tier" in item:
            found.append(("E3", "a search hit is called a fact"))
    if isinstance(item.get("translation"), dict):
        found += _translation(item)
    return found


def _claim(item: dict[str, Any]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    if item["evidence_status"] not in STATUSES:
        found.append(("E1", "unknown evidence_status"))
    provenance = item.get("provenance")
    if not isinstance(provenance, list) or not provenance:
        found.append(("E2", "no provenance"))
    elif len(provenance) > _MAX_PROVENANCE:
        found.append(("E9", "too many provenance entries"))
    return found


def _naming_no_object(provenance: list[Any]) -> list[tuple[str, str]]:
    return [
        ("E2", "a provenance entry names no object")
        for entry in provenance
        if not (isinstance(entry, dict) and "object_id" in entry and "object_type" in entry)
    ]


def _in_provenance(entry: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if entry["object_type"] not in _OBJECT_TYPES:
        yield "E2", "unknown object_type"
    if entry["object_id"] is None:
        yield "E2", "object_id is null"
    if entry.get("source_type") is not None and entry["source_type"] not in _SOURCE_TYPES:
        yield "E2", "unknown source_type"


def _relation(item: dict[str, Any]) -> Iterator[tuple[str, str]]:
    recorded, status = item["recorded_status"], item.get("relation_status")
    entries = item.get("provenance") or []
    has_source = any(entry.get("source_id") or entry.get("source_title") for entry in entries)
    expected, evidence = relation_status(recorded, has_source=has_source)
    if status != expected:
        yield "E4", "relation_status does not follow from recorded_status and source"
    if item.get("evidence_status") != evidence:
        yield "E4", "evidence_status does not follow from relation_status"
    if "chain_id" in item:
        yield "E8", "a chain occurrence stands among the relations"


def _translation(item: dict[str, Any]) -> Iterator[tuple[str, str]]:
    translation = item["translation"]
    if "passage_id" in item and translation.get("status") != "PUBLISHED":
        yield "E11", "a translation that is not published"
    if translation.get("origin") == "machine" and item.get("text_fr") is not None:
        yield "E13", "a machine translation stands as text_fr"


def _status_of_the_whole(tool: Tool[Any, Any], result: dict[str, Any], below: list[EvidenceStatus]) -> Iterator[str]:
    status = result.get("evidence_status")
    if status is None:
        yield "E1 result: no evidence_status"
        return
    if tool.name == "get_transmission_relation":  # from the relations alone, and never an inference (docs/contract.md)
        attested = any(relation["relation_status"] == "attested" for relation in result["relations"])
        expected: EvidenceStatus = "fact" if attested else "insufficient_evidence"
    else:
        own: list[EvidenceStatus] = ["fact"] if tool.claim == "own" else []
        expected = weakest([*own, *below])
    if status != expected:
        yield "E12 result: the status is not the weakest of what is asserted"
    if tool.claim == "candidates" and status == "fact":
        yield "E3 result: candidates are called a fact"


def _list_bounds(tool: Tool[Any, Any], arguments: Model, result: dict[str, Any]) -> Iterator[str]:
    if tool.items is None or tool.limit is None:
        return
    items, limit = result[tool.items], getattr(arguments, tool.limit)
    if len(items) > limit:
        yield f"E9 {tool.items}: more items than the limit"
    if not items and not result.get("capability_note"):
        yield f"E6 {tool.items}: empty, and nothing says what that means"
    observations = result.get("chain_observations", [])
    if len(observations) > limit:
        yield "E9 chain_observations: more items than the limit"
    if result["truncated"] and limit not in (len(items), len(observations)):
        yield "E9 result: truncated below the limit"
