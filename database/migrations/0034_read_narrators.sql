-- What the three tools ask that start from a narrator's id. Functions, so that their plans are kept by the server,
-- whichever client a pooler gives the connection to. Each gives one row, or none where an id names nobody.

create function public.read_narrator(asked bigint, wanted integer)
returns table (
    narrator json, variants json, facts json, entries json, assertions json, withheld bigint
)
language plpgsql
stable
rows 1
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
    narrator := (
        select row_to_json(r)
        from (
            select n.*, d.canonical_display, d.status as display_status
            from public.public_narrators as n
            left join public.narrator_canonical_display as d on n.narrator_id = d.narrator_id
            where n.narrator_id = asked
        ) as r
    );
    if narrator is null then
        return;
    end if;
    variants := (
        select json_agg(v)
        from (
            select form, distinctive from public.public_narrator_forms
            where narrator_id = asked order by distinctive desc, length(form) desc, form_id limit 21
        ) as v
    );
    facts := (
        select json_agg(f)
        from (
            select * from public.public_narrator_facts where narrator_id = asked order by field, fact_id limit 51
        ) as f
    );
    entries := (
        select json_agg(e)
        from (
            select * from public.public_narrator_entries
            where narrator_id = asked
            order by array_position(array['LINKED', 'CONFLICTED', 'AMBIGUOUS'], resolution_status), source_id, entry_id
            limit wanted
        ) as e
    );
    assertions := (
        select json_agg(a)
        from (
            select * from public.public_narrator_assertions
            where narrator_id = asked order by field, source_id, assertion_id limit 51
        ) as a
    );
    withheld := (select g.withheld from public.public_narrator_assertion_gaps as g where g.narrator_id = asked);
    return next;
end
$$;

create function public.read_occurrences(asked bigint, skipped integer, last integer)
returns table (
    narrator json, occurrence_count bigint, distinct_hadith_count bigint, items json, searched json
)
language plpgsql
stable
rows 1
set plan_cache_mode = force_generic_plan
set enable_hashjoin = off -- a page is some rows: each is looked up
set enable_mergejoin = off
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
    narrator := (select row_to_json(n) from public.public_narrators as n where n.narrator_id = asked);
    if narrator is null then
        return;
    end if;
    select c.occurrences, c.hadiths into occurrence_count, distinct_hadith_count
    from public.public_narrator_occurrence_counts as c where c.narrator_id = asked;
    occurrence_count := coalesce(occurrence_count, 0);
    distinct_hadith_count := coalesce(distinct_hadith_count, 0);
    items := (
        select json_agg(o order by o.ordinal)
        from public.public_narrator_occurrences as o
        where o.narrator_id = asked and o.ordinal > skipped and o.ordinal <= last
    );
    searched := (select json_agg(s) from public.public_chain_datasets as s);
    return next;
end
$$;

create function public.read_relation(narrator_a bigint, narrator_b bigint, observed boolean, wanted integer)
returns table (
    known_a boolean, known_b boolean, relations json, observations json, searched json, chains_searched json
)
language plpgsql
stable
rows 1
set plan_cache_mode = force_generic_plan
set enable_hashjoin = off -- two people have some rows together: each is looked up
set enable_mergejoin = off
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
    known_a := exists (select from public.public_narrators as n where n.narrator_id = narrator_a);
    known_b := exists (select from public.public_narrators as n where n.narrator_id = narrator_b);
    if known_a and known_b then
        relations := (
            select json_agg(r)
            from (
                select * from (
                    select * from public.public_relations where teacher_id = narrator_a and student_id = narrator_b
                    union all
                    select * from public.public_relations where teacher_id = narrator_b and student_id = narrator_a
                ) as both_ways
                order by
                    array_position(array['attested', 'probable', 'ambiguous', 'unresolved'], recorded_status),
                    source_id is null, teacher_id, relation_id
                limit wanted
            ) as r
        );
        searched := (select json_agg(s) from public.public_relation_datasets as s);
        if observed then
            observations := (
                select json_agg(o)
                from (
                    select * from (
                        (
                            select * from public.public_chain_observations
                            where from_narrator_id = narrator_a and to_narrator_id = narrator_b
                            order by from_node_id, to_node_id limit wanted
                        )
                        union all
                        (
                            select * from public.public_chain_observations
                            where from_narrator_id = narrator_b and to_narrator_id = narrator_a
                            order by from_node_id, to_node_id limit wanted
                        )
                    ) as both_ways
                    order by from_node_id, to_node_id
                    limit wanted
                ) as o
            );
            chains_searched := (select json_agg(s) from public.public_chain_datasets as s);
        end if;
    end if;
    return next;
end
$$;
