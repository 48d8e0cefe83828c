"""Stores passages of commentary, their ties to hadiths and their translations."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from pg8000.native import Connection

from isnad_database.compiler_remarks import READER, find_remarks
from isnad_database.datasets import register_edition
from isnad_database.write import write_rows

PASSAGE_LIMIT = 8000  # characters; docs/contract.md, "Bounds"


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """One passage, or one part of a long one, as it is written.

    Attributes:
        passage_key: its own key, the same at every import of the same text.
        edition_id: the edition that it stands in; its work has an author.
        hadith_id: the hadith that it is tied to; None where it is kept without a tie.
        alignment_status: `contained`, `by_printed_number`, or how the tie was inferred.
        note: what the tie rests on.
        translation: a published translation, in `translation_language`, by `translator` where he is known.
    """

    passage_key: str
    edition_id: int
    passage_kind: str
    source_text: str | None
    locator: str | None
    part: int = 1
    language: str = "ar"
    hadith_id: int | None = None
    alignment_status: str | None = None
    alignment_confidence: float | None = None
    note: str | None = None
    translation: str | None = None
    translation_language: str | None = None
    translator: str | None = None


def write_passages(connection: Connection, passages: Sequence[StoredPassage], import_id: int) -> None:
    """Write the passages of an import, and remove what an earlier version of the same file had beside them.

    The same passage keeps its id. Ties, and the translations into the languages that come now, are written anew.

    Args:
        connection: an administrator's connection, in a transaction.
        passages: all passages of the import; each key once.
        import_id: the import.
    """
    rows = [
        {
            **asdict(passage),
            "content_hash": hashlib.sha256((passage.source_text or passage.translation or "").encode()).hexdigest(),
        }
        for passage in passages
    ]
    write_rows(connection, _UPSERT_PASSAGES, rows, "passages", import_id=import_id)
    connection.run(
        """
        delete from isnad.commentary_passages as p
        using isnad.imports as i, isnad.imports as now
        where now.import_id = :import_id and p.import_id = i.import_id
            and (i.dataset_id, i.file_name) = (now.dataset_id, now.file_name)
            and p.passage_key not in (select json_array_elements_text(:keys::json))
        """,
        import_id=import_id,
        keys=json.dumps([passage.passage_key for passage in passages]),
    )
    connection.run(
        """
        delete from isnad.commentary_alignments
        where passage_id in (select passage_id from isnad.commentary_passages where import_id = :import_id)
        """,
        import_id=import_id,
    )
    connection.run(
        """
        delete from isnad.commentary_translations
        where passage_id in (select passage_id from isnad.commentary_passages where import_id = :import_id)
            and language = any(:languages::text[])
        """,
        import_id=import_id,
        languages=sorted({passage.translation_language for passage in passages if passage.translation_language}),
    )
    write_rows(connection, _INSERT_TIES, [row for row in rows if row["hadith_id"] is not None], "ties")
    write_rows(connection, _INSERT_TRANSLATIONS, [row for row in rows if row["translation"]], "translations")


def write_compiler_remarks(connection: Connection, import_id: int) -> int:
    """Find the compilers' own remarks in the records of an import and store them as passages contained in the records.

    Args:
        connection: an administrator's connection, in a transaction.
        import_id: the import that brought the records; the remarks belong to it too, for they are its text.

    Returns:
        How many remarks there are.
    """
    editions = {
        code: register_edition(connection, f"{key}/{code}", source_id, title, url, None, licence)
        for code, source_id, key, title, url, licence in connection.run(
            """
            select c.code, c.source_id, d.dataset_key, d.title, d.url, d.licence
            from isnad.collections as c
            cross join isnad.imports as i
            inner join isnad.datasets as d on i.dataset_id = d.dataset_id
            where i.import_id = :import_id and c.import_id = i.import_id
            """,
            import_id=import_id,
        )
    }
    records = connection.run(
        """
        select h.hadith_id, h.source_key, c.code, h.text_ar
        from isnad.hadiths as h
        inner join isnad.collections as c on h.collection_id = c.collection_id
        where h.import_id = :import_id and h.text_ar is not null
        order by h.hadith_id
        """,
        import_id=import_id,
    )
    passages = [
        StoredPassage(
            passage_key=f"{key}#{remark.start}-{remark.end}",
            edition_id=editions[code],
            passage_kind="compiler_remark",
            source_text=remark.text,
            locator=f"{key}, characters {remark.start} to {remark.end} of the text",
            hadith_id=hadith_id,
            alignment_status="contained",
            note=f"cut out of the record by {READER}",
        )
        for hadith_id, key, code, text in records
        for remark in find_remarks(code, text)
    ]
    write_passages(connection, passages, import_id)
    return len(passages)


_UPSERT_PASSAGES = """
insert into isnad.commentary_passages (
    passage_key, edition_id, passage_kind, part, source_text, language, locator, content_hash, published, import_id
)
select
    r.passage_key, r.edition_id, r.passage_kind, r.part, r.source_text, r.language, r.locator, r.content_hash, true,
    :import_id::bigint
from json_to_recordset(:rows::json) as r (
    passage_key text, edition_id bigint, passage_kind text, part integer, source_text text, language text,
    locator text, content_hash text
)
on conflict (passage_key) do update
set edition_id = excluded.edition_id, passage_kind = excluded.passage_kind, part = excluded.part,
    source_text = excluded.source_text, language = excluded.language, locator = excluded.locator,
    content_hash = excluded.content_hash, published = true, import_id = excluded.import_id
"""

_INSERT_TIES = """
insert into isnad.commentary_alignments (passage_id, hadith_id, alignment_status, alignment_confidence, note)
select p.passage_id, r.hadith_id, r.alignment_status, r.alignment_confidence, r.note
from json_to_recordset(:rows::json) as r (
    passage_key text, hadith_id bigint, alignment_status text, alignment_confidence numeric, note text
)
inner join isnad.commentary_passages as p on r.passage_key = p.passage_key
"""

_INSERT_TRANSLATIONS = """
insert into isnad.commentary_translations (passage_id, language, text, status, translator)
select p.passage_id, r.translation_language, r.translation, 'PUBLISHED', r.translator
from json_to_recordset(:rows::json) as r (
    passage_key text, translation_language text, translation text, translator text
)
inner join isnad.commentary_passages as p on r.passage_key = p.passage_key
"""
