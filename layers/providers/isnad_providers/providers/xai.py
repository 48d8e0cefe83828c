"""xAI Grok Voice: a client secret that carries no configuration; the client sends it itself when it has connected.

Source: docs.x.ai, "Ephemeral Tokens" (neither `session` nor `expires_after.anchor`) and "Voice Agent API" (`voice` and
`turn_detection` stand at the top of the session; without `turn_detection` nobody tells when the user speaks). Its
official SDK (xai-sdk 1.21.0) has no voice API to hold this against.
"""

from urllib.parse import quote, urlsplit, urlunsplit

from isnad_gateway.domain.credential import Connect
from isnad_providers.instructions import instructions
from isnad_providers.issuer import Asked
from isnad_providers.openai_family import LIFETIME, Dialect, Session, Settings, issuer_of, tools


def _session(_settings: Settings, _model: str, voice: str, asked: Asked) -> Session:
    return {
        "voice": voice,
        "instructions": instructions(asked.request.language).rules,
        "turn_detection": {"type": "server_vad"},
        "tools": tools(),
    }


def _connect(endpoint: str, model: str, secret: str) -> Connect:
    parts = urlsplit(endpoint)
    scheme = "wss" if parts.scheme == "https" else "ws"
    url = urlunsplit((scheme, parts.netloc, f"{parts.path}/realtime", f"model={quote(model, safe='')}", ""))
    return Connect(url=url, transport="websocket", headers={"authorization": f"Bearer {secret}"})


ISSUER = issuer_of(
    Dialect(
        name="xai",
        endpoint="https://api.x.ai/v1",
        models=("grok-voice-latest",),
        voices=("eve", "ara", "rex", "sal", "leo"),
        key_headers=lambda key, _asked: {"authorization": f"Bearer {key}"},
        body=lambda _session: {"expires_after": {"seconds": LIFETIME}},
        connect=_connect,
        session=_session,
        locks=False,
    )
)
