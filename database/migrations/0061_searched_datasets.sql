-- Which data sets a tool has searched, one JSON list a kind of row, kept: every answer of the narrator tools cites one.
create view isnad.live_searched_datasets as
select
    'narrators' as kind,
    (select json_agg(s) from public.public_narrator_datasets as s) as datasets
union all
select
    'relations',
    (select json_agg(s) from public.public_relation_datasets as s)
union all
select
    'chains',
    (select json_agg(s) from public.public_chain_datasets as s);
comment on view isnad.live_searched_datasets is 'The active datasets that hold rows of a kind, as the tables say it now.';

create table isnad.searched_datasets (
    kind text primary key,
    datasets json -- null: no active data set holds any
);
comment on table isnad.searched_datasets is 'isnad.live_searched_datasets, kept; written by triggers only.';

create function isnad.make_searched_datasets()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
begin
    delete from isnad.searched_datasets;
    insert into isnad.searched_datasets select kind, datasets from isnad.live_searched_datasets;
    return null;
end
$$;
create constraint trigger searched_datasets after insert on isnad.due_work
deferrable initially deferred
for each row when (new.work_table = 'searched_datasets') execute function isnad.make_searched_datasets();

do $$
declare
    changed text;
begin
    foreach changed in array array['datasets', 'imports', 'narrators', 'relations', 'chains'] loop
        execute format(
            'create trigger note_searched after insert or update or delete or truncate on isnad.%I '
            'for each statement execute function isnad.note_due_work(''searched_datasets'')', changed
        );
    end loop;
end
$$;

insert into isnad.searched_datasets select kind, datasets from isnad.live_searched_datasets;

create view public.public_searched_datasets as
select
    kind,
    datasets
from isnad.searched_datasets;
comment on view public.public_searched_datasets is 'The active datasets that hold rows of a kind.';

call isnad.protect();
