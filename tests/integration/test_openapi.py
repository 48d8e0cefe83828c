"""The OpenAPI document: valid, up to date, whole; and the local API held against it by generated requests."""

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from functions.list_tools.app import handler
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from openapi_spec_validator import validate
from schemathesis import GenerationMode, checks
from tests.conftest import load_event

from isnad_authorizer.scopes import scope_of
from isnad_gateway.domain.openapi import openapi
from isnad_local.issuer import DevelopmentIssuer, served
from isnad_local.openapi import FILE
from isnad_local.server import LocalApi
from isnad_local.template import load_routes

EXAMPLES = int(os.environ.get("ISNAD_EXAMPLES", "10"))
"""Requests of each kind and operation; `make fuzz` makes many more."""

CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
]
"""What every answer is held against. Valid data may be refused: a query of two marks is a string, and no query."""


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # the validator leaves its own file open
@pytest.mark.filterwarnings("ignore::ResourceWarning")
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
    """The local API, by the document that it serves."""
    application = LocalApi(needs_token=True)
    loaded = schemathesis.openapi.from_wsgi("/openapi.json", application, headers={"authorization": f"Bearer {token}"})
    loaded.config.generation.with_security_parameters = False  # each test gives its own token, or none
    return loaded


OPERATIONS = [(method.upper(), path) for path, operations in openapi()["paths"].items() for method in operations]
every_operation = pytest.mark.parametrize(("method", "path"), OPERATIONS)
bounded = settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)


@every_operation
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["valid", "broken"])
@pytest.mark.usefixtures("gateway", "ledger")
def test_generated_requests(method: str, path: str, mode: GenerationMode, api: Any, token: str) -> None:
    """No server error, and every answer as the document says; a request that breaks the document is refused."""
    operation = api[path][method]

    @bounded
    @given(case=operation.as_strategy(generation_mode=mode))
    def holds(case: schemathesis.Case[Any]) -> None:
        case.call_and_validate(checks=CHECKS, headers={"authorization": f"Bearer {token}"})

    try:
        holds()
    except Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE  # nothing about this operation can be broken


@every_operation
@pytest.mark.usefixtures("gateway", "token")
def test_nothing_without_a_token(method: str, path: str, api: Any) -> None:
    """Where the document asks for a token, a request without one or with a broken one is refused."""
    operation = api[path][method]
    protected = bool(openapi()["paths"][path][method.lower()]["security"])
    case = operation.Case(path_parameters={"conversation_id": "c", "turn_id": 1})
    for headers, status in ((None, 401), ({"authorization": "Bearer a.b.c"}, 403)):
        answer = case.call(headers=headers)
        assert (answer.status_code == status) == protected
