"""Voice providers on loopback, which speak their documented protocols; and the secrets that the gateway has for them.

Each is as strict as the real one is said to be: it wants its own key in its own header, takes no field that the official
SDK's types do not declare, and quotes the key in its refusals, as OpenAI's does in part. What it answers is held against
the SDK's own model of the answer. The SDKs take a second to load: only who asks a provider loads its SDK.
"""

import json
import ssl
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import boto3
import pytest
from tests import leaks
from tests.sdk_types import faults

from isnad_gateway.core import secrets
from isnad_providers import settings

WITH_KEY = tuple(leaks.PROVIDER_KEYS)
DEPLOYMENT = "voice-deployment"
ANSWER = "v=0\r\no=- 2 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n"
OFFER = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n"


@dataclass(frozen=True)
class Received:
    """A request that a provider got."""

    method: str
    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def body(self) -> Any:
        """The JSON body."""
        return json.loads(self.raw)


@dataclass(frozen=True)
class Reply:
    """What a provider answers.

    Attributes:
        status: the HTTP status.
        body: what is sent; what is not bytes is sent as JSON.
        headers: further headers.
        wait: seconds of silence before it.
        every: seconds between one byte of the body and the next.
        drop: end the connection without a word.
    """

    status: int = 200
    body: Any = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0
    every: float = 0
    drop: bool = False


class Providers:
    """All of them at one address; their paths keep them apart.

    Attributes:
        keys: the permanent key that each takes.
        received: every request.
        script: what is answered next, whatever is asked; without it, what the protocol says.
    """

    def __init__(self) -> None:
        from google.genai import types as google  # noqa: PLC0415
        from openai.types import live, realtime  # noqa: PLC0415
        from openai.types.live.live_create_params import LiveCreateParams  # noqa: PLC0415
        from openai.types.realtime.client_secret_create_params import ClientSecretCreateParams  # noqa: PLC0415

        self._asked: dict[str, Any] = {"openai": ClientSecretCreateParams, "gpt_live": LiveCreateParams}
        self._answered: dict[str, Any] = {
            "openai": realtime.ClientSecretCreateResponse,
            "gpt_live": live.LiveCreateResponse,
            "gemini": google.AuthToken,
        }
        self.url = ""
        self.issued = 0
        self.reset()

    def reset(self) -> None:
        """Forget what was asked and what is to be answered, and take the first keys again."""
        self.keys = dict(leaks.PROVIDER_KEYS)
        self.received: list[Received] = []
        self.script: list[Reply] = []

    def answer(self, received: Received) -> Reply:
        """Take a request."""
        self.received.append(received)
        if self.script:
            return self.script.pop(0)
        speakers: dict[str, Callable[[Received], Reply]] = {
            "/openai/v1/realtime/client_secrets": self._azure_openai,
            "/xai/v1/realtime/client_secrets": self._xai,
            "/v1/realtime/client_secrets": self._openai,
            "/v1alpha/auth_tokens": self._gemini,
            "/v1/live/sessions": self._gpt_live,
        }
        if received.method != "POST" or received.path not in speakers:
            return Reply(404, _openai_error("invalid_request_error", None, "Invalid URL"))
        return speakers[received.path](received)

    def _value(self) -> str:
        self.issued += 1
        return f"{leaks.EPHEMERAL}-{self.issued}"

    def _openai(self, received: Received) -> Reply:
        if received.headers.get("authorization") != f"Bearer {self.keys['openai']}":
            return _wrong_key(received.headers.get("authorization"))
        return self._client_secret(received)

    def _azure_openai(self, received: Received) -> Reply:
        if received.headers.get("api-key") != self.keys["azure_openai"] or "authorization" in received.headers:
            return _wrong_key(received.headers.get("api-key"))
        return self._client_secret(received)

    def _client_secret(self, received: Received) -> Reply:
        broken = list(faults(received.body, self._asked["openai"]))
        seconds = received.body.get("expires_after", {}).get("seconds", 600)
        if broken or not 10 <= seconds <= 7200:
            return Reply(400, _openai_error("invalid_request_error", "unknown_parameter", f"{broken} {seconds}"))
        session = {**received.body["session"], "id": "sess_1", "object": "realtime.session"}
        answer = {"value": f"ek_{self._value()}", "expires_at": int(time.time()) + seconds, "session": session}
        self._answered["openai"].model_validate(answer)
        return Reply(200, answer)

    def _xai(self, received: Received) -> Reply:
        if received.headers.get("authorization") != f"Bearer {self.keys['xai']}":
            return _wrong_key(received.headers.get("authorization"))
        expires_after = received.body.get("expires_after", {})
        if set(received.body) != {"expires_after"} or set(expires_after) != {"seconds"}:
            return Reply(400, {"code": "invalid-argument", "error": "unknown field"})
        return Reply(200, {"value": self._value(), "expires_at": int(time.time()) + expires_after["seconds"]})

    def _gemini(self, received: Received) -> Reply:
        key = received.headers.get("x-goog-api-key")
        if key != self.keys["gemini"]:
            return Reply(400, {"error": {
                "code": 400, "message": f"API key not valid: {key}", "status": "INVALID_ARGUMENT",
                "details": [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}],
            }})  # fmt: skip
        known = {"uses", "expireTime", "newSessionExpireTime", "bidiGenerateContentSetup", "fieldMask"}
        if set(received.body) - known:
            return Reply(400, {"error": {"code": 400, "message": "Unknown name", "status": "INVALID_ARGUMENT"}})
        answer = {"name": f"auth_tokens/{self._value()}"}
        self._answered["gemini"].model_validate(answer)
        return Reply(200, answer)

    def _gpt_live(self, received: Received) -> Reply:
        if received.headers.get("authorization") != f"Bearer {self.keys['gpt_live']}":
            return _wrong_key(received.headers.get("authorization"))
        broken = list(faults(received.body, self._asked["gpt_live"]))
        if broken:
            return Reply(400, _openai_error("invalid_request_error", "unknown_parameter", str(broken)))
        self.issued += 1
        answer = {"session": {"id": f"live_{self.issued}"}, "transport": {"type": "webrtc", "sdp": ANSWER}}
        self._answered["gpt_live"].model_validate(answer)
        return Reply(201, answer)


def _openai_error(kind: str, code: str | None, message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": kind, "code": code, "param": None}}


def _wrong_key(given: str | None) -> Reply:
    return Reply(401, _openai_error("invalid_request_error", "invalid_api_key", f"Incorrect API key provided: {given}"))


@contextmanager
def serving(
    answer: Callable[[Received], Reply], *, certificate: tuple[str, str] | None = None, folder: Path | None = None
) -> Iterator[str]:
    """Serve on loopback.

    Args:
        answer: takes each request.
        certificate: certificate and key in PEM form; with them it speaks TLS.
        folder: where these may be written to.

    Yields:
        The address.
    """

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _respond(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            reply = answer(Received(self.command, self.path, headers, raw))
            self.close_connection = True
            time.sleep(reply.wait)
            if reply.drop:
                return
            body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            try:
                self.send_response(reply.status)
                for name, value in {"content-type": "application/json", **reply.headers}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                for byte in [body] if not reply.every else [body[i : i + 1] for i in range(len(body))]:
                    self.wfile.write(byte)
                    time.sleep(reply.every)
            except OSError:
                pass  # the client had enough

        do_GET = do_POST = do_PUT = _respond  # noqa: N815 - the names that the base class looks for

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """A client that does not trust the server ends the handshake: no reason to print anything."""

    server = Server(("127.0.0.1", 0), Handler)
    scheme = "http"
    if certificate is not None:
        assert folder is not None
        for name, text in zip(("crt", "key"), certificate, strict=True):
            (folder / name).write_text(text)
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(folder / "crt", folder / "key")
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        scheme = "https"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"{scheme}://localhost:{server.server_port}" if certificate else f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)


def secret_of(provider: str, url: str, key: str) -> dict[str, Any]:
    """What the secret of a provider holds whose server is at a loopback address."""
    endpoints = {"openai": "/v1", "azure_openai": "/openai/v1", "xai": "/xai/v1", "gemini": "", "gpt_live": "/v1"}
    fields: dict[str, Any] = {"api_key": key, "endpoint": url + endpoints[provider]}
    return {**fields, "models": [DEPLOYMENT]} if provider == "azure_openai" else fields


@cache
def _client(url: str) -> Any:
    """A client takes a quarter of a second to make: one for all tests."""
    return boto3.session.Session().client("secretsmanager", endpoint_url=url)


class Secrets:
    """The providers' secrets, in moto.

    Args:
        aws: where moto is.
        url: where the providers are.
        prefix: what the names of the secrets begin with.
    """

    def __init__(self, aws: str, url: str, prefix: str) -> None:
        self._client = _client(aws)
        self.arns: dict[str, str] = {}
        self._usual = {name: json.dumps(secret_of(name, url, key)) for name, key in leaks.PROVIDER_KEYS.items()}
        for name, text in self._usual.items():
            self.arns[name] = self._client.create_secret(Name=f"{prefix}/{name}", SecretString=text)["ARN"]
        self._changed: set[str] = set()

    def put(self, provider: str, content: Any) -> None:
        """Rotate a provider's secret; what is not text is written as JSON."""
        text = content if isinstance(content, str) else json.dumps(content)
        self._client.put_secret_value(SecretId=self.arns[provider], SecretString=text)
        self._changed.add(provider)

    def reset(self) -> None:
        """Make the usual ones of those that were changed."""
        for provider in self._changed:
            self._client.put_secret_value(SecretId=self.arns[provider], SecretString=self._usual[provider])
        self._changed.clear()


def start_anew() -> None:
    """As a new container does: no secret is kept, and clients are made anew."""
    settings.forget()
    secrets._client.cache_clear()


@contextmanager
def set_up(kept: Secrets, aws: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the functions of this process find the providers' secrets.

    Args:
        kept: the secrets.
        aws: where moto is.
        monkeypatch: takes it back.
    """
    monkeypatch.setenv("AWS_ENDPOINT_URL_SECRETS_MANAGER", aws)
    monkeypatch.setenv(settings.VARIABLE, ",".join(kept.arns.values()))
    if secrets._client.cache_info().currsize and secrets._client().meta.endpoint_url != aws:
        secrets._client.cache_clear()  # another test's
    settings.forget()
    yield
    settings.forget()
    kept.reset()


@contextmanager
def for_a_process(aws: str) -> Iterator[tuple[dict[str, str], Providers]]:
    """Providers and their secrets for a function that runs in a process of its own.

    Args:
        aws: where moto is.

    Yields:
        The variables that it needs, and the providers.
    """
    made = Providers()
    with serving(made.answer) as made.url:
        kept = Secrets(aws, made.url, str(uuid.uuid4()))
        variables = {
            "AWS_ENDPOINT_URL_SECRETS_MANAGER": aws,
            settings.VARIABLE: ",".join(kept.arns.values()),
            "ISNAD_CREDENTIALS_PER_MINUTE": "100",  # the tests of several processes are one caller
        }
        yield variables, made
