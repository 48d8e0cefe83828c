"""Which providers there are: the modules of `isnad_providers.providers`, and nothing that lists them."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from isnad_gateway.core.errors import InvalidArgument
from isnad_providers import providers
from isnad_providers.issuer import Issuer


@cache
def names() -> tuple[str, ...]:
    """The providers' names, in alphabetical order."""
    return tuple(sorted(module.name for module in iter_modules(providers.__path__)))


def issuer(name: str) -> Issuer:
    """A provider's issuer.

    Raises:
        InvalidArgument: there is no such provider; the message lists those that there are.
    """
    if name not in names():
        raise InvalidArgument(f"`provider` must be one of {', '.join(map(repr, names()))}.")
    found: Issuer = import_module(f"{providers.__name__}.{name}").ISSUER
    return found
