select
    find_sounding(
        :asked::text, :contained::text, :held::text, :any_words::tsquery, :sounds::text,
        :filters::jsonb, :wanted::integer
    ) as found
