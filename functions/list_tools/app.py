"""GET /v1/tools, GET /openapi.json, GET /health, and NOT_FOUND for every path that no other route takes."""

from functools import cache
from typing import Any

from isnad_gateway.core.errors import InvalidArgument, NotFound
from isnad_gateway.data.statement import Statement
from isnad_gateway.data.transaction import reading
from isnad_gateway.domain.registry import CONTRACT, declaration
from isnad_gateway.domain.schema import json_schema, limits
from isnad_gateway.http.handler import guarded
from isnad_gateway.http.reply import reply

CAPABILITIES = Statement(__file__, "capabilities.sql")
_OF_NARRATORS = ("search_narrator", "get_narrator_profile", "get_narrator_hadiths", "get_transmission_relation")
HEALTH = Statement(__file__, "health.sql")


def _tools(event: dict[str, Any]) -> dict[str, Any]:
    mode = (event.get("queryStringParameters") or {}).get("mode", "voice")
    if mode not in ("voice", "agent"):
        raise InvalidArgument("`mode` must be 'voice' or 'agent'.")
    with reading() as read:
        [loaded] = read(CAPABILITIES)
    return reply(
        200,
        {"mode": mode, "tools": [_tool(name, loaded) for name in CONTRACT], "collections": loaded["collections"] or []},
    )


@cache
def _declared(name: str) -> dict[str, Any]:
    """What the declaration says; made once, for the schemas take longer than the read."""
    tool = declaration(name)
    return {
        "name": name,
        "notice": tool.notice,
        "arguments": json_schema(tool.arguments),
        "result": json_schema(tool.result),
        "limits": limits(tool),
    }


def _tool(name: str, loaded: dict[str, Any]) -> dict[str, Any]:
    status = "PARTIAL" if (why := _gap(name, loaded)) else "READY"
    return {**_declared(name), "status": status, "capability_note": why}


def _gap(name: str, loaded: dict[str, Any]) -> str | None:
    """What keeps a tool from answering everything, by what is loaded; None where nothing does."""
    if name in _OF_NARRATORS:
        return _narrator_gap(name, loaded)
    if not loaded["hadiths"]:
        return "No hadith is loaded."
    if name == "search_hadith" and loaded["hadiths_in_french"] < loaded["hadiths"]:
        return f"{loaded['hadiths_in_french']} of {loaded['hadiths']} hadiths have a French text."
    if name == "get_hadith_commentary" and loaded["hadiths_with_commentary"] < loaded["hadiths"]:
        return f"{loaded['hadiths_with_commentary']} of {loaded['hadiths']} hadiths have published commentary."
    return None


def _narrator_gap(name: str, loaded: dict[str, Any]) -> str | None:
    narrators, nodes, relations = loaded["narrators"], loaded["chain_nodes"], loaded["relations"]
    if not narrators:
        return "No narrator is loaded."
    if name == "search_narrator" and loaded["narrators_in_latin"] < narrators:
        in_latin = f"{loaded['narrators_in_latin']} of {narrators} narrators have a Latin name form"
        return f"{in_latin}; the others are found in Latin letters by the sound of their Arabic names."
    if name == "get_narrator_profile" and loaded["narrators_with_notice"] < narrators:
        return f"{loaded['narrators_with_notice']} of {narrators} narrators have a linked notice."
    if name == "get_narrator_hadiths" and loaded["confirmed_nodes"] < nodes:
        return f"{loaded['confirmed_nodes']} of {nodes} nodes of chains are confirmed; only these are counted."
    if name == "get_transmission_relation" and (not relations or loaded["relations_with_text"] < relations):
        return f"{loaded['relations_with_text']} of {relations} recorded relations have their source's text."
    return None


def _openapi(_event: dict[str, Any]) -> dict[str, Any]:
    from isnad_gateway.domain.openapi import openapi  # noqa: PLC0415 - few ask for it, every start would wait for it

    return reply(200, openapi())


def _health(_event: dict[str, Any]) -> dict[str, Any]:
    with reading() as read:
        [row] = read(HEALTH)
    return reply(200, {"status": "ok", "data": "loaded" if row["loaded"] else "empty"})


_ROUTES = {"GET /v1/tools": _tools, "GET /openapi.json": _openapi, "GET /health": _health}


@guarded
def handler(event: dict[str, Any]) -> dict[str, Any]:
    """Answer by route key."""
    route = _ROUTES.get(str(event.get("routeKey")))
    if route is None:
        raise NotFound("There is nothing at this path and method; GET /v1/tools lists the tools.")
    return route(event)
