"""What the database is asked with: from the environment, or from a secret that may be rotated at any time."""

from threading import Lock

from isnad_gateway.core import secrets
from isnad_gateway.core.settings import (
    DatabaseSettings,
    ca_file,
    database_secret_arn,
    database_settings,
    keeps_prepared,
    parse_secret,
)

_lock = Lock()
_kept: dict[str, DatabaseSettings] = {}  # by the secret's ARN; one entry in a deployed function


def credentials() -> DatabaseSettings:
    """The credentials to connect with. A secret is fetched once and then kept.

    Raises:
        Unavailable: Secrets Manager cannot be asked.
        ValueError: the environment or the secret holds no credentials.
    """
    arn = database_secret_arn()
    if arn is None:
        return database_settings()
    with _lock:
        if arn not in _kept:
            found = _fetched(arn, secrets.CURRENT)
            assert found is not None  # only a pending version may be absent
            _kept[arn] = found
        return _kept[arn]


def renewed(refused: DatabaseSettings) -> DatabaseSettings | None:
    """Other credentials, after the database has refused some.

    While a rotation runs, the database takes the new password a moment before Secrets Manager calls it the current one:
    where the current version is the refused one, the pending one is tried.

    Args:
        refused: what the database was asked with.

    Returns:
        The new credentials, which are kept from now on; None where there are no others.

    Raises:
        Unavailable: Secrets Manager cannot be asked.
        ValueError: the secret holds no credentials.
    """
    arn = database_secret_arn()
    if arn is None:
        return None
    with _lock:
        kept = _kept.get(arn)
        if kept is not None and kept != refused:
            return kept  # another call has fetched them while this one was being refused
        for stage in (secrets.CURRENT, secrets.PENDING):
            found = _fetched(arn, stage)
            if found is not None and found != refused:
                _kept[arn] = found
                return found
    return None


def forget() -> None:
    """Forget the kept secret."""
    with _lock:
        _kept.clear()


def _fetched(arn: str, stage: str) -> DatabaseSettings | None:
    text = secrets.read_secret(arn, stage)
    return None if text is None else parse_secret(text, ca_file=ca_file(), prepared=keeps_prepared())
