"""``bin/pin-images``: what it would write. Asking a registry can't be tried where there is none."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

from tests.servers import ROOT

PATH = ROOT / "bin" / "pin-images"
loader = SourceFileLoader("pin_images", str(PATH))
spec = spec_from_loader("pin_images", loader)
assert spec is not None
pins = module_from_spec(spec)
loader.exec_module(pins)

TEXTS = {name: (ROOT / name).read_text() for name in pins.FILES}


def test_it_finds_every_image_of_a_registry_and_none_of_ours() -> None:
    found = {name: pins.images(text) for name, text in TEXTS.items()}
    stages = re.findall(r" AS (\S+)", TEXTS["Dockerfile"])
    assert len(found["Dockerfile"]) == len(re.findall(r"^FROM \S+:", TEXTS["Dockerfile"], re.MULTILINE)) == 2
    assert not set(stages) & set(found["Dockerfile"])
    assert {image.split(":")[0] for image in found["docker-compose.yml"]} == {
        "postgres", "valkey/valkey", "caddy", "vllm/vllm-openai",
    }  # fmt: skip


def test_each_gets_its_digest_beside_its_tag_and_a_newer_one_replaces_it() -> None:
    for text in TEXTS.values():
        names = pins.images(text)
        first = {name: f"sha256:{number:064x}" for number, name in enumerate(names)}
        second = {name: f"sha256:{number + 100:064x}" for number, name in enumerate(names)}
        once = pins.pinned(text, first)
        for name in names:
            assert f"{name}@{first[name]}" in once
        assert pins.pinned(once, second) == pins.pinned(text, second)
        assert re.sub(r"@sha256:[0-9a-f]{64}", "", once) == re.sub(r"@sha256:[0-9a-f]{64}", "", text)


def test_without_docker_it_says_so_and_changes_nothing(tmp_path: Path) -> None:
    done = subprocess.run(
        ["/usr/bin/env", "-i", f"PATH={tmp_path}", sys.executable, str(PATH)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "docker is not on this machine" in done.stderr
    assert {name: (ROOT / name).read_text() for name in pins.FILES} == TEXTS
