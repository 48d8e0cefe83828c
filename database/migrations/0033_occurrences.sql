-- Where each narrator certainly stands, numbered, and who certainly stands beside whom: derived from the confirmed
-- nodes, so that any page of any narrator costs what the first costs, and the counts cost nothing. Statements on chain
-- nodes mark the narrators that they touch; when the transaction commits, those are numbered anew, once.

create table isnad.narrator_occurrences (
    narrator_id bigint not null,
    ordinal integer not null, -- from 1, in the order of hadith, chain, position and node
    node_id bigint not null,
    primary key (narrator_id, ordinal)
);
comment on table isnad.narrator_occurrences is
'Confirmed nodes of active datasets, numbered by narrator; written by triggers only.';

create table isnad.narrator_occurrence_counts (
    narrator_id bigint primary key,
    occurrences bigint not null,
    hadiths bigint not null
);
comment on table isnad.narrator_occurrence_counts is 'Counts of isnad.narrator_occurrences; written by triggers only.';

-- `from` stands nearer to the compiler. Only in chains of which every word between the nodes is understood: what stands
-- between two nodes of another may be a third person.
create table isnad.narrator_adjacencies (
    from_narrator_id bigint not null,
    to_narrator_id bigint not null,
    from_node_id bigint not null,
    to_node_id bigint not null,
    primary key (from_narrator_id, to_narrator_id, from_node_id, to_node_id)
);
comment on table isnad.narrator_adjacencies is 'Confirmed nodes side by side in one chain; written by triggers only.';
create index on isnad.narrator_adjacencies (to_narrator_id);

create table isnad.occurrence_work (narrator_id bigint primary key);
comment on table isnad.occurrence_work is 'Narrators to be numbered anew when the transaction commits.';

create function isnad.number_occurrences()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
declare
    ids bigint [];
begin
    with taken as (
        delete from isnad.occurrence_work returning narrator_id
    )
    select array_agg(narrator_id) into ids from taken;
    if ids is null then -- an earlier row of the same transaction has done it
        return null;
    end if;
    delete from isnad.narrator_occurrences where narrator_id = any(ids);
    delete from isnad.narrator_occurrence_counts where narrator_id = any(ids);
    delete from isnad.narrator_adjacencies where from_narrator_id = any(ids);
    delete from isnad.narrator_adjacencies where to_narrator_id = any(ids);

    create temporary table standing on commit drop as
    select n.narrator_id, n.node_id, n.chain_id, n.position, c.chain_number, c.hadith_id, c.understood
    from isnad.chain_nodes as n
    inner join isnad.chains as c on n.chain_id = c.chain_id
    inner join isnad.hadiths as h on c.hadith_id = h.hadith_id
    inner join isnad.narrators as r on n.narrator_id = r.narrator_id
    where n.narrator_id = any(ids) and n.resolution_status = 'confirmed'
        and c.import_id in (select import_id from isnad.active_imports)
        and h.import_id in (select import_id from isnad.active_imports)
        and r.import_id in (select import_id from isnad.active_imports);

    insert into isnad.narrator_occurrences (narrator_id, ordinal, node_id)
    select
        narrator_id, row_number() over (partition by narrator_id order by hadith_id, chain_number, position, node_id),
        node_id
    from standing
    order by narrator_id, node_id;
    insert into isnad.narrator_occurrence_counts (narrator_id, occurrences, hadiths)
    select narrator_id, count(*), count(distinct hadith_id) from standing group by narrator_id;
    insert into isnad.narrator_adjacencies (from_narrator_id, to_narrator_id, from_node_id, to_node_id)
    select
        case o.step when 1 then s.narrator_id else b.narrator_id end,
        case o.step when 1 then b.narrator_id else s.narrator_id end,
        case o.step when 1 then s.node_id else b.node_id end,
        case o.step when 1 then b.node_id else s.node_id end
    from standing as s
    cross join (values (1), (-1)) as o (step)
    inner join isnad.chain_nodes as b on s.chain_id = b.chain_id and b.position = s.position + o.step
    inner join isnad.narrators as r on b.narrator_id = r.narrator_id
    where s.understood and b.resolution_status = 'confirmed' and b.narrator_id <> s.narrator_id
        and r.import_id in (select import_id from isnad.active_imports)
    on conflict do nothing;
    drop table standing;
    return null;
end
$$;
create constraint trigger number_occurrences after insert on isnad.occurrence_work
deferrable initially deferred
for each row execute function isnad.number_occurrences();

create function isnad.mark_changed_nodes()
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
    else -- an update that moves no confirmed node changes nothing here
        insert into isnad.occurrence_work
        select distinct narrator_id
        from (
            (
                select node_id, chain_id, position, narrator_id from changed where resolution_status = 'confirmed'
                except
                select node_id, chain_id, position, narrator_id from former where resolution_status = 'confirmed'
            )
            union all
            (
                select node_id, chain_id, position, narrator_id from former where resolution_status = 'confirmed'
                except
                select node_id, chain_id, position, narrator_id from changed where resolution_status = 'confirmed'
            )
        ) as moved
        order by narrator_id
        on conflict do nothing;
    end if;
    return null;
end
$$;
create trigger mark_insert after insert on isnad.chain_nodes
referencing new table as changed
for each statement execute function isnad.mark_changed_nodes();
create trigger mark_update after update on isnad.chain_nodes
referencing new table as changed old table as former
for each statement execute function isnad.mark_changed_nodes();
create trigger mark_delete after delete on isnad.chain_nodes
referencing old table as former
for each statement execute function isnad.mark_changed_nodes();

create function isnad.mark_nodes_of_chains()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
begin
    insert into isnad.occurrence_work
    select distinct n.narrator_id
    from (
        select chain_id, hadith_id, chain_number, understood, import_id from changed
        except
        select chain_id, hadith_id, chain_number, understood, import_id from former
    ) as moved
    inner join isnad.chain_nodes as n on moved.chain_id = n.chain_id
    where n.resolution_status = 'confirmed'
    order by n.narrator_id
    on conflict do nothing;
    return null;
end
$$;
create trigger mark_update after update on isnad.chains
referencing new table as changed old table as former
for each statement execute function isnad.mark_nodes_of_chains();

create function isnad.mark_all_nodes()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
begin
    if tg_op = 'TRUNCATE' then
        truncate isnad.narrator_occurrences, isnad.narrator_occurrence_counts, isnad.narrator_adjacencies;
    elsif exists (
        select from changed as c inner join former as f using (dataset_id) where c.active <> f.active
    ) then
        insert into isnad.occurrence_work
        select distinct narrator_id from isnad.chain_nodes where resolution_status = 'confirmed' order by narrator_id
        on conflict do nothing;
    end if;
    return null;
end
$$;
create trigger mark_occurrences after update on isnad.datasets
referencing new table as changed old table as former
for each statement execute function isnad.mark_all_nodes();
create trigger mark_truncate after truncate on isnad.chain_nodes
for each statement execute function isnad.mark_all_nodes();

insert into isnad.occurrence_work
select distinct narrator_id from isnad.chain_nodes
where resolution_status = 'confirmed'
order by narrator_id;

create view public.public_narrator_occurrence_counts as
select
    narrator_id,
    occurrences,
    hadiths
from isnad.narrator_occurrence_counts;

create view public.public_narrator_occurrences as
select
    o.narrator_id,
    o.ordinal,
    n.node_id,
    n.position,
    n.rule,
    c.chain_id,
    c.reader,
    c.reader_version,
    i.dataset_id as chain_dataset_id,
    c.import_id as chain_import_id,
    i.dataset_title as chain_dataset_title,
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
from isnad.narrator_occurrences as o
inner join isnad.chain_nodes as n on o.node_id = n.node_id
inner join isnad.chains as c on n.chain_id = c.chain_id
inner join isnad.active_imports as i on c.import_id = i.import_id
inner join isnad.hadiths as h on c.hadith_id = h.hadith_id
inner join isnad.active_imports as hi on h.import_id = hi.import_id
inner join isnad.collections as l on h.collection_id = l.collection_id
inner join isnad.sources as s on l.source_id = s.source_id;

create view public.public_chain_observations as
select
    a.from_narrator_id,
    a.to_narrator_id,
    a.from_node_id,
    a.to_node_id,
    t.transmission_term_ar,
    f.rule as from_rule,
    t.rule as to_rule,
    c.chain_id,
    c.reader,
    c.reader_version,
    i.dataset_id as chain_dataset_id,
    c.import_id as chain_import_id,
    i.dataset_title as chain_dataset_title,
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
from isnad.narrator_adjacencies as a
inner join isnad.chain_nodes as f on a.from_node_id = f.node_id
inner join isnad.chain_nodes as t on a.to_node_id = t.node_id
inner join isnad.chains as c on t.chain_id = c.chain_id
inner join isnad.active_imports as i on c.import_id = i.import_id
inner join isnad.hadiths as h on c.hadith_id = h.hadith_id
inner join isnad.active_imports as hi on h.import_id = hi.import_id
inner join isnad.collections as l on h.collection_id = l.collection_id
inner join isnad.sources as s on l.source_id = s.source_id;

-- What was searched where nothing is recorded, or no chain names anybody.
create index on isnad.relations (import_id);
create index on isnad.chains (import_id);
create view public.public_relation_datasets as
select distinct on (i.dataset_id)
    i.dataset_id,
    i.dataset_key,
    i.dataset_title,
    i.dataset_version,
    i.dataset_licence,
    i.dataset_url
from isnad.active_imports as i
where ( -- one look-up, where `exists` would read them all
    select true from isnad.relations as r
    where r.import_id = i.import_id
    order by r.import_id limit 1
)
order by i.dataset_id, i.import_id;

create view public.public_chain_datasets as
select distinct on (i.dataset_id)
    i.dataset_id,
    i.dataset_key,
    i.dataset_title,
    i.dataset_version,
    i.dataset_licence,
    i.dataset_url
from isnad.active_imports as i
where ( -- one look-up, where `exists` would read them all
    select true from isnad.chains as c
    where c.import_id = i.import_id
    order by c.import_id limit 1
)
order by i.dataset_id, i.import_id;

call isnad.protect();
