"""Replies in the form that API Gateway takes from a function."""

from collections.abc import Mapping
from typing import Any

from pydantic_core import to_json

from isnad_gateway.core.errors import GatewayError


def reply(status: int, payload: Any, headers: dict[str, str] | None = None) -> dict[str, Any]:
    """A JSON reply in UTF-8.

    Args:
        status: the HTTP status.
        payload: what the body says; it holds no NaN and no infinity (`domain.rules` refuses both).
        headers: further headers.
    """
    return {
        "statusCode": status,
        "headers": {"content-type": "application/json; charset=utf-8", "cache-control": "no-store", **(headers or {})},
        "body": to_json(payload).decode(),
        "isBase64Encoded": False,
    }


def error_body(error: GatewayError) -> dict[str, str]:
    """An error as the caller sees it: its code and its message, nothing more."""
    return {"code": error.code, "message": error.message}


def error_reply(error: GatewayError) -> dict[str, Any]:
    """The bare error reply of the routes that have no envelope."""
    return reply(error.status, {"error": error_body(error)}, error.headers)


def envelope(
    tool_name: str, echo: Mapping[str, Any], result: dict[str, Any] | None, error: GatewayError | None
) -> dict[str, Any]:
    """The reply of a tool's route; exactly one of `result` and `error` is given."""
    body = {"tool_name": tool_name, **echo, "result": result, "error": None if error is None else error_body(error)}
    return reply(200 if error is None else error.status, body, None if error is None else error.headers)
