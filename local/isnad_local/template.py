"""Which functions and routes `template.yaml` describes."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]


class _Loader(yaml.SafeLoader):
    """YAML with CloudFormation's short tags (`!Ref`, `!Sub`), whose values the local API does not need."""


def _plain(loader: yaml.SafeLoader, _tag: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.ScalarNode):
        return loader.construct_scalar(node)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node)
    assert isinstance(node, yaml.MappingNode)
    return loader.construct_mapping(node)


_Loader.add_multi_constructor("!", _plain)


def load_template(template: Path = ROOT / "template.yaml") -> dict[str, Any]:
    """The template, with CloudFormation's short tags replaced by their plain values.

    Raises:
        OSError: the template cannot be read.
    """
    loaded: dict[str, Any] = yaml.load(template.read_text(encoding="utf-8"), _Loader)  # noqa: S506 - a SafeLoader
    return loaded


def functions(template: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The properties of the template's functions, by logical id."""
    resources = template["Resources"].items()
    return {name: each["Properties"] for name, each in resources if each["Type"] == "AWS::Serverless::Function"}


def layers_of(function: str) -> list[str]:
    """The folders in `layers/` of a function's layers, in the order in which they are laid over each other.

    Args:
        function: the function's folder.
    """
    template = load_template()
    [properties] = [each for each in functions(template).values() if Path(each["CodeUri"]).name == function]
    named = [*template["Globals"]["Function"]["Layers"], *properties.get("Layers", ())]
    return [Path(template["Resources"][name]["Properties"]["ContentUri"]).name for name in named]


@dataclass(frozen=True)
class Route:
    """A route of the HTTP API.

    Attributes:
        method: `GET`, `POST` …, or None for the route that takes everything else.
        path: the path, with `{name}` for a variable segment.
        key: the route key as API Gateway names it in events.
        function: the folder of the function that answers.
        protected: whether a caller needs a token with the route's scope.
    """

    method: str | None
    path: str
    key: str
    function: str
    protected: bool = True

    def match(self, method: str, path: str) -> dict[str, str] | None:
        """The path's variables where the route takes this request, else None."""
        if self.method is None:
            return {}
        pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(self.path))
        found = re.fullmatch(pattern, path) if method == self.method else None
        return None if found is None else found.groupdict()


def load_routes(template: Path = ROOT / "template.yaml") -> list[Route]:
    """The routes of every function in the template, the catch-all last.

    Raises:
        OSError: the template cannot be read.
    """
    routes = []
    for properties in functions(load_template(template)).values():
        function = Path(properties["CodeUri"]).name
        for event in properties.get("Events", {}).values():
            if event["Type"] != "HttpApi":
                continue
            route = event["Properties"]
            method, path = route.get("Method"), route.get("Path")
            protected = (
                route.get("Auth", {}).get("Authorizer") != "NONE"
            )  # the API's default authorizer guards the rest
            if path is None or path == "$default":
                routes.append(Route(None, "", "$default", function, protected))
            else:
                routes.append(Route(method.upper(), path, f"{method.upper()} {path}", function, protected))
    return sorted(routes, key=lambda route: (route.method is None, "{" in route.path))
