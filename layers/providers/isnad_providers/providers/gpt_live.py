"""OpenAI GPT-Live: there is no ephemeral key, so the gateway opens the session with the browser's offer itself.

Source: `LiveCreateParams` and `LiveCreateResponse` of openai 3.57.0. What the browser may send over the data channel, and
what it hears there, is named: by default it could change the instructions and the tools. A session is paid for from its
start, so that a request whose fate is not known is never sent twice.
"""

from typing import Any, Final

from pydantic import ConfigDict, Field

from isnad_gateway.core.errors import InvalidArgument
from isnad_gateway.domain.credential import MAX_OFFER, Connect
from isnad_gateway.domain.model import Model
from isnad_gateway.domain.registry import CONTRACT, declaration
from isnad_providers.calling import Request, post
from isnad_providers.emitters import openai_strict
from isnad_providers.instructions import instructions
from isnad_providers.issuer import Asked, Issuer, Minted, choose
from isnad_providers.settings import Name, ProviderSettings, missing_secret, with_key

NAME: Final = "gpt_live"
ENDPOINT: Final = "https://api.openai.com/v1"
MODELS: Final = ("gpt-live-1.1", "gpt-live-1")
VOICES: Final = (
    "marin", "alloy", "ash", "ballad", "beacon", "bossa", "cedar", "cinder", "coral", "delta", "echo", "gleam", "meridian",
    "quartz", "ripple", "sage", "shida", "shimmer", "stone", "tempo", "verse", "vesper", "willow",
)  # fmt: skip
"""`BuiltInVoice` of openai 3.57.0, its default first."""

CLIENT_EVENTS: Final = (
    "response.item.create",  # the result of a tool
    "response.create",
    "session.input_audio.mute",
    "session.input_audio.unmute",
    "session.close",
)
"""What the browser may send: answers to tool calls, and what ends or silences the session. Nothing that changes it."""

SERVER_EVENTS: Final[tuple[dict[str, str], ...]] = (
    *(
        {"type": kind}
        for kind in (
            "session.started", "session.closed", "session.input_transcript.delta", "session.output_transcript.delta",
            "session.delegation.created", "session.input_audio.muted", "session.input_audio.unmuted", "error",
        )
    ),
    *(
        {"type": "response.event", "response_event": kind}
        for kind in (
            "response.created", "response.output_item.done", "response.completed", "response.failed",
            "response.incomplete",
        )
    ),
)  # fmt: skip
"""What the browser hears: transcripts, tool calls and how they end. Not the instructions, which stand in other events."""


class Settings(ProviderSettings):
    """What the secret holds.

    Attributes:
        delegation_model: the model that answers the questions, with the tools.
    """

    delegation_model: Name = "gpt-5.4-mini"


class _Named(Model):
    model_config = ConfigDict(extra="ignore")

    id: str = Field(pattern=r"^[A-Za-z0-9_-]+$", max_length=256)


class _Described(Model):
    model_config = ConfigDict(extra="ignore")

    sdp: str = Field(pattern=r"^v=0\r?\n", max_length=2 * MAX_OFFER)


class Opened(Model):
    """What is needed of an answer (`LiveCreateResponse`)."""

    model_config = ConfigDict(extra="ignore")

    session: _Named
    transport: _Described


def session_of(settings: Settings, model: str, voice: str, asked: Asked) -> dict[str, Any]:
    """The session's configuration (`MediaSessionConfigParam`)."""
    texts = instructions(asked.request.language)
    return {
        "model": model,
        "instructions": f"{texts.rules}\n\n{texts.delegation}",
        "audio": {"output": {"voice": voice}},
        "client": {
            "data_channel": {
                "allowed_client_events": list(CLIENT_EVENTS),
                "allowed_server_events": list(SERVER_EVENTS),
            }
        },
        "delegation": {
            "type": "responses",
            "responses": {
                "model": settings.delegation_model,
                "instructions": texts.rules,
                "tools": [openai_strict.emit(declaration(name)) for name in CONTRACT],
                "tool_choice": "auto",
            },
        },
        "safety_identifier": asked.user,
        "store": False,
    }


def _open(settings: Settings, asked: Asked) -> Minted:
    model = choose("model", asked.request.model, settings.models or MODELS)
    voice = choose("voice", asked.request.voice, settings.voices or VOICES)
    endpoint = settings.endpoint or ENDPOINT
    opened = post(
        Request(
            provider=NAME,
            url=f"{endpoint}/live/sessions",
            headers={"authorization": f"Bearer {settings.api_key}"},
            body={
                "session": session_of(settings, model, voice, asked),
                "transport": {"type": "webrtc", "sdp": asked.request.offer},
            },
            repeatable=False,
        ),
        Opened,
    )
    return Minted(
        model=model,
        credential=None,
        connect=Connect(url=f"{endpoint}/live/sessions/{opened.session.id}", transport="webrtc", headers={}),
        secret=opened.session.id,
        answer=opened.transport.sdp,
    )


def _issue(asked: Asked) -> Minted:
    if asked.request.offer is None:
        raise InvalidArgument("`offer` is missing: this provider's session is opened with the browser's description.")
    return with_key(NAME, Settings, lambda settings: _open(settings, asked))


ISSUER = Issuer(missing=lambda: missing_secret(NAME), issue=_issue, takes_offer=True)
