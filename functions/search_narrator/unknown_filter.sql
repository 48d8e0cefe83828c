select find_unknown_filter(:filters::jsonb) as found
