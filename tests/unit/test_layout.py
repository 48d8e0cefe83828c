"""What holds the repository together: folders, events, template and registry name the same things."""

import json
from pathlib import Path

import pytest
from tests.conftest import ROOT, load_event

from isnad_gateway.domain.registry import BUILT
from isnad_local.template import functions, load_routes, load_template

FUNCTIONS = sorted(path.parent.name for path in (ROOT / "functions").glob("*/app.py"))
every_function = pytest.mark.parametrize("name", FUNCTIONS)


@every_function
def test_event(name: str) -> None:
    """Its event comes by one of its routes."""
    event = load_event(name)
    assert event["version"] == "2.0"
    http = event["requestContext"]["http"]
    assert event["routeKey"] == event["requestContext"]["routeKey"] == f"{http['method']} {http['path']}"
    assert event["routeKey"] in {route.key for route in load_routes() if name in (route.function, "authorize")}
    assert "body" not in event or isinstance(json.loads(event["body"]), dict)


def test_no_event_without_a_function() -> None:
    assert sorted(path.stem for path in (ROOT / "events").iterdir()) == FUNCTIONS


def test_one_resource_a_function() -> None:
    described = [Path(properties["CodeUri"]).name for properties in functions(load_template()).values()]
    assert sorted(described) == FUNCTIONS


def test_tool_routes_are_the_built_tools() -> None:
    tools = [route for route in load_routes() if route.path.startswith("/v1/tools/")]
    assert sorted(route.function for route in tools) == sorted(BUILT)
    assert {route.key for route in tools} == {f"POST /v1/tools/{name}" for name in BUILT}
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
