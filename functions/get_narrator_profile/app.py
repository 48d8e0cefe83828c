"""get_narrator_profile: identity, data sets' fields, notices and assertions of one narrator, each apart."""

from typing import Any, Final

from isnad_gateway.core.errors import NotFound
from isnad_gateway.data.statement import Statement
from isnad_gateway.data.transaction import Read
from isnad_gateway.domain.evidence import EvidenceStatus, weakest
from isnad_gateway.domain.provenance import claim_provenance, dataset_provenance, fact_citations, narrator_provenance
from isnad_gateway.domain.tools import get_narrator_profile as contract
from isnad_gateway.http.handler import tool_handler

PROFILE = Statement(__file__, "profile.sql")
_MAX_FIELDS: Final = 50  # a data set has about twenty fields a narrator


def answer(arguments: contract.Arguments, read: Read) -> contract.Result:
    """Read one narrator.

    Raises:
        NotFound: no narrator has this id.
    """
    rows = read(PROFILE, narrator_id=arguments.narrator_id, wanted=arguments.entry_limit + 1)
    if not rows:
        raise NotFound("No narrator has this `narrator_id`; search_narrator finds ids.")
    row = {**rows[0]["record"], "entries": rows[0]["entries"]}
    narrator = row["narrator"]
    facts = (row["facts"] or [])[:_MAX_FIELDS]
    fields: list[contract.Statement] = [
        {"field": fact["field"], "value": fact["value"], "evidence_status": "fact", "provenance": cited}
        for fact, cited in zip(facts, fact_citations(facts), strict=True)
    ]
    entries = [_entry(entry) for entry in (row["entries"] or ())[: arguments.entry_limit]]
    assertions = [_assertion(assertion) for assertion in (row["assertions"] or ())[:_MAX_FIELDS]]
    statuses: list[EvidenceStatus] = [field["evidence_status"] for field in fields]
    statuses += [entry["evidence_status"] for entry in entries] + [each["evidence_status"] for each in assertions]
    return contract.Result(
        narrator_id=narrator["narrator_id"],
        identity=contract.Identity(
            name_ar=narrator["name_ar"],
            name_fr=narrator["name_fr"],
            canonical_display=narrator["canonical_display"],
            variants=(row["variants"] or [])[: contract.MAX_VARIANTS],
        ),
        legacy_scholarly_data=fields,
        source_entries=entries,
        canonical_assertions=assertions,
        truncated=len(row["entries"] or ()) > arguments.entry_limit,
        evidence_status=weakest(statuses),
        provenance=[narrator_provenance(narrator, _display(narrator)), dataset_provenance(narrator, note="identity")],
        capability_note=_note(row),
    )


def _display(narrator: dict[str, Any]) -> str | None:
    if narrator["canonical_display"] is None:
        return None
    return f"canonical display: {narrator['display_status'] or 'status not stated'}"


def _entry(row: dict[str, Any]) -> contract.Entry:
    status = row["resolution_status"]
    return contract.Entry(
        entry_id=str(row["entry_id"]),
        text=row["text"],
        resolution_status=status,
        evidence_status="fact" if status == "LINKED" else "insufficient_evidence",
        provenance=[claim_provenance(row, row["entry_id"], "narrator_entry", note=f"{status}: {row['rule']}")],
    )


def _assertion(row: dict[str, Any]) -> contract.Assertion:
    return contract.Assertion(
        field=row["field"],
        value=row["value"],
        evidence_status="fact",
        provenance=[claim_provenance(row, row["narrator_id"], "narrator", note=f"review: {row['review_status']}")],
    )


def _note(row: dict[str, Any]) -> str | None:
    """What is missing, and what is not told whole."""
    kinds = {"facts": "data set's field", "entries": "notice", "assertions": "reviewed assertion with a source"}
    notes = [f"No {name} is loaded for this narrator." for kind, name in kinds.items() if not row[kind]]
    if row["withheld"]:
        notes.append(f"Assertions without a source or a passed review, which are withheld: {row['withheld']}.")
    cut = {"variants": contract.MAX_VARIANTS, "facts": _MAX_FIELDS, "assertions": _MAX_FIELDS}
    more = [kind for kind, most in cut.items() if len(row[kind] or ()) > most]
    if more:
        notes.append(f"There are more {' and '.join(more)} than are listed.")
    return " ".join(notes) or None


handler = tool_handler(contract.TOOL, answer)
