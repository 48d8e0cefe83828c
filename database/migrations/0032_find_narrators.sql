-- What `search_narrator` asks.

-- The words of the index that a word of a query may mean, each with how well it fits (at most 1, which is the word
-- itself); nothing where the index holds nothing near. A Latin word is looked up by its sound among Arabic words too.
create function isnad.alike_name_words(asked text, misspelt boolean)
returns table (word text, likeness double precision)
language plpgsql
stable
rows 4
as $$
#variable_conflict use_column
declare
    article constant text := case when asked ~ '^[a-z]' then 'al-' else 'ال' end;
    other constant text := case
        when asked like article || '__%' then substr(asked, length(article) + 1) else article || asked
    end;
    sounds text [];
begin
    return query select v.word, 1.0::double precision from isnad.name_words as v where v.word = asked;
    return query select v.word, 0.9::double precision from isnad.name_words as v where v.word = other;
    if article = 'al-' then
        sounds := isnad.latin_sounds(asked);
        return query select v.word, 0.95::double precision from isnad.name_words as v where v.sound = any(sounds);
    end if;
    if not misspelt or length(asked) < 3 then
        return;
    end if;
    return query
    select v.word, case when length(asked) <= 3 then 0.6 else 0.8 end::double precision
    from isnad.name_words as v
    where v.near && isnad.search_near(asked) and v.word <> asked and v.word <> other;
    if article = 'al-' then
        return query
        select v.word, 0.7::double precision
        from isnad.name_words as v
        where v.sound is not null and v.sound <> all(sounds) and v.sound = any(array(
            select distinct n.near
            from unnest(sounds[:16]) as s (sound)
            cross join unnest(isnad.search_near(s.sound)) as n (near)
        ));
    end if;
end
$$;

-- Candidates for a name of which not every word is known as written, or that is written in the other script. Each word
-- of the query becomes what it may mean; tried are, until something is found: all words, only unknown ones misspelt; all
-- but one; the rarest and one more; the rarest alone.
create function isnad.find_alike_narrators(
    asked text, in_grade text, in_region text, in_generation text, wanted integer
)
returns table (name_id bigint, narrator_id bigint, closeness double precision)
language plpgsql
stable
rows 6
as $$
#variable_conflict use_column
declare
    is_latin constant boolean := asked ~ '[a-z]';
    filtered constant boolean := coalesce(in_grade, in_region, in_generation) is not null;
    total constant double precision := 1 + (select max(name_count) from isnad.name_words);
    given constant text [] := array_remove(array_remove(string_to_array(asked, ' '), 'بن'), 'bn');
    part text;
    found_words text [];
    found_likenesses double precision [];
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
                select array_agg(a.word), array_agg(a.likeness) into found_words, found_likenesses
                from isnad.alike_name_words(part, attempt = 2) as a;
                if found_words is null and attempt = 1 then
                    select array_agg(a.word), array_agg(a.likeness) into found_words, found_likenesses
                    from isnad.alike_name_words(part, true) as a;
                end if;
                continue when found_words is null and length(part) < 3;
                weights := weights || ln(1 + total / coalesce(
                    (select sum(name_count) from isnad.name_words where word = any(found_words)), 1
                ));
                groups := groups || ('(''' || array_to_string(found_words, '''|''') || ''')');
                if found_words is not null then
                    units := units || array_fill(cardinality(weights), array[cardinality(found_words)]);
                    meanings := meanings || found_words;
                    worths := worths || array(
                        select likeness * weights[cardinality(weights)] from unnest(found_likenesses) as likeness
                    );
                end if;
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
        with met as (
            select best.name_id, sum(best.worth) as worth
            from (
                select n.name_id, m.unit, max(m.worth) as worth
                from isnad.narrator_names as n
                cross join unnest(n.words) as w (word)
                inner join unnest(units, meanings, worths) as m (unit, word, worth) on w.word = m.word
                where n.lexemes @@ tried::tsquery
                    and (
                        not filtered or exists (
                            select from isnad.narrators as r
                            where r.narrator_id = n.narrator_id and (in_grade is null or r.grade_tier = in_grade)
                                and (in_region is null or r.region = in_region)
                                and (in_generation is null or r.generation = in_generation)
                        )
                    )
                group by n.name_id, m.unit
            ) as best
            group by best.name_id
        )
        select hit.name_id, hit.narrator_id, hit.closeness
        from (
            select distinct on (n.narrator_id) n.name_id, n.narrator_id, n.prominence, c.closeness
            from met
            inner join isnad.narrator_names as n using (name_id)
            cross join lateral (
                select
                    met.worth / (select sum(weight) from unnest(weights) as weight)
                    * (1 - 0.04 * least(abs(n.word_count - cardinality(weights)), 8))
                    * case
                        when is_latin then 1
                        else 1 - 0.5 * levenshtein(n.key, asked) / greatest(length(n.key), length(asked))
                    end as closeness
            ) as c
            order by n.narrator_id, c.closeness desc, n.word_count, n.name_id
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
    known_values text [],
    name_id bigint,
    narrator_id bigint,
    match_tier text,
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
    arabic constant boolean := query_language = 'ar'
    or query_language = 'auto' and query ~ '[\u0621-\u064A\uFB50-\uFDFF\uFE70-\uFEFC]';
    filtered constant boolean := coalesce(in_grade, in_region, in_generation) is not null;
    tiers constant text [] := array['exact', 'prefix', 'substring', 'fulltext'];
    asked text;
    all_words tsquery;
    names bigint [];
    narrators bigint [];
    ranks integer [];
    missing integer;
begin
    if filtered then
        unknown_filter := case
            when in_grade is not null and not exists (select from isnad.narrators where grade_tier = in_grade)
                then 'grade_tier'
            when in_region is not null and not exists (select from isnad.narrators where region = in_region) then 'region'
            when in_generation is not null and not exists (select from isnad.narrators where generation = in_generation)
                then 'generation'
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
    end if;
    asked := left(case when arabic then public.isnad_arabic_key(query) else public.isnad_latin_key(query) end, 255);
    if asked = '' then
        return next;
        return;
    end if;

    all_words := ('''' || array_to_string(isnad.name_words(asked), '''&''') || '''')::tsquery;

    -- A form that many bear needs no more than its bearers.
    select array_agg(hit.name_id), array_agg(hit.narrator_id), array_agg(0) into names, narrators, ranks
    from (
        select n.name_id, n.narrator_id
        from isnad.narrator_names as n
        where n.key = asked
            and (
                not filtered or exists (
                    select from isnad.narrators as r
                    where r.narrator_id = n.narrator_id and (in_grade is null or r.grade_tier = in_grade)
                        and (in_region is null or r.region = in_region)
                        and (in_generation is null or r.generation = in_generation)
                )
            )
        order by n.prominence desc, n.narrator_id
        limit wanted
    ) as hit;
    if coalesce(cardinality(narrators), 0) < wanted then
        select
            names || array_agg(hit.name_id order by hit.place), narrators || array_agg(hit.narrator_id order by hit.place),
            ranks || array_agg(hit.tier order by hit.place)
        into names, narrators, ranks
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
                    select case
                        when starts_with(n.key, asked || ' ') then 1
                        when strpos(' ' || n.key || ' ', ' ' || asked || ' ') > 0 then 2
                        else 3
                    end as tier
                ) as t
                where n.lexemes @@ all_words and n.key <> asked
                    and n.narrator_id <> all(coalesce(narrators, '{}'))
                    and (
                        not filtered or exists (
                            select from isnad.narrators as r
                            where r.narrator_id = n.narrator_id and (in_grade is null or r.grade_tier = in_grade)
                                and (in_region is null or r.region = in_region)
                                and (in_generation is null or r.generation = in_generation)
                        )
                    )
                order by n.narrator_id, t.tier, rank, n.name_id
            ) as best
            order by place
            limit wanted - coalesce(cardinality(narrators), 0)
        ) as hit;
    end if;
    return query
    select
        null::text, null::text [], hit.name_id, hit.narrator_id, tiers[hit.tier + 1],
        (array[1, 0.95, 0.9, 0.85])[hit.tier + 1]::double precision - 0.001 * (hit.place - 1)
    from unnest(names, narrators, ranks) with ordinality as hit (name_id, narrator_id, tier, place);

    missing := wanted - coalesce(cardinality(narrators), 0);
    if missing = wanted or missing > 0 and not arabic then -- a Latin name is also the sound of Arabic ones
        return query
        select
            null::text, null::text [], hit.name_id, hit.narrator_id, 'fuzzy',
            0.8 * hit.closeness - 0.0001::double precision * row_number() over ()
        from isnad.find_alike_narrators(asked, in_grade, in_region, in_generation, wanted) as hit
        where hit.narrator_id <> all(coalesce(narrators, '{}'))
        limit missing;
    end if;
    if missing = wanted and not found then
        return next;
    end if;
end
$$;
comment on function public.find_narrators(text, text, text, text, text, integer) is
'Candidate narrators for a name, the best first; one row at least.';

create view public.public_narrator_names as
select
    n.name_id,
    n.narrator_id,
    n.form_id,
    n.form
from isnad.narrator_names as n;

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
where exists (
    select from isnad.narrators as n
    where n.import_id = i.import_id
)
order by i.dataset_id, i.import_id;

call isnad.protect();
