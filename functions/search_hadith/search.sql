select
    hit.*,
    (
        select json_agg(c order by c.collection_id) from public_collections as c
        where coalesce(c.collection_id = :collection_id::bigint, true)
    ) as searched,
    t.text as text_fr,
    h.*
from find_hadiths(:query::text, :collection_id::bigint, :wanted::integer) as hit
left join lateral (
    select * from public_hadiths
    where hadith_id = hit.hadith_id offset 0
) as h on true
left join lateral (
    select text from public_hadith_translations
    where hadith_id = hit.hadith_id and language = 'fr' and origin <> 'machine'
    order by source_id limit 1
) as t on true
