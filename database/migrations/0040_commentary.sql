-- What get_hadith_commentary reads: the translator and the dataset's licence of each passage, and which active datasets
-- hold published commentary at all, so that an empty answer can say what was searched.
create index on isnad.commentary_passages (import_id);

create or replace view public.commentary_hadith_passages as
select
    p.passage_id,
    a.hadith_id,
    p.passage_kind,
    p.part,
    p.source_text,
    p.language,
    p.locator,
    p.content_hash,
    a.alignment_status,
    a.alignment_confidence,
    a.note,
    t.language as translation_language,
    t.text as translation_text,
    t.status as translation_status,
    e.edition_id,
    e.title as edition_title,
    e.url,
    coalesce(e.rights, s.rights) as rights,
    s.source_id,
    s.title as source_title,
    s.author,
    s.source_type,
    i.dataset_id,
    i.import_id,
    i.dataset_title,
    i.dataset_version,
    i.dataset_licence,
    i.dataset_url,
    t.translator
from isnad.commentary_passages as p
inner join isnad.commentary_alignments as a on p.passage_id = a.passage_id
inner join isnad.editions as e on p.edition_id = e.edition_id
inner join isnad.sources as s on e.source_id = s.source_id
inner join isnad.active_imports as i on p.import_id = i.import_id
left join isnad.commentary_translations as t on p.passage_id = t.passage_id and t.status = 'PUBLISHED'
where p.published and s.author is not null;

create view public.public_commentary_datasets as
select distinct
    i.dataset_id,
    i.dataset_key,
    i.dataset_title,
    i.dataset_version,
    i.dataset_licence,
    i.dataset_url
from isnad.active_imports as i
where exists (
    select from isnad.commentary_passages as p
    where p.import_id = i.import_id and p.published
);

call isnad.protect();
