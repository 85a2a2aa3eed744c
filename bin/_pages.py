"""What the pages are held to: scripts, sheets and templates in one layout and without lint, scripts typed and tested.

``CHECKS`` find, ``FIXES`` mend what can be mended without thinking. Formatters and linters are development packages of
``requirements/dev.in`` and ``package.json``; nothing of them is in the product.
"""

from __future__ import annotations

import os

import _environment as setup
from _assets import ensure_assets, node

DJANGO = "5.2"
"""The series whose templates are written, for the formatter."""


def checks(environment: dict[str, str]) -> dict[str, list[str]]:
    """By title, a command that fails on findings. The environment gets node's folder on its path."""
    npm = _npm(environment)
    return {
        "djade --check": [_tool("djade"), "--check", "--target-version", DJANGO, *_templates()],
        "djangofmt check": [_tool("djangofmt"), "check", "templates"],
        "npm run lint": [*npm, "run", "--silent", "lint"],
        "npm run check": [*npm, "run", "--silent", "check"],
        "npm test": [*npm, "test", "--silent"],
    }


def fixes(environment: dict[str, str]) -> dict[str, list[str]]:
    """By title, a command that mends layout and the plainest lint."""
    return {
        "djade": [_tool("djade"), "--target-version", DJANGO, *_templates()],
        "djangofmt check --fix": [_tool("djangofmt"), "check", "--fix", "templates"],
        "npm run fix": [*_npm(environment), "run", "--silent", "fix"],
    }


def _tool(name: str) -> str:
    return str(setup.VENV / "bin" / name)


def _templates() -> list[str]:
    return [str(path) for path in sorted((setup.ROOT / "templates").rglob("*.html"))]


def _npm(environment: dict[str, str]) -> list[str]:
    """How to call npm, with the tools of ``package.json`` installed.

    Raises:
        SetupError: without node there is no telling whether the pages' scripts are right.
    """
    if not ensure_assets(tools=True):
        raise setup.SetupError("the pages' scripts can't be checked here")
    folder, npm = node()
    environment["PATH"] = f"{folder}{os.pathsep}{environment.get('PATH', '')}"
    return npm
