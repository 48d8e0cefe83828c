-- The role of the deployed functions: it reads the views and can do nothing else. It has no password here; the
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

-- What everybody may do by default, and a role that only reads may not: temporary tables, large objects.
do $$
begin
    execute format('revoke temporary on database %I from public', current_database());
end
$$;
revoke execute on function lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) from public;

revoke create on schema public from public;
grant usage on schema public to gateway_reader;

-- Every migration that makes a table or a view ends with `call isnad.protect()`. Row level security on every base
-- table: without a policy nobody but the owner sees a row, whatever is granted.
create procedure isnad.protect()
language plpgsql
as $$
declare
    relation regclass;
begin
    for relation in
        select c.oid from pg_class as c where c.relnamespace = 'isnad'::regnamespace and c.relkind in ('r', 'p')
    loop
        execute format('alter table %s enable row level security', relation);
        execute format('revoke all on table %s from public, gateway_reader', relation);
    end loop;
    for relation in
        select c.oid
        from pg_class as c
        inner join pg_roles as r on c.relowner = r.oid
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' and r.rolname = current_user
            and not exists (select from pg_depend as d where d.objid = c.oid and d.deptype = 'e') -- an extension's own
    loop
        execute format('revoke all on table %s from public', relation);
        execute format('grant select on table %s to gateway_reader', relation);
    end loop;
end
$$;
call isnad.protect();
