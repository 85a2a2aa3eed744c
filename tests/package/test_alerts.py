"""The alerts, rung by Prometheus' own evaluator: ``promtool``, where Prometheus is installed."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from tests.servers import ROOT

RULES, CASES = ROOT / "deploy" / "alerts.yml", ROOT / "tests" / "data" / "alerts_test.yml"
PROMTOOL = shutil.which("promtool")


def test_every_alert_is_rung_by_a_case() -> None:
    rung = set(re.findall(r'alertname="(\w+)"', CASES.read_text()))
    assert rung == set(re.findall(r"- alert: (\w+)", RULES.read_text()))


@pytest.mark.skipif(PROMTOOL is None, reason="Prometheus is not installed")
@pytest.mark.parametrize("command", [("check", str(RULES)), ("test", str(CASES))], ids=lambda words: words[0])
def test_prometheus_takes_the_rules_and_rings_when_it_should(command: tuple[str, str]) -> None:
    what, file = command
    done = subprocess.run(
        [str(PROMTOOL), what, "rules", file], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr
