-- The same answers for less: a reference is read once and only where a query has a digit, its collection is looked up by
-- its key instead of being compared with every name, and what is told of a hit is kept beside its text.

-- Reads a query as a reference, as 0006 says; the pattern is matched once, whatever is made of its parts.
create or replace function public.isnad_reference(query text)
returns table (name_key text, number text, rest text)
language plpgsql
immutable
parallel safe
rows 1
as $$
declare
    parts text[] := regexp_match(
        public.isnad_fold(left(query, 200)),
        '^\s*([^0-9]*?[^0-9\s:#,.-])[\s:#°،,.-]*'
        || '([0-9]+(?:\s?[.:/-]\s?[0-9]+)*)'
        || '(?:\s*([a-z]|[ابجدهوز]))?'
        || '(?:[\s:،,.]+(.*))?$'
    );
begin
    if parts is not null then
        name_key := public.isnad_name_key(
            regexp_replace(parts[1], '\m(hadith|hadeeth|hadit|no|num|number|numero|nr|n|رقم|حديث|الحديث)\M', ' ', 'g')
        );
        number := regexp_replace(parts[2], '\s', '', 'g') || coalesce(translate(parts[3], 'ابجدهوز', 'abcdefg'), '');
        rest := nullif(trim(parts[4]), '');
        return next;
    end if;
end
$$;

-- Numbers are written into their index at once: read through the list of those that wait to be, a reference costs ten
-- times as much, until the next vacuum.
alter index isnad.hadith_references_keys_idx set (fastupdate = false);
select gin_clean_pending_list('isnad.hadith_references_keys_idx');

-- What `search_hadith` asks: a query read as a reference where it is one, and as words where it is not.
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
security definer
rows 6
set search_path = pg_catalog, isnad, public, pg_temp
set plan_cache_mode = force_generic_plan -- planning anew would cost more than the query
as $$
#variable_conflict use_column
declare
    asked_key text;
    asked_rest text;
    by_number bigint [];
    hit record;
begin
    if normalize(left(query, 200), nfkc) ~ '[0-9٠-٩۰-۹]' then -- without a digit, nothing to read
        select r.name_key, r.number, r.rest into asked_key, asked_number, asked_rest
        from public.isnad_reference(query) as r;
        select c.collection_id, c.name_latin into asked_collection_id, asked_collection
        from isnad.collection_names as n
        inner join isnad.collections as c on n.collection_id = c.collection_id
        where n.name_folded = asked_key
            and exists (select from isnad.active_imports as i where i.import_id = c.import_id);
    end if;

    if asked_collection_id is null then
        if query_language = 'ar' then
            for hit in select * from public.search_hadith_texts(query, in_collection, wanted) loop
                hadith_id := hit.hadith_id;
                match_method := hit.match_method;
                score := hit.score;
                return next;
            end loop;
        else
            return query
            select asked_number, null::bigint, null::text, null::boolean, null::text, s.hadith_id, s.match_method, s.score
            from public.search_words(
                query, in_collection, wanted,
                -- a name and a number, and the name is no collection's: nothing that merely looks like it
                case when asked_number is not null and asked_rest is null then 'other' else query_language end
            ) as s;
        end if;
        if not found then
            return next;
        end if;
        return;
    end if;

    asked_in_scope := in_collection is null or in_collection = asked_collection_id;
    if asked_in_scope then
        by_number := array(
            select r.hadith_id
            from ( -- by the number alone: the index of a collection would bring thousands
                select * from isnad.hadith_references where keys @> array[asked_number] offset 0
            ) as r
            inner join isnad.hadiths as h on r.hadith_id = h.hadith_id
            where r.collection_id = asked_collection_id
                and (select true from isnad.active_imports as i where i.import_id = r.import_id)
                and (select true from isnad.active_imports as i where i.import_id = h.import_id)
            order by r.number <> asked_number, r.number_order, r.number, r.hadith_id
            limit wanted
        );
        if cardinality(by_number) > 0 and asked_rest is null then
            match_method := 'reference';
            score := 1;
            foreach hadith_id in array by_number loop
                return next;
            end loop;
            return;
        end if;
    end if;
    if cardinality(by_number) = 0 then
        last_reference := (
            select r.reference from isnad.hadith_references as r
            inner join isnad.hadiths as h on r.hadith_id = h.hadith_id
            where r.collection_id = asked_collection_id and r.numbering_scheme = (
                select any_of.numbering_scheme from isnad.hadiths as any_of
                where any_of.collection_id = asked_collection_id
                    and (select true from isnad.active_imports as i where i.import_id = any_of.import_id)
                limit 1
            )
                and (select true from isnad.active_imports as i where i.import_id = r.import_id)
                and (select true from isnad.active_imports as i where i.import_id = h.import_id)
            order by r.number_order desc nulls last limit 1
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
        from public.search_words(asked_rest, asked_collection_id, wanted, query_language) as s
        where asked_rest is not null and asked_in_scope and s.hadith_id <> all(by_number)
    ) as hit
    order by hit.place
    limit wanted;
    if not found then
        return next;
    end if;
end
$$;

-- Beside `read_search` of 0050, which the functions of the release before ask while a deployment moves to the next.
-- `hits` as `find_hadiths` gives them, one at least, each with its text and what is kept beside that (0060); `searched`: the
-- collections in scope with their data sets; `french`: how much of them has French, where French was searched.
create function public.read_hits(query text, in_collection bigint, wanted integer, query_language text)
returns json
language plpgsql
stable
security definer
set search_path = pg_catalog, isnad, public, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off -- a handful of rows: steps in indexes, no table read whole
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
                h.text_ar,
                h.text_damaged,
                coalesce(r.citation, r.record) as record
            from public.find_hadiths(query, in_collection, wanted, query_language) with ordinality as hit (
                asked_number, asked_collection_id, asked_collection, asked_in_scope, last_reference, hadith_id,
                match_method, score, place
            )
            left join isnad.hadiths as h on hit.hadith_id = h.hadith_id
            left join isnad.hadith_records as r on hit.hadith_id = r.hadith_id
        ) as entry
    );
    if in_collection is null then
        searched := (select s.datasets from isnad.searched_datasets as s where s.kind = 'collections');
    else
        searched := (
            select json_agg(one)
            from (
                select
                    c.collection_id, i.dataset_id, i.dataset_key, i.dataset_title, i.dataset_version, i.dataset_licence,
                    i.dataset_url
                from isnad.collections as c
                inner join isnad.active_imports as i on c.import_id = i.import_id
                where c.collection_id = in_collection
            ) as one
        );
    end if;
    return json_build_object(
        'hits', hits, 'searched', searched, 'french',
        case
            when query_language <> 'ar' and coalesce(hits -> 0 ->> 'match_method', '') <> 'reference'
                then public.french_scope(in_collection)
        end
    );
end
$$;

call isnad.protect();
