-- One row at least: what the query was read as. Beside it the hits, the best first, one more than asked for.
with reading as materialized (
    select
        r.number,
        r.name_key,
        r.rest,
        c.collection_id,
        c.code as named_code,
        c.name_latin as named_collection,
        (:collection_id::bigint is null or :collection_id::bigint = c.collection_id) as is_in_scope
    from (select 1) as always
    left join isnad_reference(:query::text) as r on true
    left join public_collection_names as n on r.name_key = n.name_folded
    left join public_collections as c on n.collection_id = c.collection_id
),

referenced as materialized (
    select
        f.hadith_id,
        'reference' as match_method,
        1.0::double precision as score,
        row_number() over (order by f.number <> g.number, f.number_order, f.number, f.hadith_id) as place
    from reading as g
    inner join public_hadith_references as f
        on g.collection_id = f.collection_id and f.keys @> array[g.number] and g.is_in_scope
    order by place
    limit :wanted::integer
),

found as materialized (
    select
        s.hadith_id,
        -- words beside a reference are a part of the query, and a part is never called exact
        case when g.collection_id is not null and s.match_method = 'exact' then 'fulltext' else s.match_method end
            as match_method,
        s.score,
        row_number() over () as place
    from reading as g
    cross join
        lateral search_hadith_texts(
            case when g.collection_id is null then :query::text else g.rest end,
            coalesce(:collection_id::bigint, g.collection_id),
            :wanted::integer
        ) as s
    where g.collection_id is null or (g.rest is not null and g.is_in_scope)
)

select
    g.number as asked_number,
    g.name_key as asked_name,
    g.collection_id as asked_collection_id,
    g.named_collection,
    g.is_in_scope,
    (
        select json_agg(d order by d.dataset_id) from (
            select
                d.dataset_id,
                d.dataset_key,
                d.title as dataset_title,
                d.version as dataset_version,
                d.licence as dataset_licence,
                d.url as dataset_url
            from public_datasets as d
            where exists (
                select from public_collections as c
                where
                    c.dataset_id = d.dataset_id
                    and (:collection_id::bigint is null or c.collection_id = :collection_id::bigint)
            )
        ) as d
    ) as searched,
    (
        select f.reference from public_hadith_references as f
        where f.collection_id = g.collection_id and f.canonical
        order by f.number_order desc nulls last limit 1
    ) as last_reference,
    hit.match_method,
    hit.score,
    t.text as text_fr,
    h.*
from reading as g
left join (
    select
        0 as part,
        *
    from referenced
    union all
    select
        1 as part,
        f.*
    from found as f
    where not exists (
        select from referenced as r
        where r.hadith_id = f.hadith_id
    )
) as hit on true
left join public_hadiths as h on hit.hadith_id = h.hadith_id
left join lateral (
    select text from public_hadith_translations
    where hadith_id = h.hadith_id and language = 'fr' and origin <> 'machine'
    order by source_id limit 1
) as t on true
order by hit.part, hit.place
limit :wanted::integer
