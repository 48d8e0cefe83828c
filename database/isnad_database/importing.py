"""What every import has in common: its options, its outcome, and that it is all or nothing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pg8000.native import Connection

from isnad_database.connect import UsageError, transaction
from isnad_database.importers.ar_sanad import IdColumn
from isnad_database.importers.report import Report, WrongFileError


@dataclass(frozen=True, slots=True)
class Options:
    """What the data steward says about the files, because they do not say it themselves.

    Attributes:
        version: the version or commit of the data set.
        collection: the collection that a commentary is on, by its code.
        scheme: the numbering scheme of the numbers that a commentary prints.
        translator: who translated.
        origin: `human`, `machine` or `unknown`.
        language: the language of a translation, by its code (fr).
        id_column: which column of AR-Sanad's narrators the ids of its chains are values of.
    """

    version: str | None = None
    collection: str | None = None
    scheme: str | None = None
    translator: str | None = None
    origin: str = "unknown"
    language: str | None = None
    id_column: IdColumn = "id_in_full_list"


@dataclass(slots=True)
class Outcome:
    """What an import brought: how many rows of each kind, and the report of what was left out or is odd."""

    counts: dict[str, int] = field(default_factory=dict)
    report: Report = field(default_factory=Report)

    def add(self, kind: str, count: int) -> None:
        """Count rows of a kind."""
        self.counts[kind] = self.counts.get(kind, 0) + count


Importer = Callable[[Connection, Sequence[Path], Options, Outcome], None]
"""Reads files and stores them within the transaction that is open.

Example:
    A new format is a module in `importers/` that reads a file into frozen records and a `Report`, knowing no database; a
    function of this type that registers the data set and the import and stores the records; and a line in
    `import_command.FORMATS`. It raises `WrongFileError` for a file that is not in its format.
"""


class _NothingIsKept(Exception):
    """Ends the transaction of a dry run."""


def run_import(
    connection: Connection,
    importer: Importer,
    paths: Sequence[Path],
    options: Options,
    outcome: Outcome,
    *,
    dry_run: bool = False,
) -> None:
    """Import files, all or nothing. The same files again change nothing.

    Args:
        connection: an administrator's connection to a migrated database.
        importer: of the format.
        paths: the files; a folder stands for all files in it.
        options: what the steward says about them.
        outcome: what came of it, also where it ends in an error.
        dry_run: do everything and keep nothing.

    Raises:
        UsageError: a path names nothing or an empty file, a file is not in the format, or nothing came of it.
    """
    files = _files(paths)
    try:
        with transaction(connection):
            importer(connection, files, options, outcome)
            _end(outcome, dry_run=dry_run)
    except _NothingIsKept:
        return
    connection.run("analyze")


def _end(outcome: Outcome, *, dry_run: bool) -> None:
    """Let the transaction fail where nothing came of the files, and where nothing is to be kept."""
    if not any(outcome.counts.values()):
        raise UsageError(f"nothing was imported; the report says why: {_first_lines(outcome.report)}")
    if dry_run:
        raise _NothingIsKept


def reading(path: Path, error: WrongFileError) -> UsageError:
    """The error of a file that is not in the format, as the steward sees it."""
    return UsageError(f"{path.name}: {error}")


def _files(paths: Sequence[Path]) -> list[Path]:
    files: list[Path] = []
    for path in paths:
        inside = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
        if not inside or not inside[0].is_file():
            raise UsageError(f"there is no file at {path}")
        files += inside
    for file in files:
        if file.stat().st_size == 0:
            raise UsageError(f"{file} is empty")
    return files


def _first_lines(report: Report) -> str:
    return "; ".join(f"{code} {count}" for code, count in list(report.counts().items())[:3]) or "no row was found"
