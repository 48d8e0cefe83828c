"""What a database holds."""

from typing import Any

from pg8000.native import Connection

from isnad_database.connect import UsageError


def status(connection: Connection) -> dict[str, Any]:
    """Count what is loaded.

    Args:
        connection: an administrator's connection.

    Returns:
        `migrations` (names), `datasets` (key, version, licence, active, imports, rows) and `collections` (code,
        hadiths, damaged texts, books).

    Raises:
        UsageError: the database was never migrated.
    """
    [[migrated]] = connection.run("select to_regclass('isnad.migrations') is not null")
    if not migrated:
        raise UsageError("the database has no schema yet; run `isnad-database migrate`")
    return {
        "migrations": [name for (name,) in connection.run("select name from isnad.migrations order by name")],
        "datasets": _table(
            connection,
            """
            select d.dataset_key, d.version, d.licence, d.active, count(i.import_id) as imports,
                coalesce(sum(i.row_count), 0)::bigint as rows
            from isnad.datasets as d left join isnad.imports as i on d.dataset_id = i.dataset_id
            group by d.dataset_id order by d.dataset_key
            """,
        ),
        "collections": _table(
            connection,
            """
            select c.code, count(h.hadith_id) as hadiths, count(*) filter (where h.text_damaged) as damaged_texts,
                count(distinct h.book_id) as books
            from isnad.collections as c left join isnad.hadiths as h on c.collection_id = h.collection_id
            group by c.collection_id order by c.collection_id
            """,
        ),
    }


def _table(connection: Connection, sql: str) -> list[dict[str, Any]]:
    rows = connection.run(sql)
    names = [column["name"] for column in connection.columns]
    return [dict(zip(names, row, strict=True)) for row in rows]
