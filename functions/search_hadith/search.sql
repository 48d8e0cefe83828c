select read_search(:query::text, :collection_id::bigint, :wanted::integer, :query_language::text) as found
