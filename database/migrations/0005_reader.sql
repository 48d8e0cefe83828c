-- The role of the deployed functions: it reads the views above and can do nothing else. It has no password here; the
-- operator sets one (docs/deployment.md).
do $$
begin
    if not exists (select from pg_roles where rolname = 'gateway_reader') then
        create role gateway_reader login nosuperuser nocreatedb nocreaterole noinherit noreplication nobypassrls;
    end if;
end
$$;
alter role gateway_reader set default_transaction_read_only = on;
alter role gateway_reader set statement_timeout = '2s';
alter role gateway_reader set idle_in_transaction_session_timeout = '10s';
alter role gateway_reader set search_path = public;

revoke create on schema public from public;
grant usage on schema public to gateway_reader;

-- Row level security on every base table: without a policy, nobody but the owner sees a row, whatever is granted.
do $$
declare
    relation regclass;
begin
    for relation in
        select c.oid from pg_class as c where c.relnamespace = 'isnad'::regnamespace and c.relkind in ('r', 'p')
    loop
        execute format('alter table %s enable row level security', relation);
        execute format('revoke all on %s from public, gateway_reader', relation);
    end loop;
    for relation in
        select c.oid from pg_class as c where c.relnamespace = 'public'::regnamespace and c.relkind = 'v'
    loop
        execute format('revoke all on %s from public', relation);
        execute format('grant select on %s to gateway_reader', relation);
    end loop;
end
$$;
