select
    row_to_json(r) as narrator,
    coalesce(c.occurrences, 0) as occurrence_count,
    coalesce(c.hadiths, 0) as distinct_hadith_count,
    (select json_agg(s) from public_chain_datasets as s) as searched,
    o.*
from public_narrators as r
left join public_narrator_occurrence_counts as c on r.narrator_id = c.narrator_id
left join
    public_narrator_occurrences as o
    on r.narrator_id = o.narrator_id and o.ordinal > :skipped::integer and o.ordinal <= :last::integer
where r.narrator_id = :narrator_id
order by o.ordinal
