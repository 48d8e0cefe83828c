"""What CloudFormation makes of a template, without an account: `python -m isnad_local.translate FOLDER` writes it there."""

import json
import logging
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from samcli.yamlhelper import yaml_parse
from samtranslator.public.translator import ManagedPolicyLoader
from samtranslator.translator.transform import transform

from isnad_local.release import release_hash
from isnad_local.template import ROOT

PARAMETERS = {
    "DatabaseSecretArn": "arn:aws:secretsmanager:eu-west-3:123456789012:secret:isnad-reader-AbCdEf",
    "TokenIssuer": "https://project.supabase.co/auth/v1",
    "TokenKeysUrl": "https://project.supabase.co/auth/v1/.well-known/jwks.json",
}
"""The parameters that have no default."""


class _NoPolicies(ManagedPolicyLoader):  # type: ignore[misc]  # the package is untyped
    """Names of AWS's own policies are not looked up: the template names none."""

    def __init__(self) -> None:
        super().__init__(None)

    def load(self) -> dict[str, str]:
        """No name."""
        return {}


def translate(template: str, uploaded: dict[str, str] | None = None, **parameters: str) -> dict[str, Any]:
    """Translate a template as the serverless transform does.

    Args:
        template: its text.
        uploaded: where `sam package` would have put the code of a function or layer, by logical id; a made-up place for
            those that are not named.
        parameters: parameters that differ from their defaults.

    Returns:
        The CloudFormation template.
    """
    logging.getLogger("samtranslator").setLevel(logging.ERROR)  # it warns of its own feature switches
    os.environ.setdefault("AWS_DEFAULT_REGION", "eu-west-3")  # the transform asks which region it is in
    parsed: dict[str, Any] = yaml_parse(template)
    for name, resource in parsed["Resources"].items():
        for code in ("CodeUri", "ContentUri"):
            if code in resource.get("Properties", {}):
                resource["Properties"][code] = (uploaded or {}).get(name, f"s3://bucket/{name}")
    defaults = {name: each["Default"] for name, each in parsed["Parameters"].items() if "Default" in each}
    given = {**defaults, **PARAMETERS, "Release": release_hash(), **parameters}
    translated: dict[str, Any] = transform(parsed, given, _NoPolicies())
    return translated


def main() -> None:
    """Write the translated template and the alarms' beside it."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(translate((ROOT / "template.yaml").read_text(encoding="utf-8")), indent=1)
    (folder / "template.json").write_text(text, encoding="utf-8")
    shutil.copy(ROOT / "alarms.yaml", folder)


if __name__ == "__main__":
    main()
