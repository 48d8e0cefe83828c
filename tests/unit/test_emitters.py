"""V12: each target's form of the tools, against files that are read before they change, against rules, against SDK types."""

import json
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from google.genai import types as google
from openai.types.live.function_tool_param import FunctionToolParam
from openai.types.realtime.realtime_function_tool_param import RealtimeFunctionToolParam
from tests.conftest import ROOT
from tests.sdk_types import faults
from tests.unit.test_rules import ARGUMENTS

from isnad_gateway.domain.registry import CONTRACT, declaration
from isnad_gateway.domain.tool import Tool
from isnad_providers.emitters import gemini, nova_sonic, openai_realtime, openai_strict
from isnad_providers.emitters.rewriting import plain

GOLDEN = ROOT / "tests" / "golden"
EMITTERS: dict[str, Callable[[Tool[Any, Any]], dict[str, Any]]] = {
    "gemini": gemini.emit,
    "nova_sonic": nova_sonic.emit,
    "openai_realtime": openai_realtime.emit,
    "openai_strict": openai_strict.emit,
}
every_target = pytest.mark.parametrize("target", EMITTERS)
every_tool = pytest.mark.parametrize("tool", CONTRACT)
XAI_RESERVED = {
    "web_search", "browse_page", "x_keyword_search", "x_semantic_search", "x_user_search", "x_thread_fetch",
    "collections_search", "file_search",
}  # fmt: skip


def _nodes(schema: Any) -> Iterator[dict[str, Any]]:
    """Every node of a schema, the fields of an object among them, but not the table of fields itself."""
    if isinstance(schema, dict):
        yield schema
        for field in schema.get("properties", {}).values():
            yield from _nodes(field)
        yield from _nodes(schema.get("items"))


def _parameters(target: str, emitted: dict[str, Any]) -> dict[str, Any]:
    if target == "nova_sonic":
        parsed: dict[str, Any] = json.loads(emitted["toolSpec"]["inputSchema"]["json"])
        return parsed
    parameters: dict[str, Any] = emitted["parameters"]
    return parameters


@every_target
def test_golden(target: str) -> None:
    """Whoever changes a declaration or an emitter sees here what each provider's model will see
    (`ISNAD_WRITE_GOLDEN=1` writes the files anew; read the difference).
    """
    file = GOLDEN / f"tools.{target}.json"
    made = [EMITTERS[target](declaration(name)) for name in CONTRACT]
    if os.environ.get("ISNAD_WRITE_GOLDEN"):
        file.write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    assert made == json.loads(file.read_text(encoding="utf-8"))


def test_a_golden_file_for_each_target() -> None:
    """An emitter is a module, and has its file."""
    modules = {path.stem for path in (ROOT / "layers/providers/isnad_providers/emitters").glob("*.py")}
    assert modules - {"__init__", "rewriting"} == set(EMITTERS)
    assert {path.name for path in GOLDEN.iterdir()} == {f"tools.{target}.json" for target in EMITTERS}


@every_target
@every_tool
def test_every_field_is_there_and_nothing_is_shown(target: str, tool: str) -> None:
    """The same names, choices and required fields everywhere; no default, example, pattern or reference anywhere."""
    declared = declaration(tool)
    parameters = _parameters(target, EMITTERS[target](declared))
    assert set(parameters["properties"]) == set(declared.arguments.model_fields)
    allowed = {
        "gemini": {"type", "description", "properties", "items", "required", "enum", "minimum", "maximum", "nullable"},
        "openai_strict": {"type", "description", "properties", "items", "required", "enum", "additionalProperties"},
    }.get(
        target,
        {"type", "description", "properties", "items", "required", "enum", "additionalProperties", "minimum", "maximum",
         "maxLength"},
    )  # fmt: skip
    for node in _nodes(parameters):
        assert set(node) <= allowed
        assert not re.search(r"\d", node.get("description", ""))
        bounds = [abs(node[name]) for name in ("minimum", "maximum") if name in node]
        assert all(bound <= 2**53 for bound in bounds)
    assert declared.notice in json.dumps(EMITTERS[target](declared), ensure_ascii=False)


@every_tool
def test_names(tool: str) -> None:
    """Names that every provider takes: Bedrock's 64 letters, no digit first, none that xAI keeps for itself."""
    assert re.fullmatch(r"[a-z][a-z0-9_]{0,63}", tool)
    assert tool not in XAI_RESERVED
    assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,63}", name) for name in declaration(tool).arguments.model_fields)


@every_tool
def test_openai_realtime(tool: str) -> None:
    emitted = openai_realtime.emit(declaration(tool))
    assert list(faults(emitted, RealtimeFunctionToolParam)) == []
    assert "strict" not in emitted  # the type has no such field: the gateway alone holds arguments to their schema
    assert all(node["additionalProperties"] is False for node in _nodes(emitted["parameters"]) if "properties" in node)


@every_tool
def test_openai_strict(tool: str) -> None:
    """The strict subset: every object closed, every field required, optional ones may be null."""
    declared = declaration(tool)
    emitted = openai_strict.emit(declared)
    assert list(faults(emitted, FunctionToolParam)) == []
    assert emitted["strict"] is True
    required = {name for name, field in declared.arguments.model_fields.items() if field.is_required()}
    for node in _nodes(emitted["parameters"]):
        if "properties" in node:
            assert node["additionalProperties"] is False
            assert node["required"] == list(node["properties"])
    for name, node in emitted["parameters"]["properties"].items():
        assert (isinstance(node["type"], list) and "null" in node["type"]) == (name not in required)
        if "enum" in node:
            assert (None in node["enum"]) == (name not in required)


@every_tool
def test_what_a_strict_model_sends_is_taken(tool: str) -> None:
    """It sends every field, null where it has nothing to say."""
    declared = declaration(tool)

    def filled(schema: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
        return {name: given.get(name) for name in schema["properties"]}

    parameters = openai_strict.emit(declared)["parameters"]
    sent = filled(parameters, ARGUMENTS[tool])
    made = declared.arguments.model_validate_json(json.dumps(sent))
    assert made == declared.arguments.model_validate(ARGUMENTS[tool])
    if "filters" in parameters["properties"]:
        nested = {**sent, "filters": filled(parameters["properties"]["filters"], {"region": "Basra"})}
        assert declared.arguments.model_validate_json(json.dumps(nested)).filters.region == "Basra"


@every_tool
def test_gemini(tool: str) -> None:
    """The SDK's model refuses a field that it does not know; the wire refuses more (code 1007)."""
    emitted = gemini.emit(declaration(tool))
    google.FunctionDeclaration.model_validate(emitted)
    assert emitted["behavior"] == "BLOCKING"
    text = json.dumps(emitted)
    assert not [word for word in ("additionalProperties", "$schema", "const", "oneOf", "allOf", "$ref") if word in text]
    for node in _nodes(emitted["parameters"]):
        assert isinstance(node["type"], str)
        assert node["type"] == node["type"].upper()
        assert all(isinstance(choice, str) for choice in node.get("enum", ()))
        assert node.get("required") != []


@every_tool
def test_nova_sonic(tool: str) -> None:
    """The schema is a string, and its letters are themselves."""
    spec = nova_sonic.emit(declaration(tool))["toolSpec"]
    assert set(spec) == {"name", "description", "inputSchema"}
    assert isinstance(spec["inputSchema"]["json"], str)
    assert json.loads(spec["inputSchema"]["json"]) == plain_of(tool)
    assert "\\u" not in spec["inputSchema"]["json"]


def plain_of(tool: str) -> Any:
    return openai_realtime.emit(declaration(tool))["parameters"]


HOSTILE = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Arguments",
    "type": "object",
    "additionalProperties": False,
    "required": ["kind"],
    "properties": {
        "kind": {"const": "hadith", "title": "Kind"},
        "order": {"type": ["string", "null"], "enum": ["up", "down", None], "default": "up", "examples": ["up"]},
        "id": {"type": "integer", "minimum": 1, "maximum": 2**63 - 1, "exclusiveMinimum": 0, "multipleOf": 1},
        "names": {
            "type": "array", "items": {"type": "string", "pattern": "^a", "maxLength": 9}, "uniqueItems": True,
            "minItems": 1,
        },
        "inside": {
            "type": ["object", "null"], "additionalProperties": False, "properties": {"deep": {"type": ["number", "null"]}},
        },
    },
}  # fmt: skip


class TestHostileSchema:
    """V12: a schema with `additionalProperties`, `$schema`, `const`, a type array; written by hand, target by target."""

    def test_gemini(self) -> None:
        assert gemini.convert(HOSTILE) == {
            "type": "OBJECT",
            "required": ["kind"],
            "properties": {
                "kind": {"type": "STRING", "enum": ["hadith"]},
                "order": {"type": "STRING", "enum": ["up", "down"], "nullable": True},
                "id": {"type": "INTEGER", "minimum": 1},
                "names": {"type": "ARRAY", "items": {"type": "STRING"}},
                "inside": {
                    "type": "OBJECT",
                    "properties": {"deep": {"type": "NUMBER", "nullable": True}},
                    "nullable": True,
                },
            },
        }
        google.Schema.model_validate(gemini.convert(HOSTILE))

    def test_openai_strict(self) -> None:
        assert openai_strict.convert(HOSTILE) == {
            "type": "object",
            "required": ["kind", "order", "id", "names", "inside"],
            "additionalProperties": False,
            "properties": {
                "kind": {"type": "string", "enum": ["hadith"]},
                "order": {"type": ["string", "null"], "enum": ["up", "down", None]},
                "id": {"type": "integer"},
                "names": {"type": "array", "items": {"type": "string"}},
                "inside": {
                    "type": ["object", "null"], "required": ["deep"], "additionalProperties": False,
                    "properties": {"deep": {"type": ["number", "null"]}},
                },
            },
        }  # fmt: skip

    def test_plain(self) -> None:
        """OpenAI Realtime, xAI, Azure and Nova."""
        assert plain(HOSTILE) == {
            "type": "object",
            "required": ["kind"],
            "additionalProperties": False,
            "properties": {
                "kind": {"type": "string", "enum": ["hadith"]},
                "order": {"type": ["string", "null"], "enum": ["up", "down", None]},
                "id": {"type": "integer", "minimum": 1},
                "names": {"type": "array", "items": {"type": "string", "maxLength": 9}},
                "inside": {
                    "type": ["object", "null"], "additionalProperties": False,
                    "properties": {"deep": {"type": ["number", "null"]}},
                },
            },
        }  # fmt: skip

    @pytest.mark.parametrize("convert", [gemini.convert, openai_strict.convert, plain])
    @pytest.mark.parametrize(
        "node", [{}, {"type": ["string", "integer"]}, {"type": []}, {"anyOf": []}, {"type": "null"}]
    )
    def test_what_no_target_takes(self, node: dict[str, Any], convert: Callable[[Any], Any]) -> None:
        """A declaration that cannot be told to every model fails here, not in a session."""
        with pytest.raises(ValueError, match="exactly one type"):
            convert({"type": "object", "properties": {"x": node}})

    def test_choices_that_are_no_strings(self) -> None:
        with pytest.raises(ValueError, match="choices that are strings"):
            gemini.convert({"type": "integer", "enum": [1, 2]})

    def test_a_tool_without_arguments(self) -> None:
        """Gemini refuses an object without fields; the strict subset wants it all the same."""
        assert gemini.convert({"type": "object", "required": []}) == {"type": "OBJECT"}
        assert openai_strict.convert({"type": "object"}) == {
            "type": "object", "properties": {}, "required": [], "additionalProperties": False,
        }  # fmt: skip
