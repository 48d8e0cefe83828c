"""Bearer tokens (JWT, RFC 7519): what is read out of one, and why one is refused."""

import re
from dataclasses import dataclass
from typing import Any, Final

import jwt

from isnad_authorizer.keys import Keys

ALGORITHMS: Final = ("ES256", "RS256")
CLOCK_SKEW: Final = 30  # seconds by which the issuer's clock may differ from ours
_MAX_LENGTH: Final = 8192  # characters; API Gateway takes 10,240 bytes of request line and headers together
_FORM: Final = re.compile(r"[A-Za-z0-9_-]{2,}\.[A-Za-z0-9_-]{2,}\.[A-Za-z0-9_-]{2,}")
_MAX_KEY_ID: Final = 128
_MAX_SUBJECT: Final = 256


class Refused(Exception):
    """The caller is not let in.

    Args:
        reason: one of a few words that say why, for the log; nothing of the token is in it.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Caller:
    """Who a token speaks for.

    Attributes:
        subject: the issuer's id of the user or program.
        scopes: what it may do.
    """

    subject: str
    scopes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Issuer:
    """Whose tokens are taken.

    Attributes:
        name: the `iss` that they carry.
        audience: the `aud` that they carry.
        keys: the issuer's public keys.
        default_scopes: the scopes of a token that carries no `scope` claim; none, as a rule.
    """

    name: str
    audience: str
    keys: Keys
    default_scopes: frozenset[str] = frozenset()


def bearer(headers: Any) -> str:
    """The token of an `Authorization: Bearer …` header.

    Args:
        headers: the request's headers, their names in lower case.

    Raises:
        Refused: there is none.
    """
    value = headers.get("authorization") if isinstance(headers, dict) else None
    scheme, _, token = value.partition(" ") if isinstance(value, str) else ("", "", "")
    if scheme.lower() != "bearer" or not token:
        raise Refused("no token")
    return token


def verify(token: str, issuer: Issuer) -> Caller:
    """Hold a token against its issuer.

    The cheap tests come first, so that what is no token costs nothing.

    Raises:
        Refused: it is malformed, signed by another key or with another algorithm, from another issuer, for another
            audience, expired, not valid yet, or without a subject.
        KeysUnavailable: the issuer's keys cannot be had.
    """
    if len(token) > _MAX_LENGTH or not _FORM.fullmatch(token):
        raise Refused("malformed")
    try:
        header = jwt.get_unverified_header(token)
    except (jwt.PyJWTError, ValueError, RecursionError):
        raise Refused("malformed") from None
    key_id, algorithm = header.get("kid"), header.get("alg")
    if algorithm not in ALGORITHMS:
        raise Refused("algorithm")
    if not isinstance(key_id, str) or len(key_id) > _MAX_KEY_ID:
        raise Refused("unknown key")
    key = issuer.keys.find(key_id)
    if key is None or key.algorithm_name != algorithm:
        raise Refused("unknown key")
    return _caller(_claims(token, key, issuer), issuer)


# The first one that fits gives the reason.
_REASONS: Final[tuple[tuple[type[Exception], str], ...]] = (
    (jwt.InvalidSignatureError, "signature"),
    (jwt.ExpiredSignatureError, "expired"),
    (jwt.ImmatureSignatureError, "not valid yet"),
    (jwt.InvalidIssuerError, "issuer"),
    (jwt.InvalidAudienceError, "audience"),
    (jwt.MissingRequiredClaimError, "missing claim"),
    (Exception, "malformed"),
)


def _claims(token: str, key: jwt.PyJWK, issuer: Issuer) -> dict[str, Any]:
    try:
        return jwt.decode(
            token,
            key,
            algorithms=list(ALGORITHMS),
            issuer=issuer.name,
            audience=issuer.audience,
            leeway=CLOCK_SKEW,
            options={"require": ["iss", "aud", "exp", "iat", "sub"]},
        )
    except (jwt.PyJWTError, ValueError, TypeError, OverflowError, RecursionError) as error:
        raise Refused(next(reason for kind, reason in _REASONS if isinstance(error, kind))) from None


def _caller(claims: dict[str, Any], issuer: Issuer) -> Caller:
    """Read subject and scopes; `scope` is a list in words separated by spaces (RFC 8693, section 4.2)."""
    subject, scope = claims["sub"], claims.get("scope")
    if not isinstance(subject, str) or not 0 < len(subject) <= _MAX_SUBJECT:
        raise Refused("malformed")
    if scope is None:
        return Caller(subject, issuer.default_scopes)
    if not isinstance(scope, str):
        raise Refused("malformed")
    return Caller(subject, frozenset(scope.split()))
