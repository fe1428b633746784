"""Would the image build and the services start? As far as that can be known without a container engine."""

import re
from typing import Any

import pytest
import yaml

from deploy import check
from services.settings import describe

DEPLOY = check.ROOT / "deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")
PARTS = {"api", "worker", "beat"}


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text())


def instructions(word: str) -> list[str]:
    return re.findall(rf"^{word} +(.+)$", DOCKERFILE, re.MULTILINE)


def options(command: list[str]) -> dict[str, str]:
    """`--name value` pairs of a command."""
    names, values = command[1::2], command[2::2]
    return {name.removeprefix("--"): value for name, value in zip(names, values, strict=True)}


@pytest.mark.parametrize("step", check.DEPLOY, ids=lambda step: step.name)
def test_the_tool_finds_nothing(step: check.Step) -> None:
    result = check.run(step)
    assert result.passed, result.output


def test_what_the_image_copies_exists_and_is_sent_to_the_builder() -> None:
    sources = [source for copy in instructions("COPY") if not copy.startswith("--from") for source in copy.split()[:-1]]
    sent = re.findall("^!(.+)$", (check.ROOT / ".dockerignore").read_text(), re.MULTILINE)
    assert sources
    assert sorted(sources) == sorted(sent)
    for source in sources:
        assert (check.ROOT / source).exists(), source


def test_the_image_installs_pinned_packages_only_and_runs_as_nobody_special() -> None:
    installs = [line for line in instructions("RUN") if line.startswith("pip install")]
    assert len(installs) == 2
    assert "--require-hashes" in installs[0]
    assert "--no-deps --no-build-isolation" in installs[1]
    assert instructions("USER") == ["10001"]


def test_the_image_is_healthy_while_its_process_answers() -> None:
    """Not `/readyz`: a container is not to be restarted because the workers are behind."""
    (test,) = instructions("HEALTHCHECK")
    assert "/healthz" in test


def test_the_example_of_the_environment_names_settings_only() -> None:
    named = set(re.findall(r"MALICE_\w+", (check.ROOT / "deploy" / "malice.env.example").read_text()))
    assert named
    assert named <= {name for name, _, _ in describe()}


def test_every_part_has_its_command(compose: dict[str, Any]) -> None:
    commands = [str(service["command"]) for service in compose["services"].values()]
    words = re.findall(r"\bmalice\b[\", ]+(\w+)", "\n".join([*commands, *instructions("CMD")]))
    assert set(words) == PARTS


def test_the_store_loses_at_most_a_second_evicts_nothing_and_wastes_little(compose: dict[str, Any]) -> None:
    store = compose["services"]["store"]
    assert options(store["command"]) == {
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",
        "maxmemory-policy": "noeviction",
        "stream-node-max-bytes": "2048",
    }
    assert store["volumes"] == ["store:/data"]


def test_the_services_start_when_the_store_answers(compose: dict[str, Any]) -> None:
    for name in PARTS:
        service = compose["services"][name]
        assert service["environment"]["MALICE_REDIS_URL"] == "redis://store:6379/0"
        assert service["depends_on"] == {"store": {"condition": "service_healthy"}}
        assert service["restart"] == "unless-stopped"


def test_only_the_api_is_asked_whether_it_is_ready(compose: dict[str, Any]) -> None:
    services = compose["services"]
    asked = [name for name, service in services.items() if not service.get("healthcheck", {}).get("disable")]
    assert sorted(asked) == ["api", "store"]
