select
    hit.*,
    (select s.datasets from public_searched_datasets as s where s.kind = 'narrators') as searched
from find_narrators(
    :query::text, :query_language::text, :grade_tier::text, :region::text, :generation::text, :wanted::integer
) as hit
