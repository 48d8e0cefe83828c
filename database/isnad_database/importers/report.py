"""What an importer left out and why, and the refusal of a file that is not what it is said to be."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field


class WrongFileError(ValueError):
    """The file is not in the format that the importer reads; nothing of it may be stored."""


class MissingColumnsError(WrongFileError):
    """The file lacks columns of the format. `missing` names them in the format's order."""

    def __init__(self, format_name: str, missing: Iterable[str]) -> None:
        """Name the format, with its article, and the columns that the file does not have."""
        self.missing = tuple(missing)
        super().__init__(f"not {format_name}: it has no column {', '.join(self.missing)}")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was skipped, or kept although it is odd. `where` is a row, line or entry of the file."""

    code: str
    where: str
    detail: str
    skipped: bool


@dataclass(slots=True)
class Report:
    """Everything that one import found worth telling; counts come from the findings and never beside them."""

    findings: list[Finding] = field(default_factory=list)

    def skip(self, code: str, where: str, detail: str) -> None:
        """Record that something of the file is not imported."""
        self.findings.append(Finding(code, where, detail, skipped=True))

    def note(self, code: str, where: str, detail: str) -> None:
        """Record a defect of the file that is imported as it stands."""
        self.findings.append(Finding(code, where, detail, skipped=False))

    def counts(self) -> dict[str, int]:
        """How often each code was found, most frequent first."""
        return dict(Counter(finding.code for finding in self.findings).most_common())

    def lines(self) -> list[str]:
        """The report as text, one finding a line, in the order of the file."""
        return [
            f"{'skipped' if finding.skipped else 'kept'}\t{finding.code}\t{finding.where}\t{finding.detail}"
            for finding in self.findings
        ]
