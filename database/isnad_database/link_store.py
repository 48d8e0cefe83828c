"""Links the nodes of all stored chains to the loaded narrators, anew: after every import the answer may be another."""

from collections import Counter, defaultdict
from itertools import groupby
from operator import itemgetter

from pg8000.native import Connection
from tqdm import tqdm

from isnad_database.linker import KnownNarrator, Linker, Transmission
from isnad_database.narrator_store import mark_distinctive
from isnad_database.write import write_rows

STATUSES = ("confirmed", "probable", "ambiguous", "unresolved")


def recompute_links(connection: Connection) -> Counter[str]:
    """Link every node that a reader took out of a text.

    Args:
        connection: an administrator's connection, in a transaction.

    Returns:
        How many nodes have which `resolution_status`.
    """
    mark_distinctive(connection)
    linker = Linker(_narrators(connection), _transmissions(connection))
    nodes = connection.run(
        """
        select
            n.chain_id, n.position, n.node_id, n.mention_ar,
            left(n.mention_ar, coalesce(n.aside_start - n.span_start, 10000)) as name
        from isnad.chain_nodes as n
        inner join isnad.chains as c on n.chain_id = c.chain_id
        inner join isnad.active_imports as i on c.import_id = i.import_id
        order by n.chain_id, n.position, n.span_start, n.node_id
        """
    )
    rows, counts = [], Counter[str]()
    for _, chain in groupby(tqdm(nodes, desc="links", unit=" nodes"), key=itemgetter(0)):
        groups = [list(group) for _, group in groupby(chain, key=itemgetter(1))]
        links = linker.link_groups([[linker.borne(node[3], node[4]) for node in group] for group in groups])
        for group, linked in zip(groups, links, strict=True):
            for node, link in zip(group, linked, strict=True):
                counts[link.status] += 1
                rows.append(
                    {
                        "node_id": node[2],
                        "narrator_id": link.narrator_id,
                        "status": link.status,
                        "candidates": link.candidate_count,
                        "rule": link.rule,
                    }
                )
    write_rows(connection, _UPDATE, rows, "storing links")
    return counts


def link_lines(counts: Counter[str]) -> list[str]:
    """The counts of `recompute_links` as a line of a report, with the share of each status."""
    total = counts.total() or 1
    shares = (f"{counts[status]} {status} ({counts[status] / total:.1%})" for status in STATUSES)
    return [f"links: {', '.join(shares)}"]


def _narrators(connection: Connection) -> list[KnownNarrator]:
    forms: dict[int, list[str]] = defaultdict(list)
    for narrator_id, form in connection.run(
        """
        select f.narrator_id, f.form from isnad.narrator_forms as f
        inner join isnad.active_imports as i on f.import_id = i.import_id
        where f.script = 'arabic' order by f.form_id
        """
    ):
        forms[narrator_id].append(form)
    return [
        KnownNarrator(narrator_id, name, tuple(forms[narrator_id]), generation)
        for narrator_id, name, generation in connection.run(
            """
            select n.narrator_id, n.name_ar, n.generation_number from isnad.narrators as n
            inner join isnad.active_imports as i on n.import_id = i.import_id
            where n.name_ar is not null order by n.narrator_id
            """
        )
    ]


def _transmissions(connection: Connection) -> list[Transmission]:
    return [
        Transmission(teacher, student, certain=status == "attested")
        for teacher, student, status in connection.run(
            """
            select r.teacher_id, r.student_id, r.recorded_status from isnad.relations as r
            inner join isnad.active_imports as i on r.import_id = i.import_id order by r.relation_id
            """
        )
    ]


_UPDATE = """
update isnad.chain_nodes as n
set narrator_id = r.narrator_id, resolution_status = r.status, candidate_count = r.candidates, rule = r.rule
from json_to_recordset(:rows::json) as r (
    node_id bigint, narrator_id bigint, status text, candidates integer, rule text
)
where n.node_id = r.node_id
    and (n.narrator_id, n.resolution_status, n.candidate_count, n.rule)
    is distinct from (r.narrator_id, r.status, r.candidates, r.rule)
"""
