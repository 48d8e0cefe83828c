"""The development issuer: signs tokens for the local API with a key of this machine, and serves the key set."""

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Final

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

ISSUER: Final = "https://isnad.invalid/development"
AUDIENCE: Final = "isnad-gateway"
_KEY_ID: Final = "development"


class DevelopmentIssuer:
    """An issuer whose tokens only the local API takes.

    Args:
        folder: where its private key is kept; made where there is none yet.
    """

    def __init__(self, folder: Path) -> None:
        file = folder / "issuer.pem"
        if not file.exists():
            made = ec.generate_private_key(ec.SECP256R1())
            folder.mkdir(parents=True, exist_ok=True)
            file.touch(mode=0o600)
            file.write_bytes(made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        key = load_pem_private_key(file.read_bytes(), password=None)
        assert isinstance(key, ec.EllipticCurvePrivateKey)
        self._key = key

    def token(self, *, subject: str, scopes: list[str], seconds: int) -> str:
        """A signed token.

        Args:
            subject: whom it speaks for.
            scopes: what it may do.
            seconds: how long it is valid from now.
        """
        now = int(time.time())
        claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": subject, "iat": now, "exp": now + seconds}
        return jwt.encode({**claims, "scope": " ".join(scopes)}, self._key, "ES256", headers={"kid": _KEY_ID})

    def key_set(self) -> str:
        """The public key, as a JSON Web Key Set."""
        public = jwt.algorithms.ECAlgorithm.to_jwk(self._key.public_key(), as_dict=True)
        return json.dumps({"keys": [{**public, "kid": _KEY_ID, "alg": "ES256", "use": "sig"}]})


@contextmanager
def key_server(issuer: DevelopmentIssuer) -> Iterator[str]:
    """Serve the issuer's key set on loopback; give its address."""
    answer = issuer.key_set().encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            """Answer with the key set, whatever the path."""
            self.send_response(200)
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def served(issuer: DevelopmentIssuer) -> Iterator[None]:
    """Serve the issuer's key set, and let the authorizer of this process take its tokens."""
    with key_server(issuer) as url:
        os.environ["ISNAD_TOKEN_ISSUER"] = ISSUER
        os.environ["ISNAD_TOKEN_AUDIENCE"] = AUDIENCE
        os.environ["ISNAD_TOKEN_KEYS_URL"] = url
        yield
