"""The words that the chain reader knows, in folded letters (see `letters.fold`).

Sources: the terms of transmission (siyagh al-ada') are those that Ibn al-Salah lists in kind 24 of his Muqaddima (hearing,
reading to the teacher, licence, handing over, writing); how a free-standing ح opens another route is in his kind 25. The
forms that they take, and the words that stand around them, were collected from the Arabic text of the two Sahihs.
"""


def _forms(stems: str, endings: str) -> frozenset[str]:
    return frozenset(stem + ending for stem in stems.split() for ending in endings.split())


# "He told us": the next narrator follows.
TOLD = (
    _forms("حدث اخبر انبا نبا خبر", "نا ني ناه نيه نيها ناها نيهما تنا تني اني وني ونا انا تنيه اناه")
    | frozenset("ناولني انشدنا انشدني زادنا زادني املي_علينا حدثناهما ".replace("املي_علينا", "").split())
)
# "I heard": the next narrator follows, often with "saying" behind the name.
HEARD = frozenset("حفظناه حفظته سمعت سمعنا سمع سمعا سمعوا سمعته سمعناه سمعه".split())
# "He told him": stands behind the narrator (أن نافعا حدثه) or, more seldom, before him.
TOLD_HIM = _forms("حدث اخبر انبا", "ه ها هم هما ته تها تهم تهما اه وه اهما")
# Verbs that make "that so-and-so …" a link and not the beginning of a story.
REPORTS = TOLD_HIM | TOLD | frozenset("قال قالت قالا قالوا سمع سمعت سمعا يقول تقول حدث اخبر حدثت اخبرت".split())
# Verbs that can lead straight to a name (ذكر عروة).
MENTIONED = frozenset("ذكر زعم حدث ذكرت زعمت".split())
SAID = frozenset("قال قالت قالا قالوا قلن".split())
SAYING = frozenset(
    """يقول تقول يقولان يقولون يحدث تحدث يحدثان يحدثون يحدثه يحدثهم يحدثنا يحدثني يخبر تخبر يخبره يخبرهم يخبرنا يخبران
    يذكر تذكر يذكران يروي يرويه حدث اخبر ذكر زعم""".split()
)
# "So traced back" (رواية, يرفعه): the report is the Prophet's; who says so is the narrator just named.
TRACED = frozenset("روايه يرفعه رفعه يبلغ ينميه يبلغه يسنده".split())
# "I think", "perhaps": somebody was not sure of the next link.
GUESSED = frozenset("اراه احسبه اظنه لعله حسبته".split())
# Words between a name and the next term that add nothing to the chain.
FILLERS = frozenset(
    """انه انها انهما انهم ايضا اجمعون مرتين مره ثم قد لفظا قراءه املاء غير حديثا وانا اسمع عليه كذلك فيما مما
    جميعا كلاهما كلتاهما كلهم""".split()
)
BOTH = frozenset("كلاهما كليهما".split())
ALL = frozenset("كلهم جميعا".split())
DUAL_SAID = frozenset({"قالا"})
PLURAL_SAID = frozenset({"قالوا"})
THE_OTHERS = frozenset("الاخر الاخران الاخرون الاخرين اخرون".split())

IBN = frozenset("بن ابن بنت ابنه".split())
# Words that open a name of several words.
PREFIXES = frozenset("ال ابو ابي ابا ام ابن بنت ابنه بني ذو ذي ذا اخي اخت عم".split())
KUNYA = frozenset("ابو ابا ابي ام".split())
KIN = frozenset(
    """والدي والده سيدي ابي ابيه ابيها ابيهما اباه اباها ابوه ابوها ابانا ابونا جده جدي جدها جدته جدتي جدهما امه امي امها امهما عمه عمي عمها عمته عمتي
    عميه عمومته عمومتي عماي اعمامه خاله خالي خالها خالته خالتي اخيه اخي اخوه اخاه اخته اختي اختها اخواله ابنه ابني ابنته ابنتي
    مولاه مولاته مولاتي مولاي زوجها امراته اهله بنيه""".split()
)
ANONYMOUS = frozenset("ثلاثه رهط عده فلان فلانا اصحاب احد احدي رجل رجلا رجال رجالا رجلان رجلين امراه بعض ناس ناسا نفر نفرا قوم قوما شيخ شيخا شيخه اعرابي اعرابيا نسوه غلام غلاما".split())
# Words after which a name goes on with what the narrator was to somebody or something.
RELATION = frozenset(
    """مولي موالي مولاه زوج زوجه امراه صاحب صاحبه كاتب خادم خادمه موذن قاضي ختن حليف اخو اخي اخا اخت عم خال جد والد والده
    احد ابنه ابني ابنا ابنتي اخوي غلام رضيع سريه قهرمان امام حاجب ظير ربيب مفتي عامل امير""".split()
)
COMPANIONS = frozenset("من".split())
OF_GROUP = frozenset("اهل بني ولد اصحاب الانصار المهاجرين اسلم جهينه خزاعه قريش ازد بعض بلي خثعم عبد مزينه كنانه غفار بلحارث تيم همدان الحرقه".split())
ASIDE = frozenset("يعني يعنيان يعنون هو وهو وهي هي المعروف الذي اسمه واسمه".split())
# Aside of the compiler on wording; not part of a mention.
WORDING = frozenset("واللفظ والالفاظ وتقاربا وتقاربوا والفاظهم والفاظهما والسياق المعني والمعني واحد لفظ لفظه".split())
REFERENCES = frozenset(
    """بهذا باسناده باسنادهما باسنادهم بالاسناد الاسناد مثله مثلهم نحوه بمثله بنحوه بمثل بنحو مثل نحو مثلها نحوها بمثلها بنحوها فذكر فذكرا
    فذكروا بمعناه بمعني مثلهما نحوهم كنحو فذكره نحوا مثلا كمثل بمثلهم بمثلهما بهذه""".split()
)
# Words that begin or continue a report, or are particles: none of them is a name or goes on with one.
STOPS = (
    frozenset(
        """او واللفظ منهما يذكره ان انه انها انهم انهما ان اذا اذ لما ما لا لم لن لو لولا هل من في علي الي عن حتي ثم قد لقد بين بينما بينا كان كانت كانا
        كانوا كنت كنا كن ليس ليست راي رايت راينا رات نهي نهينا نهانا نهاني امر امرنا امرني امرت سيل سال سالت سالنا سالته سالها خرج خرجنا خرجت جاء
        جاءت جاءه اتي اتيت اتينا اتاني اتانا دخل دخلت دخلنا قدم قدمت قدمنا صلي صليت صلينا قرا قرات بعث بعثني بعثنا اعطي اعطاني غزوت غزونا
        كتب كتبت لقيت لقي مر مررت مررنا نزلت نزل انزل ارسل ارسلني ذهب ذهبت اراد اردت طاف قام قمت قعد جلس جلست اقبل اقبلت اقبلنا بلغ بلغه
        بلغني بلغنا شهد شهدت شهدنا اشهد توضا وضع رفع ركع سجد اخذ اخذت كل كلهم كلاهما جميعا ايضا هذا هذه ذلك تلك الذي التي الذين اللذين
        وكان وكانت وكانوا وكنت وهو وهي وهم وانا وقد ولم وما ولا فقال فقالت فقلت فقالوا فلما فاذا فكان وقال وقالت قلت قلنا قيل يا اي انا انت نحن هو هي هم
        هما عند مع غير كما مثل نحو بعد قبل يوم عام ليله يقول تقول حين كيف لعن حرم فرض رخص قضي توفي مات ولد تزوج طلق اشتري
        باع وجد وجدت حج حججت اعتمر اهل قسم ضرب خطب خطبنا اصبت اصاب اصابني اصابنا صام افطر تلا رواه بهذا يريد ارسلت
        زعم زعموا ذكر ذكرت ذكرا ذكروا فذكر يحدث حدث اخبر يخبر سمع سمعت سمعا رضي رحمه صلي عليه عليها عليهم قوله تعالي عز وجل كانما انما لكم لهم لي لنا له لها
        لك بها به بهم فيه فيها منه منها شيء كذا هكذا حدثته اخبرته تذاكرنا اختلف اختصم احتجم استاذن بايعت بايعنا حفظت عقلت نذر نذرت كاني اني اننا ادرك
        اقام اقمت اقيمت انكسفت انخسفت خسفت كسفت مرض مرضت اوصي اوصاني اوصت اهدت اهدي اغتسل غسل غزا لبس لبث دعا دعي دعاني شكا شكي شكوت استعمل
        يسال يقرا يخطب يقسم يتمثل ينشد يستشهد خطيبا استفتت استفتي اصبح اصبحنا اسلم_ انطلق انطلقت انطلقنا سرنا سافرنا سافرت هلك هجر هاجر هاجرنا نام بت بات تماري تقاضي تصدق تخلف اضطجع اصطنع اتخذ اتوا
        جعل يكون يصلي تصلي كفن اغمي فقدت فقد ويذكر يعني اول اخر غدا غدوت حملت حمل قتل قتلت سرق زنا ساب سب يزيد_ ابن_""".split()
    )
    | TOLD
    | TOLD_HIM
    | SAID
    | SAYING
)
# Many people at once: they speak in reports and are no link.
CROWDS = frozenset("اذناي اذني الحديث الانصار الناس اليهود المشركون المشركين المسلمون القوم الله النصاري".split())
HARD_STOPS = TOLD | TOLD_HIM | frozenset("عن ان انه انها قال قالت قالا قالوا يقول تقول ح سمعت".split())
HONORIFIC_HEADS = frozenset("رضي رحمه رحمهما رحمهم صلي عليه عليها عليهم عليهما كرم رضوان تعالي".split())
PROPHET_AFTER = frozenset("خليلي نبيكم نبينا".split())
