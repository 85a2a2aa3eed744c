"""The environment of the programs that tests hold ours against: OpenSpiel, Axelrod, the ``diplomacy`` package, Helm.

The last is AGPL, so it stands apart from everything that plays or learns. Standard library only.
"""

from __future__ import annotations

from pathlib import Path

import _environment as setup

FOLDER = setup.ROOT / ".venv-oracles"
REQUIREMENTS = "requirements/oracles.txt"
TESTS = ("tests/drills/test_crosscheck.py", "tests/diplomacy/test_oracle.py", "tests/package/test_chart.py")


def pytest_arguments(named: list[str]) -> list[str]:
    """What to run beside the oracles when these paths were named, all when none was; empty when nothing is asked.

    Without the house's configuration: these tests need neither Django nor a browser, and here nothing may skip.
    """
    chosen = [path for path in named if path.startswith(TESTS)] if named else list(TESTS)
    alone = ["--noconftest", "-c", "/dev/null", f"--rootdir={setup.ROOT}", "-p", "no:cacheprovider", "-ra"]
    return [*alone, "-p", "tests.unskipped", *chosen] if chosen else []


def ensure() -> Path:
    """Make ``.venv-oracles`` unless it stands already; returns its Python."""
    try:
        return setup.ensure_environment(FOLDER, REQUIREMENTS)
    except setup.SetupError as error:
        wheels = "OpenSpiel has wheels for Linux x86-64 and ARM (glibc) and for macOS ARM"
        raise setup.SetupError(f"no {FOLDER.name}: {error}; {wheels}") from error
