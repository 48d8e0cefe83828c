"""`isnad-database`: the command line of the data steward and the operator."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence

from pg8000.exceptions import DatabaseError, Error
from pg8000.native import Connection

from isnad_database import import_command
from isnad_database.check import check
from isnad_database.connect import UsageError, administrator, find_dsn, transaction
from isnad_database.datasets import switch
from isnad_database.link_store import recompute_links
from isnad_database.migrate import migrate
from isnad_database.sandbox import load_sandbox
from isnad_database.status import status


def _migrate(connection: Connection, _arguments: argparse.Namespace) -> None:
    applied = migrate(connection)
    print("\n".join(f"applied {name}" for name in applied) or "the schema is up to date")


def _load_sandbox(connection: Connection, _arguments: argparse.Namespace) -> None:
    print("\n".join(load_sandbox(connection)))


def _status(connection: Connection, _arguments: argparse.Namespace) -> None:
    print(json.dumps(status(connection), ensure_ascii=False, indent=2))


def _dataset(connection: Connection, arguments: argparse.Namespace) -> None:
    with transaction(connection):
        switch(connection, arguments.key, active=arguments.state == "on")
        recompute_links(connection)  # nobody is named by data that is off
    print(f"{arguments.key} is {arguments.state}")


def _dataset_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("state", choices=("on", "off"), help="what is off answers nothing")
    parser.add_argument("key", metavar="KEY", help="the data set, as `status` shows it")


def _check_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--role", help="whose rights to look at, where another role connects")


def _check(connection: Connection, arguments: argparse.Namespace) -> None:
    findings = check(connection, arguments.role)
    for finding in findings:
        print(f"{'' if finding.refuses else 'note: '}{finding.fault}\n    remedy: {finding.remedy}")
    refused = sum(finding.refuses for finding in findings)
    if refused:
        raise UsageError(f"the gateway must not use this database as it is; to put right: {refused}")
    print("the gateway can answer from this database, and its role can write nothing")


_COMMANDS: dict[str, tuple[Callable[[Connection, argparse.Namespace], None], str]] = {
    "migrate": (_migrate, "bring the schema forward to the newest migration"),
    "load-sandbox": (_load_sandbox, "load Sahih al-Bukhari and Sahih Muslim with the project's own tables of facts"),
    "import": (import_command.run, "load a published data set from your own copy of its files"),
    "dataset": (_dataset, "switch a data set off, so that it answers nothing, or on again"),
    "status": (_status, "show what is loaded, as JSON"),
    "check": (_check, "hold a database, and the role that connects, against what the functions expect"),
}
_ARGUMENTS = {"import": import_command.add_arguments, "dataset": _dataset_arguments, "check": _check_arguments}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="isnad-database", description="Builds, loads and inspects the database.")
    parser.add_argument("--dsn", help="the database (default: the environment's ISNAD_DSN, else what .local/dsn holds)")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, (_, text) in _COMMANDS.items():
        command = commands.add_parser(name, help=text, description=text)
        command.add_argument("--dsn", default=argparse.SUPPRESS, help="the same, after the command")
        if name in _ARGUMENTS:
            _ARGUMENTS[name](command)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status: 0, 1 for a failure told in one line, 130 when interrupted."""
    arguments = _parser().parse_args(argv)
    command, _ = _COMMANDS[arguments.command]
    try:
        with administrator(find_dsn(arguments.dsn)) as connection:
            command(connection, arguments)
    except UsageError as error:
        return _fail(str(error))
    except DatabaseError as error:
        detail = error.args[0] if error.args and isinstance(error.args[0], dict) else {}
        return _fail(f"the database refused: {detail.get('M', 'unknown')} (SQLSTATE {detail.get('C', 'unknown')})")
    except (Error, OSError):
        return _fail("the database cannot be reached; is it running?")
    except KeyboardInterrupt:
        return _fail("interrupted; the database is as it was", 130)
    return 0


def _fail(message: str, status_code: int = 1) -> int:
    print(f"isnad-database: {message}", file=sys.stderr)
    return status_code


if __name__ == "__main__":
    sys.exit(main())
