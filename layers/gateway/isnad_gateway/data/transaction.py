"""The one way to read: a read-only transaction on a connection that is kept between calls."""

import time
from collections import deque
from contextlib import AbstractContextManager
from typing import Any, Protocol

from pg8000.exceptions import DatabaseError

from isnad_gateway.core.errors import InternalError, Unavailable
from isnad_gateway.core.logs import Event, log
from isnad_gateway.core.settings import DatabaseSettings
from isnad_gateway.data.connection import FAILURES, Connection, is_fatal, is_timeout, refuses_credentials, sqlstate
from isnad_gateway.data.credentials import credentials, renewed
from isnad_gateway.data.statement import Statement

# Connections at rest. A Lambda container serves one call at a time and so keeps one; the local API's threads share the
# stack, each call owning what it took from it. Appending and popping are atomic.
_idle: deque[Connection] = deque(maxlen=32)

# Seconds. AWS load balancers and NAT gateways forget a connection that was silent for 350 s, without a word to either
# end: a container that thaws after hours would wait for an answer that never comes.
_MAX_REST = 300


class Read(Protocol):
    """Asks one query within the transaction.

    Returns:
        All rows, each a dictionary of its columns.

    Raises:
        Unavailable: the database is gone or took too long.
        InternalError: it refused the statement; its SQLSTATE is in the log.
    """

    def __call__(self, statement: Statement, **parameters: Any) -> list[dict[str, Any]]: ...  # noqa: D102


def reading() -> AbstractContextManager[Read]:
    """Open a read-only transaction and give the function that asks within it.

    The transaction ends whatever happens. The connection is kept for the next call, unless a query failed with
    anything but a plain database error: then unread replies may be left on it, which the next query would take for its
    own, so it is discarded.

    Raises:
        Unavailable: the database cannot be reached, went away or took too long.
        InternalError: the database refused a statement.
    """
    return _Transaction()


def discard_idle() -> None:
    """Close the connections at rest."""
    while _idle:
        _idle.pop().close()


class _Transaction(AbstractContextManager[Read]):
    def __enter__(self) -> Read:
        self._connection = _begin()
        self._sound = True
        self._has_read = False
        return self.read

    def read(self, statement: Statement, **parameters: Any) -> list[dict[str, Any]]:
        self._sound = False
        try:
            rows = self._connection.rows(statement, parameters)
        except FAILURES as error:
            if self._has_read or not is_fatal(error) or is_timeout(error):
                raise self._answered(error) from error
            rows = self._read_anew(statement, parameters, error)
        self._sound = self._has_read = True
        return rows

    def _read_anew(
        self, statement: Statement, parameters: dict[str, Any], error: BaseException
    ) -> list[dict[str, Any]]:
        """Ask once more on a fresh connection: the old one died, and no row had been seen."""
        self._connection.close()
        self._connection = _replacement(error)
        try:
            return self._connection.rows(statement, parameters)
        except FAILURES as again:
            raise self._answered(again) from again

    def _answered(self, error: BaseException) -> Exception:
        """What the caller is told of a failed query; whether the connection can be kept."""
        self._sound = not is_fatal(error)
        if not isinstance(error, DatabaseError):
            return Unavailable("The database went away while it answered; try again.")
        log(Event.DATABASE_ERROR, "database", sqlstate=sqlstate(error))
        if is_fatal(error) or _is_passing(sqlstate(error)):
            return Unavailable("The database took too long or is going down; try again.")
        return InternalError()

    def __exit__(self, *_: object) -> None:
        if self._sound:
            try:
                self._connection.rollback()
            except FAILURES:
                self._sound = False
        if self._sound:
            self._connection.rests_since = time.time()
            _idle.append(self._connection)
        else:
            log(Event.CONNECTION_DISCARDED, "database")
            self._connection.close()


def _is_passing(state: str | None) -> bool:
    """Whether it is the server's present state: class 08 (connection), 53 (resources), 57 (operator), 58 (system)."""
    return state is not None and state[:2] in ("08", "53", "57", "58")


def _begin() -> Connection:
    """A connection in a new transaction: one at rest, or a fresh one where that one has died meanwhile."""
    try:
        connection = _idle.pop()
    except IndexError:
        return _connect()
    try:
        if time.time() - connection.rests_since > _MAX_REST:
            raise TimeoutError("rested too long")
        connection.begin()
    except FAILURES as error:
        connection.close()
        return _replacement(error)
    return connection


def _replacement(error: BaseException) -> Connection:
    """A fresh connection in the place of one that died."""
    log(Event.CONNECTION_REPLACED, "database", error=type(error).__name__, sqlstate=sqlstate(error))
    discard_idle()  # what killed one has most likely killed them all
    return _connect()


def _connect() -> Connection:
    """A fresh connection in a new transaction. Credentials that the database refuses are fetched anew, once."""
    known = credentials()
    try:
        try:
            return _opened(known)
        except DatabaseError as error:
            fresh = renewed(known) if refuses_credentials(error) else None
            if fresh is None:
                raise
            log(Event.CREDENTIALS_RENEWED, "database", sqlstate=sqlstate(error))
        return _opened(fresh)
    except FAILURES as error:
        log(Event.DATABASE_UNREACHABLE, "database", error=type(error).__name__, sqlstate=sqlstate(error))
        raise Unavailable("The database cannot be reached; try again.") from error


def _opened(settings: DatabaseSettings) -> Connection:
    connection = Connection(settings)
    try:
        connection.begin()
    except BaseException:
        connection.close()
        raise
    return connection
