select
    find_names(
        :asked::text, :asked_padded::text,
        :all_words::tsquery, :rough_words::tsquery, :any_words::tsquery, :sounds::text[],
        :grade_tier::text, :region::text, :generation::text, :wanted::integer
    ) as found,
    (select s.datasets from public_searched_datasets as s where s.kind = 'narrators') as searched
