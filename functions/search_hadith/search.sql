select read_hits(:query::text, :collection_id::bigint, :wanted::integer, :query_language::text) as found
