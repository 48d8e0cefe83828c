select read_hadith(:hadith_id::bigint) as found
