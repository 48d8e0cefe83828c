"""One connection to Postgres: opened, asked, closed, and what its errors mean."""

import time
from contextlib import suppress
from typing import Any

from pg8000.exceptions import DatabaseError, InterfaceError
from pg8000.native import Connection as PostgresConnection
from pydantic_core import from_json

from isnad_gateway.core.settings import DatabaseSettings
from isnad_gateway.data.sockets import close_socket, open_socket
from isnad_gateway.data.statement import Statement

CONNECT_TIMEOUT = 2.0  # seconds; docs/contract.md, "Time-outs"
STATEMENT_TIMEOUT = 2.0  # seconds; the server ends a statement after it
REPLY_TIMEOUT = STATEMENT_TIMEOUT + 1.0  # the server's own time-out comes first, and leaves the connection usable

FAILURES = (DatabaseError, InterfaceError, OSError)  # all that a database may raise; ssl.SSLError is an OSError

# SET LOCAL, because a pooler would hand a session's settings to the next client.
_BEGIN = f"begin read only; set local statement_timeout = '{STATEMENT_TIMEOUT:g}s'"

_JSON = 114  # the type's OID in pg_type

_REFUSED_CREDENTIALS = (
    "28P01",  # Postgres, PgBouncer, Supavisor: wrong password
    "28000",  # Postgres: no such role, or it may not log in
    "3D000",  # Postgres: no such database
    "08P01",  # PgBouncer: no such user, no such database, or the server behind it refused the password
    "XX000",  # Supavisor: tenant or user not found
)


class Connection:
    """An open connection and the statements that were prepared on it.

    Args:
        settings: where to connect and as whom. TLS is verified; `sockets.open_socket` says where plain text is spoken.

    Raises:
        pg8000.exceptions.Error, OSError: the server is not reached, not trusted, or refuses the role. No socket stays
            open.

    Attributes:
        rests_since: when it was last put aside, in seconds of the wall clock.
    """

    def __init__(self, settings: DatabaseSettings) -> None:
        self._socket = open_socket(settings, CONNECT_TIMEOUT)
        try:
            self._connection = PostgresConnection(
                settings.user,
                database=settings.database,
                password=settings.password,
                application_name="isnad-gateway",
                sock=self._socket,
                ssl_context=False,  # the socket is secured already
            )
        except BaseException as error:  # noqa: BLE001 - raised anew
            close_socket(self._socket)
            raise _first(error) from None
        self._socket.settimeout(REPLY_TIMEOUT)
        self._connection.register_in_adapter(_JSON, from_json)  # twice as fast as pg8000's own
        self._prepared: dict[Statement, Any] | None = {} if settings.prepared else None
        self.rests_since = time.time()

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
        with suppress(Exception):  # a broken connection may fail to say goodbye in any way
            self._connection.close()
        close_socket(self._socket)


def _first(error: BaseException) -> BaseException:
    """What the server said. pg8000 says goodbye to a server that has just refused it, and raises what comes of that."""
    chain = [error]
    while (before := chain[-1].__context__) is not None:
        chain.append(before)
    return next((each for each in chain if isinstance(each, DatabaseError)), error)


def sqlstate(error: BaseException) -> str | None:
    """The SQLSTATE of an error that the server or the pooler sent; None for any other."""
    return _detail(error, "C")


def is_fatal(error: BaseException) -> bool:
    """Whether the connection ended with this error, or nobody knows what it would say next."""
    severity = _detail(error, "V") or _detail(error, "S")  # PgBouncer sends the second alone
    return severity != "ERROR"


def is_timeout(error: BaseException) -> bool:
    """Whether the server was silent, which asking again would only prolong."""
    return isinstance(error, TimeoutError) or isinstance(error.__cause__, TimeoutError)


def refuses_credentials(error: BaseException) -> bool:
    """Whether other credentials might be taken."""
    return sqlstate(error) in _REFUSED_CREDENTIALS


def _detail(error: BaseException, field: str) -> str | None:
    detail = error.args[0] if isinstance(error, DatabaseError) and error.args else None
    return detail.get(field) if isinstance(detail, dict) else None
