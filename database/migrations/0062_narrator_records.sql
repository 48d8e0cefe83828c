-- What the three tools answer that start from a narrator's id, kept as 0060 keeps hadiths: the profile as one JSON
-- object a narrator, and each certain occurrence and each observation as one JSON object beside its place.

-- The one definition of a record. At most 21 names and 51 facts and assertions: one more than is shown of each.
create view isnad.live_narrator_records as
select
    n.narrator_id,
    (
        select count(*)
        from isnad.narrator_entry_links as l
        inner join isnad.narrator_entries as e on l.entry_id = e.entry_id
        inner join isnad.active_imports as i on e.import_id = i.import_id
        where l.narrator_id = n.narrator_id
    ) as entry_count,
    json_build_object(
        'narrator', row_to_json(n),
        'variants', (
            select json_agg(v)
            from (
                select form, distinctive from public.public_narrator_forms
                where narrator_id = n.narrator_id
                order by distinctive desc, length(form) desc, form_id limit 21
            ) as v
        ),
        'facts', (
            select json_agg(f)
            from (
                select
                    narrator_id, field, value, locator, source_id, source_title, source_type, dataset_id, import_id,
                    dataset_title, dataset_licence
                from public.public_narrator_facts
                where narrator_id = n.narrator_id order by field, fact_id limit 51
            ) as f
        ),
        'assertions', (
            select json_agg(a)
            from (
                select * from public.public_narrator_assertions
                where narrator_id = n.narrator_id order by field, source_id, assertion_id limit 51
            ) as a
        ),
        'withheld', (
            select g.withheld from public.public_narrator_assertion_gaps as g where g.narrator_id = n.narrator_id
        )
    ) as record
from (
    select
        r.*,
        d.canonical_display,
        d.status as display_status
    from public.public_narrators as r
    left join public.narrator_canonical_display as d on r.narrator_id = d.narrator_id
) as n;
comment on view isnad.live_narrator_records is
'Every narrator of an active dataset with names, facts and assertions, as the tables say it now.';

create table isnad.narrator_records (
    narrator_id bigint primary key references isnad.narrators on delete cascade,
    entry_count bigint not null, -- notices, which are read apart: they are long, and the caller says how many
    record json not null
);
comment on table isnad.narrator_records is 'isnad.live_narrator_records, kept; written by triggers only.';

create table isnad.narrator_record_work (narrator_id bigint primary key);
comment on table isnad.narrator_record_work is 'Narrators whose record is made anew when the transaction commits.';

create function isnad.make_narrator_records()
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
        delete from isnad.narrator_record_work returning narrator_id
    )
    select array_agg(narrator_id) into ids from taken;
    if ids is null then
        return null;
    end if;
    delete from isnad.narrator_records where narrator_id = any(ids);
    insert into isnad.narrator_records
    select narrator_id, entry_count, record from isnad.live_narrator_records
    where narrator_id = any(ids)
    order by narrator_id;
    return null;
end
$$;
call isnad.work_at_commit('narrator_record_work', 'make_narrator_records');

call isnad.mark_on_changes(
    'mark_records', 'narrator_record_work', 'narrator_id',
    array['narrators', 'narrator_forms', 'narrator_facts', 'narrator_assertions', 'narrator_entry_links'],
    'narrators',
    array['narrator_entries']
);
-- The tables that hadiths' records share with narrators' have a trigger of each kind.
call isnad.mark_on_changes(
    'mark_narrator_records', 'narrator_record_work', 'narrator_id',
    '{}',
    'narrators',
    array['datasets', 'imports', 'sources']
);

insert into isnad.narrator_records
select narrator_id, entry_count, record from isnad.live_narrator_records
order by narrator_id;

create view public.public_narrator_records as
select
    narrator_id,
    entry_count,
    record
from isnad.narrator_records;
comment on view public.public_narrator_records is 'Narrators of active datasets: all that is told of each but its notices.';

-- Beside `read_narrator` of 0034, which the functions of the release before ask while a deployment moves to the next.
create function public.read_profile(asked bigint, wanted integer)
returns table (record json, entries json)
language plpgsql
stable
rows 1
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
    entry_count bigint;
begin
    select r.record, r.entry_count into record, entry_count
    from public.public_narrator_records as r where r.narrator_id = asked;
    if not found then
        return;
    end if;
    if entry_count > 0 then
        entries := (
            select json_agg(e)
            from (
                select * from public.public_narrator_entries
                where narrator_id = asked
                order by
                    array_position(array['LINKED', 'CONFLICTED', 'AMBIGUOUS'], resolution_status), source_id, entry_id
                limit wanted
            ) as e
        );
    end if;
    return next;
end
$$;

-- Occurrences and observations are kept as they are told; the views of 0033 give way to views of what is kept.
drop view public.public_narrator_occurrences;
drop view public.public_chain_observations;

create view isnad.live_citations as
select
    c.chain_id,
    c.chain_number,
    c.reader,
    c.reader_version,
    i.dataset_id as chain_dataset_id,
    c.import_id as chain_import_id,
    h.hadith_id,
    h.source_key,
    h.canonical_reference,
    s.source_id,
    s.title as source_title,
    s.author,
    s.source_type,
    s.rights,
    h.import_id,
    hi.dataset_id
from isnad.chains as c
inner join isnad.active_imports as i on c.import_id = i.import_id
inner join isnad.hadiths as h on c.hadith_id = h.hadith_id
inner join isnad.active_imports as hi on h.import_id = hi.import_id
inner join isnad.collections as l on h.collection_id = l.collection_id
inner join isnad.sources as s on l.source_id = s.source_id;
comment on view isnad.live_citations is 'Chains of active datasets, with what cites each and its hadith.';

truncate isnad.narrator_occurrences, isnad.narrator_occurrence_counts, isnad.narrator_adjacencies;
alter table isnad.narrator_occurrences add column item json not null;
alter table isnad.narrator_adjacencies add column item json not null;
comment on column isnad.narrator_occurrences.item is 'What is told of the occurrence.';
comment on column isnad.narrator_adjacencies.item is 'What is told of the observation.';

create or replace function isnad.number_occurrences()
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
        delete from isnad.occurrence_work returning narrator_id
    )
    select array_agg(narrator_id) into ids from taken;
    if ids is null then
        return null;
    end if;
    delete from isnad.narrator_occurrences where narrator_id = any(ids);
    delete from isnad.narrator_occurrence_counts where narrator_id = any(ids);
    delete from isnad.narrator_adjacencies where from_narrator_id = any(ids);
    delete from isnad.narrator_adjacencies where to_narrator_id = any(ids);

    create temporary table standing on commit drop as
    select n.narrator_id, n.node_id, n.chain_id, n.position, n.rule, n.transmission_term_ar, c.chain_number, c.hadith_id,
        c.understood
    from isnad.chain_nodes as n
    inner join isnad.chains as c on n.chain_id = c.chain_id
    inner join isnad.hadiths as h on c.hadith_id = h.hadith_id
    inner join isnad.narrators as r on n.narrator_id = r.narrator_id
    where n.narrator_id = any(ids) and n.resolution_status = 'confirmed'
        and c.import_id in (select import_id from isnad.active_imports)
        and h.import_id in (select import_id from isnad.active_imports)
        and r.import_id in (select import_id from isnad.active_imports);
    analyze standing;
    create temporary table citations on commit drop as
    select * from isnad.live_citations
    where chain_id = any(array(select distinct chain_id from standing));
    analyze citations;

    insert into isnad.narrator_occurrences (narrator_id, ordinal, node_id, item)
    select
        s.narrator_id,
        row_number() over (
            partition by s.narrator_id order by s.hadith_id, s.chain_number, s.position, s.node_id
        ),
        s.node_id,
        (select row_to_json(i) from (select s.node_id, s.position, s.rule, c.*) as i)
    from standing as s
    inner join citations as c on s.chain_id = c.chain_id
    order by s.narrator_id, s.node_id;
    insert into isnad.narrator_occurrence_counts (narrator_id, occurrences, hadiths)
    select narrator_id, count(*), count(distinct hadith_id) from standing group by narrator_id;
    insert into isnad.narrator_adjacencies (from_narrator_id, to_narrator_id, from_node_id, to_node_id, item)
    select
        p.from_narrator_id, p.to_narrator_id, p.from_node_id, p.to_node_id,
        (
            select row_to_json(i)
            from (
                select p.from_node_id, p.to_node_id, p.from_rule, p.to_rule, p.transmission_term_ar, c.*
            ) as i
        )
    from (
        select
            s.chain_id,
            case o.step when 1 then s.narrator_id else b.narrator_id end as from_narrator_id,
            case o.step when 1 then b.narrator_id else s.narrator_id end as to_narrator_id,
            case o.step when 1 then s.node_id else b.node_id end as from_node_id,
            case o.step when 1 then b.node_id else s.node_id end as to_node_id,
            case o.step when 1 then s.rule else b.rule end as from_rule,
            case o.step when 1 then b.rule else s.rule end as to_rule,
            case o.step when 1 then b.transmission_term_ar else s.transmission_term_ar end as transmission_term_ar
        from standing as s
        cross join (values (1), (-1)) as o (step)
        inner join isnad.chain_nodes as b on s.chain_id = b.chain_id and b.position = s.position + o.step
        inner join isnad.narrators as r on b.narrator_id = r.narrator_id
        where s.understood and b.resolution_status = 'confirmed' and b.narrator_id <> s.narrator_id
            and r.import_id in (select import_id from isnad.active_imports)
    ) as p
    inner join citations as c on p.chain_id = c.chain_id
    on conflict do nothing;
    drop table standing, citations;
    return null;
end
$$;

-- What is kept beside an occurrence follows everything that is said of its node, its chain and its hadith.
create or replace function isnad.mark_changed_nodes()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
begin
    -- Marked in one order, so that two writers wait for each other and never deadlock.
    if tg_op = 'INSERT' then
        insert into isnad.occurrence_work
        select distinct narrator_id from changed where resolution_status = 'confirmed' order by narrator_id
        on conflict do nothing;
    elsif tg_op = 'DELETE' then
        insert into isnad.occurrence_work
        select distinct narrator_id from former where resolution_status = 'confirmed' order by narrator_id
        on conflict do nothing;
    else -- an update that changes no confirmed node changes nothing here
        insert into isnad.occurrence_work
        select distinct narrator_id
        from (
            (table changed except table former) union all (table former except table changed)
        ) as moved
        where resolution_status = 'confirmed'
        order by narrator_id
        on conflict do nothing;
    end if;
    return null;
end
$$;

create or replace function isnad.mark_nodes_of_chains()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
begin
    insert into isnad.occurrence_work
    select distinct n.narrator_id
    from (table changed except table former) as moved
    inner join isnad.chain_nodes as n on moved.chain_id = n.chain_id
    where n.resolution_status = 'confirmed'
    order by n.narrator_id
    on conflict do nothing;
    return null;
end
$$;

create function isnad.mark_nodes_of_hadiths()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
begin
    insert into isnad.occurrence_work
    select distinct n.narrator_id
    from changed
    inner join isnad.chains as c on changed.hadith_id = c.hadith_id
    inner join isnad.chain_nodes as n on c.chain_id = n.chain_id
    where n.resolution_status = 'confirmed'
    order by n.narrator_id
    on conflict do nothing;
    return null;
end
$$;
create trigger mark_nodes_insert after insert on isnad.hadith_records
referencing new table as changed
for each statement execute function isnad.mark_nodes_of_hadiths();
create trigger mark_nodes_delete after delete on isnad.hadith_records
referencing old table as changed
for each statement execute function isnad.mark_nodes_of_hadiths();

insert into isnad.occurrence_work
select distinct narrator_id from isnad.chain_nodes
where resolution_status = 'confirmed'
order by narrator_id;
set constraints all immediate; -- now, since a table with work that is due cannot be altered
set constraints all deferred;

create view public.public_narrator_occurrences as
select
    narrator_id,
    ordinal,
    item
from isnad.narrator_occurrences;
comment on view public.public_narrator_occurrences is 'Confirmed nodes by narrator, numbered: what is told of each.';

create view public.public_chain_observations as
select
    from_narrator_id,
    to_narrator_id,
    from_node_id,
    to_node_id,
    item
from isnad.narrator_adjacencies;
comment on view public.public_chain_observations is 'Confirmed nodes side by side: what is told of each pair.';

create or replace function public.read_occurrences(asked bigint, skipped integer, last integer)
returns table (
    narrator json, occurrence_count bigint, distinct_hadith_count bigint, items json, searched json
)
language plpgsql
stable
rows 1
set plan_cache_mode = force_generic_plan
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
        select json_agg(o.item order by o.ordinal)
        from public.public_narrator_occurrences as o
        where o.narrator_id = asked and o.ordinal > skipped and o.ordinal <= last
    );
    searched := (select s.datasets from public.public_searched_datasets as s where s.kind = 'chains');
    return next;
end
$$;

create or replace function public.read_relation(
    narrator_a bigint, narrator_b bigint, observed boolean, wanted integer
)
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
    select bool_or(r.narrator_id = narrator_a), bool_or(r.narrator_id = narrator_b) into known_a, known_b
    from public.public_narrator_records as r where r.narrator_id in (narrator_a, narrator_b);
    known_a := coalesce(known_a, false);
    known_b := coalesce(known_b, false);
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
        searched := (select s.datasets from public.public_searched_datasets as s where s.kind = 'relations');
        if observed then
            observations := (
                select json_agg(o.item)
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
            chains_searched := (select s.datasets from public.public_searched_datasets as s where s.kind = 'chains');
        end if;
    end if;
    return next;
end
$$;

call isnad.protect();
