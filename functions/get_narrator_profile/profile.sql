select * from read_profile(:narrator_id::bigint, :wanted::integer)
