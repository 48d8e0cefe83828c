"""SQL files: one query a file, with `:name` parameters."""

from functools import cached_property
from pathlib import Path


class Statement:
    """The query in a `.sql` file beside the module that asks it.

    Args:
        module_file: `__file__` of that module.
        name: the file's name.

    The file is read at the first use.
    """

    def __init__(self, module_file: str, name: str) -> None:
        self._path = Path(module_file).with_name(name)

    @cached_property
    def text(self) -> str:
        """The query's text."""
        return self._path.read_text(encoding="utf-8").rstrip().rstrip(";")
