"""Property-based: whatever body comes, the request is valid to the letter or refused; nothing of it gets into a header."""

import json
import string
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isnad_gateway.core.errors import InvalidArgument
from isnad_gateway.domain.credential import CredentialRequest
from isnad_gateway.http.faults import parse_body
from isnad_providers.issuer import choose

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FIELDS = list(CredentialRequest.model_fields)
bounded = settings(deadline=None, max_examples=300, derandomize=True, database=None)
IDENTIFIER = set(string.ascii_letters + string.digits + "._:-")


def _parse(body: Any) -> CredentialRequest | None:
    try:
        return parse_body(CredentialRequest, json.dumps(body).encode())
    except InvalidArgument as refused:
        message = refused.message
    assert message.endswith(".")
    assert len(message) < 300
    return None


@bounded
@given(st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=8), json_values, max_size=8))
def test_any_object(body: dict[str, Any]) -> None:
    """It is refused in words, or has exactly the fields that are declared."""
    parsed = _parse(body)
    if parsed is not None:
        assert set(body) <= set(FIELDS)
        assert {"provider", "conversation_id", "language"} <= set(body)


@bounded
@given(json_values)
def test_any_value(body: Any) -> None:
    parsed = _parse(body)
    assert parsed is None or isinstance(body, dict)


@bounded
@given(name=st.sampled_from(["model", "voice", "provider"]), text=st.text(max_size=140))
def test_names_hold_nothing_that_a_header_or_a_path_reads(name: str, text: str) -> None:
    """No line end, no slash, no space, no letter beyond ASCII passes."""
    body = {"provider": "openai", "conversation_id": "c", "language": "en", name: text}
    parsed = _parse(body)
    if parsed is not None:
        value = getattr(parsed, name)
        assert value == text
        assert set(value) <= IDENTIFIER | {"_"}
        assert 0 < len(value) <= 128


@bounded
@given(st.text(min_size=1, max_size=140))
def test_conversations_hold_no_control_character(text: str) -> None:
    parsed = _parse({"provider": "openai", "conversation_id": text, "language": "en"})
    if parsed is not None:
        assert parsed.conversation_id == text
        assert all(ord(letter) >= 32 and not 0x7F <= ord(letter) <= 0x9F for letter in text)
    else:
        assert len(text) > 128 or any(ord(letter) < 32 or 0x7F <= ord(letter) <= 0x9F for letter in text)


@bounded
@given(st.text(max_size=60).map(lambda text: f"v=0\n{text}") | st.text(max_size=60))
def test_offers(text: str) -> None:
    parsed = _parse({"provider": "gpt_live", "conversation_id": "c", "language": "en", "offer": text})
    plain = not any(letter < " " and letter not in "\r\n\t" for letter in text)
    assert (parsed is not None) == (text.startswith(("v=0\n", "v=0\r\n")) and plain)


@bounded
@given(st.none() | st.text(max_size=8), st.lists(st.text(min_size=1, max_size=4), min_size=1, max_size=4))
def test_choices(asked: str | None, allowed: list[str]) -> None:
    """What is taken is allowed, always."""
    if asked is None:
        assert choose("model", asked, allowed) == allowed[0]
    elif asked in allowed:
        assert choose("model", asked, allowed) == asked
    else:
        with pytest.raises(InvalidArgument):
            choose("model", asked, allowed)
