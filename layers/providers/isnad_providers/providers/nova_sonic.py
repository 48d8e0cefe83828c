"""Amazon Nova 2 Sonic: temporary AWS credentials that may speak with one model, and do nothing else.

STS gives them for a role, and a session policy narrows them to the one model (AWS: "Session policies"). There is no
permanent key. They live for 15 minutes, the least that AssumeRole gives, and speak HTTP/2 in both directions: they are
for an adapter on a server. Nothing can be locked in, so the answer says what the client has to configure.
"""

import json
import os
from functools import cache
from typing import Any, Final
from urllib.parse import quote

from isnad_gateway.core.errors import InternalError, Unavailable
from isnad_gateway.core.logs import Event, log
from isnad_gateway.domain.credential import AwsSession, Connect, Credential, Language, moment
from isnad_gateway.domain.registry import CONTRACT, declaration
from isnad_providers.calling import no_answer
from isnad_providers.emitters import nova_sonic
from isnad_providers.instructions import instructions
from isnad_providers.issuer import Asked, Issuer, Minted, choose
from isnad_providers.settings import not_set_up

NAME: Final = "nova_sonic"
ROLE: Final = "ISNAD_NOVA_SONIC_ROLE_ARN"
MODEL: Final = "ISNAD_NOVA_SONIC_MODEL"
REGION: Final = "ISNAD_NOVA_SONIC_REGION"
LIFETIME: Final = 900  # seconds, the least that AssumeRole gives
VOICES: Final[dict[Language, tuple[str, ...]]] = {"fr": ("ambre", "florian"), "en": ("tiffany", "matthew", "amy")}
"""Voices by language, from the model's documentation; the first is taken where none is asked for."""

_TIMEOUT: Final = 2  # seconds to connect, and for the answer
_TRIES_LATER: Final = (
    "Throttling",
    "ThrottlingException",
    "RequestLimitExceeded",
    "ServiceUnavailable",
    "InternalFailure",
)


def _missing() -> str | None:
    unset = [name for name in (ROLE, MODEL, REGION) if not os.environ.get(name)]
    return f"{unset[0]} is not set" if unset else None


@cache
def _client() -> Any:
    """The client. boto3 costs a quarter of a second to load, so that only who asks for this provider pays for it."""
    import boto3  # noqa: PLC0415 - part of the Lambda runtime
    from botocore.config import Config  # noqa: PLC0415

    config = Config(
        connect_timeout=_TIMEOUT, read_timeout=_TIMEOUT, retries={"total_max_attempts": 2, "mode": "standard"}
    )
    return boto3.session.Session().client("sts", config=config)


def policy(role: str, region: str, model: str) -> str:
    """The session policy: the one action, on the one model."""
    partition = role.split(":")[1]
    statement = {
        "Effect": "Allow",
        "Action": "bedrock:InvokeModelWithBidirectionalStream",
        "Resource": f"arn:{partition}:bedrock:{region}::foundation-model/{model}",
    }
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})


def _assume(role: str, session_id: str, narrowed: str) -> dict[str, Any]:
    from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415 - see `_client`

    try:
        answer: dict[str, Any] = _client().assume_role(
            RoleArn=role, RoleSessionName=session_id, DurationSeconds=LIFETIME, Policy=narrowed
        )["Credentials"]
    except ClientError as error:
        code = error.response["Error"]["Code"]
        if code in _TRIES_LATER:
            log(Event.PROVIDER_FAILED, "provider", name=NAME, reason="STS", status=None, code=code)
            raise Unavailable("The provider is busy; try again.", retry_after=5) from None
        log(Event.PROVIDER_KEY_REFUSED, "provider", name=NAME, status=None, code=code)
        raise InternalError from None
    except BotoCoreError as error:
        raise no_answer(NAME, type(error).__name__) from None
    return answer


def session_of(voice: str, language: Language) -> dict[str, Any]:
    """What the client has to configure: the system prompt, the voice, and `promptStart`'s tools."""
    return {
        "systemPrompt": instructions(language).rules,
        "voiceId": voice,
        "toolConfiguration": {"tools": [nova_sonic.emit(declaration(name)) for name in CONTRACT]},
    }


def _issue(asked: Asked) -> Minted:
    missing = _missing()
    if missing is not None:
        raise not_set_up(NAME, missing)
    role, region = os.environ[ROLE], os.environ[REGION]
    language = asked.request.language
    model = choose("model", asked.request.model, [os.environ[MODEL]])
    others = [voice for known, voices in VOICES.items() if known != language for voice in voices]
    voice = choose("voice", asked.request.voice, [*VOICES[language], *others])
    given = _assume(role, asked.session_id, policy(role, region, model))
    expires_at = int(given["Expiration"].timestamp())
    host = f"bedrock-runtime.{region}.amazonaws.com"
    return Minted(
        model=model,
        credential=Credential(
            value=AwsSession(
                access_key_id=given["AccessKeyId"],
                secret_access_key=given["SecretAccessKey"],
                session_token=given["SessionToken"],
            ),
            type="aws_session",
            expires_at=moment(expires_at),
            expires_in=LIFETIME,
        ),
        connect=Connect(
            url=f"https://{host}/model/{quote(model, safe='')}/invoke-with-bidirectional-stream",
            transport="http2",
            headers={},
        ),
        secret=given["SessionToken"],
        session=session_of(voice, language),
    )


ISSUER = Issuer(missing=_missing, issue=_issue)
