"""Function declarations of Gemini Live: its own subset of OpenAPI's schema object.

Types in capitals, `nullable` instead of a list of types, choices that are strings, and neither `additionalProperties`
nor `$schema`, which end the session with code 1007. An object without fields is left out. The behaviour is said, for
newer models answer while a tool still works: nothing may be told before its result is there.
"""

from typing import Any, Final

from isnad_gateway.domain.schema import json_schema
from isnad_gateway.domain.tool import Tool
from isnad_providers.emitters.rewriting import Schema, rewrite

_KEPT: Final = frozenset({"description", "required", "minimum", "maximum"})


def emit(tool: Tool[Any, Any]) -> dict[str, Any]:
    """A tool's declaration as `tools[].functionDeclarations` takes it."""
    declared: dict[str, Any] = {"name": tool.name, "description": tool.notice, "behavior": "BLOCKING"}
    parameters = convert(json_schema(tool.arguments))
    return {**declared, "parameters": parameters} if parameters.get("properties") else declared


def convert(schema: Schema) -> Schema:
    """A schema in the form of this target.

    Raises:
        ValueError: a choice is no string.
    """
    return rewrite(schema, _KEPT, _shape)


def _shape(node: Schema, nullable: bool) -> Schema:
    if not all(isinstance(choice, str) for choice in node.get("enum", ())):
        raise ValueError("Gemini takes choices that are strings, and no others")
    shaped = {**node, "type": node["type"].upper()}
    if not shaped.get("required", True):
        del shaped["required"]
    return {**shaped, "nullable": True} if nullable else shaped
