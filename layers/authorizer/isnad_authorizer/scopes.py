"""Which scope a route asks for."""

from typing import Final

ALL: Final = ("tools", "credentials", "turns", "audit")
"""Every scope there is."""

# Route keys as API Gateway names them; one that ends in a slash stands for every route below it.
_SCOPES: Final = {
    "GET /v1/tools": "tools",
    "POST /v1/tools/": "tools",
    "POST /mcp": "tools",
    "POST /v1/credentials": "credentials",
    "POST /v1/turns": "turns",
    "GET /v1/turns/": "audit",
}


def scope_of(route_key: str) -> str | None:
    """The scope that a route asks for, or None for a route that no token opens."""
    for known, scope in _SCOPES.items():
        if route_key == known or (known.endswith("/") and route_key.startswith(known)):
            return scope
    return None
