"""The types of arguments that several tools share, each with its bounds and its description.

Descriptions say what an argument is and never show a value: models repeat the values they are shown.
"""

from typing import Annotated, Any, Final
from unicodedata import normalize

from pydantic import AfterValidator, BeforeValidator, Field

MAX_QUERY: Final = 16_384  # characters; docs/contract.md, "Bounds"
_LARGEST_ID: Final = 2**63 - 1
_FEWEST_LETTERS: Final = 2

NULLABLE: Final[dict[str, Any]] = {"nullable": True}
"""Marks an argument that may be null; the schema emitters read it."""

HARD_MAXIMUM: Final[dict[str, Any]] = {"nullable": True, "hard_maximum": True}
"""Marks an argument that bounds a list: over its maximum it is `LIMIT_EXCEEDED`, not `INVALID_ARGUMENT`."""


def null_means(default: Any) -> BeforeValidator:
    """A validator that reads null as the default."""
    return BeforeValidator(lambda value: default if value is None else value)


def _storable(text: str) -> str:
    """Refuse what no text of the database can be: Postgres takes no NUL."""
    if "\0" in text:
        raise ValueError("must not hold a NUL character")
    return text


Storable = AfterValidator(_storable)
"""For text that reaches the database."""


def _searchable(text: str) -> str:
    """Refuse what holds no word: marks, spaces, one lone letter. It would match everything or nothing."""
    if sum(character.isalnum() for character in normalize("NFKC", text)) < _FEWEST_LETTERS:
        raise ValueError(f"must hold at least {_FEWEST_LETTERS} letters or digits")
    return _storable(text)


Searchable = AfterValidator(_searchable)
"""For text that is searched for."""


HadithId = Annotated[
    int, Field(ge=1, le=_LARGEST_ID, description="The id of a hadith: an integer that search_hadith returned.")
]
NarratorId = Annotated[
    int, Field(ge=1, le=_LARGEST_ID, description="The id of a narrator: an integer that search_narrator returned.")
]
CollectionId = Annotated[
    int | None,
    Field(
        ge=1,
        le=_LARGEST_ID,
        description="The id of the one collection to search: an integer from the list of collections.",
        json_schema_extra=NULLABLE,
    ),
]
Limit = Annotated[
    int,
    Field(ge=1, le=20, description="How many items to return at the most.", json_schema_extra=HARD_MAXIMUM),
    null_means(5),
]
"""The common limit: 5 where nothing is said, 20 at the most (docs/contract.md, "Limits")."""
