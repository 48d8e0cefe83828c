-- What is told of a hadith beside its text, one JSON object a hadith: the join of a dozen small tables is made when it
-- is written and not when it is read. Statements on those tables mark the hadiths that they touch; when the transaction
-- commits, their records are made anew, once.

-- Work that is due when the transaction commits: a row a table of marks, so that its function is called once and not once
-- a mark. It replaces the triggers of 0031 and 0033, which were called for each.
create table isnad.due_work (work_table text primary key);
comment on table isnad.due_work is 'Tables of marks whose work is done when the transaction commits.';

create function isnad.note_due_work()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
begin
    insert into isnad.due_work values (coalesce(tg_argv[0], tg_table_name)) on conflict do nothing;
    return null;
end
$$;

create function isnad.take_due_work()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
begin
    delete from isnad.due_work where work_table = new.work_table;
    return null;
end
$$;
create constraint trigger a_taken after insert on isnad.due_work -- the first to fire, by its name
deferrable initially deferred
for each row execute function isnad.take_due_work();

-- Lets a function be called when a transaction commits that has set marks in a table.
create procedure isnad.work_at_commit(work_table text, work_function text)
language plpgsql
as $$
begin
    execute format(
        'create trigger note_due after insert on isnad.%I '
        'for each statement execute function isnad.note_due_work()', work_table
    );
    execute format(
        'create constraint trigger %1$I after insert on isnad.due_work deferrable initially deferred '
        'for each row when (new.work_table = %1$L) execute function isnad.%2$I()', work_table, work_function
    );
end
$$;

drop trigger index_narrators on isnad.narrator_names_work;
call isnad.work_at_commit('narrator_names_work', 'index_marked_narrators');
drop trigger number_occurrences on isnad.occurrence_work;
call isnad.work_at_commit('occurrence_work', 'number_occurrences');

-- Marks what a statement touched. Arguments: the table of marks, and its column, which the changed table has too. An
-- update that changes nothing marks nothing; marks are set in one order, so that two writers wait for each other and
-- never deadlock.
create function isnad.mark_changed()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
begin
    execute format(
        'insert into isnad.%1$I (%2$I) select distinct %2$I from (%3$s) as moved order by %2$I on conflict do nothing',
        tg_argv[0], tg_argv[1],
        case tg_op
            when 'INSERT' then 'table changed'
            when 'DELETE' then 'table former'
            else '(table changed except table former) union all (table former except table changed)'
        end
    );
    return null;
end
$$;

-- The same for the small tables that many rows share: any change marks all rows of a table. Arguments: the table of
-- marks, its column, and the table whose rows are marked.
create function isnad.mark_all()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
begin
    if exists (table changed except table former) then
        execute format(
            'insert into isnad.%1$I (%2$I) select %2$I from isnad.%3$I order by %2$I on conflict do nothing',
            tg_argv[0], tg_argv[1], tg_argv[2]
        );
    end if;
    return null;
end
$$;

-- Sets the triggers of these two. `named`: what the triggers' names begin with.
create procedure isnad.mark_on_changes(
    named text, work_table text, key_column text, in_tables text[], all_of text, on_updates_of text[]
)
language plpgsql
as $$
declare
    marked text;
begin
    foreach marked in array in_tables loop
        execute format(
            'create trigger %1$I after insert on isnad.%2$I referencing new table as changed '
            'for each statement execute function isnad.mark_changed(%3$L, %4$L)',
            named || '_insert', marked, work_table, key_column
        );
        execute format(
            'create trigger %1$I after update on isnad.%2$I referencing new table as changed old table as former '
            'for each statement execute function isnad.mark_changed(%3$L, %4$L)',
            named || '_update', marked, work_table, key_column
        );
        execute format(
            'create trigger %1$I after delete on isnad.%2$I referencing old table as former '
            'for each statement execute function isnad.mark_changed(%3$L, %4$L)',
            named || '_delete', marked, work_table, key_column
        );
    end loop;
    foreach marked in array on_updates_of loop
        execute format(
            'create trigger %1$I after update on isnad.%2$I referencing new table as changed old table as former '
            'for each statement execute function isnad.mark_all(%3$L, %4$L, %5$L)',
            named, marked, work_table, key_column, all_of
        );
    end loop;
end
$$;

-- The one definition of a record.
create view isnad.live_hadith_records as
select
    h.hadith_id,
    row_to_json(h) as record,
    case
        when h.translation_text is null
            then json_build_object(
                'hadith_id', h.hadith_id, 'source_key', h.source_key, 'content_hash', h.content_hash,
                'canonical_reference', h.canonical_reference, 'numbering_scheme', h.numbering_scheme,
                'source_id', h.source_id, 'source_title', h.source_title, 'author', h.author,
                'source_type', h.source_type, 'rights', h.rights, 'book_number', h.book_number,
                'chapter_number', h.chapter_number, 'dataset_id', h.dataset_id, 'import_id', h.import_id,
                'translation_text', null
            )
    end as citation
from (
    select
        h.hadith_id,
        h.source_key,
        h.content_hash,
        h.canonical_reference,
        h.numbering_scheme,
        h.collection_id,
        h.collection_code,
        h.collection_name,
        h.source_id,
        h.source_title,
        h.author,
        h.source_type,
        h.rights,
        h.book_id,
        h.book_number,
        h.book_title,
        h.book_title_dataset_id,
        h.book_title_import_id,
        h.book_title_dataset_key,
        h.book_title_dataset_title,
        h.chapter_id,
        h.chapter_number,
        h.chapter_title,
        h.chapter_title_dataset_id,
        h.chapter_title_import_id,
        h.chapter_title_dataset_key,
        h.chapter_title_dataset_title,
        h.dataset_id,
        h.import_id,
        h.dataset_key,
        h.dataset_title,
        h.dataset_version,
        h.dataset_licence,
        h.dataset_url,
        (
            select
                json_agg(
                    json_build_object('reference', r.reference, 'numbering_scheme', r.numbering_scheme)
                    order by r.numbering_scheme, r.number_order, r.number
                )
            from public.public_hadith_references as r
            where r.hadith_id = h.hadith_id and r.reference <> h.canonical_reference
        ) as other_references,
        exists(select from public.public_hadiths_with_remark as m where m.hadith_id = h.hadith_id) as holds_remark,
        t.language as translation_language,
        t.text as translation_text,
        t.translator,
        t.origin,
        t.locator as translation_locator,
        t.source_id as translation_source_id,
        t.source_title as translation_source_title,
        t.rights as translation_rights,
        t.url as translation_url,
        t.dataset_id as translation_dataset_id,
        t.import_id as translation_import_id,
        t.dataset_title as translation_dataset_title
    from public.public_hadiths as h
    left join lateral (
        select * from public.public_hadith_translations
        where hadith_id = h.hadith_id and language = 'fr'
        order by (origin = 'machine'), source_id limit 1
    ) as t on true
) as h;
comment on view isnad.live_hadith_records is
'Every hadith of an active dataset with its place, its references and its best French text, as the tables say it now.';

create table isnad.hadith_records (
    hadith_id bigint primary key references isnad.hadiths on delete cascade,
    record json not null,
    citation json -- the part that a search hit tells; null where that is all, because there is a French text
);
comment on table isnad.hadith_records is 'isnad.live_hadith_records, kept; written by triggers only.';

create table isnad.hadith_record_work (hadith_id bigint primary key);
comment on table isnad.hadith_record_work is 'Hadiths whose record is made anew when the transaction commits.';

create function isnad.make_hadith_records()
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
        delete from isnad.hadith_record_work returning hadith_id
    )
    select array_agg(hadith_id) into ids from taken;
    if ids is null then
        return null;
    end if;
    delete from isnad.hadith_records where hadith_id = any(ids);
    insert into isnad.hadith_records
    select hadith_id, record, citation from isnad.live_hadith_records
    where hadith_id = any(ids)
    order by hadith_id;
    return null;
end
$$;
call isnad.work_at_commit('hadith_record_work', 'make_hadith_records');

call isnad.mark_on_changes(
    'mark_records', 'hadith_record_work', 'hadith_id',
    array['hadiths', 'hadith_references', 'translations', 'commentary_alignments'],
    'hadiths',
    array['datasets', 'imports', 'sources', 'collections', 'books', 'chapters', 'commentary_passages']
);

insert into isnad.hadith_records
select hadith_id, record, citation from isnad.live_hadith_records
order by hadith_id;

create view public.public_hadith_records as
select
    h.hadith_id,
    h.text_ar,
    h.text_damaged,
    r.record
from isnad.hadith_records as r
inner join isnad.hadiths as h on r.hadith_id = h.hadith_id;
comment on view public.public_hadith_records is 'Hadiths of active datasets: the text, and all that is told of it.';

call isnad.protect();
