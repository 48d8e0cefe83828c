select
    hit.*,
    n.form as matched_form,
    r.narrator_key,
    r.name_ar,
    r.name_fr,
    r.generation,
    r.death_year_ah,
    r.dataset_id,
    r.import_id,
    d.canonical_display,
    d.status as display_status,
    f.source_id as form_source_id,
    f.dataset_id as form_dataset_id,
    f.import_id as form_import_id,
    (select json_agg(s) from public_narrator_datasets as s) as searched
from find_narrators(
    :query::text, :query_language::text, :grade_tier::text, :region::text, :generation::text, :wanted::integer
) as hit
left join public_narrator_names as n on hit.name_id = n.name_id
left join public_narrators as r on hit.narrator_id = r.narrator_id
left join narrator_canonical_display as d on hit.narrator_id = d.narrator_id
left join public_narrator_forms as f on n.form_id = f.form_id
