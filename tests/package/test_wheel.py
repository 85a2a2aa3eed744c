"""The engine as a package: built, installed into an empty environment, and played as the page says."""

from __future__ import annotations

import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.servers import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

STRANGERS = "import sys; print([m for m in ('django', 'channels', 'celery') if m in sys.modules])"
EVERYTHING = """
import pkgutil, importlib, sys
import negotiation.engine as engine
names = [found.name for found in pkgutil.walk_packages(engine.__path__, "negotiation.engine.")]
for name in names:
    importlib.import_module(name)
from negotiation.engine.coalition import coalition_scenarios
from negotiation.engine.deal import personas, scenarios
from negotiation.engine.deal.oracle.player import WEIGHTS as NUMBERS
from negotiation.engine.drills.trained import DATA
from negotiation.engine.language.classifier import WEIGHTS
assert len(scenarios()) >= 6 and len(personas()) >= 3 and coalition_scenarios()
assert DATA.is_file() and NUMBERS.is_file() and WEIGHTS.is_file()
print(len(names), sorted({name.split(".")[0] for name in sys.modules} & {"django", "torch", "parlay_web"}))
"""


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with pip in it and nothing else."""
    folder: Path = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    return folder / "bin" / "python"


@pytest.fixture(scope="module")
def wheel(environment: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As anybody would make it: `pip wheel`, with the build's own requirements fetched for it."""
    folder: Path = tmp_path_factory.mktemp("wheel")
    run(environment, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", folder, ROOT, cwd=folder)
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="module")
def python(environment: Path, wheel: Path) -> Path:
    """The same environment with the wheel and what it asks for."""
    run(environment, "-m", "pip", "install", "-q", wheel, cwd=wheel.parent)
    return environment


def test_the_wheel_holds_the_engine_with_its_data_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
        (metadata,) = (name for name in held if name.endswith(".dist-info/METADATA"))
        told = archive.read(metadata).decode()
    package = {name for name in held if ".dist-info/" not in name}
    listed = [
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "negotiation" / "engine").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]
    assert package == {"negotiation/__init__.py", "negotiation/py.typed", *listed}
    assert sum(name.endswith((".toml", ".json")) for name in package) > 10
    assert re.findall(r"^Requires-Dist: (\S+?)[<>=]", told, re.MULTILINE) == ["numpy"]
    assert {"LICENSE", "NOTICE"} <= {Path(name).name for name in held - package}


def test_the_example_of_the_page_runs_where_there_is_no_django(python: Path, tmp_path: Path) -> None:
    example = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "engine.md").read_text(), re.DOTALL)[0]
    assert len(example.strip().splitlines()) <= 10 + 1  # ten lines and a blank one
    told = run(python, "-c", f"{example}\n{STRANGERS}", cwd=tmp_path).splitlines()
    assert re.fullmatch(r"\w+ after \d+ turns at \d+(\.\d+)?", told[0]), told
    assert re.fullmatch(r"their limit was [\d,]+, the reward -?\d+\.\d", told[1]), told
    assert told[2] == "[]"
    missing = subprocess.run([python, "-c", "import django"], capture_output=True, text=True, check=False)
    assert "No module named 'django'" in missing.stderr


def test_every_module_of_it_imports_and_finds_its_data(python: Path, tmp_path: Path) -> None:
    count, others = run(python, "-c", EVERYTHING, cwd=tmp_path).strip().split(" ", 1)
    assert int(count) > 100
    assert others == "[]"


def test_a_type_checker_reads_its_types(python: Path, tmp_path: Path) -> None:
    """Without py.typed mypy would call the package untyped, and `offer` would be anything."""
    program = tmp_path / "player.py"
    program.write_text('from negotiation.engine.deal import Action\n\nAction(offer="much")\n')
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--python-executable", python, "--config-file=", program.name],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert 'incompatible type "str"' in checked.stdout, checked.stdout + checked.stderr
    assert "Found 1 error" in checked.stdout
