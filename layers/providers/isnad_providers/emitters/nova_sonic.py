"""Tool specifications of Amazon Nova 2 Sonic, whose schema is a string of JSON inside the JSON."""

import json
from typing import Any

from isnad_gateway.domain.schema import json_schema
from isnad_gateway.domain.tool import Tool
from isnad_providers.emitters.rewriting import plain


def emit(tool: Tool[Any, Any]) -> dict[str, Any]:
    """A tool's declaration as `promptStart.toolConfiguration.tools` takes it."""
    schema = json.dumps(plain(json_schema(tool.arguments)), ensure_ascii=False, separators=(",", ":"))
    return {"toolSpec": {"name": tool.name, "description": tool.notice, "inputSchema": {"json": schema}}}
