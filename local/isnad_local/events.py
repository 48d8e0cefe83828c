"""From an HTTP request to the event that API Gateway would make of it (HTTP API, payload format 2.0)."""

import base64
import time
import uuid
from typing import Any
from urllib.parse import parse_qsl

from isnad_local.template import Route

Environ = dict[str, Any]  # PEP 3333


def _body(environ: Environ) -> tuple[str | None, bool]:
    """The body and whether it is base64: API Gateway encodes what is neither text nor JSON, XML or form data."""
    length = int(environ.get("CONTENT_LENGTH") or 0)
    data = environ["wsgi.input"].read(length) if length else b""
    if not data:
        return None, False
    kind = environ.get("CONTENT_TYPE", "").split(";")[0].strip().lower()
    is_text = kind.startswith("text/") or kind in ("application/json", "application/xml", "application/javascript")
    if is_text:
        try:
            return data.decode(), False
        except UnicodeDecodeError:
            pass
    return base64.b64encode(data).decode(), True


def event_of(
    environ: Environ, route: Route, variables: dict[str, str], authorizer: dict[str, Any] | None
) -> dict[str, Any]:
    """Make the event.

    Args:
        environ: the request, as WSGI gives it.
        route: the route that takes it.
        variables: the variable segments of its path.
        authorizer: what the authorizer says of the caller, or None.
    """
    query = environ.get("QUERY_STRING", "")
    body, is_base64 = _body(environ)
    event = {**_request(environ, route), "isBase64Encoded": is_base64}
    optional = {
        "queryStringParameters": _query(query),
        "pathParameters": variables,
        "body": body,
    }
    event.update({key: value for key, value in optional.items() if value})
    if authorizer is not None:
        event["requestContext"]["authorizer"] = {"lambda": authorizer}
    return event


def authorizer_event_of(environ: Environ, route: Route) -> dict[str, Any]:
    """Make the event that asks the authorizer whether a request may pass: who asks, and for which route."""
    request = _request(environ, route)
    method, path = request["requestContext"]["http"]["method"], request["rawPath"]
    return {
        **request,
        "type": "REQUEST",
        "routeArn": f"arn:aws:execute-api:local:000000000000:local/$default/{method}{path}",
        "identitySource": [request["headers"].get("authorization"), route.key],
    }


def _request(environ: Environ, route: Route) -> dict[str, Any]:
    """What both events say of a request."""
    headers = {
        key.removeprefix("HTTP_").replace("_", "-").lower(): value
        for key, value in environ.items()
        if key.startswith("HTTP_") or (key in ("CONTENT_TYPE", "CONTENT_LENGTH") and value)
    }
    path = environ["PATH_INFO"].encode("latin-1").decode("utf-8", "replace")
    now = time.time()
    return {
        "version": "2.0",
        "routeKey": route.key,
        "rawPath": path,
        "rawQueryString": environ.get("QUERY_STRING", ""),
        "headers": headers,
        "requestContext": {
            "accountId": "000000000000",
            "apiId": "local",
            "domainName": headers.get("host", "localhost"),
            "domainPrefix": "local",
            "http": {
                "method": environ["REQUEST_METHOD"],
                "path": path,
                "protocol": environ["SERVER_PROTOCOL"],
                "sourceIp": environ.get("REMOTE_ADDR", ""),
                "userAgent": headers.get("user-agent", ""),
            },
            "requestId": str(uuid.uuid4()),
            "routeKey": route.key,
            "stage": "$default",
            "time": time.strftime("%d/%b/%Y:%H:%M:%S +0000", time.gmtime(now)),
            "timeEpoch": int(now * 1000),
        },
    }


def _query(query: str) -> dict[str, str]:
    """Query parameters; values of a repeated one joined by commas, as payload format 2.0 does."""
    joined: dict[str, list[str]] = {}
    for key, value in parse_qsl(query, keep_blank_values=True):
        joined.setdefault(key, []).append(value)
    return {key: ",".join(values) for key, values in joined.items()}
