select
    search_hits(
        :query::text, :folded::text, :collection_id::bigint, :wanted::integer, :query_language::text
    ) as found
