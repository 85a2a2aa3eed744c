"""The dashboard and the alerts before a real Prometheus that scrapes a real house in play."""

from __future__ import annotations

import asyncio
import json
import math
import shutil
import subprocess
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from parlay_web.ports import free_port
from parlay_web.processes import die_with_parent
from tests.actor import Actor
from tests.clients import Person, line
from tests.opponents.model_double import PATIENCE, speaking_apart
from tests.servers import ROOT, Stack

PROMETHEUS = shutil.which("prometheus")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(PROMETHEUS is None, reason="Prometheus is not installed"),
]
CONFIG = """
global: {{scrape_interval: 1s, evaluation_interval: 1s}}
rule_files: [{rules}]
scrape_configs: [{{job_name: parlay, static_configs: [{{targets: ["{house}"]}}]}}]
"""
BOARD = json.loads((ROOT / "deploy" / "grafana" / "parlay.json").read_text())
DRAWN = {
    f"{panel['title']}, {target.get('legendFormat') or number}": target["expr"].replace(
        "$__rate_interval", "2m"
    )
    for panel in BOARD["panels"]
    for number, target in enumerate(panel.get("targets", ()))
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A house whose opponents may speak through a model, and that was backed up tonight."""
    nights = tmp_path_factory.mktemp("nights")
    (nights / "2026-11-26").mkdir()
    (nights / "2026-11-26" / "rehearsed").touch()
    with speaking_apart(Actor()) as double:
        running = Stack(
            tmp_path_factory.mktemp("seen"),
            MODEL_URL=double.url,
            MODEL_NAME="base",
            MODEL_TURN_SECONDS=str(PATIENCE),
            PARLAY_BACKUP_DIR=str(nights),
        )
        try:
            yield running.start()
        finally:
            running.stop()


class Asked:
    """A Prometheus to be asked over its own HTTP."""

    def __init__(self, address: str) -> None:
        self._address = address

    def get(self, path: str, **given: str) -> Any:
        query = urllib.parse.urlencode(given)
        with urllib.request.urlopen(f"{self._address}/api/v1/{path}?{query}", timeout=10) as answer:  # noqa: S310  # ours
            return json.load(answer)["data"]

    def values(self, expression: str) -> list[float]:
        return [float(found["value"][1]) for found in self.get("query", query=expression)["result"]]


@pytest.fixture(scope="module")
def prometheus(house: Stack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    place: Path = tmp_path_factory.mktemp("prometheus")
    config = CONFIG.format(rules=ROOT / "deploy" / "alerts.yml", house=house.host)
    (place / "prometheus.yml").write_text(config)
    address = f"127.0.0.1:{free_port()}"
    command = [str(PROMETHEUS), f"--config.file={place}/prometheus.yml", f"--storage.tsdb.path={place}/data"]
    with (place / "log").open("wb") as log:
        process = subprocess.Popen(
            [*command, f"--web.listen-address={address}"],
            cwd=place, stdout=log, stderr=log, preexec_fn=die_with_parent,
        )  # fmt: skip
    asked, deadline = Asked(f"http://{address}"), time.monotonic() + 60
    try:
        while True:
            try:
                if asked.values("up") == [1.0]:
                    break
            except OSError:
                pass
            assert time.monotonic() < deadline, (place / "log").read_text()[-2000:]
            time.sleep(0.3)
        yield asked
    finally:
        process.kill()
        process.wait()


async def play(house: Stack, rep: Person, seconds: float) -> None:
    """Tables of the strategist's and of a model's, watched, with a frame that is refused now and then."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for choice in ({}, {"voice": "narrated"}):
            game = rep.sit_down(**choice)
            async with (
                line(house.url, f"/ws/watch/{rep.share(game, 'watch')}/"),
                line(house.url, f"/ws/deals/{game}/", cookies=rep.cookies()) as table,
            ):
                await table.until(lambda frame: frame.get("type") == "turn_closed")
                for words in ("What drives your timeline?", "Who else has to agree?"):
                    await table.turn_unless_over(text=words)
                await table.ask("nonsense")


async def test_every_figure_of_the_dashboard_has_data_while_people_play(
    house: Stack, prometheus: Asked
) -> None:
    rep = Person(house.url).login("rep@demo.local")
    game = rep.sit_down()
    async with line(house.url, f"/ws/deals/{game}/", cookies=rep.cookies()):  # a socket that stays
        await play(house, rep, 20)
        await asyncio.sleep(3)  # two more scrapes
        found = {name: prometheus.values(expression) for name, expression in DRAWN.items()}
    assert len(found) == len(DRAWN) > 15
    assert {name for name, values in found.items() if not any(map(math.isfinite, values))} == set()


def test_every_alert_is_evaluated_and_none_rings_over_a_house_that_is_well(prometheus: Asked) -> None:
    rules = [rule for group in prometheus.get("rules")["groups"] for rule in group["rules"]]
    assert len(rules) == (ROOT / "deploy" / "alerts.yml").read_text().count("- alert:")
    assert {rule["name"]: rule.get("lastError", "") for rule in rules if rule["health"] != "ok"} == {}
    ringing = {rule["name"] for rule in rules if rule["state"] == "firing"}
    # How full this disk is and how slow this machine are not the house's.
    assert ringing <= {"FlywheelDiskFull", "TurnsSlow", "EventsLate", "ModelSlow"}
