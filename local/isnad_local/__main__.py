"""`make run`: Postgres, schema, sandbox data and the local API, in one process."""

import argparse
import os
import signal
import socket
import subprocess
import sys

import waitress
from pg8000.exceptions import Error

from isnad_database.connect import UsageError, administrator
from isnad_database.sandbox import ensure_sandbox
from isnad_local.issuer import DevelopmentIssuer, served
from isnad_local.ledger import ledger
from isnad_local.postgres import postgres, reader_dsn
from isnad_local.template import ROOT

LOCAL = ROOT / ".local"
LOOPBACK = ("127.0.0.1", "::1", "localhost")
THREADS = 16


def main() -> int:
    """Serve until interrupted; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m isnad_local", description="The gateway on this machine.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=3000, help="port to listen on (default: %(default)s)")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # stops as Ctrl-C does, the database with it
    try:
        _check_port(arguments.host, arguments.port)
        with postgres(LOCAL / "postgres") as dsn, served(DevelopmentIssuer(LOCAL)), ledger():
            (LOCAL / "dsn").write_text(f"{dsn}\n", encoding="utf-8")
            with administrator(dsn) as connection:
                ensure_sandbox(connection)
            _serve(dsn, arguments.host, arguments.port)
    except KeyboardInterrupt:
        pass
    except UsageError as error:
        return _fail(str(error))
    except OSError as error:
        return _fail(error.strerror or str(error))
    except subprocess.SubprocessError:
        return _fail(f"Postgres does not start; its log is {LOCAL / 'postgres' / 'log'}")
    except Error as error:
        detail = error.args[0] if error.args and isinstance(error.args[0], dict) else {}
        return _fail(f"the database failed: {detail.get('M', type(error).__name__)}")
    print("stopped")
    return 0


def _fail(message: str) -> int:
    print(f"make run: {message}", file=sys.stderr)
    return 1


def _check_port(host: str, port: int) -> None:
    """Say at once that the port is taken, not after a minute of loading."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError) as error:
            why = error.strerror if isinstance(error, OSError) else "there is no such port"
            raise UsageError(f"port {port} cannot be used ({why}); choose another: make run PORT=3001") from None


def _serve(dsn: str, host: str, port: int) -> None:
    os.environ["ISNAD_DSN"] = reader_dsn(dsn)
    os.environ["ISNAD_PREPARED"] = "true"
    from isnad_local.server import LocalApi  # noqa: PLC0415 - the handlers are loaded once the settings stand

    needs_token = host not in LOOPBACK
    api = LocalApi(needs_token=needs_token)
    server = waitress.create_server(api, host=host, port=port, threads=THREADS, ident="isnad-local")
    url = f"http://{host}:{port}"
    print(f"ready: {url}", flush=True)
    print(f"try:   {_example(url)}", flush=True)
    if needs_token:
        print("calls need a token: make token", flush=True)
    else:
        print("calls without a token are let in with every scope, for only this machine can make them", flush=True)
    server.run()


def _example(url: str) -> str:
    return (
        f"curl -s {url}/v1/tools/search_hadith -H 'content-type: application/json' "
        '-d \'{"arguments": {"query": "إنما الأعمال بالنيات", "limit": 1}, '
        '"conversation_id": "c1", "session_id": "s1", "turn_id": 1}\''
    )


if __name__ == "__main__":
    sys.exit(main())
