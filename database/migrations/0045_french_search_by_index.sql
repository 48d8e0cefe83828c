-- A French search asks the index for each word before it joins anything, and compares the places of the words in the best
-- 25 texts: reading the places of a text costs more than finding it.

-- Searches the French texts. One row a hit, best first; match_method and score as in search_hadith_texts:
--   exact     the whole query stands in the text, word for word, accents, elisions and apostrophes aside;
--   fulltext  all its words do, in any form of the same stem;
--   fuzzy     a part of them do, or words that differ by one letter.
-- A row without a hit and `needs_words` when the query holds nothing but stop words.
create or replace function public.search_french_texts(
    query text, in_collection bigint default null, wanted integer default 6
)
returns table (hadith_id bigint, match_method text, score double precision)
language plpgsql stable security definer
set search_path = pg_catalog, isnad, public, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
    asked constant text := isnad.french_words(left(query, 2000));
    corpus_size constant double precision := greatest(50, (
        select max(text_count) from isnad.french_vocabulary
        where lexeme in ('allah', 'prophete', 'dit', 'messager', '~rapport')
    ));
    rare tsquery;
    found bigint[];
begin
    select string_agg(word, '&' order by text_count, word)::tsquery into rare
    from (
        select w.word, coalesce(v.text_count, 0) as text_count
        from (select distinct word from string_to_table(btrim(asked), ' ') as word) as w
        left join isnad.french_vocabulary as v on v.lexeme = w.word
        where length(w.word) <= 40 and isnad.french_stem(w.word) <> ''
        order by 2, 1 limit 3
    ) as few;
    if rare is null then
        return query select null::bigint, 'needs_words', null::double precision;
        return;
    end if;
    select array_agg(hit.hadith_id order by hit.size, hit.hadith_id) into found
    from (
        select s.hadith_id, s.size
        from isnad.french_search as s
        inner join isnad.hadiths as h on h.hadith_id = s.hadith_id
        where s.lexemes @@ rare and strpos(s.words, asked) > 0
            and (in_collection is null or h.collection_id = in_collection)
            and exists (select from isnad.active_imports as i where i.import_id = s.import_id)
            and exists (select from isnad.active_imports as i where i.import_id = h.import_id)
        order by s.size, s.hadith_id limit wanted
    ) as hit;
    if found is not null then
        return query
        select hit.hadith_id, 'exact', 1 - 0.001::double precision * (hit.place - 1)
        from unnest(found) with ordinality as hit (hadith_id, place);
        return;
    end if;

    return query
    with given as materialized (
        select split.word, split.place, isnad.french_stem(split.word) as stem
        from string_to_table(btrim(asked), ' ') with ordinality as split (word, place)
        where length(split.word) between 1 and 40
    ),
    units as materialized (
        select g.word, g.stem, g.place::double precision as place, coalesce(v.text_count, 0) as known
        from given as g
        left join isnad.french_vocabulary as v on v.lexeme = '~' || g.stem
        where g.stem <> ''
        order by coalesce(v.text_count, 0) = 0, v.text_count, g.place limit 16
    ),
    alike as (
        select u.place, '~' || u.stem as lexeme, u.known as text_count, 0.9 as likeness
        from units as u where u.known > 0
        union all
        select u.place, v.lexeme, v.text_count, 1.0
        from units as u inner join isnad.french_vocabulary as v on v.lexeme = u.word
        union all
        select u.place, '~' || v.stem, v.text_count,
            case when u.known > 0 then 0.55 when length(u.word) < 5 then 0.6 else 0.75 end
        from units as u
        cross join lateral (
            select n.stem, n.text_count from isnad.french_vocabulary as n
            where n.near && isnad.search_near(u.word) and n.stem <> '' and n.stem <> u.stem offset 0
        ) as v
        where length(u.word) > 3
    ),
    weighed as materialized (
        select place, lexeme, max(likeness) as likeness, max(text_count) as text_count,
            max(likeness * ln(1 + corpus_size / greatest(text_count, 1))) as worth
        from alike group by 1, 2
    ),
    most as (
        -- What a text could reach at the most; an unknown word counts as a rare one would.
        select sum(coalesce(
            (select max(w.worth) from weighed as w where w.place = u.place), 0.8 * ln(1 + corpus_size)
        )) as worth
        from units as u
    ),
    probes as (
        select place, worth, string_agg(lexeme, '|')::tsquery as any_of
        from weighed
        where text_count < 3000 or not exists (select from weighed as w where w.text_count < 3000)
        group by 1, 2
    ),
    pool as materialized (
        select translation_id, sum(worth) as total
        from (
            select s.translation_id, p.place, max(p.worth) - 0.15 * greatest(ln(min(s.size) / 80.0), 0) as worth
            from probes as p
            cross join lateral (
                -- the index for each word first: joined with the rest, whole texts would be read to look for words in them
                select t.translation_id, t.hadith_id, t.import_id, t.size from isnad.french_search as t
                where t.lexemes @@ p.any_of offset 0
            ) as s
            inner join isnad.hadiths as h on h.hadith_id = s.hadith_id
            where (in_collection is null or h.collection_id = in_collection)
                and exists (select from isnad.active_imports as i where i.import_id = s.import_id)
                and exists (select from isnad.active_imports as i where i.import_id = h.import_id)
            group by 1, 2
        ) as met
        group by 1 order by 2 desc, 1 limit 25
    ),
    met as materialized (
        select p.translation_id, w.place, w.worth, w.likeness, at
        from pool as p
        inner join isnad.french_search as s using (translation_id)
        cross join lateral unnest(s.lexemes) as l (lexeme, positions, weights)
        inner join weighed as w on w.lexeme = l.lexeme
        cross join lateral unnest(l.positions) as at
    ),
    anchors as (
        select translation_id, at, place, rank
        from (
            select *, row_number() over (partition by translation_id order by worth desc, at, place) as rank from met
        ) as ranked
        where rank <= 4
    ),
    fits as (
        select a.translation_id, a.rank, m.place,
            max(m.worth * (0.5 + 0.5 * exp(-abs(m.at - a.at - (m.place - a.place)) / 6))) as fit,
            max(m.likeness) as likeness
        from anchors as a inner join met as m using (translation_id)
        group by 1, 2, 3
    ),
    sums as (
        select distinct on (translation_id) translation_id, sum(fit) as fit,
            count(*) filter (where likeness >= 0.9) = (select count(*) from units) as complete
        from fits group by translation_id, rank
        order by translation_id, 2 desc
    ),
    best as (
        select distinct on (s.hadith_id) s.hadith_id, sums.complete, least(sums.fit / most.worth, 1) as closeness
        from sums
        inner join isnad.french_search as s using (translation_id)
        cross join most
        where sums.complete or sums.fit / most.worth > 0.34
        order by s.hadith_id, sums.complete desc, sums.fit desc
    )
    select best.hadith_id, case when best.complete then 'fulltext' else 'fuzzy' end,
        0.85 * best.closeness
            - 0.0001::double precision * row_number() over (order by best.closeness desc, best.hadith_id)
    from best
    order by best.closeness desc, best.hadith_id
    limit wanted;
end
$$;

-- How many hadiths there are is counted for each French search, in an index instead of the texts.
create index on isnad.hadiths (import_id, collection_id);
