"""What a provider's module has to offer, and what it is given."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from isnad_gateway.core.errors import InvalidArgument
from isnad_gateway.domain.credential import Connect, Credential, CredentialRequest


@dataclass(frozen=True, slots=True)
class Asked:
    """A valid request, and what the gateway adds to it.

    Attributes:
        request: what was asked for.
        session_id: the id of the session that is about to be opened.
        user: a hash that stands for the caller, for a provider that wants to tell users apart.
    """

    request: CredentialRequest
    session_id: str
    user: str


@dataclass(frozen=True, slots=True)
class Minted:
    """What a provider gave.

    Attributes:
        model: the model that the session will have.
        credential: what opens it; None where the gateway has opened it itself.
        connect: how.
        secret: the secret part of it, or what names the opened session: its hash is journalled, it is not.
        answer: the provider's session description, where the gateway has opened the session.
        session: what the client has to configure, where the credential locks nothing in.
    """

    model: str
    credential: Credential | None
    connect: Connect
    secret: str = field(repr=False)
    answer: str | None = field(default=None, repr=False)
    session: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Issuer:
    """A provider, as its module declares it under the name `ISSUER`.

    Args:
        missing: names the first setting without which no credential can be issued, or None. It asks nobody: what is
            wrong with a secret's content shows when it is read.
        issue: issues one credential, each time a new one. It may raise any `GatewayError`.
        takes_offer: whether the request carries the browser's session description.

    Example:
        A new provider is a module `isnad_providers/providers/<name>.py` and a row in docs/providers.md::

            class Settings(ProviderSettings):
                pass  # what the provider's secret holds beside `api_key`, `endpoint`, `models` and `voices`


            def _issue(asked: Asked) -> Minted:
                return with_key("name", Settings, lambda settings: _mint(asked, settings))


            ISSUER = Issuer(missing=lambda: missing_secret("name"), issue=_issue)

        where `_mint` calls the provider with `calling.post` and makes a `Minted` of its reply. The name of the module is
        the name of the provider, its secret's name ends with it, and nothing else has to know of it.
    """

    missing: Callable[[], str | None]
    issue: Callable[[Asked], Minted]
    takes_offer: bool = False


def choose(name: str, asked: str | None, allowed: Sequence[str]) -> str:
    """The value that was asked for, or the first allowed one.

    Args:
        name: the request's field.
        asked: its value; None asks for the first.
        allowed: what may be asked for.

    Raises:
        InvalidArgument: it is not allowed; the message lists what is.
    """
    if asked is None:
        return allowed[0]
    if asked not in allowed:
        raise InvalidArgument(f"`{name}` must be one of {', '.join(map(repr, allowed))}.")
    return asked
