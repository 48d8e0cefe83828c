-- The words that a great part of the hadiths hold are known from the texts themselves, and no longer written into the
-- search: they are noted anew whenever the number of hadiths has changed by a tenth.
create table isnad.search_frequent (
    is_only boolean primary key default true check (is_only),
    words text not null,
    hadith_count integer not null
);
comment on table isnad.search_frequent is 'One row: the frequent words of isnad.search_vocabulary; written by triggers only.';
comment on column isnad.search_frequent.words is
'Words of four letters or more that a twentieth of the hadiths hold, and a hundred at least; one blank before, between and after.';
comment on column isnad.search_frequent.hadith_count is 'How many hadiths there were when the words were noted.';
insert into isnad.search_frequent (words, hadith_count) values (' ', 0);

create function isnad.note_frequent_words() returns trigger
language plpgsql security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
declare
    noted constant integer := (select hadith_count from isnad.search_frequent where is_only);
    present constant integer := coalesce(
        (select hadith_count from isnad.search_vocabulary where lexeme = '~'), 0
    );
begin
    if present not between 0.9 * noted and 1.1 * noted then
        update isnad.search_frequent set
            hadith_count = present,
            words = ' ' || coalesce((
                select string_agg(v.lexeme || ' ', '' order by v.hadith_count desc, v.lexeme)
                from isnad.search_vocabulary as v
                where v.hadith_count >= greatest(present / 20, 100) and length(v.lexeme) >= 4 and v.lexeme not like '~%'
            ), '')
        where is_only;
    end if;
    return null;
end
$$;
-- Named so that it fires after the triggers that count the words.
create trigger note_frequent_words after insert or delete or truncate on isnad.hadith_search
for each statement execute function isnad.note_frequent_words();
-- What is there already: an index without a row to delete counts as well as any.
delete from isnad.hadith_search where false;

-- Searches the Arabic texts. One row a hit, best first:
--   match_method  exact: the whole query stands in the text, word for word after folding;
--                 fulltext: all its words or their stems do, honorifics and words of transmission aside;
--                 fuzzy: something near it does;
--                 needs_words: no hit, because the query holds nothing but honorifics and words of transmission.
--   score         above 0, at most 1, falling from hit to hit.
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
declare
    -- Words that a great part of the hadiths hold. Asking the index for one of them is slow, so that it is asked for the
    -- others and these are looked for in what it finds. A word that is missing here costs time, never a hit.
    frequent constant text := (select f.words from isnad.search_frequent as f where f.is_only);
    asked constant text := isnad.search_words(public.isnad_fold(query));
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
        pool := array(
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
        );
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

call isnad.protect();
