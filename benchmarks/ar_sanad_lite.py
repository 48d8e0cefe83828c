"""A database with all of AR-Sanad lite: narrators and pairs by the importer, and its labelled chains as texts' chains.

The chains are artificial and name no hadith (the data set's README), so that they are for measuring alone: each line
stands for a hadith without text, and every node is confirmed.
"""

from pathlib import Path

from pg8000.native import Connection

from isnad_database.connect import transaction
from isnad_database.datasets import Dataset, register_import, register_source
from isnad_database.importing import Options, Outcome, run_import
from isnad_database.migrate import migrate
from isnad_database.narrator_imports import import_ar_sanad
from isnad_database.write import write_rows

LINES = Dataset("ar-sanad-lines", "AR-Sanad lite, labelled chains", None, None, None)

_HADITHS = """
insert into isnad.hadiths (source_key, collection_id, canonical_reference, numbering_scheme, import_id)
select 'ar-sanad-line:' || r.line, :collection_id::bigint, 'ar-sanad-line:' || r.line, 'line', :import_id::bigint
from json_to_recordset(:rows::json) as r (line integer)
"""
_CHAINS = """
with lines as (
    select h.hadith_id, r.keys
    from json_to_recordset(:rows::json) as r (line integer, keys json)
    inner join isnad.hadiths as h on h.source_key = 'ar-sanad-line:' || r.line
), made as (
    insert into isnad.chains (hadith_id, chain_number, completeness, understood, reader, reader_version, import_id)
    select hadith_id, 1, 'complete', true, 'labels', '1', :import_id::bigint from lines order by hadith_id
    returning chain_id, hadith_id
)
insert into isnad.chain_nodes (chain_id, position, narrator_id, resolution_status, candidate_count, rule)
select m.chain_id, k.position, n.narrator_id, 'confirmed', 1, 'labelled by the data set'
from lines
inner join made as m on lines.hadith_id = m.hadith_id
cross join json_array_elements_text(lines.keys) with ordinality as k (key, position)
inner join isnad.narrators as n on n.narrator_key = k.key
"""


def load_lite(connection: Connection, folder: Path) -> None:
    """Migrate, import narrators and pairs, and store the labelled chains.

    Args:
        connection: an administrator's connection to an empty database.
        folder: `ar-sanad/` of the open data sets.
    """
    migrate(connection)
    run_import(connection, import_ar_sanad, [folder / "lite-narrators.csv"], Options(), Outcome())
    path = folder / "labels-lite.val"
    rows = [
        {"line": number, "keys": [f"ar-sanad:{label}" for label in line.split(",")]}
        for number, line in enumerate(path.read_text(encoding="utf-8").split(), start=1)
    ]
    with transaction(connection):
        import_id = register_import(connection, LINES, path, "benchmark", len(rows))
        source_id = register_source(connection, LINES.key, LINES.title, None, "dataset", None, None)
        [[collection_id]] = connection.run(
            "insert into isnad.collections (code, name_ar, name_latin, source_id, import_id)"
            " values ('ar-sanad-line', 'AR-Sanad', 'AR-Sanad', :source_id, :import_id) returning collection_id",
            source_id=source_id,
            import_id=import_id,
        )
        write_rows(connection, _HADITHS, rows, "lines", import_id=import_id, collection_id=collection_id)
        write_rows(connection, _CHAINS, rows, "chains", import_id=import_id)
    connection.run("analyze")
