select
    h.hadith_id,
    h.canonical_reference,
    h.source_key,
    h.source_id,
    h.source_title,
    h.source_type,
    h.author,
    h.rights,
    h.content_hash,
    h.book_number,
    h.chapter_number,
    h.dataset_id,
    h.import_id,
    h.dataset_key,
    h.dataset_title,
    h.dataset_version,
    h.dataset_licence,
    h.dataset_url,
    g.reason,
    c.chain_id,
    c.chain_number,
    c.completeness,
    c.understood,
    c.reader,
    c.reader_version,
    c.met_number,
    c.met_position,
    (
        select json_agg(n order by n.position, n.span_start, n.node_id) from public_chain_nodes as n
        where n.chain_id = c.chain_id
    ) as nodes
from public_hadiths as h
left join public_chainless_hadiths as g on h.hadith_id = g.hadith_id
left join lateral (
    select * from public_chains
    where hadith_id = h.hadith_id
    order by chain_number
    limit :wanted::integer
) as c on true
where h.hadith_id = :hadith_id
order by c.chain_number
