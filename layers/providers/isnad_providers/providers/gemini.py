"""Gemini Live: an auth token for one session, with the whole configuration locked in.

Source: `CreateAuthTokenConfig`, `LiveConnectConstraints` and `AuthToken` of google-genai 3.6.1, and what its
`auth_tokens.create` puts on the wire. The configuration is given and no field mask: then everything is locked, also what
is not set; an empty list of further fields would lock only what is set.
"""

import time
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from pydantic import ConfigDict, Field

from isnad_gateway.domain.credential import Connect, Credential, moment
from isnad_gateway.domain.model import Model
from isnad_gateway.domain.registry import CONTRACT, declaration
from isnad_providers.calling import Request, no_answer, post
from isnad_providers.emitters import gemini
from isnad_providers.instructions import instructions
from isnad_providers.issuer import Asked, Issuer, Minted, choose
from isnad_providers.settings import ProviderSettings, missing_secret, with_key

NAME: Final = "gemini"
ENDPOINT: Final = "https://generativelanguage.googleapis.com"
LIFETIME: Final = 60  # seconds to open the session in, the provider's own default
SESSION: Final = 900  # seconds after which the token's session is closed: the longest that a session lasts uncompressed
MODELS: Final = ("gemini-3.1-flash-live-preview",)
VOICES: Final = (
    "Puck", "Charon", "Kore", "Fenrir", "Aoede", "Leda", "Orus", "Zephyr", "Callirrhoe", "Autonoe", "Enceladus",
    "Iapetus", "Umbriel", "Algieba", "Despina", "Erinome", "Algenib", "Rasalgethi", "Laomedeia", "Achernar", "Alnilam",
    "Schedar", "Gacrux", "Pulcherrima", "Achird", "Zubenelgenubi", "Vindemiatrix", "Sadachbia", "Sadaltager", "Sulafat",
)  # fmt: skip


class Settings(ProviderSettings):
    """What the secret holds.

    Attributes:
        api_version: the version under which tokens are issued and taken.
    """

    api_version: str = Field(default="v1alpha", pattern=r"^v1[a-z]*$")


class Token(Model):
    """What is needed of an answer (`AuthToken`): its name is the token itself."""

    model_config = ConfigDict(extra="ignore")

    name: str = Field(pattern=r"^auth_tokens/[\x21-\x7e]+$", max_length=8192, repr=False)


def setup(model: str, voice: str, asked: Asked) -> dict[str, Any]:
    """The session's configuration (`LiveConnectConstraints`, as `bidiGenerateContentSetup`)."""
    return {
        "model": f"models/{model}",
        "generationConfig": {
            "responseModalities": ["AUDIO"],
            "speechConfig": {"voiceConfig": {"prebuiltVoiceConfig": {"voiceName": voice}}},
        },
        "systemInstruction": {"parts": [{"text": instructions(asked.request.language).rules}], "role": "user"},
        "tools": [{"functionDeclarations": [gemini.emit(declaration(name)) for name in CONTRACT]}],
        "inputAudioTranscription": {},
        "outputAudioTranscription": {},
    }


def _mint(settings: Settings, asked: Asked) -> Minted:
    model = choose("model", asked.request.model, settings.models or MODELS)
    voice = choose("voice", asked.request.voice, settings.voices or VOICES)
    endpoint = settings.endpoint or ENDPOINT
    now = time.time()
    token = post(
        Request(
            provider=NAME,
            url=f"{endpoint}/{settings.api_version}/auth_tokens",
            headers={"x-goog-api-key": settings.api_key},
            body={
                "uses": 1,
                "newSessionExpireTime": moment(now + LIFETIME),
                "expireTime": moment(now + SESSION),
                "bidiGenerateContentSetup": setup(model, voice, asked),
            },
            is_key_fault=_is_key_fault,
        ),
        Token,
    ).name
    if settings.api_key in token:
        raise no_answer(NAME, "the answer holds the key")
    expires_at = int(now) + LIFETIME
    return Minted(
        model=model,
        credential=Credential(
            value=token,
            type="auth_token",
            expires_at=moment(expires_at),
            expires_in=max(1, expires_at - int(time.time())),
        ),
        connect=_connect(endpoint, settings.api_version, token),
        secret=token,
    )


def _connect(endpoint: str, version: str, token: str) -> Connect:
    parts = urlsplit(endpoint)
    service = f"google.ai.generativelanguage.{version}.GenerativeService.BidiGenerateContentConstrained"
    scheme = "wss" if parts.scheme == "https" else "ws"
    url = urlunsplit((scheme, parts.netloc, f"{parts.path}/ws/{service}", "", ""))
    return Connect(url=url, transport="websocket", headers={"authorization": f"Token {token}"})


def _is_key_fault(told: Any) -> bool:
    """Whether an answer with status 400 says that the key is not valid, which Google does not say with 401."""
    error = told.get("error") if isinstance(told, dict) else None
    details = error.get("details") if isinstance(error, dict) else None
    reasons = (
        [detail.get("reason") for detail in details if isinstance(detail, dict)] if isinstance(details, list) else []
    )
    return bool({"API_KEY_INVALID", "API_KEY_EXPIRED"} & {reason for reason in reasons if isinstance(reason, str)})


ISSUER = Issuer(
    missing=lambda: missing_secret(NAME),
    issue=lambda asked: with_key(NAME, Settings, lambda settings: _mint(settings, asked)),
)
