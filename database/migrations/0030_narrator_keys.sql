-- The keys under which a narrator's name is found: one function a script, for the stored forms and for the query alike.

-- Arabic: folded words; honorifics and explaining words (`يعني`, `هو`) left out; one spelling for `ابن` and `بن`, and
-- for the cases of Abu; a kunya is one word (`ابو-بكر`), and so is a servant's name (`عبدالله`), which many write
-- apart.
create function public.isnad_arabic_key(name text)
returns text
language sql
immutable
strict
parallel safe
return btrim(
    regexp_replace(
        regexp_replace(
            regexp_replace(
                regexp_replace(
                    regexp_replace(
                        isnad.search_words(public.isnad_fold(name)),
                        ' (?:رضي الله (?:تعالي )?عنه(?:ما|م|ن|ا)?|رحمه(?:ما|م|ا)? الله(?: تعالي)?'
                        || '|صلي الله عليه (?:واله )?وسلم|عليه(?:ا|ما)? السلام|يعني|تعني|هو|وهو|هي|وهي)(?= )',
                        '', 'g'
                    ),
                    ' (عبد|عبيد) (?=ال[^ ])', ' \1', 'g'
                ),
                ' ابن(?= )', ' بن', 'g'
            ),
            ' اب[اوي] (?!بن )(?=[^ ])', ' ابو-', 'g'
        ),
        ' ام (?!بن )(?=[^ ])', ' ام-', 'g'
    )
);
comment on function public.isnad_arabic_key(text) is
'An Arabic name as it is compared: `أبا بكر ابن عبد الله` is `ابو-بكر بن عبدالله`.';

-- Latin: one key for French, English and scholarly spellings of a name (docs/contract.md, "How a narrator is
-- searched"). What tells names apart stays apart: a doubled consonant (Hammad, Hamad), a diphthong (Zayd, Yazid), the
-- article, ibn against bint. Written as steps, because the order of the rules is what makes them right.
create function public.isnad_latin_key(name text)
returns text
language plpgsql
immutable
strict
parallel safe
as $$
declare
    t text := lower(normalize(name, nfkc));
    pair text [];
    -- Letters that stand for two, and letter groups. Marks are still on the letters here.
    letters constant text [] [] := array[
        ['ḫ', 'kh'], ['ẖ', 'kh'], ['ġ', 'gh'], ['ḡ', 'gh'], ['ğ', 'gh'], ['ḏ', 'dh'], ['đ', 'dh'], ['ṯ', 'th'],
        ['š', 'sh'], ['ş', 'sh'], ['ǧ', 'j'], ['ž', 'j'], ['ç', 's'], ['ö', 'u'], ['ü', 'u'], ['ı', 'i'], ['ħ', 'h'],
        ['œ', 'u'], ['æ', 'a']
    ];
    groups constant text [] [] := array[
        ['sch', 'sh'], ['ch', 'sh'], ['dj', 'j'], ['ph', 'f'], ['ck', 'k'], ['c', 'k'], ['x', 'ks'], ['v', 'w'],
        ['p', 'b'], ['oo', 'u'], ['ee', 'i']
    ];
    -- Sounds that the rules of one language would read wrongly, after the rules.
    words constant text [] [] := array[
        ['sayd', 'said'], ['aysha', 'aisha'], ['ayisha', 'aisha'], ['ismayl', 'ismail'], ['wayl', 'wail'],
        ['aydh', 'aidh'], ['zayda', 'zaida'], ['mikayl', 'mikail'], ['dawd', 'dawud'], ['daud', 'dawud'],
        ['taws', 'tawus'], ['taus', 'tawus'], ['muhamad', 'muhammad'], ['usman', 'uthman'], ['amru', 'amr'],
        ['bikr', 'bakr'], ['is haq', 'ishaq']
    ];
begin
    foreach pair slice 1 in array letters loop
        t := replace(t, pair[1], pair[2]);
    end loop;
    -- Ayn and hamza: kept as _ for a while, because the vowels beside one belong to two syllables (Sa'id, Zaid).
    t := translate(regexp_replace(normalize(t, nfd), '[\u0300-\u036F]', '', 'g'), 'ʿʾʻʼ‘’''`´′ˁˀ‛ʹ', repeat('_', 14));
    t := regexp_replace(t, '_(?=(?:th|dh|sh|[tdrzsn])-)', ' ', 'g'); -- Abu'z-Zubayr
    foreach pair slice 1 in array groups loop
        t := replace(t, pair[1], pair[2]);
    end loop;
    t := replace(replace(regexp_replace(t, 'ou(?=[aeiu])', 'w', 'g'), 'ou', 'u'), 'o', 'u'); -- Ouaki, Abou, Omar
    t := replace(replace(replace(t, 'ei', 'ay'), 'ey', 'ay'), 'ae', 'a_i'); -- Zubeir, Zeyd, Ismael
    t := regexp_replace(t, '(?:(?<=m)e(?=d\M)|e(?=h\M))', 'a', 'g'); -- Ahmed, Hurayreh
    t := replace(regexp_replace(t, '(?<=[aiu]n)e\M', '', 'g'), 'e', 'i'); -- Othmane; Khaled
    t := replace(replace(t, 'ai', 'ay'), 'au', 'aw'); -- Zaid, Auf
    t := regexp_replace(t, 'i_?y*_?(?=[au])|yy', 'y', 'g'); -- Sufian, Ziyad, Muawiya; Ubayy
    t := regexp_replace(t, 'u_?w*_?(?=a)|ww', 'w', 'g'); -- Mu'adh, Suwayd; Awwam
    t := replace(regexp_replace(t, '([aiu])(?:_?\1)+', '\1', 'g'), '_', ''); -- Saad, Ja'afar
    t := regexp_replace(t, 'ss(?!a)|(?<!a)ss', 's', 'g'); -- Moussa, Youssouf; Hassan stays
    t := ' ' || btrim(regexp_replace(t, '[^a-z]+', ' ', 'g')) || ' ';
    t := regexp_replace(t, '(?<=[a-z]{2})(?<!ll)a[ht](?= )', 'a', 'g'); -- Talhah, Talhat
    t := regexp_replace(t, '(?<![au ])i?y(?= )', 'i', 'g'); -- Zuhriyy
    foreach pair slice 1 in array words loop
        t := replace(t, ' ' || pair[1] || ' ', ' ' || pair[2] || ' ');
    end loop;
    t := regexp_replace(t, ' (?:i?bn[aiu]?|bin|b)(?= )', ' bn', 'g');
    t := regexp_replace(t, ' (bn|ab|i?bn)[aiu]l(?= )', ' \1 al', 'g'); -- Abul-Zinad
    t := regexp_replace(t, ' ab[aiu]?(?= )', ' abu', 'g');
    t := regexp_replace(t, ' (abd|ubayd) ?[aiu]l ?lah?(?= )', ' \1allah', 'g');
    t := regexp_replace(t, ' abd(?:[aiu]| [aiu])l ?(?=[a-km-z])', ' abdal', 'g'); -- Abd al-Malik, Abdelmalik
    t := regexp_replace(t, ' abd[aiu]? ?[aiu]?(th|dh|sh|[tdrzsn]) ?(\1)', ' abdal\2', 'g'); -- Abderrahman
    t := regexp_replace(t, ' [aiu]?l (?=[a-z])', ' al-', 'g');
    t := regexp_replace(t, ' [aiu]?(th|dh|sh|[tdrzsn]) (\1)', ' al-\2', 'g'); -- az-Zuhri
    return btrim(
        regexp_replace(
            regexp_replace(t, ' abu (?!bn )(?=[a-z])', ' abu-', 'g'),
            ' umm? (?!bn )(?=[a-z])', ' umm-', 'g'
        )
    );
end
$$;
comment on function public.isnad_latin_key(text) is
'A Latin name as it is compared: `Ḥammâd ben Zeyd` and `Hammad b. Zayd` are `hammad bn zayd`.';

-- Across the scripts. Arabic writes no short vowels, Latin tells no long ones from short ones: an Arabic word has one
-- sound, and a Latin word all those that it can have in Arabic. Names may share a sound that are not the same name
-- (حسن, حسان): a match by sound is never more than `fuzzy`. The capitals are the parts of compound names (B Abu, M Umm,
-- D Abd al-), a first letter that only carries a vowel (V) and endings (A for ه ا اء, Y for ي, E for
-- ع).
create function isnad.arabic_sound(word text)
returns text
language plpgsql
immutable
strict
parallel safe
as $$
declare
    bare text := regexp_replace(word, '^(?:ابو-|ام-)', '');
    head text := case when word like 'ابو-%' then 'B' when word like 'ام-%' then 'M' else '' end;
begin
    if bare in ('عمر', 'عمرو', 'عبدالله', 'عبيدالله') then -- where spelling and sound part
        return head || case bare when 'عمر' then '1' when 'عمرو' then '2' when 'عبدالله' then '3' else '4' end;
    elsif bare like 'عبدال_%' then
        head := head || 'D';
        bare := substr(bare, 6);
    elsif bare like 'ال__%' then
        bare := substr(bare, 3);
    end if;
    bare := regexp_replace(bare, '^[اع]', 'V');
    bare := regexp_replace(regexp_replace(bare, '(?<=.)(?:ه|اء|ا)$', 'A'), '(?<=.)ي$', 'Y');
    bare := regexp_replace(bare, '(?<=.)ع$', 'E');
    return head || translate(bare, 'بتثجحخدذرزسشصضطظغفقكلمنهوياعء', 'bttjhxddrdscsdtdgfkklmnhwya');
end
$$;

create function isnad.latin_sounds(word text)
returns text[]
language plpgsql
immutable
strict
parallel safe
as $$
declare
    head text := '';
    bare text := word;
    sounds text [];
    options text [];
    parts text [];
    part text;
    plain text := ''; -- letters since the last vowel
    last integer;
begin
    if bare like 'abu-%' then
        head := 'B';
        bare := substr(bare, 5);
    elsif bare like 'umm-%' then
        head := 'M';
        bare := substr(bare, 5);
    end if;
    if bare like 'al-%' then
        bare := substr(bare, 4);
    end if;
    if bare in ('umar', 'amr', 'abdallah', 'ubaydallah') then
        return array[
            head || case bare when 'umar' then '1' when 'amr' then '2' when 'abdallah' then '3' else '4' end
        ];
    elsif bare like 'abdal__%' then
        head := head || 'D';
        bare := substr(bare, 6);
    end if;
    bare := replace(replace(replace(replace(replace(bare, 'g', 'j'), 'jh', 'g'), 'kh', 'x'), 'th', 't'), 'dh', 'd');
    bare := translate(replace(bare, 'sh', 'c'), 'zq', 'dk');
    bare := regexp_replace(bare, '([^aiu])\1', '\1', 'g');
    parts := array(select m.part[1] from regexp_matches(bare, '[aiuwyhc]|[^aiuwyhc]+', 'g') as m (part));
    sounds := array[head];
    last := cardinality(parts);
    for at in 1 .. last loop
        part := parts[at];
        options := case
            when at = 1 then case part
                when 'a' then array['V', 'Va']
                when 'i' then array['V', 'Vy']
                when 'u' then array['V', 'Vw']
                when 'y' then array['y', 'Vy'] -- Iyad
                when 'w' then array['w', 'Vw'] -- Uways
            end
            when at = last then case part
                when 'a' then array['A', 'Y', 'aA', 'ah', 'at', 'aE', 'E']
                when 'i' then array['Y', 'yE', 'E']
                when 'u' then array['w', 'wE', 'E']
                when 'h' then array['h', 'A']
            end
            when part = 'a' then array['', 'a']
            when part = 'c' then array['c', 'sh'] -- Ishaq
            when part = 'i' then array['', 'y']
            when part = 'u' then array['', 'w']
            when part in ('w', 'y') and parts[at - 1] not in ('a', 'i', 'u') then array['', part]
        end;
        if options is null or cardinality(sounds) > 64 then -- a word of so many vowels is no name
            plain := plain || coalesce(options[1], part);
        else
            sounds := array(select s || plain || o from unnest(sounds) as s cross join unnest(options) as o);
            plain := '';
        end if;
    end loop;
    if plain <> '' then
        sounds := array(select s || plain from unnest(sounds) as s);
    end if;
    return sounds;
end
$$;
