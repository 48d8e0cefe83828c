-- French search: an index of the words of every French translation that is not a machine's, kept true by triggers, and
-- the one function that asks it. Built as the Arabic one (0007): words and ~stems with their places, a vocabulary with
-- the one-letter neighbourhood of each word, so that a misspelt word is looked up among words and never among texts.

-- French text to its words: one blank before, between and after; no accents, no elided l' d' qu', no apostrophe of any
-- kind (`Ka'ba` is kaba), lower case. What the words lose here, the query loses alike.
create function isnad.french_words(txt text) returns text
language sql immutable strict parallel safe
return ' ' || btrim(regexp_replace(
    replace(
        regexp_replace(
            regexp_replace(
                replace(replace(
                    lower(normalize(isnad.strip_marks(translate(
                        txt,
                        -- the salawat; apostrophes, turned commas, half rings, primes, accents used as apostrophes
                        U&'\FDFA\2019\2018\201B\02BC\02BB\02BD\02BE\02BF\02B9\02C8\0060\00B4\2032\FF07\A78C\A78B',
                        ' ' || repeat('''', 16)
                    )), nfkd)),
                    'œ', 'oe'
                ), 'æ', 'ae'),
                U&'[\0300-\036F]+', '', 'g'
            ),
            '\m(?:[ldjmtsnc]|qu|jusqu|lorsqu|puisqu|quoiqu)''(?=''*[[:alpha:]])', ' ', 'g'
        ),
        '''', ''
    ),
    '[^[:alnum:]]+', ' ', 'g'
)) || ' ';

-- The stem of a word of french_words; null for a stop word. Plural and verb endings are taken off by the French stemmer
-- of Postgres; those that it knows by their accent (mangées, mangèrent), before it; a doubled letter that is left, after.
create function isnad.french_stem(word text) returns text
language sql immutable strict parallel safe
return case
    when word in (
        -- stop words that the stemmer knows by their accent alone, and those that its list leaves out
        'ete', 'etee', 'etees', 'etes', 'etant', 'etante', 'etais', 'etait', 'etions', 'etiez', 'etaient', 'meme',
        'les', 'cet', 'cette', 'cela', 'ceci', 'celui', 'celle', 'ceux', 'celles', 'si', 'comme', 'dont', 'donc', 'car',
        'ni', 'or', 'ou', 'sous', 'chez', 'entre', 'ainsi', 'alors', 'lorsque', 'quand', 'puis', 'tres', 'aussi',
        'plus', 'leurs'
    )
    or ts_lexize('pg_catalog.french_stem', word) = '{}' then null
    else regexp_replace(
        rtrim((ts_lexize('pg_catalog.french_stem', regexp_replace(word, '(?<=..)(?:ees?|erent)$', 'e')))[1], 'es'),
        '([b-df-hj-np-tv-z])\1$', '\1'
    )
end;

create table isnad.french_search (
    translation_id bigint primary key references isnad.translations on delete cascade,
    hadith_id bigint not null references isnad.hadiths on delete cascade,
    import_id bigint not null,
    words text not null,
    lexemes tsvector not null,
    size integer not null
);
comment on table isnad.french_search is 'Search index of the French translations; written by triggers only.';
create index french_search_lexemes on isnad.french_search using gin (lexemes);
create index on isnad.french_search (hadith_id);

create table isnad.french_vocabulary (
    lexeme text collate "C" primary key,
    text_count integer not null check (text_count >= 0),
    stem text collate "C" generated always as (
        case when lexeme not like '~%' then isnad.french_stem(lexeme) end
    ) stored,
    near text[] collate "C" generated always as (
        case when lexeme not like '~%' then isnad.search_near(lexeme) end
    ) stored
);
comment on table isnad.french_vocabulary is 'Words and ~stems of isnad.french_search with the number of texts of each.';
create index french_vocabulary_stem on isnad.french_vocabulary (stem);
create index french_vocabulary_near on isnad.french_vocabulary using gin (near);

-- Writes the index rows of these translations anew.
create function isnad.index_french(ids bigint[]) returns void
language plpgsql security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
begin
    delete from isnad.french_search where translation_id = any(ids);
    with folded as materialized (
        select t.translation_id, t.hadith_id, t.import_id, isnad.french_words(t.text) as words
        from isnad.translations as t
        where t.translation_id = any(ids) and t.language = 'fr' and t.origin <> 'machine'
    ),
    placed as materialized (
        select f.translation_id, w.word, w.place
        from folded as f
        cross join string_to_table(btrim(f.words), ' ') with ordinality as w (word, place)
        where length(w.word) between 1 and 40
    ),
    stemmed as materialized (
        select word, isnad.french_stem(word) as stem from placed group by word
    ),
    lexemes as (
        select
            translation_id,
            string_agg(
                word || ':' || least(place, 16383) || ' ~' || stem || ':' || least(place, 16383), ' '
            )::tsvector as lexemes
        from placed inner join stemmed using (word)
        where stem <> ''
        group by translation_id
    )
    insert into isnad.french_search (translation_id, hadith_id, import_id, words, lexemes, size)
    select
        translation_id,
        hadith_id,
        import_id,
        words,
        lexemes,
        length(words) - length(replace(words, ' ', '')) - 1
    from folded inner join lexemes using (translation_id)
    order by translation_id;
    perform gin_clean_pending_list('isnad.french_search_lexemes');
    perform gin_clean_pending_list('isnad.french_vocabulary_near');
end
$$;

create function isnad.index_changed_translations() returns trigger
language plpgsql
as $$
begin
    perform isnad.index_french(array_agg(translation_id)) from changed where language = 'fr';
    return null;
end
$$;
create trigger index_french_insert after insert on isnad.translations
referencing new table as changed
for each statement execute function isnad.index_changed_translations();
create trigger index_french_update after update on isnad.translations
referencing new table as changed
for each statement execute function isnad.index_changed_translations();
-- Deleted translations leave by the foreign key; what a dataset brought is asked for only while the dataset is active.

create function isnad.count_french_words() returns trigger
language plpgsql security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
begin
    if tg_op = 'INSERT' then
        insert into isnad.french_vocabulary as v (lexeme, text_count)
        select lexeme, count(*) from changed cross join unnest(tsvector_to_array(lexemes)) as lexeme
        group by lexeme order by lexeme
        on conflict (lexeme) do update set text_count = v.text_count + excluded.text_count;
    else
        update isnad.french_vocabulary as v set text_count = v.text_count - gone.text_count
        from (
            select lexeme, count(*) as text_count
            from changed cross join unnest(tsvector_to_array(lexemes)) as lexeme
            group by lexeme
        ) as gone
        where v.lexeme = gone.lexeme;
        delete from isnad.french_vocabulary where text_count = 0;
    end if;
    return null;
end
$$;
create trigger count_insert after insert on isnad.french_search
referencing new table as changed
for each statement execute function isnad.count_french_words();
create trigger count_delete after delete on isnad.french_search
referencing old table as changed
for each statement execute function isnad.count_french_words();

-- Searches the French texts. One row a hit, best first; match_method and score as in search_hadith_texts:
--   exact     the whole query stands in the text, word for word, accents, elisions and apostrophes aside;
--   fulltext  all its words do, in any form of the same stem;
--   fuzzy     a part of them do, or words that differ by one letter.
-- A row without a hit and `needs_words` when the query holds nothing but stop words.
create function public.search_french_texts(query text, in_collection bigint default null, wanted integer default 6)
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
            inner join isnad.french_search as s on s.lexemes @@ p.any_of
            inner join isnad.hadiths as h on h.hadith_id = s.hadith_id
            where (in_collection is null or h.collection_id = in_collection)
                and exists (select from isnad.active_imports as i where i.import_id = s.import_id)
                and exists (select from isnad.active_imports as i where i.import_id = h.import_id)
            group by 1, 2
        ) as met
        group by 1 order by 2 desc, 1 limit 60
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
comment on function public.search_french_texts(text, bigint, integer) is
'Hadiths whose French text holds the query, best first; match_method needs_words alone when it holds only stop words.';

call isnad.protect();
