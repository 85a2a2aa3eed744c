"""The suite beside the oracles can't be green without them."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests.servers import ROOT

sys.path.insert(0, str(ROOT / "bin"))
import _oracles

ABSENT = ("pyspiel", "axelrod", "diplomacy")


@pytest.mark.slow
def test_without_the_packages_every_test_of_it_fails() -> None:
    assert not any(find_spec(name) for name in ABSENT), "the oracles' licences stay out of the product"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *_oracles.pytest_arguments([])],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    (told,) = re.findall(r"^(.*) in [\d.]+s", done.stdout, re.MULTILINE)
    assert re.fullmatch(r"=*\s*(\d+ failed|\d+ errors?|\d+ failed, \d+ errors?)\s*", told), told
    assert "Nothing may skip here" in done.stdout


@pytest.mark.parametrize(
    ("named", "ends"),
    [([], _oracles.TESTS), ([_oracles.TESTS[0]], _oracles.TESTS[:1]), (["tests/web"], ())],
)
def test_only_what_was_asked_for_is_run_beside_them(named: list[str], ends: tuple[str, ...]) -> None:
    chosen = _oracles.pytest_arguments(named)
    assert tuple(each for each in chosen if each.startswith("tests/")) == ends
    assert bool(chosen) == bool(ends)
