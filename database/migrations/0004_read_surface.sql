-- The read surface: the only objects that the gateway's role can read. Views run with their owner's rights, so they
-- are the boundary: what they select is what can ever be answered. All of them leave out what a dataset that is
-- switched off has brought.

create view public.public_datasets as
select
    dataset_id,
    dataset_key,
    title,
    version,
    licence,
    url
from isnad.datasets
where active and exists (
    select from isnad.imports as i
    where i.dataset_id = datasets.dataset_id
);

create view public.public_collections as
select
    c.collection_id,
    c.code,
    c.name_ar,
    c.name_latin,
    s.source_id,
    s.title as source_title,
    s.author,
    s.source_type,
    s.rights,
    i.dataset_id,
    i.dataset_key,
    i.dataset_title,
    i.dataset_version,
    i.dataset_licence,
    i.dataset_url
from isnad.collections as c
inner join isnad.sources as s on c.source_id = s.source_id
inner join isnad.active_imports as i on c.import_id = i.import_id;

create view public.public_collection_names as
select
    n.name_folded,
    n.collection_id
from isnad.collection_names as n
inner join public.public_collections as c on n.collection_id = c.collection_id;

create view public.public_hadiths as
select
    h.hadith_id,
    h.source_key,
    h.text_ar,
    h.text_damaged,
    h.content_hash,
    h.canonical_reference,
    h.numbering_scheme,
    c.collection_id,
    c.code as collection_code,
    c.name_ar as collection_name,
    s.source_id,
    s.title as source_title,
    s.author,
    s.source_type,
    s.rights,
    b.book_id,
    b.number as book_number,
    b.title_ar as book_title,
    bi.dataset_id as book_title_dataset_id,
    bi.import_id as book_title_import_id,
    bi.dataset_key as book_title_dataset_key,
    bi.dataset_title as book_title_dataset_title,
    p.chapter_id,
    p.number as chapter_number,
    p.title_ar as chapter_title,
    i.dataset_id,
    i.import_id,
    i.dataset_key,
    i.dataset_title,
    i.dataset_version,
    i.dataset_licence,
    i.dataset_url
from isnad.hadiths as h
inner join isnad.collections as c on h.collection_id = c.collection_id
inner join isnad.sources as s on c.source_id = s.source_id
inner join isnad.active_imports as i on h.import_id = i.import_id
left join isnad.books as b on h.book_id = b.book_id
left join isnad.active_imports as bi on b.title_import_id = bi.import_id
left join isnad.chapters as p on h.chapter_id = p.chapter_id;

create view public.public_hadith_references as
select
    r.hadith_id,
    r.collection_id,
    r.numbering_scheme,
    r.number,
    r.reference,
    r.number_order
from isnad.hadith_references as r
inner join isnad.active_imports as i on r.import_id = i.import_id;

create view public.public_hadith_translations as
select
    t.hadith_id,
    t.language,
    t.text,
    t.translator,
    t.origin,
    t.locator,
    s.source_id,
    s.title as source_title,
    s.author,
    s.source_type,
    s.rights,
    s.url,
    i.dataset_id,
    i.import_id,
    i.dataset_title,
    i.dataset_version,
    i.dataset_licence
from isnad.translations as t
inner join isnad.sources as s on t.source_id = s.source_id
inner join isnad.active_imports as i on t.import_id = i.import_id;

create view public.public_chains as
select
    c.chain_id,
    c.hadith_id,
    c.chain_number,
    c.completeness,
    c.understood,
    c.reader,
    c.reader_version,
    i.dataset_id,
    i.import_id,
    i.dataset_title
from isnad.chains as c
inner join isnad.active_imports as i on c.import_id = i.import_id;

create view public.public_chain_nodes as
select
    n.node_id,
    n.chain_id,
    n.position,
    n.mention_ar,
    n.transmission_term_ar,
    n.span_start,
    n.span_end,
    n.narrator_id,
    n.resolution_status,
    n.confidence,
    n.candidate_count,
    n.rule
from isnad.chain_nodes as n
inner join public.public_chains as c on n.chain_id = c.chain_id;

create view public.public_narrators as
select
    n.narrator_id,
    n.narrator_key,
    n.name_ar,
    n.name_fr,
    n.generation,
    n.grade_tier,
    n.region,
    n.death_year_ah,
    i.dataset_id,
    i.import_id,
    i.dataset_title,
    i.dataset_version,
    i.dataset_licence
from isnad.narrators as n
inner join isnad.active_imports as i on n.import_id = i.import_id;

create view public.narrator_canonical_display as
select
    n.narrator_id,
    n.canonical_display,
    n.canonical_display_status as status
from isnad.narrators as n
inner join isnad.active_imports as i on n.import_id = i.import_id
where n.canonical_display is not null;

create view public.public_narrator_forms as
select
    f.form_id,
    f.narrator_id,
    f.form,
    f.form_folded,
    f.script,
    f.distinctive,
    f.source_id,
    i.dataset_id,
    i.import_id,
    i.dataset_title
from isnad.narrator_forms as f
inner join isnad.active_imports as i on f.import_id = i.import_id;

create view public.public_narrator_facts as
select
    f.fact_id,
    f.narrator_id,
    f.field,
    f.value,
    f.locator,
    f.source_id,
    s.title as source_title,
    s.source_type,
    i.dataset_id,
    i.import_id,
    i.dataset_title,
    i.dataset_version,
    i.dataset_licence
from isnad.narrator_facts as f
inner join isnad.active_imports as i on f.import_id = i.import_id
left join isnad.sources as s on f.source_id = s.source_id;

create view public.public_narrator_entries as
select
    l.narrator_id,
    l.resolution_status,
    l.rule,
    e.entry_id,
    e.entry_key,
    e.part,
    e.number,
    e.locator,
    e.heading,
    e.text,
    e.content_hash,
    d.edition_id,
    d.title as edition_title,
    d.url,
    coalesce(d.rights, s.rights) as rights,
    s.source_id,
    s.title as source_title,
    s.author,
    s.source_type,
    i.dataset_id,
    i.import_id,
    i.dataset_title
from isnad.narrator_entry_links as l
inner join isnad.narrator_entries as e on l.entry_id = e.entry_id
inner join isnad.editions as d on e.edition_id = d.edition_id
inner join isnad.sources as s on d.source_id = s.source_id
inner join isnad.active_imports as i on e.import_id = i.import_id;

-- Reviewed assertions with a source; how many there are without one is told apart, so that a gap can be said.
create view public.public_narrator_assertions as
select
    a.assertion_id,
    a.narrator_id,
    a.field,
    a.value,
    a.edition_id,
    a.locator,
    a.review_status,
    s.source_id,
    s.title as source_title,
    s.author,
    s.source_type,
    s.rights,
    i.dataset_id,
    i.import_id,
    i.dataset_title
from isnad.narrator_assertions as a
inner join isnad.sources as s on a.source_id = s.source_id
inner join isnad.active_imports as i on a.import_id = i.import_id
where a.review_status = 'REVIEWED';

create view public.public_narrator_assertion_gaps as
select
    a.narrator_id,
    count(*) as withheld
from isnad.narrator_assertions as a
inner join isnad.active_imports as i on a.import_id = i.import_id
where a.review_status <> 'REVIEWED' or a.source_id is null
group by a.narrator_id;

create view public.public_relations as
select
    r.relation_id,
    r.teacher_id,
    r.student_id,
    r.recorded_status,
    r.source_text,
    r.locator,
    s.source_id,
    s.title as source_title,
    s.author,
    s.source_type,
    s.rights,
    i.dataset_id,
    i.import_id,
    i.dataset_title,
    i.dataset_version,
    i.dataset_licence
from isnad.relations as r
inner join isnad.active_imports as i on r.import_id = i.import_id
left join isnad.sources as s on r.source_id = s.source_id;

-- A passage without a named work cannot be stored; one without a named author is not published.
create view public.commentary_hadith_passages as
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
    i.dataset_version
from isnad.commentary_passages as p
inner join isnad.commentary_alignments as a on p.passage_id = a.passage_id
inner join isnad.editions as e on p.edition_id = e.edition_id
inner join isnad.sources as s on e.source_id = s.source_id
inner join isnad.active_imports as i on p.import_id = i.import_id
left join isnad.commentary_translations as t on p.passage_id = t.passage_id and t.status = 'PUBLISHED'
where p.published and s.author is not null;

create view public.public_transliteration_lexicon as
select
    l.term_ar,
    l.transliteration,
    s.source_id,
    s.title as source_title
from isnad.transliteration_lexicon as l
inner join isnad.sources as s on l.source_id = s.source_id;
