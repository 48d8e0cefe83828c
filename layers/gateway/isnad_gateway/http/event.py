"""API Gateway HTTP API events, payload format 2.0."""

import base64
from typing import Any

from isnad_gateway.core.errors import InvalidArgument

MAX_BODY_BYTES = 64 * 1024  # docs/contract.md, "Bounds"


def body_of(event: dict[str, Any]) -> bytes:
    """The request's body as bytes.

    Args:
        event: the event; `body` may be absent, `isBase64Encoded` says whether it is encoded.

    Raises:
        InvalidArgument: there is no body, it is too large, not base64 where it says so, or not UTF-8.
    """
    body = event.get("body")
    if not isinstance(body, str) or not body:
        raise InvalidArgument("The request has no body; a JSON object is expected.")
    try:
        data = base64.b64decode(body, validate=True) if event.get("isBase64Encoded") is True else body.encode()
        if len(data) > MAX_BODY_BYTES:
            raise InvalidArgument(f"The body is larger than {MAX_BODY_BYTES} bytes.")
        data.decode()
    except UnicodeError:
        raise InvalidArgument("The body is not valid UTF-8.") from None
    except ValueError:  # binascii.Error, or a plain one for letters that base64 does not have
        raise InvalidArgument("The body is not valid base64.") from None
    return data
