"""What a forge reads: its workflow, forms and proposals, by the schemas that the forge publishes, and by what they name."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.servers import ROOT

FORGE = ROOT / ".github"
FORMS = sorted(path for path in (FORGE / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")
WORKFLOW: dict[str, Any] = YAML(typ="safe").load(FORGE / "workflows" / "ci.yml")
STEPS = [(name, step) for name, job in WORKFLOW["jobs"].items() for step in job["steps"]]
PAGES = ("CONTRIBUTING.md", "SECURITY.md", "docs/engine.md", "docs/operations.md")


@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("vendor.github-workflows", [FORGE / "workflows" / "ci.yml"]),
        ("vendor.github-issue-forms", FORMS),
        ("vendor.github-issue-config", [FORGE / "ISSUE_TEMPLATE" / "config.yml"]),
        ("vendor.dependabot", [FORGE / "dependabot.yml"]),
    ],
)
def test_each_file_follows_its_schema(schema: str, files: list[Path]) -> None:
    checker = str(Path(sys.executable).with_name("check-jsonschema"))
    done = subprocess.run(
        [checker, "--builtin-schema", schema, *map(str, files)], capture_output=True, text=True, check=False
    )
    assert files
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_whole_build_is_what_the_house_calls_the_whole_build() -> None:
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    assert [name for name, step in STEPS if step.get("run") == ".ci/run"] == ["everything"]


def test_every_supported_python_is_run_and_no_other() -> None:
    jobs = WORKFLOW["jobs"]
    run = {each["python"] for each in jobs["elsewhere"]["strategy"]["matrix"]["include"]}
    run |= {step["with"]["python-version"] for _, step in STEPS if "python-version" in step.get("with", {})}
    run -= {"${{ matrix.python }}"}
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    low, high = map(int, re.fullmatch(r">=3\.(\d+),<3\.(\d+)", asked).groups())  # type: ignore[union-attr]
    assert run == {f"3.{minor}" for minor in range(low, high)}


def test_actions_are_pinned_by_their_major_version_and_rights_are_to_read() -> None:
    used = [step["uses"] for _, step in STEPS if "uses" in step]
    assert used
    assert all(re.fullmatch(r"actions/[\w-]+@v\d+", each) for each in used)
    assert WORKFLOW["permissions"] == {"contents": "read"}


def test_docker_is_started_as_the_page_for_operators_says() -> None:
    page = (ROOT / "docs" / "operations.md").read_text()
    block = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)[0]
    (script,) = [step["run"] for _, step in STEPS if "createsuperuser" in step.get("run", "")]
    assert script.startswith(block)


@pytest.mark.parametrize("page", PAGES)
def test_paths_and_links_of_the_page_exist(page: str) -> None:
    text = (ROOT / page).read_text()
    links = {link.split("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text)}
    assert [
        each for each in links if "://" not in each and not (ROOT / page).parent.joinpath(each).exists()
    ] == []
    named = re.findall(r"`((?:[\w.-]+/)+[\w.-]*)`", text)
    bases = (ROOT, ROOT / "negotiation")  # pages say engine/... for negotiation/engine/...
    given = re.compile(r"^(static/dist|var|Qwen)/")  # made while it runs, or a model's name
    assert [
        each for each in named if not given.match(each) and not any((base / each).exists() for base in bases)
    ] == []
