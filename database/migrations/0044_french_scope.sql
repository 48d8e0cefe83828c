-- An Arabic search shall cost nothing of what a French one needs: what that looks through is told by a function that it
-- alone calls, and Arabic words go straight to the Arabic index.
drop view public.public_french_datasets;
drop view public.public_french_coverage;

-- What a French search looks through, and how much of the corpus that is: the data sets as public_collections names
-- them, the number of hadiths and of those that have a French text. A function, for an Arabic search shall not even plan it.
create function public.french_scope(in_collection bigint)
returns json
language plpgsql
stable
security definer
set search_path = pg_catalog, isnad, public, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
    return (
        select json_build_object(
            'datasets', (
                select json_agg(i order by i.dataset_id) from isnad.active_imports as i
                where exists (select from isnad.french_search as s where s.import_id = i.import_id)
            ),
            'hadiths', (
                select count(*) from isnad.hadiths as h
                inner join isnad.active_imports as i on h.import_id = i.import_id
                where in_collection is null or h.collection_id = in_collection
            ),
            'in_french', (
                select count(distinct h.hadith_id) from isnad.french_search as s
                inner join isnad.active_imports as si on s.import_id = si.import_id
                inner join isnad.hadiths as h on s.hadith_id = h.hadith_id
                inner join isnad.active_imports as i on h.import_id = i.import_id
                where in_collection is null or h.collection_id = in_collection
            )
        )
    );
end
$$;
comment on function public.french_scope(bigint) is
'The data sets that a French search looks through, and how many hadiths there are and have a French text.';

-- What `search_hadith` asks: a query read as a reference where it is one, and as words where it is not. A function, so
-- that its plans are kept by the server, whichever client a pooler gives the connection to.
--
-- One row at least. `asked_*` tell how the query was read: its number and the collection it names (null where it is no
-- reference), whether that collection is one to be searched, and, where no record has the number, the last that one has.
-- The other columns are the hits, the best first: references before words. Words beside a reference are searched in its
-- collection, and since they are a part of the query, none of their hits is called exact.
create or replace function public.find_hadiths(
    query text, in_collection bigint, wanted integer, query_language text default 'ar'
)
returns table (
    asked_number text,
    asked_collection_id bigint,
    asked_collection text,
    asked_in_scope boolean,
    last_reference text,
    hadith_id bigint,
    match_method text,
    score double precision
)
language plpgsql
stable
rows 6
set plan_cache_mode = force_generic_plan -- planning anew would cost more than the query
as $$
#variable_conflict use_column
declare
    asked record;
    by_number bigint [];
begin
    select r.number, r.rest, c.collection_id, c.name_latin
    into asked
    from public.isnad_reference(query) as r
    left join public.public_collection_names as n on r.name_key = n.name_folded
    left join public.public_collections as c on n.collection_id = c.collection_id;

    if asked.collection_id is null then
        if query_language = 'ar' then
            return query
            select asked.number, null::bigint, null::text, null::boolean, null::text, s.hadith_id, s.match_method, s.score
            from public.search_hadith_texts(query, in_collection, wanted) as s;
        else
            return query
            select asked.number, null::bigint, null::text, null::boolean, null::text, s.hadith_id, s.match_method, s.score
            from public.search_words(
                query, in_collection, wanted,
                -- a name and a number, and the name is no collection's: nothing that merely looks like it
                case when asked.number is not null and asked.rest is null then 'other' else query_language end
            ) as s;
        end if;
        if not found then
            return query
            select
                asked.number, null::bigint, null::text, null::boolean, null::text, null::bigint, null::text,
                null::double precision;
        end if;
        return;
    end if;

    asked_number := asked.number;
    asked_collection_id := asked.collection_id;
    asked_collection := asked.name_latin;
    asked_in_scope := in_collection is null or in_collection = asked.collection_id;
    if asked_in_scope then
        by_number := array(
            select f.hadith_id from public.public_hadith_references as f
            where f.collection_id = asked.collection_id and f.keys @> array[asked.number]
            order by f.number <> asked.number, f.number_order, f.number, f.hadith_id
            limit wanted
        );
    end if;
    if cardinality(by_number) = 0 then
        last_reference := (
            select f.reference from public.public_hadith_references as f
            where f.collection_id = asked.collection_id and f.numbering_scheme = (
                select h.numbering_scheme from public.public_hadiths as h
                where h.collection_id = asked.collection_id limit 1
            )
            order by f.number_order desc nulls last limit 1
        );
    end if;
    return query
    select
        asked_number, asked_collection_id, asked_collection, asked_in_scope, last_reference, hit.hadith_id,
        hit.match_method, hit.score
    from (
        select u.hadith_id, 'reference' as match_method, 1.0::double precision as score, u.place as place
        from unnest(by_number) with ordinality as u (hadith_id, place)
        union all
        select
            s.hadith_id, replace(s.match_method, 'exact', 'fulltext'), s.score * 0.99,
            wanted + row_number() over ()
        from public.search_words(asked.rest, asked.collection_id, wanted, query_language) as s
        where asked.rest is not null and asked_in_scope and s.hadith_id <> all(by_number)
    ) as hit
    order by hit.place
    limit wanted;
    if not found then
        return next;
    end if;
end
$$;
comment on function public.find_hadiths(text, bigint, integer, text) is
'Hits for a reference or for words, the best first, with how the query was read; one row at least.';

call isnad.protect();
