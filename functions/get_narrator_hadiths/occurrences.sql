select * from read_occurrences(:narrator_id::bigint, :skipped::integer, :last::integer)
