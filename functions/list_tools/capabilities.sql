select
    (select count(*) from public_hadiths) as hadiths,
    (
        select count(distinct t.hadith_id) from public_hadith_translations as t
        where t.language = 'fr' and t.origin <> 'machine'
    ) as hadiths_in_french,
    (
        select
            json_agg(
                json_build_object('id', c.collection_id, 'code', c.code, 'name_ar', c.name_ar, 'name', c.name_latin)
                order by c.collection_id
            )
        from public_collections as c
    ) as collections
