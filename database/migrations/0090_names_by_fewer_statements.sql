-- What `search_narrator` asks, for less once more, by a function for each script. Of an Arabic name it is asked first which words
-- the index holds; what may be meant by another one takes its place. A Latin name is one statement.
--
-- Both stand beside `find_names` of 0080, which the functions of the release before ask while a deployment moves to the next.
-- `domain/name_query.py` makes what they are given: `asked`, the name's key; `contained`, what a form holds that holds the name;
-- `held`, the words that a form must hold, with blanks between, null where there are none. `filters`: `grade_tier`, `region` and
-- `generation`, as far as they are asked for, or null. `wanted`: how many hits. They give one JSON object (as text, for to call
-- it JSON is to parse it once more): `searched`, the data sets, and `hits`, the best first, each with its tier, beside a fuzzy one
-- its closeness, and what is kept beside the name:
--   1 exact      a form of the narrator is the query;          2 prefix    it begins with the query;
--   3 substring  it holds the query's words in a row;          4 fulltext  it holds them all;
--   5 fuzzy      it holds something near, or sounds like it.

-- The first filter that no narrator meets, with the values that exist; null where each is met.
create function public.find_unknown_filter(filters jsonb)
returns json
language sql
stable
security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
select json_build_object('name', f.key, 'known_values', coalesce(
    (
        select json_agg(distinct v.known_value)
        from public.public_narrators as n
        cross join lateral (
            select case f.key when 'grade_tier' then n.grade_tier when 'region' then n.region else n.generation end as known_value
        ) as v
        where v.known_value is not null
    ),
    '[]'
))
from jsonb_each_text(filters) as f
where not exists (
    select from public.public_narrators as n
    where f.value = case f.key when 'grade_tier' then n.grade_tier when 'region' then n.region else n.generation end
)
order by array_position(array['grade_tier', 'region', 'generation'], f.key)
limit 1;
$$;
comment on function public.find_unknown_filter(jsonb) is 'A filter that no narrator meets, and the values that exist.';

-- Who meets the filters; null where none is given.
create function isnad.narrators_within(filters jsonb)
returns bigint[]
language sql
stable
strict
as $$
select array(
    select n.narrator_id from isnad.narrators as n
    where coalesce(n.grade_tier = filters ->> 'grade_tier', not filters ? 'grade_tier')
        and coalesce(n.region = filters ->> 'region', not filters ? 'region')
        and coalesce(n.generation = filters ->> 'generation', not filters ? 'generation')
);
$$;

-- Hits of `find_alike_names`, with commas between; null where there are none.
create function isnad.find_alike_hits(
    asked text, sounds text[], in_narrators bigint[], wanted integer, but_for bigint[]
)
returns text
language plpgsql
stable
as $$
begin
    return (
        select string_agg('{"tier":5,"closeness":' || hit.closeness || ',"name":' || hit.item || '}', ',')
        from (
            select n.item, a.closeness
            from isnad.find_alike_names(asked, sounds, in_narrators, wanted) with ordinality as a (
                name_id, narrator_id, closeness, place
            )
            inner join isnad.narrator_names as n on a.name_id = n.name_id
            where but_for is null or a.narrator_id <> all(but_for)
            order by a.place
            limit wanted - coalesce(cardinality(but_for), 0)
        ) as hit
    );
end
$$;

-- What a form holds that holds a word with a letter less, more or another: the word in its other writings, or what is left of
-- it without one letter, which after a dash the index holds of each word. Nothing where a particle is meant, which tells nobody
-- apart.
create function isnad.near_word(word text)
returns tsquery
language plpgsql
immutable
parallel safe
as $$
declare
    near text := $q$'-$q$ || word || case
        when word like 'ال__%' then $q$'|'$q$ || substr(word, 3) else $q$'|'ال$q$ || word
    end;
begin
    if word like 'ابو-%' or word like 'ام-%' then
        near := near || $q$'|'$q$ || substr(word, strpos(word, '-') + 1);
    end if;
    for at in 1 .. case when length(word) >= 3 then length(word) else 0 end loop
        near := near || $q$'|'-$q$ || overlay(word placing '' from at for 1);
    end loop;
    near := near || $q$'$q$;
    return case
        when length(word) > 4 or near !~ $q$'-(?:بن|ابن|ان|اب|بنن|ابو|ابي|ابا|بو|بي)'$q$ then near else ''
    end;
end
$$;

create function public.find_spelt(asked text, contained text, held text, filters jsonb, wanted integer)
returns text
language plpgsql
stable
security definer
set search_path = pg_catalog, isnad, public, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
    given constant text [] := string_to_array(held, ' ');
    all_words constant tsquery := $q$'$q$ || replace(held, ' ', $q$'&'$q$) || $q$'$q$;
    alike tsquery;
    slipped tsquery;
    in_narrators bigint [];
    searched text;
    known text [];
    part text;
    found_count integer := 0;
    narrators bigint [];
    hits text;
    more_hits text;
begin
    if filters is not null then
        in_narrators := isnad.narrators_within(filters);
    end if;
    -- A form of few words may have more bearers than are wanted; an endless word is in no index.
    if replace(asked, ' بن ', ' ') not like '% % %' or length(asked) > 40 and asked ~ '[^ ]{41}' then
        select count(*), array_agg(hit.narrator_id), string_agg('{"tier":1,"name":' || hit.item || '}', ',')
        into found_count, narrators, hits
        from (
            select n.narrator_id, n.item
            from isnad.narrator_names as n
            where n.key = asked and (in_narrators is null or n.narrator_id = any(in_narrators))
            order by n.prominence desc, n.narrator_id
            limit wanted
        ) as hit;
    end if;
    select s.datasets, case when hits is null then array(select v.word from isnad.name_words as v where v.word = any(given)) end
    into searched, known
    from isnad.searched_datasets as s where s.kind = 'narrators';
    if found_count < wanted and (given <@ known) is not false then -- else no form holds all words
        select string_agg('{"tier":' || hit.tier || ',"name":' || hit.item || '}', ',')
        into more_hits
        from (
            select *
            from (
                select distinct on (n.narrator_id)
                    n.narrator_id, t.tier,
                    n.word_count - 0.5 * ln(n.prominence)
                    + case when t.tier = 4 and n.key not like '%' || replace(asked, ' ', '%') || '%' then 2 else 0 end as rank,
                    n.item
                from isnad.narrator_names as n
                cross join lateral (
                    select case
                        when n.key = asked then 1
                        when n.padded not like '%' || contained || '%' then 4
                        when n.padded like contained || '%' then 2
                        else 3
                    end as tier
                ) as t
                where n.lexemes @@ all_words and (narrators is null or n.narrator_id <> all(narrators))
                    and (in_narrators is null or n.narrator_id = any(in_narrators))
                order by n.narrator_id, t.tier, rank, n.name_id
            ) as best
            order by best.tier, best.rank, best.narrator_id
            limit wanted - found_count
        ) as hit;
        hits := coalesce(hits || ',' || more_hits, hits, more_hits);
    end if;
    if hits is null and given <@ known then -- a slip has made one name of another
        foreach part in array given[:12] loop
            slipped := ts_rewrite(all_words, ($q$'$q$ || part || $q$'$q$)::tsquery, isnad.near_word(part));
            alike := coalesce(alike || slipped, slipped);
        end loop;
    elsif hits is null and given is not null then
        foreach part in array given loop
            if part <> all(known) then
                alike := ts_rewrite(coalesce(alike, all_words), ($q$'$q$ || part || $q$'$q$)::tsquery, isnad.near_word(part));
            end if;
        end loop;
    end if;
    if alike is not null then
        hits := (
            select string_agg('{"tier":5,"closeness":' || hit.closeness || ',"name":' || hit.item || '}', ',')
            from (
                select best.item, best.closeness
                from (
                    select distinct on (met.narrator_id) met.narrator_id, met.prominence, c.closeness, met.item
                    from (
                        select n.narrator_id, n.name_id, n.word_count, n.prominence, n.key, n.padded, n.item
                        from isnad.narrator_names as n
                        where n.lexemes @@ alike and (in_narrators is null or n.narrator_id = any(in_narrators))
                        order by abs(length(n.key) - length(asked)), n.prominence desc, n.name_id
                        limit 150 -- the rest is longer or has fewer names
                    ) as met
                    cross join lateral ( -- with or without its article, a word is the same
                        select 1 - 0.5::float8 * levenshtein(
                            substr(replace(met.padded, ' ال', ' '), 2, 255),
                            (select substr(replace(' ' || asked || ' ', ' ال', ' '), 2, 255))
                        ) / greatest(length(met.key), length(asked)) as closeness
                    ) as c
                    order by met.narrator_id, c.closeness desc, met.word_count, met.name_id
                ) as best
                order by best.closeness + 0.02::float8 * ln(1 + best.prominence) desc, best.narrator_id
                limit wanted
            ) as hit
        );
    end if;
    if hits is null and asked <> '' then
        hits := isnad.find_alike_hits(asked, null, in_narrators, wanted, null);
    end if;
    return '{"searched":' || coalesce(searched, 'null') || ',"hits":[' || coalesce(hits, '') || ']}';
end
$$;
comment on function public.find_spelt(text, text, text, jsonb, integer) is
'Candidate narrators for a name in Arabic letters: one JSON object, as text.';

-- Its words are also the sounds of Arabic ones: all tiers at once. `any_words`: its words in any writing and by any sound;
-- `sounds`: by word what it can sound like in Arabic, the likeliest first: blanks between sounds, bars between words.
create function public.find_sounding(
    asked text, contained text, held text, any_words tsquery, sounds text, filters jsonb, wanted integer
)
returns text
language plpgsql
stable
security definer
set search_path = pg_catalog, isnad, public, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
    return (
        select
            '{"searched":' || coalesce((select s.datasets from isnad.searched_datasets as s where s.kind = 'narrators')::text, 'null')
            || ',"hits":[' || concat_ws(
                ',',
                string_agg('{"tier":' || hit.tier || ',"closeness":' || hit.closeness || ',"name":' || hit.item || '}', ','),
                case when count(*) < wanted and bool_or(hit.tier = 5) is not true and asked <> '' then isnad.find_alike_hits(
                    asked, string_to_array(sounds, '|'), isnad.narrators_within(filters), wanted, array_agg(hit.narrator_id)
                ) end
            ) || ']}'
        from (
            select *
            from (
                select distinct on (met.narrator_id)
                    met.narrator_id, met.tier, c.closeness,
                    case met.tier
                        when 1 then -met.prominence
                        when 5 then -c.closeness - 0.02::float8 * ln(1 + met.prominence)
                        else met.word_count - 0.5::float8 * ln(met.prominence)
                    end as rank,
                    met.item
                from (
                    select
                        n.narrator_id, n.name_id, n.word_count, n.prominence, t.tier,
                        abs(n.word_count - (select cardinality(string_to_array(held, ' ')))) as apart, n.key, n.item
                    from isnad.narrator_names as n
                    cross join lateral (
                        select case
                            when n.key >= 'ء' then 5 -- in Arabic letters
                            when n.key = asked then 1
                            when n.padded like '%' || contained || '%' then case when n.padded like contained || '%' then 2 else 3 end
                            when n.lexemes @@ ($q$'$q$ || replace(held, ' ', $q$'&'$q$) || $q$'$q$)::tsquery then 4
                            else 5
                        end as tier
                    ) as t
                    where n.lexemes @@ any_words
                        and (filters is null or n.narrator_id = any((select isnad.narrators_within(filters))::bigint[]))
                    order by t.tier, apart, n.prominence desc, n.name_id
                    limit 150 -- the rest has more words or fewer names
                ) as met
                cross join lateral ( -- a Latin form that is not the query's has another word or article
                    select
                        case when met.key >= 'ء' then 0.95::float8 else 0.9::float8 end * (1 - 0.04::float8 * least(met.apart, 8))
                            as closeness
                ) as c
                order by met.narrator_id, met.tier, rank, met.name_id
            ) as best
            order by best.tier, best.rank, best.narrator_id
            limit wanted
        ) as hit
    );
end
$$;
comment on function public.find_sounding(text, text, text, tsquery, text, jsonb, integer) is
'Candidate narrators for a name in Latin letters: one JSON object, as text.';

call isnad.protect();
