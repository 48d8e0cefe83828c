"""Secrets Manager: the one place where the gateway reads a secret."""

from functools import cache
from typing import Any

from isnad_gateway.core.errors import Unavailable
from isnad_gateway.core.logs import Event, log

CURRENT = "AWSCURRENT"
PENDING = "AWSPENDING"
_TIMEOUT = 1  # seconds to connect, and for each reply; two attempts have to fit beside a connection attempt


@cache
def _client() -> Any:
    """The client. boto3 costs a quarter of a second to load, so that only what needs AWS pays for it."""
    import boto3  # noqa: PLC0415 - part of the Lambda runtime; a local gateway never needs it
    from botocore.config import Config  # noqa: PLC0415

    config = Config(
        connect_timeout=_TIMEOUT, read_timeout=_TIMEOUT, retries={"total_max_attempts": 2, "mode": "standard"}
    )
    return boto3.client("secretsmanager", config=config)


def read_secret(arn: str, stage: str = CURRENT) -> str | None:
    """Fetch a secret's text.

    Args:
        arn: the secret's ARN or name.
        stage: which of its versions; `PENDING` is the one that a running rotation is about to make the current one.

    Returns:
        The text, or None where no rotation is running.

    Raises:
        Unavailable: Secrets Manager is not reached or refuses. The log says which; neither says anything of the secret.
    """
    from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415 - see `_client`

    try:
        text: str = _client().get_secret_value(SecretId=arn, VersionStage=stage)["SecretString"]
    except (BotoCoreError, ClientError, KeyError) as error:
        code = error.response["Error"]["Code"] if isinstance(error, ClientError) else type(error).__name__
        if stage == PENDING:
            return None
        log(Event.SECRET_UNREADABLE, "secret", error=code)
        raise Unavailable("The gateway cannot reach its database; try again.") from None
    return text
