"""What `POST /v1/credentials` takes and gives. No provider is named here: which there are, `isnad_providers` knows."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from isnad_gateway.domain.arguments import NULLABLE
from isnad_gateway.domain.model import Model

Language = Literal["fr", "en"]
"""The languages in which there are instructions for the model."""

MAX_OFFER = 32_768  # characters; a browser's offer for audio and a data channel has some 2,000 to 8,000


def _session_description(text: str) -> str:
    """Refuse what is no session description (RFC 8866, section 5: it begins with its version)."""
    if not text.startswith(("v=0\n", "v=0\r\n")):
        raise ValueError("must be a session description (SDP)")
    if any(letter < " " and letter not in "\r\n\t" for letter in text):
        raise ValueError("must hold no control characters but line ends")
    return text


class CredentialRequest(Model):
    """Which provider's session is to be opened, and how."""

    provider: str = Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=64, description="The provider's name.")
    conversation_id: str = Field(
        pattern=r"^[^\x00-\x1f\x7f-\x9f]+$",
        min_length=1,
        max_length=128,
        description="The conversation that the session belongs to.",
    )
    language: Language = Field(description="The language of the instructions that the model is given.")
    model: Annotated[
        str | None,
        Field(
            pattern=r"^[A-Za-z0-9][A-Za-z0-9._:-]*$",
            max_length=128,
            description="One of the provider's allowed models; null is the first of them.",
            json_schema_extra=NULLABLE,
        ),
    ] = None
    voice: Annotated[
        str | None,
        Field(
            pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$",
            max_length=64,
            description="One of the provider's voices; null leaves the choice to the gateway.",
            json_schema_extra=NULLABLE,
        ),
    ] = None
    offer: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=MAX_OFFER,
            description="The browser's session description, for a provider whose session the gateway opens itself.",
            json_schema_extra=NULLABLE,
        ),
        AfterValidator(lambda text: None if text is None else _session_description(text)),
    ] = None


class AwsSession(Model):
    """Temporary AWS credentials, which are three."""

    access_key_id: str = Field(repr=False)
    secret_access_key: str = Field(repr=False)
    session_token: str = Field(repr=False)


class Credential(Model):
    """What opens a session, once and soon.

    `expires_at` is until when it does, by the provider's clock; `expires_in` the same in seconds from `issued_at`, for a
    client whose clock is wrong. A session that was opened goes on afterwards.
    """

    value: str | AwsSession = Field(repr=False)
    type: str
    expires_at: str
    expires_in: int


class Connect(Model):
    """How the session is opened with it: the headers are whole, the credential stands in them where it belongs."""

    url: str
    transport: Literal["webrtc", "websocket", "http2"]
    headers: dict[str, str] = Field(repr=False)


class Issued(Model):
    """The answer.

    Attributes:
        credential: null where the provider has none, and the gateway has opened the session itself.
        answer: the provider's session description, in that case alone.
        session: what the client has to configure the session with, in the provider's own words, where its credential
            locks nothing in; absent for the others.
    """

    provider: str
    model: str
    session_id: str
    conversation_id: str
    credential: Credential | None
    connect: Connect
    issued_at: str
    answer: str | None = None
    session: dict[str, Any] | None = None

    def body(self) -> dict[str, Any]:
        """The reply's body: `answer` and `session` only where there are any."""
        absent = {name for name in ("answer", "session") if getattr(self, name) is None}
        return self.model_dump(mode="json", exclude=absent)


def moment(seconds: float) -> str:
    """A moment of the epoch as text: UTC, whole seconds (RFC 3339)."""
    return datetime.fromtimestamp(int(seconds), UTC).isoformat().replace("+00:00", "Z")
