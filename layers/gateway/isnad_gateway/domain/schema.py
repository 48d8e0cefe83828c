"""JSON Schemas made from the declarations: closed, without references, in the subset that every target understands."""

from copy import deepcopy
from typing import Any

from pydantic import TypeAdapter

from isnad_gateway.domain.tool import Tool

_NOISE = ("title", "hard_maximum")


def json_schema(model: Any) -> dict[str, Any]:
    """The JSON Schema (2020-12) of a declared object.

    Args:
        model: the model of arguments or the `TypedDict` of a result.

    Returns:
        A schema in which every object is closed, every `$ref` is replaced by what it names, and an argument that may be
        null has the type `[T, "null"]`.
    """
    schema = TypeAdapter(model).json_schema()
    definitions = schema.pop("$defs", {})
    inlined: dict[str, Any] = _inline(schema, definitions)
    return inlined


def _inline(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_inline(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        target = deepcopy(definitions[node["$ref"].rsplit("/", 1)[1]])
        return _inline({**target, **{key: value for key, value in node.items() if key != "$ref"}}, definitions)
    if _is_optional(node):
        [kind] = [option for option in node["anyOf"] if option != {"type": "null"}]
        node = {**kind, **{key: value for key, value in node.items() if key != "anyOf"}, "nullable": True}
        return _inline(node, definitions)
    kept = {
        key: {name: _inline(item, definitions) for name, item in value.items()}
        if key == "properties"
        else _inline(value, definitions)
        for key, value in node.items()
        if key not in _NOISE and not (key == "default" and value is None)
    }
    return _with_null(kept)


def _is_optional(node: dict[str, Any]) -> bool:
    return len(node.get("anyOf", ())) == 2 and {"type": "null"} in node["anyOf"]  # noqa: PLR2004


def _with_null(node: dict[str, Any]) -> dict[str, Any]:
    if node.pop("nullable", False) and "type" in node:
        node["type"] = [node["type"], "null"]
        if "enum" in node:
            node["enum"] = [*node["enum"], None]
    return node


def limits(tool: Tool[Any, Any]) -> dict[str, int] | None:
    """The default and the hard maximum of the argument that bounds a tool's list; None where there is no such list."""
    if tool.limit is None:
        return None
    field = tool.arguments.model_fields[tool.limit]
    [maximum] = [rule.le for rule in field.metadata if hasattr(rule, "le")]
    return {"default": field.default, "maximum": maximum}
