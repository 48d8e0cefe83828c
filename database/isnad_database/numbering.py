"""Joins an import to the corpus: by the same text after folding, never by equal numbers.

Data sets count the same collection differently, so that an equal number proves nothing. Each join is written down with its
evidence; what cannot be joined is reported.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

from pg8000.native import Connection

from isnad_database.importers.report import Report

EXACT: Final = "same text after folding"
NUMBER_AMONG_EQUALS: Final = "same text after folding; the number tells apart records whose texts are equal"
CONTAINED: Final = "the folded text is a part of this record alone"
CONTAINED_LETTERS: Final = 40  # of a folded text at the least, before it identifies a record that holds more than it


@dataclass(frozen=True, slots=True)
class Numbered:
    """A text of an import with the number that it bears there."""

    number: str
    text: str


@dataclass(frozen=True, slots=True)
class Join:
    """A number of an import and the hadith that has its text."""

    number: str
    hadith_id: int
    evidence: str


def join_by_text(
    connection: Connection, collection_id: int | None, texts: Sequence[Numbered], report: Report
) -> list[Join | None]:
    """Find the hadith of each text.

    Args:
        connection: an administrator's connection.
        collection_id: the collection to look in; None for all.
        texts: Arabic texts with their numbers.
        report: where each number is told that could not be joined, and why.

    Returns:
        The join of each text, in their order; None where there is none.
    """
    joins: list[Join | None] = [None] * len(texts)
    rows = [{"place": place, "number": each.number, "text": each.text} for place, each in enumerate(texts)]
    for place, candidates, exact, by_number in connection.run(
        _MATCHES, rows=json.dumps(rows, ensure_ascii=False), collection_id=collection_id, letters=CONTAINED_LETTERS
    ):
        number = texts[place].number
        where = f"number {number}"
        if not candidates:
            report.skip("not_joined", where, "no loaded hadith has this text")
        elif len(candidates) == 1:
            joins[place] = Join(number, candidates[0], EXACT if exact else CONTAINED)
        elif exact and by_number is not None:
            joins[place] = Join(number, by_number, NUMBER_AMONG_EQUALS)
        else:
            report.skip("ambiguous_text", where, f"{len(candidates)} loaded hadiths have this text")
    return joins


def known_numbers(connection: Connection, collection_id: int, scheme: str) -> dict[str, list[Join]]:
    """The hadiths of a collection by their numbers in one scheme: references of the data itself, and written joins.

    Returns:
        The joins by number; empty where the scheme is not known for the collection.
    """
    joins: dict[str, list[Join]] = {}
    for number, hadith_id, evidence in connection.run(
        """
        select distinct on (number, hadith_id) number, hadith_id, evidence
        from (
            select r.number, r.hadith_id, 'the number in its own data set' as evidence
            from isnad.hadith_references as r
            where r.collection_id = :collection_id and r.numbering_scheme = :scheme
            union all
            select j.number, j.hadith_id, j.evidence from isnad.numbering_joins as j
            inner join isnad.active_imports as i on j.import_id = i.import_id
            where j.collection_id = :collection_id and j.numbering_scheme = :scheme
        ) as known
        order by number, hadith_id, evidence
        """,
        collection_id=collection_id,
        scheme=scheme,
    ):
        joins.setdefault(number, []).append(Join(number, hadith_id, evidence))
    return joins


def store_joins(
    connection: Connection, collection_id: int, scheme: str, joins: Sequence[Join | None], import_id: int
) -> int:
    """Write the joins of an import down, in place of those that it or an earlier version of its file had.

    Returns:
        How many there are.
    """
    found = [join for join in joins if join is not None]
    connection.run(
        """
        delete from isnad.numbering_joins as j using isnad.imports as i, isnad.imports as now
        where now.import_id = :import_id and j.import_id = i.import_id
            and (i.dataset_id, i.file_name) = (now.dataset_id, now.file_name)
        """,
        import_id=import_id,
    )
    connection.run(
        """
        insert into isnad.numbering_joins (collection_id, numbering_scheme, number, hadith_id, evidence, import_id)
        select :collection_id, :scheme, r.number, r.hadith_id, r.evidence, :import_id
        from json_to_recordset(:rows::json) as r (number text, hadith_id bigint, evidence text)
        on conflict do nothing
        """,
        collection_id=collection_id,
        scheme=scheme,
        import_id=import_id,
        rows=json.dumps([asdict(join) for join in found]),
    )
    return len(found)


# The words of isnad.hadith_search are the folded words of each text, with a blank before, between and after them.
_MATCHES = """
with given as materialized (
    select r.place, r.number, isnad.search_words(public.isnad_fold(r.text)) as words
    from json_to_recordset(:rows::json) as r (place integer, number text, text text)
),
same as materialized (
    select g.place, array_agg(s.hadith_id order by s.hadith_id) as hadiths,
        min(s.hadith_id) filter (
            where exists (
                select from isnad.hadith_references as f
                inner join isnad.hadiths as h on f.hadith_id = h.hadith_id and f.numbering_scheme = h.numbering_scheme
                where f.hadith_id = s.hadith_id and f.number = g.number
            )
        ) as by_number
    from given as g inner join isnad.hadith_search as s on md5(s.words) = md5(g.words)
    where coalesce(s.collection_id = :collection_id::bigint, true)
    group by g.place
),
parts as (
    select g.place, array_agg(s.hadith_id order by s.hadith_id) as hadiths
    from given as g
    inner join isnad.hadith_search as s on
        s.lexemes @@ (
            select string_agg(word, '&')::tsquery
            from (
                select word from string_to_table(btrim(g.words), ' ') as word
                where length(word) between 5 and 40 order by length(word) desc, word limit 6
            ) as longest
        )
        and strpos(s.words, g.words) > 0
    where g.place not in (select place from same) and length(g.words) >= :letters::integer
        and coalesce(s.collection_id = :collection_id::bigint, true)
    group by g.place
)
select g.place, coalesce(same.hadiths, parts.hadiths), same.hadiths is not null, same.by_number
from given as g
left join same on same.place = g.place
left join parts on parts.place = g.place
order by g.place
"""
