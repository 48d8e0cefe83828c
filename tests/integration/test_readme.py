"""The README's requests are made over real HTTP, and their answers are what it shows."""

import json
import re
import shlex
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from isnad_local.server import LocalApi
from isnad_local.serving import serving

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```sh\n(curl .*?)\n```\n\n```json\n(.*?)\n```", README, re.DOTALL)


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    with serving(LocalApi()) as port:
        yield f"http://127.0.0.1:{port}"


def request(curl: str, base: str) -> object:
    """Make the request of a curl line, without curl."""
    words = shlex.split(curl)
    options = dict(pairwise(words))
    url = next(word for word in words if word.startswith("http"))
    body = options["-d"].encode() if "-d" in options else None
    headers = dict([options["-H"].split(": ", 1)]) if "-H" in options else {}
    try:
        with urlopen(Request(base + urlsplit(url).path, data=body, headers=headers)) as answer:
            return json.load(answer)
    except HTTPError as error:
        with error:
            return json.load(error)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 4


@pytest.mark.usefixtures("gateway")
@pytest.mark.parametrize(("curl", "answer"), EXAMPLES)
def test_example(curl: str, answer: str, served: str) -> None:
    assert request(curl, served) == json.loads(answer)
