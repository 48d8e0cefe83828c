"""Stores a collection that an import brings itself: its books, chapters, hadiths and their numbers."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from pg8000.native import Connection

from isnad_database.datasets import register_source
from isnad_database.importers.numbers import number_order
from isnad_database.importers.report import Report
from isnad_database.write import write_rows


@dataclass(frozen=True, slots=True)
class Division:
    """A book or a chapter: its number and, where the data has one, its Arabic title."""

    number: str
    title: str | None


@dataclass(frozen=True, slots=True)
class NewHadith:
    """A hadith as an import brings it; `matn_start` counts the characters before the matn, where they are known."""

    number: str
    text: str
    book: Division | None = None
    chapter: Division | None = None
    matn_start: int | None = None


@dataclass(frozen=True, slots=True)
class LoadedCollection:
    """A collection that is loaded, and the key of the data set that brought it."""

    collection_id: int
    dataset_key: str


def collection_of(connection: Connection, code: str) -> LoadedCollection | None:
    """The loaded collection of this code, or of this name; None where there is none."""
    rows = connection.run(
        """
        select c.collection_id, d.dataset_key
        from isnad.collections as c
        inner join isnad.imports as i on c.import_id = i.import_id
        inner join isnad.datasets as d on i.dataset_id = d.dataset_id
        where c.code = :code
            or c.collection_id in (
                select collection_id from isnad.collection_names where name_folded = public.isnad_name_key(:code)
            )
        order by c.code <> :code limit 1
        """,
        code=code,
    )
    return LoadedCollection(*rows[0]) if rows else None


def create_collection(connection: Connection, code: str, name: str, import_id: int) -> int:
    """Write a collection under the name that its data set gives it; return its id, the same one for the same code again."""
    source_id = register_source(connection, code, name, None, "corpus", None, None)
    [[collection_id]] = connection.run(
        """
        insert into isnad.collections (code, name_ar, name_latin, source_id, import_id)
        values (:code, :name, :name, :source_id, :import_id)
        on conflict (code) do update set import_id = excluded.import_id
        returning collection_id
        """,
        code=code,
        name=name,
        source_id=source_id,
        import_id=import_id,
    )
    connection.run(
        """
        insert into isnad.collection_names (name_folded, collection_id)
        select distinct public.isnad_name_key(name), :collection_id::bigint from unnest(:names::text[]) as name
        where public.isnad_name_key(name) <> ''
        on conflict (name_folded) do nothing
        """,
        collection_id=collection_id,
        names=[code, name],
    )
    return int(collection_id)


def store_hadiths(
    connection: Connection,
    collection_id: int,
    scheme: str,
    hadiths: Sequence[NewHadith],
    import_id: int,
    report: Report,
) -> int:
    """Write the hadiths of an import and their numbers, and remove those of an earlier version of its file.

    A number that several hadiths of the file carry is kept for all of them: their keys are told apart by a count.

    Returns:
        How many hadiths there are.
    """
    [[code]] = connection.run("select code from isnad.collections where collection_id = :id", id=collection_id)
    seen: dict[str, int] = {}
    rows = []
    for hadith in hadiths:
        seen[hadith.number] = seen.get(hadith.number, 0) + 1
        again = "" if seen[hadith.number] == 1 else f"#{seen[hadith.number]}"
        if again:
            report.note("kept_apart", f"number {hadith.number}", "several hadiths of the file carry it: each is kept")
        order = number_order(hadith.number)
        rows.append(
            {
                "source_key": f"{scheme}/{code}:{hadith.number}{again}",
                "number": hadith.number,
                "number_order": None if order is None else str(order),
                "reference": f"{code}:{hadith.number}",
                "text_ar": hadith.text,
                "content_hash": hashlib.sha256(hadith.text.encode()).hexdigest(),
                "matn_start": hadith.matn_start,
                "book": hadith.book and hadith.book.number,
                "book_title": hadith.book and hadith.book.title,
                "chapter": hadith.chapter and hadith.chapter.number,
                "chapter_title": hadith.chapter and hadith.chapter.title,
            }
        )
    connection.run(_BOOKS, rows=json.dumps(rows), collection_id=collection_id, import_id=import_id)
    connection.run(_CHAPTERS, rows=json.dumps(rows), collection_id=collection_id, import_id=import_id)
    write_rows(connection, _HADITHS, rows, "hadiths", collection_id=collection_id, scheme=scheme, import_id=import_id)
    connection.run(
        """
        delete from isnad.hadiths as h using isnad.imports as i, isnad.imports as now
        where now.import_id = :import_id and h.import_id = i.import_id and i.import_id <> now.import_id
            and (i.dataset_id, i.file_name) = (now.dataset_id, now.file_name)
        """,
        import_id=import_id,
    )
    write_rows(
        connection, _REFERENCES, rows, "references", collection_id=collection_id, scheme=scheme, import_id=import_id
    )
    return len(rows)


_BOOKS = """
insert into isnad.books as b (collection_id, number, title_ar, title_import_id, import_id)
select distinct on (r.book)
    :collection_id::bigint, r.book, r.book_title, case when r.book_title is not null then :import_id::bigint end,
    :import_id::bigint
from json_to_recordset(:rows::json) as r (book text, book_title text)
where r.book is not null
order by r.book, r.book_title
on conflict (collection_id, number) do update
set title_ar = coalesce(b.title_ar, excluded.title_ar),
    title_import_id = coalesce(b.title_import_id, excluded.title_import_id)
"""

_CHAPTERS = """
insert into isnad.chapters (book_id, number, title_ar, import_id)
select distinct on (b.book_id, r.chapter) b.book_id, r.chapter, r.chapter_title, :import_id::bigint
from json_to_recordset(:rows::json) as r (book text, chapter text, chapter_title text)
inner join isnad.books as b on b.collection_id = :collection_id::bigint and b.number = r.book
where r.chapter is not null
order by b.book_id, r.chapter, r.chapter_title
on conflict (book_id, number) do update set title_ar = excluded.title_ar, import_id = excluded.import_id
"""

_HADITHS = """
insert into isnad.hadiths as h (
    source_key, collection_id, book_id, chapter_id, canonical_reference, numbering_scheme, text_ar, matn_start,
    content_hash, import_id
)
select
    r.source_key, :collection_id::bigint, b.book_id, c.chapter_id, r.reference, :scheme::text, r.text_ar, r.matn_start,
    r.content_hash, :import_id::bigint
from json_to_recordset(:rows::json) as r (
    source_key text, reference text, text_ar text, matn_start integer, content_hash text, book text, chapter text
)
left join isnad.books as b on b.collection_id = :collection_id::bigint and b.number = r.book
left join isnad.chapters as c on c.book_id = b.book_id and c.number = r.chapter
on conflict (source_key) do update
set book_id = excluded.book_id, chapter_id = excluded.chapter_id, text_ar = excluded.text_ar,
    matn_start = excluded.matn_start, content_hash = excluded.content_hash, import_id = excluded.import_id
where (h.book_id, h.chapter_id, h.content_hash, h.matn_start, h.import_id)
    is distinct from (excluded.book_id, excluded.chapter_id, excluded.content_hash, excluded.matn_start, excluded.import_id)
"""

_REFERENCES = """
insert into isnad.hadith_references as f (
    hadith_id, collection_id, numbering_scheme, number, reference, number_order, import_id
)
select h.hadith_id, :collection_id::bigint, :scheme::text, r.number, r.reference, r.number_order, :import_id::bigint
from json_to_recordset(:rows::json) as r (source_key text, number text, reference text, number_order numeric)
inner join isnad.hadiths as h on r.source_key = h.source_key
on conflict (hadith_id, numbering_scheme, number) do update
set reference = excluded.reference, number_order = excluded.number_order, import_id = excluded.import_id
where (f.reference, f.number_order, f.import_id)
    is distinct from (excluded.reference, excluded.number_order, excluded.import_id)
"""
