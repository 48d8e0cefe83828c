-- Arabic search: an index of the folded words of every hadith, kept true by triggers, and the one function that asks it.
--
-- A text is reduced to its folded words. Each word is indexed twice, as itself and as its stem (attached و ف ب ل ك ال and
-- endings taken off; a stem is marked with ~). The vocabulary holds each word once, with the number of its hadiths and
-- its one-letter neighbourhood, so that a misspelt word is looked up among words and never among texts.
create extension if not exists fuzzystrmatch;

create table isnad.hadith_search (
    hadith_id bigint primary key references isnad.hadiths on delete cascade,
    collection_id bigint not null,
    words text not null,
    lexemes tsvector not null,
    size integer not null,
    bulk real not null,
    chain_letters integer not null,
    chain_words integer not null
) with (toast_tuple_target = 8160); -- whole rows in their page: most of them are just over the usual limit
comment on table isnad.hadith_search is 'Search index of isnad.hadiths of active datasets; written by triggers only.';
comment on column isnad.hadith_search.words is 'The folded words, one blank before, between and after.';
comment on column isnad.hadith_search.lexemes is 'Each word and ~stem with its places; weight A in the matn.';
comment on column isnad.hadith_search.size is 'Number of words.';
comment on column isnad.hadith_search.bulk is 'Logarithm of how much longer than usual; a long text holds many words by chance.';
comment on column isnad.hadith_search.chain_letters is 'Characters of words before the matn; 0 when that is not known.';
comment on column isnad.hadith_search.chain_words is 'Words before the matn; 0 when that is not known.';

-- Folded text to its words: whatever is neither letter nor digit separates.
create function isnad.search_words(folded text) returns text
language sql immutable strict parallel safe
return ' ' || btrim(regexp_replace(folded, '[^[:alnum:]]+', ' ', 'g')) || ' ';

-- Words to stems, word for word. Three letters stay after a prefix, two before an ending.
create function isnad.search_stems(words text) returns text
language sql immutable strict parallel safe
return regexp_replace(
    regexp_replace(words, ' (?:[وف](?:[بك]?ال|لل|[بلك])?|[بك]?ال|لل|[بلك])(?=[^ ]{3})', ' ', 'g'),
    '(?<=[^ ]{2})(?:هما|كما|ها|هم|هن|نا|ني|كم|ون|ين|ان|ات|وا|ه|ك|ت|ي|ا)+\M', '', 'g'
);

-- Honorifics, as a pattern. Like the words of transmission they say nothing about a hadith.
create function isnad.search_honorifics() returns text
language sql immutable parallel safe
return
'صلي الله عليه (?:واله |وعلي اله )?وسلم|صلوات الله عليه|عليه(?:ما|م)? (?:الصلاه و)?السلام'
'|رضي الله (?:تعالي )?عنه(?:ما|م|ن|ا)?|رضوان الله عليه(?:ما|م)?|رحمه(?:ما|م|ا)? الله|عز وجل|جل جلاله'
'|تبارك وتعالي|سبحانه وتعالي';

-- Words without both. At the two ends an honorific may be cut off, as in a passage copied from the middle of a line.
create function isnad.search_content(words text) returns text
language sql immutable strict parallel safe
return regexp_replace(
    regexp_replace(
        words,
        '^ (?:(?:الله )?عليه )?وسلم(?= [^ ])| صلي الله(?: عليه(?: واله)?)?(?= $)| رضي الله(?= $)', ''
    ),
    ' (?:' || isnad.search_honorifics()
    || '|[وف]?(?:قال|قالت|قالا|قالوا|يقول|حدثنا|حدثني|اخبرنا|اخبرني|انبانا|انباني|سمعت))(?= )',
    '', 'g'
);

-- Words without the honorifics at the two ends. What else is idle stays, to keep what is around it in its place.
create function isnad.search_core(words text) returns text
language sql immutable strict parallel safe
return regexp_replace(
    words,
    '^(?: (?:' || isnad.search_honorifics() || '))+(?= )|(?: (?:' || isnad.search_honorifics() || '))+(?= $)', '', 'g'
);

-- The word and all that it becomes when one letter is dropped: two words that share one of these differ by one letter.
create function isnad.search_near(word text) returns text[]
language sql immutable strict parallel safe
return case
    when length(word) < 3 then array[word]
    else (
        select array_agg(distinct overlay(word placing '' from at for 1)) || word
        from generate_series(1, length(word)) as drop (at)
    )
end;

create table isnad.search_vocabulary (
    lexeme text collate "C" primary key,
    hadith_count integer not null check (hadith_count >= 0),
    hadiths bigint[], -- null where there are more than two thousand: then the list would tell little and cost much
    stem text collate "C" generated always as (
        case when lexeme not like '~%' then btrim(isnad.search_stems(' ' || lexeme || ' ')) end
    ) stored,
    near text[] collate "C" generated always as (
        case when lexeme not like '~%' then isnad.search_near(lexeme) end
    ) stored
) with (fillfactor = 80);
comment on table isnad.search_vocabulary is
'Words and ~stems of isnad.hadith_search with the number of hadiths of each; ~ alone counts the hadiths.';

create index hadith_search_lexemes on isnad.hadith_search using gin (lexemes);
create index search_vocabulary_stem on isnad.search_vocabulary (stem);
create index search_vocabulary_near on isnad.search_vocabulary using gin (near);

-- Writes the index rows of these hadiths anew. Stems are made once for each distinct word, which is what makes a load of
-- thousands quick; the waiting lists of the GIN indexes are merged at once, so that a search never reads through one.
create function isnad.index_hadiths(ids bigint[]) returns void
language plpgsql security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
begin
    delete from isnad.hadith_search where hadith_id = any(ids);
    with parts as materialized ( -- each letter is folded once: it is what costs most
        select
            h.hadith_id,
            h.collection_id,
            public.isnad_fold(left(h.text_ar, coalesce(h.matn_start, 0))) as chain,
            public.isnad_fold(substr(h.text_ar, coalesce(h.matn_start, 0) + 1)) as matn
        from isnad.hadiths as h
        inner join isnad.active_imports as i on h.import_id = i.import_id
        where h.hadith_id = any(ids) and h.text_ar is not null
    ),

    folded as materialized (
        select
            hadith_id,
            collection_id,
            isnad.search_words(chain || matn) as words,
            isnad.search_words(chain) as chain
        from parts
    ),

    measured as (
        select
            *,
            length(words) - length(replace(words, ' ', '')) - 1 as size,
            case when chain = '  ' then 0 else length(chain) - length(replace(chain, ' ', '')) - 1 end as chain_words
        from folded
    ),
    placed as materialized (
        select m.hadith_id, w.word, w.place, case when w.place > m.chain_words then 'A' else '' end as weight
        from measured as m
        cross join string_to_table(btrim(m.words), ' ') with ordinality as w (word, place)
        where length(w.word) between 1 and 40 -- a longer run of letters is no word
    ),
    stemmed as materialized (
        select word, btrim(isnad.search_stems(' ' || word || ' ')) as stem from placed group by word
    ),
    lexemes as (
        select
            hadith_id,
            string_agg(
                word || ':' || place || weight || ' ~' || stem || ':' || place || weight, ' '
            )::tsvector as lexemes
        from placed inner join stemmed using (word)
        group by hadith_id
    )
    insert into isnad.hadith_search (hadith_id, collection_id, words, lexemes, size, bulk, chain_letters, chain_words)
    select
        hadith_id,
        collection_id,
        words,
        lexemes,
        size,
        greatest(ln(size / 64.0), 0),
        case when chain_words = 0 then 0 else length(chain) - 1 end,
        chain_words
    from measured inner join lexemes using (hadith_id)
    order by hadith_id;
    perform gin_clean_pending_list('isnad.hadith_search_lexemes');
    perform gin_clean_pending_list('isnad.search_vocabulary_near');
end
$$;

create function isnad.index_changed_hadiths() returns trigger
language plpgsql
as $$
begin
    if tg_op = 'INSERT' then
        perform isnad.index_hadiths(array_agg(hadith_id)) from changed;
    else -- an update that touches neither text nor place in the collection leaves the index alone
        perform isnad.index_hadiths(array_agg(hadith_id)) from (
            select hadith_id from (
                select hadith_id, collection_id, text_ar, matn_start, import_id from changed
                except
                select hadith_id, collection_id, text_ar, matn_start, import_id from former
            ) as differing
        ) as differing;
    end if;
    return null;
end
$$;
create trigger index_insert after insert on isnad.hadiths
referencing new table as changed
for each statement execute function isnad.index_changed_hadiths();
create trigger index_update after update on isnad.hadiths
referencing new table as changed old table as former
for each statement execute function isnad.index_changed_hadiths();
-- Deleted hadiths leave by the foreign key.

-- What a dataset brought is found only while the dataset is active.
create function isnad.index_changed_datasets() returns trigger
language plpgsql
as $$
begin
    perform isnad.index_hadiths(array_agg(h.hadith_id))
    from isnad.hadiths as h
    inner join isnad.imports as i on h.import_id = i.import_id
    inner join changed as c on i.dataset_id = c.dataset_id
    inner join former as f on c.dataset_id = f.dataset_id and c.active <> f.active;
    return null;
end
$$;
create trigger index_datasets after update on isnad.datasets
referencing new table as changed old table as former
for each statement execute function isnad.index_changed_datasets();

-- The vocabulary follows the index. Words are taken in order, so that two writers wait for each other and never deadlock.
create function isnad.count_words() returns trigger
language plpgsql security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
declare
    listed constant integer := 2000;
begin
    if tg_op = 'TRUNCATE' then
        delete from isnad.search_vocabulary;
    elsif tg_op = 'INSERT' then
        -- Words that are there already first: a row that is proposed and not inserted has its neighbourhood made in vain.
        perform from isnad.search_vocabulary
        where lexeme in (select unnest(tsvector_to_array(lexemes) || '~'::text) from changed)
        order by lexeme for update;
        with come as materialized (
            select lexeme, count(*) as hadith_count, array_agg(hadith_id) as hadiths
            from changed cross join unnest(tsvector_to_array(lexemes) || '~'::text) as lexeme
            group by lexeme
        ),

        counted as (
            update isnad.search_vocabulary as v set
                hadith_count = v.hadith_count + come.hadith_count,
                hadiths = case
                    when v.hadiths is not null and v.hadith_count + come.hadith_count <= listed
                        then v.hadiths || come.hadiths
                end
            from come
            where v.lexeme = come.lexeme
            returning v.lexeme
        )

        insert into isnad.search_vocabulary as v (lexeme, hadith_count, hadiths)
        select lexeme, hadith_count, case when hadith_count <= listed and lexeme <> '~' then hadiths end
        from come
        where lexeme not in (select lexeme from counted)
        order by lexeme
        on conflict (lexeme) do update set -- another writer was quicker
            hadith_count = v.hadith_count + excluded.hadith_count,
            hadiths = case
                when v.hadiths is not null and v.hadith_count + excluded.hadith_count <= listed
                    then v.hadiths || excluded.hadiths
            end;
    else
        perform from isnad.search_vocabulary
        where lexeme in (select unnest(tsvector_to_array(lexemes) || '~'::text) from changed)
        order by lexeme for update;
        with gone as (
            select lexeme, count(*) as hadith_count, array_agg(hadith_id) as hadiths
            from changed cross join unnest(tsvector_to_array(lexemes) || '~'::text) as lexeme
            group by lexeme
        )
        update isnad.search_vocabulary as v set
            hadith_count = v.hadith_count - gone.hadith_count,
            hadiths = case
                when v.hadiths is not null
                    then array(select kept from unnest(v.hadiths) as kept where kept <> all(gone.hadiths))
                when v.hadith_count - gone.hadith_count <= listed / 2 and v.lexeme <> '~'
                    then array(select s.hadith_id from isnad.hadith_search as s where s.lexemes @@ v.lexeme::tsquery)
            end
        from gone
        where v.lexeme = gone.lexeme;
        delete from isnad.search_vocabulary
        where hadith_count = 0 and lexeme in (select unnest(tsvector_to_array(lexemes) || '~'::text) from changed);
    end if;
    return null;
end
$$;
create trigger count_insert after insert on isnad.hadith_search
referencing new table as changed
for each statement execute function isnad.count_words();
create trigger count_delete after delete on isnad.hadith_search
referencing old table as changed
for each statement execute function isnad.count_words();
create trigger count_truncate after truncate on isnad.hadith_search
for each statement execute function isnad.count_words();


-- A word of the vocabulary that may stand for a word of the query: at which place of the query, how like it (0 to 1), how
-- it is asked of the index, and what finding it is worth: more the rarer all that is as like.
create type isnad.search_form as (
    place integer,
    lexeme text,
    probe text,
    likeness double precision,
    spread double precision,
    worth double precision
);

-- The forms of the rarest forty words: those that share the stem. When `loose`, of the rarest sixteen also those that
-- differ by one letter and those that gluing or splitting makes. What is no content counts a fifth.
create function isnad.search_forms(asked text, content text, loose boolean) returns isnad.search_form[]
language sql stable
begin atomic
    with given as materialized (
        select split.word, split.place, coalesce(v.hadith_count, 0) as hadith_count
        from (
            select word, min(place)::integer as place
            from string_to_table(btrim(asked), ' ') with ordinality as one (word, place)
            where length(word) <= 40 group by word
        ) as split
        left join lateral (
            select hadith_count from isnad.search_vocabulary where lexeme = split.word offset 0
        ) as v on true
    ),
    rarest as materialized (
        select
            *,
            btrim(isnad.search_stems(' ' || word || ' ')) as stem,
            case when strpos(content, ' ' || word || ' ') > 0 then 1 else 0.2 end as weight
        from (
            select * from given order by hadith_count = 0, hadith_count, place
            limit case when loose then 16 else 40 end
        ) as few
    ),
    forms as (
        select
            r.place, v.lexeme, '~' || r.stem as probe, v.hadith_count, 1 as tier,
            r.weight * case
                when right(v.lexeme, length(r.word)) = r.word or right(r.word, length(v.lexeme)) = v.lexeme
                    then 1 - 0.03 * abs(length(v.lexeme) - length(r.word)) -- only what is attached before it differs
                else greatest(0.6, 1 - 0.1 * levenshtein(v.lexeme, r.word))
            end as likeness
        from rarest as r
        cross join
            lateral (
                select lexeme, hadith_count from isnad.search_vocabulary where stem = r.stem offset 0
            ) as v
        union all
        select
            r.place, v.lexeme, v.lexeme, v.hadith_count, 2,
            r.weight * case length(r.word) when 3 then 0.55 when 4 then 0.7 else 0.8 end
        from rarest as r
        cross join
            lateral (
                select lexeme, hadith_count from isnad.search_vocabulary
                where near && isnad.search_near(r.word) and lexeme <> r.word offset 0
            ) as v
        where loose and length(r.word) > 2
        union all -- a word that nobody has
        select place, word, word, 1, 1, weight from rarest where hadith_count = 0
        union all -- a word with more put on than a stem takes off
        select r.place, v.lexeme, v.lexeme, v.hadith_count, 2, r.weight * 0.75
        from rarest as r
        cross join
            lateral (
                values (substr(r.word, 3)), (left(r.word, -2)), (left(r.word, -3))
            ) as cut (word)
        cross join
            lateral (
                select lexeme, hadith_count from isnad.search_vocabulary where lexeme = cut.word offset 0
            ) as v
        where loose and r.hadith_count = 0 and length(cut.word) > 2
        union all -- one word that was two
        select
            r.place, left(r.word, cut) || ' ' || substr(r.word, cut + 1),
            case when head.hadith_count < tail.hadith_count then left(r.word, cut) else substr(r.word, cut + 1) end,
            least(head.hadith_count, tail.hadith_count) / 8 + 1, 2, 0.85
        from rarest as r
        cross join generate_series(1, length(r.word) - 1) as cut
        cross join
            lateral (
                select hadith_count from isnad.search_vocabulary where lexeme = left(r.word, cut) offset 0
            ) as head
        cross join
            lateral (
                select hadith_count from isnad.search_vocabulary where lexeme = substr(r.word, cut + 1) offset 0
            ) as tail
        where loose and r.hadith_count = 0
        union all -- two words that were one
        select part.place, v.lexeme, v.lexeme, v.hadith_count, 2, 0.7
        from given as g
        inner join given as n on n.place = g.place + 1
        cross join
            lateral (
                select lexeme, hadith_count from isnad.search_vocabulary where lexeme = g.word || n.word offset 0
            ) as v
        cross join lateral (values (g.place), (n.place)) as part (place)
        where loose and (select count(*) from given) <= 16
    )
    select
        array_agg(
            (place, lexeme, probe, likeness, spread, likeness * ln(1 + (
                select coalesce(max(hadith_count), 1)::double precision from isnad.search_vocabulary where lexeme = '~'
            ) / spread))::isnad.search_form
        )
    from (
        select
            place, lexeme, probe, likeness,
            (sum(hadith_count) over (partition by place order by tier))::double precision as spread
        from (
            select place, lexeme, hadith_count, min(probe) as probe, max(likeness) as likeness, min(tier) as tier
            from forms group by place, lexeme, hadith_count
        ) as best
    ) as counted;
end;

-- Hadiths that hold forms of the three rarest words, first those where most neighbours of the query are neighbours.
-- This finds what is made of frequent words alone.
create function isnad.search_neighbours(forms isnad.search_form[], in_collection bigint) returns bigint[]
language sql stable
begin atomic
    with each_word as materialized (
        select place, '(' || string_agg(distinct probe, '|') || ')' as any_of, max(spread) as spread
        from unnest(forms) where likeness > 0.2 group by place
    ),
    pairs as materialized (
        select (a.any_of || '<->' || b.any_of)::tsquery as pair
        from each_word as a inner join each_word as b on b.place = a.place + 1
    )
    select array_agg(hadith_id)
    from (
        select hadith_id
        from (
            select h.hadith_id, h.size, h.lexemes
            from (
                select string_agg(any_of, '&')::tsquery as query
                from (select any_of from each_word order by spread, place limit 3) as rarest
            ) as three
            inner join isnad.hadith_search as h on h.lexemes @@ three.query
            where in_collection is null or h.collection_id = in_collection
            limit 400
        ) as near
        order by (select count(*) from pairs where near.lexemes @@ pair) desc, size, hadith_id asc
        limit 30
    ) as nearest;
end;

-- The forty hadiths that hold forms of the greatest worth in sum: first by the lists of the vocabulary, rarest first and
-- some ten thousand entries at the most, then, for the best of these, by all that they hold.
create function isnad.search_richest(forms isnad.search_form[], in_collection bigint) returns bigint[]
language sql stable
begin atomic
    with probes as materialized (
        select
            p.place, p.probe, p.worth, p.likeness, v.hadiths,
            v.hadiths is not null and sum(v.hadith_count) over (order by p.spread, p.place, p.probe) <= 10000 as rare
        from (
            select place, probe, spread, max(worth) as worth, max(likeness) as likeness
            from unnest(forms) group by place, probe, spread
        ) as p
        cross join lateral (
            select hadith_count, hadiths from isnad.search_vocabulary where lexeme = p.probe offset 0
        ) as v
    ),
    rich as materialized (
        select hadith_id, sum(worth) as worth, sum(likeness) as likeness
        from (
            select h.hadith_id, p.place, max(p.worth) as worth, max(p.likeness) as likeness
            from probes as p cross join unnest(p.hadiths) as h (hadith_id)
            where p.rare
            group by h.hadith_id, p.place
        ) as each_word
        group by hadith_id order by 2 desc, 1 limit 300
    ),
    frequent as materialized (
        select place, max(worth) as worth, max(likeness) as likeness, string_agg(probe, '|')::tsquery as any_of
        from probes where not rare group by place
    )
    select array_agg(hadith_id)
    from (
        select r.hadith_id
        from rich as r
        inner join isnad.hadith_search as h on r.hadith_id = h.hadith_id
        left join frequent as f on h.lexemes @@ f.any_of
        where in_collection is null or h.collection_id = in_collection
        group by r.hadith_id, r.worth, r.likeness, h.bulk
        order by
            r.worth - 0.8 * r.likeness * h.bulk + coalesce(sum(f.worth - 0.8 * f.likeness * h.bulk), 0) desc,
            r.hadith_id
        limit 40
    ) as richest;
end;

-- Lays the query along each hadith at its best place. A form counts its worth and, the nearer it stands to where the query
-- has it, up to 4.2 more, the logarithm of the usual number of words; so chance counts the same as rarity.
--   closeness  what was found of what could be, 0 to 1
--   tightness  how near what was found stands to its place, 0 to 1
create function isnad.search_compare(forms isnad.search_form[], hadiths bigint[], wanted integer)
returns table (hadith_id bigint, closeness double precision, tightness double precision)
language sql stable rows 6
begin atomic
    with form as materialized (
        select place, lexeme, likeness, worth from unnest(forms)
    ),
    met as materialized (
        select hadith_id, at, place, worth * share as worth, likeness * share as likeness
        from (
            select hadith_id, at, place, worth, likeness, case when at > chain_words then 1 else 0.9 end as share
            from (
                select h.hadith_id, h.chain_words, d.at, f.place, f.worth, f.likeness
                from (select distinct unnest(hadiths) as hadith_id) as one
                inner join isnad.hadith_search as h on one.hadith_id = h.hadith_id
                cross join string_to_table(btrim(h.words), ' ') with ordinality as d (word, at)
                inner join form as f on d.word = f.lexeme
                union all
                select
                    h.hadith_id,
                    h.chain_words,
                    regexp_count(left(h.words, strpos(h.words, ' ' || f.lexeme || ' ')), ' '),
                    f.place, f.worth, f.likeness
                from form as f
                cross join (select distinct unnest(hadiths) as hadith_id) as one
                inner join isnad.hadith_search as h on one.hadith_id = h.hadith_id
                where f.lexeme like '% %' and strpos(h.words, ' ' || f.lexeme || ' ') > 0
            ) as found
        ) as weighed
    ),
    anchors as (
        select hadith_id, at, place, rank
        from (
            select *, row_number() over (partition by hadith_id order by worth desc, at asc, place asc) as rank from met
        ) as ranked
        where rank <= 6
    ),
    fits as (
        select hadith_id, rank, sum(fit) as fit, sum(most) as most
        from (
            select
                a.hadith_id, a.rank, m.place,
                max(greatest(0, m.worth + m.likeness * (
                    4.2 - ln(1 + 2 * abs(m.at - a.at - (m.place - a.place))::double precision)
                ))) as fit,
                max(m.worth + 4.2 * m.likeness) as most
            from anchors as a inner join met as m on a.hadith_id = m.hadith_id
            group by a.hadith_id, a.rank, m.place
        ) as each_word
        group by hadith_id, rank
    )
    select
        best.hadith_id, best.fit / (
            select sum(most) from (select max(worth + 4.2 * likeness) as most from form group by place) as each_word
        ), best.fit / best.most
    from
        (select distinct on (hadith_id) hadith_id, fit, most from fits order by hadith_id asc, fit desc, rank asc)
            as best
    order by best.fit desc, best.hadith_id asc limit wanted;
end;

-- Searches the Arabic texts. One row a hit, best first:
--   match_method  exact: the whole query stands in the text, word for word after folding;
--                 fulltext: all its words or their stems do, honorifics and words of transmission aside;
--                 fuzzy: something near it does;
--                 needs_words: no hit, because the query holds nothing but honorifics and words of transmission.
--   score         above 0, at most 1, falling from hit to hit.
create function public.search_hadith_texts(query text, in_collection bigint default null, wanted integer default 6)
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
    frequent constant text := ' الله حدثنا عليه وسلم رسول النبي فقال محمد اخبرنا حدثني سعيد يحيي وحدثنا سمعت يقول هريره '
        'ابراهيم مالك وقال الرحمن ابيه اخبرني عايشه عمرو شعبه سفيان قالت عبيد شيبه اسحاق عنهما الناس وحدثني قالا عباس '
        'اسماعيل شهاب هشام موسي بهذا الزهري فلما سلمه يونس نافع سليمان يعني يزيد الاسناد حديث جعفر وكان المثني عنها خالد '
        'الذي عروه فقلت جابر فاذا قتيبه الاعمش وابو قالوا قتاده ايوب الليث وابن زهير حميد اليه ';
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
    forms isnad.search_form[];
    found bigint[];
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
        select array_agg(hit.hadith_id) into found
        from (
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
        ) as hit;
        if found is not null then
            return query
            select hit.hadith_id, case when phrase = asked then 'exact' else 'fulltext' end,
                case when phrase = asked then 1 else 0.95 end - 0.001::double precision * (hit.place - 1)
            from unnest(found) with ordinality as hit (hadith_id, place);
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
        into hits, found, word_rank, stem_rank
        from (
            select s.hadith_id, s.size,
                ts_rank_cd('{0.7,0.7,0.7,1}', s.lexemes, all_words) as word_rank,
                ts_rank_cd('{0.7,0.7,0.7,1}', s.lexemes, all_stems) as stem_rank
            from isnad.hadith_search as s
            where s.lexemes @@ coalesce(('~' || rare)::tsquery, all_stems) and s.lexemes @@ all_stems
                and (in_collection is null or s.collection_id = in_collection)
            limit 400
        ) as hit;
        -- All words as written, in a stretch not much longer than the query, and no stems closer together.
        if cardinality(each_word) > 1 and word_rank > 0.06 and stem_rank < 1.25 * word_rank then
            return query
            select hit.hadith_id, 'fulltext', 0.9 - 0.001::double precision * hit.place
            from unnest(hits[:wanted]) with ordinality as hit (hadith_id, place);
            return;
        end if;
        if found is not null then
            forms := isnad.search_forms(isnad.search_core(asked), content, false);
            if cardinality(found) > 20 then -- first those that hold a word nearly as it is asked
                all_words := (select string_agg(distinct lexeme, '|')::tsquery from unnest(forms) where likeness > 0.88);
                found := array(
                    select s.hadith_id
                    from unnest(found) with ordinality as one (hadith_id, place)
                    inner join isnad.hadith_search as s on one.hadith_id = s.hadith_id
                    order by s.lexemes @@ all_words desc, one.place
                );
            end if;
            select array_agg(c.hadith_id), array_agg(c.closeness), (array_agg(c.tightness))[1] into hits, closeness, best
            from isnad.search_compare(forms, found[:20], wanted) as c;
        end if;
    end if;
    if found is null or best < 0.95 then
        forms := isnad.search_forms(isnad.search_core(asked), content, is_short);
        found := found[:10] || isnad.search_richest(forms, in_collection);
        select array_agg(c.hadith_id), array_agg(c.closeness), (array_agg(c.tightness))[1] into hits, closeness, best
        from isnad.search_compare(forms, found, wanted) as c;
        if is_short and (best is null or best < 0.95) then
            found := found || isnad.search_neighbours(forms, in_collection);
            select array_agg(c.hadith_id), array_agg(c.closeness) into hits, closeness
            from isnad.search_compare(forms, found, wanted) as c;
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
comment on function public.search_hadith_texts(text, bigint, integer) is
'Hadiths whose Arabic text holds the query, best first; match_method needs_words alone when it holds only honorifics.';

call isnad.protect();
