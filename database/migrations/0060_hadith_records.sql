-- What is told of a hadith beside its text, one JSON object a hadith: the join of a dozen small tables is made when it
-- is written and not when it is read. Statements on those tables mark the hadiths that they touch; when the transaction
-- commits, their records are made anew, once.

-- The one definition of a record.
create view isnad.live_hadith_records as
select
    h.hadith_id,
    row_to_json(h) as record
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
    record json not null
);
comment on table isnad.hadith_records is 'isnad.live_hadith_records, kept; written by triggers only.';

create table isnad.hadith_record_work (hadith_id bigint primary key);
comment on table isnad.hadith_record_work is 'Hadiths whose record is made anew when the transaction commits.';

create function isnad.make_hadith_records()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
declare
    ids bigint [];
begin
    with taken as (
        delete from isnad.hadith_record_work returning hadith_id
    )
    select array_agg(hadith_id) into ids from taken;
    if ids is null then -- an earlier row of the same transaction has done it
        return null;
    end if;
    delete from isnad.hadith_records where hadith_id = any(ids);
    insert into isnad.hadith_records
    select hadith_id, record from isnad.live_hadith_records
    where hadith_id = any(ids)
    order by hadith_id;
    return null;
end
$$;
create constraint trigger make_records after insert on isnad.hadith_record_work
deferrable initially deferred
for each row execute function isnad.make_hadith_records();

create function isnad.mark_hadith_records()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
begin
    -- Marked in one order, so that two writers wait for each other and never deadlock.
    if tg_op = 'INSERT' then
        insert into isnad.hadith_record_work
        select distinct hadith_id from changed order by hadith_id
        on conflict do nothing;
    elsif tg_op = 'DELETE' then
        insert into isnad.hadith_record_work
        select distinct hadith_id from former order by hadith_id
        on conflict do nothing;
    else -- an update that changes nothing marks nothing
        insert into isnad.hadith_record_work
        select distinct hadith_id
        from (
            (table changed except table former) union all (table former except table changed)
        ) as moved
        order by hadith_id
        on conflict do nothing;
    end if;
    return null;
end
$$;

-- Of the small tables that many records share, any change marks all.
create function isnad.mark_all_hadith_records()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
begin
    if exists (table changed except table former) then
        insert into isnad.hadith_record_work
        select hadith_id from isnad.hadiths order by hadith_id
        on conflict do nothing;
    end if;
    return null;
end
$$;

do $$
declare
    marked text;
begin
    foreach marked in array array['hadiths', 'hadith_references', 'translations', 'commentary_alignments'] loop
        execute format(
            'create trigger mark_records_insert after insert on isnad.%I referencing new table as changed '
            'for each statement execute function isnad.mark_hadith_records()', marked
        );
        execute format(
            'create trigger mark_records_update after update on isnad.%I '
            'referencing new table as changed old table as former '
            'for each statement execute function isnad.mark_hadith_records()', marked
        );
    end loop;
    -- Deleted hadiths leave by the foreign key.
    foreach marked in array array['hadith_references', 'translations', 'commentary_alignments'] loop
        execute format(
            'create trigger mark_records_delete after delete on isnad.%I referencing old table as former '
            'for each statement execute function isnad.mark_hadith_records()', marked
        );
    end loop;
    foreach marked in array array[
        'datasets', 'imports', 'sources', 'collections', 'books', 'chapters', 'commentary_passages'
    ] loop
        execute format(
            'create trigger mark_records after update on isnad.%I '
            'referencing new table as changed old table as former '
            'for each statement execute function isnad.mark_all_hadith_records()', marked
        );
    end loop;
end
$$;

insert into isnad.hadith_records
select hadith_id, record from isnad.live_hadith_records
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

drop function public.read_hadith(bigint);

call isnad.protect();
