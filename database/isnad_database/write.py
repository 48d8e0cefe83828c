"""Writing many rows: in chunks, as JSON, with progress."""

import json
from collections.abc import Sequence
from typing import Any

from pg8000.native import Connection
from tqdm import tqdm

CHUNK = 500  # rows a statement


def write_rows(
    connection: Connection,
    sql: str,
    rows: Sequence[dict[str, Any]],
    label: str,
    *,
    chunk_size: int = CHUNK,
    **parameters: Any,
) -> None:
    """Run a statement over rows, chunk by chunk.

    Args:
        connection: an administrator's connection, in a transaction.
        sql: a statement that takes the rows out of the JSON array `:rows`.
        rows: what to write.
        label: what the progress bar is called.
        chunk_size: rows a statement.
        parameters: further parameters of the statement.
    """
    with tqdm(total=len(rows), desc=label, unit=" rows") as bar:
        for start in range(0, len(rows), chunk_size):
            chunk = rows[start : start + chunk_size]
            connection.run(sql, rows=json.dumps(chunk, ensure_ascii=False), **parameters)
            bar.update(len(chunk))
