"""The one way to read: a read-only transaction on a connection that is kept between calls."""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from pg8000.exceptions import DatabaseError, InterfaceError

from isnad_gateway.core.errors import InternalError, Unavailable
from isnad_gateway.core.logs import Event, log
from isnad_gateway.core.settings import database_settings
from isnad_gateway.data.connection import Connection
from isnad_gateway.data.statement import Statement

_LOST = (InterfaceError, OSError)  # ssl.SSLError and TimeoutError are OSErrors

# Connections at rest. A Lambda container serves one call at a time and so keeps one; the local API's threads share the
# stack, each call owning what it took from it. Appending and popping are atomic.
_idle: deque[Connection] = deque(maxlen=32)


class Read(Protocol):
    """Asks one query within the transaction.

    Returns:
        All rows, each a dictionary of its columns.

    Raises:
        Unavailable: the database is gone or took too long.
        InternalError: it refused the statement; its SQLSTATE is in the log.
    """

    def __call__(self, statement: Statement, **parameters: Any) -> list[dict[str, Any]]: ...  # noqa: D102


def _connect() -> Connection:
    connection = None
    try:
        connection = Connection(database_settings())
        connection.begin()
    except (*_LOST, DatabaseError) as error:
        if connection is not None:
            connection.close()
        log(Event.DATABASE_UNREACHABLE, "database", error=type(error).__name__, sqlstate=_sqlstate(error))
        raise Unavailable("The database cannot be reached; try again.") from error
    return connection


def _begin() -> Connection:
    """A connection in a new transaction: one at rest, or a fresh one where that one has died meanwhile."""
    try:
        connection = _idle.pop()
    except IndexError:
        return _connect()
    try:
        connection.begin()
    except (*_LOST, DatabaseError) as error:
        log(Event.CONNECTION_REPLACED, "database", error=type(error).__name__, sqlstate=_sqlstate(error))
        connection.close()
        discard_idle()  # what killed one has most likely killed them all
        return _connect()
    return connection


def discard_idle() -> None:
    """Close the connections at rest."""
    while _idle:
        _idle.pop().close()


def _sqlstate(error: BaseException) -> str | None:
    detail = error.args[0] if isinstance(error, DatabaseError) and error.args else None
    return detail.get("C") if isinstance(detail, dict) else None


def _is_unavailable(sqlstate: str | None) -> bool:
    """Whether the server cannot answer now: SQLSTATE class 08 (connection), 53 (resources) or 57 (operator)."""
    return sqlstate is not None and sqlstate[:2] in ("08", "53", "57")


@contextmanager
def reading() -> Iterator[Read]:
    """Open a read-only transaction and give the function that asks within it.

    The transaction ends whatever happens. The connection is kept for the next call, unless a query failed with
    anything but a plain database error: then unread replies may be left on it, which the next query would take for its
    own, so it is discarded.

    Raises:
        Unavailable: the database cannot be reached, went away or took too long.
        InternalError: the database refused a statement.
    """
    connection = _begin()
    sound = True

    def read(statement: Statement, **parameters: Any) -> list[dict[str, Any]]:
        nonlocal sound
        sound = False
        try:
            rows = connection.rows(statement, parameters)
        except DatabaseError as error:
            sqlstate = _sqlstate(error)
            sound = not _is_unavailable(sqlstate) or sqlstate == "57014"  # a cancelled statement leaves it usable
            log(Event.DATABASE_ERROR, "database", sqlstate=sqlstate)
            if _is_unavailable(sqlstate):
                raise Unavailable("The database took too long or is going down; try again.") from error
            raise InternalError from error
        except _LOST as error:
            raise Unavailable("The database went away while it answered; try again.") from error
        sound = True
        return rows

    try:
        yield read
    finally:
        _end(connection, sound=sound)


def _end(connection: Connection, *, sound: bool) -> None:
    if sound:
        try:
            connection.rollback()
        except (*_LOST, DatabaseError):
            sound = False
    if sound:
        _idle.append(connection)
    else:
        log(Event.CONNECTION_DISCARDED, "database")
        connection.close()
