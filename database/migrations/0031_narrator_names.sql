-- The index of narrators' names, kept true by triggers that act when a transaction commits: every form of
-- isnad.narrator_forms and the names in isnad.narrators itself, of active datasets only.

create table isnad.narrator_names (
    name_id bigint generated always as identity primary key,
    narrator_id bigint not null references isnad.narrators on delete cascade,
    form_id bigint references isnad.narrator_forms on delete cascade, -- null: a name that stands in isnad.narrators
    form text not null,
    key text collate "C" not null,
    padded text collate "C" not null generated always as (' ' || key || ' ') stored,
    words text[] collate "C" not null,
    word_count smallint not null,
    lexemes tsvector not null,
    prominence integer not null
);
comment on table isnad.narrator_names is 'Search index of narrators'' names; written by triggers only.';
comment on column isnad.narrator_names.words is
'What a query''s words are looked up among: the key''s words but ibn, and the parts of compound names.';
comment on column isnad.narrator_names.word_count is 'Number of the key''s words but ibn.';
comment on column isnad.narrator_names.prominence is
'Number of the narrator''s forms: who has many names is named often. Orders namesakes.';
create index narrator_names_key on isnad.narrator_names (key, prominence desc, narrator_id);
create index narrator_names_lexemes on isnad.narrator_names using gin (lexemes) with (fastupdate = off);
create index on isnad.narrator_names (narrator_id);
create index on isnad.narrator_names (form_id);

-- Each word once: how many names hold it, what it becomes when one letter is dropped, and its sound.
create table isnad.name_words (
    word text collate "C" primary key,
    name_count integer not null check (name_count >= 0),
    near text[] collate "C" not null generated always as (isnad.search_near(word)) stored,
    sound text collate "C" generated always as (
        case when word ~ '[\u0621-\u064A]' then isnad.arabic_sound(word) end
    ) stored
) with (fillfactor = 80);
comment on table isnad.name_words is 'Words of isnad.narrator_names with the number of names of each.';
create index name_words_near on isnad.name_words using gin (near) with (fastupdate = off);
create index name_words_sound on isnad.name_words (sound);

-- The key of a name in its own script.
create function isnad.name_key(name text)
returns text
language sql
immutable
strict
parallel safe
return left(
    case
        when name ~ '[\u0621-\u064A\uFB50-\uFDFF\uFE70-\uFEFC]' then public.isnad_arabic_key(name)
        else public.isnad_latin_key(name)
    end,
    255
);

-- The words of a key that say who is meant: all but `ibn`; a key of nothing else keeps it. The index holds the parts of
-- compound names too, so that what is left of one is found (`بكر`, `عبد`).
create function isnad.name_words(key text)
returns text[]
language sql
immutable
strict
parallel safe
return array(
    select distinct w.word
    from string_to_table(key, ' ') as k (word)
    cross join
        lateral unnest(
            k.word || coalesce(regexp_match(k.word, '^(?:ابو|ام|abu|umm)-(.+)'), '{}')
            || coalesce(regexp_match(k.word, '^(?:ابو-|ام-)?(عبد|عبيد)(ال.+)'), '{}')
        ) as w (word)
    where length(w.word) between 1 and 40 and (w.word not in ('بن', 'bn') or key in ('بن', 'bn'))
    order by w.word
);

-- Writes the index rows of these narrators anew.
create function isnad.index_narrators(ids bigint[])
returns void
language plpgsql
security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
begin
    delete from isnad.narrator_names where narrator_id = any(ids);
    insert into isnad.narrator_names (narrator_id, form_id, form, key, words, word_count, lexemes, prominence)
    select
        k.narrator_id, k.form_id, k.form, k.key, w.words,
        cardinality(array_remove(array_remove(string_to_array(k.key, ' '), 'بن'), 'bn')),
        array_to_tsvector(w.words),
        count(*) over (partition by k.narrator_id)
    from (
        select distinct on (n.narrator_id, n.key) n.*
        from (
            select f.narrator_id, f.form_id, f.form, isnad.name_key(f.form) as key
            from isnad.narrator_forms as f
            inner join isnad.active_imports as i on f.import_id = i.import_id
            where f.narrator_id = any(ids)
            union all
            select r.narrator_id, null, names.form, isnad.name_key(names.form)
            from isnad.narrators as r
            cross join lateral (values (r.name_ar), (r.name_fr), (r.canonical_display)) as names (form)
            where r.narrator_id = any(ids) and names.form is not null
        ) as n
        where n.key <> ''
        order by n.narrator_id, n.key, length(n.form), n.form_id nulls last, n.form
    ) as k
    inner join isnad.narrators as r on k.narrator_id = r.narrator_id
    inner join isnad.active_imports as a on r.import_id = a.import_id
    cross join lateral (select isnad.name_words(k.key) as words) as w
    order by k.narrator_id, k.key;
end
$$;

-- Statements mark the narrators that they touch; when the transaction commits, those are indexed anew, once.
create table isnad.narrator_names_work (narrator_id bigint primary key);
comment on table isnad.narrator_names_work is 'Narrators to be indexed anew when the transaction commits.';

create function isnad.index_marked_narrators()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
declare
    ids bigint [];
begin
    with taken as (
        delete from isnad.narrator_names_work returning narrator_id
    )
    select array_agg(narrator_id order by narrator_id) into ids from taken;
    if ids is not null then -- else an earlier row of the same transaction has done it
        perform isnad.index_narrators(ids);
    end if;
    return null;
end
$$;
create constraint trigger index_narrators after insert on isnad.narrator_names_work
deferrable initially deferred
for each row execute function isnad.index_marked_narrators();

create function isnad.mark_changed_narrators()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
begin
    -- Marked in one order, so that two writers wait for each other and never deadlock.
    if tg_op = 'DELETE' then
        insert into isnad.narrator_names_work
        select distinct narrator_id from former order by 1
        on conflict do nothing;
    else
        insert into isnad.narrator_names_work
        select distinct narrator_id from changed order by 1
        on conflict do nothing;
    end if;
    if tg_op = 'UPDATE' then -- a form that was given to somebody else
        insert into isnad.narrator_names_work
        select distinct narrator_id from former order by 1
        on conflict do nothing;
    end if;
    return null;
end
$$;
create trigger mark_insert after insert on isnad.narrators
referencing new table as changed
for each statement execute function isnad.mark_changed_narrators();
create trigger mark_update after update on isnad.narrators
referencing new table as changed old table as former
for each statement execute function isnad.mark_changed_narrators();
create trigger mark_insert after insert on isnad.narrator_forms
referencing new table as changed
for each statement execute function isnad.mark_changed_narrators();
create trigger mark_update after update on isnad.narrator_forms
referencing new table as changed old table as former
for each statement execute function isnad.mark_changed_narrators();
create trigger mark_delete after delete on isnad.narrator_forms
referencing old table as former
for each statement execute function isnad.mark_changed_narrators();
-- Deleted narrators leave by the foreign key.

create function isnad.mark_narrators_of_datasets()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
begin
    insert into isnad.narrator_names_work
    select n.narrator_id
    from (
        select r.narrator_id, r.import_id from isnad.narrators as r
        union
        select f.narrator_id, f.import_id from isnad.narrator_forms as f
    ) as n
    inner join isnad.imports as i on n.import_id = i.import_id
    inner join changed as c on i.dataset_id = c.dataset_id
    inner join former as f on c.dataset_id = f.dataset_id and c.active <> f.active
    order by n.narrator_id
    on conflict do nothing;
    return null;
end
$$;
create trigger mark_narrators after update on isnad.datasets
referencing new table as changed old table as former
for each statement execute function isnad.mark_narrators_of_datasets();

-- The words follow the index; taken in order, so that two writers wait for each other and never deadlock.
create function isnad.count_name_words()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, isnad, public, pg_temp
as $$
begin
    if tg_op = 'TRUNCATE' then
        delete from isnad.name_words;
    elsif tg_op = 'INSERT' then
        -- Not by `on conflict do update`, which would work out the neighbourhood of every word that is there already.
        insert into isnad.name_words (word, name_count)
        select w.word, 0 from changed cross join unnest(words) as w (word)
        where not exists (select from isnad.name_words as had where had.word = w.word)
        group by w.word order by w.word
        on conflict (word) do nothing;
        perform from isnad.name_words
        where word in (select unnest(words) from changed)
        order by word for update;
        update isnad.name_words as v set name_count = v.name_count + come.name_count
        from (
            select w.word, count(*) as name_count from changed cross join unnest(words) as w (word) group by w.word
        ) as come
        where v.word = come.word;
    else
        perform from isnad.name_words
        where word in (select unnest(words) from former)
        order by word for update;
        update isnad.name_words as v set name_count = v.name_count - gone.name_count
        from (
            select w.word, count(*) as name_count from former cross join unnest(words) as w (word) group by w.word
        ) as gone
        where v.word = gone.word;
        delete from isnad.name_words where name_count = 0 and word in (select unnest(words) from former);
    end if;
    return null;
end
$$;
create trigger count_insert after insert on isnad.narrator_names
referencing new table as changed
for each statement execute function isnad.count_name_words();
create trigger count_delete after delete on isnad.narrator_names
referencing old table as former
for each statement execute function isnad.count_name_words();
create trigger count_truncate after truncate on isnad.narrator_names
for each statement execute function isnad.count_name_words();

-- What the database already holds.
insert into isnad.narrator_names_work
select narrator_id from isnad.narrators
order by narrator_id;

create index on isnad.narrators (grade_tier);
create index on isnad.narrators (region);
create index on isnad.narrators (generation);
create index on isnad.narrators (import_id);

call isnad.protect();
