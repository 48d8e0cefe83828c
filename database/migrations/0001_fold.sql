-- The one place where Arabic is folded: for the stored search columns and for the query alike.
-- The order matters. Marks go before NFKC, which would turn the spacing ones (FE70 to FE7F) into a space and a mark,
-- and once more after it, when ligatures such as the salawat have been spelled out.
create schema if not exists isnad;
revoke all on schema isnad from public;

create or replace function isnad.strip_marks(txt text)
returns text
language sql
immutable
strict
parallel safe
return regexp_replace(
    txt,
    -- harakat, superscript alef, high hamza, Quranic marks, tatweel, the spacing marks of the presentation forms
    U&'[\0610-\061A\0640\064B-\065F\0670\0674\06D6-\06ED\08CA-\08FF\FE70-\FE7F'
    -- soft hyphen, zero-width, bidi and other format controls, variation selectors
    || U&'\00AD\034F\061C\180E\200B-\200F\202A-\202E\2060-\206F\FE00-\FE0F\FEFF]+',
    '', 'g'
);

create or replace function public.isnad_fold(txt text)
returns text
language sql
immutable
strict
parallel safe
return lower(translate(
    isnad.strip_marks(replace(
        normalize(isnad.strip_marks(txt), nfkc),
        U&'\FDFD', 'بسم الله الرحمن الرحيم'
    )),
    U&'\0622\0623\0625\0671\0672\0673\0675' -- alef with madda, hamza, wasla
    || U&'\0649\06CC\06D2\06D3\0626\0678' -- alef maqsura, Persian and Urdu ya, ya as a hamza seat
    || U&'\0624\0676' -- waw as a hamza seat
    || U&'\0629\06C3\06C0\06C1\06C2\06BE\06D5' -- ta marbuta, Persian and Urdu he
    || U&'\06A9\06AA' -- Persian kaf
    || U&'\0660\0661\0662\0663\0664\0665\0666\0667\0668\0669'
    || U&'\06F0\06F1\06F2\06F3\06F4\06F5\06F6\06F7\06F8\06F9',
    repeat(U&'\0627', 7) || repeat(U&'\064A', 6) || repeat(U&'\0648', 2) || repeat(U&'\0647', 7)
    || repeat(U&'\0643', 2) || '01234567890123456789'
));
comment on function public.isnad_fold(text) is
'Text folded for search: NFKC; marks, tatweel and invisible controls removed; letter variants made one; ASCII digits; lower case.';
