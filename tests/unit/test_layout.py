"""What holds the repository together: folders, events, template and registry name the same things."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import ROOT, load_event

from isnad_gateway.domain.registry import CONTRACT
from isnad_local.template import functions, load_routes, load_template

FUNCTIONS = sorted(path.parent.name for path in (ROOT / "functions").glob("*/app.py"))
every_function = pytest.mark.parametrize("name", FUNCTIONS)


@every_function
def test_event(name: str) -> None:
    """Its event comes by one of its routes."""
    event = load_event(name)
    assert event["version"] == "2.0"
    http = event["requestContext"]["http"]
    assert event["routeKey"] == event["requestContext"]["routeKey"]
    routes = [
        route for route in load_routes() if name in (route.function, "authorize") and route.key == event["routeKey"]
    ]
    assert event.get("pathParameters", {}) in [route.match(http["method"], http["path"]) for route in routes]
    assert "body" not in event or isinstance(json.loads(event["body"]), dict)


def test_no_event_without_a_function() -> None:
    assert sorted(path.stem for path in (ROOT / "events").iterdir()) == FUNCTIONS


def test_one_resource_a_function() -> None:
    described = [Path(properties["CodeUri"]).name for properties in functions(load_template()).values()]
    assert sorted(described) == FUNCTIONS


def test_tool_routes_are_the_built_tools() -> None:
    tools = [route for route in load_routes() if route.path.startswith("/v1/tools/")]
    assert sorted(route.function for route in tools) == sorted(CONTRACT)
    assert {route.key for route in tools} == {f"POST /v1/tools/{name}" for name in CONTRACT}
    assert all(route.path == f"/v1/tools/{route.function}" for route in tools)


def test_exactly_one_route_takes_the_rest() -> None:
    assert [route.function for route in load_routes() if route.method is None] == ["list_tools"]


@pytest.mark.parametrize(
    "path", sorted((ROOT / "functions").glob("*/*.*")), ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_function_folders(path: Path) -> None:
    """A handler and its queries, nothing else, and nothing long."""
    assert path.name == "app.py" or path.suffix == ".sql"
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 100
    if path.suffix == ".sql":
        assert f'Statement(__file__, "{path.name}")' in (path.parent / "app.py").read_text(encoding="utf-8")


def _properties(name: str) -> dict[str, Any]:
    return next(each for each in functions(load_template()).values() if Path(each["CodeUri"]).name == name)


LEDGER_ACTIONS = {
    "record_turn": ["dynamodb:GetItem", "dynamodb:Query", "dynamodb:PutItem"],
    "inspect_turns": ["dynamodb:GetItem", "dynamodb:Query"],
    "vend_credential": "dynamodb:UpdateItem",
}


@every_function
def test_access_to_the_ledger(name: str) -> None:
    """A tool counts and keeps its call, record_turn writes records, inspect_turns only reads, vend_credential only counts;
    nobody else has any.
    """
    properties = _properties(name)
    if name in CONTRACT:
        assert "ToolLedgerAccess" in properties["Policies"]
    elif name in LEDGER_ACTIONS:
        policy, *others = properties["Policies"]
        assert bool(others) == (name == "vend_credential")
        [statement] = policy["Statement"]
        assert statement == {"Effect": "Allow", "Action": LEDGER_ACTIONS[name], "Resource": "LedgerTable.Arn"}
    else:
        assert "Ledger" not in str(properties.get("Policies"))


@pytest.mark.parametrize("name", sorted(LEDGER_ACTIONS))
def test_turns_and_credentials_have_no_database(name: str) -> None:
    """The corpus side never sees a transcript or a key, and these never see the corpus: no address of it, no driver."""
    assert _properties(name)["Environment"]["Variables"]["DATABASE_SECRET_ARN"] == "AWS::NoValue"
    code = f"import sys, functions.{name}.app; sys.exit('pg8000' in sys.modules or 'boto3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False, timeout=60).returncode == 0


def test_the_ledger_keeps_nothing_for_ever() -> None:
    table = load_template()["Resources"]["LedgerTable"]["Properties"]
    assert table["BillingMode"] == "PAY_PER_REQUEST"
    assert table["TimeToLiveSpecification"] == {"AttributeName": "expires", "Enabled": True}
