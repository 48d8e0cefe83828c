"""Stores texts of hadiths: editions of hadith-api in any language, and chapters of the LK Hadith Corpus."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from pg8000.native import Connection

from isnad_database.collections_store import Division, NewHadith, collection_of, create_collection, store_hadiths
from isnad_database.connect import UsageError
from isnad_database.datasets import Dataset, register_import, register_source
from isnad_database.importers import hadith_api, lk
from isnad_database.importers.hadith_api import EditionFile
from isnad_database.importers.report import Report, WrongFileError
from isnad_database.importing import Options, Outcome, reading
from isnad_database.numbering import Join, Numbered, join_by_text, known_numbers, store_joins
from isnad_database.translation_store import NewTranslation, store_translations

_HADITH_API: Final = "https://github.com/fawazahmed0/hadith-api"
_LK: Final = "https://github.com/ShathaTm/LK-Hadith-Corpus"


def import_hadith_api(connection: Connection, paths: Sequence[Path], options: Options, outcome: Outcome) -> None:
    """Import edition files. The Arabic ones go first: they are the texts by which a translation's numbers are joined."""
    dataset = Dataset(
        key="hadith-api",
        title="hadith-api editions",
        version=options.version,
        licence="compilation: Unlicense; rights in the translations: not stated",
        url=_HADITH_API,
    )
    editions = [(path, _read(path, outcome.report)) for path in paths]
    if options.version is None:
        outcome.report.note("no_version", "hadith-api", "the files name no version: give it with --version")
    for path, edition in sorted(editions, key=lambda each: each[1].language != "ar"):
        if edition.language == "ar":
            _store_arabic(connection, path, edition, dataset, outcome)
        else:
            _store_translation(connection, path, edition, dataset, options, outcome)


def _read(path: Path, report: Report) -> EditionFile:
    try:
        return hadith_api.read_edition(path, report)
    except WrongFileError as error:
        raise reading(path, error) from None


def _store_arabic(connection: Connection, path: Path, edition: EditionFile, dataset: Dataset, outcome: Outcome) -> None:
    import_id = register_import(connection, dataset, path, "hadith-api", len(edition.texts))
    collection = collection_of(connection, edition.collection)
    if collection is not None and collection.dataset_key != dataset.key:
        texts = [Numbered(each.number, each.text) for each in edition.texts]
        joins = join_by_text(connection, collection.collection_id, texts, outcome.report)
        outcome.add(
            "numbers joined", store_joins(connection, collection.collection_id, hadith_api.SCHEME, joins, import_id)
        )
        return
    collection_id = create_collection(connection, edition.collection, edition.name, import_id)
    hadiths = [
        NewHadith(
            number=each.number,
            text=each.text,
            book=None if each.book is None else Division(each.book, None),
        )
        for each in edition.texts
    ]
    outcome.add(
        "hadiths", store_hadiths(connection, collection_id, hadith_api.SCHEME, hadiths, import_id, outcome.report)
    )


def _store_translation(
    connection: Connection, path: Path, edition: EditionFile, dataset: Dataset, options: Options, outcome: Outcome
) -> None:
    collection = collection_of(connection, edition.collection)
    beside = path.with_name("ara" + path.name[3:])
    known = {} if collection is None else known_numbers(connection, collection.collection_id, hadith_api.SCHEME)
    if not known and beside.is_file():
        _store_arabic(connection, beside, _read(beside, outcome.report), dataset, outcome)
        collection = collection_of(connection, edition.collection)
        known = {} if collection is None else known_numbers(connection, collection.collection_id, hadith_api.SCHEME)
    if not known:
        raise UsageError(
            f"{path.name}: its numbers cannot be joined to the loaded hadiths without their Arabic text: "
            f"give the Arabic edition {beside.name} too"
        )
    import_id = register_import(connection, dataset, path, "hadith-api", len(edition.texts))
    source_id = register_source(
        connection,
        f"hadith-api/{edition.language}-{edition.collection}",
        f"{edition.name}, hadith-api edition {path.name[: path.name.index('-')]}-{edition.collection}",
        None,
        "dataset",
        "compilation: Unlicense; rights in the translation: not stated",
        _HADITH_API,
    )
    texts = list(_translations(edition, known, options, outcome.report))
    outcome.add(f"translations ({edition.language})", store_translations(connection, texts, source_id, import_id))


def _translations(
    edition: EditionFile, known: dict[str, list[Join]], options: Options, report: Report
) -> Iterator[NewTranslation]:
    given: set[int] = set()
    for each in edition.texts:
        joins = known.get(each.number, [])
        if not joins:
            report.skip(
                "not_joined", f"number {each.number}", f"no loaded hadith has the number in {hadith_api.SCHEME}"
            )
        elif len(joins) > 1:
            report.skip("ambiguous_number", f"number {each.number}", f"{len(joins)} loaded hadiths have it")
        elif joins[0].hadith_id in given:
            report.skip("second_text", f"number {each.number}", "its hadith has a text of this file already")
        else:
            given.add(joins[0].hadith_id)
            yield NewTranslation(
                hadith_id=joins[0].hadith_id,
                language=edition.language,
                text=each.text,
                translator=options.translator,
                origin=options.origin,
                locator=f"hadithnumber {each.number}, joined by: {joins[0].evidence}",
            )


def import_lk(connection: Connection, paths: Sequence[Path], options: Options, outcome: Outcome) -> None:
    """Import chapters of the LK corpus; the folder that holds them names the collection (Bukhari, Muslim, ...)."""
    dataset = Dataset("lk-hadith-corpus", "Leeds and King Saud University Hadith Corpus", options.version, None, _LK)
    for path in paths:
        try:
            rows = lk.read_chapter(path, outcome.report)
        except WrongFileError as error:
            raise reading(path, error) from None
        _store_chapter(connection, path, rows, dataset, options, outcome)


def _store_chapter(
    connection: Connection, path: Path, rows: list[lk.LkHadith], dataset: Dataset, options: Options, outcome: Outcome
) -> None:
    code = (options.collection or path.resolve().parent.name).casefold()
    import_id = register_import(connection, dataset, path, "lk", len(rows), file_name=f"{code}/{path.name}")
    collection = collection_of(connection, code)
    is_new = collection is None or collection.dataset_key == dataset.key
    if is_new:
        collection_id = create_collection(connection, code, f"{code} (LK Hadith Corpus)", import_id)
        hadiths = [_new_hadith(row) for row in rows]
        outcome.add("hadiths", store_hadiths(connection, collection_id, lk.SCHEME, hadiths, import_id, outcome.report))
    else:
        assert collection is not None
        collection_id = collection.collection_id
    joins = join_by_text(connection, collection_id, [Numbered(row.number, row.text_ar) for row in rows], outcome.report)
    if not is_new:
        outcome.add("numbers joined", store_joins(connection, collection_id, lk.SCHEME, joins, import_id))
        outcome.add("chapters", _store_chapters(connection, rows, joins, import_id, outcome.report))
    source_id = register_source(
        connection, "lk-hadith-corpus/en", f"{dataset.title}, English", None, "dataset", None, _LK
    )
    english: dict[int, NewTranslation] = {}
    for row, join in zip(rows, joins, strict=True):
        if join is not None and row.text_en is not None:
            english.setdefault(
                join.hadith_id,
                NewTranslation(
                    join.hadith_id, "en", row.text_en, options.translator, options.origin,
                    f"Hadith_number {row.number}, joined by: {join.evidence}",
                ),
            )  # fmt: skip
    outcome.add("translations (en)", store_translations(connection, list(english.values()), source_id, import_id))


def _new_hadith(row: lk.LkHadith) -> NewHadith:
    start = row.text_ar.find(row.matn_ar) if row.matn_ar is not None else -1
    return NewHadith(
        number=row.number,
        text=row.text_ar,
        book=None if row.book_number is None else Division(row.book_number, row.book_title_ar),
        chapter=None if row.chapter_number is None else Division(row.chapter_number, row.chapter_title_ar),
        matn_start=start if start > 0 else None,
    )


def _store_chapters(
    connection: Connection, rows: Sequence[lk.LkHadith], joins: Sequence[Join | None], import_id: int, report: Report
) -> int:
    """Give the joined hadiths the chapters that the corpus puts them in, where they have a book and no chapter yet."""
    stored = 0
    for row, join in zip(rows, joins, strict=True):
        if join is None or row.chapter_number is None:
            continue
        changed = connection.run(
            _CHAPTER,
            number=row.chapter_number,
            title=row.chapter_title_ar,
            import_id=import_id,
            hadith_id=join.hadith_id,
        )
        stored += len(changed)
        if not changed:
            report.skip("no_chapter", f"row {row.row}", "the hadith has no book, or another chapter of this number")
    return stored


_CHAPTER = """
with chapter as (
    insert into isnad.chapters as c (book_id, number, title_ar, import_id)
    select h.book_id, :number, :title, :import_id from isnad.hadiths as h
    where h.hadith_id = :hadith_id and h.book_id is not null
    on conflict (book_id, number) do update
    set title_ar = coalesce(c.title_ar, excluded.title_ar), import_id = excluded.import_id
    returning c.chapter_id, c.title_ar
)
update isnad.hadiths as h set chapter_id = chapter.chapter_id from chapter
where h.hadith_id = :hadith_id and chapter.title_ar is not distinct from :title
    and (h.chapter_id is null or h.chapter_id = chapter.chapter_id)
returning h.hadith_id
"""
