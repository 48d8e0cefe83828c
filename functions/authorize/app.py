"""The API's authorizer: lets a request through when its token carries the scope of its route."""

import os
from functools import cache
from typing import Any

from isnad_authorizer.keys import Keys, KeysUnavailable
from isnad_authorizer.scopes import ALL, scope_of
from isnad_authorizer.tokens import Caller, Issuer, Refused, bearer, verify
from isnad_gateway.core.logs import Event, frames, log

REFUSED: dict[str, Any] = {"isAuthorized": False}


@cache
def issuer() -> Issuer:
    """Whose tokens are taken, as the environment says: `ISNAD_TOKEN_ISSUER`, `…_AUDIENCE`, `…_KEYS_URL` and, separated
    by commas and mostly empty, `…_DEFAULT_SCOPES`.
    """  # noqa: D205 - one sentence
    given = os.environ.get("ISNAD_TOKEN_DEFAULT_SCOPES", "").split(",")
    return Issuer(
        name=os.environ["ISNAD_TOKEN_ISSUER"],
        audience=os.environ["ISNAD_TOKEN_AUDIENCE"],
        keys=Keys(os.environ["ISNAD_TOKEN_KEYS_URL"]),
        default_scopes=frozenset(scope.strip() for scope in given if scope.strip()),
    )


def _authorize(event: dict[str, Any]) -> Caller:
    needed = scope_of(str(event.get("routeKey")))
    if needed is None:
        raise Refused("route")
    caller = verify(bearer(event.get("headers")), issuer())
    if needed not in caller.scopes:
        raise Refused("scope")
    return caller


def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:  # noqa: ARG001 - Lambda gives both
    """Answer API Gateway's question (payload format 2.0, simple response). Whatever goes wrong, the answer is no.

    Returns:
        `isAuthorized`, and for a caller let in a `context` with `issuer`, `subject` and `scope`, which the functions
        find under `requestContext.authorizer.lambda`.
    """
    try:
        caller = _authorize(event)
    except Refused as refused:
        log(Event.TOKEN_REFUSED, "refusal", reason=refused.reason, route=event.get("routeKey"))
    except KeysUnavailable:
        log(Event.KEYS_UNAVAILABLE, "refusal", route=event.get("routeKey"))
    except Exception as failure:  # noqa: BLE001 - nothing may escape to the platform, which would print it
        log(Event.UNEXPECTED, "failure", error=type(failure).__name__, frames=frames(failure))
    else:
        scopes = " ".join(scope for scope in ALL if scope in caller.scopes)
        return {"isAuthorized": True, "context": {"issuer": issuer().name, "subject": caller.subject, "scope": scopes}}
    return REFUSED
