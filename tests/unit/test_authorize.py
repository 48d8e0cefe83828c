"""Who gets in: tokens, keys, scopes; and what happens when the key server is down."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from functions.authorize import app
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import load_event

from isnad_authorizer.keys import COOL_DOWN, FRESH, RETRY, STALE, Keys, KeysUnavailable
from isnad_authorizer.scopes import ALL, scope_of
from isnad_authorizer.tokens import CLOCK_SKEW, Issuer, Refused, bearer, verify
from isnad_gateway.core.logs import Event
from isnad_local.template import load_routes

ISSUER, AUDIENCE = "https://issuer.example", "isnad-gateway"
Lines = Callable[[], list[dict[str, Any]]]

EC, RSA = ec.generate_private_key(ec.SECP256R1()), rsa.generate_private_key(65537, 2048)
STRANGER = ec.generate_private_key(ec.SECP256R1())
SHORT_RSA = rsa.generate_private_key(65537, 1024)
P384, ED25519 = ec.generate_private_key(ec.SECP384R1()), ed25519.Ed25519PrivateKey.generate()


def _jwk(key: Any, **also: Any) -> dict[str, Any]:
    kinds: dict[str, Any] = {
        "EC": jwt.algorithms.ECAlgorithm,
        "RSA": jwt.algorithms.RSAAlgorithm,
        "OKP": jwt.algorithms.OKPAlgorithm,
    }
    for kind in kinds.values():
        try:
            return {**kind.to_jwk(key.public_key(), as_dict=True), **also}
        except (jwt.PyJWTError, AttributeError, TypeError):
            continue
    raise AssertionError(key)


KEY_SET = {
    "keys": [
        _jwk(EC, kid="ec", alg="ES256", use="sig"),
        _jwk(RSA, kid="rsa"),
        _jwk(STRANGER, kid="encryption", use="enc"),
        _jwk(P384, kid="p384"),
        _jwk(ED25519, kid="ed25519"),
        _jwk(RSA, kid="rs512", alg="RS512"),
        {"kty": "oct", "kid": "shared", "k": "c2VjcmV0", "alg": "HS256"},
        {"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA", "kid": "off the curve"},
        {"kty": "RSA", "kid": "incomplete"},
        {**_jwk(EC), "kid": 7},
        _jwk(EC),
        "no key",
        None,
    ]
}


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class KeyServer:
    """What serves the key set: counts how often it is asked, and can be down."""

    def __init__(self, key_set: Any = KEY_SET) -> None:
        self.key_set, self.asked, self.failure = key_set, 0, None

    key_set: Any
    failure: Exception | None

    def __call__(self, url: str) -> bytes:
        assert url == "https://issuer.example/keys"
        self.asked += 1
        if self.failure is not None:
            raise self.failure
        return self.key_set if isinstance(self.key_set, bytes) else json.dumps(self.key_set).encode()


def _keys(server: KeyServer, clock: Clock | None = None) -> Keys:
    return Keys("https://issuer.example/keys", fetch=server, clock=clock or Clock())


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> KeyServer:
    """The authorizer's issuer, with a key server of the test's own."""
    made = KeyServer()
    issuer = Issuer(ISSUER, AUDIENCE, _keys(made, Clock()))
    monkeypatch.setattr(app, "issuer", lambda: issuer)
    return made


def _claims(**changes: Any) -> dict[str, Any]:
    now = int(time.time())
    claims = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": "user-1",
        "iat": now,
        "exp": now + 24 * 3600,  # tokens are made when tests are collected, and outlive the run
        "scope": "tools",
        **changes,
    }
    return {name: value for name, value in claims.items() if value is not ...}


def _token(key: Any = EC, algorithm: str = "ES256", kid: Any = "ec", headers: Any = None, **changes: Any) -> str:
    return jwt.encode(_claims(**changes), key, algorithm, headers={"kid": kid, **(headers or {})})


def _ask(token: str | None, route: str = "POST /v1/tools/get_hadith") -> dict[str, Any]:
    event = load_event("authorize")
    event["headers"] = {} if token is None else {"authorization": token if " " in token else f"Bearer {token}"}
    return app.handler({**event, "routeKey": route}, None)


def test_let_in(server: KeyServer) -> None:
    for token in (_token(), _token(RSA, "RS256", "rsa"), _token(aud=["other", AUDIENCE]), f"bearer {_token()}"):
        assert _ask(token) == {
            "isAuthorized": True,
            "context": {"issuer": ISSUER, "subject": "user-1", "scope": "tools"},
        }
    both = _token(scope="  audit tools unknown ")
    assert _ask(both)["context"]["scope"] == "tools audit"
    assert server.asked == 1


def _encoded(part: Any) -> str:
    raw = part if isinstance(part, bytes) else json.dumps(part).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _by_hand(header: Any, payload: Any = None, signature: bytes = b"signature") -> str:
    return f"{_encoded(header)}.{_encoded(payload if payload is not None else _claims())}.{_encoded(signature)}"


def _public_key_as_secret(key: Any, kid: str) -> str:
    """HS256 with the public key as the shared secret: what a verifier believes that lets the token choose."""
    pem = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    signed = f"{_encoded({'alg': 'HS256', 'kid': kid})}.{_encoded(_claims())}"
    return f"{signed}.{_encoded(hmac.digest(pem, signed.encode(), hashlib.sha256))}"


def _tampered() -> str:
    header, _, signature = _token().split(".")
    return f"{header}.{_encoded(_claims(scope='tools audit'))}.{signature}"


NOW = int(time.time())
REFUSALS: dict[str, tuple[str | None, str]] = {
    "no token": (None, "no token"),
    "another scheme": ("Basic dXNlcjpwYXNz", "no token"),
    "an empty one": ("Bearer ", "no token"),
    "no token at all": ("Bearer x", "malformed"),
    "two parts": ("a.b", "malformed"),
    "five parts, encrypted": ("aa.bb.cc.dd.ee", "malformed"),
    "no JSON": ("YWJj.YWJj.YWJj", "malformed"),
    "header is a list": (_by_hand([]), "malformed"),
    "deep nesting": (_by_hand(b"[" * 5000), "malformed"),
    "too long": (_token(padding="x" * 9000), "malformed"),
    "alg none": (_by_hand({"alg": "none", "kid": "ec"}), "algorithm"),
    "alg None": (_by_hand({"alg": None, "kid": "ec"}), "algorithm"),
    "no alg": (_by_hand({"kid": "ec"}), "algorithm"),
    "HMAC with the public EC key": (_public_key_as_secret(EC, "ec"), "algorithm"),
    "HMAC with the public RSA key": (_public_key_as_secret(RSA, "rsa"), "algorithm"),
    "the shared secret in the key set": (_by_hand({"alg": "HS256", "kid": "shared"}), "algorithm"),
    "ES384": (_token(P384, "ES384", "p384"), "algorithm"),
    "RS512": (_token(RSA, "RS512", "rs512"), "algorithm"),
    "EdDSA": (_token(ED25519, "EdDSA", "ed25519"), "algorithm"),
    "RS256 by the name of the EC key": (_token(RSA, "RS256", "ec"), "unknown key"),
    "ES256 by the name of the RSA key": (_token(EC, "ES256", "rsa"), "unknown key"),
    "a key for encryption": (_token(STRANGER, kid="encryption"), "unknown key"),
    "a key that is not there": (_token(kid="gone"), "unknown key"),
    "no kid": (_by_hand({"alg": "ES256"}), "unknown key"),
    "a kid that is no string": (_by_hand({"alg": "ES256", "kid": ["ec"]}), "malformed"),
    "a very long kid": (_token(kid="k" * 129), "unknown key"),
    "its own key in the header": (_token(STRANGER, kid="ec", headers={"jwk": _jwk(STRANGER)}), "signature"),
    "another's signature": (_token(STRANGER, kid="ec"), "signature"),
    "a changed payload": (_tampered(), "signature"),
    "another issuer": (_token(iss="https://issuer.example.evil"), "issuer"),
    "the issuer in a list": (_token(iss=ISSUER + "/"), "issuer"),
    "another audience": (_token(aud="other"), "audience"),
    "a longer audience": (_token(aud=AUDIENCE + "2"), "audience"),
    "expired": (_token(exp=NOW - CLOCK_SKEW - 5), "expired"),
    "expired long ago": (_token(exp=0), "expired"),
    "not before": (_token(nbf=NOW + 24 * 3600), "not valid yet"),
    "from the future": (_token(iat=NOW + 24 * 3600), "not valid yet"),
    "without exp": (_token(exp=...), "missing claim"),
    "without iat": (_token(iat=...), "missing claim"),
    "without sub": (_token(sub=...), "missing claim"),
    "without aud": (_token(aud=...), "missing claim"),
    "without iss": (_token(iss=...), "missing claim"),
    "exp as text": (_token(exp="tomorrow"), "malformed"),
    "an empty sub": (_token(sub=""), "malformed"),
    "a very long sub": (_token(sub="s" * 257), "malformed"),
    "scope as a list": (_token(scope=["tools"]), "malformed"),
    "no scope": (_token(scope=...), "scope"),
    "an empty scope": (_token(scope=""), "scope"),
    "another scope": (_token(scope="credentials"), "scope"),
    "nearly the scope": (_token(scope="toolss Tools tools:read"), "scope"),
}


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("case", REFUSALS)
def test_refused(case: str, log_lines: Lines) -> None:
    """The answer is no, the log says why, and holds nothing of the token."""
    token, reason = REFUSALS[case]
    assert _ask(token) == {"isAuthorized": False}
    [line] = log_lines()
    assert (line["message"], line["refusal"]) == (
        Event.TOKEN_REFUSED.value[1],
        {"reason": reason, "route": "POST /v1/tools/get_hadith"},
    )
    assert token is None or token.split()[-1] not in json.dumps(line)


@pytest.mark.usefixtures("server")
def test_clocks_may_differ_a_little() -> None:
    near = CLOCK_SKEW - 10
    now = int(time.time())
    cases: list[dict[str, Any]] = [{"exp": now - near}, {"iat": now + near}, {"nbf": now + near}]
    for changes in cases:
        assert _ask(_token(**changes))["isAuthorized"] is True


ROUTES = [
    ("POST /v1/tools/get_hadith", "tools"),
    ("POST /v1/tools/search_hadith", "tools"),
    ("GET /v1/tools", "tools"),
    ("POST /mcp", "tools"),
    ("POST /v1/credentials", "credentials"),
    ("POST /v1/turns", "turns"),
    ("GET /v1/turns/{conversation_id}", "audit"),
    ("GET /v1/turns/{conversation_id}/{turn_id}", "audit"),
    ("GET /health", None),
    ("$default", None),
    ("GET /v1/toolsmith", None),
    ("DELETE /v1/turns/{conversation_id}", None),
    ("POST /v1/turns/x", None),
    ("None", None),
]


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize(("route", "scope"), ROUTES)
def test_scopes(route: str, scope: str | None) -> None:
    """Each scope opens its own routes; a route that is not listed opens to nobody."""
    assert scope_of(route) == scope
    opened = {each for each in ALL if _ask(_token(scope=each), route)["isAuthorized"]}
    assert opened == ({scope} if scope else set())


def test_every_protected_route_has_a_scope() -> None:
    for route in load_routes():
        assert (scope_of(route.key) is not None) == route.protected, route.key


def test_default_scopes(monkeypatch: pytest.MonkeyPatch) -> None:
    """For an issuer whose tokens have no scope claim; one that is there counts alone."""
    issuer = Issuer(ISSUER, AUDIENCE, _keys(KeyServer()), frozenset({"tools"}))
    monkeypatch.setattr(app, "issuer", lambda: issuer)
    assert _ask(_token(scope=...))["isAuthorized"] is True
    assert _ask(_token(scope=...), "POST /v1/credentials")["isAuthorized"] is False
    assert _ask(_token(scope=""))["isAuthorized"] is False


def test_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ISNAD_TOKEN_ISSUER", ISSUER)
    monkeypatch.setenv("ISNAD_TOKEN_AUDIENCE", AUDIENCE)
    monkeypatch.setenv("ISNAD_TOKEN_KEYS_URL", "https://issuer.example/keys")
    monkeypatch.setenv("ISNAD_TOKEN_DEFAULT_SCOPES", "tools, turns,")
    made = app.issuer.__wrapped__()
    assert (made.name, made.audience, made.default_scopes) == (ISSUER, AUDIENCE, frozenset({"tools", "turns"}))
    monkeypatch.setenv("ISNAD_TOKEN_KEYS_URL", "http://issuer.example/keys")
    with pytest.raises(ValueError, match="https"):
        app.issuer.__wrapped__()


def test_without_settings_nobody_gets_in(monkeypatch: pytest.MonkeyPatch, log_lines: Lines) -> None:
    monkeypatch.delenv("ISNAD_TOKEN_ISSUER", raising=False)
    monkeypatch.setattr(app, "issuer", app.issuer.__wrapped__)
    assert _ask(_token()) == {"isAuthorized": False}
    assert [line["message"] for line in log_lines()] == [Event.UNEXPECTED.value[1]]


@pytest.mark.parametrize(
    "event", [{}, {"routeKey": None}, {"routeKey": "GET /v1/tools", "headers": None}, {"headers": []}]
)
def test_no_event_of_the_platform(event: dict[str, Any], server: KeyServer) -> None:
    assert app.handler(event, None) == {"isAuthorized": False}


class TestKeys:
    """Fetched when needed, kept, asked for again with a cool-down."""

    def test_which_are_taken(self) -> None:
        keys = _keys(KeyServer())
        found = {kid: keys.find(kid) for kid in ("ec", "rsa", "encryption", "p384", "rs512", "shared", "off the curve")}
        assert {kid for kid, key in found.items() if key is not None} == {"ec", "rsa"}

    @pytest.mark.filterwarnings("ignore::jwt.warnings.InsecureKeyLengthWarning")
    def test_short_rsa_keys_are_not(self) -> None:
        assert _keys(KeyServer({"keys": [_jwk(SHORT_RSA, kid="short")]})).find("short") is None

    def test_an_unknown_key_is_looked_for_once_in_a_while(self) -> None:
        """A new key is found, and forged names do not become requests."""
        server, clock = KeyServer({"keys": []}), Clock()
        keys = _keys(server, clock)
        for number in range(1000):
            assert keys.find(f"k{number}") is None
        assert server.asked == 1
        server.key_set = KEY_SET
        clock.now += COOL_DOWN - 1
        assert keys.find("ec") is None
        clock.now += 1
        assert keys.find("ec") is not None
        assert server.asked == 2

    def test_a_withdrawn_key_is_refused_once_the_keys_are_no_longer_fresh(self) -> None:
        server, clock = KeyServer(), Clock()
        keys = _keys(server, clock)
        assert keys.find("ec") is not None
        server.key_set = {"keys": []}
        clock.now += FRESH
        assert keys.find("ec") is not None
        clock.now += 1
        assert keys.find("ec") is None

    @pytest.mark.parametrize("answer", [OSError("down"), b"", b"<html>", b"[]", b'{"keys": {}}', b"\xff"])
    def test_server_down(self, answer: Exception | bytes) -> None:
        """The keys at hand are used until they are stale; without any, nobody can say."""
        server, clock = KeyServer(), Clock()
        keys = _keys(server, clock)
        assert keys.find("ec") is not None
        server.failure, server.key_set = (answer, None) if isinstance(answer, Exception) else (None, answer)
        clock.now += STALE
        assert keys.find("ec") is not None
        assert keys.find("ec") is not None
        assert server.asked == 2
        clock.now += RETRY + 1
        with pytest.raises(KeysUnavailable):
            keys.find("ec")
        server.failure, server.key_set = None, KEY_SET
        clock.now += RETRY
        assert keys.find("ec") is not None

    @pytest.mark.parametrize(
        "url", ["http://issuer.example/keys", "file:///etc/passwd", "ftp://x/y", "", "issuer.example"]
    )
    def test_plain_http_is_for_loopback(self, url: str) -> None:
        with pytest.raises(ValueError, match="https"):
            Keys(url)
        Keys("http://127.0.0.1:1/")


def test_the_key_server_is_down(log_lines: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody gets in, quickly, and the log says whose fault it is. Nobody listens on the port."""
    issuer = Issuer(ISSUER, AUDIENCE, Keys("http://127.0.0.1:9/keys"))
    monkeypatch.setattr(app, "issuer", lambda: issuer)
    started = time.perf_counter()
    assert all(_ask(_token()) == {"isAuthorized": False} for _ in range(100))
    assert time.perf_counter() - started < 5
    assert {line["message"] for line in log_lines()} == {Event.KEYS_UNAVAILABLE.value[1]}


def _malformed() -> list[str]:
    """10,000 tokens that are none, of 20 kinds, each another one."""
    kinds: list[Callable[[int], str]] = [
        lambda n: f"x{n}",
        lambda n: f"a.{n}",
        lambda n: f"{n:04}.{n:04}.{n:04}",
        lambda n: "." * (n % 50),
        lambda n: f"{'A' * 8000}.{n:04}.aa",
        lambda n: f"{'A' * 90000}{n}",
        lambda n: _by_hand({"alg": "none", "n": n}),
        lambda n: _by_hand({"alg": "HS256", "kid": str(n)}),
        lambda n: _by_hand({"alg": "ES256", "kid": str(n)}),
        lambda n: _by_hand({"alg": "ES256", "kid": "ec", "n": n}),
        lambda n: _by_hand({"alg": "RS256", "kid": "rsa", "n": n}),
        lambda n: _by_hand({"alg": "ES256", "kid": "ec"}, {"n": n}),
        lambda n: _by_hand({"alg": "ES256", "kid": "ec"}, [n]),
        lambda n: _by_hand({"alg": "ES256", "kid": "ec", "crit": [str(n)]}),
        lambda n: _by_hand({"alg": "ES256", "kid": n}),
        lambda n: _by_hand(b"{" * (n % 4000 + 1)),
        lambda n: _by_hand(b'{"alg": "ES256", "kid": "ec", "x": ' + b"9" * (n % 4000 + 1) + b"}"),
        lambda n: _by_hand(b"\xff\xfe" + bytes([n % 256])),
        lambda n: _by_hand({"alg": ["ES256"], "kid": {"n": n}}),
        lambda n: f"{_token()[:-4]}{n:04}" if n % 50 == 0 else f"{n}..{n}",
    ]
    return [kinds[number % 20](number // 20) for number in range(10_000)]


def test_ten_thousand_malformed_tokens(server: KeyServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """None gets in, the key server is asked once, and the whole is a matter of seconds."""
    reasons: list[str] = []
    monkeypatch.setattr(app, "log", lambda _event, _key, **values: reasons.append(values["reason"]))
    event = load_event("authorize")
    events = [{**event, "headers": {"authorization": f"Bearer {token}"}} for token in _malformed()]
    started = time.process_time()
    assert not any(app.handler(each, None)["isAuthorized"] for each in events)
    assert time.process_time() - started < 10  # 1 ms each; it takes a third of that on a laptop
    assert len(reasons) == 10_000
    assert set(reasons) == {"no token", "malformed", "algorithm", "unknown key", "signature"}
    assert server.asked == 1


FORM = r"[A-Za-z0-9_-]{1,40}\.[A-Za-z0-9_-]{1,40}\.[A-Za-z0-9_-]{1,40}"
ANY_ISSUER = Issuer(ISSUER, AUDIENCE, _keys(KeyServer()))


@given(st.text(max_size=200) | st.from_regex(FORM, fullmatch=True))
def test_any_text_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        verify(text, ANY_ISSUER)


@given(st.none() | st.integers() | st.lists(st.text()) | st.dictionaries(st.text(), st.text() | st.none()))
@settings(max_examples=30)
def test_any_headers_are_refused(headers: Any) -> None:
    with pytest.raises(Refused):
        bearer(headers)
