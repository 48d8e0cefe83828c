"""The issuer of the OpenAI Realtime family: one way to mint a client secret, and what its dialects do differently.

Source: `ClientSecretCreateParams` and `ClientSecretCreateResponse` of openai 3.57.0, which the tests hold requests and
answers against. A client secret is good for opening sessions until it expires; the session goes on afterwards. Its
holder can change the session's configuration: it is narrow, and no lock (docs/providers.md).
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeAlias

from pydantic import ConfigDict, Field

from isnad_gateway.domain.credential import Connect, Credential, moment
from isnad_gateway.domain.model import Model
from isnad_gateway.domain.registry import CONTRACT, declaration
from isnad_providers.calling import Request, no_answer, post
from isnad_providers.emitters import openai_realtime
from isnad_providers.instructions import instructions
from isnad_providers.issuer import Asked, Issuer, Minted, choose
from isnad_providers.settings import Name, ProviderSettings, missing_secret, not_set_up, with_key

LIFETIME: Final = 60  # seconds: a browser asks for the microphone and negotiates media in that time; 10 are allowed
LONGEST: Final = 7200  # seconds that any of them may give (`ExpiresAfter.seconds`)
VOICES: Final = ("marin", "cedar", "alloy", "ash", "ballad", "coral", "echo", "sage", "shimmer", "verse")
"""`RealtimeAudioConfigOutput.voice` of openai 3.57.0; the two that it recommends first."""

Token = Annotated[str, Field(pattern=r"^[\x21-\x7e]+$", max_length=8192, repr=False)]
"""A secret that can stand in a header: no space, no line end."""


class Settings(ProviderSettings):
    """What the secret of one of the family holds.

    Attributes:
        transcription_model: the model that writes down what the user says.
    """

    transcription_model: Name = "gpt-transcribe"


class Secret(Model):
    """What is needed of an answer (`ClientSecretCreateResponse`)."""

    model_config = ConfigDict(extra="ignore")

    value: Token
    expires_at: int = Field(ge=0, le=2**40)


Session: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Dialect:
    """What one of the family does in its own way.

    Attributes:
        name: the provider's name.
        endpoint: its usual address, or None where the settings have to say it.
        models: the models that may be asked for, or none where the settings have to say them.
        voices: the voices that may be asked for.
        key_headers: the headers that carry the permanent key.
        body: the request's body, from the session's configuration.
        connect: how a session is opened: address, model and client secret in, connection out.
        session: the session's configuration: settings, model, request in.
        locks: whether the secret carries the session's configuration.
    """

    name: str
    endpoint: str | None
    models: tuple[str, ...]
    voices: tuple[str, ...]
    key_headers: Callable[[str, Asked], dict[str, str]]
    body: Callable[[Session], dict[str, Any]]
    connect: Callable[[str, str, str], Connect]
    session: Callable[[Settings, str, str, Asked], Session]
    locks: bool = True


def realtime_session(settings: Settings, model: str, voice: str, asked: Asked) -> Session:
    """The configuration that a secret is minted with (`RealtimeSessionCreateRequest`)."""
    return {
        "type": "realtime",
        "model": model,
        "instructions": instructions(asked.request.language).rules,
        "output_modalities": ["audio"],
        "tools": tools(),
        "tool_choice": "auto",
        "audio": {"input": {"transcription": {"model": settings.transcription_model}}, "output": {"voice": voice}},
    }


def tools() -> list[dict[str, Any]]:
    """The tools of the contract, as the family takes them."""
    return [openai_realtime.emit(declaration(name)) for name in CONTRACT]


def expiring(session: Session) -> dict[str, Any]:
    """The body of a request for a secret with the session's configuration in it."""
    return {"expires_after": {"anchor": "created_at", "seconds": LIFETIME}, "session": session}


def bearer(key: str, asked: Asked) -> dict[str, str]:
    """The permanent key as a bearer token, and the hash that stands for the caller, by which abuse is told apart."""
    return {"authorization": f"Bearer {key}", "openai-safety-identifier": asked.user}


def webrtc(calls: str, secret: str) -> Connect:
    """A browser posts its session description there, with the secret."""
    return Connect(
        url=calls,
        transport="webrtc",
        headers={"authorization": f"Bearer {secret}", "content-type": "application/sdp"},
    )


def issuer_of(dialect: Dialect) -> Issuer:
    """The issuer of one of the family."""
    return Issuer(
        missing=lambda: missing_secret(dialect.name),
        issue=lambda asked: with_key(dialect.name, Settings, lambda settings: _mint(dialect, settings, asked)),
    )


def _mint(dialect: Dialect, settings: Settings, asked: Asked) -> Minted:
    endpoint = settings.endpoint or dialect.endpoint
    models = settings.models or dialect.models
    if endpoint is None or not models:
        raise not_set_up(dialect.name, f"its secret has no '{'endpoint' if endpoint is None else 'models'}'")
    model = choose("model", asked.request.model, models)
    voice = choose("voice", asked.request.voice, settings.voices or dialect.voices)
    session = dialect.session(settings, model, voice, asked)
    secret = post(
        Request(
            provider=dialect.name,
            url=f"{endpoint}/realtime/client_secrets",
            headers=dialect.key_headers(settings.api_key, asked),
            body=dialect.body(session),
        ),
        Secret,
    )
    return Minted(
        model=model,
        credential=client_secret(dialect.name, secret.value, secret.expires_at, settings.api_key),
        connect=dialect.connect(endpoint, model, secret.value),
        secret=secret.value,
        session=None if dialect.locks else session,
    )


def client_secret(provider: str, value: str, expires_at: int, key: str) -> Credential:
    """The credential of an answer, if it is one.

    Args:
        provider: who gave it, for the log.
        value: the secret.
        expires_at: when it expires, in seconds since the epoch.
        key: the permanent key, which must never be what is given away.

    Raises:
        Unavailable: it holds the permanent key, has expired, or lives longer than any should.
    """
    lifetime = expires_at - int(time.time())
    if key in value or not 0 < lifetime <= LONGEST:
        raise no_answer(provider, "the answer holds the key" if key in value else "lifetime out of bounds")
    return Credential(value=value, type="client_secret", expires_at=moment(expires_at), expires_in=lifetime)
