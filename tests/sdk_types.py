"""Holds a JSON value against a type of an official SDK, to the letter: no field more, none less, none of another type.

The SDKs' own clients pass on whatever they are given; their types say what the API takes.
"""

import types
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal, NotRequired, Required, Union, get_args, get_origin, get_type_hints

from typing_extensions import is_typeddict

_PLAIN: dict[Any, tuple[type, ...]] = {str: (str,), int: (int,), float: (int, float), bool: (bool,), object: (object,)}


def faults(value: Any, hint: Any, path: str = "$") -> Iterator[str]:
    """What a value breaks of a type; nothing where it conforms.

    Args:
        value: a JSON value.
        hint: a `TypedDict`, a union, a literal, a list or a plain type.
        path: where the value stands, for the report.
    """
    origin = get_origin(hint)
    if origin in (Annotated, Required, NotRequired):
        yield from faults(value, get_args(hint)[0], path)
    elif is_typeddict(hint):
        yield from _of_object(value, hint, path)
    elif origin in (Union, types.UnionType):
        tried = [list(faults(value, option, path)) for option in get_args(hint)]
        if all(tried):
            yield from min(tried, key=len)
    elif origin is Literal:
        if value not in get_args(hint):
            yield f"{path}: {value!r} is none of the choices"
    elif origin is dict:
        if not isinstance(value, dict):
            yield f"{path}: no object"
    elif origin is not None and isinstance(origin, type) and issubclass(origin, Iterable):
        yield from _of_list(value, get_args(hint)[0], path)
    elif hint in (None, type(None)):
        if value is not None:
            yield f"{path}: not null"
    elif hint is not Any and not (isinstance(value, _PLAIN[hint]) and not (hint is int and isinstance(value, bool))):
        yield f"{path}: not of type {hint.__name__}"


def _of_object(value: Any, hint: Any, path: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{path}: no object"
        return
    declared = get_type_hints(hint, include_extras=True)
    yield from (f"{path}.{name}: not declared" for name in value if name not in declared)
    yield from (f"{path}.{name}: missing" for name in hint.__required_keys__ if name not in value)
    for name, item in value.items():
        if name in declared:
            yield from faults(item, declared[name], f"{path}.{name}")


def _of_list(value: Any, hint: Any, path: str) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"{path}: no list"
        return
    for index, item in enumerate(value):
        yield from faults(item, hint, f"{path}[{index}]")
