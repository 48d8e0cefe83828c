select find_spelt(:asked::text, :contained::text, :held::text, :filters::jsonb, :wanted::integer) as found
