-- What `search_narrator` asks.

-- The words of the index that a word of a query may mean, each with how well it fits (at most 1, which is the word
-- itself); nothing where the index holds nothing near. A Latin word is looked up by its sound among Arabic words too.
create function isnad.alike_name_words(asked text, misspelt boolean)
returns table (word text, likeness double precision, name_count integer)
language plpgsql
stable
rows 4
as $$
#variable_conflict use_column
declare
    is_latin constant boolean := asked ~ '^[a-z]';
    article constant text := case when is_latin then 'al-' else 'ال' end;
    other constant text := case
        when asked like article || '__%' then substr(asked, length(article) + 1) else article || asked
    end;
    bare constant text := case when asked ~ '^(?:ابو|ام|abu|umm)-' then substr(asked, strpos(asked, '-') + 1) end;
    asked_near text [];
    asked_sounds text [];
begin
    return query
    select v.word, case v.word when asked then 1.0 when other then 0.9 else 0.7 end::double precision, v.name_count
    from isnad.name_words as v
    where v.word in (asked, other, bare);
    if is_latin then
        asked_sounds := isnad.latin_sounds(asked);
        return query
        select v.word, 0.95::double precision, v.name_count from isnad.name_words as v
        where v.sound = any(asked_sounds);
    end if;
    if not misspelt or length(asked) < 2 then
        return;
    end if;
    asked_near := isnad.search_near(asked);
    return query
    select v.word, case when length(asked) <= 3 then 0.6 else 0.8 end::double precision, v.name_count
    from isnad.name_words as v
    where v.near && asked_near and v.word not in (asked, other, coalesce(bare, ''));
    if is_latin then
        return query
        select v.word, 0.7::double precision, v.name_count
        from isnad.name_words as v
        where v.sound <> all(asked_sounds) and v.sound = any(array(
            select distinct n.near
            from unnest(asked_sounds[:16]) as s (sound)
            cross join unnest(isnad.search_near(s.sound)) as n (near)
        ));
    end if;
end
$$;

-- The words of a key but `ibn`, as they are most likely meant where one is not in the index: a slip in `ibn`, in the
-- first part of a compound name or between its parts (`اوب يحيي`, `عبد لاله`), and a compound that the key made of two
-- names.
create function isnad.likely_words(asked text)
returns text[]
language plpgsql
stable
as $$
declare
    given constant text [] := array_remove(array_remove(string_to_array(asked, ' '), 'بن'), 'bn');
    meant text [] := '{}';
    at integer := 1;
    part text;
    joined text;
    parts text [];
begin
    if asked ~ '[a-z]' then
        return given;
    end if;
    while at <= cardinality(given) loop
        part := given[at];
        joined := null;
        if not exists (select from isnad.name_words as v where v.word = part and v.name_count > 4) then
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
            part in ('عبد', 'عبيد') or not exists (select from isnad.name_words as v where v.word = part)
            or not exists (select from isnad.name_words as v where v.word = given[at + 1])
        ) then
            if length(part) <= 4 and isnad.search_near(part) && array['ابو', 'ابي', 'ابا', 'اب', 'بو', 'بي'] then
                joined := 'ابو-' || given[at + 1];
            else
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

-- Candidates for a name of which not every word is known as written, or that is written in the other script. Each word
-- of the query becomes what it may mean; tried are, until something is found: all words, only unknown ones misspelt;
-- all but one; the rarest and one more; the rarest alone.
create function isnad.find_alike_narrators(asked text, in_narrators bigint[], wanted integer)
returns table (name_id bigint, narrator_id bigint, closeness double precision)
language plpgsql
stable
rows 6
as $$
#variable_conflict use_column
declare
    is_latin constant boolean := asked ~ '[a-z]';
    many constant double precision := 100000; -- a word's weight is how rare it is; any number far above the counts does
    given constant text [] := isnad.likely_words(asked);
    part text;
    found_words text [];
    found_likenesses double precision [];
    found_count bigint;
    units integer [];
    meanings text [];
    worths double precision []; -- beside units and meanings: what a meaning of a unit is worth
    groups text []; -- by unit: its meanings as a part of a tsquery, null where it has none
    weights double precision []; -- by unit
    rarest integer;
    tried text;
begin
    for attempt in 1 .. 4 loop
        if attempt <= 2 then
            units := '{}';
            meanings := '{}';
            worths := '{}';
            groups := '{}';
            weights := '{}';
            foreach part in array given[:12] loop
                select array_agg(a.word), array_agg(a.likeness), sum(a.name_count)
                into found_words, found_likenesses, found_count
                from isnad.alike_name_words(part, attempt = 2) as a;
                if found_words is null and attempt = 1 then
                    select array_agg(a.word), array_agg(a.likeness), sum(a.name_count)
                    into found_words, found_likenesses, found_count
                    from isnad.alike_name_words(part, true) as a;
                end if;
                continue when found_words is null and length(part) < 3;
                weights := weights || ln(1 + many / coalesce(found_count, 1));
                groups := groups || ('(''' || array_to_string(found_words, '''|''') || ''')');
                for meaning in 1 .. coalesce(cardinality(found_words), 0) loop
                    units := units || cardinality(weights);
                    meanings := meanings || found_words[meaning];
                    worths := worths || found_likenesses[meaning] * weights[cardinality(weights)];
                end loop;
            end loop;
            exit when meanings = '{}';
            rarest := (
                select g.place from unnest(groups, weights) with ordinality as g (words, weight, place)
                where g.words is not null order by g.weight desc, g.place limit 1
            );
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
                    s.worth / (select sum(weight) from unnest(weights) as weight)
                    * (1 - 0.04 * least(abs(met.word_count - cardinality(weights)), 8))
                    * case
                        when is_latin then 1
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

-- Candidates for a name, the best first; one row at least. `unknown_filter` names a filter that no narrator meets, with
-- the values that exist; then there are no candidates. The tiers, on the keys of 0030:
--   exact      a form of the narrator is the query;          prefix    it begins with the query;
--   substring  it holds the query's words in a row;          fulltext  it holds them all;
--   fuzzy      it holds something near, or sounds like it.
create function public.find_narrators(
    query text, query_language text, in_grade text, in_region text, in_generation text, wanted integer
)
returns table (
    unknown_filter text,
    known_values text[],
    match_tier text,
    score double precision,
    matched_form text,
    form_source_id bigint,
    form_dataset_id bigint,
    form_import_id bigint,
    narrator_id bigint,
    narrator_key text,
    name_ar text,
    name_fr text,
    canonical_display text,
    display_status text,
    generation text,
    death_year_ah integer
)
language plpgsql
stable
security definer
rows 6
set search_path = pg_catalog, isnad, public, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $$
#variable_conflict use_column
declare
    arabic constant boolean := query_language = 'ar'
    or query_language = 'auto' and query ~ '[\u0621-\u064A\uFB50-\uFDFF\uFE70-\uFEFC]';
    asked constant text := left(
        case when arabic then public.isnad_arabic_key(query) else public.isnad_latin_key(query) end, 255
    );
    -- A name that breaks off within a compound (`زكريا بن أبي`) is the beginning of one.
    breaks_off constant boolean := asked ~ ' (?:اب[ويا]|عبد|عبيد)$';
    asked_padded constant text := case
        when asked ~ ' اب[ويا]$' then ' ' || left(asked, -3) || 'ابو-'
        when breaks_off then ' ' || asked
        else ' ' || asked || ' '
    end;
    tiers constant text [] := array['exact', 'prefix', 'substring', 'fulltext', 'fuzzy'];
    tops constant double precision [] := array[1, 0.95, 0.9, 0.85, 0.8];
    in_narrators bigint [];
    all_words tsquery;
    names bigint [];
    narrators bigint [];
    ranks integer [];
    scores double precision [];
    more_names bigint [];
    more_narrators bigint [];
    more_ranks integer [];
    more_scores double precision [];
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
            known_values := array(
                select distinct case unknown_filter
                    when 'grade_tier' then n.grade_tier when 'region' then n.region else n.generation
                end as known_value
                from public.public_narrators as n
                order by known_value nulls last
            );
            return next;
            return;
        end if;
        in_narrators := array(
            select n.narrator_id from isnad.narrators as n
            where (in_grade is null or n.grade_tier = in_grade) and (in_region is null or n.region = in_region)
                and (in_generation is null or n.generation = in_generation)
        );
    end if;
    if asked = '' then
        return next;
        return;
    end if;

    -- A form that many bear needs no more than its bearers.
    select array_agg(hit.name_id), array_agg(hit.narrator_id) into names, narrators
    from (
        select n.name_id, n.narrator_id
        from isnad.narrator_names as n
        where n.key = asked and (in_narrators is null or n.narrator_id = any(in_narrators))
        order by n.prominence desc, n.narrator_id
        limit wanted
    ) as hit;
    ranks := array_fill(0, array[coalesce(cardinality(names), 0)]);
    if cardinality(ranks) < wanted then
        all_words := (
            '''' || nullif(array_to_string(array_remove(array_remove(
                string_to_array(case when breaks_off then regexp_replace(asked, ' [^ ]+$', '') else asked end, ' '),
                'بن'
            ), 'bn'), '''&'''), '') || ''''
        )::tsquery; -- null, which nothing matches, where no word is left
        select
            array_agg(hit.name_id order by hit.place), array_agg(hit.narrator_id order by hit.place),
            array_agg(hit.tier order by hit.place)
        into more_names, more_narrators, more_ranks
        from (
            select best.*, row_number() over (order by best.tier, best.rank, best.narrator_id) as place
            from (
                select distinct on (n.narrator_id)
                    n.name_id, n.narrator_id, t.tier,
                    n.word_count - 0.5 * ln(n.prominence)
                    + case when t.tier = 3 and levenshtein(asked, n.key) > length(n.key) - length(asked) then 2 else 0 end
                        as rank
                from isnad.narrator_names as n
                cross join lateral (
                    select case strpos(n.padded, asked_padded) when 0 then 3 when 1 then 1 else 2 end as tier
                ) as t
                where n.lexemes @@ all_words and n.key <> asked
                    and (narrators is null or n.narrator_id <> all(narrators))
                    and (in_narrators is null or n.narrator_id = any(in_narrators))
                order by n.narrator_id, t.tier, rank, n.name_id
            ) as best
            order by place
            limit wanted - cardinality(ranks)
        ) as hit;
        names := names || more_names;
        narrators := narrators || more_narrators;
        ranks := ranks || more_ranks;
    end if;
    scores := array(
        select tops[hit.tier + 1] - 0.001 * (hit.place - 1) from unnest(ranks) with ordinality as hit (tier, place)
    );
    if names is null or cardinality(ranks) < wanted and not arabic then -- a Latin name is also the sound of Arabic ones
        select
            array_agg(hit.name_id order by hit.place), array_agg(hit.narrator_id order by hit.place),
            array_agg(4), array_agg(0.8 * hit.closeness - 0.0001 * hit.place order by hit.place)
        into more_names, more_narrators, more_ranks, more_scores
        from (
            select a.*, row_number() over () as place
            from isnad.find_alike_narrators(asked, in_narrators, wanted) as a
            where narrators is null or a.narrator_id <> all(narrators)
            limit wanted - cardinality(ranks)
        ) as hit;
        names := names || more_names;
        ranks := ranks || more_ranks;
        scores := scores || more_scores;
    end if;
    return query
    select
        null::text, null::text [], tiers[hit.tier + 1], hit.score, n.form, f.source_id,
        i.dataset_id, i.import_id, r.narrator_id, r.narrator_key, r.name_ar, r.name_fr, r.canonical_display,
        r.canonical_display_status, r.generation, r.death_year_ah
    from unnest(names, ranks, scores) with ordinality as hit (name_id, tier, score, place)
    inner join isnad.narrator_names as n on hit.name_id = n.name_id
    inner join isnad.narrators as r on n.narrator_id = r.narrator_id
    left join isnad.narrator_forms as f on n.form_id = f.form_id
    inner join isnad.active_imports as i on i.import_id = coalesce(f.import_id, r.import_id)
    order by hit.place;
    if not found then
        return next;
    end if;
end
$$;
comment on function public.find_narrators(text, text, text, text, text, integer) is
'Candidate narrators for a name, the best first; one row at least.';

-- The data sets whose narrators are searched.
create view public.public_narrator_datasets as
select distinct on (i.dataset_id)
    i.dataset_id,
    i.dataset_key,
    i.dataset_title,
    i.dataset_version,
    i.dataset_licence,
    i.dataset_url
from isnad.active_imports as i
where ( -- one look-up, where `exists` would read them all
    select true from isnad.narrators as n
    where n.import_id = i.import_id
    order by n.import_id limit 1
)
order by i.dataset_id, i.import_id;

call isnad.protect();
