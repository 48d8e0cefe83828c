"""Holds a Postgres against what the functions expect of it, and says how to make what is missing."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from pg8000.exceptions import DatabaseError
from pg8000.native import Connection, identifier, literal

from isnad_database.powers import large_objects, powers
from isnad_database.surface import Surface, expected_surface, read_surface

_MIGRATE = "isnad-database migrate, as the owner of the schema"


@dataclass(frozen=True)
class Finding:
    """What is not as it has to be.

    Attributes:
        fault: what is wrong, in a few words.
        remedy: a command or an SQL statement that puts it right.
        refuses: whether the database cannot be used as it is. Otherwise it is only told, because on a hosted server
            nobody can put it right.
    """

    fault: str
    remedy: str
    refuses: bool = True


def check(connection: Connection, role: str | None = None) -> list[Finding]:
    """Hold a database against the read surface.

    Args:
        connection: as any role; best as the functions' own, through the same pooler.
        role: whose rights and settings to look at; the connected one where none is given.

    Returns:
        What is missing or too much; empty where the functions can answer and their role can write nothing.

    Raises:
        pg8000.exceptions.DatabaseError: the database refused to be looked at.
    """
    connection.run("begin read only")  # a pooler hands each transaction to another server
    try:
        [[connected]] = connection.run("select current_user")
        examined = role or str(connected)
        if not connection.run("select from pg_roles where rolname = :role", role=examined):
            return [Finding(f"role {examined} does not exist", _MIGRATE)]
        expected, found = expected_surface(), read_surface(connection, examined)
        return [
            *(Finding(f"role {examined} {power}", remedy) for power, remedy in powers(connection, examined)),
            *_locale(connection),
            *_missing(expected, found),
            *_settings(connection, examined, expected, found),
            *_rights(connection, examined, expected, found),
            *_row_level_security(connection, expected),
            *(_answers(connection, expected, found) if examined == connected else ()),
            *(
                Finding(f"role {examined} {power}", remedy, False)
                for power, remedy in large_objects(connection, examined)
            ),
        ]
    finally:
        connection.run("rollback")


def _locale(connection: Connection) -> Iterator[Finding]:
    """Trigrams and case of Arabic need a UTF-8 locale, which a database has from its making."""
    [[database, encoding]] = connection.run(
        "select datname, pg_encoding_to_char(encoding) from pg_database where datname = current_database()"
    )
    remedy = "create database … template template0 encoding 'UTF8' locale 'C.UTF-8', and load it anew"
    if encoding != "UTF8":
        yield Finding(f"database {database} has the encoding {encoding}", remedy)
    elif connection.run("select chr(1581) ~ '[[:alpha:]]'") != [[True]]:  # the Arabic letter ha
        yield Finding(f"the locale of the database {database} knows no Arabic letter", remedy)


def _missing(expected: Surface, found: Surface) -> Iterator[Finding]:
    for name in expected["extensions"]:
        if name not in found["extensions"]:
            yield Finding(f"extension {name} is missing", f"create extension {name}")
    for view, columns in expected["views"].items():
        present = found["views"].get(view)
        if present is None:
            listed = ", ".join(f"{column} {kind}" for column, kind in columns.items())
            yield Finding(f"view {view} is missing", f"{_MIGRATE}; or a view of your own with {listed}")
            continue
        for column, kind in columns.items():
            if present.get(column) != kind:
                actual = f"is {present[column]}" if column in present else "is missing"
                yield Finding(f"column {view}.{column} {actual}", f"{_MIGRATE}; it has to be {kind}")
    for function, result in expected["functions"].items():
        actual_result = found["functions"].get(function)
        if actual_result is None:
            yield Finding(f"function {function} is missing", _MIGRATE)
        elif actual_result != result:
            yield Finding(f"function {function} returns {actual_result}", f"{_MIGRATE}; it has to be {result}")


def _settings(connection: Connection, role: str, expected: Surface, found: Surface) -> Iterator[Finding]:
    for name, value in expected["role_settings"].items():
        given = found["role_settings"].get(name)
        if given is None or _normal(connection, name, given) != _normal(connection, name, value):
            state = "has no" if given is None else f"has {given} for"
            yield Finding(f"role {role} {state} {name}", f"alter role {identifier(role)} set {name} = {_value(value)}")


def _normal(connection: Connection, name: str, value: str) -> str:
    """A setting as the server writes it: `2000` and `2s` are one."""
    try:
        [[normal]] = connection.run("select set_config(:name, :value, true)", name=name, value=value)
    except DatabaseError:
        connection.run("rollback")
        connection.run("begin read only")
        return value
    return str(normal)


def _value(value: str) -> str:
    return value if value.isidentifier() else literal(value)


def _rights(connection: Connection, role: str, expected: Surface, found: Surface) -> Iterator[Finding]:
    """What the role has to be allowed to."""
    who = identifier(role)
    [[usage]] = connection.run("select has_schema_privilege(:role, 'public', 'usage')", role=role)
    if not usage:
        yield Finding(f"role {role} may not use the schema public", f"grant usage on schema public to {who}")
    for view in expected["views"]:
        if view in found["views"]:
            [[allowed]] = connection.run("select has_table_privilege(:role, :view, 'select')", role=role, view=view)
            if not allowed:
                yield Finding(f"role {role} may not read {view}", f"grant select on {view} to {who}")
    for function in expected["functions"]:
        if function in found["functions"]:
            [[allowed]] = connection.run(
                "select has_function_privilege(:role, :function, 'execute')", role=role, function=function
            )
            if not allowed:
                yield Finding(f"role {role} may not call {function}", f"grant execute on function {function} to {who}")


_UNPROTECTED = """
with recursive used as (
    select c.oid, c.relkind, c.relnamespace from pg_class as c
    where c.oid in (select to_regclass(name) from json_array_elements_text(:views::json) as v (name))
    union
    select c.oid, c.relkind, c.relnamespace
    from used as u
    inner join pg_rewrite as r on u.oid = r.ev_class
    inner join pg_depend as d on r.oid = d.objid and d.classid = 'pg_rewrite'::regclass
    inner join pg_class as c on d.refobjid = c.oid and d.refclassid = 'pg_class'::regclass
)
select quote_ident(n.nspname) || '.' || quote_ident(t.relname)
from pg_class as t
inner join pg_namespace as n on t.relnamespace = n.oid
where t.relkind in ('r', 'p') and not t.relrowsecurity
    and n.nspname not in ('pg_catalog', 'information_schema')
    and t.relnamespace in (select u.relnamespace from used as u where u.relkind in ('r', 'p'))
order by 1
"""


def _row_level_security(connection: Connection, expected: Surface) -> Iterator[Finding]:
    """Every table of the schemas that the views stand on."""
    for (table,) in connection.run(_UNPROTECTED, views=json.dumps(list(expected["views"]))):
        yield Finding(f"table {table} has no row level security", f"alter table {table} enable row level security")


def _answers(connection: Connection, expected: Surface, found: Surface) -> Iterator[Finding]:
    """Whether the connected role really reads each view: one that is `security_invoker` wants rights on its tables."""
    for view in expected["views"]:
        if view not in found["views"]:
            continue
        connection.run("savepoint one_view")
        try:
            connection.run(f"select * from {view} limit 0")  # noqa: S608 - a name of our own description
        except DatabaseError as error:
            connection.run("rollback to savepoint one_view")
            yield Finding(
                f"view {view} does not answer (SQLSTATE {error.args[0]['C']})",
                f"alter view {view} reset (security_invoker), and let an owner have it who may read its tables",
            )
