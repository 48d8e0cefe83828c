-- References as people write them: `bukhari 1`, `Sahih al-Bukhari #1`, `صحيح البخاري رقم ١`, `مسلم ٨ أ`.

-- The keys under which a number is found: itself; without its letter (a bare 8 is carried by 8a and 8b); a range by its
-- ends. A part (402.2) or an in-book number (1:2) is a number of its own and never cut.
create function isnad.reference_keys(number text)
returns text[]
language sql
immutable
strict
parallel safe
return array(
    select distinct k.key from
        unnest(
            array[number, substring(number from '^([0-9]+)[a-z]$')]
            || regexp_match(number, '^([0-9]+[a-z]?)-([0-9]+[a-z]?)$')
        ) as k (key)
    where k.key is not null
);

alter table isnad.hadith_references
add column keys text[] not null generated always as (isnad.reference_keys(number)) stored;
create index on isnad.hadith_references using gin (keys);
create index on isnad.hadith_references (collection_id, numbering_scheme, number_order desc nulls last);

create or replace view public.public_hadith_references as
select
    r.hadith_id,
    r.collection_id,
    r.numbering_scheme,
    r.number,
    r.reference,
    r.number_order,
    r.keys
from isnad.hadith_references as r
inner join isnad.active_imports as i on r.import_id = i.import_id;

-- The name of a collection as it is looked up: folded, nothing but letters and single spaces.
create function public.isnad_name_key(name text)
returns text
language sql
immutable
strict
parallel safe
return trim(regexp_replace(public.isnad_fold(name), '[^a-z\u0621-\u064A]+', ' ', 'g'));

-- Reads a query as a reference: the name as written, its number, and what follows the number. No row where the query
-- does not have that form. A letter after the number is part of it; Arabic letters count in the abjad order
-- (ا ب ج د ه و ز for a to g).
create function public.isnad_reference(query text)
returns table (name_key text, number text, rest text)
language sql
immutable
parallel safe
begin atomic
    select
        public.isnad_name_key(
            regexp_replace(m.parts[1], '\m(hadith|hadeeth|hadit|no|num|number|numero|nr|n|رقم|حديث|الحديث)\M', ' ', 'g')
        ),
        regexp_replace(m.parts[2], '\s', '', 'g') || coalesce(translate(m.parts[3], 'ابجدهوز', 'abcdefg'), ''),
        nullif(trim(m.parts[4]), '')
    from (
        select
            regexp_match(
                public.isnad_fold(left(query, 200)),
                '^\s*([^0-9]*?[^0-9\s:#,.-])[\s:#°،,.-]*'
                || '([0-9]+(?:\s?[.:/-]\s?[0-9]+)*)'
                || '(?:\s*([a-z]|[ابجدهوز]))?'
                || '(?:[\s:،,.]+(.*))?$'
            ) as parts
    ) as m
    where m.parts is not null;
end;
