"""Evidence statuses and their order. The rules are in docs/contract.md, "Evidence"."""

from collections.abc import Iterable
from typing import Literal

EvidenceStatus = Literal["fact", "inference", "insufficient_evidence"]
STATUSES: tuple[EvidenceStatus, ...] = ("insufficient_evidence", "inference", "fact")


def weakest(statuses: Iterable[EvidenceStatus]) -> EvidenceStatus:
    """The status of a whole from the statuses of its claims (rule E12).

    Args:
        statuses: one for each claim. What is listed as open (`insufficient_evidence`) asserts nothing, and does not
            pull the whole down.

    Returns:
        `inference` where one claim is no more than that, else `fact` where one is asserted, else
        `insufficient_evidence`.
    """
    asserted = set(statuses)
    if "inference" in asserted:
        return "inference"
    return "fact" if "fact" in asserted else "insufficient_evidence"
