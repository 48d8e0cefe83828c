-- What `search_narrator` asks, for less: the query's key, words and sounds come with it (the functions make them, by rules
-- that tests hold to those of 0030), what is told of a hit is kept beside its name, and the meanings of all words of a
-- query are looked up at once.

-- What is sure of a sound: without the letters for vowels, and without the last one that an ending may bring or drop. All
-- sounds that one Latin word can have are sure of little else, so that they are looked up together.
create function isnad.rough_sound(sound text)
returns text
language sql
immutable
strict
parallel safe
return regexp_replace(translate(replace(sound, 'sh', 'c'), 'VAYEawy', ''), '[ht]$', '');

truncate isnad.narrator_names; -- filled anew below
alter table isnad.narrator_names add column item json not null;
comment on column isnad.narrator_names.lexemes is
'The words; after a tilde, the sounds of those in Arabic letters, after two what is sure of each; after a dash, each word as
it is and without one letter.';
comment on column isnad.narrator_names.item is 'What is told of a narrator who is found by this name.';

create or replace function isnad.index_narrators(ids bigint[])
returns void
language plpgsql
security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
begin
    delete from isnad.narrator_names where narrator_id = any(ids);
    insert into isnad.narrator_names (narrator_id, form_id, form, key, words, word_count, lexemes, prominence, item)
    with forms as materialized (
        select k.*, isnad.name_words(k.key) as words
        from (
            select distinct on (n.narrator_id, n.key) n.*
            from (
                select
                    f.narrator_id, f.form_id, f.form, isnad.name_key(f.form) as key, f.source_id, i.dataset_id, i.import_id
                from isnad.narrator_forms as f
                inner join isnad.active_imports as i on f.import_id = i.import_id
                where f.narrator_id = any(ids)
                union all
                select r.narrator_id, null, names.form, isnad.name_key(names.form), null, null, null
                from isnad.narrators as r
                cross join lateral (values (r.name_ar), (r.name_fr), (r.canonical_display)) as names (form)
                where r.narrator_id = any(ids) and names.form is not null
            ) as n
            where n.key <> ''
            order by n.narrator_id, n.key, length(n.form), n.form_id nulls last, n.form
        ) as k
    ),
    spelt as materialized ( -- each word once, not for each form
        select
            w.word,
            array[w.word]
            || case when a.sound is not null then array['~' || a.sound, '~~' || isnad.rough_sound(a.sound)] end
            || array(select '-' || n.near from unnest(isnad.search_near(w.word)) as n (near)) as lexemes
        from (select distinct unnest(f.words) as word from forms as f) as w
        cross join lateral (
            select case when w.word ~ '[\u0621-\u064A]' then isnad.arabic_sound(w.word) end as sound
        ) as a
    )
    select
        k.narrator_id, k.form_id, k.form, k.key, k.words,
        cardinality(array_remove(array_remove(string_to_array(k.key, ' '), 'بن'), 'bn')),
        array_to_tsvector(array(
            select l.lexeme
            from unnest(k.words) as w (word)
            inner join spelt as s on w.word = s.word
            cross join lateral unnest(s.lexemes) as l (lexeme)
        )),
        count(*) over (partition by k.narrator_id),
        json_build_object(
            'narrator_id', k.narrator_id, 'narrator_key', r.narrator_key, 'name_ar', r.name_ar, 'name_fr', r.name_fr,
            'canonical_display', r.canonical_display, 'display_status', r.canonical_display_status,
            'generation', r.generation, 'death_year_ah', r.death_year_ah, 'matched_form', k.form,
            'source_id', k.source_id, 'dataset_id', coalesce(k.dataset_id, a.dataset_id),
            'import_id', coalesce(k.import_id, a.import_id)
        )
    from forms as k
    inner join isnad.narrators as r on k.narrator_id = r.narrator_id
    inner join isnad.active_imports as a on r.import_id = a.import_id
    order by k.narrator_id, k.key;
end
$$;

insert into isnad.narrator_names_work
select narrator_id from isnad.narrators
order by narrator_id;
set constraints all immediate; -- now, since a table with work that is due cannot be altered
set constraints all deferred;

-- The same likely words as before; which of the words the index holds is asked once.
create or replace function isnad.likely_words(asked text)
returns text[]
language plpgsql
stable
as $$
declare
    given constant text [] := array_remove(array_remove(string_to_array(asked, ' '), 'بن'), 'bn');
    known text [];
    frequent text [];
    meant text [] := '{}';
    at integer := 1;
    part text;
    joined text;
    parts text [];
begin
    if asked ~ '[a-z]' then
        return given;
    end if;
    select coalesce(array_agg(v.word), '{}'), coalesce(array_agg(v.word) filter (where v.name_count > 4), '{}')
    into known, frequent
    from isnad.name_words as v where v.word = any(given);
    while at <= cardinality(given) loop
        part := given[at];
        joined := null;
        if part <> all(frequent) then
            if length(part) <= 4 and isnad.search_near(part) && array['بن', 'ابن', 'ان', 'اب', 'بنن'] then
                at := at + 1;
                continue;
            end if;
            parts := regexp_match(part, '^(عبد|عبيد)(ال.+)');
            if parts is not null and exists (select from isnad.name_words as v where v.word = parts[2]) then
                meant := meant || parts;
                at := at + 1;
                continue;
            end if;
        end if;
        if at < cardinality(given) and (
            part in ('عبد', 'عبيد') or part <> all(known) or given[at + 1] <> all(known)
        ) then
            if length(part) <= 4 and isnad.search_near(part) && array['ابو', 'ابي', 'ابا', 'اب', 'بو', 'بي'] then
                joined := 'ابو-' || given[at + 1];
            elsif (
                select count(*) from string_to_table('عبدال', null) as l (letter)
                where strpos(left(part || given[at + 1], 8), l.letter) > 0
            ) >= 4 then -- else it is near no such compound, of whose beginning one letter may be missing
                joined := (
                    select v.word from isnad.name_words as v
                    where v.near && isnad.search_near(part || given[at + 1]) and v.word ~ '^(عبد|عبيد)ال'
                    order by v.name_count desc limit 1
                );
            end if;
        end if;
        if joined is null then
            meant := meant || part;
            at := at + 1;
        else
            meant := meant || joined;
            at := at + 2;
        end if;
    end loop;
    return meant;
end
$$;

-- Candidates for a name of which not every word is known as written, or that is written in the other script, as
-- `find_alike_narrators` of 0032 finds them. `sounds`: of a Latin name, what each word but `ibn` can sound like, the
-- likeliest first, with blanks between; null of an Arabic one.
create function isnad.find_alike_names(
    asked text, sounds text[], in_narrators bigint[], wanted integer
)
returns table (name_id bigint, narrator_id bigint, closeness double precision)
language plpgsql
stable
rows 6
as $$
#variable_conflict use_column
declare
    given constant text [] := isnad.likely_words(asked);
    article constant text := case when sounds is null then 'ال' else 'al-' end;
    many constant double precision := 100000; -- a word's weight is how rare it is; any number far above the counts does
    units integer [];
    meanings text [];
    worths double precision []; -- beside units and meanings: what a meaning of a unit is worth
    groups text []; -- by unit: its meanings as a part of a tsquery, null where it has none
    weights double precision []; -- by unit
    whole double precision; -- the sum of the weights
    rarest integer;
    tried text;
begin
    for attempt in 1 .. 4 loop
        if attempt <= 2 then -- every word as written or by its sound, at first; then also as it may be misspelt
            with asked_words as materialized (
                select
                    w.word, w.unit, string_to_array(sounds[w.unit], ' ') as sounds,
                    case when w.word like article || '__%' then substr(w.word, length(article) + 1) else article || w.word
                    end as other,
                    case when w.word ~ '^(?:ابو|ام|abu|umm)-' then substr(w.word, strpos(w.word, '-') + 1) end as bare
                from unnest(given[:12]) with ordinality as w (word, unit)
            ),
            known as materialized (
                select
                    a.unit, v.word, v.name_count,
                    case v.word when a.word then 1.0 when a.other then 0.9 else 0.7 end as likeness
                from asked_words as a
                inner join isnad.name_words as v on v.word = any(array[a.word, a.other, a.bare])
                union all
                select a.unit, v.word, v.name_count, 0.95
                from asked_words as a
                inner join isnad.name_words as v on v.sound = any(a.sounds)
            ),
            found as materialized (
                select * from known
                union all
                select a.unit, v.word, v.name_count, case when length(a.word) <= 3 then 0.6 else 0.8 end
                from asked_words as a
                inner join isnad.name_words as v on v.near && isnad.search_near(a.word)
                where length(a.word) >= 2 and v.word not in (a.word, a.other, coalesce(a.bare, ''))
                    and (attempt = 2 or not exists (select from known as k where k.unit = a.unit))
                union all
                select a.unit, v.word, v.name_count, 0.7
                from asked_words as a
                inner join isnad.name_words as v on v.sound = any(array(
                    select distinct n.near
                    from unnest(a.sounds[:16]) as s (sound)
                    cross join unnest(isnad.search_near(s.sound)) as n (near)
                ))
                where length(a.word) >= 2 and v.sound <> all(a.sounds)
                    and (attempt = 2 or not exists (select from known as k where k.unit = a.unit))
            ),
            kept as materialized (
                select
                    a.unit, row_number() over (order by a.unit) as place,
                    ln(1 + many / coalesce(sum(f.name_count), 1)) as weight,
                    '(''' || string_agg(f.word, '''|''') || ''')' as words
                from asked_words as a
                left join found as f on a.unit = f.unit
                group by a.unit, a.word
                having count(f.word) > 0 or length(a.word) >= 3
            )
            select
                array_agg(k.place order by k.unit), array_agg(f.word order by k.unit),
                array_agg(f.likeness * k.weight order by k.unit),
                (select array_agg(k.words order by k.place) from kept as k),
                (select array_agg(k.weight order by k.place) from kept as k),
                (select sum(k.weight) from kept as k),
                (select k.place from kept as k where k.words is not null order by k.weight desc, k.place limit 1)
            into units, meanings, worths, groups, weights, whole, rarest
            from found as f
            inner join kept as k on f.unit = k.unit;
            exit when meanings is null;
        end if;
        tried := case attempt
            when 1 then case when array_position(groups, null) is null then array_to_string(groups, '&') end
            when 2 then (
                select string_agg('(' || one.words || ')', '|')
                from (
                    select string_agg(g.words, '&') as words
                    from generate_series(1, cardinality(groups)) as without (place)
                    cross join unnest(groups) with ordinality as g (words, place)
                    where g.place <> without.place and cardinality(groups) > 2
                    group by without.place
                    having count(*) = count(g.words)
                    union all
                    select array_to_string(groups, '&') where array_position(groups, null) is null
                ) as one
            )
            when 3 then (
                select groups[rarest] || '&(' || string_agg(g.words, '|') || ')'
                from unnest(groups) with ordinality as g (words, place)
                where g.place <> rarest and cardinality(groups) > 2
            )
            else groups[rarest]
        end;
        continue when tried is null;
        return query
        with met as materialized (
            select n.name_id, n.narrator_id, n.key, n.words, n.word_count, n.prominence
            from isnad.narrator_names as n
            where n.lexemes @@ tried::tsquery and (in_narrators is null or n.narrator_id = any(in_narrators))
            order by abs(n.word_count - cardinality(weights)), n.prominence desc, n.name_id
            limit 150 -- the rest has more words or fewer names
        )
        select hit.name_id, hit.narrator_id, hit.closeness
        from (
            select distinct on (met.narrator_id) met.name_id, met.narrator_id, met.prominence, c.closeness
            from met
            cross join lateral (
                select sum(best.worth) as worth
                from (
                    select max(worths[m.meaning]) as worth
                    from unnest(met.words) as w (word)
                    cross join lateral (select array_position(meanings, w.word) as meaning) as m
                    where m.meaning is not null
                    group by units[m.meaning]
                ) as best
            ) as s
            cross join lateral (
                select
                    s.worth / whole * (1 - 0.04 * least(abs(met.word_count - cardinality(weights)), 8))
                    * case
                        when sounds is not null then 1
                        else 1 - 0.5 * levenshtein(met.key, asked) / greatest(length(met.key), length(asked))
                    end as closeness
            ) as c
            order by met.narrator_id, c.closeness desc, met.word_count, met.name_id
        ) as hit
        order by hit.closeness + 0.02 * ln(1 + hit.prominence) desc, hit.narrator_id
        limit wanted;
        exit when found;
    end loop;
end
$$;

-- The same, for less, where each word of an Arabic name is in the index as written or, where it is not, is one letter away
-- from one that is. Any other name goes the long way.
create function isnad.find_near_names(asked text, sounds text[], in_narrators bigint[], wanted integer)
returns table (narrator_id bigint, item json, closeness double precision)
language plpgsql
stable
rows 6
as $$
#variable_conflict use_column
declare
    tried text;
    asked_count bigint;
    likeness double precision;
begin
    if sounds is null then
        select
            string_agg(
                '(''' || coalesce(
                    k.known, (select string_agg('-' || n.near, '''|''') from unnest(isnad.search_near(u.word)) as n (near))
                ) || ''')', '&'
            ),
            count(*),
            avg(case when k.known is not null then 1 when length(u.word) <= 3 then 0.6 else 0.8 end)
        into tried, asked_count, likeness
        from (
            select
                w.word,
                case when w.word like 'ال__%' then substr(w.word, 3) else 'ال' || w.word end as other,
                case when w.word ~ '^(?:ابو|ام)-' then substr(w.word, strpos(w.word, '-') + 1) end as bare
            from unnest((isnad.likely_words(asked))[:12]) as w (word)
        ) as u
        cross join lateral (
            select string_agg(v.word, '''|''') as known from isnad.name_words as v where v.word in (u.word, u.other, u.bare)
        ) as k;
        return query
        select hit.narrator_id, hit.item, hit.closeness
        from (
            select distinct on (met.narrator_id) met.item, met.narrator_id, met.prominence, c.closeness
            from (
                select
                    n.narrator_id, n.name_id, n.item, n.key, n.word_count, n.prominence,
                    abs(n.word_count - asked_count) as apart
                from isnad.narrator_names as n
                where n.lexemes @@ tried::tsquery and (in_narrators is null or n.narrator_id = any(in_narrators))
                order by apart, n.prominence desc, n.name_id
                limit 150 -- the rest has more words or fewer names
            ) as met
            cross join lateral (
                select
                    likeness * (1 - 0.04 * least(met.apart, 8))
                    * (1 - 0.5 * levenshtein(met.key, asked) / greatest(length(met.key), length(asked))) as closeness
            ) as c
            order by met.narrator_id, c.closeness desc, met.word_count, met.name_id
        ) as hit
        order by hit.closeness + 0.02 * ln(1 + hit.prominence) desc, hit.narrator_id
        limit wanted;
        if found then
            return;
        end if;
    end if;
    return query
    select a.narrator_id, n.item, a.closeness
    from isnad.find_alike_names(asked, sounds, in_narrators, wanted) with ordinality as a (
        name_id, narrator_id, closeness, place
    )
    inner join isnad.narrator_names as n on a.name_id = n.name_id
    order by a.place;
end
$$;

-- Beside `find_narrators` of 0032, which the functions of the release before ask while a deployment moves to the next.
-- `asked`: the name's key; `asked_padded`: what a form holds that holds the name; `all_words`: its words as a tsquery, null
-- where there are none; `any_words`: of a Latin name, its words in any writing and by any sound, `rough_words`: what is sure
-- of these; `sounds`: as above. One JSON object: `hits`, the best first, each with its
-- tier, beside a fuzzy one its closeness, and what is kept beside the name; `unknown_filter`, a filter that no narrator meets, with the values
-- that exist; then there are no hits. The tiers:
--   exact      a form of the narrator is the query;          prefix    it begins with the query;
--   substring  it holds the query's words in a row;          fulltext  it holds them all;
--   fuzzy      it holds something near, or sounds like it.
create function public.find_names(
    asked text,
    asked_padded text,
    all_words tsquery,
    rough_words tsquery,
    any_words tsquery,
    sounds text[],
    in_grade text,
    in_region text,
    in_generation text,
    wanted integer
)
returns json
language plpgsql
stable
security definer
set search_path = pg_catalog, isnad, public, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
    tiers constant text [] := array['exact', 'prefix', 'substring', 'fulltext', 'fuzzy'];
    in_narrators bigint [];
    unknown_filter text;
    known_values json;
    hits text;
    narrators bigint [];
    more_hits text;
    found_count integer;
    has_alike boolean;
begin
    if coalesce(in_grade, in_region, in_generation) is not null then
        unknown_filter := case
            when in_grade is not null and not exists (
                select from public.public_narrators as n
                where n.grade_tier = in_grade
            ) then 'grade_tier'
            when in_region is not null and not exists (
                select from public.public_narrators as n
                where n.region = in_region
            ) then 'region'
            when in_generation is not null and not exists (
                select from public.public_narrators as n
                where n.generation = in_generation
            ) then 'generation'
        end;
        if unknown_filter is not null then
            known_values := (
                select json_agg(distinct v.known_value)
                from public.public_narrators as n
                cross join lateral (
                    select case unknown_filter
                        when 'grade_tier' then n.grade_tier when 'region' then n.region else n.generation
                    end as known_value
                ) as v
                where v.known_value is not null
            );
            return json_build_object(
                'unknown_filter', unknown_filter, 'known_values', coalesce(known_values, '[]'), 'hits', '[]'::json
            );
        end if;
        in_narrators := array(
            select n.narrator_id from isnad.narrators as n
            where (in_grade is null or n.grade_tier = in_grade) and (in_region is null or n.region = in_region)
                and (in_generation is null or n.generation = in_generation)
        );
    end if;

    if rough_words is null then
        -- A form that many bear needs no more than its bearers.
        select count(*), array_agg(hit.narrator_id), string_agg('{"match_tier":"exact","name":' || hit.item || '}', ',')
        into found_count, narrators, hits
        from (
            select n.narrator_id, n.item
            from isnad.narrator_names as n
            where n.key = asked and (in_narrators is null or n.narrator_id = any(in_narrators))
            order by n.prominence desc, n.narrator_id
            limit wanted
        ) as hit;
        if found_count < wanted then
            select string_agg('{"match_tier":"' || tiers[hit.tier] || '","name":' || hit.item || '}', ',')
            into more_hits
            from (
                select *
                from (
                    select distinct on (n.narrator_id)
                        n.narrator_id, n.item, t.tier,
                        n.word_count - 0.5 * ln(n.prominence)
                        + case when t.tier = 4 and levenshtein(asked, n.key) > length(n.key) - length(asked) then 2 else 0 end
                            as rank
                    from isnad.narrator_names as n
                    cross join lateral (
                        select case strpos(n.padded, asked_padded) when 0 then 4 when 1 then 2 else 3 end as tier
                    ) as t
                    where n.lexemes @@ all_words and n.key <> asked
                        and (narrators is null or n.narrator_id <> all(narrators))
                        and (in_narrators is null or n.narrator_id = any(in_narrators))
                    order by n.narrator_id, t.tier, rank, n.name_id
                ) as best
                order by best.tier, best.rank, best.narrator_id
                limit wanted - found_count
            ) as hit;
            hits := coalesce(hits || ',' || more_hits, hits, more_hits);
        end if;
    else -- a Latin name is also the sound of Arabic ones: all tiers at once
        select
            count(*), array_agg(hit.narrator_id), bool_or(hit.tier = 5),
            string_agg(
                '{"match_tier":"' || tiers[hit.tier] || '","closeness":' || hit.closeness || ',"name":' || hit.item || '}', ','
            )
        into found_count, narrators, has_alike, hits
        from (
            select *
            from (
                select distinct on (met.narrator_id)
                    met.narrator_id, met.item, met.tier, c.closeness,
                    case met.tier
                        when 1 then -met.prominence
                        when 5 then -c.closeness - 0.02 * ln(1 + met.prominence)
                        else met.word_count - 0.5 * ln(met.prominence)
                    end as rank
                from (
                    select
                        n.narrator_id, n.name_id, n.item, n.key, n.word_count, n.prominence, t.tier,
                        abs(n.word_count - cardinality(sounds)) as apart
                    from isnad.narrator_names as n
                    cross join lateral (
                        select case
                            when n.key = asked then 1
                            when n.lexemes @@ all_words
                                then case strpos(n.padded, asked_padded) when 0 then 4 when 1 then 2 else 3 end
                            else 5
                        end as tier
                    ) as t
                    where n.lexemes @@ rough_words and (n.lexemes @@ any_words) is true -- not asked of the index
                        and (in_narrators is null or n.narrator_id = any(in_narrators))
                    order by t.tier, apart, n.prominence desc, n.name_id
                    limit 150 -- the rest has more words or fewer names
                ) as met
                cross join lateral ( -- a Latin form that is not the query's has another word or article
                    select case when met.key < 'ء' then 0.9 else 0.95 end * (1 - 0.04 * least(met.apart, 8)) as closeness
                ) as c
                order by met.narrator_id, met.tier, rank, met.name_id
            ) as best
            order by best.tier, best.rank, best.narrator_id
            limit wanted
        ) as hit;
    end if;
    if hits is null and asked <> '' or found_count < wanted and sounds is not null and has_alike is not true then
        more_hits := (
            select string_agg('{"match_tier":"fuzzy","closeness":' || hit.closeness || ',"name":' || hit.item || '}', ',')
            from (
                select a.item, a.closeness
                from isnad.find_near_names(asked, sounds, in_narrators, wanted) as a
                where narrators is null or a.narrator_id <> all(narrators)
                limit wanted - found_count
            ) as hit
        );
        hits := coalesce(hits || ',' || more_hits, hits, more_hits);
    end if;
    return '{"unknown_filter":null,"hits":[' || coalesce(hits, '') || ']}';
end
$$;
comment on function public.find_names(text, text, tsquery, tsquery, tsquery, text[], text, text, text, integer) is
'Candidate narrators for a name, as one JSON object.';

call isnad.protect();
