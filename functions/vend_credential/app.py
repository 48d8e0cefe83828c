"""POST /v1/credentials: a short-lived credential with which a client opens one session at a voice provider."""

from typing import Any

from isnad_gateway.core.errors import GatewayError, RateSpent, Unavailable
from isnad_gateway.core.ledger_settings import ledger_settings
from isnad_gateway.core.logs import Event, log
from isnad_gateway.data.rate_limit import Spent, count_credential
from isnad_gateway.data.table import LedgerDown
from isnad_gateway.domain.credential import CredentialRequest, Issued
from isnad_gateway.http.credential_journal import write_credential
from isnad_gateway.http.event import Caller, body_of, caller_of
from isnad_gateway.http.faults import parse_body
from isnad_gateway.http.guard import as_known, guarded
from isnad_gateway.http.reply import error_reply, reply
from isnad_providers.vending import checked, vend


@guarded
def handler(event: dict[str, Any]) -> dict[str, Any]:
    """Issue the credential, and write who was given what into the journal; never the value."""
    caller = caller_of(event)
    asked: CredentialRequest | None = None
    issued: Issued | None = None
    sha256: str | None = None
    error: GatewayError | None = None
    try:
        asked = parse_body(CredentialRequest, body_of(event))
        provider = checked(asked)
        _count(caller)
        issued, sha256 = vend(asked, provider, issuer_of_caller=caller.issuer, subject=caller.subject)
    except Exception as failure:  # noqa: BLE001 - each refusal has its line, too
        error = as_known(failure)
    write_credential(caller, asked, issued, sha256, error)
    if issued is None:
        assert error is not None
        return error_reply(error)
    return reply(200, issued.body())


def _count(caller: Caller) -> None:
    """Count the request against the caller's rate.

    A credential costs money at the provider and opens a way to it, so that none is issued that cannot be counted.

    Raises:
        RateSpent: the caller has asked too often.
        Unavailable: nothing can be counted: no ledger is set up, or it is down.
    """
    settings = ledger_settings()
    if settings is None:
        raise Unavailable("No turn ledger is set up, and no credential is issued without counting it.")
    try:
        count_credential(caller.issuer, caller.subject, settings)
    except Spent as spent:
        raise RateSpent(
            f"At most {settings.credentials_per_minute} credentials a minute are issued to one caller; try again later.",
            retry_after=spent.seconds,
        ) from None
    except LedgerDown as down:
        log(Event.LEDGER_UNREADABLE, "ledger", error=down.reason)
        raise Unavailable("The turn ledger cannot be reached; try again.") from None
