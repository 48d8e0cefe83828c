"""What may be said of a recorded relation (rule E4)."""

from typing import Final, Literal

from isnad_gateway.domain.evidence import EvidenceStatus

RelationStatus = Literal["attested", "possible", "not_established"]

_STATUS: Final[dict[str, RelationStatus]] = {
    "probable": "possible",
    "ambiguous": "possible",
    "unresolved": "not_established",
}
_EVIDENCE: Final[dict[RelationStatus, EvidenceStatus]] = {
    "attested": "fact",
    "possible": "inference",
    "not_established": "insufficient_evidence",
}


def relation_status(recorded: str, *, has_source: bool) -> tuple[RelationStatus, EvidenceStatus]:
    """The status that may be told, and how well it is supported.

    Args:
        recorded: the status as recorded: `attested`, `probable`, `ambiguous` or `unresolved`.
        has_source: whether the record names a source; without one nothing is attested.
    """
    status = _STATUS.get(recorded, "attested" if has_source else "possible")
    return status, _EVIDENCE[status]
