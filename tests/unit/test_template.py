"""The template: what every function has, and what CloudFormation makes of it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import ROOT

from isnad_gateway.domain.registry import CONTRACT
from isnad_local.build import released
from isnad_local.release import release_hash
from isnad_local.template import functions, load_routes, load_template
from isnad_local.translate import translate

TEXT = (ROOT / "template.yaml").read_text(encoding="utf-8")
TEMPLATE = load_template()
RESOURCES: dict[str, Any] = TEMPLATE["Resources"]
TRANSLATED: dict[str, Any] = translate(TEXT)["Resources"]
NAMES = {Path(properties["CodeUri"]).name: name for name, properties in functions(TEMPLATE).items()}
every_function = pytest.mark.parametrize("name", NAMES)
WITHOUT_DATABASE = ("authorize", "record_turn", "inspect_turns", "vend_credential")


def _of_type(kind: str) -> dict[str, dict[str, Any]]:
    return {name: each["Properties"] for name, each in TRANSLATED.items() if each["Type"] == kind}


@every_function
def test_function_has_all_of_it(name: str) -> None:
    """Its own logs, alarms that move a release back, the release's hash: what a new function must not forget."""
    stem = "".join(part.capitalize() for part in name.split("_"))
    assert NAMES[name] == f"{stem}Function"
    function = RESOURCES[f"{stem}Function"]["Properties"]
    assert function["CodeUri"] == f"functions/{name}/"
    assert function["AutoPublishCodeSha256"] == "Release"
    assert function["LoggingConfig"] == {"LogGroup": f"{stem}Logs"}
    assert function["DeploymentPreference"]["Alarms"] == [f"{stem}Alarms.Outputs.Errors", f"{stem}Alarms.Outputs.Slow"]
    logs = RESOURCES[f"{stem}Logs"]
    assert logs["Type"] == "AWS::Logs::LogGroup"
    assert logs["Properties"] == {
        "LogGroupName": f"/aws/lambda/${{AWS::StackName}}-{name}", "RetentionInDays": "LogRetentionDays",
    }  # fmt: skip
    alarms = RESOURCES[f"{stem}Alarms"]
    assert (alarms["Type"], alarms["Properties"]["TemplateURL"]) == ("AWS::CloudFormation::Stack", "alarms.yaml")
    assert alarms["Properties"]["Parameters"] == {
        "Function": f"{stem}Function", "SlowMilliseconds": "SlowMilliseconds", "TopicArn": "AlarmTopicArn",
    }  # fmt: skip
    assert f"SOURCE '${{{stem}Logs}}'" in str(RESOURCES["Dashboard"])
    assert ("DatabaseAccess" in function.get("Policies", ())) == (name not in WITHOUT_DATABASE)
    variables = function.get("Environment", {}).get("Variables", {})
    assert (variables.get("DATABASE_SECRET_ARN") == "AWS::NoValue") == (name in WITHOUT_DATABASE)


@every_function
def test_translated_function(name: str) -> None:
    """Runtime, processor, SnapStart, an alias that a canary moves, and a role that only this function has."""
    function = TRANSLATED[NAMES[name]]["Properties"]
    assert (function["Runtime"], function["Architectures"], function["Handler"]) == (
        "python3.13",
        ["arm64"],
        "app.handler",
    )
    assert function["SnapStart"] == {"ApplyOn": {"Ref": "SnapStart"}}
    assert TEMPLATE["Parameters"]["SnapStart"]["Default"] == "PublishedVersions"
    assert function["LoggingConfig"]["LogFormat"] == "JSON"
    alias = TRANSLATED[f"{NAMES[name]}Aliaslive"]
    group = f"{NAMES[name]}DeploymentGroup"
    assert alias["UpdatePolicy"]["CodeDeployLambdaAliasUpdate"]["DeploymentGroupName"] == {"Ref": group}
    deployment = TRANSLATED[group]["Properties"]
    assert deployment["DeploymentConfigName"]["Fn::Sub"][1] == {"ConfigName": "Canary10Percent5Minutes"}
    assert "DEPLOYMENT_STOP_ON_ALARM" in deployment["AutoRollbackConfiguration"]["Events"]
    assert len(deployment["AlarmConfiguration"]["Alarms"]) == 2
    roles = [properties["Role"]["Fn::GetAtt"][0] for properties in _of_type("AWS::Lambda::Function").values()]
    assert roles.count(function["Role"]["Fn::GetAtt"][0]) == 1


def test_roles_allow_what_is_named_and_nothing_else() -> None:
    """No wildcard anywhere in our own statements; AWS's own policy is the one that lets a function write its log."""
    statements = []
    for kind in ("AWS::IAM::Role", "AWS::IAM::ManagedPolicy"):
        for properties in _of_type(kind).values():
            documents = [policy["PolicyDocument"] for policy in properties.get("Policies", ())]
            documents += [properties["PolicyDocument"]] if "PolicyDocument" in properties else []
            statements += [statement for document in documents for statement in document["Statement"]]
            for arn in properties.get("ManagedPolicyArns", ()):
                assert isinstance(arn, dict) or arn.endswith(
                    (
                        "/AWSLambdaBasicExecutionRole",
                        "/AWSCodeDeployRoleForLambda",
                        "/AWSCodeDeployRoleForLambdaLimited",
                    )
                )
    assert statements
    assert "*" not in json.dumps(statements)


def _routes() -> dict[str, list[dict[str, Any]]]:
    paths = TRANSLATED["Api"]["Properties"]["Body"]["paths"]
    return {
        "$default" if path == "$default" else f"{method.upper()} {path}": operation["security"]
        for path, operations in paths.items()
        for method, operation in operations.items()
    }


def test_every_route_asks_the_authorizer_but_those_that_say_they_do_not() -> None:
    open_to_all = {"GET /health", "GET /openapi.json", "$default"}
    routes = _routes()
    assert set(routes) == {route.key for route in load_routes()}
    assert {key for key, security in routes.items() if security == [{"NONE": []}]} == open_to_all
    assert {key for key, security in routes.items() if security == [{"Token": []}]} == set(routes) - open_to_all
    assert {route.key for route in load_routes() if not route.protected} == open_to_all


def test_the_authorizers_answer_is_kept_for_one_token_and_one_route() -> None:
    """Kept for the token alone, an answer for one scope would open the routes of another."""
    body = TRANSLATED["Api"]["Properties"]["Body"]
    [authorizer] = [
        each["x-amazon-apigateway-authorizer"]
        for name, each in body["components"]["securitySchemes"].items()
        if name == "Token"
    ]
    assert authorizer["identitySource"] == ["$request.header.Authorization", "$context.routeKey"]
    assert authorizer["authorizerPayloadFormatVersion"] == "2.0"
    assert authorizer["enableSimpleResponses"] is True
    assert 0 < authorizer["authorizerResultTtlInSeconds"] <= 60
    assert "AuthorizeFunctionAliaslive" in json.dumps(authorizer["authorizerUri"])
    permission = TRANSLATED["ApiTokenAuthorizerPermission"]["Properties"]
    assert permission["FunctionName"] == {"Ref": "AuthorizeFunctionAliaslive"}


def test_the_stage_limits_and_logs() -> None:
    [stage] = _of_type("AWS::ApiGatewayV2::Stage").values()
    assert stage["DefaultRouteSettings"] == {
        "ThrottlingRateLimit": {"Ref": "ThrottleRate"}, "ThrottlingBurstLimit": {"Ref": "ThrottleBurst"},
        "DetailedMetricsEnabled": True,
    }  # fmt: skip
    assert stage["AccessLogSettings"]["DestinationArn"] == {"Fn::GetAtt": ["ApiLogs", "Arn"]}
    logged = json.loads(stage["AccessLogSettings"]["Format"])
    assert {"requestId", "route", "status", "latencyMs"} <= set(logged)
    assert not [value for value in logged.values() if "authorization" in value.lower()]
    cors = TRANSLATED["Api"]["Properties"]["Body"]["x-amazon-apigateway-cors"]
    assert cors["allowOrigins"] == ["http://127.0.0.1:3000"]
    assert cors["allowHeaders"] == ["authorization", "content-type"]


def test_providers_keys_are_read_by_one_function_alone() -> None:
    """The secrets that are listed and no others, and only where some are; without a model no role, no way to STS."""
    assert [name for name, properties in functions(TEMPLATE).items() if "ProviderAccess" in str(properties)] == [
        "VendCredentialFunction"
    ]
    assert [name for name, properties in functions(TEMPLATE).items() if "ProvidersLayer" in str(properties)] == [
        "VendCredentialFunction"
    ]
    [statement] = RESOURCES["ProviderAccess"]["Properties"]["PolicyDocument"]["Statement"]
    assert statement["Action"] == "secretsmanager:GetSecretValue"
    document = TRANSLATED["ProviderAccess"]["Properties"]["PolicyDocument"]
    assert document["Statement"][0]["Resource"] == {"Fn::Split": [",", {"Ref": "ProviderSecretArns"}]}
    assert TEMPLATE["Parameters"]["ProviderSecretArns"]["Default"] == ""
    assert TEMPLATE["Parameters"]["NovaSonicModel"]["Default"] == ""
    conditions = {name: each.get("Condition") for name, each in RESOURCES.items() if "Condition" in each}
    assert conditions == {
        "ProviderAccess": "HasProviderSecrets", "NovaSonicRole": "HasNovaSonic", "NovaSonicAccess": "HasNovaSonic",
    }  # fmt: skip
    policies = TRANSLATED["VendCredentialFunctionRole"]["Properties"]["ManagedPolicyArns"]
    assert {"Fn::If": ["HasProviderSecrets", {"Ref": "ProviderAccess"}, {"Ref": "AWS::NoValue"}]} in policies


def test_the_role_for_nova_sonic() -> None:
    """One action on one model, for the one function; which may assume it and no other."""
    role = TRANSLATED["NovaSonicRole"]["Properties"]
    [trust] = role["AssumeRolePolicyDocument"]["Statement"]
    assert trust["Principal"] == {"AWS": {"Fn::GetAtt": ["VendCredentialFunctionRole", "Arn"]}}
    [policy] = role["Policies"]
    [statement] = policy["PolicyDocument"]["Statement"]
    assert statement["Action"] == "bedrock:InvokeModelWithBidirectionalStream"
    assert statement["Resource"]["Fn::Sub"].endswith("::foundation-model/${NovaSonicModel}")
    access = TRANSLATED["NovaSonicAccess"]["Properties"]
    assert access["Roles"] == [{"Ref": "VendCredentialFunctionRole"}]
    assert access["PolicyDocument"]["Statement"] == [
        {"Effect": "Allow", "Action": "sts:AssumeRole", "Resource": {"Fn::GetAtt": ["NovaSonicRole", "Arn"]}}
    ]


@pytest.mark.parametrize(
    ("arns", "fits"),
    [
        ("", True),
        ("arn:aws:secretsmanager:eu-west-3:123456789012:secret:isnad/openai-AbCdEf", True),
        ("arn:aws:secretsmanager:eu-west-3:123456789012:secret:a-AbCdEf,arn:aws:secretsmanager:eu-west-3:123456789012:secret:b/c_d-AbCdEf", True),
        ("arn:aws:secretsmanager:eu-west-3:123456789012:secret:*", False),
        ("arn:aws:secretsmanager:eu-west-3:123456789012:secret:isnad/??????", False),
        ("sk-this-is-a-key-and-no-arn", False),
        ("arn:aws:secretsmanager:eu-west-3:123456789012:secret:a-AbCdEf, arn:aws:x", False),
    ],
)  # fmt: skip
def test_which_provider_secrets_may_be_named(arns: str, fits: bool) -> None:
    """Whole ARNs: no pattern that would open other secrets, and no key in the place of one."""
    assert (re.search(TEMPLATE["Parameters"]["ProviderSecretArns"]["AllowedPattern"], arns) is not None) == fits


def test_metric_filters_look_for_lines_that_are_written() -> None:
    """Each filter's text is an event's, and its fields are fields of the journal."""
    from isnad_gateway.core.logs import Event  # noqa: PLC0415

    texts = {event.value[1] for event in Event}
    filters = _of_type("AWS::Logs::MetricFilter")
    assert set(filters) == {"KeysUnavailableCount", "CredentialsIssuedCount", "ProviderKeyRefusedCount"}
    for properties in filters.values():
        [text] = re.findall(r'message = "(.*)" }', properties["FilterPattern"])
        assert text in texts
    schema = json.loads((ROOT / "docs" / "schemas" / "credential.schema.json").read_text(encoding="utf-8"))
    [issued] = filters["CredentialsIssuedCount"]["MetricTransformations"]
    [dimension] = issued["Dimensions"]
    assert dimension["Value"].removeprefix("$.credential.") in schema["properties"]
    alarm = TRANSLATED["ProviderKeyRefused"]["Properties"]
    [refused] = filters["ProviderKeyRefusedCount"]["MetricTransformations"]
    assert (alarm["Namespace"], alarm["MetricName"]) == (refused["MetricNamespace"], refused["MetricName"])


def test_reserved_concurrency_is_off_by_default() -> None:
    assert TEMPLATE["Parameters"]["ReservedConcurrency"]["Default"] == 0
    reserved = TRANSLATED["GetHadithFunction"]["Properties"]["ReservedConcurrentExecutions"]
    assert reserved == {"Fn::If": ["HasReservedConcurrency", {"Ref": "ReservedConcurrency"}, {"Ref": "AWS::NoValue"}]}


def test_every_log_group_ends_and_every_parameter_is_described() -> None:
    assert all("RetentionInDays" in properties for properties in _of_type("AWS::Logs::LogGroup").values())
    for template in (TEMPLATE, load_template(ROOT / "alarms.yaml")):
        assert all(parameter["Description"] for parameter in template["Parameters"].values())
        assert all(output["Description"] for output in template["Outputs"].values())
    grouped = [name for group in TEMPLATE["Metadata"]["AWS::CloudFormation::Interface"]["ParameterGroups"]
               for name in group["Parameters"]]  # fmt: skip
    assert sorted(grouped) == sorted(TEMPLATE["Parameters"])


def test_no_secret_is_a_parameter_or_a_variable() -> None:
    assert not [name for name in TEMPLATE["Parameters"] if re.search(r"(?i)password|dsn|token$|key$", name)]
    for properties in _of_type("AWS::Lambda::Function").values():
        assert "ISNAD_DSN" not in properties["Environment"]["Variables"]


def test_the_dashboard_is_json() -> None:
    body, values = TRANSLATED["Dashboard"]["Properties"]["DashboardBody"]["Fn::Sub"]
    filled = body.replace("${Sources}", "SOURCE 'x'").replace("${Api}", "api")
    widgets = json.loads(re.sub(r"\$\{AWS::\w+\}", "x", filled))["widgets"]
    assert len(widgets) == 11
    assert len(values["Sources"]["Fn::Join"][1]) == len(NAMES)


class TestRelease:
    """A change in functions or layers is a release, published whole (S20); nothing else is."""

    @pytest.fixture
    def repository(self, tmp_path: Path) -> Path:
        for file, text in {"functions/f/app.py": "1", "layers/gateway/g.py": "2", "docs/d.md": "3"}.items():
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file).write_text(text)
        return tmp_path

    @pytest.mark.parametrize(
        ("file", "counts"),
        [
            ("layers/gateway/g.py", True),
            ("layers/gateway/new.py", True),
            ("layers/dependencies/requirements.txt", True),
            ("functions/f/app.py", True),
            ("functions/f/query.sql", True),
            ("docs/d.md", False),
            ("template.yaml", False),
            ("layers/gateway/__pycache__/g.pyc", False),
        ],
    )
    def test_hash(self, file: str, counts: bool, repository: Path) -> None:
        before = release_hash(repository)
        (repository / file).parent.mkdir(parents=True, exist_ok=True)
        (repository / file).write_text("changed")
        assert (release_hash(repository) != before) == counts

    def test_a_renamed_file_is_another_release(self, repository: Path) -> None:
        before = release_hash(repository)
        (repository / "functions/f/app.py").rename(repository / "functions/f/other.py")
        assert release_hash(repository) != before

    def test_a_change_in_the_layer_alone_publishes_every_function_anew(self) -> None:
        """The logical ids of versions are what CloudFormation publishes by: they follow the hash, and it alone."""
        versions = [
            {name for name, each in translate(TEXT, Release=release)["Resources"].items()
             if each["Type"] == "AWS::Lambda::Version"}
            for release in ("a" * 64, "b" * 64, "a" * 64)
        ]  # fmt: skip
        assert len(versions[0]) == len(NAMES)
        assert versions[0].isdisjoint(versions[1])
        assert versions[0] == versions[2]

    @pytest.mark.parametrize("processor", ["arm64", "x86_64"])
    def test_the_built_template_carries_the_hash(self, processor: str) -> None:
        """As a value: `sam deploy` would keep a parameter's former value."""
        built = released(TEXT, processor, "c" * 64)
        assert "Release]" not in built
        assert "!Ref Release" not in built
        assert "\n  Release:" not in built
        resources = translate(built)["Resources"]
        versions = [name for name, each in resources.items() if each["Type"] == "AWS::Lambda::Version"]
        assert len(versions) == len(NAMES)
        assert all(name.endswith("cccccccccc") for name in versions)
        for each in resources.values():
            if each["Type"] in ("AWS::Lambda::Function", "AWS::Lambda::LayerVersion"):
                kinds = each["Properties"].get("Architectures") or each["Properties"]["CompatibleArchitectures"]
                assert kinds == [processor]


def test_tools_are_the_contracts() -> None:
    assert {f"POST /v1/tools/{name}" for name in CONTRACT} <= set(_routes())
