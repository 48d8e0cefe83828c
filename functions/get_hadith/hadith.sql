select
    text_ar,
    text_damaged,
    record
from public_hadith_records
where hadith_id = :hadith_id::bigint
