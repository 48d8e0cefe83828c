"""Function tools that an OpenAI Responses backend calls in strict mode (GPT-Live's delegation).

The strict subset (developers.openai.com, "Structured outputs"): every object closed, every field required, an optional
one may be null; no bounds, lengths, patterns or defaults.
"""

from typing import Any, Final

from isnad_gateway.domain.schema import json_schema
from isnad_gateway.domain.tool import Tool
from isnad_providers.emitters.rewriting import Schema, rewrite, with_null

_KEPT: Final = frozenset({"description"})


def emit(tool: Tool[Any, Any]) -> dict[str, Any]:
    """A tool's declaration as `delegation.responses.tools` takes it."""
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.notice,
        "parameters": convert(json_schema(tool.arguments)),
        "strict": True,
    }


def convert(schema: Schema) -> Schema:
    """A schema in the form of this target."""
    return rewrite(schema, _KEPT, _shape)


def _shape(node: Schema, nullable: bool) -> Schema:
    if node["type"] == "object":
        fields = node.get("properties", {})
        node = {**node, "properties": fields, "required": list(fields), "additionalProperties": False}
    return with_null(node, nullable)
