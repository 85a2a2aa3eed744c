"""A bundle plays on a machine without a network."""

from __future__ import annotations

import os
import subprocess
import tarfile
import time
import urllib.request
from pathlib import Path

import pytest

from parlay_web.ports import free_port
from tests.servers import ROOT

NOWHERE = "http://127.0.0.1:9/"


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="a bundle is of a commit")
def test_what_is_unpacked_sets_itself_up_from_its_own_packages_and_plays(tmp_path: Path) -> None:
    subprocess.run([ROOT / "bin" / "bundle", tmp_path], check=True, capture_output=True)
    (bundle,) = tmp_path.glob("parlay-*.tar")
    with tarfile.open(bundle) as archive:
        archive.extractall(tmp_path)  # noqa: S202  # our own
    (place,) = (each for each in tmp_path.glob("parlay-*") if each.is_dir())
    assert not (place / ".git").exists()
    port = free_port()
    alone = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path / "home"),
        **dict.fromkeys(("PIP_INDEX_URL", "UV_INDEX_URL", "http_proxy", "https_proxy"), NOWHERE),
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_CACHE_DIR": "1",
        "UV_NO_CACHE": "1",
        "no_proxy": "127.0.0.1",
    }
    playing = subprocess.Popen(
        [place / "bin" / "play", "--port", str(port)], env=alone, stderr=subprocess.PIPE, text=True
    )
    try:
        page, until = b"", time.monotonic() + 200
        while not page:
            assert time.monotonic() < until, "it did not open"
            assert playing.poll() is None, playing.stderr and playing.stderr.read()
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5) as answer:
                    page = answer.read()
            except OSError:
                time.sleep(0.5)
        assert b"Parlay" in page
        assert b"dist/site.js" in page
    finally:
        playing.terminate()
        playing.communicate(timeout=60)
