"""docker-compose.yml without Docker: the specification, the names inside it, and vLLM's own reading of its flags."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.servers import ROOT

sys.path.insert(0, str(ROOT / "bin"))
import _models

FILE = ROOT / "docker-compose.yml"
PROFILES = {"gpu", "agents", "training", "tls"}
OURS = ("migrate", "web", "urgent", "worker", "training", "agents")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = YAML(typ="safe").load(FILE)
    return loaded


def test_it_follows_the_compose_specification() -> None:
    checker = str(Path(sys.executable).with_name("check-jsonschema"))
    checked = subprocess.run(
        [checker, "--builtin-schema", "vendor.compose-spec", str(FILE)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_what_is_waited_for_comes_up_in_the_same_profile(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert {profile for each in services.values() for profile in each.get("profiles", ())} == PROFILES
    for name, service in services.items():
        for other in service.get("depends_on", {}):
            assert other in services, f"{name} waits for {other}"
            assert set(services[other].get("profiles", ())) <= set(service.get("profiles", ())), (name, other)
            if service["depends_on"][other]["condition"] == "service_healthy":
                assert "test" in services[other]["healthcheck"], f"{other} can't be seen to be healthy"


def test_every_volume_is_declared_and_used(compose: dict[str, Any]) -> None:
    mounted = [
        volume.split(":")[0]
        for service in compose["services"].values()
        for volume in service.get("volumes", ())
    ]
    assert {each for each in mounted if not each.startswith(".")} == set(compose["volumes"])
    assert all((ROOT / each).is_file() for each in mounted if each.startswith("."))


def test_images_are_pinned_and_targets_exist(compose: dict[str, Any]) -> None:
    stages = set(re.findall(r"^FROM \S+ AS (\S+)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE))
    for name, service in compose["services"].items():
        build = service.get("build")
        if isinstance(build, dict):
            assert build["target"] in stages, f"{name} is built from {build['target']}"
        elif build is None:
            image = re.sub(r"\$\{\w+:-(.*)\}", r"\1", service["image"])
            assert re.fullmatch(r"[\w./-]+:v?\d+\.\d+[\w.-]*(@sha256:[0-9a-f]{64})?", image), (
                f"{name} takes {image}"
            )


def test_what_is_passed_on_is_a_setting_that_exists(compose: dict[str, Any]) -> None:
    read = (ROOT / "parlay_web" / "env.py").read_text() + (
        ROOT / "negotiation" / "openenv" / "__main__.py"
    ).read_text()
    read += "".join(path.read_text() for path in (ROOT / "negotiation" / "openenv").glob("*.py"))
    for name in OURS:
        for variable in compose["services"][name]["environment"]:
            assert f'"{variable}"' in read, f"{name} is given {variable}, which nothing reads"


def test_trainer_queue_is_the_one_that_runs_are_sent_to(compose: dict[str, Any], settings: Any) -> None:
    route = settings.CELERY_TASK_ROUTES["trainer.flywheel.tasks.train"]
    command = compose["services"]["training"]["command"]
    assert command[command.index("-Q") + 1] == route["queue"]
    shared = "flywheel:/data/flywheel"
    assert all(
        shared in compose["services"][name]["volumes"] for name in ("web", "urgent", "worker", "training")
    )


def test_every_service_has_its_limits_and_shows_its_health(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        limits = service["deploy"]["resources"]["limits"]
        assert {"memory", "cpus", "pids"} <= set(limits), name
        assert ("test" in service["healthcheck"]) == (name != "migrate"), name
        assert "no-new-privileges:true" in service["security_opt"], name


def test_our_own_containers_are_closed(compose: dict[str, Any]) -> None:
    for name in OURS:
        service = compose["services"][name]
        assert (service["read_only"], service["init"], service["cap_drop"]) == (True, True, ["ALL"]), name
        assert "/tmp" in service["tmpfs"], name  # noqa: S108


def test_nothing_is_published_beyond_this_machine_but_the_proxy(compose: dict[str, Any]) -> None:
    published = {
        name: service["ports"] for name, service in compose["services"].items() if "ports" in service
    }
    assert set(published) == {"web", "agents", "proxy"}
    for name in ("web", "agents"):
        (port,) = published[name]
        assert port.startswith("${PUBLISH_ON:-127.0.0.1}:"), name
    assert "--tokens-required" in compose["services"]["agents"]["command"]


def test_agents_and_the_model_server_cannot_reach_the_data(compose: dict[str, Any]) -> None:
    networks = {name: set(service["networks"]) for name, service in compose["services"].items()}
    assert networks["postgres"] == networks["redis"] == {"data"}
    assert compose["networks"]["data"] == {"internal": True}
    assert {name for name in networks if "data" in networks[name]} == {
        "migrate", "web", "pages", "urgent", "worker", "training", "postgres", "redis",
    }  # fmt: skip
    assert not networks["agents"] & networks["web"]
    assert set.union(*networks.values()) == set(compose["networks"])


def test_a_backups_programs_are_of_the_servers_version(compose: dict[str, Any]) -> None:
    client = re.findall(r"postgresql-client-(\d+)", (ROOT / "Dockerfile").read_text())
    server = re.findall(r"postgres:(\d+)\.", compose["services"]["postgres"]["image"])
    assert client == server


def test_the_image_gets_every_part_that_the_product_imports() -> None:
    """A package or file that is new at the root is copied into the last stage, or named here as not for it."""
    last = (ROOT / "Dockerfile").read_text().rpartition("\nFROM ")[2]
    copied = {
        word.strip("/")
        for line in re.findall(r"^COPY (?!--)(.*) \./", last, re.MULTILINE)
        for word in line.split()
    }
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "bench"}
    assert packages | {"manage.py", "pyproject.toml", "templates", "static"} == copied


@pytest.mark.parametrize("hashed", [False, True])
def test_agents_get_everything_of_the_lock_but_torch(tmp_path: Path, hashed: bool) -> None:
    """The image's own line, over a lock as it is and one with hashes."""
    pins = ["numpy==2.4.0", "torch==2.13.0", "transformers==5.23.0"]
    more = (
        " \\\n    --hash=sha256:00 \\\n    --hash=sha256:01\n    # via peft" if hashed else "\n    # via peft"
    )
    (tmp_path / "train.txt").write_text("# a lock\n" + "".join(f"{pin}{more}\n" for pin in pins))
    written = (ROOT / "Dockerfile").read_text()
    (line,) = re.findall(r"awk '.*' train.txt", written)
    (torch,) = re.findall(r'"\$\((grep .* train.txt)\)"', written)

    def said(command: str) -> str:
        return subprocess.run(
            ["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True
        ).stdout

    assert re.findall(r"^\w.*?(?= |$)", said(line), re.MULTILINE) == [pins[0], pins[2]]
    assert said(line).count("--hash") == (4 if hashed else 0)
    assert said(torch).split() == ["torch==2.13.0"]


@pytest.mark.vllm
@pytest.mark.timeout(240)
def test_vllm_understands_every_flag_and_variable(compose: dict[str, Any]) -> None:
    """Its own parser, of the very version that the image's tag names."""
    service = compose["services"]["vllm"]
    plain = [re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", part) for part in service["command"]]
    ours = [name for name in service["environment"] if name.startswith("VLLM_")]
    program = """
import json, sys
import vllm, vllm.envs
from vllm.entrypoints.launchers.cli_args import make_arg_parser
from vllm.utils.argparse_utils import FlexibleArgumentParser
asked = json.load(sys.stdin)
known = make_arg_parser(FlexibleArgumentParser()).parse_args(asked["command"])
print(json.dumps({
    "version": vllm.__version__,
    "unknown": [name for name in asked["variables"] if name not in vllm.envs.environment_variables],
    "ranks": [known.max_lora_rank, known.max_loras, known.max_cpu_loras],
    "structured": str(known.structured_outputs_config),
}))
"""
    done = subprocess.run(
        [str(_models.prepare()), "-c", program],
        input=json.dumps({"command": plain, "variables": ours}), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["unknown"] == []
    assert told["ranks"] == [64, 4, 16]
    assert "guidance" in told["structured"]
    tag = re.search(r":v([\d.]+)\}", service["image"])
    assert tag is not None
    assert told["version"].startswith(tag[1])
