select * from read_narrator(:narrator_id::bigint, :wanted::integer)
