"""What a database holds."""

from typing import Any

from pg8000.native import Connection

from isnad_database.connect import UsageError


def status(connection: Connection) -> dict[str, Any]:
    """Count what is loaded.

    Args:
        connection: an administrator's connection.

    Returns:
        `migrations` (names), `datasets` (key, version, licence, active, imports, rows), `collections` (code, hadiths,
        damaged texts, books, and the shares with chains, in French and with commentary), `narrators`, `links` (chain
        nodes by resolution status, with their share) and `commentary` (work, author, passages).

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
        "collections": _table(connection, _COLLECTIONS),
        "narrators": connection.run("select count(*) from public.public_narrators")[0][0],
        "links": _table(
            connection,
            """
            select resolution_status, count(*) as nodes,
                round(count(*) / sum(count(*)) over (), 4)::double precision as share
            from public.public_chain_nodes group by resolution_status order by nodes desc
            """,
        ),
        "commentary": _table(
            connection,
            """
            select s.title as work, s.author, count(*) as passages,
                count(*) filter (
                    where exists (select from isnad.commentary_alignments as a where a.passage_id = p.passage_id)
                ) as tied_to_a_hadith
            from isnad.commentary_passages as p
            inner join isnad.editions as e on p.edition_id = e.edition_id
            inner join isnad.sources as s on e.source_id = s.source_id
            inner join isnad.active_imports as i on p.import_id = i.import_id
            group by s.source_id order by s.source_id
            """,
        ),
    }


# What answers now: of a data set that is off, nothing is counted. Shares are of the collection's hadiths, 0 to 1.
_COLLECTIONS = """
select code, hadiths, damaged_texts, books,
    round(with_chains::numeric / nullif(hadiths, 0), 4)::double precision as share_with_chains,
    round(in_french::numeric / nullif(hadiths, 0), 4)::double precision as share_in_french,
    round(with_commentary::numeric / nullif(hadiths, 0), 4)::double precision as share_with_commentary
from (
    select
        c.collection_id, c.code, count(h.hadith_id) as hadiths, count(*) filter (where h.text_damaged) as damaged_texts,
        count(distinct h.book_id) as books,
        count(*) filter (
            where exists (select from public.public_chains as n where n.hadith_id = h.hadith_id)
        ) as with_chains,
        count(*) filter (
            where exists (
                select from public.public_hadith_translations as t
                where t.hadith_id = h.hadith_id and t.language = 'fr' and t.origin <> 'machine'
            )
        ) as in_french,
        count(*) filter (
            where exists (select from public.commentary_hadith_passages as p where p.hadith_id = h.hadith_id)
        ) as with_commentary
    from isnad.collections as c
    left join public.public_hadiths as h on c.collection_id = h.collection_id
    group by c.collection_id
) as counted
order by collection_id
"""


def _table(connection: Connection, sql: str) -> list[dict[str, Any]]:
    rows = connection.run(sql)
    names = [column["name"] for column in connection.columns]
    return [dict(zip(names, row, strict=True)) for row in rows]
