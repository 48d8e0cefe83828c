"""The administrator's connection: the one that may write, used by the command line alone."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pg8000.native import Connection

from isnad_gateway.core.settings import parse_dsn

DSN_FILE = Path(".local/dsn")


class UsageError(Exception):
    """Something that the caller of the command line has to put right; its text is shown in one line."""


def find_dsn(given: str | None) -> str:
    """The connection string to use: the one given, else `ISNAD_DSN`, else what `.local/dsn` holds.

    Raises:
        UsageError: there is none.
    """
    dsn = given or os.environ.get("ISNAD_DSN")
    if dsn:
        return dsn
    try:
        return DSN_FILE.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        raise UsageError(
            "no database named: give --dsn, set ISNAD_DSN, or start the local one with `make run`"
        ) from None


@contextmanager
def administrator(dsn: str) -> Iterator[Connection]:
    """Connect with the rights to change the database.

    Args:
        dsn: the connection string.

    Raises:
        UsageError: the string is malformed.
        pg8000.exceptions.Error, OSError: the server is not reached or refuses the role.
    """
    try:
        settings = parse_dsn(dsn)
    except ValueError as error:
        raise UsageError(str(error)) from None
    if settings.socket_directory is not None:
        socket = f"{settings.socket_directory}/.s.PGSQL.{settings.port}"
        connection = Connection(settings.user, database=settings.database, unix_sock=socket, ssl_context=False)
    else:
        connection = Connection(
            settings.user,
            database=settings.database,
            password=settings.password,
            host=settings.host,
            port=settings.port,
        )
    try:
        yield connection
    finally:
        connection.close()


@contextmanager
def transaction(connection: Connection) -> Iterator[None]:
    """All or nothing: commit at the end, roll back on any error or interruption."""
    connection.run("begin")
    try:
        yield
    except BaseException:
        connection.run("rollback")
        raise
    connection.run("commit")
