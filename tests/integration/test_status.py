"""What `isnad-database status` tells of links, and that data which is switched off names nobody in a chain."""

import pytest
from tests.conftest import Database

from isnad_database.cli import main
from isnad_database.connect import administrator
from isnad_database.status import status

LINKS = "select count(*) from public.public_chain_nodes where narrator_id is not null"


def test_links_of_the_sandbox(sandbox: Database) -> None:
    """With its own table at least a quarter of the nodes is confirmed and at least half is linked."""
    with administrator(sandbox.administrator) as connection:
        links = {each["resolution_status"]: each["share"] for each in status(connection)["links"]}
    assert links["confirmed"] >= 0.25
    assert links["confirmed"] + links["probable"] >= 0.5
    assert sum(links.values()) == pytest.approx(1, abs=0.001)


@pytest.mark.usefixtures("sandbox")
def test_data_that_is_off_names_nobody(server: str) -> None:
    """The narrators of a data set go out of the chains with it, and come back with it."""
    copy = server.replace("/postgres?", "/switched?")
    with administrator(server) as connection:
        connection.run("drop database if exists switched with (force)")
        connection.run(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'postgres' and pid <> pg_backend_pid()"
        )
    with administrator(server.replace("/postgres?", "/template1?")) as connection:
        connection.run("create database switched template postgres")
    try:
        with administrator(copy) as connection:
            before = connection.run(LINKS)
            assert main(["--dsn", copy, "dataset", "off", "isnad-sandbox"]) == 0
            assert connection.run(LINKS) == [[0]]
            assert main(["--dsn", copy, "dataset", "on", "isnad-sandbox"]) == 0
            assert connection.run(LINKS) == before
    finally:
        with administrator(server) as connection:
            connection.run("drop database if exists switched with (force)")
