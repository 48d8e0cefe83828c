"""The read surface: what the functions expect of a Postgres, as one committed description of a freshly migrated one."""

import json
from pathlib import Path
from typing import TypedDict

from pg8000.native import Connection

SURFACE = Path(__file__).resolve().parents[1] / "surface.json"
READER = "gateway_reader"

_EXTENSIONS = "select extname from pg_extension where extname <> 'plpgsql' order by 1"

_VIEWS = """
select n.nspname || '.' || c.relname, a.attname, format_type(a.atttypid, a.atttypmod)
from pg_class as c
inner join pg_namespace as n on c.relnamespace = n.oid
inner join pg_attribute as a on c.oid = a.attrelid and a.attnum > 0 and not a.attisdropped
where c.relkind in ('v', 'm', 'r', 'p', 'f') and n.nspname = 'public'
    and not exists (select from pg_depend as d where d.objid = c.oid and d.deptype = 'e')
order by 1, a.attnum
"""

_FUNCTIONS = """
select n.nspname || '.' || p.proname || '(' || oidvectortypes(p.proargtypes) || ')', pg_get_function_result(p.oid)
from pg_proc as p
inner join pg_namespace as n on p.pronamespace = n.oid
where n.nspname = 'public' and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype
    and not exists (select from pg_depend as d where d.objid = p.oid and d.deptype = 'e')
order by 1
"""

_ROLE_SETTINGS = """
select unnest(s.setconfig)
from pg_db_role_setting as s
inner join pg_roles as r on s.setrole = r.oid
where r.rolname = :role
    and s.setdatabase in (0, (select d.oid from pg_database as d where d.datname = current_database()))
order by s.setdatabase
"""


class Surface(TypedDict):
    """What a database offers to the functions.

    Attributes:
        extensions: their names.
        views: by qualified name, the type of each column.
        functions: by name and argument types, what they return.
        role_settings: what a session of the functions' role starts with.
    """

    extensions: list[str]
    views: dict[str, dict[str, str]]
    functions: dict[str, str]
    role_settings: dict[str, str]


def read_surface(connection: Connection, role: str = READER) -> Surface:
    """Describe what a database offers: everything of the schema `public` that is no extension's own.

    Args:
        connection: as any role; catalogs are everybody's to read.
        role: the functions' role.
    """
    views: dict[str, dict[str, str]] = {}
    for view, column, kind in connection.run(_VIEWS):
        views.setdefault(view, {})[column] = kind
    settings = (setting.split("=", 1) for (setting,) in connection.run(_ROLE_SETTINGS, role=role))
    return {
        "extensions": [name for (name,) in connection.run(_EXTENSIONS)],
        "views": views,
        "functions": dict(connection.run(_FUNCTIONS)),
        "role_settings": {name: value for name, value in settings},  # noqa: C416 - a role's own come last and count
    }


def expected_surface(path: Path = SURFACE) -> Surface:
    """The committed description."""
    surface: Surface = json.loads(path.read_text(encoding="utf-8"))
    return surface


def written(surface: Surface) -> str:
    """A description in the form in which it is committed."""
    return json.dumps(surface, ensure_ascii=False, indent=1) + "\n"
