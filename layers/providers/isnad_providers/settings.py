"""A provider's settings and permanent key: one secret a provider, fetched when it is needed, kept for minutes.

`ISNAD_PROVIDER_SECRETS` lists the secrets, separated by commas; the last part of a secret's name is the provider's
(`isnad/openai`). So a new provider needs no new variable. A rotated key is noticed in two ways: what is kept grows old,
and a provider that refuses a key has it fetched anew at once.
"""

import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Annotated, Final, TypeVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, ValidationError

from isnad_gateway.core import secrets
from isnad_gateway.core.errors import InternalError, Unavailable
from isnad_gateway.core.logs import Event, log
from isnad_gateway.domain.model import Model
from isnad_providers.calling import KeyRefused

VARIABLE: Final = "ISNAD_PROVIDER_SECRETS"
MAX_AGE: Final = 300.0  # seconds that a secret is kept
_ASK_AGAIN: Final = 30.0  # seconds until Secrets Manager is asked again that was down
_NOT_SET_UP: Final = 60  # seconds after which a caller may ask again whether a provider is set up
_LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
_ARN: Final = re.compile(r"arn:[^:]*:secretsmanager:[^:]*:[^:]*:secret:(.+)-[A-Za-z0-9]{6}")


def _secure(address: str) -> str:
    """Refuse an address to which a key would travel in the clear."""
    parts = urlsplit(address)
    if not parts.hostname or parts.username or parts.query or parts.fragment:
        raise ValueError("is an address without user, query and fragment")
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        raise ValueError("begins with https")
    return address.rstrip("/")


Endpoint = Annotated[str, Field(max_length=512), AfterValidator(_secure)]
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:-]*$", max_length=128)]
Names = Annotated[tuple[Name, ...], Field(min_length=1, max_length=64)]


class ProviderSettings(Model):
    """What a provider's secret holds, a JSON object.

    Attributes:
        api_key: the permanent key. It is not part of the representation.
        endpoint: where the provider is asked, where that is not its usual address.
        models: the models that may be asked for, the one that is taken by default first.
        voices: the voices that may be asked for.
    """

    api_key: str = Field(pattern=r"^[\x21-\x7e]+$", min_length=8, max_length=1024, repr=False)
    endpoint: Endpoint | None = None
    models: Names | None = None
    voices: Names | None = None


SettingsT = TypeVar("SettingsT", bound=ProviderSettings)
ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class _Kept:
    text: str
    fetched: float


_lock = Lock()
_kept: dict[str, _Kept] = {}


def forget() -> None:
    """Forget every kept secret."""
    with _lock:
        _kept.clear()


def not_set_up(provider: str, why: str) -> Unavailable:
    """The error for a provider that lacks a setting.

    Args:
        provider: its name.
        why: which setting, in words.
    """
    return Unavailable(f"Provider '{provider}' is not set up: {why}.", retry_after=_NOT_SET_UP)


def _secret_of(provider: str) -> str | None:
    """The ARN or name of a provider's secret, or None."""
    for listed in os.environ.get(VARIABLE, "").split(","):
        found = _ARN.fullmatch(listed.strip())
        name = found.group(1) if found else listed.strip()
        if name and name.rsplit("/", 1)[-1] == provider:
            return listed.strip()
    return None


def missing_secret(provider: str) -> str | None:
    """What is missing where no secret is listed for a provider; nobody is asked."""
    return None if _secret_of(provider) else f"{VARIABLE} lists no secret for it"


def _fetched(arn: str) -> str:
    """The secret's text, fetched now; what was kept before where Secrets Manager is down.

    Raises:
        Unavailable: it is down, and nothing was kept.
    """
    try:
        text = secrets.read_secret(arn)
    except Unavailable:
        if arn in _kept:
            _kept[arn] = _Kept(_kept[arn].text, time.monotonic() - MAX_AGE + _ASK_AGAIN)
            return _kept[arn].text
        raise Unavailable("The provider's key cannot be fetched; try again.") from None
    assert text is not None  # only a pending version may be absent
    _kept[arn] = _Kept(text, time.monotonic())
    return text


def _text(arn: str, *, anew: bool) -> str:
    with _lock:
        kept = _kept.get(arn)
        if kept is not None and not anew and time.monotonic() - kept.fetched < MAX_AGE:
            return kept.text
        return _fetched(arn)


def settings_of(provider: str, kind: type[SettingsT], *, anew: bool = False) -> SettingsT:
    """A provider's settings.

    Args:
        provider: its name.
        kind: what its secret has to hold.
        anew: fetch the secret, however fresh the kept one is.

    Raises:
        Unavailable: there is no secret, it lacks a field or holds a wrong one, or Secrets Manager is down. Neither the
            message nor the log repeats anything of it but the names of fields.
    """
    arn = _secret_of(provider)
    if arn is None:
        raise not_set_up(provider, f"{VARIABLE} lists no secret for it")
    try:
        return kind.model_validate_json(_text(arn, anew=anew))
    except ValidationError as invalid:
        fault = invalid.errors(include_url=False, include_input=False, include_context=False)[0]
        field = str(fault["loc"][0]) if fault["loc"] else ""
        why = f"its secret has no '{field}'" if fault["type"] == "missing" else f"'{field}' of its secret is not valid"
        if field not in kind.model_fields:
            why = "its secret holds a field that is not known" if field else "its secret is no JSON object"
        log(Event.PROVIDER_SETTINGS_UNREADABLE, "provider", name=provider, fault=why)
        raise not_set_up(provider, why) from None


def with_key(provider: str, kind: type[SettingsT], attempt: Callable[[SettingsT], ResultT]) -> ResultT:
    """Do something with a provider's permanent key; where the provider refuses it, once more with a newer one.

    Args:
        provider: its name.
        kind: what its secret has to hold.
        attempt: what is done; it raises `KeyRefused` where the provider refuses the key.

    Raises:
        InternalError: the provider refuses the newest key. The log line is what an alarm waits for.
        GatewayError: what `settings_of` and the attempt raise.
    """
    settings = settings_of(provider, kind)
    try:
        return attempt(settings)
    except KeyRefused as refused:
        refusal = refused
    fresh = settings_of(provider, kind, anew=True)
    if fresh.api_key != settings.api_key:
        log(Event.PROVIDER_KEY_RENEWED, "provider", name=provider)
        try:
            return attempt(fresh)
        except KeyRefused as refused:
            refusal = refused
    log(Event.PROVIDER_KEY_REFUSED, "provider", name=provider, status=refusal.status, code=refusal.code)
    raise InternalError
