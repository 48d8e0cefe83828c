select
    hit.*,
    (
        select json_agg(c order by c.collection_id) from public_collections as c
        where coalesce(c.collection_id = :collection_id::bigint, true)
    ) as searched,
    case
        when :query_language::text <> 'ar' and coalesce(hit.match_method, '') <> 'reference'
            then french_scope(:collection_id::bigint)
    end as french,
    t.text as translation_text,
    t.language as translation_language,
    t.translator,
    t.origin,
    t.locator as translation_locator,
    t.source_id as translation_source_id,
    t.source_title as translation_source_title,
    t.rights as translation_rights,
    t.url as translation_url,
    t.dataset_id as translation_dataset_id,
    t.import_id as translation_import_id,
    h.*
from find_hadiths(:query::text, :collection_id::bigint, :wanted::integer, :query_language::text) as hit
left join lateral (
    select * from public_hadiths
    where hadith_id = hit.hadith_id offset 0
) as h on true
left join lateral (
    select * from public_hadith_translations
    where hadith_id = hit.hadith_id and language = 'fr' and origin <> 'machine'
    order by source_id limit 1
) as t on true
