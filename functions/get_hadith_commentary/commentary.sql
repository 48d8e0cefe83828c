select
    h.*,
    (select json_agg(d order by d.dataset_id) from public_commentary_datasets as d) as searched,
    (
        select count(distinct passage_id) from commentary_hadith_passages
        where hadith_id = h.hadith_id
    ) as passages_in_any_language,
    p.passage_id,
    p.passage_kind,
    p.part,
    p.source_text,
    p.locator as passage_locator,
    p.content_hash as passage_hash,
    p.alignment_status,
    p.alignment_confidence,
    p.note,
    p.translation_language,
    p.translation_text,
    p.translation_status,
    p.translator,
    p.edition_id,
    p.edition_title,
    p.url as passage_url,
    p.rights as passage_rights,
    p.source_id as passage_source_id,
    p.source_title as passage_source_title,
    p.author as passage_author,
    p.source_type as passage_source_type,
    p.dataset_id as passage_dataset_id,
    p.import_id as passage_import_id,
    p.dataset_licence as passage_dataset_licence
from public_hadiths as h
left join lateral (
    select * from (
        select distinct on (passage_id) *
        from commentary_hadith_passages
        where
            hadith_id = h.hadith_id
            and (:language::text is null or :language::text = language or :language::text = translation_language)
        order by passage_id, translation_language is distinct from coalesce(:language::text, 'fr'), translation_language
    ) as readable
    order by
        array_position(array['contained', 'by_printed_number'], alignment_status) nulls last, edition_id, passage_id
    limit :wanted::integer
) as p on true
where h.hadith_id = :hadith_id::bigint
order by
    array_position(array['contained', 'by_printed_number'], p.alignment_status) nulls last, p.edition_id, p.passage_id
