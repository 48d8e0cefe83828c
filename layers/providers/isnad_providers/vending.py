"""From a valid request to an issued credential: the one way through this package."""

import hashlib
import json
import secrets
import time

from isnad_gateway.core.errors import InvalidArgument
from isnad_gateway.domain.credential import CredentialRequest, Issued, moment
from isnad_providers.issuer import Asked, Issuer
from isnad_providers.registry import issuer
from isnad_providers.settings import not_set_up


def session_id(now: float | None = None) -> str:
    """An id that sorts by time: a UUID of version 7 (RFC 9562, section 5.7)."""
    milliseconds = int((time.time() if now is None else now) * 1000) & (2**48 - 1)
    number = milliseconds << 80 | 0x7 << 76 | secrets.randbits(12) << 64 | 0b10 << 62 | secrets.randbits(62)
    text = f"{number:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def checked(request: CredentialRequest) -> Issuer:
    """The provider that a request asks for, as far as can be told without asking anybody.

    Raises:
        InvalidArgument: there is no such provider, or it takes no offer.
        Unavailable: it is not set up; the message says which setting is missing.
    """
    found = issuer(request.provider)
    if request.offer is not None and not found.takes_offer:
        raise InvalidArgument(f"`offer` is not taken by provider '{request.provider}': its client connects by itself.")
    missing = found.missing()
    if missing is not None:
        raise not_set_up(request.provider, missing)
    return found


def vend(request: CredentialRequest, provider: Issuer, *, issuer_of_caller: str, subject: str) -> tuple[Issued, str]:
    """Issue one credential. Each call asks the provider anew: none is kept, none is given twice.

    Args:
        request: what is asked for.
        provider: its provider, see `checked`.
        issuer_of_caller: who vouches for the caller.
        subject: the caller.

    Returns:
        What is answered, and the SHA-256 of its secret part.

    Raises:
        GatewayError: see `Issuer.issue`.
    """
    user = hashlib.sha256(json.dumps([issuer_of_caller, subject]).encode()).hexdigest()
    asked = Asked(request=request, session_id=session_id(), user=user)
    minted = provider.issue(asked)
    issued = Issued(
        provider=request.provider,
        model=minted.model,
        session_id=asked.session_id,
        conversation_id=request.conversation_id,
        credential=minted.credential,
        connect=minted.connect,
        issued_at=moment(time.time()),
        answer=minted.answer,
        session=minted.session,
    )
    return issued, hashlib.sha256(minted.secret.encode()).hexdigest()
