select read_narrator_page(:narrator_id::bigint, :skipped::integer, :last::integer) as told
