select
    h.*,
    (
        select
            json_agg(
                json_build_object('reference', r.reference, 'numbering_scheme', r.numbering_scheme)
                order by r.numbering_scheme, r.number_order, r.number
            )
        from public_hadith_references as r
        where r.hadith_id = h.hadith_id and r.reference <> h.canonical_reference
    ) as other_references,
    exists(select from public_hadiths_with_remark as m where m.hadith_id = h.hadith_id) as holds_remark,
    t.language as translation_language,
    t.text as translation_text,
    t.translator,
    t.origin,
    t.locator as translation_locator,
    t.source_id as translation_source_id,
    t.source_title as translation_source_title,
    t.rights as translation_rights,
    t.url as translation_url,
    t.dataset_id as translation_dataset_id,
    t.import_id as translation_import_id,
    t.dataset_title as translation_dataset_title
from public_hadiths as h
left join lateral (
    select * from public_hadith_translations
    where hadith_id = h.hadith_id and language = 'fr'
    order by (origin = 'machine'), source_id limit 1
) as t on true
where h.hadith_id = :hadith_id
