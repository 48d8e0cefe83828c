"""What the operations of the OpenAPI document are made of: closed objects, replies, refusals."""

from typing import Any, Final

from isnad_gateway.core.errors import GatewayError

TOKEN: Final[list[dict[str, list[str]]]] = [{"token": []}]
"""The security of a route that asks for a token; which scope it asks for, the route's summary says."""


def closed(**properties: Any) -> dict[str, Any]:
    """The schema of a closed object whose fields are all there."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def content(schema: dict[str, Any], description: str) -> dict[str, Any]:
    """A reply in JSON."""
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def refusals(*kinds: type[GatewayError], schema: str = "Refusal", protected: bool = True) -> dict[str, Any]:
    """The replies of a route that are no results, by status.

    Args:
        kinds: the errors that its function answers with.
        schema: the form in which it does.
        protected: whether the route asks for a token.
    """
    codes: dict[int, list[str]] = {}
    for kind in kinds:
        codes.setdefault(kind.status, []).append(kind.code)
    own = {"$ref": f"#/components/schemas/{schema}"}
    platform = {"$ref": "#/components/schemas/PlatformRefusal"}
    replies = {str(status): content(own, " or ".join(names)) for status, names in sorted(codes.items())}
    spent = replies.pop("429", None)
    replies["429"] = content({"anyOf": [own, platform]} if spent else platform, "Too many requests")
    if protected:
        replies["401"] = content(platform, "No token")
        replies["403"] = content(platform, "The token is not valid, or lacks the scope of the route")
    return replies
