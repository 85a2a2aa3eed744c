"""CHANGELOG.md is in the form that ``bin/release-notes`` and its readers expect."""

from __future__ import annotations

import re
import subprocess

import pytest

from parlay_web.version import VERSION
from tests.servers import ROOT

CHANGELOG = (ROOT / "CHANGELOG.md").read_text()
KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")


def ask(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(ROOT / "bin" / "release-notes"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_newest_release_is_printed_and_nothing_of_another() -> None:
    said = ask().stdout
    assert said == ask(VERSION).stdout == ask(f"v{VERSION}").stdout
    assert said.strip() in CHANGELOG
    assert not re.search(r"^## ", said, re.MULTILINE)
    assert "- The engine: six scenarios" in said
    unreleased = ask("Unreleased").stdout
    assert unreleased.strip() in CHANGELOG
    assert "- The engine: six scenarios" not in unreleased


def test_an_unknown_version_is_refused_in_one_line() -> None:
    done = ask("9.9.9")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "9.9.9" in done.stderr
    assert VERSION in done.stderr


def test_releases_are_dated_and_the_newest_stands_first() -> None:
    headings = re.findall(r"^## (.*)$", CHANGELOG, re.MULTILINE)
    assert headings[0] == "[Unreleased]"
    dates = [heading.rpartition(" - ")[2] for heading in headings[1:]]
    assert dates == sorted(dates, reverse=True)
    versions = [tuple(map(int, re.findall(r"\d+", heading.split("]")[0]))) for heading in headings[1:]]
    assert versions == sorted(versions, reverse=True)


@pytest.mark.parametrize("version", ["unreleased", VERSION])
def test_changes_stand_under_the_kinds_that_the_form_knows(version: str) -> None:
    found = re.findall(r"^### (.*)$", ask(version).stdout, re.MULTILINE)
    assert found
    assert set(found) <= set(KINDS)
    assert len(found) == len(set(found))
