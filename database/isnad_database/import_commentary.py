"""Stores commentary: works in OpenITI mARkdown and entries of HadeethEnc."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from pg8000.native import Connection

from isnad_database.collections_store import collection_of
from isnad_database.connect import UsageError
from isnad_database.datasets import Dataset, file_sha256, register_edition, register_import, register_source
from isnad_database.importers.hadeethenc import LICENCE, PUBLISHER, Entry, read_entries
from isnad_database.importers.openiti import Edition, parts
from isnad_database.importers.openiti_commentary import Commentary, CommentaryPassage, read_commentary
from isnad_database.importers.report import Report, WrongFileError
from isnad_database.importing import Options, Outcome, reading
from isnad_database.numbering import Join, Numbered, join_by_text, known_numbers
from isnad_database.store_commentary import StoredPassage, write_passages

_OPENITI: Final = "https://github.com/OpenITI"
_HADEETHENC: Final = "https://hadeethenc.com"
_QUOTED: Final = re.compile("«([^»]+)»")
_LEAST_QUOTED: Final = 25  # characters of the longest quotation of an entry, before it can point to one hadith


def import_openiti_commentary(
    connection: Connection, paths: Sequence[Path], options: Options, outcome: Outcome
) -> None:
    """Import commentaries; the `.yml` files among the paths describe the texts beside them."""
    for path in paths:
        if path.suffix == ".yml":
            continue
        try:
            work = read_commentary(path, outcome.report)
        except WrongFileError as error:
            raise reading(path, error) from None
        _store_work(connection, path, work, options, outcome)


def _store_work(connection: Connection, path: Path, work: Commentary, options: Options, outcome: Outcome) -> None:
    edition = work.edition
    assert edition.title is not None
    dataset = Dataset(f"openiti:{edition.text_uri}", f"OpenITI {edition.text_uri}", options.version, None, _OPENITI)
    import_id = register_import(connection, dataset, path, "openiti-commentary", len(work.passages))
    source_id = register_source(
        connection, edition.text_uri, edition.title, edition.author, "commentary", None, edition.url
    )
    edition_id = register_edition(
        connection, edition.text_uri, source_id, _edition_title(edition), edition.url, file_sha256(path), None
    )
    ties = _ties(connection, work.passages, options, outcome.report)
    passages = [
        StoredPassage(
            passage_key=f"{edition.text_uri}#{passage.line}.{passage.part}",
            edition_id=edition_id,
            passage_kind="commentary",
            part=passage.part,
            source_text=passage.text,
            locator=_locator(passage),
            hadith_id=None if tie is None else tie.hadith_id,
            alignment_status=None if tie is None else "by_printed_number",
            note=None
            if tie is None
            else f"the work prints {passage.number}; as {options.scheme} numbers {options.collection}: {tie.evidence}",
        )
        for passage, tie in zip(work.passages, ties, strict=True)
    ]
    write_passages(connection, passages, import_id)
    outcome.add("passages", len(passages))
    outcome.add("passages tied to a hadith", sum(tie is not None for tie in ties))


def _edition_title(edition: Edition) -> str | None:
    """The printed edition, in the words of the file's header; None where it names none."""
    named = (edition.editor, edition.publisher, edition.place, edition.number, edition.year)
    return ", ".join(part for part in named if part) or None


def _locator(passage: CommentaryPassage) -> str:
    part = f", part {passage.part} of {passage.parts}" if passage.parts > 1 else ""
    return f"{passage.locator}{part}" + (f", {passage.heading}" if passage.heading else "")


def _ties(
    connection: Connection, passages: Sequence[CommentaryPassage], options: Options, report: Report
) -> list[Join | None]:
    """The hadith of each passage: the one that has the printed number in the scheme that the steward names, or none."""
    none: list[Join | None] = [None] * len(passages)
    if options.collection is None or options.scheme is None:
        report.note(
            "not_tied", "the whole work", "tied to no hadith: --collection and --scheme say what its numbers are"
        )
        return none
    collection = collection_of(connection, options.collection)
    if collection is None:
        raise UsageError(f"no collection {options.collection} is loaded")
    known = known_numbers(connection, collection.collection_id, options.scheme)
    if not known:
        report.note("not_tied", "the whole work", f"no number of {options.collection} is known in {options.scheme}")
        return none
    ties = []
    for passage in passages:
        joins = known.get(passage.number or "", [])
        if passage.number is not None and len(joins) != 1:
            report.note("not_tied", f"line {passage.line}", f"{len(joins)} hadiths have the number {passage.number}")
        ties.append(joins[0] if len(joins) == 1 else None)
    _prove(connection, passages, ties, options)
    return ties


def _prove(
    connection: Connection, passages: Sequence[CommentaryPassage], ties: Sequence[Join | None], options: Options
) -> None:
    """Hold the scheme against the texts: a passage shares more words with its own hadith than with that of the next number.

    Raises:
        UsageError: that is so in too few passages; the numbers are those of another count, and every tie would be false.
    """
    tied = [(passage.text, tie.hadith_id) for passage, tie in zip(passages, ties, strict=True) if tie is not None]
    if len(tied) < 2:  # noqa: PLR2004 - there is no next one
        return
    rows = [
        {"text": text, "own": own, "next": tied[(place + 1) % len(tied)][1]} for place, (text, own) in enumerate(tied)
    ]
    [[own, other]] = connection.run(_SHARED_WORDS, rows=json.dumps(rows, ensure_ascii=False))
    if own <= 2 * other:
        raise UsageError(
            f"the numbers are not those of {options.collection} in {options.scheme}: {own} passages share more words with "
            f"the hadith of their number than with the next one, and {other} share more with the next one"
        )


_SHARED_WORDS = """
with words as (
    select
        (
            select count(distinct word) from string_to_table(btrim(p.words), ' ') as word
            where length(word) > 3 and strpos(own.words, ' ' || word || ' ') > 0
                and strpos(coalesce(next.words, ''), ' ' || word || ' ') = 0
        ) as own,
        (
            select count(distinct word) from string_to_table(btrim(p.words), ' ') as word
            where length(word) > 3 and strpos(next.words, ' ' || word || ' ') > 0
                and strpos(coalesce(own.words, ''), ' ' || word || ' ') = 0
        ) as next
    from json_to_recordset(:rows::json) as r (text text, own bigint, next bigint)
    cross join lateral (select isnad.search_words(public.isnad_fold(r.text)) as words) as p
    left join isnad.hadith_search as own on own.hadith_id = r.own
    left join isnad.hadith_search as next on next.hadith_id = r.next
    where r.own <> r.next
)
select count(*) filter (where own > next), count(*) filter (where next > own) from words
"""


def import_hadeethenc(connection: Connection, paths: Sequence[Path], options: Options, outcome: Outcome) -> None:
    """Import entries of HadeethEnc: each explanation is a passage, with its translation where the file has one."""
    language = options.language
    version = options.version
    if version is None:
        outcome.report.note(
            "no_version", "hadeethenc", "the publisher asks to name the version: give it with --version"
        )
    dataset = Dataset(
        "hadeethenc", "HadeethEnc, Encyclopedia of translated prophetic hadiths", version, LICENCE, _HADEETHENC
    )
    source_id = register_source(connection, "hadeethenc", dataset.title, PUBLISHER, "commentary", LICENCE, _HADEETHENC)
    edition_id = register_edition(
        connection,
        "hadeethenc",
        source_id,
        None if version is None else f"version {version}",
        _HADEETHENC,
        None,
        LICENCE,
    )
    for path in paths:
        try:
            entries = read_entries(path, outcome.report)
        except WrongFileError as error:
            raise reading(path, error) from None
        if language is None and any(entry.explanation is not None for entry in entries):
            raise UsageError(f"{path.name}: say with --language which language its plain fields are in")
        import_id = register_import(connection, dataset, path, "hadeethenc", len(entries))
        joins = join_by_text(
            connection, None, [Numbered(entry.id, _words_of_the_hadith(entry)) for entry in entries], outcome.report
        )
        passages = [
            passage
            for entry, join in zip(entries, joins, strict=True)
            for passage in _explanation(entry, join, edition_id, options)
        ]
        write_passages(connection, passages, import_id)
        outcome.add("passages", len(passages))
        outcome.add("passages tied to a hadith", sum(passage.hadith_id is not None for passage in passages))


def _words_of_the_hadith(entry: Entry) -> str:
    """The longest quotation, for the words around it are the publisher's own; the whole text where there is none."""
    quoted = max(_QUOTED.findall(entry.hadeeth_ar), key=len, default="")
    return quoted if len(quoted) >= _LEAST_QUOTED else entry.hadeeth_ar


def _explanation(entry: Entry, join: Join | None, edition_id: int, options: Options) -> Iterator[StoredPassage]:
    arabic = parts(entry.explanation_ar)
    translated = parts(entry.explanation) if entry.explanation is not None else []
    for place in range(max(len(arabic), len(translated))):
        source = arabic[place] if place < len(arabic) else None
        translation = translated[place] if place < len(translated) else None
        yield StoredPassage(
            passage_key=f"hadeethenc/{entry.id}#{place + 1}",
            edition_id=edition_id,
            passage_kind="explanation",
            part=place + 1,
            source_text=source,
            locator=f"hadith {entry.id}" + (f", {entry.attribution_ar}" if entry.attribution_ar else ""),
            hadith_id=None if join is None else join.hadith_id,
            alignment_status=None if join is None else "by_quoted_words",
            note=None if join is None else f"the hadith that it quotes: {join.evidence}",
            translation=translation,
            translation_language=options.language if translation is not None else None,
            translator=options.translator or PUBLISHER,
        )
