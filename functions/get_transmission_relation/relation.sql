select read_transmission(:narrator_a_id::bigint, :narrator_b_id::bigint, :observed::boolean, :wanted::integer) as told
