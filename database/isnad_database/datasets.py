"""Data sets and imports: what every loaded row points back to."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from pg8000.native import Connection

from isnad_database.connect import UsageError


@dataclass(frozen=True)
class Dataset:
    """A data set as it is published.

    Attributes:
        key: our name for it.
        title: what its publishers call it.
        version: version or commit, where one is stated.
        licence: what was stated about its licence; None where nobody stated anything.
        url: where it is published.
    """

    key: str
    title: str
    version: str | None
    licence: str | None
    url: str | None


def register_import(
    connection: Connection, dataset: Dataset, path: Path, importer: str, row_count: int, file_name: str | None = None
) -> int:
    """Record a data set and the file that is being imported.

    Args:
        connection: an administrator's connection, in a transaction.
        dataset: the data set.
        path: the file.
        importer: the name of the importer.
        row_count: how many rows it brings.
        file_name: what the file is called in its data set, where its own name alone does not tell it from others.

    Returns:
        The import's id; the same one for the same file again.
    """
    [[dataset_id]] = connection.run(
        """
        insert into isnad.datasets (dataset_key, title, version, licence, url)
        values (:key, :title, :version, :licence, :url)
        on conflict (dataset_key) do update
        set title = excluded.title, version = excluded.version, licence = excluded.licence, url = excluded.url
        returning dataset_id
        """,
        key=dataset.key,
        title=dataset.title,
        version=dataset.version,
        licence=dataset.licence,
        url=dataset.url,
    )
    [[import_id]] = connection.run(
        """
        insert into isnad.imports (dataset_id, file_name, file_sha256, importer, row_count)
        values (:dataset_id, :file_name, :sha256, :importer, :row_count)
        on conflict (dataset_id, file_name, file_sha256) do update
        set row_count = excluded.row_count, imported_at = now()
        returning import_id
        """,
        dataset_id=dataset_id,
        file_name=file_name or path.name,
        sha256=file_sha256(path),
        importer=importer,
        row_count=row_count,
    )
    return int(import_id)


def switch(connection: Connection, key: str, *, active: bool) -> None:
    """Switch a data set on or off; triggers keep what is searched true to it, links have to be made anew.

    Args:
        connection: an administrator's connection, in a transaction.
        key: the data set's key.
        active: whether it shall answer.

    Raises:
        UsageError: there is no such data set; the message names those that there are.
    """
    found = connection.run(
        "update isnad.datasets set active = :active where dataset_key = :key returning 1", key=key, active=active
    )
    if not found:
        keys = ", ".join(name for (name,) in connection.run("select dataset_key from isnad.datasets order by 1"))
        raise UsageError(f"there is no data set {key}; there are: {keys or 'none'}")


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def register_source(
    connection: Connection,
    key: str,
    title: str,
    author: str | None,
    source_type: str,
    rights: str | None,
    url: str | None,
) -> int:
    """Record a source (a work) and return its id; the same one for the same key again."""
    [[source_id]] = connection.run(
        """
        insert into isnad.sources (source_key, title, author, source_type, rights, url)
        values (:key, :title, :author, :source_type, :rights, :url)
        on conflict (source_key) do update
        set title = excluded.title, author = excluded.author, source_type = excluded.source_type,
            rights = excluded.rights, url = excluded.url
        returning source_id
        """,
        key=key,
        title=title,
        author=author,
        source_type=source_type,
        rights=rights,
        url=url,
    )
    return int(source_id)


def register_edition(
    connection: Connection,
    key: str,
    source_id: int,
    title: str | None,
    url: str | None,
    content_hash: str | None,
    rights: str | None,
) -> int:
    """Record an edition of a source and return its id; the same one for the same key again."""
    [[edition_id]] = connection.run(
        """
        insert into isnad.editions (edition_key, source_id, title, url, content_hash, rights)
        values (:key, :source_id, :title, :url, :content_hash, :rights)
        on conflict (edition_key) do update
        set source_id = excluded.source_id, title = excluded.title, url = excluded.url,
            content_hash = excluded.content_hash, rights = excluded.rights
        returning edition_id
        """,
        key=key,
        source_id=source_id,
        title=title,
        url=url,
        content_hash=content_hash,
        rights=rights,
    )
    return int(edition_id)
