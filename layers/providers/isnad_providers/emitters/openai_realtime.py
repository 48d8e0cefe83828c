"""Function tools of the OpenAI Realtime family (OpenAI, Azure OpenAI, xAI): plain JSON Schema, as a hint to the model.

There is no strict mode for them (`RealtimeFunctionTool` of openai 3.57.0 has no such field), so that the arguments that
come back are held against the schema by the gateway alone.
"""

from typing import Any

from isnad_gateway.domain.schema import json_schema
from isnad_gateway.domain.tool import Tool
from isnad_providers.emitters.rewriting import plain


def emit(tool: Tool[Any, Any]) -> dict[str, Any]:
    """A tool's declaration as `session.tools` takes it."""
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.notice,
        "parameters": plain(json_schema(tool.arguments)),
    }
