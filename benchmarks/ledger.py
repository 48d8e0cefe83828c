"""What does the turn ledger cost a call: the conditional write before the read, the writes after it, the digest?

Usage: python benchmarks/ledger.py [--rounds N]

moto stands in DynamoDB's place, in this process: a request to it takes some ten times what DynamoDB needs, so the number
of requests and the time on our side of them are what counts. `stubbed` leaves moto out: what remains is boto3's own work.
"""

import argparse
import os
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.measure import alternate, print_table  # noqa: E402
from botocore.awsrequest import AWSResponse  # noqa: E402

from isnad_gateway.core.ledger_settings import ledger_settings  # noqa: E402
from isnad_gateway.core.logs import logger  # noqa: E402
from isnad_gateway.data import ledger, table  # noqa: E402
from isnad_gateway.domain import turns  # noqa: E402
from isnad_local.ledger import ledger as served  # noqa: E402


class _Body:
    """A reply that is there already."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def stream(self, **_: Any) -> Iterator[bytes]:
        """The reply, in one piece."""
        yield self._data


@contextmanager
def stubbed() -> Iterator[None]:
    """Answer every request at once, so that only the client's own work is left."""
    client = table._client()
    reply = b'{"Attributes":{"calls":{"SS":["a","b"]},"research":{"SS":["a"]}}}'

    def answer(request: Any, **_: Any) -> AWSResponse:
        headers: Any = {"content-type": "application/x-amz-json-1.0"}
        return AWSResponse(request.url, 200, headers, _Body(reply))

    client.meta.events.register("before-send.dynamodb", answer)
    try:
        yield
    finally:
        client.meta.events.unregister("before-send.dynamodb", answer)


def result_of(hits: int) -> dict[str, Any]:
    """A search result of a usual size."""
    entry = {"object_id": 1, "object_type": "hadith", "source_title": "صحيح البخاري", "locator": "book 1", "note": None}
    hit = {"hadith_id": 1, "text_ar": "إنما الأعمال بالنيات " * 30, "score": 0.25, "provenance": [entry]}
    return {"results": [{**hit, "hadith_id": number} for number in range(hits)], "evidence_status": "inference"}


def cases() -> dict[str, Callable[[], object]]:
    """The ledger's steps of one call."""
    settings = ledger_settings()
    assert settings is not None
    five, twenty = result_of(5), result_of(20)
    call = '{"tool_name": "search_hadith"}' + " " * 3000

    def place() -> table.Place:
        return table.Place(table.partition_of("issuer", "subject", str(uuid.uuid4())), 1)

    return {
        "digest, 5 hits": lambda: turns.digest(five),
        "digest, 20 hits": lambda: turns.digest(twenty),
        "sources, 20 hits": lambda: turns.provenance_of([twenty]),
        "before: slot": lambda: ledger.take_slot(place(), settings, "s", research=True),
        "after: progress": lambda: ledger.note_progress(place(), "s", "d", "d t "),
        "after: call": lambda: ledger.put_call(place(), settings, "s", started="t", call=call),
    }


def main() -> None:
    """Measure and print two tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=100)
    options = parser.parse_args()
    logger().registered_handler.setStream(open(os.devnull, "w"))  # type: ignore[attr-defined]  # noqa: PTH123, SIM115
    with served():
        started = time.perf_counter()
        table._client()
        print(f"first client, boto3 loaded: {(time.perf_counter() - started) * 1000:.0f} ms")
        with stubbed():
            print("stubbed: our side alone")
            print_table(alternate(cases(), options.rounds), base="before: slot")
        print("against moto")
        print_table(alternate(cases(), options.rounds // 4, warm_up=5), base="before: slot")


if __name__ == "__main__":
    main()
