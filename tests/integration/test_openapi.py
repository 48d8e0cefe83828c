"""The OpenAPI document: valid, up to date, whole; and the local API held against it by generated requests."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from functions.list_tools.app import handler
from hypothesis import HealthCheck, settings
from openapi_spec_validator import validate
from schemathesis import checks
from tests.conftest import load_event

from isnad_authorizer.scopes import scope_of
from isnad_gateway.domain.openapi import openapi
from isnad_local.issuer import DevelopmentIssuer, served
from isnad_local.openapi import FILE
from isnad_local.server import LocalApi
from isnad_local.template import load_routes

CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
]
"""What every answer is held against. Valid data may be refused: a query of two marks is a string, and no query."""


def test_valid() -> None:
    validate(json.loads(FILE.read_text(encoding="utf-8")))


def test_committed_document_is_the_one_that_the_declarations_make() -> None:
    assert json.loads(FILE.read_text(encoding="utf-8")) == json.loads(json.dumps(openapi())), "run `make openapi`"


def test_served() -> None:
    answer = handler({**load_event("list_tools"), "routeKey": "GET /openapi.json"}, None)
    assert answer["statusCode"] == 200
    assert json.loads(answer["body"]) == json.loads(FILE.read_text(encoding="utf-8"))


def test_every_route_is_in_it() -> None:
    """And a token is asked for where the template asks for one."""
    routes = {route.key: route.protected for route in load_routes() if route.method is not None}
    described = {
        f"{method.upper()} {path}": bool(operation["security"])
        for path, operations in openapi()["paths"].items()
        for method, operation in operations.items()
    }
    assert described == routes
    assert all(scope_of(key) for key, protected in described.items() if protected)


@pytest.fixture(scope="module")
def token() -> Iterator[str]:
    """A token of an issuer that the authorizer of this process knows."""
    with tempfile.TemporaryDirectory() as folder:
        issuer = DevelopmentIssuer(Path(folder))
        with served(issuer):
            yield issuer.token(subject="test", scopes=["tools"], seconds=3600)


@pytest.fixture(scope="module")
def api(token: str) -> Any:
    """The local API, by its own document."""
    application = LocalApi(needs_token=True)
    return schemathesis.openapi.from_wsgi("/openapi.json", application, headers={"authorization": f"Bearer {token}"})


schema = schemathesis.pytest.from_fixture("api")


@pytest.mark.usefixtures("gateway")
@schema.parametrize()
@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_generated_requests(case: schemathesis.Case[Any], token: str) -> None:
    """Valid and broken requests of every kind: no server error, and every answer as the document says."""
    case.call_and_validate(checks=CHECKS, headers={"authorization": f"Bearer {token}"})


@pytest.mark.usefixtures("gateway", "token")
@schema.parametrize()
@settings(max_examples=3, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_nothing_without_a_token(case: schemathesis.Case[Any]) -> None:
    """Where the document asks for a token, a request without one or with a broken one is refused."""
    protected = bool(case.operation.definition.raw["security"])
    for headers, status in (({}, 401), ({"authorization": "Bearer a.b.c"}, 403)):
        case.headers.pop("Authorization", None)
        answer = case.call(headers=headers)
        assert (answer.status_code == status) == protected
