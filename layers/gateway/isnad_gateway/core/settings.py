"""What the environment sets, read once, at the first use."""

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


@cache
def database_settings() -> DatabaseSettings:
    """The database's settings: `ISNAD_DSN`, `ISNAD_CA_FILE` and `ISNAD_PREPARED` (`true` or `false`, the default).

    Raises:
        ValueError: `ISNAD_DSN` is missing or malformed.
    """
    return parse_dsn(
        os.environ.get("ISNAD_DSN", ""),
        ca_file=os.environ.get("ISNAD_CA_FILE") or None,
        prepared=os.environ.get("ISNAD_PREPARED", "false") == "true",
    )
