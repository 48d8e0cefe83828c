"""Providers are asked over TLS that verifies them; a key goes to nobody else."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import leaks
from tests.certificates import Authority
from tests.integration.test_vend_credential import error_of, vend
from tests.providers import Providers, Reply, Secrets, secret_of, serving

from isnad_providers import calling, settings

pytestmark = pytest.mark.usefixtures("ledger")
TRUSTED = Authority("trusted", identified=True)
CERTIFICATES = {
    "right": TRUSTED.certificate("localhost"),
    "another name": TRUSTED.certificate("api.openai.com"),
    "expired": TRUSTED.certificate("localhost", expired=True),
    "another authority": Authority("trusted", identified=True).certificate("localhost"),
}


@pytest.fixture(autouse=True)
def _trust(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The system's authorities are the test's: OpenSSL takes them from this variable."""
    (tmp_path / "ca").write_text(TRUSTED.pem)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca"))
    calling._context.cache_clear()
    yield
    calling._context.cache_clear()


@pytest.mark.parametrize("kind", CERTIFICATES)
@pytest.mark.parametrize("provider", ["openai", "gemini", "gpt_live"])
def test_who_gets_the_key(kind: str, provider: str, kept: Secrets, providers: Providers, tmp_path: Path) -> None:
    with serving(providers.answer, certificate=CERTIFICATES[kind], folder=tmp_path) as url:
        kept.put(provider, secret_of(provider, url, leaks.PROVIDER_KEYS[provider]))
        settings.forget()
        answer = vend(provider)
    if kind == "right":
        assert answer["status"] == 200
        assert len(providers.received) == 1
    else:
        assert error_of(answer) == (503, "UNAVAILABLE", "5")
        assert providers.received == []


def test_a_server_that_speaks_no_tls(kept: Secrets, providers: Providers) -> None:
    kept.put("openai", secret_of("openai", providers.url.replace("http:", "https:"), leaks.PROVIDER_KEY))
    settings.forget()
    assert error_of(vend("openai")) == (503, "UNAVAILABLE", "5")
    assert providers.received == []


def test_no_redirect_from_tls_to_plain_text(kept: Secrets, providers: Providers, tmp_path: Path) -> None:
    def redirect(_: object) -> Reply:
        return Reply(307, b"", {"location": f"{providers.url}/v1/realtime/client_secrets"})

    with serving(redirect, certificate=CERTIFICATES["right"], folder=tmp_path) as url:
        kept.put("openai", secret_of("openai", url, leaks.PROVIDER_KEY))
        settings.forget()
        assert error_of(vend("openai")) == (503, "UNAVAILABLE", "5")
    assert providers.received == []


def test_verification_is_on() -> None:
    import ssl  # noqa: PLC0415

    context = calling._context()
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)
    assert context.minimum_version >= ssl.TLSVersion.TLSv1_2
