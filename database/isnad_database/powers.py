"""What a role could do beyond reading the views: each way to write, and each table that it would see directly."""

from collections.abc import Iterator

from pg8000.native import Connection, identifier

_ATTRIBUTES = """
select a.name
from pg_roles as r
cross join lateral (
    values ('superuser', r.rolsuper), ('createdb', r.rolcreatedb), ('createrole', r.rolcreaterole),
        ('replication', r.rolreplication), ('bypassrls', r.rolbypassrls)
) as a (name, has)
where r.rolname = :role and a.has
"""

_MEMBERSHIPS = """
select m.rolname from pg_roles as m
where m.rolname <> :role and not (select rolsuper from pg_roles where rolname = :role)
    and pg_has_role(:role, m.oid, 'member')
order by 1
"""

# What lies in a schema that the role may not use is out of its reach, whatever is granted on it.
_WITHIN_REACH = """
n.nspname <> 'information_schema' and n.nspname !~ '^pg_' and has_schema_privilege(:role, n.oid, 'usage')
"""

_TABLES = f"""
select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name,
    array_remove(array[
        case when pg_has_role(:role, c.relowner, 'usage') then 'owns' end,
        case when has_any_column_privilege(:role, c.oid, 'insert') then 'insert' end,
        case when has_any_column_privilege(:role, c.oid, 'update') then 'update' end,
        case when has_table_privilege(:role, c.oid, 'delete') then 'delete' end,
        case when has_table_privilege(:role, c.oid, 'truncate') then 'truncate' end,
        case when has_table_privilege(:role, c.oid, 'trigger') then 'trigger' end,
        case when c.relkind in ('r', 'p', 'f') and has_any_column_privilege(:role, c.oid, 'select')
            and not exists (select from pg_depend as d where d.objid = c.oid and d.deptype = 'e')
            then 'select' end
    ], null) as rights
from pg_class as c
inner join pg_namespace as n on c.relnamespace = n.oid
where c.relkind in ('r', 'p', 'v', 'm', 'f') and {_WITHIN_REACH}
order by 1
"""  # noqa: S608 - a condition of our own

_SEQUENCES = f"""
select quote_ident(n.nspname) || '.' || quote_ident(c.relname)
from pg_class as c
inner join pg_namespace as n on c.relnamespace = n.oid
where {_WITHIN_REACH}
    and case when c.relkind = 'S' then has_sequence_privilege(:role, c.oid, 'usage, update') else false end
order by 1
"""  # noqa: S608

_SCHEMAS = """
select quote_ident(n.nspname) from pg_namespace as n
where n.nspname !~ '^pg_' and has_schema_privilege(:role, n.oid, 'create')
order by 1
"""

_DATABASE = """
select quote_ident(current_database()), has_database_privilege(:role, current_database(), 'create'),
    has_database_privilege(:role, current_database(), 'temporary')
"""

# Such a function does what its owner may. One that is stable or immutable cannot write.
_FUNCTIONS = f"""
select p.oid::regprocedure::text
from pg_proc as p
inner join pg_namespace as n on p.pronamespace = n.oid
where p.prosecdef and p.provolatile = 'v' and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
    and {_WITHIN_REACH} and has_function_privilege(:role, p.oid, 'execute')
order by 1
"""  # noqa: S608

_LARGE_OBJECTS = """
select p.oid::regprocedure::text from pg_proc as p
where p.pronamespace = 'pg_catalog'::regnamespace and p.proname in ('lo_creat', 'lo_create', 'lo_from_bytea')
    and has_function_privilege(:role, p.oid, 'execute')
order by 1
"""


def powers(connection: Connection, role: str) -> Iterator[tuple[str, str]]:
    """List what a role may do that a reader of views may not.

    Args:
        connection: as any role.
        role: whose powers.

    Yields:
        The power, as what follows the role's name in a sentence, and the statement that takes it away.
    """
    who = identifier(role)
    attributes = [name for (name,) in connection.run(_ATTRIBUTES, role=role)]
    for name in attributes:
        yield f"has the attribute {name}", f"alter role {who} no{name}"
    if "superuser" in attributes:
        return  # it may do everything, so that listing it says nothing
    for (name,) in connection.run(_MEMBERSHIPS, role=role):
        yield f"is a member of {name}", f"revoke {identifier(name)} from {who}"
    for name, rights in connection.run(_TABLES, role=role):
        yield from _over_table(name, rights, who)
    for (name,) in connection.run(_SEQUENCES, role=role):
        yield f"may move the sequence {name}", f"revoke all on sequence {name} from public, {who}"
    for (name,) in connection.run(_SCHEMAS, role=role):
        yield f"may create objects in the schema {name}", f"revoke create on schema {name} from public, {who}"
    [[database, may_create, may_make_temporary]] = connection.run(_DATABASE, role=role)
    if may_create:
        yield "may create schemas", f"revoke create on database {database} from public, {who}"
    if may_make_temporary:
        yield "may make temporary tables", f"revoke temporary on database {database} from public, {who}"
    for (name,) in connection.run(_FUNCTIONS, role=role):
        yield f"may call {name}, which acts as its owner", f"revoke execute on function {name} from public, {who}"


def _over_table(name: str, rights: list[str], who: str) -> Iterator[tuple[str, str]]:
    if "owns" in rights:
        yield f"owns {name}", f"alter table {name} owner to another role"
        return
    writing = ", ".join(right for right in rights if right != "select")
    if writing:
        yield f"may write {name} ({writing})", f"revoke {writing} on {name} from public, {who}"
    if "select" in rights:
        yield f"reads the table {name} itself", f"revoke select on {name} from public, {who}"  # noqa: S608 - told, not run


def large_objects(connection: Connection, role: str) -> Iterator[tuple[str, str]]:
    """The same for large objects, which everybody may make by default and only the server's superuser can forbid."""
    who = identifier(role)
    for (name,) in connection.run(_LARGE_OBJECTS, role=role):
        yield f"may make large objects with {name}", f"revoke execute on function {name} from public, {who}"
