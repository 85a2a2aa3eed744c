"""What failed is asked once more by ``bin/test``, alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bin"))
import _again

PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:django", "-c", "pytest.ini", "--rootdir", ".")
SUITE = """
from pathlib import Path
import pytest

def test_of_a_moment():
    seen = Path("seen")
    first = not seen.exists()
    seen.touch()
    assert not first

@pytest.mark.parametrize("number", range({broken}))
def test_broken(number):
    assert False

def test_sound():
    pass
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


def run(root: Path, broken: int) -> tuple[list[str], list[str]]:
    (root / "test_it.py").write_text(SUITE.format(broken=broken))
    _again.forget(root)
    subprocess.run([*PYTEST, "test_it.py"], cwd=root, check=False, capture_output=True)
    return _again.still_failing(PYTEST, root, os.environ)


@pytest.mark.slow
def test_what_hung_on_a_moment_passes_and_what_is_broken_fails_again(suite: Path) -> None:
    assert run(suite, broken=1) == (["test_it.py::test_broken[0]"], ["test_it.py::test_of_a_moment"])


@pytest.mark.slow
def test_many_failures_stand_unasked(suite: Path) -> None:
    still, unsteady = run(suite, broken=_again.AT_MOST)
    assert len(still) == _again.AT_MOST + 1
    assert not unsteady


@pytest.mark.slow
def test_nothing_failed_leaves_nothing_to_ask(suite: Path) -> None:
    (suite / "seen").touch()
    assert run(suite, broken=0) == ([], [])
    (suite / "seen").unlink()
    run(suite, broken=0)
    _again.forget(suite)
    assert _again.still_failing(PYTEST, suite, os.environ) == ([], [])
