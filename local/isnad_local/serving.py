"""A WSGI application over real HTTP in a thread of this process, for as long as a context lasts."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any

import waitress

_END = 5.0  # seconds


@contextmanager
def serving(application: Any, threads: int = 4) -> Iterator[int]:
    """Serve an application on loopback.

    Args:
        application: a WSGI application.
        threads: how many requests it answers at a time.

    Yields:
        The port.
    """
    server = waitress.create_server(application, host="127.0.0.1", port=0, threads=threads)

    def run() -> None:
        with suppress(OSError):  # its socket is closed by the thread that ends it, while it waits at it
            server.run()

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        yield server.effective_port
    finally:
        server.close()
        thread.join(timeout=_END)
