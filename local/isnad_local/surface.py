"""`make surface`: writes the description of the read surface anew, from a Postgres that has just been migrated."""

import sys
import tempfile
from pathlib import Path

from isnad_database.connect import administrator
from isnad_database.migrate import migrate
from isnad_database.surface import SURFACE, read_surface, written
from isnad_local.postgres import postgres


def main() -> int:
    """Write `database/surface.json`; return the exit status."""
    with (
        tempfile.TemporaryDirectory(prefix="isnad-", ignore_cleanup_errors=True) as folder,
        postgres(Path(folder) / "data") as dsn,
        administrator(dsn) as connection,
    ):
        migrate(connection)
        SURFACE.write_text(written(read_surface(connection)), encoding="utf-8")
    print(f"written: {SURFACE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
