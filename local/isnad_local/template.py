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


@dataclass(frozen=True)
class Route:
    """A route of the HTTP API.

    Attributes:
        method: `GET`, `POST` …, or None for the route that takes everything else.
        path: the path, with `{name}` for a variable segment.
        key: the route key as API Gateway names it in events.
        function: the folder of the function that answers.
    """

    method: str | None
    path: str
    key: str
    function: str

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
    resources = yaml.load(template.read_text(encoding="utf-8"), _Loader)["Resources"]  # noqa: S506 - a SafeLoader
    routes = []
    for resource in resources.values():
        if resource["Type"] != "AWS::Serverless::Function":
            continue
        properties = resource["Properties"]
        function = Path(properties["CodeUri"]).name
        for event in properties.get("Events", {}).values():
            if event["Type"] != "HttpApi":
                continue
            method, path = event["Properties"].get("Method"), event["Properties"].get("Path")
            if path is None or path == "$default":
                routes.append(Route(method=None, path="", key="$default", function=function))
            else:
                key = f"{method.upper()} {path}"
                routes.append(Route(method=method.upper(), path=path, key=key, function=function))
    return sorted(routes, key=lambda route: (route.method is None, "{" in route.path))
