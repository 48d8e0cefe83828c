-- What the three tools ask that start from a narrator's id, with fewer look-ups: a call is so short that each table of a
-- statement, which has to be found, locked and opened anew, costs more than the rows that are read from it. What a page says of
-- its narrator, and each recorded relation, are kept as 0060 and 0062 keep the rest.

create view isnad.live_narrator_heads as
select
    n.narrator_id,
    json_build_object(
        'narrator_id', n.narrator_id, 'narrator_key', n.narrator_key,
        'dataset_id', i.dataset_id, 'import_id', n.import_id,
        'occurrence_count', coalesce(c.occurrences, 0), 'distinct_hadith_count', coalesce(c.hadiths, 0)
    ) as head
from isnad.narrators as n
inner join isnad.active_imports as i on n.import_id = i.import_id
left join isnad.narrator_occurrence_counts as c on n.narrator_id = c.narrator_id;
comment on view isnad.live_narrator_heads is
'Every narrator of an active dataset: what cites it and how often it certainly stands in chains, as the tables say it now.';

create table isnad.narrator_heads (
    narrator_id bigint primary key references isnad.narrators on delete cascade,
    head json not null
);
comment on table isnad.narrator_heads is 'isnad.live_narrator_heads, kept; written by triggers only.';

create table isnad.narrator_head_work (narrator_id bigint primary key);
comment on table isnad.narrator_head_work is 'Narrators whose head is made anew when the transaction commits.';

create function isnad.make_narrator_heads()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, isnad, public, pg_temp
set enable_seqscan = off -- in the transaction that fills the tables, the planner takes them for empty
as $$
declare
    ids bigint [];
begin
    with taken as (
        delete from isnad.narrator_head_work returning narrator_id
    )
    select array_agg(narrator_id) into ids from taken;
    if ids is null then
        return null;
    end if;
    delete from isnad.narrator_heads where narrator_id = any(ids);
    insert into isnad.narrator_heads
    select narrator_id, head from isnad.live_narrator_heads
    where narrator_id = any(ids)
    order by narrator_id;
    return null;
end
$$;
call isnad.work_at_commit('narrator_head_work', 'make_narrator_heads');

-- Records are made anew whenever narrators, imports or data sets change, and counts whenever chains do.
call isnad.mark_on_changes(
    'mark_heads', 'narrator_head_work', 'narrator_id',
    array['narrator_records', 'narrator_occurrence_counts'],
    'narrators',
    '{}'
);
create function isnad.mark_all_heads()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
begin
    insert into isnad.narrator_head_work (narrator_id) select narrator_id from isnad.narrators order by narrator_id
    on conflict do nothing;
    return null;
end
$$;
create trigger mark_heads_truncate after truncate on isnad.narrator_occurrence_counts
for each statement execute function isnad.mark_all_heads();

insert into isnad.narrator_heads
select narrator_id, head from isnad.live_narrator_heads
order by narrator_id;

create view public.public_narrator_heads as
select
    narrator_id,
    head
from isnad.narrator_heads;
comment on view public.public_narrator_heads is
'Narrators of active datasets: what cites each, and how often it certainly stands in chains.';

create view isnad.live_relation_records as
select
    r.relation_id,
    r.teacher_id,
    r.student_id,
    -- the order in which relations of two people are told
    array_position(array['attested', 'probable', 'ambiguous', 'unresolved'], r.recorded_status) * 2
    + (r.source_id is null)::integer as place,
    row_to_json(r) as item
from public.public_relations as r;
comment on view isnad.live_relation_records is 'Every relation of an active dataset with its source, as the tables say it now.';

create table isnad.relation_records (
    relation_id bigint primary key references isnad.relations on delete cascade,
    teacher_id bigint not null,
    student_id bigint not null,
    place integer not null,
    item json not null
);
comment on table isnad.relation_records is 'isnad.live_relation_records, kept; written by triggers only.';
create index on isnad.relation_records (teacher_id, student_id);

create table isnad.relation_record_work (relation_id bigint primary key);
comment on table isnad.relation_record_work is 'Relations whose record is made anew when the transaction commits.';

create function isnad.make_relation_records()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, isnad, public, pg_temp
set enable_seqscan = off -- in the transaction that fills the tables, the planner takes them for empty
as $$
declare
    ids bigint [];
begin
    with taken as (
        delete from isnad.relation_record_work returning relation_id
    )
    select array_agg(relation_id) into ids from taken;
    if ids is null then
        return null;
    end if;
    delete from isnad.relation_records where relation_id = any(ids);
    insert into isnad.relation_records
    select relation_id, teacher_id, student_id, place, item from isnad.live_relation_records
    where relation_id = any(ids)
    order by relation_id;
    return null;
end
$$;
call isnad.work_at_commit('relation_record_work', 'make_relation_records');
call isnad.mark_on_changes(
    'mark_relation_records', 'relation_record_work', 'relation_id',
    array['relations'],
    'relations',
    array['datasets', 'imports', 'sources']
);

insert into isnad.relation_records
select relation_id, teacher_id, student_id, place, item from isnad.live_relation_records
order by relation_id;

create view public.public_relation_records as
select
    relation_id,
    teacher_id,
    student_id,
    place,
    item
from isnad.relation_records;
comment on view public.public_relation_records is 'Relations of active datasets: what is told of each, and where in a list.';

-- These stand beside `read_occurrences` and `read_relation`, which the functions of the release before ask while a deployment
-- moves to the next. Null where the id names nobody.
create function public.read_narrator_page(asked bigint, skipped integer, last integer)
returns json
language plpgsql
stable
set plan_cache_mode = force_generic_plan
as $$
begin
    return (
        select
            json_build_object(
                'head', h.head,
                'items', (
                    select json_agg(o.item order by o.ordinal)
                    from public.public_narrator_occurrences as o
                    where o.narrator_id = asked and o.ordinal > skipped and o.ordinal <= last
                ),
                'searched', (select s.datasets from public.public_searched_datasets as s where s.kind = 'chains')
            )
        from public.public_narrator_heads as h
        where h.narrator_id = asked
    );
end
$$;

-- `known`: those of the two ids that name anybody. At most `wanted` relations and observations, of both directions.
create function public.read_transmission(narrator_a bigint, narrator_b bigint, observed boolean, wanted integer)
returns json
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set enable_hashjoin = off -- two people have some rows together: each is looked up
set enable_mergejoin = off
set enable_seqscan = off
as $$
begin
    return (
        select
            json_build_object(
                'known', (
                    select json_agg(h.narrator_id) from public.public_narrator_heads as h
                    where h.narrator_id in (narrator_a, narrator_b)
                ),
                'relations', (
                    select json_agg(r.item)
                    from (
                        select each.item
                        from (values (narrator_a, narrator_b), (narrator_b, narrator_a)) as pair (teacher_id, student_id)
                        inner join public.public_relation_records as each
                            on pair.teacher_id = each.teacher_id and pair.student_id = each.student_id
                        order by each.place, each.teacher_id, each.relation_id
                        limit wanted
                    ) as r
                ),
                'searched', (
                    select json_object_agg(s.kind, s.datasets) from public.public_searched_datasets as s
                    where s.kind = 'relations' or (observed and s.kind = 'chains')
                ),
                'observations', case
                    when observed then (
                        select json_agg(o.item)
                        from (
                            select near.*
                            from (values (narrator_a, narrator_b), (narrator_b, narrator_a)) as pair (from_id, to_id)
                            cross join lateral (
                                select
                                    from_node_id,
                                    to_node_id,
                                    item
                                from public.public_chain_observations
                                where from_narrator_id = pair.from_id and to_narrator_id = pair.to_id
                                order by from_node_id, to_node_id limit wanted
                            ) as near
                            order by near.from_node_id, near.to_node_id
                            limit wanted
                        ) as o
                    )
                end
            )
    );
end
$$;

call isnad.protect();
