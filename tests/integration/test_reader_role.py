"""E14: the functions' role can read the public views and nothing else, and the database itself says so."""

import pytest
from pg8000.exceptions import DatabaseError
from pg8000.native import Connection
from tests.conftest import Database

from isnad_database.connect import administrator
from isnad_gateway.data.connection import STATEMENT_TIMEOUT

DENIED, READ_ONLY = "42501", "25006"
JOINED_VIEW = "55000"  # a view of several tables takes no writes, whoever asks


def _refused(connection: Connection, sql: str) -> str:
    with pytest.raises(DatabaseError) as raised:
        connection.run(sql)
    sqlstate: str = raised.value.args[0]["C"]
    return sqlstate


def _tables(database: Database) -> list[tuple[str, bool]]:
    with administrator(database.administrator) as connection:
        return [
            (name, bool(protected))
            for name, protected in connection.run(
                "select c.oid::regclass::text, c.relrowsecurity from pg_class as c"
                " where c.relkind in ('r', 'p', 'm', 'f') and c.relnamespace in"
                " (select oid from pg_namespace where nspname = 'isnad' or nspname = 'public') order by 1"
            )
        ]


def test_row_level_security_everywhere(sandbox: Database) -> None:
    tables = _tables(sandbox)
    assert len(tables) > 20
    assert [name for name, protected in tables if not protected] == []


def test_no_policy_opens_a_table(sandbox: Database) -> None:
    with administrator(sandbox.administrator) as connection:
        assert connection.run("select * from pg_policies") == []


def test_no_base_table_can_be_read(sandbox: Database) -> None:
    with administrator(sandbox.reader) as connection:
        for name, _ in _tables(sandbox):
            assert _refused(connection, f"select from {name}") == DENIED, name


def test_every_view_can_be_read(sandbox: Database) -> None:
    names = (
        "select c.oid::regclass::text from pg_class as c"
        " where c.relkind = 'v' and c.relnamespace = 'public'::regnamespace"
    )
    with administrator(sandbox.administrator) as connection:
        views = [name for (name,) in connection.run(names)]
    assert {"commentary_hadith_passages", "public_narrator_assertions", "narrator_canonical_display",
            "public_transliteration_lexicon", "public_hadiths"} <= set(views)  # fmt: skip
    with administrator(sandbox.reader) as connection:
        for name in views:
            connection.run(f"select * from {name} limit 1")


WRITES = [
    "create table public.mine (a integer)",
    "create table isnad.mine (a integer)",
    "create temporary table mine (a integer)",
    "create view public.mine as select 1 as a",
    "create function public.mine() returns integer language sql return 1",
    "create schema mine",
    "create role mine",
    "insert into isnad.collections (code) values ('x')",
    "insert into public.public_collections (code) values ('x')",
    "update public.public_hadiths set text_ar = 'x'",
    "update isnad.hadiths set text_ar = 'x'",
    "delete from public.public_datasets",
    "delete from isnad.hadiths",
    "truncate isnad.hadiths",
    "drop view public.public_hadiths",
    "alter table isnad.hadiths disable row level security",
    "grant select on isnad.hadiths to gateway_reader",
    "select setval('isnad.hadiths_hadith_id_seq', 1)",
    "select nextval('isnad.hadiths_hadith_id_seq')",
    "call isnad.protect()",
    "select isnad.index_hadiths(array[1])",
    "copy public.public_hadiths to '/tmp/mine'",
    "copy (select 1) to program 'true'",
    "select pg_read_file('/etc/hostname')",
    "select lo_create(0)",
]


@pytest.mark.parametrize("sql", WRITES)
def test_writes_are_refused(sql: str, sandbox: Database) -> None:
    """By the transaction, or by the rights of the role, whichever is asked first."""
    with administrator(sandbox.reader) as connection:
        assert connection.run("show default_transaction_read_only") == [["on"]]
        assert _refused(connection, sql) in (DENIED, READ_ONLY, JOINED_VIEW)


@pytest.mark.parametrize("sql", WRITES)
def test_writes_are_refused_even_in_a_writing_transaction(sql: str, sandbox: Database) -> None:
    """A role may switch its own default off; what then refuses is that it has no right to write."""
    with administrator(sandbox.reader) as connection:
        connection.run("set default_transaction_read_only = off")
        connection.run("begin read write")
        assert _refused(connection, sql) in (DENIED, JOINED_VIEW)
        connection.run("rollback")


def test_limits_of_the_role(sandbox: Database) -> None:
    with administrator(sandbox.reader) as connection:
        assert connection.run("show statement_timeout") == [[f"{STATEMENT_TIMEOUT:g}s"]]
        assert connection.run("show idle_in_transaction_session_timeout") == [["10s"]]
        assert connection.run("show search_path") == [["public"]]
    with administrator(sandbox.administrator) as connection:
        [attributes] = connection.run(
            "select rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles"
            " where rolname = 'gateway_reader'"
        )
        assert attributes == [False] * 6
        assert connection.run(
            "select count(*) from pg_auth_members where member = 'gateway_reader'::regrole"
        ) == [[0]]  # fmt: skip
