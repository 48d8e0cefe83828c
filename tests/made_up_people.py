"""Made-up narrators, sources and chains for the narrator tools: small, and with every case that the contract names."""

from dataclasses import dataclass, field
from pathlib import Path

from pg8000.native import Connection

from isnad_database.connect import transaction
from isnad_database.datasets import Dataset, register_import, register_source

PEOPLE = [  # key, Arabic name, French name, generation, grade tier, region, death year AH, forms
    ("thawri", "سفيان بن سعيد بن مسروق الثوري", "Soufyân ath-Thawrî", "7", "thiqa", "الكوفة", 161, "سفيان;الثوري;سفيان الثوري"),
    ("uyayna", "سفيان بن عيينة بن أبي عمران", "Soufyân ibn 'Ouyayna", "8", "thiqa", "مكة", 198, "سفيان;ابن عيينة;سفيان بن عيينة"),
    ("zayd", "حماد بن زيد بن درهم", "Hammâd ibn Zayd", "8", "thiqa", "البصرة", 179, "حماد;حماد بن زيد"),
    ("salama", "حماد بن سلمة بن دينار", "Hammâd ibn Salama", "8", "saduq", "البصرة", 167, "حماد;حماد بن سلمة"),
    ("nafi", "نافع مولى ابن عمر", "Nâfi'", "3", "thiqa", "المدينة", 117, "نافع"),
    ("ibn-umar", "عبد الله بن عمر بن الخطاب", "'Abd Allah ibn 'Omar", "1", "sahabi", "المدينة", 73, "ابن عمر;عبد الله بن عمر;أبيه"),
    ("ubayd-allah", "عبيد الله بن عمر بن حفص", "'Oubayd Allah ibn 'Omar", "5", "thiqa", "المدينة", 147, "ابن عمر;عبيد الله;أبيه"),
    ("grandfather", "محمد بن زياد", None, "4", "saduq", None, None, "محمد بن زياد"),
    ("grandson", "محمد بن علي بن محمد بن زياد", None, "9", "daif", None, 230, "محمد بن علي;أبيه"),
    ("nobody", None, None, None, None, None, None, ""),
]  # fmt: skip
CHAINS: list[
    tuple[bool, list[tuple[str, str | None, str]]]
] = [  # per hadith: understood, then (mention, key, status) from the compiler's teacher on
    (True, [("حماد بن زيد", "zayd", "confirmed"), ("نافع", "nafi", "confirmed"), ("ابن عمر", "ibn-umar", "confirmed")]),
    (True, [("سفيان", None, "ambiguous"), ("نافع", "nafi", "confirmed"), ("ابن عمر", "ibn-umar", "probable")]),
    (False, [("حماد بن سلمة", "salama", "confirmed"), ("نافع", "nafi", "confirmed")]),
    (True, [("رجل", None, "unresolved"), ("ابن عمر", "ibn-umar", "confirmed")]),
    (True, [("نافع", "nafi", "confirmed"), ("نافع", "nafi", "confirmed")]),
]
MORE = 21  # further hadiths in which حماد بن زيد stands beside نافع


@dataclass
class Loaded:
    """The ids of what was loaded."""

    narrators: dict[str, int] = field(default_factory=dict)
    hadiths: list[int] = field(default_factory=list)
    sources: dict[str, int] = field(default_factory=dict)


def load_people(connection: Connection) -> Loaded:
    """Load them into a migrated database without a row."""
    ids = Loaded()
    with transaction(connection):
        dataset = Dataset("made-up-people", "Made-up people", "1", "MIT", None)
        import_id = register_import(connection, dataset, Path(__file__), "test", len(PEOPLE))
        for key, author in (("critic-a", "Critic A"), ("critic-b", "Critic B"), ("book", "Compiler")):
            ids.sources[key] = register_source(
                connection, key, f"Work of {author}", author, "scholarly_work", None, None
            )
        _people(connection, ids, import_id)
        _said(connection, ids, import_id)
        _relations(connection, ids, import_id)
        _chains(connection, ids, import_id)
    return ids


def _people(connection: Connection, ids: Loaded, import_id: int) -> None:
    bearers: dict[str, int] = {}
    for *_, forms in PEOPLE:
        for form in filter(None, forms.split(";")):
            bearers[form] = bearers.get(form, 0) + 1
    for key, name_ar, name_fr, generation, grade, region, died, forms in PEOPLE:
        [[ids.narrators[key]]] = connection.run(
            "insert into isnad.narrators (narrator_key, name_ar, name_fr, canonical_display, canonical_display_status,"
            " generation, grade_tier, region, death_year_ah, import_id) values (:key, :ar, :fr, :shown, :status,"
            " :generation, :grade, :region, :died, :import_id) returning narrator_id",
            key=key, ar=name_ar, fr=name_fr, shown="Sufyān b. ʿUyayna" if key == "uyayna" else None,
            status="REVIEWED" if key == "uyayna" else None, generation=generation, grade=grade, region=region,
            died=died, import_id=import_id,
        )  # fmt: skip
        for form in filter(None, forms.split(";")):
            connection.run(
                "insert into isnad.narrator_forms (narrator_id, form, form_folded, script, distinctive, import_id)"
                " values (:id, :form, isnad_fold(:form), 'arabic', :alone, :import_id)",
                id=ids.narrators[key], form=form, alone=bearers[form] == 1, import_id=import_id,
            )  # fmt: skip


def _said(connection: Connection, ids: Loaded, import_id: int) -> None:
    """Facts, notices and assertions: two critics who differ, one assertion without a source, one not reviewed."""
    for key, field_, value in (
        ("uyayna", "grade", "ثقة حافظ"), ("uyayna", "death", "198"), ("grandfather", "grade", "صدوق"),
        ("grandson", "grade", "ضعيف"),
    ):  # fmt: skip
        connection.run(
            "insert into isnad.narrator_facts (narrator_id, field, value, source_id, locator, import_id)"
            " values (:id, :field, :value, :source, 'no. 1', :import_id)",
            id=ids.narrators[key], field=field_, value=value, source=ids.sources["critic-a"], import_id=import_id,
        )  # fmt: skip
    for value, source, review in (
        ("ثقة", "critic-a", "REVIEWED"), ("صدوق", "critic-b", "REVIEWED"), ("لين", "critic-b", "PENDING"),
        ("إمام", None, "REVIEWED"),
    ):  # fmt: skip
        connection.run(
            "insert into isnad.narrator_assertions (narrator_id, field, value, source_id, locator, review_status,"
            " import_id) values (:id, 'grade', :value, :source, 'vol. 1, p. 2', :review, :import_id)",
            id=ids.narrators["uyayna"], value=value, source=ids.sources.get(source or ""), review=review,
            import_id=import_id,
        )  # fmt: skip
    [[edition]] = connection.run(
        "insert into isnad.editions (edition_key, source_id, title) values ('e', :source, 'Edition') returning edition_id",
        source=ids.sources["critic-a"],
    )
    for number, links in enumerate(
        ([("uyayna", "LINKED")], [("uyayna", "AMBIGUOUS"), ("thawri", "AMBIGUOUS")]), start=1
    ):
        [[entry]] = connection.run(
            "insert into isnad.narrator_entries (entry_key, edition_id, number, locator, text, content_hash, import_id)"
            " values (:key, :edition, :key, 'p. 3', :text, repeat('0', 64), :import_id) returning entry_id",
            key=str(number), edition=edition, text=f"سفيان {number}", import_id=import_id,
        )  # fmt: skip
        for key, status in links:
            connection.run(
                "insert into isnad.narrator_entry_links values (:entry, :id, :status, 'made up')",
                entry=entry, id=ids.narrators[key], status=status,
            )  # fmt: skip


def _relations(connection: Connection, ids: Loaded, import_id: int) -> None:
    for teacher, student, status, source in (
        ("nafi", "zayd", "attested", "critic-a"), ("zayd", "nafi", "ambiguous", "critic-b"),
        ("nafi", "salama", "attested", None), ("ibn-umar", "nafi", "probable", "critic-a"),
        ("ibn-umar", "ubayd-allah", "unresolved", "critic-a"),
    ):  # fmt: skip
        connection.run(
            "insert into isnad.relations (teacher_id, student_id, recorded_status, source_id, source_text, locator,"
            " import_id) values (:teacher, :student, :status, :source, 'روى عنه', 'p. 4', :import_id)",
            teacher=ids.narrators[teacher], student=ids.narrators[student], status=status,
            source=ids.sources.get(source or ""), import_id=import_id,
        )  # fmt: skip


def _chains(connection: Connection, ids: Loaded, import_id: int) -> None:
    [[collection]] = connection.run(
        "insert into isnad.collections (code, name_ar, name_latin, source_id, import_id)"
        " values ('book', 'كتاب', 'Book', :source, :import_id) returning collection_id",
        source=ids.sources["book"], import_id=import_id,
    )  # fmt: skip
    few = [CHAINS[0][1][0], CHAINS[0][1][1]]
    for number, (understood, links) in enumerate([*CHAINS, *[(True, few)] * MORE], start=1):
        text, spans = "", []
        for mention, _, _ in links:
            text += "حدثنا "
            spans.append((len(text), len(text) + len(mention)))
            text += mention + " "
        [[hadith]] = connection.run(
            "insert into isnad.hadiths (source_key, collection_id, canonical_reference, numbering_scheme, text_ar,"
            " import_id) values (:key, :collection, :key, 'running', :text, :import_id) returning hadith_id",
            key=f"book:{number}", collection=collection, text=f"{text}قال كذا", import_id=import_id,
        )  # fmt: skip
        ids.hadiths.append(hadith)
        [[chain]] = connection.run(
            "insert into isnad.chains (hadith_id, chain_number, completeness, understood, reader, reader_version,"
            " import_id) values (:hadith, 1, 'complete', :understood, 'made-up', '1', :import_id) returning chain_id",
            hadith=hadith, understood=understood, import_id=import_id,
        )  # fmt: skip
        for position, ((mention, key, status), (start, end)) in enumerate(zip(links, spans, strict=True), start=1):
            connection.run(
                "insert into isnad.chain_nodes (chain_id, position, mention_ar, transmission_term_ar, span_start,"
                " span_end, narrator_id, resolution_status, candidate_count, rule) values (:chain, :position, :mention,"
                " 'حدثنا', :start, :end, :id, :status, 1, 'made up')",
                chain=chain, position=position, mention=mention, start=start, end=end,
                id=None if key is None else ids.narrators[key], status=status,
            )  # fmt: skip
