"""API Gateway HTTP API events, payload format 2.0."""

import base64
from typing import Any, NamedTuple

from isnad_gateway.core.errors import InvalidArgument
from isnad_gateway.data.table import Place, partition_of

MAX_BODY_BYTES = 64 * 1024  # docs/contract.md, "Bounds"


class Caller(NamedTuple):
    """Who calls, as the authorizer says; both are empty where none is asked.

    Attributes:
        issuer: who vouches for the subject: the token's `iss`.
        subject: the issuer's id of the user or program: the token's `sub`.
    """

    issuer: str = ""
    subject: str = ""


def caller_of(event: dict[str, Any]) -> Caller:
    """Who calls: `issuer` and `subject` of `requestContext.authorizer.lambda`."""
    said: Any = event
    for key in ("requestContext", "authorizer", "lambda"):
        said = said.get(key) if isinstance(said, dict) else None
    if not isinstance(said, dict):
        return Caller()
    return Caller(str(said.get("issuer") or ""), str(said.get("subject") or ""))


def place_of(event: dict[str, Any], conversation_id: str, turn_id: int) -> Place:
    """Where a caller's turn stands in the ledger."""
    caller = caller_of(event)
    return Place(partition_of(caller.issuer, caller.subject, conversation_id), turn_id)


def request_id_of(event: dict[str, Any]) -> str | None:
    """API Gateway's id of the request, by which its lines are found in the logs; None where the event has none."""
    context = event.get("requestContext")
    request_id = context.get("requestId") if isinstance(context, dict) else None
    return request_id if isinstance(request_id, str) and request_id else None


def body_of(event: dict[str, Any], max_bytes: int = MAX_BODY_BYTES) -> bytes:
    """The request's body as bytes.

    Args:
        event: the event; `body` may be absent, `isBase64Encoded` says whether it is encoded.
        max_bytes: how large it may be.

    Raises:
        InvalidArgument: there is no body, it is too large, not base64 where it says so, or not UTF-8.
    """
    body = event.get("body")
    if not isinstance(body, str) or not body:
        raise InvalidArgument("The request has no body; a JSON object is expected.")
    try:
        data = base64.b64decode(body, validate=True) if event.get("isBase64Encoded") is True else body.encode()
        if len(data) > max_bytes:
            raise InvalidArgument(f"The body is larger than {max_bytes} bytes.")
        data.decode()
    except UnicodeError:
        raise InvalidArgument("The body is not valid UTF-8.") from None
    except ValueError:  # binascii.Error, or a plain one for letters that base64 does not have
        raise InvalidArgument("The body is not valid base64.") from None
    return data
