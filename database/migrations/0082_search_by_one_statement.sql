-- A search without a typo, for less: a reference that is nothing else and words that stand in a text as they are asked are
-- each looked up by one statement, what is told of all hits is told once, and how much of the corpus is in French is kept.

-- Reads a folded query as a reference, as 0006 says: its name's key, its number, and what follows the number.
create function isnad.reference_parts(folded text)
returns text[]
language plpgsql
immutable
parallel safe
as $$
declare
    parts constant text[] := regexp_match(
        folded,
        '^\s*([^0-9]*?[^0-9\s:#,.-])[\s:#°،,.-]*'
        || '([0-9]+(?:\s?[.:/-]\s?[0-9]+)*)'
        || '(?:\s*([a-z]|[ابجدهوز]))?'
        || '(?:[\s:،,.]+(.*))?$'
    );
    name text;
begin
    if parts is null then
        return null;
    end if;
    name := regexp_replace(parts[1], '\m(hadith|hadeeth|hadit|no|num|number|numero|nr|n|رقم|حديث|الحديث)\M', ' ', 'g');
    return array[
        -- letters and single blanks are a key already
        case when name ~ '^[a-z\u0621-\u064A]+(?: [a-z\u0621-\u064A]+)*$' then name else public.isnad_name_key(name) end,
        regexp_replace(parts[2], '\s', '', 'g') || coalesce(translate(parts[3], 'ابجدهوز', 'abcdefg'), ''),
        nullif(trim(parts[4]), '')
    ];
end
$$;

create or replace function public.isnad_reference(query text)
returns table (name_key text, number text, rest text)
language plpgsql
immutable
parallel safe
rows 1
as $$
declare
    parts constant text[] := isnad.reference_parts(public.isnad_fold(left(query, 200)));
begin
    if parts is not null then
        name_key := parts[1];
        number := parts[2];
        rest := parts[3];
        return next;
    end if;
end
$$;

-- Finds what a query asks: a reference where its `parts` are one, and words where they are not. `sought`: nothing has the
-- number in the collection that is named, where the query names one and nothing else.
--
-- One row at least. `asked_*` tell how the query was read: its number and the collection it names (null where it is no
-- reference), whether that collection is one to be searched, and, where no record has the number, the last that one has.
-- The other columns are the hits, the best first: references before words. Words beside a reference are searched in its
-- collection, and since they are a part of the query, none of their hits is called exact.
create function isnad.find_asked(
    query text, parts text[], in_collection bigint, wanted integer, query_language text, sought boolean
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
    asked_rest constant text := parts[3];
    by_number bigint [];
    hit record;
begin
    if parts is not null then
        asked_number := parts[2];
        select c.collection_id, c.name_latin into asked_collection_id, asked_collection
        from isnad.collections as c
        where c.collection_id = (select n.collection_id from isnad.collection_names as n where n.name_folded = parts[1])
            and (select true from isnad.active_imports as i where i.import_id = c.import_id);
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
        by_number := case when sought and asked_rest is null then '{}' else array(
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
        ) end;
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
    if asked_rest is null then
        return next;
        return;
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
        where asked_in_scope and s.hadith_id <> all(by_number)
    ) as hit
    order by hit.place
    limit wanted;
    if not found then
        return next;
    end if;
end
$$;

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
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
    folded constant text := public.isnad_fold(left(query, 200));
begin
    return query
    select * from isnad.find_asked(
        query, case when folded ~ '[0-9]' then isnad.reference_parts(folded) end,
        in_collection, wanted, query_language, false
    );
end
$$;

-- Searches the Arabic texts for words that are folded already. One row a hit, best first:
--   match_method  exact: the whole query stands in the text, word for word after folding;
--                 fulltext: all its words or their stems do, honorifics and words of transmission aside;
--                 fuzzy: something near it does;
--                 needs_words: no hit, because the query holds nothing but honorifics and words of transmission.
--   score         above 0, at most 1, falling from hit to hit.
-- `sought`: the whole query has been looked for by its rarer words, if it has any, and no text holds it.
create function isnad.search_folded_words(asked text, in_collection bigint, wanted integer, sought boolean)
returns table (hadith_id bigint, match_method text, score double precision)
language plpgsql stable security definer rows 6
set search_path = pg_catalog, isnad, public, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
    -- Words that a great part of the hadiths hold. Asking the index for one of them is slow, so that it is asked for the
    -- others and these are looked for in what it finds. A word that is missing here costs time, never a hit.
    frequent constant text := (select f.words from isnad.search_frequent as f where f.is_only);
    each_word text[] := string_to_array(btrim(asked), ' ');
    each_stem text[];
    content text := asked;
    phrase text := asked;
    rare text;
    word_rank real;
    stem_rank real;
    all_words tsquery;
    all_stems tsquery;
    is_short boolean;
    as_written boolean := false;
    forms isnad.search_form[];
    pool bigint[];
    hits bigint[];
    closeness double precision[];
    best double precision;
begin
    for i in 1 .. cardinality(each_word) loop
        if length(each_word[i]) between 4 and 40 and strpos(frequent, ' ' || each_word[i] || ' ') = 0 then
            rare := concat_ws('&', rare, each_word[i]);
            exit when length(rare) > 30;
        end if;
    end loop;
    if rare is null then
        sought := false;
        content := isnad.search_content(asked);
        if btrim(content) = '' then
            return query select null::bigint, 'needs_words', null::double precision;
            return;
        end if;
        select string_agg(word, '&') into rare from (
            select word from unnest(each_word) with ordinality as one (word, place)
            where length(word) <= 40 group by word order by length(word) desc, min(place) limit 8
        ) as longest;
    end if;

    -- The whole query; then, where it holds honorifics or words of transmission, what remains without them.
    loop
        pool := case when sought and phrase = asked then '{}' else array(
            select near.hadith_id
            from (
                select s.hadith_id, s.size, strpos(substr(s.words, s.chain_letters + 1), phrase) > 0 as in_matn
                from isnad.hadith_search as s
                where s.lexemes @@ rare::tsquery and strpos(s.words, phrase) > 0
                    and (in_collection is null or s.collection_id = in_collection)
                limit 400
            ) as near
            order by near.in_matn desc, near.size, near.hadith_id
            limit wanted
        ) end;
        if cardinality(pool) > 0 then
            match_method := case when phrase = asked then 'exact' else 'fulltext' end;
            for place in 1 .. cardinality(pool) loop
                hadith_id := pool[place];
                score := case when phrase = asked then 1 else 0.95 end - 0.001::double precision * (place - 1);
                return next;
            end loop;
            return;
        end if;
        exit when phrase <> asked;
        content := isnad.search_content(asked);
        phrase := content;
        exit when phrase = asked;
        if btrim(content) = '' then
            return query select null::bigint, 'needs_words', null::double precision;
            return;
        end if;
        select string_agg(word, '&') into rare from (
            select word from string_to_table(btrim(content), ' ') with ordinality as one (word, place)
            where length(word) <= 40
            group by word order by strpos(frequent, ' ' || word || ' ') > 0, length(word) desc, min(place) limit 4
        ) as longest;
    end loop;

    each_word := array(
        select word from string_to_table(btrim(content), ' ') with ordinality as one (word, place)
        group by word order by min(place)
    );
    is_short := cardinality(each_word) <= 12;
    all_words := (select string_agg(word, '&') from unnest(each_word) as word where length(word) <= 40)::tsquery;
    pool := null;
    if cardinality(each_word) <= 24 and all_words is not null then
        each_stem := string_to_array(btrim(isnad.search_stems(' ' || array_to_string(each_word, ' ') || ' ')), ' ');
        rare := null;
        for i in 1 .. cardinality(each_word) loop
            if length(each_word[i]) between 4 and 40 and strpos(frequent, ' ' || each_word[i] || ' ') = 0 then
                rare := concat_ws('&~', rare, each_stem[i]);
                exit when length(rare) > 30;
            end if;
        end loop;
        all_stems := ('~' || (
            select string_agg(stem, '&~') from unnest(each_word, each_stem) as pair (word, stem) where length(word) <= 40
        ))::tsquery;
        select array_agg(hit.hadith_id order by hit.word_rank desc, hit.stem_rank desc, hit.size, hit.hadith_id),
            array_agg(hit.hadith_id order by hit.stem_rank desc, hit.size, hit.hadith_id),
            max(hit.word_rank), max(hit.stem_rank)
        into hits, pool, word_rank, stem_rank
        from (
            select s.hadith_id, s.size,
                ts_rank_cd('{0.7,0.7,0.7,1}', s.lexemes, all_words) as word_rank,
                ts_rank_cd('{0.7,0.7,0.7,1}', s.lexemes, all_stems) as stem_rank
            from isnad.hadith_search as s
            where s.lexemes @@ coalesce(('~' || rare)::tsquery, all_stems) and s.lexemes @@ all_stems
                and (in_collection is null or s.collection_id = in_collection)
            limit 400
        ) as hit;
        -- All words as written, in a stretch not much longer than the query; and no stems closer together.
        as_written := coalesce(cardinality(each_word) > 1 and word_rank > 0.06, false);
        if as_written and stem_rank < 1.25 * word_rank then
            return query
            select hit.hadith_id, 'fulltext', 0.9 - 0.001::double precision * hit.place
            from unnest(hits[:wanted]) with ordinality as hit (hadith_id, place);
            return;
        end if;
        if pool is not null then
            forms := isnad.search_forms(isnad.search_core(asked), content, false);
            if cardinality(pool) > 20 then -- first those that hold a word nearly as it is asked
                all_words := (select string_agg(distinct lexeme, '|')::tsquery from unnest(forms) where likeness > 0.88);
                pool := array(
                    select s.hadith_id
                    from unnest(pool) with ordinality as one (hadith_id, place)
                    inner join isnad.hadith_search as s on one.hadith_id = s.hadith_id
                    order by s.lexemes @@ all_words desc, one.place
                );
            end if;
            select array_agg(c.hadith_id), array_agg(c.closeness), (array_agg(c.tightness))[1] into hits, closeness, best
            from isnad.search_compare(forms, case when as_written then hits[:10] end || pool[:20], wanted) as c;
        end if;
    end if;
    -- A misspelling is thought of only where the words do not stand near each other as they are written.
    if pool is null or best < 0.95 and not as_written then
        forms := isnad.search_forms(isnad.search_core(asked), content, is_short);
        pool := pool[:10] || isnad.search_richest(forms, in_collection);
        select array_agg(c.hadith_id), array_agg(c.closeness), (array_agg(c.tightness))[1] into hits, closeness, best
        from isnad.search_compare(forms, pool, wanted) as c;
        if is_short and (best is null or best < 0.95) then
            pool := array( -- what was compared before keeps its place beside these
                select near.hadith_id from unnest(isnad.search_neighbours(forms, in_collection)) as near (hadith_id)
                where near.hadith_id <> all(coalesce(pool, '{}'))
            );
            select array_agg(c.hadith_id), array_agg(c.closeness) into hits, closeness
            from (
                select b.hadith_id, b.closeness from (
                    select before.hadith_id, before.closeness
                    from unnest(hits, closeness) as before (hadith_id, closeness)
                    union all
                    select c.hadith_id, c.closeness from isnad.search_compare(forms, pool, wanted) as c
                ) as b
                order by b.closeness desc, b.hadith_id limit wanted
            ) as c;
        end if;
    end if;
    return query
    select hit.hadith_id,
        case when s.lexemes @@ coalesce(all_stems, all_words) then 'fulltext' else 'fuzzy' end,
        0.9 * hit.closeness - 0.0001::double precision * hit.place
    from unnest(hits, closeness) with ordinality as hit (hadith_id, closeness, place)
    inner join isnad.hadith_search as s on s.hadith_id = hit.hadith_id
    where hit.closeness > 0.25 -- less is chance
    order by hit.place;
end
$$;

create or replace function public.search_hadith_texts(
    query text, in_collection bigint default null, wanted integer default 6
)
returns table (hadith_id bigint, match_method text, score double precision)
language plpgsql stable security definer rows 6
set search_path = pg_catalog, isnad, public, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
    return query
    select * from isnad.search_folded_words(isnad.search_words(public.isnad_fold(query)), in_collection, wanted, false);
end
$$;

-- What a French search looks through, counted when a transaction commits that changes it and not in each search: a row a
-- collection, and one with the key 0 for all of them.
create view isnad.live_french_scopes as
select
    coalesce(c.collection_id, 0) as collection_id,
    json_build_object(
        'datasets', (
            select json_agg(i order by i.dataset_id) from isnad.active_imports as i
            where exists (select from isnad.french_search as s where s.import_id = i.import_id)
        ),
        'hadiths', count(h.hadith_id),
        'in_french', count(h.hadith_id) filter (
            where exists (
                select from isnad.french_search as s
                inner join isnad.active_imports as si on s.import_id = si.import_id
                where s.hadith_id = h.hadith_id
            )
        )
    ) as scope
from isnad.collections as c
left join (
    select
        a.hadith_id,
        a.collection_id
    from isnad.hadiths as a
    inner join isnad.active_imports as ai on a.import_id = ai.import_id
) as h on c.collection_id = h.collection_id
group by grouping sets ((c.collection_id), ());
comment on view isnad.live_french_scopes is
'What a French search looks through, and how many hadiths there are and have a French text, as the tables say it now.';

create table isnad.french_scopes (
    collection_id bigint primary key,
    scope json not null
);
comment on table isnad.french_scopes is 'isnad.live_french_scopes, kept; written by triggers only.';

create function isnad.make_french_scopes()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
begin
    delete from isnad.french_scopes;
    insert into isnad.french_scopes select collection_id, scope from isnad.live_french_scopes;
    return null;
end
$$;
create constraint trigger french_scopes after insert on isnad.due_work
deferrable initially deferred
for each row when (new.work_table = 'french_scopes') execute function isnad.make_french_scopes();

do $$
declare
    changed text;
begin
    foreach changed in array array['datasets', 'imports', 'collections', 'hadiths', 'french_search'] loop
        execute format(
            'create trigger note_french after insert or update or delete or truncate on isnad.%I '
            'for each statement execute function isnad.note_due_work(''french_scopes'')', changed
        );
    end loop;
end
$$;

insert into isnad.french_scopes select collection_id, scope from isnad.live_french_scopes;

create or replace function public.french_scope(in_collection bigint)
returns json
language plpgsql
stable
security definer
set search_path = pg_catalog, isnad, public, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin -- what `live_french_scopes` says of a collection, or of all of them
    return (select f.scope from isnad.french_scopes as f where f.collection_id = coalesce(in_collection, 0));
end
$$;

-- What is told of a hit. Plain SQL, so that it costs what it says and no call.
create function isnad.told_hit(
    hadith_id bigint, match_method text, score double precision, text_ar text, text_damaged boolean, record json
)
returns json
language sql
stable
parallel safe
return json_build_object(
    'hadith_id', hadith_id, 'match_method', match_method, 'score', score,
    'text_ar', text_ar, 'text_damaged', text_damaged, 'record', record
);

-- Beside `read_hits` of 0070, which the functions of the release before ask while a deployment moves to the next.
-- `folded`: the query folded, where the caller is certain how; null where not.
-- `hits`: the best first, each with its text and what is kept beside that (0060), null where there is none; `asked`: how the
-- query was read, where it holds a number and is not just a reference that is found (see `find_asked`); `needs_words`: true
-- where it holds only words that fit every text; `searched`: the collections in scope with their data sets; `french`: how
-- much of them has French, where French was searched.
create function public.search_hits(query text, folded text, in_collection bigint, wanted integer, query_language text)
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
    head text := case when length(query) <= 200 then folded end; -- a reference stands in it
    has_number boolean;
    parts text[];
    each_word text[];
    one_word text;
    rare text;
    found bigint[];
    methods text[];
    scores double precision[];
    asked json;
    hits json;
    searched json;
    french json;
begin
    if head is null then
        head := public.isnad_fold(left(query, 200));
    end if;
    has_number := head ~ '[0-9]';
    if has_number then
        -- The records of a collection that carry a number, where nothing else is asked.
        parts := coalesce(
            -- the usual form, told by one pattern: a name without the words that `reference_parts` leaves out, a number
            regexp_match(
                head,
                '^(?!.*\m(?:hadith|hadeeth|hadit|no|num|number|numero|nr|n|رقم|حديث|الحديث)\M)'
                || '([a-z\u0621-\u064A]+(?: [a-z\u0621-\u064A]+)*) ([0-9]+)$'
            ),
            isnad.reference_parts(head)
        );
        if parts is not null and parts[3] is null then
            select
                json_agg(
                    isnad.told_hit(
                        hit.hadith_id, 'reference', 1, hit.text_ar, hit.text_damaged, coalesce(hit.citation, hit.record)
                    ) order by hit.differs, hit.number_order, hit.number, hit.hadith_id
                ),
                (select s.datasets from isnad.searched_datasets as s where in_collection is null and s.kind = 'collections')
            into hits, searched
            from (
                select
                    r.hadith_id, r.number <> parts[2] as differs, r.number_order, r.number,
                    h.text_ar, h.text_damaged, k.citation, k.record
                from isnad.collection_names as n
                cross join lateral ( -- by the number alone: the index of a collection would bring thousands
                    select * from isnad.hadith_references where keys @> array[parts[2]] offset 0
                ) as r
                inner join isnad.hadiths as h on r.hadith_id = h.hadith_id
                inner join isnad.hadith_records as k on r.hadith_id = k.hadith_id -- of what is active alone
                where n.name_folded = parts[1] and r.collection_id = n.collection_id
                    and (in_collection is null or in_collection = n.collection_id)
                    and (select true from isnad.active_imports as i where i.import_id = r.import_id)
                    and (
                        select true from isnad.active_imports as ci
                        where ci.import_id = (
                            select c.import_id from isnad.collections as c where c.collection_id = n.collection_id
                        )
                    )
                order by differs, r.number_order, r.number, r.hadith_id
                limit wanted
            ) as hit;
        end if;
    elsif query_language = 'ar' then
        -- The texts that hold the whole query, as `search_folded_words` looks for them: by long words, which only a few
        -- texts hold, and where these are too few, by those that are not frequent.
        if length(query) <= 200 then
            folded := head;
        elsif folded is null then
            folded := public.isnad_fold(query);
        end if;
        folded := isnad.search_words(folded);
        each_word := string_to_array(btrim(folded), ' ');
        foreach one_word in array each_word loop
            if length(one_word) between 7 and 40 then
                rare := concat_ws('&', rare, one_word);
                exit when length(rare) > 30;
            end if;
        end loop;
        if rare is null or length(rare) < 15 then
            select string_agg(word, '&') into rare
            from (
                select each.word
                from isnad.search_frequent as f
                cross join lateral unnest(each_word) as each (word)
                where f.is_only and length(each.word) between 4 and 40 and strpos(f.words, ' ' || each.word || ' ') = 0
                limit 5
            ) as few;
        end if;
        if rare is not null then
            select
                json_agg(
                    isnad.told_hit(
                        hit.hadith_id, 'exact', 1 - 0.001::double precision * (hit.place - 1),
                        h.text_ar, h.text_damaged, coalesce(r.citation, r.record)
                    ) order by hit.in_matn desc, hit.size, hit.hadith_id
                ),
                (select s.datasets from isnad.searched_datasets as s where in_collection is null and s.kind = 'collections')
            into hits, searched
            from (
                select near.in_matn, near.size, near.hadith_id,
                    row_number() over (order by near.in_matn desc, near.size, near.hadith_id) as place
                from (
                    select s.hadith_id, s.size, strpos(substr(s.words, s.chain_letters + 1), folded) > 0 as in_matn
                    from isnad.hadith_search as s
                    where s.lexemes @@ rare::tsquery and strpos(s.words, folded) > 0
                        and (in_collection is null or s.collection_id = in_collection)
                    limit 400
                ) as near
                order by near.in_matn desc, near.size, near.hadith_id
                limit wanted
            ) as hit
            left join isnad.hadiths as h on hit.hadith_id = h.hadith_id
            left join isnad.hadith_records as r on hit.hadith_id = r.hadith_id;
        end if;
    end if;

    if hits is null then
        if has_number then
            select
                array_agg(f.hadith_id), array_agg(f.match_method), array_agg(f.score),
                (array_agg(json_build_object(
                    'number', f.asked_number, 'collection_id', f.asked_collection_id, 'collection', f.asked_collection,
                    'in_scope', f.asked_in_scope, 'last_reference', f.last_reference
                )))[1]
            into found, methods, scores, asked
            from isnad.find_asked(query, parts, in_collection, wanted, query_language, true) as f;
        elsif query_language = 'ar' then
            select array_agg(s.hadith_id), array_agg(s.match_method), array_agg(s.score) into found, methods, scores
            from isnad.search_folded_words(folded, in_collection, wanted, true) as s;
        else
            select array_agg(s.hadith_id), array_agg(s.match_method), array_agg(s.score) into found, methods, scores
            from public.search_words(query, in_collection, wanted, query_language) as s;
        end if;
        if found[1] is not null then
            hits := (
                select
                    json_agg(
                        isnad.told_hit(
                            hit.hadith_id, hit.match_method, hit.score, h.text_ar, h.text_damaged,
                            coalesce(r.citation, r.record)
                        ) order by hit.place
                    )
                from unnest(found, methods, scores) with ordinality as hit (hadith_id, match_method, score, place)
                left join isnad.hadiths as h on hit.hadith_id = h.hadith_id
                left join isnad.hadith_records as r on hit.hadith_id = r.hadith_id
            );
        end if;
        if query_language <> 'ar' and methods[1] is distinct from 'reference' then
            french := public.french_scope(in_collection);
        end if;
    end if;
    if in_collection is null and searched is null then
        searched := (select s.datasets from isnad.searched_datasets as s where s.kind = 'collections');
    elsif in_collection is not null then
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
        'hits', hits, 'asked', asked, 'needs_words', methods[1] = 'needs_words', 'searched', searched, 'french', french
    );
end
$$;
comment on function public.search_hits(text, text, bigint, integer, text) is
'What search_hadith tells: hits for a reference or for words, the best first, and what was searched.';

call isnad.protect();
