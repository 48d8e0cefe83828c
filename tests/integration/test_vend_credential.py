"""POST /v1/credentials against providers on loopback that speak their documented protocols, with moto for AWS."""

import hashlib
import json
import re
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial
from typing import Any

import pytest
from functions.vend_credential.app import handler
from hypothesis import given
from hypothesis import settings as settings_of_hypothesis
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from tests import leaks
from tests.conftest import ROOT, load_event
from tests.integration.conftest import NOVA_MODEL, NOVA_ROLE
from tests.ledger import as_caller, set_ledger
from tests.providers import (
    ANSWER,
    DEPLOYMENT,
    OFFER,
    WITH_KEY,
    Providers,
    Reply,
    Secrets,
    secret_of,
    serving,
    start_anew,
)
from tests.servers import free_port

from isnad_gateway.core import secrets as gateway_secrets
from isnad_gateway.core.logs import Event
from isnad_gateway.domain.credential import MAX_OFFER, CredentialRequest
from isnad_gateway.domain.openapi import openapi
from isnad_providers import calling, settings
from isnad_providers.instructions import instructions
from isnad_providers.providers import nova_sonic
from isnad_providers.registry import names
from isnad_providers.vending import session_id

Lines = Callable[[], list[dict[str, Any]]]
SCHEMA = Draft202012Validator(json.loads((ROOT / "docs/schemas/credential.schema.json").read_text(encoding="utf-8")))
_RESPONSE = openapi()["paths"]["/v1/credentials"]["post"]["responses"]["200"]["content"]["application/json"]["schema"]
ANSWERS = Draft202012Validator(_RESPONSE, format_checker=Draft202012Validator.FORMAT_CHECKER)
pytestmark = pytest.mark.usefixtures("ledger", "journalled")


@pytest.fixture
def journalled(log_lines: Lines) -> Iterator[None]:
    """Every line of the journal that a test makes is as the schema says."""
    yield
    for line in log_lines():
        if "credential" in line:
            SCHEMA.validate(line["credential"])


def vend(provider: str, subject: str | None = None, **changes: Any) -> dict[str, Any]:
    """Ask for a credential; the reply's body, with its status and headers. Each request has a caller of its own."""
    body = {"provider": provider, "conversation_id": "c1", "language": "fr", **changes}
    if provider == "gpt_live":
        body.setdefault("offer", OFFER)
    return vend_raw(json.dumps(body, ensure_ascii=False), subject)


def vend_raw(body: str | None, subject: str | None = None) -> dict[str, Any]:
    event = as_caller({**load_event("vend_credential"), "body": body}, subject or str(uuid.uuid4()))
    answer = handler(event, None)
    assert leaks.in_reply(answer) == []
    assert answer["headers"]["cache-control"] == "no-store"
    parsed: dict[str, Any] = json.loads(answer["body"])
    if answer["statusCode"] == 200:
        ANSWERS.validate(parsed)
    else:
        assert set(parsed) == {"error"}
    return {**parsed, "status": answer["statusCode"], "retry_after": answer["headers"].get("retry-after")}


def error_of(answer: dict[str, Any]) -> tuple[int, str, str | None]:
    return answer["status"], answer["error"]["code"], answer["retry_after"]


def seconds(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def messages(lines: Lines) -> list[str]:
    return [line["message"] for line in lines()]


COMMON = {"provider", "model", "session_id", "conversation_id", "credential", "connect", "issued_at"}


@pytest.mark.usefixtures("kept")
class TestEachProvider:
    """What is asked of it, what is answered, and what is journalled."""

    @pytest.mark.parametrize("provider", names())
    def test_answer(self, provider: str, log_lines: Lines) -> None:
        """V9: server time and lifetime both, so that whoever opens the session can hold a clock of its own against it."""
        before = time.time()
        answer = vend(provider)
        assert answer["status"] == 200, answer
        extra = {"gpt_live": {"answer"}, "xai": {"session"}, "nova_sonic": {"session"}}.get(provider, set())
        assert set(answer) - {"status", "retry_after"} == COMMON | extra
        assert (answer["provider"], answer["conversation_id"]) == (provider, "c1")
        assert uuid.UUID(answer["session_id"]).version == 7
        issued = seconds(answer["issued_at"])
        assert before - 1 <= issued <= time.time()
        [line] = [line for line in log_lines() if "credential" in line]
        assert (line["message"], line["level"]) == (Event.CREDENTIAL_ISSUED.value[1], "INFO")
        journal = line["credential"]
        assert (journal["provider"], journal["model"]) == (provider, answer["model"])
        assert (journal["session_id"], journal["conversation_id"]) == (answer["session_id"], "c1")
        assert journal["issuer"] == "https://issuer.example"
        assert re.fullmatch(r"[0-9a-f-]{36}", journal["subject"])
        if provider == "gpt_live":
            assert answer["credential"] is None
            assert (journal["type"], journal["expires_in"]) == (None, None)
            return
        credential = answer["credential"]
        lifetime = 900 if provider == "nova_sonic" else 60
        assert 0 < credential["expires_in"] <= lifetime
        assert abs(seconds(credential["expires_at"]) - issued - credential["expires_in"]) <= 2
        value = credential["value"]
        secret = value if isinstance(value, str) else value["session_token"]
        assert journal["sha256"] == hashlib.sha256(secret.encode()).hexdigest()
        assert secret not in json.dumps(log_lines())
        assert (journal["type"], journal["expires_at"]) == (credential["type"], credential["expires_at"])

    def test_openai(self, providers: Providers) -> None:
        answer = vend("openai", voice="cedar", model="gpt-realtime-2")
        [asked] = providers.received
        session = asked.body["session"]
        assert asked.body["expires_after"] == {"anchor": "created_at", "seconds": 60}
        assert (session["model"], session["audio"]["output"]["voice"]) == ("gpt-realtime-2", "cedar")
        assert session["audio"]["input"]["transcription"]["model"]
        assert session["instructions"] == instructions("fr").rules
        assert len(session["tools"]) == 8
        assert re.fullmatch(r"[0-9a-f]{64}", asked.headers["openai-safety-identifier"])
        value = answer["credential"]["value"]
        assert answer["connect"] == {
            "url": f"{providers.url}/v1/realtime/calls",
            "transport": "webrtc",
            "headers": {"authorization": f"Bearer {value}", "content-type": "application/sdp"},
        }

    def test_users_are_told_apart_and_not_named(self, providers: Providers) -> None:
        anna = f"anna-{uuid.uuid4()}"
        for subject in (anna, anna, "berta"):
            vend("openai", subject)
        marks = [asked.headers["openai-safety-identifier"] for asked in providers.received]
        assert marks[0] == marks[1] != marks[2]
        assert "anna" not in str([asked.headers for asked in providers.received])

    def test_azure_openai(self, providers: Providers) -> None:
        answer = vend("azure_openai")
        [asked] = providers.received
        assert asked.body["session"]["model"] == answer["model"] == DEPLOYMENT
        assert answer["connect"]["url"] == f"{providers.url}/openai/v1/realtime/calls"
        assert vend("azure_openai", model="gpt-realtime-2.1")["error"]["message"] == (
            f"`model` must be one of '{DEPLOYMENT}'."
        )

    def test_xai(self, providers: Providers) -> None:
        answer = vend("xai", language="en", voice="ara")
        [asked] = providers.received
        assert asked.body == {"expires_after": {"seconds": 60}}
        assert answer["connect"]["url"] == (
            f"{providers.url.replace('http', 'ws')}/xai/v1/realtime?model=grok-voice-latest"
        )
        assert answer["session"]["instructions"] == instructions("en").rules
        assert (answer["session"]["voice"], len(answer["session"]["tools"])) == ("ara", 8)
        assert answer["session"]["turn_detection"] == {"type": "server_vad"}

    def test_gemini(self, providers: Providers) -> None:
        """V10: the constraints are given and there is no field mask, so that everything is locked; one use."""
        answer = vend("gemini", voice="Kore")
        [asked] = providers.received
        setup = asked.body["bidiGenerateContentSetup"]
        assert set(asked.body) == {"uses", "newSessionExpireTime", "expireTime", "bidiGenerateContentSetup"}
        assert asked.body["uses"] == 1
        assert seconds(asked.body["newSessionExpireTime"]) - time.time() <= 60
        assert seconds(asked.body["expireTime"]) - time.time() <= 900
        assert setup["inputAudioTranscription"] == setup["outputAudioTranscription"] == {}
        assert setup["systemInstruction"]["parts"] == [{"text": instructions("fr").rules}]
        assert len(setup["tools"][0]["functionDeclarations"]) == 8
        assert answer["connect"] == {
            "url": f"{providers.url.replace('http', 'ws')}/ws/google.ai.generativelanguage.v1alpha.GenerativeService"
            ".BidiGenerateContentConstrained",
            "transport": "websocket",
            "headers": {"authorization": f"Token {answer['credential']['value']}"},
        }

    def test_gpt_live(self, providers: Providers) -> None:
        answer = vend("gpt_live")
        [asked] = providers.received
        assert asked.body["transport"] == {"type": "webrtc", "sdp": OFFER}
        assert answer["answer"] == ANSWER
        assert answer["connect"] == {
            "url": f"{providers.url}/v1/live/sessions/live_{providers.issued}", "transport": "webrtc", "headers": {},
        }  # fmt: skip
        channel = asked.body["session"]["client"]["data_channel"]
        assert "session.update" not in channel["allowed_client_events"]
        assert "session.instructions.append" not in channel["allowed_client_events"]
        assert asked.body["session"]["store"] is False
        assert vend("gpt_live", offer=None)["error"]["message"].startswith("`offer` is missing")

    def test_nova_sonic(self) -> None:
        """The session policy lets through the one action on the one model, for the least time that there is."""
        from moto.sts.models import sts_backends  # noqa: PLC0415 - moto is served by this process

        answer = vend("nova_sonic", language="en")
        value = answer["credential"]["value"]
        assumed = next(
            role
            for backends in sts_backends.values()
            for backend in backends.values()
            for role in backend.assumed_roles
            if role.access_key_id == value["access_key_id"]
        )
        assert (assumed.role_arn, assumed.session_name) == (NOVA_ROLE, answer["session_id"])
        assert json.loads(assumed.policy) == {
            "Version": "2012-10-17",
            "Statement": [{
                "Effect": "Allow",
                "Action": "bedrock:InvokeModelWithBidirectionalStream",
                "Resource": f"arn:aws:bedrock:eu-north-1::foundation-model/{NOVA_MODEL}",
            }],
        }  # fmt: skip
        assert answer["credential"]["expires_in"] == 900
        assert answer["connect"]["url"] == (
            "https://bedrock-runtime.eu-north-1.amazonaws.com/model/amazon.nova-2-sonic-v1%3A0"
            "/invoke-with-bidirectional-stream"
        )
        assert answer["session"]["systemPrompt"] == instructions("en").rules
        assert (answer["session"]["voiceId"], len(answer["session"]["toolConfiguration"]["tools"])) == ("tiffany", 8)
        assert vend("nova_sonic")["session"]["voiceId"] == "ambre"

    @pytest.mark.parametrize("provider", WITH_KEY)
    def test_each_is_minted_anew(self, provider: str, providers: Providers) -> None:
        """V8: never kept, never given twice, also to the same caller."""
        caller = str(uuid.uuid4())
        answers = [vend(provider, caller) for _ in range(3)]
        assert len(providers.received) == 3
        given = {
            json.dumps(answer["credential"] or answer["connect"]["url"]) + answer["session_id"] for answer in answers
        }
        assert len(given) == len({answer["session_id"] for answer in answers}) == 3
        values = {json.dumps(answer["credential"] and answer["credential"]["value"]) for answer in answers}
        assert len(values) == (1 if provider == "gpt_live" else 3)

    @pytest.mark.parametrize("provider", names())
    def test_models_and_voices_that_are_not_allowed(self, provider: str, providers: Providers) -> None:
        for name in ("model", "voice"):
            answer = vend(provider, **{name: "another"})
            assert error_of(answer) == (400, "INVALID_ARGUMENT", None)
            assert answer["error"]["message"].startswith(f"`{name}` must be one of '")
        assert providers.received == []

    def test_the_secret_may_name_other_models(self, kept: Secrets, providers: Providers) -> None:
        own = {"models": ["gpt-realtime-9"], "voices": ["anna"], "transcription_model": "gpt-transcribe-9"}
        kept.put("openai", {**secret_of("openai", providers.url, leaks.PROVIDER_KEY), **own})
        settings.forget()
        assert vend("openai")["model"] == "gpt-realtime-9"
        session = providers.received[0].body["session"]
        assert session["audio"] == {
            "input": {"transcription": {"model": "gpt-transcribe-9"}}, "output": {"voice": "anna"},
        }  # fmt: skip


class TestSettings:
    """What is not set up, said by name; nobody is asked."""

    @pytest.mark.parametrize("provider", names())
    def test_not_set_up(self, provider: str, monkeypatch: pytest.MonkeyPatch, providers: Providers) -> None:
        for name in (settings.VARIABLE, nova_sonic.ROLE, nova_sonic.MODEL, nova_sonic.REGION):
            monkeypatch.delenv(name, raising=False)
        answer = vend(provider)
        missing = "ISNAD_NOVA_SONIC_ROLE_ARN is not set"
        if provider != "nova_sonic":
            missing = "ISNAD_PROVIDER_SECRETS lists no secret for it"
        assert error_of(answer) == (503, "UNAVAILABLE", "60")
        assert answer["error"]["message"] == f"Provider '{provider}' is not set up: {missing}."
        assert providers.received == []

    @pytest.mark.parametrize("name", [nova_sonic.ROLE, nova_sonic.MODEL, nova_sonic.REGION])
    def test_each_setting_of_nova_sonic(self, name: str, kept: Secrets, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(name, "")
        assert vend("nova_sonic")["error"]["message"] == f"Provider 'nova_sonic' is not set up: {name} is not set."
        assert kept.arns

    @pytest.mark.parametrize(
        ("content", "why"),
        [
            ({}, "its secret has no 'api_key'"),
            ({"api_key": None}, "'api_key' of its secret is not valid"),
            ({"api_key": "short"}, "'api_key' of its secret is not valid"),
            ({"api_key": leaks.PROVIDER_KEY + "\r\nx: y"}, "'api_key' of its secret is not valid"),
            ({"api_key": leaks.PROVIDER_KEY, "models": []}, "'models' of its secret is not valid"),
            ({"api_key": leaks.PROVIDER_KEY, "models": ["a b"]}, "'models' of its secret is not valid"),
            ({"api_key": leaks.PROVIDER_KEY, "surprise": 1}, "its secret holds a field that is not known"),
            ({"api_key": leaks.PROVIDER_KEY, leaks.PROVIDER_KEY: 1}, "its secret holds a field that is not known"),
            (
                {"api_key": leaks.PROVIDER_KEY, "endpoint": "http://api.example/v1"},
                "'endpoint' of its secret is not valid",
            ),
            (
                {"api_key": leaks.PROVIDER_KEY, "endpoint": "https://a:b@api.example"},
                "'endpoint' of its secret is not valid",
            ),
            (
                {"api_key": leaks.PROVIDER_KEY, "endpoint": "file:///etc/passwd"},
                "'endpoint' of its secret is not valid",
            ),
            ({"api_key": leaks.PROVIDER_KEY, "endpoint": "https://[::1"}, "'endpoint' of its secret is not valid"),
            (leaks.PROVIDER_KEY, "its secret is no JSON object"),
            ("[]", "its secret is no JSON object"),
            ("", "its secret is no JSON object"),
        ],
    )
    def test_secrets_that_are_none(
        self, content: Any, why: str, kept: Secrets, providers: Providers, log_lines: Lines
    ) -> None:
        """Neither the reply nor the log repeats anything of them."""
        if content == "":
            content = " "  # Secrets Manager takes no empty one
        kept.put("openai", content)
        settings.forget()
        answer = vend("openai")
        assert error_of(answer) == (503, "UNAVAILABLE", "60")
        assert answer["error"]["message"] == f"Provider 'openai' is not set up: {why}."
        assert providers.received == []
        assert Event.PROVIDER_SETTINGS_UNREADABLE.value[1] in messages(log_lines)

    @pytest.mark.parametrize(("left_out", "named"), [("endpoint", "endpoint"), ("models", "models")])
    def test_what_azure_has_to_say(self, left_out: str, named: str, kept: Secrets, providers: Providers) -> None:
        content = secret_of("azure_openai", providers.url, leaks.PROVIDER_KEYS["azure_openai"])
        del content[left_out]
        kept.put("azure_openai", content)
        settings.forget()
        message = f"Provider 'azure_openai' is not set up: its secret has no '{named}'."
        assert vend("azure_openai")["error"]["message"] == message
        assert providers.received == []

    @pytest.mark.parametrize(
        ("listed", "found"),
        [
            ("isnad/openai", True),
            ("openai", True),
            (" a/b/openai , x", True),
            ("arn:aws:secretsmanager:eu-west-3:123456789012:secret:isnad/openai-AbCdEf", True),
            ("arn:aws:secretsmanager:eu-west-3:123456789012:secret:openai-AbCdEf", True),
            ("arn:aws:secretsmanager:eu-west-3:123456789012:secret:isnad/azure_openai-AbCdEf", False),
            ("arn:aws:secretsmanager:eu-west-3:123456789012:secret:isnad/not-openai-AbCdEf", False),
            ("isnad/openai/old", False),
            (",,", False),
        ],
    )
    def test_which_secret_is_a_providers(self, listed: str, found: bool, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(settings.VARIABLE, listed)
        assert (settings.missing_secret("openai") is None) == found

    def test_the_key_is_in_no_representation(self) -> None:
        made = settings.ProviderSettings(api_key=leaks.PROVIDER_KEY)
        request = calling.Request("openai", "https://x", {"authorization": leaks.PROVIDER_KEY}, {})
        assert leaks.PROVIDER_KEY not in repr(made) + repr(request) + str(made)


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The secrets that have been fetched, in order."""
    arns: list[str] = []
    read = gateway_secrets.read_secret

    def counted(arn: str, stage: str = gateway_secrets.CURRENT) -> str | None:
        arns.append(arn)
        return read(arn, stage)

    monkeypatch.setattr(gateway_secrets, "read_secret", counted)
    return arns


class TestKeys:
    """S8, S19: one secret a provider, kept for minutes, rotated without a restart, and never shown."""

    def test_fetched_once(self, kept: Secrets, fetched: list[str], providers: Providers) -> None:
        for _ in range(3):
            assert vend("openai")["status"] == 200
        assert fetched == [kept.arns["openai"]]
        assert vend("gemini")["status"] == 200
        assert fetched == [kept.arns["openai"], kept.arns["gemini"]]
        assert len(providers.received) == 4

    def test_fetched_anew_when_it_is_old(
        self, kept: Secrets, fetched: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        vend("openai")
        monkeypatch.setattr(settings, "MAX_AGE", 0.0)
        assert vend("openai")["status"] == 200
        assert fetched == [kept.arns["openai"]] * 2

    @pytest.mark.parametrize("provider", WITH_KEY)
    def test_rotated_while_kept(
        self, provider: str, kept: Secrets, fetched: list[str], providers: Providers, log_lines: Lines
    ) -> None:
        """One fresh fetch, one more attempt, and the caller has a credential."""
        assert vend(provider)["status"] == 200
        new = leaks.PROVIDER_KEYS[provider] + leaks.ROTATED
        providers.keys[provider] = new
        kept.put(provider, secret_of(provider, providers.url, new))
        assert vend(provider)["status"] == 200
        assert vend(provider)["status"] == 200
        assert fetched == [kept.arns[provider]] * 2
        assert len(providers.received) == 4
        assert messages(log_lines).count(Event.PROVIDER_KEY_RENEWED.value[1]) == 1

    @pytest.mark.parametrize("provider", WITH_KEY)
    def test_refused_for_good(
        self, provider: str, kept: Secrets, fetched: list[str], providers: Providers, log_lines: Lines
    ) -> None:
        """401 is INTERNAL_ERROR, and the line that the alarm waits for; the key goes nowhere a second time."""
        providers.keys[provider] = "another-key-of-the-provider"
        answer = vend(provider)
        assert error_of(answer) == (500, "INTERNAL_ERROR", None)
        assert answer["error"]["message"] == "The gateway failed to answer; the cause is in its log."
        assert len(providers.received) == 1
        assert fetched == [kept.arns[provider]] * 2
        [line] = [line for line in log_lines() if line["message"] == Event.PROVIDER_KEY_REFUSED.value[1]]
        status, code = (400, "INVALID_ARGUMENT") if provider == "gemini" else (401, "invalid_api_key")
        assert line["provider"] == {"name": provider, "status": status, "code": code}
        assert line["level"] == "ERROR"
        providers.keys[provider] = leaks.PROVIDER_KEYS[provider]
        assert vend(provider)["status"] == 200

    def test_the_new_key_is_refused_too(self, kept: Secrets, providers: Providers) -> None:
        vend("openai")
        providers.keys["openai"] = "another-key-of-the-provider"
        kept.put("openai", secret_of("openai", providers.url, leaks.PROVIDER_KEY + leaks.ROTATED))
        assert error_of(vend("openai")) == (500, "INTERNAL_ERROR", None)
        assert len(providers.received) == 3

    def test_forbidden_is_a_refused_key(self, kept: Secrets, providers: Providers, log_lines: Lines) -> None:
        providers.script = [Reply(403, {"error": {"code": "country_not_supported"}})]
        assert error_of(vend("openai")) == (500, "INTERNAL_ERROR", None)
        assert Event.PROVIDER_KEY_REFUSED.value[1] in messages(log_lines)
        assert kept.arns

    def test_secrets_manager_is_down(
        self, kept: Secrets, ledger: str, providers: Providers, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("AWS_ENDPOINT_URL_SECRETS_MANAGER", f"http://127.0.0.1:{free_port()}")
        start_anew()
        answer = vend("openai")
        assert error_of(answer) == (503, "UNAVAILABLE", "1")
        assert answer["error"]["message"] == "The provider's key cannot be fetched; try again."
        assert providers.received == []
        monkeypatch.setenv("AWS_ENDPOINT_URL_SECRETS_MANAGER", ledger)
        gateway_secrets._client.cache_clear()
        assert vend("openai")["status"] == 200
        assert kept.arns

    def test_a_kept_key_outlives_secrets_manager(
        self, kept: Secrets, providers: Providers, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        vend("openai")
        monkeypatch.setattr(settings, "MAX_AGE", 0.0)
        monkeypatch.setenv("AWS_ENDPOINT_URL_SECRETS_MANAGER", f"http://127.0.0.1:{free_port()}")
        gateway_secrets._client.cache_clear()
        assert vend("openai")["status"] == 200
        assert len(providers.received) == 2
        assert kept.arns

    def test_a_secret_that_does_not_exist(self, kept: Secrets, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(settings.VARIABLE, "nowhere/openai")
        assert error_of(vend("openai")) == (503, "UNAVAILABLE", "1")
        assert kept.arns


@pytest.mark.usefixtures("kept")
class TestFailures:
    """What a provider may do instead of answering, in the closed set of errors; its words go nowhere."""

    WORDS = "words-of-the-provider"

    def _fails(self, providers: Providers, *replies: Reply, provider: str = "openai") -> dict[str, Any]:
        providers.script = list(replies)
        answer = vend(provider)
        assert self.WORDS not in json.dumps(answer)
        return answer

    @pytest.mark.parametrize(
        ("status", "code", "asked"),
        [
            (500, "UNAVAILABLE", 2), (502, "UNAVAILABLE", 2), (503, "UNAVAILABLE", 2), (504, "UNAVAILABLE", 2),
            (400, "INTERNAL_ERROR", 1), (404, "INTERNAL_ERROR", 1), (409, "INTERNAL_ERROR", 1),
            (422, "INTERNAL_ERROR", 1), (301, "UNAVAILABLE", 1), (204, "INTERNAL_ERROR", 1),
        ],
    )  # fmt: skip
    def test_statuses(self, status: int, code: str, asked: int, providers: Providers, log_lines: Lines) -> None:
        body = {"error": {"message": self.WORDS, "type": "server_error", "code": self.WORDS, "param": None}}
        answer = self._fails(providers, *[Reply(status, b"" if status == 204 else body)] * 2)
        assert answer["error"]["code"] == code
        assert answer["retry_after"] == ("5" if code == "UNAVAILABLE" else None)
        assert len(providers.received) == asked
        assert self.WORDS not in json.dumps(log_lines())
        [failed] = [line["provider"] for line in log_lines() if line["message"] == Event.PROVIDER_FAILED.value[1]]
        told = None if status == 204 else "server_error"
        assert failed == {"name": "openai", "reason": "status", "status": status, "code": told}

    @pytest.mark.parametrize("first", [Reply(500), Reply(503), Reply(drop=True)])
    def test_one_failure_is_got_over(self, first: Reply, providers: Providers) -> None:
        providers.script = [first]
        assert vend("openai")["status"] == 200
        assert len(providers.received) == 2

    @pytest.mark.parametrize("failure", [Reply(500), Reply(503), Reply(drop=True)])
    def test_a_paid_session_is_never_opened_twice(self, failure: Reply, providers: Providers) -> None:
        """What GPT-Live may have received is not sent again."""
        answer = self._fails(providers, failure, provider="gpt_live")
        assert error_of(answer) == (503, "UNAVAILABLE", "5")
        assert len(providers.received) == 1

    @pytest.mark.parametrize(
        ("header", "passed_on"),
        [
            ("7", "7"), (None, "5"), ("0", "1"), ("99999", "60"), ("9999999999", "5"), ("-3", "5"), ("1.5", "5"),
            ("Wed, 21 Oct 2026 07:28:00 GMT", "5"), ("٣", "5"), ("7; x", "5"), ("", "5"),
        ],
    )  # fmt: skip
    def test_busy(self, header: str | None, passed_on: str, providers: Providers) -> None:
        headers = {} if header is None else {"retry-after": header.encode().decode("latin-1")}
        answer = self._fails(providers, Reply(429, {"error": {"message": self.WORDS}}, headers))
        assert error_of(answer) == (503, "UNAVAILABLE", passed_on)
        assert len(providers.received) == 1

    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    def test_no_redirect_is_followed(self, status: int, providers: Providers) -> None:
        """The key would travel along."""
        elsewhere = Providers()
        with serving(elsewhere.answer) as url:
            answer = self._fails(providers, Reply(status, b"", {"location": f"{url}/v1/realtime/client_secrets"}))
        assert error_of(answer) == (503, "UNAVAILABLE", "5")
        assert elsewhere.received == []

    @pytest.mark.parametrize("provider", WITH_KEY)
    def test_nobody_listens(self, provider: str, kept: Secrets, log_lines: Lines) -> None:
        kept.put(provider, secret_of(provider, f"http://127.0.0.1:{free_port()}", leaks.PROVIDER_KEYS[provider]))
        settings.forget()
        started = time.monotonic()
        assert error_of(vend(provider)) == (503, "UNAVAILABLE", "5")
        assert time.monotonic() - started < 4
        [failed] = [line["provider"] for line in log_lines() if line["message"] == Event.PROVIDER_FAILED.value[1]]
        assert failed["reason"] == "NewConnectionError"

    def test_a_name_that_nobody_has(self, kept: Secrets) -> None:
        kept.put("openai", {"api_key": leaks.PROVIDER_KEY, "endpoint": "https://provider.invalid/v1"})
        settings.forget()
        assert error_of(vend("openai")) == (503, "UNAVAILABLE", "5")

    def test_silence(self, providers: Providers, monkeypatch: pytest.MonkeyPatch, log_lines: Lines) -> None:
        monkeypatch.setattr(calling, "READ_TIMEOUT", 0.2)
        started = time.monotonic()
        assert error_of(self._fails(providers, Reply(wait=1))) == (503, "UNAVAILABLE", "5")
        assert time.monotonic() - started < 1
        assert len(providers.received) == 1
        assert "time-out" in json.dumps(log_lines())

    def test_a_byte_at_a_time(self, providers: Providers, monkeypatch: pytest.MonkeyPatch) -> None:
        """No single wait is too long, all together are."""
        monkeypatch.setattr(calling, "TIME_LIMIT", 0.5)
        started = time.monotonic()
        assert error_of(self._fails(providers, Reply(body=b"{" + b" " * 60, every=0.1))) == (503, "UNAVAILABLE", "5")
        assert time.monotonic() - started < 2

    FAR: int = 2**50

    @pytest.mark.parametrize(
        "body",
        [
            b"", b"{", b"null", b"[]", b"5", b"\xff\xfe", b"[" * 200_000, b"<html>", {}, {"value": "ek_1"},
            {"expires_at": 1}, {"value": None, "expires_at": 1}, {"value": "", "expires_at": 1},
            {"value": "ek 1", "expires_at": 1}, {"value": "ek_1\r\nx: y", "expires_at": 1},
            {"value": "ék_1", "expires_at": 1}, {"value": "e" * 9000, "expires_at": 1},
            {"value": ["ek_1"], "expires_at": 1}, {"value": "ek_1", "expires_at": "soon"},
            {"value": "ek_1", "expires_at": -1}, {"value": "ek_1", "expires_at": 1}, {"value": "ek_1", "expires_at": FAR},
            {"value": "ek_1", "expires_at": True}, {"value": "ek_1", "expires_at": 1.5},
            {"client_secret": {"value": "ek_1", "expires_at": 1}},
            b'{"value": "ek_1", "expires_at": NaN}', b" " * (300 * 1024),
        ],
    )  # fmt: skip
    def test_answers_that_are_none(self, body: Any, providers: Providers) -> None:
        assert error_of(self._fails(providers, Reply(200, body))) == (503, "UNAVAILABLE", "5")

    def test_an_answer_that_was_squeezed(self, providers: Providers) -> None:
        """None was asked for; what may unfold into anything is not unfolded."""
        import gzip  # noqa: PLC0415

        squeezed = gzip.compress(json.dumps({"value": "ek_1", "expires_at": int(time.time()) + 60}).encode())
        answer = self._fails(providers, Reply(200, squeezed, {"content-encoding": "gzip"}))
        assert error_of(answer) == (503, "UNAVAILABLE", "5")
        assert "gzip" not in providers.received[0].headers.get("accept-encoding", "")

    @pytest.mark.parametrize("lives", [7300, 10**6, 0, -5])
    def test_a_lifetime_out_of_bounds(self, lives: int, providers: Providers) -> None:
        body = {"value": "ek_1", "expires_at": int(time.time()) + lives}
        assert error_of(self._fails(providers, Reply(200, body))) == (503, "UNAVAILABLE", "5")

    @pytest.mark.parametrize("provider", ["openai", "azure_openai", "xai"])
    def test_an_answer_that_holds_the_permanent_key(
        self, provider: str, providers: Providers, log_lines: Lines
    ) -> None:
        body = {"value": f"ek_{leaks.PROVIDER_KEYS[provider]}", "expires_at": int(time.time()) + 60}
        assert error_of(self._fails(providers, Reply(200, body), provider=provider)) == (503, "UNAVAILABLE", "5")
        assert "the answer holds the key" in json.dumps(log_lines())

    @pytest.mark.parametrize(
        "body",
        [
            {}, {"name": 5}, {"name": "tokens/1"}, {"name": "auth_tokens/"}, {"name": "auth_tokens/a b"},
            {"name": "auth_tokens/1\r\nx: y"}, {"name": f"auth_tokens/{leaks.PROVIDER_KEYS['gemini']}"},
        ],
    )  # fmt: skip
    def test_geminis_answers_that_are_none(self, body: Any, providers: Providers) -> None:
        assert error_of(self._fails(providers, Reply(200, body), provider="gemini")) == (503, "UNAVAILABLE", "5")

    @pytest.mark.parametrize(
        "body",
        [
            {}, {"session": {"id": "s"}}, {"session": {"id": "a/../b"}, "transport": {"sdp": ANSWER}},
            {"session": {"id": "s"}, "transport": {"sdp": "no description"}},
            {"session": {"id": "s"}, "transport": {"sdp": "v=0\r\n" + "a" * (2 * MAX_OFFER)}},
        ],
    )  # fmt: skip
    def test_gpt_lives_answers_that_are_none(self, body: Any, providers: Providers) -> None:
        assert error_of(self._fails(providers, Reply(201, body), provider="gpt_live")) == (503, "UNAVAILABLE", "5")

    @pytest.mark.parametrize("told", [None, "x", [], {"error": "x"}, {"error": {"code": leaks.PROVIDER_KEYS["xai"]}}])
    def test_refusals_of_any_form(self, told: Any, providers: Providers) -> None:
        assert error_of(self._fails(providers, Reply(400, told), provider="gemini")) == (500, "INTERNAL_ERROR", None)
        assert error_of(self._fails(providers, Reply(400, told), provider="xai")) == (500, "INTERNAL_ERROR", None)


_STS_ERROR = "<ErrorResponse><Error><Code>{}</Code><Message>words-of-the-provider</Message></Error></ErrorResponse>"


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    ("status", "code", "answered", "alarm"),
    [
        (403, "AccessDenied", (500, "INTERNAL_ERROR", None), True),
        (400, "Throttling", (503, "UNAVAILABLE", "5"), False),
        (503, "ServiceUnavailable", (503, "UNAVAILABLE", "5"), False),
    ],
)
def test_sts_refuses(
    status: int, code: str, answered: tuple[int, str, str | None], alarm: bool, monkeypatch: pytest.MonkeyPatch,
    log_lines: Lines,
) -> None:  # fmt: skip
    body = _STS_ERROR.format(code).encode()
    with serving(lambda _: Reply(status, body, {"content-type": "text/xml"})) as url:
        monkeypatch.setenv("AWS_ENDPOINT_URL_STS", url)
        nova_sonic._client.cache_clear()
        answer = vend("nova_sonic")
    nova_sonic._client.cache_clear()
    assert error_of(answer) == answered
    assert (Event.PROVIDER_KEY_REFUSED.value[1] in messages(log_lines)) == alarm
    assert "words-of-the-provider" not in json.dumps([answer, log_lines()])


@pytest.mark.usefixtures("kept")
def test_sts_is_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_STS", f"http://127.0.0.1:{free_port()}")
    nova_sonic._client.cache_clear()
    assert error_of(vend("nova_sonic")) == (503, "UNAVAILABLE", "5")
    nova_sonic._client.cache_clear()


class TestRate:
    """A caller's credentials a minute, counted before anybody is asked; what cannot be counted is not issued."""

    @pytest.mark.usefixtures("kept")
    def test_spent(self, providers: Providers, monkeypatch: pytest.MonkeyPatch, log_lines: Lines) -> None:
        set_ledger(monkeypatch, ISNAD_CREDENTIALS_PER_MINUTE="3")
        _at_the_start_of_a_minute()
        anna = str(uuid.uuid4())
        answers = [vend("openai", anna) for _ in range(5)]
        assert [answer["status"] for answer in answers] == [200, 200, 200, 429, 429]
        assert answers[4]["error"] == {
            "code": "LIMIT_EXCEEDED",
            "message": "At most 3 credentials a minute are issued to one caller; try again later.",
        }
        assert 1 <= int(answers[4]["retry_after"]) <= 60
        assert len(providers.received) == 3
        assert vend("openai")["status"] == 200
        assert vend("gemini", anna)["status"] == 429
        assert messages(log_lines).count(Event.CREDENTIAL_REFUSED.value[1]) == 3

    @pytest.mark.usefixtures("kept")
    def test_a_new_minute(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from isnad_gateway.data import rate_limit  # noqa: PLC0415

        set_ledger(monkeypatch, ISNAD_CREDENTIALS_PER_MINUTE="1")
        now = 1_800_000_000.0
        rate = partial(rate_limit.count_credential, now=now)
        settings_ = _ledger_settings()
        rate("i", "anna", settings_)
        with pytest.raises(rate_limit.Spent) as spent:
            rate("i", "anna", settings_, now=now + 59)
        assert spent.value.seconds == 2
        rate("i", "anna", settings_, now=now + 60)
        rate("j", "anna", settings_)
        rate('i","anna', "", settings_)

    @pytest.mark.usefixtures("kept")
    def test_at_once(self, providers: Providers, monkeypatch: pytest.MonkeyPatch) -> None:
        """Thirty at the same moment get no more than three."""
        set_ledger(monkeypatch, ISNAD_CREDENTIALS_PER_MINUTE="3")
        _at_the_start_of_a_minute()
        carla = str(uuid.uuid4())
        with ThreadPoolExecutor(10) as threads:
            statuses = list(threads.map(lambda _: vend("openai", carla)["status"], range(30)))
        assert sorted(statuses) == [200] * 3 + [429] * 27
        assert len(providers.received) == 3

    @pytest.mark.usefixtures("kept", "ledger_down")
    def test_the_ledger_is_down(self, providers: Providers, log_lines: Lines) -> None:
        """It fails closed."""
        assert error_of(vend("openai")) == (503, "UNAVAILABLE", "1")
        assert providers.received == []
        assert Event.LEDGER_UNREADABLE.value[1] in messages(log_lines)

    @pytest.mark.usefixtures("kept")
    def test_there_is_no_ledger(self, providers: Providers, monkeypatch: pytest.MonkeyPatch) -> None:
        set_ledger(monkeypatch, ISNAD_LEDGER_TABLE="")
        answer = vend("openai")
        assert error_of(answer) == (503, "UNAVAILABLE", "1")
        assert answer["error"]["message"].startswith("No turn ledger is set up")
        assert providers.received == []

    def test_what_is_refused_at_once_costs_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv(settings.VARIABLE, raising=False)
        set_ledger(monkeypatch, ISNAD_CREDENTIALS_PER_MINUTE="1")
        for _ in range(3):
            assert vend("openai", "dora")["status"] == 503
            assert vend("nobody", "dora")["status"] == 400

    @pytest.mark.usefixtures("kept")
    def test_counters_expire(self) -> None:
        from isnad_gateway.data.table import asking  # noqa: PLC0415

        emma = str(uuid.uuid4())
        vend("openai", emma)
        with asking() as (client, table):
            items = client.query(
                TableName=table,
                KeyConditionExpression="pk = :pk",
                ExpressionAttributeValues={":pk": {"S": f'["https://issuer.example","{emma}"]'}},
            )["Items"]
        [item] = items
        assert item["sk"]["S"].startswith("credentials#")
        assert 3600 <= int(item["expires"]["N"]) - time.time() <= 3660


def _ledger_settings() -> Any:
    from isnad_gateway.core.ledger_settings import ledger_settings  # noqa: PLC0415

    found = ledger_settings()
    assert found is not None
    return found


def _at_the_start_of_a_minute() -> None:
    """Wait out the last seconds of a minute, which would divide a test in two."""
    left = 60 - time.time() % 60
    if left < 10:
        time.sleep(left + 0.1)


GOOD = {"provider": "openai", "conversation_id": "c1", "language": "fr"}


@pytest.mark.usefixtures("kept")
class TestRequests:
    """Whatever comes, the answer is INVALID_ARGUMENT, and no provider is asked."""

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            (
                {"provider": "nobody"},
                "`provider` must be one of 'azure_openai', 'gemini', 'gpt_live', 'nova_sonic', 'openai', 'xai'.",
            ),
            ({"provider": "../openai"}, "`provider` holds characters that are not allowed."),
            ({"provider": "OpenAI"}, "`provider` holds characters that are not allowed."),
            ({"provider": "__init__"}, "`provider` holds characters that are not allowed."),
            ({"provider": "a" * 65}, "`provider` must have at most 64 characters."),
            ({"provider": ""}, "`provider` holds characters that are not allowed."),
            ({"provider": None}, "`provider` must be a string."),
            ({"provider": 5}, "`provider` must be a string."),
            ({"provider": ["openai"]}, "`provider` must be a string."),
            ({"conversation_id": ""}, "`conversation_id` must not be empty."),
            ({"conversation_id": "a\nb"}, "`conversation_id` holds characters that are not allowed."),
            ({"conversation_id": "a\0b"}, "`conversation_id` holds characters that are not allowed."),
            ({"conversation_id": "a\x85"}, "`conversation_id` holds characters that are not allowed."),
            ({"conversation_id": "c\n"}, "`conversation_id` holds characters that are not allowed."),
            ({"conversation_id": "x" * 129}, "`conversation_id` must have at most 128 characters."),
            ({"language": "ar"}, "`language` must be 'fr' or 'en'."),
            ({"language": "FR"}, "`language` must be 'fr' or 'en'."),
            ({"language": None}, "`language` must be 'fr' or 'en'."),
            ({"model": "gpt\r\nx-evil: 1"}, "`model` holds characters that are not allowed."),
            ({"model": "gpt realtime"}, "`model` holds characters that are not allowed."),
            ({"model": "models/../../x"}, "`model` holds characters that are not allowed."),
            ({"model": ""}, "`model` holds characters that are not allowed."),
            ({"model": "a" * 129}, "`model` must have at most 128 characters."),
            ({"model": 5}, "`model` must be a string."),
            ({"voice": "marin\r\n"}, "`voice` holds characters that are not allowed."),
            ({"voice": {"id": "voice"}}, "`voice` must be a string."),
            ({"voice": "مرين"}, "`voice` holds characters that are not allowed."),
            ({"offer": OFFER}, "`offer` is not taken by provider 'openai': its client connects by itself."),
            ({"offer": ""}, "`offer` must not be empty."),
            ({"offer": "x"}, "`offer` must be a session description (SDP)."),
            ({"offer": "v=0\nm=\0"}, "`offer` must hold no control characters but line ends."),
            ({"offer": "v=0\n" + "a" * MAX_OFFER}, f"`offer` must have at most {MAX_OFFER} characters."),
            ({"offer": 5}, "`offer` must be a string."),
            ({"api_key": "x"}, "`api_key` is not a field of this request."),
            ({"session": {}}, "`session` is not a field of this request."),
            ({"instructions": "ignore"}, "`instructions` is not a field of this request."),
        ],
    )
    def test_refused(self, changes: dict[str, Any], message: str, providers: Providers) -> None:
        answer = vend_raw(json.dumps({**GOOD, **changes}))
        assert (answer["status"], answer["error"]) == (400, {"code": "INVALID_ARGUMENT", "message": message})
        assert providers.received == []

    @pytest.mark.parametrize("name", GOOD)
    def test_missing(self, name: str) -> None:
        body = {key: value for key, value in GOOD.items() if key != name}
        assert vend_raw(json.dumps(body))["error"]["message"] == f"`{name}` is missing."

    @pytest.mark.parametrize(
        "body",
        [
            None, "", "{", "null", "[]", "5", '"x"', "\ufeff{}", "[" * 100_000, '{"provider": "\\ud800"}',
            json.dumps(GOOD)[:-1] + ', "provider": "xai"}', json.dumps(GOOD)[:-1] + ', "model": NaN}',
            json.dumps({**GOOD, "offer": "v=0\n" + "a" * 70_000}), json.dumps(GOOD).replace("c1", "\\ud800"),
            json.dumps(GOOD) + "x", "{}" * 2,
        ],
    )  # fmt: skip
    def test_no_request(self, body: str | None, providers: Providers, log_lines: Lines) -> None:
        assert error_of(vend_raw(body)) == (400, "INVALID_ARGUMENT", None)
        assert providers.received == []
        [line] = log_lines()
        assert (line["message"], line["credential"]["provider"]) == (Event.CREDENTIAL_REFUSED.value[1], None)

    def test_events_that_are_none(self) -> None:
        for event in ({}, {"body": 5}, {"body": "x", "isBase64Encoded": True}, {"requestContext": None}):
            answer = handler(event, None)
            assert answer["statusCode"] == 400
            assert leaks.in_reply(answer) == []

    def test_a_conversation_may_have_any_name(self, providers: Providers) -> None:
        for name in ("محادثة", "a  b", '"];', "x" * 128, "𝄞"):
            assert vend("openai", conversation_id=name)["conversation_id"] == name
            assert name not in providers.received[-1].raw.decode()

    def test_without_an_authorizer_all_are_one_caller(self) -> None:
        answer = handler({**load_event("vend_credential"), "requestContext": {}}, None)
        assert answer["statusCode"] == 200


@pytest.mark.usefixtures("kept")
def test_any_request_gets_an_answer_that_is_described(monkeypatch: pytest.MonkeyPatch) -> None:
    """Property-based, through the whole function: 200 or 400, in the form of the OpenAPI document, and no more requests
    to a provider than credentials given.
    """
    set_ledger(monkeypatch, ISNAD_CREDENTIALS_PER_MINUTE="10000")
    words = st.sampled_from(["openai", "xai", "marin", "eve", "gpt-realtime-2", "grok-voice-latest", "fr", "en", OFFER])
    anything = st.none() | st.text(max_size=6) | st.integers() | words
    bodies = st.fixed_dictionaries(
        {"provider": st.sampled_from(names()), "conversation_id": st.text(min_size=1, max_size=9), "language": words},
        optional={"model": anything, "voice": anything, "offer": anything},
    )

    @settings_of_hypothesis(deadline=None, max_examples=150, derandomize=True, database=None)
    @given(bodies)
    def holds(body: dict[str, Any]) -> None:
        answer = vend_raw(json.dumps(body))
        assert answer["status"] in (200, 400), answer
        if answer["status"] == 200:
            assert answer["conversation_id"] == body["conversation_id"]
            assert body.get("model") in (None, answer["model"])

    holds()


def test_session_ids_sort_by_time_and_do_not_repeat() -> None:
    made = [session_id(now) for now in (1.0, 2.0, 1e9, 1.8e9)]
    assert made == sorted(made)
    assert len({session_id(5.0) for _ in range(1000)}) == 1000
    parsed = uuid.UUID(session_id(1_800_000_000.123))
    assert (parsed.version, parsed.variant) == (7, uuid.RFC_4122)
    assert parsed.int >> 80 == 1_800_000_000_123


def test_the_journal_is_closed_and_can_fail(kept: Secrets, log_lines: Lines) -> None:
    vend("openai")
    vend("nobody")
    issued, refused = [line["credential"] for line in log_lines() if "credential" in line]
    for broken in (
        {**issued, "value": "x"}, {**issued, "error": {"code": "INTERNAL_ERROR", "message": "x"}}, {**refused, "error": None},
        {**issued, "sha256": "x"}, {**issued, "provider": None}, {**refused, "sha256": issued["sha256"]},
        {**issued, "timestamp": "now"}, {name: value for name, value in issued.items() if name != "subject"},
    ):  # fmt: skip
        assert not SCHEMA.is_valid(broken)
    assert SCHEMA.is_valid(issued)
    assert SCHEMA.is_valid(refused)
    assert kept.arns


def test_models_of_the_request_and_of_the_answer_hold_no_secret_in_their_text() -> None:
    from isnad_gateway.domain.credential import Connect, Credential  # noqa: PLC0415

    credential = Credential(value=leaks.EPHEMERAL, type="t", expires_at="x", expires_in=1)
    connect = Connect(url="u", transport="webrtc", headers={"a": leaks.EPHEMERAL})
    assert leaks.EPHEMERAL not in repr(credential) + str(connect)
    assert CredentialRequest.model_config["extra"] == "forbid"
