"""One version, wherever it is told."""

from __future__ import annotations

import json
import re
import tomllib

from django.test import Client
from ruamel.yaml import YAML

from parlay_web.version import VERSION
from tests.servers import ROOT


def test_everything_that_tells_a_version_tells_the_projects() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    package = json.loads((ROOT / "package.json").read_text())["version"]
    lock = json.loads((ROOT / "package-lock.json").read_text())
    openenv = YAML(typ="safe").load(ROOT / "openenv.yaml")["version"]
    newest = re.findall(r"^## \[(\d[^\]]*)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[0]
    told = {VERSION, package, lock["version"], lock["packages"][""]["version"], openenv, newest}
    assert told == {project}


def test_the_api_tells_it(client: Client) -> None:
    assert client.get("/api/openapi.json").json()["info"]["version"] == VERSION
