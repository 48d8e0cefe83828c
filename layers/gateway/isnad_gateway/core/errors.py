"""The closed set of errors. Each class knows its code and status; its message is what the caller reads, nothing else.

Source of codes and statuses: the table "One call" of docs/contract.md.
"""

from typing import ClassVar


class GatewayError(Exception):
    """An error that the caller is told about.

    Args:
        message: one short English sentence for the caller, which names the argument at fault and never quotes SQL, a
            table, a host or a secret.
        retry_after: seconds after which the same call may be tried again, where that is not the class's own.
    """

    code: ClassVar[str] = "INTERNAL_ERROR"
    status: ClassVar[int] = 500
    retry_after: int | None = None

    def __init__(self, message: str, *, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        if retry_after is not None:
            self.retry_after = retry_after

    @property
    def headers(self) -> dict[str, str]:
        """The reply's headers that belong to the error."""
        return {} if self.retry_after is None else {"retry-after": str(self.retry_after)}


class InvalidArgument(GatewayError):
    """The body or an argument is not what the contract asks for."""

    code = "INVALID_ARGUMENT"
    status = 400


class NotFound(GatewayError):
    """A well-formed id names nothing, or there is no such path, method or tool."""

    code = "NOT_FOUND"
    status = 404


class InsufficientEvidence(GatewayError):
    """A record exists that has no source to cite."""

    code = "INSUFFICIENT_EVIDENCE"
    status = 422


class LimitExceeded(GatewayError):
    """A limit is over its hard maximum."""

    code = "LIMIT_EXCEEDED"
    status = 422


class BudgetSpent(LimitExceeded):
    """The turn has no slot left for this call. An expected stop: nothing is wrong."""

    status = 429


class RateSpent(LimitExceeded):
    """The caller has asked too often. An expected stop: nothing is wrong."""

    status = 429


class Unavailable(GatewayError):
    """Something that the answer needs is down or too slow; the same call may be tried again."""

    code = "UNAVAILABLE"
    status = 503
    retry_after = 1


class InternalError(GatewayError):
    """Anything else. The cause is in the log, never in the message."""

    def __init__(self) -> None:
        super().__init__("The gateway failed to answer; the cause is in its log.")
