"""Which tools there are, without loading any of them."""

from importlib import import_module
from typing import Any, Final

from isnad_gateway.domain.tool import Tool

CONTRACT: Final = (
    "search_hadith",
    "get_hadith",
    "get_hadith_chains",
    "search_narrator",
    "get_narrator_profile",
    "get_narrator_hadiths",
    "get_transmission_relation",
    "get_hadith_commentary",
)
"""The eight tools of the contract, in its order."""


def declaration(name: str) -> Tool[Any, Any]:
    """The declaration of a tool of the contract.

    Raises:
        KeyError: the contract has no such tool.
    """
    if name not in CONTRACT:
        raise KeyError(name)
    tool: Tool[Any, Any] = import_module(f"isnad_gateway.domain.tools.{name}").TOOL
    return tool
