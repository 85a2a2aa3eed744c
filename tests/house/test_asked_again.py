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


def asked(root: Path, *arguments: str) -> int:
    return subprocess.run(
        [*PYTEST, *arguments], cwd=root, env=os.environ, check=False, capture_output=True
    ).returncode


def run(root: Path, broken: int, title: str = "a suite") -> tuple[list[str], list[str]]:
    (root / "test_it.py").write_text(SUITE.format(broken=broken))
    asked(root, *_again.noting(root, title), "test_it.py")
    return again(root, title)


def again(root: Path, title: str) -> tuple[list[str], list[str]]:
    return _again.still_failing(_again.failures(root, title), lambda test: asked(root, *_again.ALONE, test))


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
    _again.noting(suite, "a suite")
    assert again(suite, "a suite") == ([], [])


def test_what_one_suite_notes_is_not_anothers(suite: Path) -> None:
    (suite / "seen").touch()
    run(suite, broken=1, title="one")
    assert _again.failures(suite, "one") == ["test_it.py::test_broken[0]"]
    assert _again.failures(suite, "another") == []
