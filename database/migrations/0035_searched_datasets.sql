-- The data sets of which something is searched, each found by one step in an index. As 0032 and 0033 had it, the planner
-- took an import's absence for rare and read whole tables to see it, at each call.
create or replace view public.public_narrator_datasets as
select distinct on (i.dataset_id)
    i.dataset_id,
    i.dataset_key,
    i.dataset_title,
    i.dataset_version,
    i.dataset_licence,
    i.dataset_url
from isnad.active_imports as i
cross join
    lateral (
        select n.import_id from isnad.narrators as n
        where n.import_id >= i.import_id
        order by n.import_id limit 1
    ) as following
where following.import_id = i.import_id
order by i.dataset_id, i.import_id;

create or replace view public.public_relation_datasets as
select distinct on (i.dataset_id)
    i.dataset_id,
    i.dataset_key,
    i.dataset_title,
    i.dataset_version,
    i.dataset_licence,
    i.dataset_url
from isnad.active_imports as i
cross join
    lateral (
        select r.import_id from isnad.relations as r
        where r.import_id >= i.import_id
        order by r.import_id limit 1
    ) as following
where following.import_id = i.import_id
order by i.dataset_id, i.import_id;

create or replace view public.public_chain_datasets as
select distinct on (i.dataset_id)
    i.dataset_id,
    i.dataset_key,
    i.dataset_title,
    i.dataset_version,
    i.dataset_licence,
    i.dataset_url
from isnad.active_imports as i
cross join
    lateral (
        select c.import_id from isnad.chains as c
        where c.import_id >= i.import_id
        order by c.import_id limit 1
    ) as following
where following.import_id = i.import_id
order by i.dataset_id, i.import_id;
