"""Which Python makes the environments: the one that was named, else the fastest of the machine's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import ROOT

sys.path.insert(0, str(ROOT / "bin"))
import _python

OURS = os.path.realpath(sys.executable)
"""Outside of our environment."""
HINDERED = f"""#!/bin/sh
exec {OURS} -I -c 'import sys; sys.setprofile(lambda *_: None); code = sys.argv.pop(1); exec(code)' "$3" "$4"
"""
"""A Python that does with each call something more than it should."""


def slow(folder: Path) -> str:
    folder.mkdir()
    python = folder / "python3.11"
    python.write_text(HINDERED)
    python.chmod(0o755)
    return str(python)


def test_a_python_that_is_much_slower_gives_way_and_one_as_fast_does_not(tmp_path: Path) -> None:
    hindered = _python.timed_of(slow(tmp_path / "bin"))
    ours = _python.timed_of(OURS)
    assert hindered is not None
    assert ours is not None
    assert hindered.seconds > _python.FASTER * ours.seconds
    # The one that is hindered calls itself by the name of the one that it is, so the times decide which was taken.
    assert _python.faster_of([hindered, ours]) is ours
    assert _python.faster_of([ours, hindered]) is ours
    equal = _python.Timed("/another", ours.seconds / 1.1)
    assert _python.faster_of([ours, equal]) is ours, "not worth a change"


def test_what_is_no_python_of_ours_is_passed_over(tmp_path: Path) -> None:
    old = tmp_path / "python3.11"
    old.write_text("#!/bin/sh\necho '[\"/old\", [3, 9, 1], true, 0.001]'\n")
    old.chmod(0o755)
    assert _python.timed_of(str(old)) is None
    assert _python.timed_of(str(tmp_path / "nothing")) is None
    assert _python.timed_of(sys.executable) is None, "it is itself in an environment"
    assert _python.fastest([str(old), OURS]) == OURS


def test_an_environment_keeps_the_python_that_made_it(tmp_path: Path) -> None:
    folder = tmp_path / ".venv"
    assert _python.maker_of(folder) is None
    subprocess.run([OURS, "-m", "venv", "--without-pip", str(folder)], check=True)
    assert _python.chosen(folder) == OURS
    (folder / "bin" / "python").unlink()
    assert _python.maker_of(folder) is None, "a system's upgrade took it away"


def test_whoever_names_a_python_gets_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    default = tmp_path / "python3"
    default.write_text("#!/bin/sh\necho /usr/lib/another/python3\n")
    default.chmod(0o755)
    slow(tmp_path / "path")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "path" / "python3.11"))
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert _python.chosen(tmp_path / "none") == sys.executable, "however slow it is"
    default.write_text(f"#!/bin/sh\necho {sys.executable}\n")
    assert _python.chosen(tmp_path / "none") != sys.executable, "nobody chose it"
