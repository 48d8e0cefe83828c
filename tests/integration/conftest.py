"""What several integration tests share."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from tests.conftest import Database
from tests.made_up_people import Loaded, load_people

from isnad_database.connect import administrator
from isnad_local.postgres import reader_dsn


@dataclass(frozen=True)
class PeopleDatabase:
    """A database of made-up people, which tests only read, and their ids."""

    database: Database
    ids: Loaded


@pytest.fixture(scope="session")
def people_database(server: str, migrated: str) -> Iterator[PeopleDatabase]:
    """The made-up people, loaded once."""
    with administrator(server) as connection:
        connection.run("drop database if exists made_up_people with (force)")
        connection.run(f"create database made_up_people template {migrated}")
    dsn = server.replace("/postgres?", "/made_up_people?")
    with administrator(dsn) as connection:
        ids = load_people(connection)
    yield PeopleDatabase(Database(dsn, reader_dsn(dsn)), ids)
    with administrator(server) as connection:
        connection.run("drop database if exists made_up_people with (force)")
