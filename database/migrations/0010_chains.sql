-- What the reader of chains knows beyond a node's mention, and why a text has no chain.
alter table isnad.chain_nodes add column aside_start integer; -- where `يعني ابن زيد` begins, a character of text_ar
alter table isnad.chain_nodes add constraint chain_nodes_key
unique nulls not distinct (chain_id, position, span_start);

-- Two chains of a hadith that run into each other: from `position` on, this chain's narrators are those of `met_number`.
alter table isnad.chains add column met_number integer;
alter table isnad.chains add column met_position integer;

create table isnad.chainless_hadiths (
    hadith_id bigint primary key references isnad.hadiths on delete cascade,
    reason text not null,
    import_id bigint not null references isnad.imports
);

create or replace view public.public_chains as
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
    i.dataset_title,
    c.met_number,
    c.met_position
from isnad.chains as c
inner join isnad.active_imports as i on c.import_id = i.import_id;

create view public.public_chainless_hadiths as
select
    g.hadith_id,
    g.reason
from isnad.chainless_hadiths as g
inner join isnad.active_imports as i on g.import_id = i.import_id;

call isnad.protect();
