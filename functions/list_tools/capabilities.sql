select
    (select count(*) from public_hadiths) as hadiths,
    (
        select count(distinct t.hadith_id) from public_hadith_translations as t
        where t.language = 'fr' and t.origin <> 'machine'
    ) as hadiths_in_french,
    (select count(distinct p.hadith_id) from commentary_hadith_passages as p) as hadiths_with_commentary,
    (select count(*) from public_narrators) as narrators,
    (
        select count(*) from public_narrators as n
        where n.name_fr is not null or exists (
            select from public_narrator_forms as f
            where f.narrator_id = n.narrator_id and f.script = 'latin'
        )
    ) as narrators_in_latin,
    (
        select count(distinct e.narrator_id) from public_narrator_entries as e
        where e.resolution_status = 'LINKED'
    ) as narrators_with_notice,
    (select count(*) from public_chain_nodes) as chain_nodes,
    (select coalesce(sum(c.occurrences), 0) from public_narrator_occurrence_counts as c)::bigint as confirmed_nodes,
    (select count(*) from public_relations) as relations,
    (select count(r.source_text) from public_relations as r) as relations_with_text,
    (
        select
            json_agg(
                json_build_object('id', c.collection_id, 'code', c.code, 'name_ar', c.name_ar, 'name', c.name_latin)
                order by c.collection_id
            )
        from public_collections as c
    ) as collections
