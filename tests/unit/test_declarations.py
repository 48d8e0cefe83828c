"""The eight declarations against the contract: names, shapes, limits, notices, closed schemas."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.shared import SHARED, needs_shared
from tests.unit.test_rules import ARGUMENTS, GOOD

from isnad_gateway.domain.registry import CONTRACT, declaration
from isnad_gateway.domain.schema import json_schema, limits

CLAIM = {"evidence_status", "provenance"}
LIST = {"truncated", "capability_note"} | CLAIM

# docs/contract.md: the arguments of each tool, the fields of its result, and those of the objects inside it.
SHAPES: dict[str, tuple[set[str], set[str], dict[str, set[str]]]] = {
    "search_hadith": (
        {"query", "query_language", "collection_id", "limit"},
        {"results"} | LIST,
        {
            "results": {
                "hadith_id", "canonical_reference", "numbering_scheme", "text_ar", "text_fr", "match_method", "score",
            } | CLAIM,
        },
    ),
    "get_hadith": (
        {"hadith_id"},
        {
            "hadith_id", "canonical_reference", "numbering_scheme", "other_references", "collection", "book", "chapter",
            "text_ar", "text_damaged", "text_fr", "translation", "capability_note",
        } | CLAIM,
        {
            "collection": {"id", "code", "name"},
            "book": {"id", "number", "title"},
            "chapter": {"id", "number", "title"},
            "other_references": {"reference", "numbering_scheme"},
            "translation": {"language", "text", "translator", "origin"} | CLAIM,
        },
    ),
    "get_hadith_chains": (
        {"hadith_id", "limit"},
        {"hadith_id", "chains"} | LIST,
        {
            "chains": {"chain_id", "chain_number", "completeness", "nodes"} | CLAIM,
            "chains.nodes": {
                "position", "narrator_id", "mention_ar", "transmission_term_ar", "text_span",
                "resolution_status", "confidence", "candidate_count", "provenance",
            },
        },
    ),
    "search_narrator": (
        {"query", "query_language", "filters", "limit"},
        {"results"} | LIST,
        {
            "results": {
                "narrator_id", "name_ar", "name_fr", "canonical_display", "matched_form", "death_year_ah", "generation",
                "match_tier", "score",
            } | CLAIM,
        },
    ),
    "get_narrator_profile": (
        {"narrator_id", "entry_limit"},
        {"narrator_id", "identity", "legacy_scholarly_data", "source_entries", "canonical_assertions"} | LIST,
        {
            "identity": {"name_ar", "name_fr", "canonical_display", "variants"},
            "identity.variants": {"form", "distinctive"},
            "legacy_scholarly_data": {"field", "value"} | CLAIM,
            "source_entries": {"entry_id", "text", "resolution_status"} | CLAIM,
            "canonical_assertions": {"field", "value"} | CLAIM,
        },
    ),
    "get_narrator_hadiths": (
        {"narrator_id", "page", "limit"},
        {"narrator_id", "occurrence_count", "distinct_hadith_count", "page", "items"} | LIST,
        {
            "items": {
                "hadith_id", "canonical_reference", "chain_id", "node_id", "position", "relation_type",
            } | CLAIM,
        },
    ),
    "get_transmission_relation": (
        {"narrator_a_id", "narrator_b_id", "include_chain_observations", "limit"},
        {"narrator_a_id", "narrator_b_id", "relations", "chain_observations"} | LIST,
        {
            "relations": {"teacher_id", "student_id", "relation_status", "recorded_status"} | CLAIM,
            "chain_observations": {
                "hadith_id", "canonical_reference", "chain_id", "from_node_id", "to_node_id", "transmission_term_ar",
            } | CLAIM,
        },
    ),
    "get_hadith_commentary": (
        {"hadith_id", "language", "limit"},
        {"hadith_id", "passages"} | LIST,
        {
            "passages": {
                "passage_id", "passage_kind", "source_text", "translation", "alignment_status", "alignment_confidence",
            } | CLAIM,
            "passages.translation": {"language", "text", "status"},
        },
    ),
}  # fmt: skip
PROVENANCE = {
    "object_id", "object_type", "source_id", "source_title", "edition_id", "locator", "source_type", "source_key",
    "citation", "author", "rights", "url", "content_hash", "dataset_id", "import_id", "note",
}  # fmt: skip
LIMITS = {
    "search_hadith": (5, 20),
    "get_hadith": None,
    "get_hadith_chains": (5, 20),
    "search_narrator": (5, 20),
    "get_narrator_profile": (10, 20),
    "get_narrator_hadiths": (10, 50),
    "get_transmission_relation": (10, 20),
    "get_hadith_commentary": (5, 20),
}
every_tool = pytest.mark.parametrize("tool", CONTRACT)


def _nodes(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for item in value.values():
            yield from _nodes(item)
    elif isinstance(value, list):
        for item in value:
            yield from _nodes(item)


def _at(schema: dict[str, Any], path: str) -> dict[str, Any]:
    """The object at a path of field names; lists are stepped into."""
    for name in path.split("."):
        schema = schema["properties"][name]
        schema = schema.get("items", schema)
    return schema


def test_the_contract_is_the_eight() -> None:
    assert set(SHAPES) == set(LIMITS) == set(CONTRACT)
    assert len(CONTRACT) == len(set(CONTRACT)) == 8


@every_tool
def test_names_and_fields(tool: str) -> None:
    declared = declaration(tool)
    arguments, result, inside = SHAPES[tool]
    assert declared.name == tool
    schema = json_schema(declared.result)
    assert set(json_schema(declared.arguments)["properties"]) == arguments
    assert set(schema["properties"]) == set(schema["required"]) == result
    for path, names in inside.items():
        assert set(_at(schema, path)["properties"]) == names, path
    entries = [node["properties"] for node in _nodes(schema) if "object_type" in node.get("properties", ())]
    assert entries
    assert all(set(entry) == PROVENANCE for entry in entries)


@every_tool
def test_schemas_are_closed_and_whole(tool: str) -> None:
    declared = declaration(tool)
    for schema in (json_schema(declared.arguments), json_schema(declared.result), json_schema(declared.call)):
        Draft202012Validator.check_schema(schema)
        objects = [node for node in _nodes(schema) if "properties" in node and isinstance(node["properties"], dict)]
        assert objects
        assert all(node["additionalProperties"] is False for node in objects if "type" in node)
        text = json.dumps(schema)
        assert "$ref" not in text
        assert "$defs" not in text


@every_tool
def test_schemas_accept_what_the_models_accept(tool: str) -> None:
    declared = declaration(tool)
    Draft202012Validator(json_schema(declared.result)).validate(GOOD[tool])
    arguments = Draft202012Validator(json_schema(declared.arguments))
    arguments.validate(ARGUMENTS[tool])
    assert not arguments.is_valid({**ARGUMENTS[tool], "surprise": 1})
    required = json_schema(declared.arguments)["required"]
    optional = dict.fromkeys(set(declared.arguments.model_fields) - set(required))
    everything_null = {**optional, **{name: ARGUMENTS[tool][name] for name in required}}
    arguments.validate(everything_null)
    made = declared.arguments.model_validate_json(json.dumps(everything_null))
    assert made == declared.arguments.model_validate({name: ARGUMENTS[tool][name] for name in required})


@every_tool
def test_limits(tool: str) -> None:
    expected = LIMITS[tool]
    declared = declaration(tool)
    assert limits(declared) == (None if expected is None else {"default": expected[0], "maximum": expected[1]})
    if declared.limit is not None and declared.items is not None and expected is not None:
        field = json_schema(declared.arguments)["properties"][declared.limit]
        assert (field["default"], field["minimum"], field["maximum"]) == (expected[0], 1, expected[1])
        if declared.items != "source_entries":
            assert json_schema(declared.result)["properties"][declared.items]["maxItems"] == expected[1]


_LANGUAGES = {"Arabic", "French", "Latin"}


@every_tool
def test_notices_and_descriptions_show_no_value(tool: str) -> None:
    """A model repeats the values that it is shown: no number, no name, nothing in Arabic letters."""
    declared = declaration(tool)
    schema = json_schema(declared.arguments)
    described = [node["description"] for node in _nodes(schema) if isinstance(node.get("description"), str)]
    texts = [declared.notice, *described]
    assert len(texts) > len(declared.arguments.model_fields)
    for text in texts:
        assert re.search(r"\d", text) is None, text
        assert text.isascii(), text
        inside = set(re.findall(r"(?<![.:] )(?<!^)\b[A-Z]\w*", text))
        assert inside <= _LANGUAGES, text
        assert "e.g." not in text
    assert 60 < len(declared.notice) < 600
    assert all("description" in field for field in schema["properties"].values())


# What docs/contract.md adds to the first contract, and nothing else.
ADDED = {
    "search_hadith": {"evidence_status", "provenance", "results.numbering_scheme"},
    "get_hadith": {"numbering_scheme", "other_references", "text_damaged", "translation", "capability_note"},
    "get_hadith_chains": {
        "evidence_status", "provenance", "capability_note", "chains.completeness", "chains.nodes.candidate_count",
        "chains.nodes.text_span", "chains.nodes.provenance",
    },
    "search_narrator": {
        "evidence_status", "provenance", "capability_note", "results.matched_form", "results.death_year_ah",
        "results.generation",
    },
    "get_narrator_profile": {"evidence_status", "provenance"},
    "get_narrator_hadiths": {"evidence_status", "provenance", "capability_note"},
    "get_transmission_relation": {"provenance", "relations.recorded_status"},
    "get_hadith_commentary": {"evidence_status", "provenance", "capability_note"},
}  # fmt: skip


def _paths(shape: Any, prefix: str = "") -> set[str]:
    """Every field's path in an example of a shape; a provenance entry is one field."""
    if isinstance(shape, list):
        return _paths(shape[0], prefix) if shape else set()
    if not isinstance(shape, dict):
        return set()
    found = set()
    for name, value in shape.items():
        found.add(prefix + name)
        if name != "provenance":
            found |= _paths(value, f"{prefix}{name}.")
    return found


@needs_shared
@every_tool
def test_the_first_contract_holds(tool: str) -> None:
    """Every field of the contract that the platform gave is there under its name; what is more is listed."""
    assert SHARED is not None
    text = (SHARED / "seeds" / "tool-contract.fr.txt").read_text(encoding="utf-8")
    section = re.split(rf"^\d\. {tool}#$", text, flags=re.MULTILINE)[1].split("• Limit")[0]
    shapes = re.split(r"JSON shape:\s*", section)[1:]
    given, returned = (json.JSONDecoder().raw_decode(shape)[0] for shape in shapes)
    arguments, result, inside = SHAPES[tool]
    assert set(given) == arguments
    ours = result | {f"{path}.{name}" for path, names in inside.items() for name in names}
    theirs = _paths(returned)
    assert theirs <= ours
    extra = {path for path in ours - theirs if path.rpartition(".")[0] in ("", *theirs)}
    assert extra - {"identity.variants.form", "identity.variants.distinctive"} == ADDED[tool] | {
        f"chain_observations.{name}" for name in inside.get("chain_observations", ())
    }
