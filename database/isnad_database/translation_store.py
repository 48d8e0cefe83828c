"""Stores translations of hadiths."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from pg8000.native import Connection

from isnad_database.write import write_rows


@dataclass(frozen=True, slots=True)
class NewTranslation:
    """A translation; `translator` is None where nobody knows him, and `origin` then most likely `unknown`."""

    hadith_id: int
    language: str
    text: str
    translator: str | None
    origin: str
    locator: str | None


def store_translations(
    connection: Connection, translations: Sequence[NewTranslation], source_id: int, import_id: int
) -> int:
    """Write the translations of an import, and remove what an earlier version of the same file had beside them.

    Args:
        connection: an administrator's connection, in a transaction.
        translations: at most one for each hadith and language.
        source_id: the work or data set that holds them.
        import_id: the import.

    Returns:
        How many there are.
    """
    write_rows(
        connection,
        _UPSERT,
        [asdict(each) for each in translations],
        "translations",
        source_id=source_id,
        import_id=import_id,
    )
    connection.run(
        """
        delete from isnad.translations as t using isnad.imports as i, isnad.imports as now
        where now.import_id = :import_id and t.import_id = i.import_id and t.source_id = :source_id
            and i.import_id <> now.import_id and (i.dataset_id, i.file_name) = (now.dataset_id, now.file_name)
        """,
        import_id=import_id,
        source_id=source_id,
    )
    return len(translations)


_UPSERT = """
insert into isnad.translations as t (hadith_id, language, text, translator, origin, locator, source_id, import_id)
select r.hadith_id, r.language, r.text, r.translator, r.origin, r.locator, :source_id::bigint, :import_id::bigint
from json_to_recordset(:rows::json) as r (
    hadith_id bigint, language text, text text, translator text, origin text, locator text
)
on conflict (hadith_id, language, source_id) do update
set text = excluded.text, translator = excluded.translator, origin = excluded.origin, locator = excluded.locator,
    import_id = excluded.import_id
where (t.text, t.translator, t.origin, t.locator, t.import_id)
    is distinct from (excluded.text, excluded.translator, excluded.origin, excluded.locator, excluded.import_id)
"""
