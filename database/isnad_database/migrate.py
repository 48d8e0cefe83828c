"""Brings a database forward to the schema of `database/migrations`."""

import hashlib
import re
from pathlib import Path

from pg8000.native import Connection

from isnad_database.connect import UsageError, transaction

MIGRATIONS = Path(__file__).resolve().parents[1] / "migrations"
_LOCK = 7_472_301  # an arbitrary number of ours: two migrations at a time wait for each other


def migrate(connection: Connection, folder: Path = MIGRATIONS) -> list[str]:
    """Apply the migrations that the database has not had, in the order of their numbers, each in its own transaction.

    Args:
        connection: an administrator's connection.
        folder: the numbered `.sql` files.

    Returns:
        The names of those that were applied now; empty when the database was up to date.

    Raises:
        UsageError: a migration was changed after it had been applied.
        pg8000.exceptions.DatabaseError: a migration failed; those before it stand, it left nothing behind.
    """
    connection.run("select pg_advisory_lock(:lock)", lock=_LOCK)
    try:
        connection.run("create schema if not exists isnad")
        connection.run(
            "create table if not exists isnad.migrations"
            " (name text primary key, sha256 text not null, applied_at timestamptz not null default now())"
        )
        had = dict(connection.run("select name, sha256 from isnad.migrations"))
        applied = []
        for path in sorted(folder.glob("[0-9][0-9][0-9][0-9]_*.sql")):
            text = path.read_text(encoding="utf-8")
            digest = hashlib.sha256(text.encode()).hexdigest()
            if path.name not in had:
                with transaction(connection):
                    connection.run(text)
                    connection.run(
                        "insert into isnad.migrations values (:name, :sha256)", name=path.name, sha256=digest
                    )
                applied.append(path.name)
            elif had[path.name] != digest:
                raise UsageError(f"migration {path.name} was changed after it had been applied; add a new one instead")
    finally:
        connection.run("select pg_advisory_unlock(:lock)", lock=_LOCK)
    return applied


def latest(folder: Path = MIGRATIONS) -> str:
    """The name of the newest migration."""
    return max(path.name for path in folder.glob("*.sql") if re.match(r"\d{4}_", path.name))
