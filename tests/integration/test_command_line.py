"""`isnad-database` and `python -m isnad_local` as they are called: help, status, errors in one line."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest
from tests import made_up
from tests.conftest import ROOT, Database
from tests.leaks import PASSWORD, record

from isnad_database.cli import main

COMMANDS = ("migrate", "load-sandbox", "status")
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def without_dsn(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("ISNAD_DSN", raising=False)
    monkeypatch.chdir(tmp_path)


def test_console_script(request: pytest.FixtureRequest) -> None:
    script = Path(sys.executable).with_name("isnad-database")
    done = subprocess.run([script, "--help"], capture_output=True, text=True, check=True)
    record(request, "isnad-database", done.stdout + done.stderr)
    assert done.stdout.startswith("usage: isnad-database ")
    assert all(f"\n    {name} " in done.stdout for name in COMMANDS)
    assert "ISNAD_DSN" in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_each_command(command: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as left:
        main([command, "--help"])
    assert left.value.code == 0
    said = capsys.readouterr()
    assert said.out.startswith(f"usage: isnad-database {command} ")
    assert len(said.out.splitlines()) > 4
    assert said.err == ""


@pytest.mark.parametrize("argv", [[], ["drop"], ["--dsn"], ["migrate", "--now"]])
def test_wrong_usage(argv: list[str], capsys: Capture) -> None:
    with pytest.raises(SystemExit) as left:
        main(argv)
    assert left.value.code == 2
    assert "usage: isnad-database" in capsys.readouterr().err


FORM = "a connection string is postgresql://user@host:port/database"
DOWN = "the database cannot be reached; is it running?"
ERRORS = [
    ([], "no database named: give --dsn, set ISNAD_DSN, or start the local one with `make run`"),
    (["--dsn", "nonsense"], FORM),
    (["--dsn", f"mysql://u:{PASSWORD}@h/d"], FORM),
    (["--dsn", f"postgresql://u:{PASSWORD}@h:port/d"], FORM),
    (["--dsn", f"postgresql://u:{PASSWORD}\uff0f@h/d"], FORM),
    (["--dsn", f"postgresql://u:{PASSWORD}@127.0.0.1:1/d"], DOWN),
    (["--dsn", "postgresql://u@/d?host=/nowhere"], DOWN),
]


@pytest.mark.parametrize(("options", "message"), ERRORS, ids=range(len(ERRORS)))
@pytest.mark.parametrize("command", COMMANDS)
def test_errors_in_one_line(options: list[str], message: str, command: str, capsys: Capture) -> None:
    assert main([*options, command]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", f"isnad-database: {message}\n")


def test_dsn_in_the_environment_and_in_the_file(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    """What is given goes before the environment, and that before the file that `make run` writes."""
    Path(".local").mkdir()
    Path(".local/dsn").write_text("postgresql://u@/d?host=/nowhere\n")
    assert main(["status"]) == 1
    assert DOWN in capsys.readouterr().err
    monkeypatch.setenv("ISNAD_DSN", "from the environment")
    assert main(["status"]) == 1
    assert FORM in capsys.readouterr().err
    assert main(["--dsn", "postgresql://u@/d?host=/nowhere", "status"]) == 1
    assert DOWN in capsys.readouterr().err


def test_refused_by_the_database(sandbox: Database, capsys: Capture) -> None:
    assert main(["--dsn", sandbox.reader, "status"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("isnad-database: the database refused: permission denied ")
    assert said.endswith(" (SQLSTATE 42501)\n")


def test_no_such_database(server: str, capsys: Capture) -> None:
    assert main(["--dsn", server.replace("/postgres?", "/nowhere?"), "status"]) == 1
    assert capsys.readouterr().err in (
        'isnad-database: the database refused: database "nowhere" does not exist (SQLSTATE 3D000)\n',
        f"isnad-database: {DOWN}\n",  # pg8000 loses the server's word where the server has hung up before its goodbye
    )


def test_commands(empty_database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    made_up.use(tmp_path / "data", monkeypatch)
    dsn = ["--dsn", empty_database.administrator]
    assert main([*dsn, "migrate"]) == 0
    assert capsys.readouterr() == ("the schema is up to date\n", "")
    assert main([*dsn, "load-sandbox"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("loaded 7 hadiths in 3 books of 2 collections\n")
    assert "hadiths: 100%" in said.err  # progress
    assert main([*dsn, "status"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [(each["code"], each["hadiths"]) for each in shown["collections"]] == [("bukhari", 4), ("muslim", 3)]


def test_status_without_a_schema(server: str, capsys: Capture) -> None:
    assert main(["--dsn", server.replace("/postgres?", "/template1?"), "status"]) == 1
    assert capsys.readouterr().err == ("isnad-database: the database has no schema yet; run `isnad-database migrate`\n")


def test_interrupt(monkeypatch: pytest.MonkeyPatch, empty_database: Database, capsys: Capture) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("isnad_database.cli.status", interrupted)
    assert main(["--dsn", empty_database.administrator, "status"]) == 130
    assert capsys.readouterr().err == "isnad-database: interrupted; the database is as it was\n"


@pytest.mark.parametrize("port", ["taken", "70000", "x"])
def test_make_run_with_a_bad_port(port: str, request: pytest.FixtureRequest) -> None:
    """Said at once, in one line, before anything is started."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = str(taken.getsockname()[1]) if port == "taken" else port
        done = subprocess.run(
            [sys.executable, "-m", "isnad_local", "--port", number],
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
    record(request, "isnad_local", done.stdout + done.stderr)
    assert done.returncode != 0
    assert done.stdout == ""
    last = done.stderr.splitlines()[-1]
    assert number in last
    assert "Traceback" not in done.stderr
    if port == "taken":
        assert done.stderr == (
            f"make run: port {number} cannot be used (Address already in use); choose another: make run PORT=3001\n"
        )


RUN = """
import sys
from contextlib import contextmanager
from pathlib import Path
import isnad_local.__main__ as run

dsn = sys.argv.pop()

@contextmanager
def running(_data):
    yield dsn

run.postgres = running
run.LOCAL = Path.cwd()
sys.exit(run.main())
"""


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_make_run(ending: signal.Signals, sandbox: Database, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Ready with a line that can be pasted, and a clean stop; on the test's Postgres, for a load takes long."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", RUN, "--port", str(port), sandbox.administrator],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == f"ready: http://127.0.0.1:{port}\n"
        line = process.stdout.readline()
        assert line.startswith(f"try:   curl -s http://127.0.0.1:{port}/v1/tools/search_hadith ")
        with urlopen(f"http://127.0.0.1:{port}/health", timeout=10) as answer:
            assert json.load(answer) == {"status": "ok", "data": "loaded"}
        curl = subprocess.run(["bash", "-c", line.removeprefix("try:")], capture_output=True, text=True, check=True)
        assert json.loads(curl.stdout)["result"]["results"][0]["match_method"] == "exact"
        started = time.monotonic()
        process.send_signal(ending)
        out, err = process.communicate(timeout=20)
        assert time.monotonic() - started < 10
    finally:
        process.kill()
        process.wait()
    record(request, "make run", out + err)
    assert process.returncode == 0
    assert out.splitlines()[-1] == "stopped"
    assert "Traceback" not in err
    assert (tmp_path / "dsn").read_text() == f"{sandbox.administrator}\n"
