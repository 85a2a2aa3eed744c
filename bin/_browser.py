"""The Chromium that the tests of the pages drive: one that is here, or one that is installed because somebody asked."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import _environment as setup

MISSING = (
    "No Chromium, so the tests of the pages are left out. apt install chromium-headless-shell, set PARLAY_CHROMIUM, or say "
    "--install-browser to have one installed (Debian's package as root, else Playwright's own)."
)
SHELL = "chromium-headless-shell"
"""Debian's Chromium without its own windows, menus and services: the same pages for two thirds of the processor time."""
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium(*, install: bool) -> str | None:
    """Where it is. A system's packages are its owner's business: nothing is installed unasked."""
    known = os.environ.get("PARLAY_CHROMIUM") or _on_path() or _playwrights()
    if known or not install:
        return known
    if os.geteuid() == 0 and shutil.which("apt-get"):
        setup.say(f"Installing {SHELL} ...")
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(["apt-get", "update"], check=False, **quiet)  # type: ignore[call-overload]
        subprocess.run(["apt-get", "install", "-y", SHELL], check=False, **quiet)  # type: ignore[call-overload]
        if _on_path():
            return _on_path()
    setup.say("Installing Playwright's chromium ...")
    subprocess.run([str(setup.VENV / "bin" / "playwright"), "install", "chromium"], check=False)
    return _playwrights()


def _on_path() -> str | None:
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def _playwrights() -> str | None:
    """The browser that Playwright has fetched for itself, if it has."""
    ask = "from playwright.sync_api import sync_playwright as p\nwith p() as q: print(q.chromium.executable_path)"
    told = subprocess.run([str(setup.PYTHON), "-c", ask], capture_output=True, text=True, check=False)
    return path if Path(path := told.stdout.strip()).is_file() else None
