"""The journal of credentials: one structured line a request, with a fixed set of fields. No tool loads it."""

from isnad_gateway.core.errors import GatewayError
from isnad_gateway.core.logs import Event, log, timestamp
from isnad_gateway.domain.credential import CredentialRequest, Issued
from isnad_gateway.http.event import Caller
from isnad_gateway.http.reply import error_body


def write_credential(
    caller: Caller,
    asked: CredentialRequest | None,
    issued: Issued | None,
    sha256: str | None,
    error: GatewayError | None,
) -> None:
    """Write the line of one request for a provider credential: who was given what, for how long; never the value.

    Args:
        caller: who asked.
        asked: the request, or None where it was none.
        issued: what was given, or None.
        sha256: the hash of the secret part of what was given, by which it is recognised where it turns up.
        error: why nothing was given, or None.
    """
    credential = None if issued is None else issued.credential
    log(
        Event.CREDENTIAL_ISSUED if issued is not None else Event.CREDENTIAL_REFUSED,
        "credential",
        issuer=caller.issuer,
        subject=caller.subject,
        provider=None if asked is None else asked.provider,
        model=None if issued is None else issued.model,
        language=None if asked is None else asked.language,
        conversation_id=None if asked is None else asked.conversation_id,
        session_id=None if issued is None else issued.session_id,
        type=None if credential is None else credential.type,
        expires_at=None if credential is None else credential.expires_at,
        expires_in=None if credential is None else credential.expires_in,
        sha256=sha256,
        error=None if error is None else error_body(error),
        timestamp=timestamp(),
    )
