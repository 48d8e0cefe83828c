"""A provider is one module and one row in the docs; and what a credential does not open."""

import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from functions.vend_credential.app import handler as vend_credential
from tests import leaks
from tests.conftest import ROOT, call_event, load_event
from tests.integration.test_vend_credential import error_of, vend
from tests.ledger import as_caller
from tests.providers import Providers, Received, Reply, Secrets, serving

from isnad_local.issuer import DevelopmentIssuer, served
from isnad_local.server import LocalApi
from isnad_providers import providers as package
from isnad_providers import registry, settings

MODULE = '''
    """A provider that the gateway has never heard of."""

    from pydantic import ConfigDict

    from isnad_gateway.domain.credential import Connect, Credential, moment
    from isnad_gateway.domain.model import Model
    from isnad_providers.calling import Request, post
    from isnad_providers.issuer import Asked, Issuer, Minted, choose
    from isnad_providers.settings import ProviderSettings, missing_secret, with_key


    class Answer(Model):
        model_config = ConfigDict(extra="ignore")

        token: str
        ends: int


    def _mint(settings: ProviderSettings, asked: Asked) -> Minted:
        model = choose("model", asked.request.model, settings.models or ("new-voice",))
        headers = {"authorization": f"Token {settings.api_key}"}
        answer = post(Request("newcomer", f"{settings.endpoint}/grant", headers, {"model": model}), Answer)
        credential = Credential(value=answer.token, type="token", expires_at=moment(answer.ends), expires_in=30)
        return Minted(model, credential, Connect(url="wss://x", transport="websocket", headers={}), secret=answer.token)


    ISSUER = Issuer(
        missing=lambda: missing_secret("newcomer"),
        issue=lambda asked: with_key("newcomer", ProviderSettings, lambda settings: _mint(settings, asked)),
    )
'''


@pytest.fixture
def newcomer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One more module in the package of providers."""
    import sys  # noqa: PLC0415

    (tmp_path / "newcomer.py").write_text(textwrap.dedent(MODULE))
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    registry.names.cache_clear()
    yield
    registry.names.cache_clear()
    sys.modules.pop(f"{package.__name__}.newcomer", None)
    vars(package).pop("newcomer", None)


@pytest.mark.usefixtures("ledger", "newcomer")
def test_a_provider_is_one_module(kept: Secrets, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing else knows of it: not the function, not the request, not the template."""
    received: list[Received] = []

    def answer(asked: Received) -> Reply:
        received.append(asked)
        return Reply(200, {"token": f"{leaks.EPHEMERAL}-new", "ends": 1_900_000_000, "more": "ignored"})

    assert "not set up: ISNAD_PROVIDER_SECRETS lists no secret" in vend("newcomer")["error"]["message"]
    with serving(answer) as url:
        made = kept._client.create_secret(
            Name="elsewhere/newcomer",
            SecretString=json.dumps({"api_key": leaks.PROVIDER_KEY, "endpoint": url}),
        )
        monkeypatch.setenv(settings.VARIABLE, f"{','.join(kept.arns.values())},{made['ARN']}")
        issued = vend("newcomer")
    assert (issued["status"], issued["credential"]["value"]) == (200, f"{leaks.EPHEMERAL}-new")
    assert received[0].headers["authorization"] == f"Token {leaks.PROVIDER_KEY}"
    assert "'newcomer'" in vend("nobody")["error"]["message"]


def test_without_its_module_there_is_no_such_provider() -> None:
    assert error_of(vend("newcomer")) == (400, "INVALID_ARGUMENT", None)


def test_each_provider_has_its_row_in_the_docs() -> None:
    text = (ROOT / "docs" / "providers.md").read_text(encoding="utf-8")
    [section] = re.findall(r"\n## The providers\n(.*?)\n## ", text, re.DOTALL)
    assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == list(registry.names())


def test_nothing_else_names_a_provider() -> None:
    """Rule 2 of the architecture: adding a provider changes no line of the functions or of the gateway's layer."""
    names = re.compile(r"(?i)openai|gemini|\bxai\b|grok|gpt|nova|bedrock|azure")
    for folder in ("functions", "layers/gateway"):
        for file in (ROOT / folder).rglob("*"):
            if file.suffix in (".py", ".sql"):
                assert not names.search(file.read_text(encoding="utf-8")), file


@pytest.mark.usefixtures("ledger", "gateway", "kept")
class TestWhatACredentialDoesNotOpen:
    """V7: whoever holds one can change the session's tools and instructions; here it changes nothing."""

    def test_it_is_no_token_of_the_gateway(self, tmp_path: Path) -> None:
        value = vend("openai")["credential"]["value"]
        with served(DevelopmentIssuer(tmp_path)):
            api = LocalApi(needs_token=True)
            for method, path in (("GET", "/v1/tools"), ("POST", "/v1/credentials")):
                statuses: list[str] = []

                def start(status: str, _headers: object, seen: list[str] = statuses) -> None:
                    seen.append(status)

                environ = {
                    "PATH_INFO": path, "REQUEST_METHOD": method, "SERVER_PROTOCOL": "HTTP/1.1",
                    "HTTP_AUTHORIZATION": f"Bearer {value}", "wsgi.input": None,
                }  # fmt: skip
                list(api(environ, start))
                assert statuses == ["403 Forbidden"]

    def test_a_call_that_an_altered_session_makes_is_held_against_the_contract(self) -> None:
        """Arguments that the declared schema does not have, or values beyond its bounds, are refused as ever."""
        from functions.search_hadith.app import handler  # noqa: PLC0415

        for arguments in ({"query": "نية", "sql": "x"}, {"query": "نية", "limit": 10_000}, {"prompt": "x"}):
            body = {"arguments": arguments, "conversation_id": "c1", "session_id": "s1", "turn_id": 1}
            answer = handler(as_caller(call_event(body)), None)
            assert answer["statusCode"] in (400, 422)

    def test_the_request_carries_no_configuration(self, providers: Providers) -> None:
        """Nobody asks for tools, instructions, a lifetime or a number of uses."""
        for name in ("tools", "instructions", "expires_after", "uses", "endpoint", "headers"):
            event = load_event("vend_credential")
            event["body"] = json.dumps({**json.loads(event["body"]), name: 1})
            assert vend_credential(event, None)["statusCode"] == 400
        assert providers.received == []
