"""The local turn ledger: moto in the place of DynamoDB, in this process, kept in memory until it ends."""

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any, Final

from isnad_local.serving import serving
from isnad_local.template import ROOT, _Loader

TABLE: Final = "isnad-ledger"
_THREADS: Final = 8
_Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def _one_at_a_time(application: _Application) -> _Application:
    """Let requests in one after the other: moto looks at a condition and writes in two steps, DynamoDB in one."""
    lock = Lock()

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        with lock:
            return list(application(environ, start_response))

    return answer


def _environment(url: str) -> dict[str, str]:
    """What has to be set. What an AWS client must have and moto does not look at is left as it is where it is set."""
    wanted = {"AWS_DEFAULT_REGION": "eu-west-3", "AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local"}
    missing = {name: value for name, value in wanted.items() if name not in os.environ}
    return {
        "AWS_ENDPOINT_URL_DYNAMODB": url,
        "ISNAD_LEDGER_TABLE": TABLE,
        "ISNAD_LEDGER_TIMEOUT": "20",  # moto on a busy machine is no DynamoDB: it is waited for
        **missing,
    }


def make_table(client: Any = None) -> None:
    """Make the table as the template describes it, where it is not there.

    Args:
        client: a DynamoDB client, where there is one already.
    """
    import boto3  # noqa: PLC0415 - heavy, and needed only here
    import yaml  # noqa: PLC0415

    client = client or boto3.session.Session().client("dynamodb")
    if TABLE in client.list_tables()["TableNames"]:
        return
    template = yaml.load((ROOT / "template.yaml").read_text(encoding="utf-8"), _Loader)  # noqa: S506 - a SafeLoader
    described = template["Resources"]["LedgerTable"]["Properties"]
    shape = {name: described[name] for name in ("AttributeDefinitions", "KeySchema", "BillingMode")}
    client.create_table(TableName=TABLE, **shape)


@contextmanager
def ledger() -> Iterator[str]:
    """Serve the ledger's table on loopback, and let the functions of this process use it.

    Yields:
        The address of what stands in DynamoDB's place.
    """
    from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app  # noqa: PLC0415 - heavy

    for noisy in ("waitress.queue", "werkzeug"):
        logging.getLogger(noisy).setLevel(logging.ERROR)
    application = _one_at_a_time(DomainDispatcherApplication(create_backend_app))
    with serving(application, _THREADS) as port:
        url = f"http://127.0.0.1:{port}"
        settings = _environment(url)
        before = {name: os.environ.get(name) for name in settings}
        os.environ.update(settings)
        try:
            make_table()
            yield url
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value
