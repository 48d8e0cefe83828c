"""GET /v1/tools, GET /health, and NOT_FOUND for everything else."""

import json
from typing import Any

import pytest
from functions.list_tools.app import handler
from jsonschema import Draft202012Validator
from tests.conftest import Database, connected, load_event

from isnad_gateway.domain.registry import CONTRACT, declaration
from isnad_gateway.domain.schema import json_schema, limits

pytestmark = pytest.mark.usefixtures("gateway")
HEADERS = {"content-type": "application/json; charset=utf-8", "cache-control": "no-store"}


def _ask(route: str | None, **changes: Any) -> tuple[int, Any]:
    answer = handler({**load_event("list_tools"), "routeKey": route, **changes}, None)
    assert answer["headers"] == HEADERS
    assert answer["isBase64Encoded"] is False
    return answer["statusCode"], json.loads(answer["body"])


def test_tools() -> None:
    status, body = _ask("GET /v1/tools")
    assert status == 200
    assert body["mode"] == "voice"
    assert [tool["name"] for tool in body["tools"]] == list(CONTRACT)
    for tool in body["tools"]:
        declared = declaration(tool["name"])
        assert tool == {
            "name": declared.name,
            "notice": declared.notice,
            "arguments": json_schema(declared.arguments),
            "result": json_schema(declared.result),
            "limits": limits(declared),
            "status": tool["status"],
            "capability_note": tool["capability_note"],
        }
        Draft202012Validator.check_schema(tool["arguments"])
    told = {tool["name"]: (tool["status"], tool["capability_note"]) for tool in body["tools"]}
    assert told["search_hadith"] == ("PARTIAL", "0 of 14940 hadiths have a French text.")
    assert told["get_hadith_commentary"] == ("PARTIAL", "80 of 14940 hadiths have published commentary.")
    assert told["get_hadith"] == ("READY", None)
    assert all((status == "READY") == (note is None) for status, note in told.values())


def test_collections() -> None:
    _, body = _ask("GET /v1/tools")
    assert [{key: each[key] for key in each if key != "id"} for each in body["collections"]] == [
        {"code": "bukhari", "name_ar": "صحيح البخاري", "name": "Sahih al-Bukhari"},
        {"code": "muslim", "name_ar": "صحيح مسلم", "name": "Sahih Muslim"},
    ]
    ids = [each["id"] for each in body["collections"]]
    assert len(set(ids)) == 2
    assert all(type(each) is int for each in ids)


@pytest.mark.parametrize("mode", ["voice", "agent"])
def test_modes(mode: str) -> None:
    status, body = _ask("GET /v1/tools", queryStringParameters={"mode": mode})
    assert (status, body["mode"]) == (200, mode)


@pytest.mark.parametrize("mode", ["", "Voice", "voice,agent"])
def test_unknown_mode(mode: str) -> None:
    assert _ask("GET /v1/tools", queryStringParameters={"mode": mode}) == (
        400,
        {"error": {"code": "INVALID_ARGUMENT", "message": "`mode` must be 'voice' or 'agent'."}},
    )


def test_health(empty_database: Database) -> None:
    assert _ask("GET /health") == (200, {"status": "ok", "data": "loaded"})
    with connected(empty_database.reader):
        assert _ask("GET /health") == (200, {"status": "ok", "data": "empty"})


@pytest.mark.parametrize("route", ["$default", "POST /v1/tools", "GET /", None, "GET /v1/tools/unknown"])
def test_everything_else(route: str | None) -> None:
    assert _ask(route) == (
        404,
        {
            "error": {
                "code": "NOT_FOUND",
                "message": "There is nothing at this path and method; GET /v1/tools lists the tools.",
            }
        },
    )


def test_bare_event() -> None:
    assert handler({}, None)["statusCode"] == 404
