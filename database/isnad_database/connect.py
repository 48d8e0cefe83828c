"""The administrator's connection: the one that may write, used by the command line alone."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pg8000.native import Connection

from isnad_gateway.core.settings import ca_file, parse_dsn
from isnad_gateway.data.connection import CONNECT_TIMEOUT
from isnad_gateway.data.sockets import close_socket, open_socket

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
    """Connect with the rights to change the database. TLS is verified as it is for the functions (`ISNAD_CA_FILE`).

    Args:
        dsn: the connection string.

    Raises:
        UsageError: the string is malformed.
        pg8000.exceptions.Error, OSError: the server is not reached or refuses the role.
    """
    try:
        settings = parse_dsn(dsn, ca_file=ca_file())
    except ValueError as error:
        raise UsageError(str(error)) from None
    opened = open_socket(settings, CONNECT_TIMEOUT)
    try:
        connection = Connection(
            settings.user, database=settings.database, password=settings.password, sock=opened, ssl_context=False
        )
    except BaseException:
        close_socket(opened)
        raise
    opened.settimeout(None)  # a load may take its time
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
