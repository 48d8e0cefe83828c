"""S18: the largest reply of every built tool over the sandbox, far from the platform's 6 MB."""

import importlib
import json

import pytest
from tests.conftest import Database, call_event

from isnad_database.connect import administrator
from isnad_gateway.domain.registry import CONTRACT

LARGEST = 1_000_000  # bytes; a sixth of what the platform takes

# For each tool, arguments that ask for its largest answer: the longest text, the most nodes.
QUERIES = {
    "search_hadith": "select json_build_object('query', left(text_ar, 8000), 'limit', 20) from isnad.hadiths"
    " order by octet_length(text_ar) desc limit 5",
    "get_hadith": "select json_build_object('hadith_id', hadith_id) from isnad.hadiths"
    " order by octet_length(text_ar) desc limit 5",
    "get_hadith_chains": "select json_build_object('hadith_id', c.hadith_id, 'limit', 20) from isnad.chains as c"
    " inner join isnad.chain_nodes as n on c.chain_id = n.chain_id group by c.hadith_id"
    " order by count(*) desc, c.hadith_id limit 5",
}


@pytest.mark.usefixtures("gateway")
@pytest.mark.parametrize("tool", [name for name in CONTRACT if name in QUERIES])
def test_largest_reply(tool: str, sandbox: Database) -> None:
    handler = importlib.import_module(f"functions.{tool}.app").handler
    with administrator(sandbox.administrator) as connection:
        asked = [arguments for (arguments,) in connection.run(QUERIES[tool])]
    sizes = []
    for arguments in asked:
        body = {"arguments": arguments, "conversation_id": "c", "session_id": "s", "turn_id": 1}
        answer = handler(call_event(body), None)
        assert answer["statusCode"] == 200
        assert "\\u" not in answer["body"]  # UTF-8, which takes a third of the bytes of escapes
        assert json.loads(answer["body"])["result"]
        sizes.append(len(answer["body"].encode()))
    assert 10_000 < max(sizes) < LARGEST
