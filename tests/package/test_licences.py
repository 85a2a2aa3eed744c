"""NOTICE names what is served and run, and nothing that the product imports is under the GPL or AGPL."""

from __future__ import annotations

import json
import re
from importlib.metadata import PackageNotFoundError, distribution

from ruamel.yaml import YAML

from tests.servers import ROOT

NOTICE = (ROOT / "NOTICE").read_text()
COPYLEFT = re.compile(r"(?<!L)(?<!Lesser )\b(AGPL|GPL|GNU (Affero )?General Public)")


def pins(name: str) -> list[str]:
    return re.findall(r"^([\w.-]+)(?:\[[^\]]*\])?==", (ROOT / name).read_text(), re.MULTILINE)


def licence(name: str) -> str:
    told = distribution(name).metadata
    classifiers = [each for each in told.get_all("Classifier", []) if each.startswith("License")]
    return "; ".join(filter(None, [told["License-Expression"], told["License"], *classifiers]))


def test_every_package_of_the_product_tells_a_licence_and_none_is_copyleft() -> None:
    told = {}
    lists = ("requirements.txt", *(f"requirements/{name}.txt" for name in ("redis", "ear", "tracing", "s3")))
    for name in (each for listed in lists for each in pins(listed)):
        try:
            told[name] = licence(name)
        except PackageNotFoundError:
            continue  # a pin for another system
    assert len(told) > 60
    assert [name for name, text in told.items() if not text] == []
    assert [name for name, text in told.items() if COPYLEFT.search(text)] == []
    lesser = {name for name, text in told.items() if "LGPL" in text}
    assert lesser == {"psycopg", "psycopg-binary"}


def test_the_oracles_stay_out_of_every_other_environment() -> None:
    for lock in ROOT.glob("requirements*/*.txt"):
        if lock.name != "oracles.txt":
            assert not {"diplomacy", "axelrod", "open-spiel"} & set(pins(str(lock.relative_to(ROOT)))), lock
    assert {"diplomacy", "axelrod", "open-spiel"} <= set(pins("requirements/oracles.txt"))
    assert "oracles" not in (ROOT / "Dockerfile").read_text()


def test_the_notice_names_what_is_bundled_and_which_images_run() -> None:
    for name in json.loads((ROOT / "package.json").read_text())["dependencies"]:
        # esbuild builds, and leaves nothing of itself.
        assert name == "esbuild" or f"{name.split('.')[0]}.js" in NOTICE
    services = YAML(typ="safe").load(ROOT / "docker-compose.yml")["services"]
    images = [
        re.sub(r"\$\{\w+:-(.*)\}", r"\1", each["image"]) for each in services.values() if "build" not in each
    ]
    for image in images:
        known = image.rpartition(":")[0].rpartition("/")[2].removesuffix("-openai")
        assert known in NOTICE.lower(), image
    assert not list((ROOT / "static").glob("**/*.woff*"))
