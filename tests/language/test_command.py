"""``manage.py understand`` as a stranger calls it: JSON lines in, JSON lines out, exit status 2 on bad input."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from django.core.management import ManagementUtility

ROOT = Path(__file__).resolve().parents[2]
USUAL = ("--scenario", "saas_enterprise", "--seat", "seller", "--json")


def strangers_call(stdin: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "understand", *arguments],
        cwd=ROOT,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def understand(stdin: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The same in this process: what is answered, or refused and in which words, needs no new one."""
    out, error, status = io.StringIO(), io.StringIO(), 0
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(error):
        patch.setattr("sys.stdin", io.StringIO(stdin))
        try:
            ManagementUtility(["manage.py", "understand", *arguments]).execute()
        except SystemExit as left:
            status = int(left.code or 0)
    return subprocess.CompletedProcess([], status, out.getvalue(), error.getvalue())


def test_one_reading_for_each_line() -> None:
    requests = [
        {"text": "We can do 158."},
        {"text": "Let's split the difference.", "standing_offer": 140_000, "own_offer": 160_000},
        {"text": "Your 140k is a start.", "standing_offer": 140_000, "own_offer": None},
    ]
    done = strangers_call("\n".join(json.dumps(one) for one in requests), *USUAL)
    assert done.returncode == 0
    readings = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(one["kind"], one["offer"], one["figure"]) for one in readings] == [
        ("offer", 158_000, 158_000),
        ("offer", 150_000, 150_000),
        ("quote", None, 140_000),
    ]
    keys = {"kind", "offer", "figure", "acts", "topics", "told", "tactics", "confidence"}
    assert all(set(one) == keys for one in readings)


def test_what_was_asked_told_and_argued_stands_beside_the_figure() -> None:
    requests = [
        {"text": "Who signs on your side, and when do you need to be live?"},
        {"text": "We were down for one night in August. 158, and the renewal is capped, clause nine."},
        {"text": "Why is that?", "told": ["yard"]},
        {"text": "Doubled?", "told": ["burned"], "last_line": "Our telematics supplier doubled the bill."},
    ]
    done = understand("\n".join(json.dumps(one) for one in requests), *USUAL)
    asked, argued, followed, mirrored = (json.loads(line) for line in done.stdout.splitlines())
    assert "ask_open" in asked["acts"]
    assert (asked["topics"], asked["told"]) == (["authority", "timeline"], [])
    assert argued["told"] == ["outage", "cap"]
    assert {"disclose", "argue"} <= set(argued["acts"])
    assert ("follow_up" in followed["acts"], followed["topics"]) == (True, ["integration"])
    assert "mirror" in mirrored["acts"]


@pytest.mark.parametrize(
    ("stdin", "names"),
    [
        ('{"text": "150k"}\n{"text', "line 2"),
        ('["150k"]', "line 1"),
        ('{"words": "150k"}', "line 1"),
        ('{"text": 150}', "line 1"),
        ('{"text": "a", "own_offer": "150k"}', "own_offer"),
        ('{"text": "a", "standing_offer": -1}', "standing_offer"),
        ('{"text": "a", "standing_offer": NaN}', "standing_offer"),
        ('{"text": "a", "told": "yard"}', "told"),
        ('{"text": "a", "raised": [1]}', "raised"),
        ('{"text": "a", "last_line": 1}', "last_line"),
    ],
)
def test_bad_lines_are_named(stdin: str, names: str) -> None:
    done = understand(stdin, *USUAL)
    assert done.returncode == 2
    assert done.stdout == ""
    assert names in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_unknown_scenario_and_seat() -> None:
    scenario = understand("", "--scenario", "moon_lease", "--seat", "seller", "--json")
    seat = understand("", "--scenario", "saas_enterprise", "--seat", "judge", "--json")
    for done, names in ((scenario, "moon_lease"), (seat, "judge")):
        assert done.returncode == 2
        assert names in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1
