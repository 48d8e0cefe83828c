"""`isnad-database check`: each thing that may be missing or too much is found, and its remedy puts it right."""

import pytest
from pg8000.native import Connection
from tests.conftest import Database

from isnad_database.check import Finding, check
from isnad_database.cli import main
from isnad_database.connect import administrator
from isnad_database.surface import READER, SURFACE, read_surface, written

MIGRATE = "isnad-database migrate"

LEXICON = "public.public_transliteration_lexicon"

# What is broken, in a transaction that is rolled back; what the check says of it.
MISSING = [
    (f"drop view {LEXICON}", f"view {LEXICON} is missing"),
    (f"alter view {LEXICON} rename term_ar to term", f"column {LEXICON}.term_ar is missing"),
    (
        f"drop view {LEXICON}; create view {LEXICON} as select 'a'::varchar as term_ar",
        f"column {LEXICON}.term_ar is character varying",
    ),
    ("drop function public.isnad_reference(text) cascade", "function public.isnad_reference(text) is missing"),
    (
        "alter function isnad_name_key rename to k; create function isnad_name_key(text) returns varchar return $1",
        "function public.isnad_name_key(text) returns character varying",
    ),
]
TO_GRANT = [
    ("revoke usage on schema public from public, gateway_reader", "may not use the schema public"),
    ("revoke select on public.public_hadiths from gateway_reader", "may not read public.public_hadiths"),
    (
        "revoke execute on function public.isnad_fold(text) from public, gateway_reader",
        "may not call public.isnad_fold(text)",
    ),
    ("alter role gateway_reader set statement_timeout = '30s'", "has 30s for statement_timeout"),
    ("alter role gateway_reader reset default_transaction_read_only", "has no default_transaction_read_only"),
    ("alter role gateway_reader set search_path = isnad, public", "has isnad, public for search_path"),
    ("alter table isnad.hadiths disable row level security", "table isnad.hadiths has no row level security"),
    ("create table isnad.new (a integer)", "table isnad.new has no row level security"),
]
POWERS = [
    ("alter role gateway_reader superuser", "has the attribute superuser"),
    ("alter role gateway_reader createrole", "has the attribute createrole"),
    ("alter role gateway_reader bypassrls", "has the attribute bypassrls"),
    ("grant pg_write_all_data to gateway_reader", "is a member of pg_write_all_data"),
    ("grant pg_read_all_data to gateway_reader", "is a member of pg_read_all_data"),
    (
        "grant usage on schema isnad to public; grant insert on isnad.hadiths to public",
        "may write isnad.hadiths (insert)",
    ),
    ("grant update (text_ar) on public.public_hadiths to gateway_reader", "may write public.public_hadiths (update)"),
    ("grant delete, truncate on public.public_hadiths to public", "may write public.public_hadiths (delete, truncate)"),
    ("create table public.t (a integer); grant select on public.t to public", "reads the table public.t itself"),
    ("create sequence public.s; grant usage on sequence public.s to public", "may move the sequence public.s"),
    ("grant create on schema public to public", "may create objects in the schema public"),
    ("grant create on database postgres to gateway_reader", "may create schemas"),
    ("grant temporary on database postgres to public", "may make temporary tables"),
    (
        "create function public.f() returns void language sql security definer as 'select 1'",
        "may call f(), which acts as its owner",
    ),
]
HARMLESS = [
    "alter role gateway_reader set statement_timeout = '2000'",
    "grant insert on isnad.hadiths to gateway_reader",  # out of its reach: it may not use the schema
    "create function public.f() returns integer language sql stable security definer as 'select 1'",
    "create function public.f() returns integer language sql as 'select 1'",
    "create view public.more as select 1 as a; grant select on public.more to gateway_reader",
    "create extension pg_trgm schema public",
]


def _after(connection: Connection, *statements: str) -> list[Finding]:
    """What the check finds after these statements, which its own end rolls back."""
    connection.run("begin")
    for statement in statements:
        connection.run(statement)
    return check(connection, READER)


@pytest.fixture
def connection(sandbox: Database) -> Connection:
    with administrator(sandbox.administrator) as opened:
        yield opened


def test_description_is_that_of_a_fresh_database(empty_database: Database) -> None:
    """After a new migration `make surface` writes it anew."""
    with administrator(empty_database.administrator) as connection:
        assert written(read_surface(connection)) == SURFACE.read_text(encoding="utf-8"), "run `make surface`"


def test_our_own_database_passes(sandbox: Database, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--dsn", sandbox.reader]) == 0
    assert capsys.readouterr().out == "the gateway can answer from this database, and its role can write nothing\n"
    assert main(["--dsn", sandbox.administrator, "check", "--role", READER]) == 0


def test_administrator_is_refused(sandbox: Database, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--dsn", sandbox.administrator, "check"]) == 1
    said = capsys.readouterr()
    assert 'role postgres has the attribute superuser\n    remedy: alter role "postgres" nosuperuser\n' in said.out
    assert said.err.startswith("isnad-database: the gateway must not use this database as it is; to put right: ")


@pytest.mark.parametrize(("broken", "fault"), MISSING)
def test_missing(connection: Connection, broken: str, fault: str) -> None:
    findings = _after(connection, broken)
    [found] = [finding for finding in findings if finding.fault == fault]
    assert found.remedy.startswith(MIGRATE)
    assert check(connection, READER) == []


@pytest.mark.parametrize(("broken", "fault"), TO_GRANT + POWERS)
def test_remedy_puts_it_right(connection: Connection, broken: str, fault: str) -> None:
    findings = _after(connection, broken)
    assert any(finding.fault.endswith(fault) for finding in findings), findings
    assert _after(connection, broken, *(finding.remedy for finding in findings)) == []


@pytest.mark.parametrize("change", HARMLESS)
def test_harmless(connection: Connection, change: str) -> None:
    assert _after(connection, change) == []


def test_owner_is_refused(connection: Connection) -> None:
    """An owner may grant itself everything."""
    findings = _after(connection, "alter view public.public_hadiths owner to gateway_reader")
    assert [finding.fault for finding in findings] == ["role gateway_reader owns public.public_hadiths"]


def test_view_that_acts_as_its_caller(connection: Connection) -> None:
    """A hosted platform advises `security_invoker`, with which the role would need rights on the tables."""
    findings = _after(
        connection, "alter view public.public_relations set (security_invoker = on)", "set local role gateway_reader"
    )
    assert [finding.fault for finding in findings] == ["view public.public_relations does not answer (SQLSTATE 42501)"]
    assert findings[0].remedy.startswith("alter view public.public_relations reset (security_invoker)")


def test_large_objects_are_told(connection: Connection) -> None:
    """On a hosted server nobody can forbid them: that alone refuses no database."""
    granted = "grant execute on function lo_create(oid) to public"
    findings = _after(connection, granted)
    assert [(finding.fault, finding.refuses) for finding in findings] == [
        ("role gateway_reader may make large objects with lo_create(oid)", False)
    ]
    assert _after(connection, granted, findings[0].remedy) == []


def test_role_is_not_there(connection: Connection) -> None:
    [finding] = check(connection, "somebody")
    assert finding.fault == "role somebody does not exist"
    assert finding.remedy.startswith(MIGRATE)


def test_database_of_another_kind(server: str) -> None:
    """Nothing is there, and the encoding would lose every Arabic letter."""
    with administrator(server) as connection:
        connection.run("drop database if exists t_ascii")
        connection.run("create database t_ascii template template0 encoding 'SQL_ASCII' locale 'C'")
        try:
            with administrator(server.replace("/postgres?", "/t_ascii?")) as other:
                faults = [finding.fault for finding in check(other, READER)]
        finally:
            connection.run("drop database t_ascii with (force)")
    assert "database t_ascii has the encoding SQL_ASCII" in faults
    assert "view public.public_hadiths is missing" in faults
    assert "role gateway_reader may make temporary tables" in faults
