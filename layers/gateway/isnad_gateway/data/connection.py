"""One connection to Postgres, and what it takes to open a verified one."""

import ssl
from contextlib import suppress
from functools import cache
from typing import Any

from pg8000.native import Connection as PostgresConnection

from isnad_gateway.core.settings import DatabaseSettings
from isnad_gateway.data.statement import Statement

CONNECT_TIMEOUT = 2.0  # seconds; docs/contract.md, "Time-outs"
STATEMENT_TIMEOUT = 2.0  # seconds; the server ends a statement after it
REPLY_TIMEOUT = STATEMENT_TIMEOUT + 1.0  # the server's own time-out comes first, and leaves the connection usable

_LOOPBACK = ("127.0.0.1", "::1", "localhost")

# SET LOCAL, because a pooler would hand a session's settings to the next client.
_BEGIN = f"begin read only; set local statement_timeout = '{STATEMENT_TIMEOUT:g}s'"


@cache
def _verifying_context(ca_file: str | None) -> ssl.SSLContext:
    """A context that verifies the server's certificate and its name. Loading the authorities costs 17 ms: done once."""
    return ssl.create_default_context(cafile=ca_file)


class Connection:
    """An open connection and the statements that were prepared on it.

    Args:
        settings: where to connect and as whom. TLS is verified; plain text is spoken on a Unix socket or loopback only,
            and there only where no CA file is set.

    Raises:
        pg8000.exceptions.Error, OSError: the server is not reached, not trusted, or refuses the role.
    """

    def __init__(self, settings: DatabaseSettings) -> None:
        where: dict[str, Any]
        if settings.socket_directory is not None:
            where = {"unix_sock": f"{settings.socket_directory}/.s.PGSQL.{settings.port}", "ssl_context": False}
        else:
            assert settings.host is not None
            plain = settings.ca_file is None and settings.host in _LOOPBACK
            context = False if plain else _verifying_context(settings.ca_file)
            where = {"host": settings.host, "port": settings.port, "ssl_context": context}
        self._connection = PostgresConnection(
            settings.user,
            database=settings.database,
            password=settings.password,
            timeout=CONNECT_TIMEOUT,
            application_name="isnad-gateway",
            **where,
        )
        self._connection._usock.settimeout(REPLY_TIMEOUT)
        self._prepared: dict[Statement, Any] | None = {} if settings.prepared else None

    def begin(self) -> None:
        """Begin a read-only transaction with its own statement time-out."""
        self._connection.run(_BEGIN)

    def rollback(self) -> None:
        """End the transaction: nothing was written, and after an error only this is possible."""
        self._connection.run("rollback")

    def rows(self, statement: Statement, parameters: dict[str, Any]) -> list[dict[str, Any]]:
        """Run a query and return all its rows, each as a dictionary of its columns."""
        if self._prepared is None:
            rows = self._connection.run(statement.text, **parameters)
            described = self._connection.columns
        else:
            prepared = self._prepared.get(statement)
            if prepared is None:
                prepared = self._prepared[statement] = self._connection.prepare(statement.text)
            rows = prepared.run(**parameters)
            described = prepared.columns
        names = [column["name"] for column in described]
        return [dict(zip(names, row, strict=True)) for row in rows]

    def close(self) -> None:
        """Close the socket, whatever state the conversation is in."""
        with suppress(Exception):  # broken, it may fail to say goodbye in any way; pg8000 closes its socket first
            self._connection.close()
