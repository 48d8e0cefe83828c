"""What the environment sets, read once, at the first use."""

import json
import os
from dataclasses import dataclass
from functools import cache
from urllib.parse import parse_qs, unquote, urlsplit


@dataclass(frozen=True, slots=True)
class DatabaseSettings:
    """How to reach the database.

    Attributes:
        user: the role, one that can only read.
        password: its password, or None where the server asks for none. It is not part of the representation.
        database: the database's name.
        host: host name of the server or pooler, or None for a Unix socket.
        port: TCP port, or the number in the socket's name.
        socket_directory: folder of the Unix socket, or None for TCP.
        ca_file: PEM file of the authorities that may vouch for the server, or None for the system's.
        prepared: keep prepared statements on the connection. Only for direct connections: behind a transaction-mode
            pooler the next transaction may run on another server that does not know them.
    """

    user: str
    password: str | None
    database: str
    host: str | None
    port: int
    socket_directory: str | None
    ca_file: str | None
    prepared: bool

    def __repr__(self) -> str:
        return f"DatabaseSettings(user={self.user!r}, database={self.database!r})"


def parse_dsn(dsn: str, *, ca_file: str | None = None, prepared: bool = False) -> DatabaseSettings:
    """Read a `postgresql://user:password@host:port/database?host=/socket/directory` connection string.

    Args:
        dsn: the connection string, as libpq writes it; `host` and `user` may stand in its query.
        ca_file: see `DatabaseSettings`.
        prepared: see `DatabaseSettings`.

    Raises:
        ValueError: it is no such string. The message does not repeat it, for it may hold a password.
    """
    malformed = ValueError("a connection string is postgresql://user@host:port/database")
    try:
        parts = urlsplit(dsn)
        query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
        port = parts.port or int(query.get("port", "5432"))
    except ValueError:  # its text quotes the string
        raise malformed from None
    user = unquote(parts.username) if parts.username else query.get("user")
    database = unquote(parts.path.lstrip("/"))
    host = query.get("host", parts.hostname)
    if parts.scheme not in ("postgresql", "postgres") or not user or not database or not host:
        raise malformed
    is_socket = host.startswith("/")
    return DatabaseSettings(
        user=user,
        password=unquote(parts.password) if parts.password else None,
        database=database,
        host=None if is_socket else host,
        port=port,
        socket_directory=host if is_socket else None,
        ca_file=ca_file,
        prepared=prepared,
    )


def parse_secret(text: str, *, ca_file: str | None = None, prepared: bool = False) -> DatabaseSettings:
    """Read a database secret: a JSON object with the fields that RDS gives its own.

    Args:
        text: the secret; `username`, `password` and `host` are needed; without them, `port` is 5432 and `dbname` is
            `postgres`.
        ca_file: see `DatabaseSettings`.
        prepared: see `DatabaseSettings`.

    Raises:
        ValueError: it is no such object. The message repeats nothing of it.
    """
    try:
        fields = json.loads(text)
        return DatabaseSettings(
            user=str(fields["username"]),
            password=str(fields["password"]),
            database=str(fields.get("dbname") or "postgres"),
            host=str(fields["host"]),
            port=int(fields.get("port") or 5432),
            socket_directory=None,
            ca_file=ca_file,
            prepared=prepared,
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ValueError("a database secret is a JSON object with username, password, host, port and dbname") from None


def database_secret_arn() -> str | None:
    """The secret with the database's credentials (`DATABASE_SECRET_ARN`), or None where `ISNAD_DSN` has them."""
    return os.environ.get("DATABASE_SECRET_ARN") or None


def ca_file() -> str | None:
    """The PEM file of the authorities that may vouch for the database (`ISNAD_CA_FILE`), or None for the system's."""
    return os.environ.get("ISNAD_CA_FILE") or None


def keeps_prepared() -> bool:
    """Whether statements are kept prepared on a connection (`ISNAD_PREPARED`: `true`, or `false`, the default)."""
    return os.environ.get("ISNAD_PREPARED", "false") == "true"


@cache
def database_settings() -> DatabaseSettings:
    """The database's settings as the environment alone gives them (`ISNAD_DSN`).

    Raises:
        ValueError: `ISNAD_DSN` is missing or malformed.
    """
    return parse_dsn(os.environ.get("ISNAD_DSN", ""), ca_file=ca_file(), prepared=keeps_prepared())
