"""Reads the chains of many texts and stores them, with a report of what the reader did not understand."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pg8000.native import Connection
from tqdm import tqdm

from isnad_database.chain_reader import READER_NAME, READER_VERSION, Chain, Reading, read
from isnad_database.write import write_rows


@dataclass
class ChainReport:
    """What came out of reading the chains of many texts.

    Attributes:
        texts: how many texts were read.
        chains: how many chains they name.
        understood: how many of them were understood word for word, and so are facts.
        nodes: how many narrators' mentions they hold.
        without: texts without a chain, by reason.
        doubts: stretches that were not understood, by reason.
    """

    texts: int = 0
    chains: int = 0
    understood: int = 0
    nodes: int = 0
    without: Counter[str] = field(default_factory=Counter)
    doubts: Counter[str] = field(default_factory=Counter)

    def add(self, reading: Reading) -> None:
        """Count one text."""
        self.texts += 1
        self.chains += len(reading.chains)
        self.understood += sum(chain.understood for chain in reading.chains)
        self.nodes += sum(len(chain.nodes) for chain in reading.chains)
        self.doubts.update(doubt.reason for doubt in reading.doubts)
        if reading.reason is not None:
            self.without[reading.reason] += 1

    def lines(self) -> list[str]:
        """The report as lines of text, the most frequent reason first."""
        said = [f"chains: {self.chains} in {self.texts} texts, {self.understood} understood, {self.nodes} mentions"]
        said += [f"  no chain, {reason}: {count}" for reason, count in self.without.most_common()]
        said += [f"  not understood, {reason}: {count}" for reason, count in self.doubts.most_common()]
        return said


def read_chains(texts: Iterable[tuple[str, str]], total: int) -> tuple[dict[str, Reading], ChainReport]:
    """Read the chains of texts.

    Args:
        texts: a key and an Arabic text each.
        total: how many there are, for the progress bar.

    Returns:
        The reading of each text by its key, and the report.
    """
    readings, report = {}, ChainReport()
    for key, text in tqdm(texts, total=total, desc="chains", unit=" texts"):
        readings[key] = read(text)
        report.add(readings[key])
    return readings, report


def store_chains(connection: Connection, readings: dict[str, Reading], import_id: int) -> None:
    """Store readings; a chain and a node that were there before keep their ids.

    Args:
        connection: an administrator's connection, in a transaction.
        readings: by the hadith's source key; the hadiths are stored already.
        import_id: the import that the texts came with.
    """
    chains = [
        {
            "source_key": key,
            "chain_number": number,
            "completeness": chain.completeness,
            "understood": chain.understood,
            "met_number": chain.meets.chain + 1 if chain.meets is not None else None,
            "met_position": chain.meets.position if chain.meets is not None else None,
        }
        for key, reading in readings.items()
        for number, chain in enumerate(reading.chains, start=1)
    ]
    nodes = [
        node
        for key, reading in readings.items()
        for number, chain in enumerate(reading.chains, start=1)
        for node in _nodes(key, number, chain)
    ]
    gaps = [{"source_key": key, "reason": reading.reason} for key, reading in readings.items() if reading.reason]
    connection.run(_STAGE)
    write_rows(
        connection, _UPSERT_CHAINS, chains, "chains", import_id=import_id, reader=READER_NAME, version=READER_VERSION
    )
    write_rows(connection, _STAGE_NODES, nodes, "mentions")
    connection.run(_UPSERT_NODES)
    connection.run(_FORGET_NODES)
    connection.run(_FORGET_CHAINS, import_id=import_id)
    connection.run(_FORGET_GAPS, import_id=import_id)
    write_rows(connection, _INSERT_GAPS, gaps, "texts without a chain", import_id=import_id)


def _nodes(key: str, number: int, chain: Chain) -> list[dict[str, Any]]:
    return [
        {
            "source_key": key,
            "chain_number": number,
            "position": node.position,
            "mention_ar": node.mention,
            "transmission_term_ar": node.term,
            "span_start": node.start,
            "span_end": node.end,
            "aside_start": node.aside_start,
        }
        for node in chain.nodes
    ]


_STAGE = """
create temporary table staged_nodes (
    chain_id bigint, position integer, mention_ar text, transmission_term_ar text, span_start integer,
    span_end integer, aside_start integer
) on commit drop
"""

_UPSERT_CHAINS = """
insert into isnad.chains (
    hadith_id, chain_number, completeness, understood, met_number, met_position, reader, reader_version, import_id
)
select
    h.hadith_id, r.chain_number, r.completeness, r.understood, r.met_number, r.met_position, :reader::text,
    :version::text, :import_id::bigint
from json_to_recordset(:rows::json) as r (
    source_key text, chain_number integer, completeness text, understood boolean, met_number integer,
    met_position integer
)
inner join isnad.hadiths as h on r.source_key = h.source_key
on conflict (hadith_id, chain_number) do update
set completeness = excluded.completeness, understood = excluded.understood, met_number = excluded.met_number,
    met_position = excluded.met_position, reader = excluded.reader, reader_version = excluded.reader_version,
    import_id = excluded.import_id
"""

_STAGE_NODES = """
insert into staged_nodes
select
    c.chain_id, r.position, r.mention_ar, r.transmission_term_ar, r.span_start, r.span_end, r.aside_start
from json_to_recordset(:rows::json) as r (
    source_key text, chain_number integer, position integer, mention_ar text, transmission_term_ar text,
    span_start integer, span_end integer, aside_start integer
)
inner join isnad.hadiths as h on r.source_key = h.source_key
inner join isnad.chains as c on h.hadith_id = c.hadith_id and r.chain_number = c.chain_number
"""

_UPSERT_NODES = """
insert into isnad.chain_nodes as n (
    chain_id, position, mention_ar, transmission_term_ar, span_start, span_end, aside_start
)
select * from staged_nodes
on conflict on constraint chain_nodes_key do update
set mention_ar = excluded.mention_ar, transmission_term_ar = excluded.transmission_term_ar,
    span_end = excluded.span_end, aside_start = excluded.aside_start
where (n.mention_ar, n.transmission_term_ar, n.span_end, n.aside_start)
    is distinct from (excluded.mention_ar, excluded.transmission_term_ar, excluded.span_end, excluded.aside_start)
"""

_FORGET_NODES = """
delete from isnad.chain_nodes as n
where n.chain_id in (select chain_id from staged_nodes) and not exists (
    select from staged_nodes as s
    where s.chain_id = n.chain_id and s.position = n.position and s.span_start is not distinct from n.span_start
)
"""

_FORGET_CHAINS = """
delete from isnad.chains as c
where c.import_id in (
    select i.import_id from isnad.imports as i
    where i.dataset_id = (select dataset_id from isnad.imports where import_id = :import_id)
) and c.chain_id not in (select chain_id from staged_nodes)
"""

_FORGET_GAPS = """
delete from isnad.chainless_hadiths as g
where g.import_id in (
    select i.import_id from isnad.imports as i
    where i.dataset_id = (select dataset_id from isnad.imports where import_id = :import_id)
)
"""

_INSERT_GAPS = """
insert into isnad.chainless_hadiths (hadith_id, reason, import_id)
select h.hadith_id, r.reason, :import_id::bigint
from json_to_recordset(:rows::json) as r (source_key text, reason text)
inner join isnad.hadiths as h on r.source_key = h.source_key
"""
