"""The words that the chain reader knows, in folded letters (see `letters.fold`).

Sources: the terms of transmission are those that Ibn al-Salah lists in kind 24 of his Muqaddima (hearing, reading to
the teacher, licence, handing over, writing); the free-standing ح that opens another route is in his kind 25. The forms
that they take, and the words that stand around them, were collected from the Arabic text of the two Sahihs.
"""


def word_set(words: str) -> frozenset[str]:
    """Return the words of a line of words."""
    return frozenset(words.split())


def _forms(stems: str, endings: str) -> frozenset[str]:
    return frozenset(stem + ending for stem in stems.split() for ending in endings.split())


ROUTE = "ح"
CONJUNCTIONS = ("و", "ف")

# Terms of transmission

# "He told us": the next narrator follows.
TOLD = _forms(
    "حدث اخبر انبا نبا خبر", "نا ني ناه نيه نيها ناها نيهما ناهما تنا تني تنيه اناه اني وني ونا انا"
) | word_set("ناولني انشدنا انشدني زادنا زادني")
# "I heard": the next narrator follows, often with "saying" behind the name.
HEARD = word_set("سمعت سمعنا سمع سمعا سمعوا سمعته سمعناه سمعه حفظناه حفظته")
# "I kept it from …": leads to a name only with من.
KEPT = word_set("حفظناه حفظته")
# "I read to …", "it was read to …", "he wrote to me": with على or إلى before the name.
READ_TO = word_set("قرات قري كتب عرضت")
DICTATED = word_set("املي املاه")
# "He told him": stands behind the narrator (أن نافعا حدثه) or, more seldom, before him.
TOLD_HIM = _forms("حدث اخبر انبا", "ه ها هم هما ته تها تهم تهما اه وه اهما")
# Verbs that can lead straight to a name (ذكر عروة).
MENTIONED = word_set("ذكر زعم حدث ذكرت زعمت")
SAID = word_set("قال قالت قالا قالوا قلن")
SAYING = word_set(
    """
    يقول تقول يقولان يقولون يحدث تحدث يحدثان يحدثون يحدثه يحدثهم يحدثنا يحدثني يخبر تخبر يخبره يخبرهم يخبرنا
    يخبران يذكر تذكر يذكران يروي يرويه حدث اخبر ذكر زعم
    """
)
# Of these, the verbs that can have before their report the one who was told (يحدث أباه عن عمه).
TELLING = ("حدث", "خبر")
# Verbs that make "that so-and-so …" a link and not the beginning of a story.
REPORTS = TOLD_HIM | TOLD | word_set("قال قالت قالا قالوا سمع سمعت سمعا يقول تقول حدث اخبر حدثت اخبرت")
# The compiler's own, with which a route can begin also where no ح stands; and what a text opens with that names
# somebody whom the compiler did not hear.
OWN_TERMS = word_set("حدثنا حدثني اخبرنا اخبرني")
HANGING = word_set("زاد رواه روي رواها تابعه يروي يذكر عن ان ذكر")
# "So traced back" (رواية, يرفعه): the report is the Prophet's.
TRACED = word_set("روايه يرفعه رفعه يبلغ ينميه يبلغه يسنده")
# "I think", "perhaps": somebody was not sure of the next link.
GUESSED = word_set("اراه احسبه اظنه لعله حسبته")
# Words between a name and the next term that add nothing to the chain.
FILLERS = word_set(
    "انه انها انهما انهم ايضا اجمعون مرتين مره ثم قد لفظا قراءه املاء غير حديثا وانا اسمع عليه كذلك فيما مما"
)
# Objects that can stand between a term and the name (أخبرنا به فلان).
OBJECTS = word_set("به بها بهما بهذا بذلك ايضا هذا")
FROM_HIM = word_set("منه منها")
# "Both", "all of them": the routes before meet here.
BOTH = word_set("كلاهما كليهما كلتاهما")
ALL = word_set("كلهم جميعا")
THE_OTHERS = word_set("الاخر الاخران الاخرون الاخرين اخرون")
AND_OTHERS = word_set("وغيره وغيرهم وغيرهما وغيرها")

# References to another record's chain or text (بهذا الإسناد, مثله, فذكر نحوه)
REFERENCES = word_set(
    """
    بهذا باسناده باسنادهما باسنادهم بالاسناد الاسناد مثله مثلهم نحوه بمثله بنحوه بمثل بنحو مثل نحو مثلها نحوها
    بمثلها بنحوها فذكر فذكرا فذكروا بمعناه بمعني مثلهما نحوهم كنحو فذكره نحوا مثلا كمثل بمثلهم بمثلهما بهذه
    """
)
BY_THE_CHAIN = ("باسناد", "بالاسناد")

# Asides of the compiler on wording; not part of a mention
WORDING_OF = word_set("واللفظ والسياق")
WORDING_CLOSE = word_set("وتقاربا وتقاربوا والفاظهم والفاظهما")
WORDING_MORE = word_set("في اللفظ لفظ متقاربه والمعني واحد سياق الحديث الفاظهم")
MEANING = word_set("والمعني المعني")
THIS_WORDING = word_set("حديث لفظ حديثه لفظه حديثهم حديثهما")
TO_HIM = word_set("له لهما لهم هذا")

# Names

# No name of a narrator goes on beyond so many parts.
LONGEST_NAME = 40
IBN = word_set("بن ابن بنت ابنه")
KUNYA = word_set("ابو ابا ابي ام")
# Words that open a name of several words, whatever stands before them.
COMPOUND = word_set("عبد عبيد")
OPENERS = word_set("ابو ابا ابي ابن عبد عبيد")
PREFIXES = word_set("ال ابو ابي ابا ام ابن بنت ابنه بني ذو ذي ذا اخي اخت عم")
# Relatives: named by what they are to the narrator before (أبيه, عمي).
KIN = word_set(
    """
    والدي والده سيدي ابي ابيه ابيها ابيهما اباه اباها ابوه ابوها ابانا ابونا جده جدي جدها جدته جدتي جدهما امه
    امي امها امهما عمه عمي عمها عمته عمتي عميه عمومته عمومتي عماي اعمامه خاله خالي خالها خالته خالتي اخيه اخي
    اخوه اخاه اخته اختي اختها اخواله ابنه ابني ابنته ابنتي مولاه مولاته مولاتي مولاي زوجها امراته اهله بنيه
    """
)
# Somebody, without a name.
ANONYMOUS = word_set(
    """
    احد احدي رجل رجلا رجال رجالا رجلان رجلين امراه بعض ناس ناسا نفر نفرا قوم قوما شيخ شيخا شيخه اعرابي اعرابيا
    نسوه غلام غلاما ثلاثه رهط عده فلان فلانا اصحاب
    """
)
# What a narrator was to somebody or something (مولى, زوج, كاتب); his name may go on so.
RELATION = word_set(
    """
    مولي موالي مولاه زوج زوجه امراه صاحب صاحبه كاتب خادم خادمه موذن قاضي ختن حليف اخو اخي اخا اخت عم خال جد والد
    والده احد ابنه ابني ابنا ابنتي اخوي غلام رضيع سريه قهرمان امام حاجب ظير ربيب مفتي عامل امير
    """
)
# Of these, those that say nothing without the other's name, and those that can have ل before it (مولى لهم).
RELATION_OF_SOMEBODY = word_set("عم خال جد غلام احد امير امام عامل")
OWNED = word_set("مولي مولاه غلام ظير")
# Behind من: the groups of which a narrator was one.
GROUPS = word_set("اهل بني ولد اصحاب بعض ازواج ال")
GROUPS_NAMED = word_set("اهل بني ولد اصحاب الانصار")
ASIDE = word_set("يعني يعنيان يعنون هو وهو وهي هي المعروف الذي اسمه واسمه")
WHO_IS = word_set("هو وهو هي وهي")
CALLED = word_set("يقال كان يدعي له")
# Many people, or things, where a name could stand: they speak in reports and are no link.
CROWDS = word_set("اذناي اذني الحديث الانصار الناس اليهود المشركون المشركين المسلمون القوم الله النصاري")

# The Prophet, and wishes

PROPHET = word_set("النبي المصطفي خليلي نبيكم نبينا رسوله")
PROPHET_HEADS = PROPHET | word_set("رسول نبي ابو ابا ابي")
# Words by which a mention that ends in his designation is another's (زوج النبي, رجل من أصحاب النبي).
OF_THE_PROPHET = word_set("من اصحاب النبي الله")
BLESSED = word_set("صلي صل")
UPON = word_set("عليه عليها عليهما عليهم")
MERCY = word_set("رحمه رحمهما رحمهم رحمها")
WISHES = BLESSED | UPON | MERCY | {"رضي"}

# Words that are no name: particles, pronouns, and verbs with which reports begin
STOPS = (
    word_set(
        """
    او واللفظ منهما يذكره ان انه انها انهم انهما اذا اذ لما ما لا لم لن لو لولا هل من في علي الي عن حتي ثم قد
    لقد بين بينما بينا كان كانت كانا كانوا كنت كنا كن ليس ليست راي رايت راينا رات نهي نهينا نهانا نهاني امر
    امرنا امرني امرت سيل سال سالت سالنا سالته سالها خرج خرجنا خرجت جاء جاءت جاءه اتي اتيت اتينا اتاني اتانا دخل
    دخلت دخلنا قدم قدمت قدمنا صلي صليت صلينا قرا قرات بعث بعثني بعثنا اعطي اعطاني غزوت غزونا كتب كتبت لقيت لقي
    مر مررت مررنا نزلت نزل انزل ارسل ارسلني ذهب ذهبت اراد اردت طاف قام قمت قعد جلس جلست اقبل اقبلت اقبلنا بلغ
    بلغه بلغني بلغنا شهد شهدت شهدنا اشهد توضا وضع رفع ركع سجد اخذ اخذت كل كلهم كلاهما جميعا ايضا هذا هذه ذلك تلك
    الذي التي الذين اللذين وكان وكانت وكانوا وكنت وهو وهي وهم وانا وقد ولم وما ولا فقال فقالت فقلت فقالوا فلما
    فاذا فكان وقال وقالت قلت قلنا قيل يا اي انا انت نحن هو هي هم هما عند مع غير كما مثل نحو بعد قبل يوم عام ليله
    يقول تقول حين كيف لعن حرم فرض رخص قضي توفي مات ولد تزوج طلق اشتري باع وجد وجدت حج حججت اعتمر اهل قسم ضرب خطب
    خطبنا اصبت اصاب اصابني اصابنا صام افطر تلا رواه بهذا يريد ارسلت زعم زعموا ذكر ذكرت ذكرا ذكروا فذكر يحدث حدث
    اخبر يخبر سمع سمعت سمعا رضي رحمه عليه عليها عليهم قوله تعالي عز وجل كانما انما لكم لهم لي لنا له لها لك بها
    به بهم فيه فيها منه منها شيء كذا هكذا حدثته اخبرته تذاكرنا اختلف اختصم احتجم استاذن بايعت بايعنا حفظت عقلت
    نذر نذرت كاني اني اننا ادرك اقام اقمت اقيمت انكسفت انخسفت خسفت كسفت مرض مرضت اوصي اوصاني اوصت اهدت اهدي
    اغتسل غسل غزا لبس لبث دعا دعي دعاني شكا شكي شكوت استعمل يسال يقرا يخطب يقسم يتمثل ينشد يستشهد خطيبا استفتت
    استفتي اصبح اصبحنا انطلق انطلقت انطلقنا سرنا سافرنا سافرت هلك هجر هاجر هاجرنا نام بت بات تماري تقاضي تصدق
    تخلف اضطجع اصطنع اتخذ اتوا جعل يكون يصلي تصلي كفن اغمي فقدت فقد ويذكر يعني اول اخر غدا غدوت حملت حمل قتل
    قتلت سرق زنا ساب سب
    """
    )
    | TOLD
    | TOLD_HIM
    | SAID
    | SAYING
    | GUESSED
)
# Also behind بن, where nearly any other word can be a name.
HARD_STOPS = TOLD | TOLD_HIM | word_set("عن ان انه انها قال قالت قالا قالوا يقول تقول ح سمعت")
# Behind a relative's designation: no name of his.
BEHIND_KIN = ASIDE | REFERENCES | RELATION | {"من"}
WHO_WAS = word_set("وهو وهي وكان وكانت")
# Before which a name can end; behind `قال فلان`: he is the next narrator, and does not only speak.
CLOSING = SAID | SAYING | FILLERS | BOTH | ALL | TOLD_HIM | REFERENCES | {"ان", ROUTE, "عن", ""}
AFTER_SPEAKER = SAID | {"عن", "ان", "انه", "انها"}
# Words that begin with و and join no name.
NOT_JOINED = STOPS | ASIDE | REFERENCES | WORDING_OF | WORDING_CLOSE | MEANING
WISHES_END = word_set("وسلم عنه عنها عنهما")
# "I came to", "I met", "I asked": verbs of meeting somebody, who may be the next narrator.
MET = word_set("اتيت اتينا اتي لقيت لقي سالت سالنا ذكرت ذكرته ذكرنا صحبت جالست")
