-- What the two hadith tools read, each in one function: its plans are kept by the server, whichever client a pooler gives
-- the connection to, and one JSON value is cheaper to hand over than fifty columns.

create function public.read_hadith(wanted bigint)
returns json
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set enable_hashjoin = off -- one row of small tables: steps in indexes, no table read whole to be hashed
set enable_seqscan = off
as $$
begin
    return (
        select row_to_json(entry) from (
            select
                h.*,
                (
                    select
                        json_agg(
                            json_build_object('reference', r.reference, 'numbering_scheme', r.numbering_scheme)
                            order by r.numbering_scheme, r.number_order, r.number
                        )
                    from public.public_hadith_references as r
                    where r.hadith_id = h.hadith_id and r.reference <> h.canonical_reference
                ) as other_references,
                exists(select from public.public_hadiths_with_remark as m where m.hadith_id = h.hadith_id) as holds_remark,
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
            from public.public_hadiths as h
            left join lateral (
                select * from public.public_hadith_translations
                where hadith_id = h.hadith_id and language = 'fr'
                order by (origin = 'machine'), source_id limit 1
            ) as t on true
            where h.hadith_id = wanted
        ) as entry
    );
end
$$;
comment on function public.read_hadith(bigint) is
'A hadith with its references and its best French text, as one JSON object; null where no hadith has the id.';

-- `hits` as `find_hadiths` gives them, one at least, each with its record and its French text; `searched`: the collections
-- in scope with their data sets; `french`: how much of them has French, where French was searched.
create function public.read_search(query text, in_collection bigint, wanted integer, query_language text)
returns json
language plpgsql
stable
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
    hits json;
    searched json;
begin
    hits := (
        select json_agg(entry order by entry.place) from (
            select
                hit.*,
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
            from public.find_hadiths(query, in_collection, wanted, query_language) with ordinality as hit (
                asked_number, asked_collection_id, asked_collection, asked_in_scope, last_reference, hadith_id, match_method, score, place
            )
            left join lateral (
                select * from public.public_hadiths
                where hadith_id = hit.hadith_id offset 0
            ) as h on true
            left join lateral (
                select * from public.public_hadith_translations
                where hadith_id = hit.hadith_id and language = 'fr' and origin <> 'machine'
                order by source_id limit 1
            ) as t on true
        ) as entry
    );
    searched := (
        select json_agg(c order by c.collection_id) from public.public_collections as c
        where coalesce(c.collection_id = in_collection, true)
    );
    return json_build_object(
        'hits', hits, 'searched', searched, 'french',
        case
            when query_language <> 'ar' and coalesce(hits -> 0 ->> 'match_method', '') <> 'reference'
                then public.french_scope(in_collection)
        end
    );
end
$$;
comment on function public.read_search(text, bigint, integer, text) is
'Hits for a reference or for words with their records, and what was searched, as one JSON object.';
