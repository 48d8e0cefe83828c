-- Which hadiths hold a remark of their compiler, so that get_hadith can say that not all of the text is the Prophet's.
create view public.public_hadiths_with_remark as
select a.hadith_id
from isnad.commentary_alignments as a
inner join isnad.commentary_passages as p on a.passage_id = p.passage_id
inner join isnad.active_imports as i on p.import_id = i.import_id
where a.alignment_status = 'contained' and p.published;

call isnad.protect();
