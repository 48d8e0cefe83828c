select
    a.narrator_id as a_id,
    b.narrator_id as b_id,
    case when a.narrator_id is null or b.narrator_id is null then null else (
        select json_agg(r)
        from (
            select * from public_relations
            where
                (teacher_id = :narrator_a_id and student_id = :narrator_b_id)
                or (teacher_id = :narrator_b_id and student_id = :narrator_a_id)
            order by
                array_position(array['attested', 'probable', 'ambiguous', 'unresolved'], recorded_status),
                source_id is null, teacher_id, relation_id
            limit :wanted::integer
        ) as r
    ) end as relations,
    case when :observed::boolean then (
        select json_agg(o)
        from (
            select * from public_chain_observations
            where
                (from_narrator_id = :narrator_a_id and to_narrator_id = :narrator_b_id)
                or (from_narrator_id = :narrator_b_id and to_narrator_id = :narrator_a_id)
            order by from_node_id, to_node_id
            limit :wanted::integer
        ) as o
    ) end as observations,
    (select json_agg(s) from public_relation_datasets as s) as searched,
    case when :observed::boolean then (select json_agg(s) from public_chain_datasets as s) end as chains_searched
from (values (1)) as one (row)
left join public_narrators as a on a.narrator_id = :narrator_a_id
left join public_narrators as b on b.narrator_id = :narrator_b_id
