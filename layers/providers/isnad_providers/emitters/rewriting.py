"""What the emitters share: a walk through a schema of the gateway that keeps what a target understands.

The schemas are those of `isnad_gateway.domain.schema`: closed objects without references, one type a field, or the type
and null. Whatever a target is not known to understand is left out, for it refuses the session or ignores the field; the
gateway holds every argument against the whole schema itself.
"""

from collections.abc import Callable
from typing import Any, Final

Schema = dict[str, Any]

_PLAIN: Final = frozenset({"description", "required", "additionalProperties", "minimum", "maximum", "maxLength"})
_LARGEST: Final = 2**53  # beyond it a reader whose numbers are floats sees another number (RFC 8259, section 6)


def rewrite(schema: Schema, kept: frozenset[str], shape: Callable[[Schema, bool], Schema]) -> Schema:
    """Make a target's schema.

    Args:
        schema: a schema of the gateway.
        kept: the keywords that the target understands, beside `type`, `properties`, `items` and `enum`.
        shape: gives a node its form: the node with its type alone (never a list of types), and whether it may be null.
    """
    kind, nullable = kind_of(schema)
    node: Schema = {"type": kind}
    for keyword, value in schema.items():
        if keyword == "properties":
            node[keyword] = {name: rewrite(field, kept, shape) for name, field in value.items()}
        elif keyword == "items":
            node[keyword] = rewrite(value, kept, shape)
        elif keyword == "enum":
            node[keyword] = [choice for choice in value if choice is not None]
        elif keyword == "const":
            node["enum"] = [value]
        elif keyword in kept and not _is_too_large(value):
            node[keyword] = value
    return shape(node, nullable)


def plain(schema: Schema) -> Schema:
    """JSON Schema as most targets take it: a field that may be null has the type and null, bounds are hints."""
    return rewrite(schema, _PLAIN, with_null)


def with_null(node: Schema, nullable: bool) -> Schema:
    """A node in JSON Schema's own form: where it may be null, null is one of its types and of its choices."""
    if not nullable:
        return node
    choices = {"enum": [*node["enum"], None]} if "enum" in node else {}
    return {**node, "type": [node["type"], "null"], **choices}


def kind_of(schema: Schema) -> tuple[str, bool]:
    """A node's one type, and whether it may be null.

    Raises:
        ValueError: it has none, or several: no target takes that.
    """
    given = schema.get("type")
    if given is None and "const" in schema:
        given = "string" if isinstance(schema["const"], str) else None
    kinds = [given] if isinstance(given, str) else list(given or ())
    named = [kind for kind in kinds if kind != "null"]
    if len(named) != 1:
        raise ValueError("a field of a tool has exactly one type beside null")
    return named[0], "null" in kinds


def _is_too_large(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) > _LARGEST
