select
    hit.*,
    (select json_agg(s) from public_narrator_datasets as s) as searched
from find_narrators(
    :query::text, :query_language::text, :grade_tier::text, :region::text, :generation::text, :wanted::integer
) as hit
