"""search_hadith: candidates for words or for a reference."""

from typing import Any

from isnad_gateway.core.errors import NotFound, Unavailable
from isnad_gateway.data.statement import Statement
from isnad_gateway.data.transaction import Read
from isnad_gateway.domain.fold import fold_if_certain
from isnad_gateway.domain.language import language_to_search, notes_on_language
from isnad_gateway.domain.provenance import hadith_provenance, searched_provenance, translation_provenance
from isnad_gateway.domain.tools.search_hadith import TOOL, Arguments, Hit, Result
from isnad_gateway.http.handler import tool_handler

SEARCH = Statement(__file__, "search.sql")


def answer(arguments: Arguments, read: Read) -> Result:
    """Search, and say what an empty answer means.

    Raises:
        NotFound: no collection has the given id.
        Unavailable: nothing is loaded that could be searched, or cited as searched.
    """
    [row] = read(
        SEARCH,
        query=arguments.query,
        folded=fold_if_certain(arguments.query),
        collection_id=arguments.collection_id,
        wanted=arguments.limit + 1,
        query_language=language_to_search(arguments.query, arguments.query_language),
    )
    found = row["found"]
    rows, searched = found["hits"] or [], found["searched"] or []
    if arguments.collection_id is not None and not searched:
        raise NotFound("No collection has this `collection_id`; the list of tools names the collections.")
    if not searched:
        raise Unavailable("No hadith is loaded yet; try again later.")
    hits = [_hit(row) for row in rows[: arguments.limit]]
    return Result(
        results=hits,
        truncated=len(rows) > arguments.limit,
        evidence_status="inference" if hits else "insufficient_evidence",
        provenance=searched_provenance([*searched, *((found["french"] or {}).get("datasets") or ())]),
        capability_note=_note_on_hits(arguments, found) if hits else _note_on_nothing(arguments, found),
    )


def _hit(row: dict[str, Any]) -> Hit:
    record = row["record"]
    has_french = record["translation_text"] is not None and record["origin"] != "machine"
    return Hit(
        hadith_id=row["hadith_id"],
        canonical_reference=record["canonical_reference"],
        numbering_scheme=record["numbering_scheme"],
        text_ar=row["text_ar"],
        text_fr=record["translation_text"] if has_french else None,
        match_method=row["match_method"],
        score=row["score"],
        evidence_status="inference",
        provenance=[hadith_provenance(record), *([translation_provenance(record)] if has_french else [])],
    )


def _note_on_hits(arguments: Arguments, found: dict[str, Any]) -> str | None:
    rows, asked, notes = found["hits"], found["asked"], []
    if asked is not None and asked["collection_id"] is not None and rows[0]["match_method"] != "reference":
        notes.append(f"{_unknown_number(asked)} The hits match the other words of the query.")
    if any(row["text_damaged"] for row in rows[: arguments.limit]):
        notes.append("A text among the hits holds characters that were damaged before it was loaded.")
    if rows[0]["match_method"] != "reference":
        notes += notes_on_language(arguments.query, arguments.query_language, found["french"], found=True)
    return " ".join(notes) or None


def _note_on_nothing(arguments: Arguments, found: dict[str, Any]) -> str:
    """What the empty list means, and what to do next. It never says that a hadith does not exist (rule E6)."""
    asked = found["asked"]
    if asked is not None and asked["in_scope"] is False:
        return f"The reference names {asked['collection']}, but `collection_id` names another collection."
    if asked is not None and asked["collection_id"] is not None:
        return _unknown_number(asked)
    if found["needs_words"]:
        return "The query holds only honorifics or words of transmission, which fit every hadith: give more words."
    if asked is not None and asked["number"] is not None and found["french"] is not None:
        return "No loaded collection has the name before the number; the list of tools names the collections."
    nothing = (
        "Nothing was found in what was searched, which does not show that there is no such hadith: "
        "try fewer or other words, or a reference."
    )
    notes = notes_on_language(arguments.query, arguments.query_language, found["french"], found=False)
    return " ".join([nothing, *notes])


def _unknown_number(asked: dict[str, Any]) -> str:
    told = f"; the last one is {asked['last_reference']}" if asked["last_reference"] is not None else ""
    return f"No loaded record of {asked['collection']} has the number {asked['number']}{told}."


handler = tool_handler(TOOL, answer)
