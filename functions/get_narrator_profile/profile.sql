select
    n.*,
    d.canonical_display,
    d.status as display_status,
    (
        select json_agg(v)
        from (
            select form, distinctive from public_narrator_forms
            where narrator_id = :narrator_id order by distinctive desc, length(form) desc, form_id limit 21
        ) as v
    ) as variants,
    (
        select json_agg(f order by f.field, f.fact_id)
        from (
            select * from public_narrator_facts
            where narrator_id = :narrator_id order by field, fact_id limit 51
        ) as f
    ) as facts,
    (
        select json_agg(e)
        from (
            select * from public_narrator_entries
            where narrator_id = :narrator_id
            order by array_position(array['LINKED', 'CONFLICTED', 'AMBIGUOUS'], resolution_status), source_id, entry_id
            limit :wanted::integer
        ) as e
    ) as entries,
    (
        select json_agg(a)
        from (
            select * from public_narrator_assertions
            where narrator_id = :narrator_id order by field, source_id, assertion_id limit 51
        ) as a
    ) as assertions,
    (
        select withheld from public_narrator_assertion_gaps
        where narrator_id = :narrator_id
    ) as withheld
from public_narrators as n
left join narrator_canonical_display as d on n.narrator_id = d.narrator_id
where n.narrator_id = :narrator_id
