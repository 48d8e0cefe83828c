"""The OpenAPI document, made from the declarations: what `GET /openapi.json` serves and `docs/openapi.json` keeps."""

from functools import cache
from typing import Any, Final

from isnad_gateway.core import errors
from isnad_gateway.domain.credential import CredentialRequest
from isnad_gateway.domain.openapi_parts import TOKEN, closed, content, refusals
from isnad_gateway.domain.registry import CONTRACT, declaration
from isnad_gateway.domain.schema import json_schema
from isnad_gateway.domain.tool import Envelope, Tool
from isnad_gateway.domain.turn_record import TurnReport

_OF_CALLS: Final = (
    errors.InvalidArgument,
    errors.NotFound,
    errors.InsufficientEvidence,
    errors.LimitExceeded,
    errors.BudgetSpent,
    errors.InternalError,
    errors.Unavailable,
)
_TEXT: Final[dict[str, Any]] = {"type": "string"}
_TEXT_OR_NULL: Final[dict[str, Any]] = {"type": ["string", "null"]}
_NUMBER: Final[dict[str, Any]] = {"type": "integer"}
_TIME: Final[dict[str, Any]] = {"type": "string", "format": "date-time"}


@cache
def openapi() -> dict[str, Any]:
    """The document (OpenAPI 3.1) of the routes that are built."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "ISNAD Live Gateway",
            "version": "1",
            "description": "Named, read-only tools over a hadith database. Every answer says how well it is supported "
            "and by which source.",
        },
        "paths": {
            **{f"/v1/tools/{name}": {"post": _call(declaration(name))} for name in CONTRACT},
            "/v1/tools": {"get": _list()},
            "/v1/credentials": {"post": _credential()},
            "/v1/turns": {"post": _record()},
            "/v1/turns/{conversation_id}": {"get": _turns()},
            "/v1/turns/{conversation_id}/{turn_id}": {"get": _turn()},
            "/openapi.json": {"get": _document()},
            "/health": {"get": _health()},
        },
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
            "schemas": _schemas(),
        },
    }


def _schemas() -> dict[str, Any]:
    error = {"$ref": "#/components/schemas/Error"}
    codes = sorted({kind.code for kind in _OF_CALLS})
    return {
        "Error": closed(code={"type": "string", "enum": codes}, message=_TEXT),
        "Refusal": closed(error=error),
        "CallRefusal": closed(tool_name=_TEXT, **_echo(nullable=True), result={"type": "null"}, error=error),
        "PlatformRefusal": {
            "description": "What API Gateway refuses by itself.",
            "type": "object",
            "properties": {"message": _TEXT_OR_NULL},
        },
        "Plan": {
            "description": "What a call would do: the result of a dry run.",
            **closed(
                dry_run={"const": True},
                arguments={"type": "object"},
                takes=_TEXT,
                budget={"type": ["object", "null"]},
                refusal={"anyOf": [error, {"type": "null"}]},
            ),
        },
    }


def _echo(*, nullable: bool) -> dict[str, Any]:
    """The fields of the envelope that a reply gives back; null where the request's own was not valid."""
    fields = json_schema(Envelope)["properties"]
    kinds = {name: fields[name]["type"] for name in ("conversation_id", "session_id", "turn_id", "call_id")}
    return {
        name: {"type": [kind, "null"] if nullable and isinstance(kind, str) else kind} for name, kind in kinds.items()
    }


def _call(tool: Tool[Any, Any]) -> dict[str, Any]:
    result = {"anyOf": [json_schema(tool.result), {"$ref": "#/components/schemas/Plan"}]}
    answer = closed(tool_name={"const": tool.name}, **_echo(nullable=False), result=result, error={"type": "null"})
    return {
        "operationId": tool.name,
        "summary": "A call of the tool (scope `tools`)",
        "description": tool.notice,
        "security": TOKEN,
        "parameters": [
            {
                "name": "dry_run",
                "in": "query",
                "description": "Say what the call would do, without making it",
                "schema": {"type": "string", "enum": ["true", "false"], "default": "false"},
            }
        ],
        "requestBody": {"required": True, "content": {"application/json": {"schema": json_schema(tool.call)}}},
        "responses": {"200": content(answer, "The result"), **refusals(*_OF_CALLS, schema="CallRefusal")},
    }


def _list() -> dict[str, Any]:
    tool = closed(
        name={"type": "string", "enum": list(CONTRACT)},
        notice=_TEXT,
        arguments={"type": "object", "description": "A JSON Schema"},
        result={"type": "object", "description": "A JSON Schema"},
        limits={**closed(default=_NUMBER, maximum=_NUMBER), "type": ["object", "null"]},
        status={"type": "string", "enum": ["READY", "PARTIAL"]},
        capability_note=_TEXT_OR_NULL,
    )
    collection = closed(id=_NUMBER, code=_TEXT, name_ar=_TEXT_OR_NULL, name=_TEXT_OR_NULL)
    modes = {"type": "string", "enum": ["voice", "agent"]}
    answer = closed(
        mode=modes, tools={"type": "array", "items": tool}, collections={"type": "array", "items": collection}
    )
    return {
        "operationId": "list_tools",
        "summary": "The tools, their JSON Schemas, limits and present gaps, and the loaded collections (scope `tools`)",
        "security": TOKEN,
        "parameters": [{"name": "mode", "in": "query", "schema": {**modes, "default": "voice"}}],
        "responses": {
            "200": content(answer, "The tools"),
            **refusals(errors.InvalidArgument, errors.InternalError, errors.Unavailable),
        },
    }


def _record() -> dict[str, Any]:
    return {
        "operationId": "record_turn",
        "summary": "Keep what happened in a turn, once (scope `turns`)",
        "security": TOKEN,
        "requestBody": {"required": True, "content": {"application/json": {"schema": json_schema(TurnReport)}}},
        "responses": {
            "200": content({"type": "object"}, "The record"),
            **refusals(errors.InvalidArgument, errors.InternalError, errors.Unavailable),
        },
    }


def _credential() -> dict[str, Any]:
    aws_session = closed(access_key_id=_TEXT, secret_access_key=_TEXT, session_token=_TEXT)
    credential = closed(
        value={"anyOf": [_TEXT, aws_session]}, type=_TEXT, expires_at=_TIME, expires_in={**_NUMBER, "minimum": 1}
    )
    connect = closed(
        url=_TEXT,
        transport={"type": "string", "enum": ["webrtc", "websocket", "http2"]},
        headers={"type": "object", "additionalProperties": _TEXT},
    )
    common = {"provider": _TEXT, "model": _TEXT, "session_id": _TEXT, "conversation_id": _TEXT}
    issued = closed(**common, credential=credential, connect=connect, issued_at=_TIME)
    issued["properties"]["session"] = {
        "type": "object", "description": "What the client has to configure, where the credential locks nothing in",
    }  # fmt: skip
    opened = closed(**common, credential={"type": "null"}, connect=connect, issued_at=_TIME, answer=_TEXT)
    return {
        "operationId": "vend_credential",
        "summary": "A short-lived credential with which one session is opened at a voice provider (scope `credentials`)",
        "security": TOKEN,
        "requestBody": {"required": True, "content": {"application/json": {"schema": json_schema(CredentialRequest)}}},
        "responses": {
            "200": content({"anyOf": [issued, opened]}, "The credential, or the answer to the offer"),
            **refusals(errors.InvalidArgument, errors.RateSpent, errors.InternalError, errors.Unavailable),
        },
    }


def _turns() -> dict[str, Any]:
    number = {"type": "string", "pattern": "^[1-9][0-9]{0,8}$"}
    turn = closed(
        turn_id=_NUMBER,
        calls=_NUMBER,
        research_calls=_NUMBER,
        recorded_at=_TEXT_OR_NULL,
        evidence_status=_TEXT_OR_NULL,
        coherence_check=_TEXT_OR_NULL,
    )
    answer = closed(conversation_id=_TEXT, turns={"type": "array", "items": turn}, truncated={"type": "boolean"})
    return _inspection(
        "inspect_turns",
        "The turns of one of the caller's conversations, the latest first (scope `audit`)",
        [_CONVERSATION, {"name": "before", "in": "query", "description": "Turns before this one", "schema": number}],
        answer,
    )


_CONVERSATION: Final = {"name": "conversation_id", "in": "path", "required": True, "schema": {**_TEXT, "minLength": 1}}


def _turn() -> dict[str, Any]:
    number = {"name": "turn_id", "in": "path", "required": True, "schema": {**_NUMBER, "minimum": 1, "maximum": 2**31}}
    answer = closed(
        conversation_id=_TEXT,
        turn_id=_NUMBER,
        budget={"type": "object"},
        calls={"type": "array", "items": {"type": "object"}},
        truncated={"type": "boolean"},
        record={"type": ["object", "null"]},
    )
    return _inspection(
        "inspect_turn",
        "One of the caller's turns, whole (scope `audit`)",
        [_CONVERSATION, number, {"name": "call_id", "in": "query", "description": "This call alone", "schema": _TEXT}],
        answer,
    )


def _inspection(name: str, summary: str, parameters: list[dict[str, Any]], answer: dict[str, Any]) -> dict[str, Any]:
    return {
        "operationId": name,
        "summary": summary,
        "security": TOKEN,
        "parameters": parameters,
        "responses": {
            "200": content(answer, "What the ledger holds"),
            **refusals(errors.InvalidArgument, errors.NotFound, errors.InternalError, errors.Unavailable),
        },
    }


def _document() -> dict[str, Any]:
    return {
        "operationId": "openapi",
        "summary": "This document",
        "security": [],
        "responses": {
            "200": content({"type": "object"}, "An OpenAPI document"),
            **refusals(errors.InternalError, protected=False),
        },
    }


def _health() -> dict[str, Any]:
    answer = closed(status={"const": "ok"}, data={"type": "string", "enum": ["loaded", "empty"]})
    return {
        "operationId": "health",
        "summary": "Whether the database answers, and whether anything is loaded",
        "security": [],
        "responses": {
            "200": content(answer, "It answers"),
            **refusals(errors.InternalError, errors.Unavailable, protected=False),
        },
    }
