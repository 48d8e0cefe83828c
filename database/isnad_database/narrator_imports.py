"""Imports of narrators: AR-Sanad and biographical works of OpenITI. Each is all or nothing, and links are made anew."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pg8000.native import Connection

from isnad_database.connect import UsageError
from isnad_database.datasets import Dataset, file_sha256, register_edition, register_import, register_source
from isnad_database.importers.ar_sanad import (
    NarratorRow,
    RecordedPair,
    read_chains,
    read_narrators,
    recorded_pairs,
)
from isnad_database.importers.openiti import Edition
from isnad_database.importers.openiti_biography import Notice, Work, read_work
from isnad_database.importers.report import WrongFileError
from isnad_database.importing import Options, Outcome
from isnad_database.link_store import recompute_links
from isnad_database.narrator_store import (
    StoredFact,
    StoredNarrator,
    StoredPair,
    store_facts,
    store_narrators,
    store_pairs,
)
from isnad_database.notice_linker import Entry, Subject, link_entries
from isnad_database.write import write_rows

AR_SANAD = Dataset(
    key="ar-sanad",
    title="AR-Sanad 280K (lite)",
    version=None,
    licence=None,
    url="https://github.com/somaia02/Narrator-Disambiguation",
)

_FACTS = {
    "grade_ibn_hajar": "grade, Ibn Hajar",
    "grade_dhahabi": "grade, al-Dhahabi",
    "known_as": "known as",
    "epithet": "epithet",
    "nisbas": "nisbas",
    "kin": "kin",
    "school": "school",
    "kunya": "kunya",
    "generation": "generation",
    "living_city": "lived in",
    "death_city": "died in",
    "journey_city": "travelled to",
}
"""The columns that are stored as facts, with the names of the fields."""


def import_ar_sanad(connection: Connection, paths: Sequence[Path], options: Options, outcome: Outcome) -> None:
    """Import AR-Sanad narrators and, where files of chains are given too, those chains.

    Args:
        connection: an administrator's connection, in a transaction.
        paths: one narrators file (`.csv`), and any number of chains files.
        options: `id_column` says which column the chains' ids are values of; it is proved, not believed.
        outcome: takes the counts and what is skipped or odd.

    Raises:
        UsageError: there is not exactly one narrators file, a file is not in the format, or the chains' ids are not
            values of that column.
    """
    narrator_files = [path for path in paths if path.suffix == ".csv"]
    if len(narrator_files) != 1:
        raise UsageError(f"ar-sanad takes one narrators file (.csv) and files of chains; {len(narrator_files)} given")
    [narrator_file] = narrator_files
    report = outcome.report
    try:
        rows = read_narrators(narrator_file, report)
        pairs = recorded_pairs(rows, report)
        chain_files = {
            path: read_chains(path, options.id_column, rows, report) for path in paths if path != narrator_file
        }
    except WrongFileError as error:
        raise UsageError(str(error)) from None
    dataset = replace(AR_SANAD, version=options.version)
    source_id = register_source(connection, dataset.key, dataset.title, None, "dataset", None, dataset.url)
    import_id = register_import(connection, dataset, narrator_file, "ar-sanad", len(rows))
    store_narrators(connection, [_narrator(row) for row in rows], import_id)
    store_facts(connection, [fact for row in rows for fact in _facts(row, source_id)], import_id)
    store_pairs(connection, [_pair(pair, source_id) for pair in pairs], import_id)
    keys = {row.id if options.id_column == "id" else row.id_in_full_list: _key(row.id) for row in rows}
    for path, chains in chain_files.items():
        chains_import = register_import(connection, dataset, path, "ar-sanad", len(chains))
        listed = [
            {
                "line": chain.line,
                "keys": [keys.get(each, f"{dataset.key}:{options.id_column}:{each}") for each in chain.ids],
            }
            for chain in chains
        ]
        write_rows(connection, _INSERT_LISTED, listed, path.name, import_id=chains_import)
        outcome.add("chains, tied to no hadith", len(chains))
    outcome.add("narrators", len(rows))
    outcome.add("recorded pairs", len(pairs))
    count_links(outcome, recompute_links(connection))


def count_links(outcome: Outcome, counts: Counter[str]) -> None:
    """Add the counts of `recompute_links` to an outcome."""
    for status, count in counts.items():
        outcome.add(f"links {status}", count)


def _key(ar_sanad_id: int) -> str:
    return f"{AR_SANAD.key}:{ar_sanad_id}"


def _narrator(row: NarratorRow) -> StoredNarrator:
    death = row.death
    return StoredNarrator(
        key=_key(row.id),
        name_ar=row.name,
        name_fr=None,
        forms=row.forms,
        generation=row.generation_number,
        grade_tier=row.grade_tier,
        region=row.living_city,
        death=None if death is None else death.exact,
        death_bounds=(None, None) if death is None else (death.earliest, death.latest),
    )


def _facts(row: NarratorRow, source_id: int) -> Iterator[StoredFact]:
    years = {"birth, AH": row.birth, "death, AH": row.death}
    worded = {label: getattr(row, column) for column, label in _FACTS.items()}
    worded |= {label: None if year is None else year.text for label, year in years.items()}
    for label, value in worded.items():
        if value:
            yield StoredFact(_key(row.id), label, value, source_id, f"id {row.id}")


def _pair(pair: RecordedPair, source_id: int) -> StoredPair:
    return StoredPair(
        _key(pair.teacher_id), _key(pair.student_id), pair.recorded_status, source_id, " and ".join(pair.recorded_in)
    )


def import_openiti_biography(connection: Connection, paths: Sequence[Path], options: Options, outcome: Outcome) -> None:
    """Import biographical works of OpenITI: an entry a notice, linked only where the evidence leaves one person.

    Args:
        connection: an administrator's connection, in a transaction.
        paths: the works' texts; a `.yml` among them is read with the text that it lies beside.
        options: `version` names the commit.
        outcome: takes the counts and what is skipped or odd.

    Raises:
        UsageError: a file is no biographical work of OpenITI.
    """
    subjects = _subjects(connection)
    for path in paths:
        if path.suffix == ".yml":
            continue
        try:
            work = read_work(path, outcome.report)
        except WrongFileError as error:
            raise UsageError(f"{path.name}: {error}") from None
        _store_work(connection, path, work, subjects, options, outcome)


def _store_work(
    connection: Connection, path: Path, work: Work, subjects: list[Subject], options: Options, outcome: Outcome
) -> None:
    """Store a work's notices, and link them anew to the loaded narrators."""
    dataset = _dataset(work.edition, options.version)
    import_id = register_import(connection, dataset, path, "openiti-biography", len(work.notices))
    edition_id = _register_edition(connection, path, work.edition)
    keyed = [(f"{work.edition.text_uri}:{notice.line}:{notice.part}", notice) for notice in work.notices]
    rows = [_entry_row(key, notice) for key, notice in keyed]
    write_rows(connection, _UPSERT_ENTRIES, rows, path.name, import_id=import_id, edition_id=edition_id)
    connection.run(_FORGET_ENTRIES, edition_id=edition_id, import_id=import_id)
    links = link_entries([Entry(key, notice.text) for key, notice in keyed if notice.part == 1], subjects)
    linked = [
        {
            "entry_key": link.entry_key,
            "narrator_id": link.narrator_id,
            "status": link.resolution_status,
            "rule": link.rule,
        }
        for link in links
    ]
    connection.run(_FORGET_ENTRY_LINKS, edition_id=edition_id)
    write_rows(connection, _INSERT_ENTRY_LINKS, linked, "notices linked")
    outcome.add("notices", len(work.notices))
    for link in links:
        outcome.add(f"notices {link.resolution_status}", 1)


def _dataset(edition: Edition, version: str | None) -> Dataset:
    """Each text is a data set of its own; OpenITI states no licence in its repositories."""
    return Dataset(
        key=f"openiti:{edition.text_uri}",
        title=f"OpenITI {edition.text_uri}",
        version=version,
        licence=None,
        url="https://github.com/OpenITI",
    )


def _register_edition(connection: Connection, path: Path, edition: Edition) -> int:
    work = edition.work_uri or edition.text_uri
    source_id = register_source(
        connection, f"openiti:{work}", edition.title or work, edition.author, "scholarly_work", None, None
    )
    printed = ", ".join(filter(None, (edition.editor, edition.publisher, edition.place, edition.year))) or None
    return register_edition(connection, edition.text_uri, source_id, printed, edition.url, file_sha256(path), None)


def _entry_row(key: str, notice: Notice) -> dict[str, str | int | None]:
    return {
        "entry_key": key,
        "part": notice.part,
        "number": None if notice.number is None else str(notice.number),
        "locator": notice.locator or None,
        "text": notice.text,
    }


def _subjects(connection: Connection) -> list[Subject]:
    """The loaded narrators with what is stated of them, as notices are compared with it."""
    rows = connection.run(
        """
        select
            n.narrator_id, n.name_ar, n.death_earliest_ah, n.death_latest_ah,
            max(f.value) filter (where f.field = 'kunya'),
            max(f.value) filter (where f.field = 'generation'),
            max(f.value) filter (where f.field in ('grade, Ibn Hajar', 'grade_ar'))
        from isnad.narrators as n
        inner join isnad.active_imports as i on n.import_id = i.import_id
        left join isnad.narrator_facts as f on n.narrator_id = f.narrator_id
        where n.name_ar is not null
        group by n.narrator_id
        order by n.narrator_id
        """
    )
    return [
        Subject(
            narrator_id=narrator_id,
            name_ar=name,
            kunya=kunya,
            generation_words=generation,
            grade_words=grade,
            death_years=range(earliest, latest + 1) if earliest is not None and latest is not None else None,
        )
        for narrator_id, name, earliest, latest, kunya, generation, grade in rows
    ]


_INSERT_LISTED = """
insert into isnad.listed_chains (line, narrator_keys, import_id)
select r.line, array(select json_array_elements_text(r.keys)), :import_id::bigint
from json_to_recordset(:rows::json) as r (line integer, keys json)
on conflict (import_id, line) do update set narrator_keys = excluded.narrator_keys
"""

_UPSERT_ENTRIES = """
insert into isnad.narrator_entries (
    entry_key, part, edition_id, number, locator, text, content_hash, import_id
)
select
    r.entry_key, r.part, :edition_id::bigint, r.number, r.locator, r.text,
    encode(sha256(convert_to(r.text, 'UTF8')), 'hex'), :import_id::bigint
from json_to_recordset(:rows::json) as r (entry_key text, part integer, number text, locator text, text text)
on conflict (entry_key) do update
set part = excluded.part, number = excluded.number, locator = excluded.locator, text = excluded.text,
    content_hash = excluded.content_hash, import_id = excluded.import_id
"""

_FORGET_ENTRIES = "delete from isnad.narrator_entries where edition_id = :edition_id and import_id <> :import_id"

_FORGET_ENTRY_LINKS = """
delete from isnad.narrator_entry_links as l
using isnad.narrator_entries as e
where l.entry_id = e.entry_id and e.edition_id = :edition_id
"""

_INSERT_ENTRY_LINKS = """
insert into isnad.narrator_entry_links (entry_id, narrator_id, resolution_status, rule)
select e.entry_id, r.narrator_id, r.status, r.rule
from json_to_recordset(:rows::json) as r (entry_key text, narrator_id bigint, status text, rule text)
inner join isnad.narrator_entries as first on r.entry_key = first.entry_key
inner join isnad.narrator_entries as e
    on first.edition_id = e.edition_id and split_part(first.entry_key, ':', 2) = split_part(e.entry_key, ':', 2)
"""
