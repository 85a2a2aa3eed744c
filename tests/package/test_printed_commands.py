"""Every command that a page prints is one that its program takes, and the first ones give what the page says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from io import StringIO

import pytest
from django.core.management import call_command

from tests.package.printed import PAGES, printed, words_of
from tests.servers import ROOT

COMMANDS = {
    command: pages
    for command, pages in printed().items()
    if command.strip() and not command.endswith("manage.py")
}
README = (ROOT / "README.md").read_text()


def program_of(command: str) -> list[str]:
    """The module or the script with its arguments."""
    words = words_of(command)
    if words[0].endswith("python"):
        words = words[1:]
    return words[1:] if words[0] == "-m" else words


@pytest.mark.slow
def test_every_command_of_the_pages_is_taken_by_its_program() -> None:
    """One process for them all, some seconds long: it loads what each of sixty programs loads."""
    asked = {command: program_of(command) for command in COMMANDS if not command.startswith("bin/")}
    assert len(asked) > 40
    # A program that asks for one of a family is read as far as its name.
    whole = {command: words for command, words in asked.items() if words not in (["trainer"],)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.package.printed"],
        cwd=ROOT, input=json.dumps(list(whole.values())), capture_output=True, text=True, check=True,
    )  # fmt: skip
    wrong = {
        f"{command} ({', '.join(sorted(COMMANDS[command]))})": answer
        for command, answer in zip(whole, json.loads(done.stdout), strict=True)
        if answer
    }
    assert not wrong, json.dumps(wrong, indent=1)


def test_every_script_of_the_pages_is_there_and_knows_its_options() -> None:
    helps = {
        name: subprocess.run(
            [ROOT / "bin" / name, "--help"], capture_output=True, text=True, check=True
        ).stdout
        for name in ("play", "test")
    }
    for command in COMMANDS:
        if command.startswith("bin/"):
            script, *rest = words_of(command)
            path = ROOT / script
            if path.name.startswith("_") or path.suffix:
                continue  # a source that a page points to
            assert os.access(path, os.X_OK), command
            for option in (word for word in rest if word.startswith("--")):
                assert path.name not in helps or option in helps[path.name] or path.name == "test", command


@pytest.mark.django_db
def test_the_first_commands_say_what_the_page_says(monkeypatch: pytest.MonkeyPatch) -> None:
    line = next(command for command in COMMANDS if "selfplay" in command)
    words = words_of(line)[1:]
    words[words.index("--episodes") + 1] = "4"
    said = StringIO()
    call_command(*words[1:], stdout=said)
    assert {"episodes", "mean_efficiency", "efficiency_ci95", "deal_rate"} <= set(json.loads(said.getvalue()))

    heard, said = re.search(r"echo '(.*?)' \| python manage.py understand", README), StringIO()
    assert heard is not None
    monkeypatch.setattr("sys.stdin", StringIO(heard[1] + "\n"))
    understand = words_of(next(command for command in COMMANDS if "understand" in command))
    call_command(*understand[2:], stdout=said)
    assert json.loads(said.getvalue())["offer"] == 148_000


def test_the_python_of_the_first_page_runs() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    names: dict[str, object] = {}
    exec(block, names)  # noqa: S102  # our own page
    assert names["game"].observe().own_offer == 158_000  # type: ignore[attr-defined]


def test_the_api_page_names_every_path_of_the_api() -> None:
    from parlay_web.api import api

    page = (ROOT / "docs/api.md").read_text()
    paths = set(api.get_openapi_schema()["paths"])
    assert len(paths) >= 6
    assert [path for path in paths if f"`{path}`" not in page and f" {path}`" not in page] == []


def test_every_page_is_found_from_the_index_and_the_words_of_the_house_are_explained() -> None:
    index = (ROOT / "docs/README.md").read_text()
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert [page for page in pages if f"]({page}" not in index] == []
    words = (ROOT / "docs/glossary.md").read_text()
    for word in ("zone", "E,", "ToM", "Safety", "NashConv", "apprentice", "form", "held"):
        assert re.search(rf"^\| \*\*[^|]*{re.escape(word)}", words, re.MULTILINE), word


def test_every_page_that_is_linked_is_there() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for target, mark in re.findall(r"\]\((?!https?:)([^)#\s]*)(#[\w-]*)?\)", text):
            there = (page.parent / target).resolve() if target else page
            assert there.exists(), f"{page.name}: {target}"
            if mark and there.suffix == ".md":
                heads = re.findall(r"^#+ (.*)$", there.read_text(encoding="utf-8"), re.MULTILINE)
                names = {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
                assert mark[1:] in names, f"{page.name}: {target}{mark}"
