"""From a deal to a trained apprentice, with real parts: Redis, both workers, a browser, and the trainer itself."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from parlay_web.processes import die_with_parent
from tests.browser.driver import PASSWORD, fits
from tests.servers import ROOT, Stack

TRAIN = ROOT / ".venv-train" / "bin" / "python"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.timeout(420),
    pytest.mark.skipif(not TRAIN.exists(), reason="the environment to train in is not there"),
]

PLAY = """
from accounts.models import User
from accounts.services import consent_give
from tests.trainer_web.play import GOOD_SEEDS, play_well
rep = User.objects.get(email="rep@demo.local")
consent_give(user=rep, granted=True)
for seed in GOOD_SEEDS[:2]:
    play_well(rep, seed)
"""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Stack]:
    """The product with both of its workers."""
    stack = Stack(tmp_path / "house", TRAINER_PYTHON=str(TRAIN))
    workers: list[subprocess.Popen[bytes]] = []
    try:
        stack.start()
        workers += [worker(stack), worker(stack, "training")]
        yield stack
    finally:
        end(workers)
        stack.stop()


def end(workers: list[subprocess.Popen[bytes]]) -> None:
    """Kill workers with all that they started."""
    for each in workers:
        if each.poll() is None:
            os.killpg(each.pid, signal.SIGKILL)
            each.wait()


def worker(stack: Stack, *queue: str) -> subprocess.Popen[bytes]:
    """A worker in a session of its own: what it starts ends with it."""
    with (stack.directory / "workers.log").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "bin/_worker.py", *queue],
            cwd=ROOT,
            env=stack.environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
            preexec_fn=die_with_parent,
        )


def test_people_play_and_an_admin_trains_on_it_without_a_shell(house: Stack) -> None:
    house.manage("shell", "-v0", "-c", PLAY)
    deadline = time.monotonic() + 120
    while house.rows("SELECT COUNT(*) FROM trainer_episode WHERE state = 'taken'") != [(2,)]:
        assert time.monotonic() < deadline, "the worker harvested nothing"
        time.sleep(0.2)
    with sync_playwright() as play:
        chromium = play.chromium.launch(
            executable_path=os.environ.get("PARLAY_CHROMIUM") or "/usr/bin/chromium",
            args=["--no-sandbox", "--disable-background-networking"],
        )
        page = chromium.new_context(base_url=house.url).new_page()
        page.goto("/accounts/login/")
        page.get_by_label("Email").fill("admin@demo.local")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.get_by_role("link", name="Trainer").click()
        page.get_by_role("link", name="Data room").click()
        expect(page.get_by_test_id("stock")).to_contain_text("2")
        page.get_by_role("link", name="New dataset").click()
        page.get_by_label("Name").fill("First deals")
        page.get_by_role("button", name="Freeze").click()
        expect(page.get_by_role("heading", name="First deals")).to_be_visible()
        page.get_by_role("link", name="Train on it").click()
        page.get_by_label("Name").fill("Apprentice 1")
        page.get_by_label("Steps of learning").fill("2")
        page.get_by_role("button", name="Put it in line").click()
        expect(page.get_by_test_id("run-state")).to_have_attribute("data-state", "done", timeout=240_000)
        expect(page.get_by_role("heading", name="What it made")).to_be_visible(timeout=30_000)
        expect(page.get_by_role("heading", name="Learning the moves")).to_be_visible()
        assert fits(page)
        chromium.close()
    assert house.rows("SELECT adapter FROM trainer_datasetuse") == [("Apprentice 1",)]
