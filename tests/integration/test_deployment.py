"""The translated template, created in moto as far as moto goes; the rest is asserted in tests/unit/test_template.py.

moto knows no HTTP API, alias, alarm, deployment group or metric filter. It passes those over with a warning; what refers
to an alias is pointed at its function, for moto drops the reference.
"""

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto import mock_aws
from tests.conftest import ROOT

from isnad_local.template import functions, load_template
from isnad_local.translate import PARAMETERS, translate

REGION = "eu-west-3"
TEXT = (ROOT / "template.yaml").read_text(encoding="utf-8")
NAMES = functions(load_template())
NOT_IN_MOTO = (
    "AWS::ApiGatewayV2::", "AWS::CodeDeploy::", "AWS::Logs::MetricFilter", "AWS::Logs::QueryDefinition",
    "AWS::CloudWatch::Alarm", "AWS::CloudFormation::Stack", "AWS::Lambda::Alias",
)  # fmt: skip


def _without_aliases(node: Any) -> Any:
    """References to a function's alias, made references to the function."""
    if isinstance(node, dict):
        return {key: _without_aliases(value) for key, value in node.items()}
    if isinstance(node, list):
        return [_without_aliases(item) for item in node]
    return node.replace("FunctionAliaslive", "Function") if isinstance(node, str) else node


def _creatable(release: str) -> str:
    """The translated template, without what moto does not know."""
    template = translate(TEXT, Release=release)
    resources = {
        name: {key: value for key, value in each.items() if key not in ("UpdatePolicy", "DependsOn")}
        for name, each in template["Resources"].items()
        if not each["Type"].startswith(NOT_IN_MOTO)
    }
    resources.pop("Dashboard")  # its text names the API
    del template["Outputs"]
    for each in resources.values():
        properties = each["Properties"]
        if each["Type"] == "AWS::Lambda::Function":
            properties.pop("ReservedConcurrentExecutions")
            properties.pop("Layers")  # moto attaches none, and fails when it updates a function that has some
        if each["Type"] == "AWS::Lambda::Permission":
            properties.pop("SourceArn")  # names the API
    return json.dumps(_without_aliases({**template, "Resources": resources}))


def _archive() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("app.py", "def handler(event, context): return event")
    return buffer.getvalue()


@pytest.fixture
def account(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """An empty account with the bucket that `sam package` uploads to; the clients of what is looked at."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    with mock_aws(config={"lambda": {"use_docker": False}, "core": {"reset_boto3_session": True}}):
        client: Any = boto3.client
        storage = client("s3", REGION)
        storage.create_bucket(Bucket="bucket", CreateBucketConfiguration={"LocationConstraint": REGION})
        for name in [*NAMES, "GatewayLayer", "DependenciesLayer", "AuthorizerLayer", "ProvidersLayer"]:
            storage.put_object(Bucket="bucket", Key=name, Body=_archive())
        kinds = ("cloudformation", "lambda", "logs", "iam", "dynamodb")
        yield {kind: client(kind, REGION) for kind in kinds}


def _parameters(release: str, **further: str) -> list[dict[str, str]]:
    given = {**PARAMETERS, "Release": release, **further}
    return [{"ParameterKey": name, "ParameterValue": value} for name, value in given.items()]


def _function_names(account: dict[str, Any]) -> dict[str, str]:
    """The names that functions were given, by the logical id that each begins with after the stack's."""
    named = [each["FunctionName"] for each in account["lambda"].list_functions()["Functions"]]
    return {
        next(logical for logical in sorted(NAMES, key=len, reverse=True) if logical in name): name for name in named
    }


@pytest.mark.filterwarnings("ignore::UserWarning:moto")
def test_a_stack_and_its_next_release(account: dict[str, Any]) -> None:
    """Everything is made once; another release changes it in place. (That each release publishes every function anew
    stands in tests/unit/test_template.py: moto publishes no version of unchanged code.)
    """
    cloudformation, functions_ = account["cloudformation"], account["lambda"]
    cloudformation.create_stack(
        StackName="isnad", TemplateBody=_creatable("a" * 64), Parameters=_parameters("a" * 64),
        Capabilities=["CAPABILITY_IAM"],
    )  # fmt: skip
    assert cloudformation.describe_stacks(StackName="isnad")["Stacks"][0]["StackStatus"] == "CREATE_COMPLETE"
    names = _function_names(account)
    assert set(names) == set(NAMES)
    groups = {
        each["logGroupName"]: each.get("retentionInDays") for each in account["logs"].describe_log_groups()["logGroups"]
    }
    folders = [Path(properties["CodeUri"]).name for properties in NAMES.values()]
    assert groups == dict.fromkeys(["/aws/apigateway/isnad", *(f"/aws/lambda/isnad-{name}" for name in folders)], 30)
    [table] = account["dynamodb"].list_tables()["TableNames"]
    roles = set()
    for name in names.values():
        configuration = functions_.get_function_configuration(FunctionName=name)
        roles.add(configuration["Role"])
        assert configuration["Runtime"] == "python3.13"
        assert configuration["Environment"]["Variables"]["ISNAD_LEDGER_TABLE"] == table
        assert len(functions_.list_versions_by_function(FunctionName=name)["Versions"]) == 2  # $LATEST and 1
    assert len(roles) == len(NAMES)

    cloudformation.update_stack(
        StackName="isnad", TemplateBody=_creatable("b" * 64), Parameters=_parameters("b" * 64),
        Capabilities=["CAPABILITY_IAM"],
    )  # fmt: skip
    assert cloudformation.describe_stacks(StackName="isnad")["Stacks"][0]["StackStatus"] == "UPDATE_COMPLETE"
    assert _function_names(account) == names


@pytest.mark.filterwarnings("ignore::UserWarning:moto")
@pytest.mark.parametrize("configured", [False, True])
def test_a_stack_with_and_without_providers(configured: bool, account: dict[str, Any]) -> None:
    """Without a provider there is no way to a key or to STS; with some, to the secrets that were named and the one role."""
    arn = "arn:aws:secretsmanager:eu-west-3:123456789012:secret:isnad/openai-AbCdEf"
    given = {"ProviderSecretArns": arn, "NovaSonicModel": "amazon.nova-2-sonic-v1:0"} if configured else {}
    account["cloudformation"].create_stack(
        StackName="isnad", TemplateBody=_creatable("a" * 64), Parameters=_parameters("a" * 64, **given),
        Capabilities=["CAPABILITY_IAM"],
    )  # fmt: skip
    assert account["cloudformation"].describe_stacks(StackName="isnad")["Stacks"][0]["StackStatus"] == "CREATE_COMPLETE"
    name = _function_names(account)["VendCredentialFunction"]
    variables = account["lambda"].get_function_configuration(FunctionName=name)["Environment"]["Variables"]
    assert variables["ISNAD_PROVIDER_SECRETS"] == given.get("ProviderSecretArns", "")
    assert variables["ISNAD_NOVA_SONIC_ROLE_ARN"].startswith("arn:aws:iam::") == configured
    policies = [each["PolicyName"] for each in account["iam"].list_policies(Scope="Local")["Policies"]]
    assert any("ProviderAccess" in policy for policy in policies) == configured
    assert any("NovaSonicAccess" in policy for policy in policies) == configured
