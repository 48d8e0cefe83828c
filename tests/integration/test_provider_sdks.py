"""What the gateway sends, and how it says to connect, beside what the official SDKs themselves put on the wire.

Each SDK is pointed at a server on loopback and asked to do the same thing; the two requests are compared whole.
"""

import asyncio
import json
import ssl
import threading
from datetime import datetime
from pathlib import Path
from typing import Any, get_args
from urllib.parse import urlsplit

import openai
import pytest
from google import genai
from google.genai import errors as genai_errors
from google.genai import types as google
from openai.types.live import ServerEvent
from openai.types.live.client_event import ClientEvent
from openai.types.realtime.realtime_session_create_request import RealtimeSessionCreateRequest
from tests import leaks
from tests.certificates import Authority
from tests.integration.test_vend_credential import vend
from tests.providers import ANSWER, OFFER, Providers, Received, Reply, serving
from websockets.sync.server import ServerConnection, serve

from isnad_providers.providers import gpt_live

pytestmark = [
    pytest.mark.usefixtures("ledger", "kept"),
    pytest.mark.filterwarnings("ignore:The SDK's:google.genai.errors.ExperimentalWarning"),
]


def _openai(url: str, key: str) -> openai.OpenAI:
    return openai.OpenAI(api_key=key, base_url=url, max_retries=0)


def test_openai_client_secret(providers: Providers) -> None:
    """The same request as `client.realtime.client_secrets.create`, and an answer that its model takes."""
    vend("openai", "anna")
    [ours] = providers.received
    with _openai(f"{providers.url}/v1", leaks.PROVIDER_KEY) as client:
        made = client.realtime.client_secrets.create(**ours.body)
    theirs = providers.received[1]
    assert (ours.method, ours.path, ours.body) == (theirs.method, theirs.path, theirs.body)
    for name in ("authorization", "content-type"):
        assert ours.headers[name] == theirs.headers[name]
    assert made.value.startswith("ek_")
    session = RealtimeSessionCreateRequest.model_validate(ours.body["session"])
    assert session.model_extra == {}
    assert session.audio is not None
    assert session.audio.input is not None
    assert session.audio.input.transcription is not None


def test_openai_call(providers: Providers) -> None:
    """`client.realtime.calls.create` posts the offer where `connect` says, with the headers that it says."""
    connect = vend("openai")["connect"]
    received: list[Received] = []

    def answer(asked: Received) -> Reply:
        received.append(asked)
        return Reply(201, ANSWER.encode(), {"content-type": "application/sdp", "location": "/v1/realtime/calls/rtc_1"})

    secret = connect["headers"]["authorization"].removeprefix("Bearer ")
    with serving(answer) as url, _openai(f"{url}/v1", secret) as client:
        client.realtime.calls.create(sdp=OFFER)
    [asked] = received
    assert (asked.path, asked.raw.decode()) == (urlsplit(connect["url"]).path, OFFER)
    assert {name: asked.headers[name] for name in connect["headers"]} == connect["headers"]
    assert providers.received


def test_gpt_live(providers: Providers) -> None:
    """The same request as `client.live.create`."""
    answer = vend("gpt_live")
    [ours] = providers.received
    with _openai(f"{providers.url}/v1", leaks.PROVIDER_KEYS["gpt_live"]) as client:
        made = client.live.create(**ours.body)
    theirs = providers.received[1]
    assert (ours.method, ours.path, ours.body) == (theirs.method, theirs.path, theirs.body)
    assert ours.headers["authorization"] == theirs.headers["authorization"]
    assert made.transport.sdp == answer["answer"]


def _event_types(union: Any) -> set[str]:
    """The values of `type` of every event of the SDK's union."""
    members = get_args(get_args(union)[0])
    return {value for member in members for value in get_args(member.model_fields["type"].annotation)}


def test_gpt_lives_events_exist() -> None:
    """What the browser may send and hear are events that the SDK knows; what changes the session is not among them."""
    clients, servers = _event_types(ClientEvent), _event_types(ServerEvent)
    assert set(gpt_live.CLIENT_EVENTS) <= clients
    assert {event["type"] for event in gpt_live.SERVER_EVENTS} <= servers
    changing = {"session.update", "session.instructions.append", "session.start", "decision.create"}
    assert changing <= clients
    assert not changing & set(gpt_live.CLIENT_EVENTS)
    for event in gpt_live.SERVER_EVENTS:
        assert ("response_event" in event) == (event["type"] == "response.event")


def _gemini(url: str, key: str) -> genai.Client:
    return genai.Client(api_key=key, http_options=google.HttpOptions(base_url=url, api_version="v1alpha"))


def test_gemini_token(providers: Providers) -> None:
    """V10: the same request as `client.auth_tokens.create` with constraints and without `lock_additional_fields`."""
    vend("gemini", voice="Kore")
    [ours] = providers.received
    setup = ours.body["bidiGenerateContentSetup"]
    config = google.CreateAuthTokenConfig(
        uses=1,
        expire_time=ours.body["expireTime"],
        new_session_expire_time=ours.body["newSessionExpireTime"],
        live_connect_constraints=google.LiveConnectConstraints(
            model=setup["model"],
            config=google.LiveConnectConfig(
                response_modalities=[google.Modality.AUDIO],
                speech_config=google.SpeechConfig(
                    voice_config=google.VoiceConfig(prebuilt_voice_config=google.PrebuiltVoiceConfig(voice_name="Kore"))
                ),
                system_instruction=setup["systemInstruction"]["parts"][0]["text"],
                tools=[google.Tool.model_validate(tool) for tool in setup["tools"]],
                input_audio_transcription=google.AudioTranscriptionConfig(),
                output_audio_transcription=google.AudioTranscriptionConfig(),
            ),
        ),
    )
    with _gemini(providers.url, leaks.PROVIDER_KEYS["gemini"]) as client:
        token = client.auth_tokens.create(config=config)
    theirs = providers.received[1]
    assert (ours.method, ours.path) == (theirs.method, theirs.path)
    assert _alike(ours.body) == _alike(theirs.body)
    assert "fieldMask" not in ours.body
    assert ours.headers["x-goog-api-key"] == theirs.headers["x-goog-api-key"]
    assert token.name is not None
    assert token.name.startswith("auth_tokens/")


def _alike(body: dict[str, Any]) -> dict[str, Any]:
    """A body as the API reads it: moments are moments, and names in snake case, as the SDK writes some, are the same."""
    times = {name: datetime.fromisoformat(body[name]) for name in ("expireTime", "newSessionExpireTime")}
    alike: dict[str, Any] = {**_camel(body), **times}
    return alike


def _camel(value: Any) -> Any:
    if isinstance(value, list):
        return [_camel(item) for item in value]
    if not isinstance(value, dict):
        return value
    known = {"voice_config": "voiceConfig", "prebuilt_voice_config": "prebuiltVoiceConfig", "voice_name": "voiceName"}
    return {known.get(name, name): _camel(item) for name, item in value.items()}


def test_an_empty_lock_list_would_lock_less(providers: Providers) -> None:
    """V10, the other way round: with `lock_additional_fields=[]` the SDK sends a field mask, which ours never has."""
    config = google.CreateAuthTokenConfig(
        live_connect_constraints=google.LiveConnectConstraints(
            model="m", config=google.LiveConnectConfig(system_instruction="x")
        ),
        lock_additional_fields=[],
    )
    with _gemini(providers.url, leaks.PROVIDER_KEYS["gemini"]) as client:
        client.auth_tokens.create(config=config)
    assert "fieldMask" in providers.received[0].body


def test_gemini_connection(providers: Providers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`client.aio.live.connect` with the token knocks where `connect` says, with the header that it says."""
    connect = vend("gemini")["connect"]
    token = connect["headers"]["authorization"].removeprefix("Token ")
    knocked: list[tuple[str, str]] = []

    def take(connection: ServerConnection) -> None:
        assert connection.request is not None
        knocked.append((connection.request.path, connection.request.headers["authorization"]))
        connection.recv()
        connection.send(json.dumps({"setupComplete": {}}))

    async def knock(url: str) -> None:
        client = _gemini(url, token)
        async with client.aio.live.connect(model="m"):
            pass
        await client.aio.aclose()
        client.close()

    authority = Authority("test", identified=True)
    for name, text in zip(("crt", "key", "ca"), (*authority.certificate("localhost"), authority.pem), strict=True):
        (tmp_path / name).write_text(text)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(tmp_path / "crt", tmp_path / "key")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca"))
    with serve(take, "localhost", 0, ssl=context) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        asyncio.run(knock(f"https://localhost:{server.socket.getsockname()[1]}"))
        server.shutdown()
        thread.join(timeout=5)
    assert knocked == [(urlsplit(connect["url"]).path, connect["headers"]["authorization"])]
    assert providers.received


def test_a_wrong_key_is_what_the_sdks_call_one(providers: Providers) -> None:
    """The stand-ins refuse a key as the SDKs expect it of the real ones."""
    with _openai(f"{providers.url}/v1", "wrong-key") as client, pytest.raises(openai.AuthenticationError) as refused:
        client.realtime.client_secrets.create()
    assert refused.value.code == "invalid_api_key"
    with (
        _gemini(providers.url, "wrong-key") as gemini,
        pytest.raises(genai_errors.ClientError, match="INVALID_ARGUMENT"),
    ):
        gemini.auth_tokens.create(config=google.CreateAuthTokenConfig(uses=1))
