"""docs/operations.md, .env.example and docker-compose.yml say the same, and what the page tells to type exists."""

from __future__ import annotations

import itertools
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import get_commands
from ruamel.yaml import YAML

from parlay_web.env import ROOT, read_environment

PAGE = (ROOT / "docs" / "operations.md").read_text()
COMPOSE = (ROOT / "docker-compose.yml").read_text()
SERVICES: dict[str, Any] = YAML(typ="safe").load(COMPOSE)["services"]
EXAMPLE = (ROOT / ".env.example").read_text()
READ = set(re.findall(r'get\(\s*"([A-Z_]+)"', (ROOT / "parlay_web" / "env.py").read_text()))
INTERPOLATED = set(re.findall(r"\$\{([A-Z_]+)", COMPOSE))
BLOCKS = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)


def rows(heading: str) -> dict[str, list[str]]:
    """The variables of the table after a line, each with its other cells."""
    table = PAGE[PAGE.index(heading) :].split("\n\n")[1]
    found = {}
    for line in table.splitlines()[2:]:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        found.update(dict.fromkeys(re.findall(r"`([A-Z_]+)`", cells[0]), cells[1:]))
    return found


SETTINGS = rows("The environment of every process")
OF_COMPOSE = rows("Compose alone reads these")


def test_every_setting_that_is_read_has_a_row_and_no_row_is_of_another() -> None:
    assert set(SETTINGS) == READ


def test_what_compose_does_with_each_is_what_it_says() -> None:
    kinds = {"asks for it", "passes on", "own", "never"}
    assert {cells[1] for cells in SETTINGS.values()} == kinds
    passed = {name for name, cells in SETTINGS.items() if cells[1] in ("asks for it", "passes on")}
    assert passed == READ & INTERPOLATED
    assert {name for name, cells in SETTINGS.items() if cells[1] == "asks for it"} == {
        name for name in READ if f"${{{name}:?" in COMPOSE
    }
    given = {name for service in SERVICES.values() for name in service.get("environment", ())}
    own = {name for name, cells in SETTINGS.items() if cells[1] == "own"} - {"PARLAY_VAR"}
    assert own == (given & READ) - INTERPOLATED
    assert "PARLAY_VAR=/data" in (ROOT / "Dockerfile").read_text()
    assert not given & {name for name, cells in SETTINGS.items() if cells[1] == "never"}


def test_the_defaults_of_the_table_are_those_of_the_code() -> None:
    known = read_environment({})
    for name, (default, *_) in SETTINGS.items():
        field = name.removeprefix("PARLAY_").lower()
        value = getattr(known, field, None)
        if isinstance(value, bool):
            assert default == {True: "on", False: "off"}[value], name
        elif isinstance(value, int | float) and name != "TABLE_THREADS":
            assert float(default) == value, name
        elif value in ("", (), {}):
            assert default == "none", name


def test_the_variables_of_compose_alone_are_in_their_table_and_in_the_example() -> None:
    assert set(OF_COMPOSE) == INTERPOLATED - READ
    assert set(re.findall(r"^([A-Z_]+)=", EXAMPLE, re.MULTILINE)) == INTERPOLATED


def test_the_example_holds_no_secret_and_compose_would_take_the_same_without_it() -> None:
    given = dict(re.findall(r"^([A-Z_]+)=(.*)$", EXAMPLE, re.MULTILINE))
    assert [given[name] for name in ("SECRET_KEY", "POSTGRES_PASSWORD", "REDIS_PASSWORD")] == ["", "", ""]
    defaults = dict(re.findall(r"\$\{([A-Z_]+):-([^}]*)\}", COMPOSE))
    for name, value in given.items():
        if value and name not in ("ALLOWED_HOSTS", "LOG_LEVEL"):
            assert value == defaults[name], name


def test_the_first_steps_make_settings_that_production_takes(tmp_path: Path) -> None:
    shutil.copy(ROOT / ".env.example", tmp_path)
    subprocess.run(["sh", "-eu", "-c", BLOCKS[0]], cwd=tmp_path, check=True, timeout=10)
    made = dict(re.findall(r"^([A-Z_]+)=(.*)$", (tmp_path / ".env").read_text(), re.MULTILINE))
    assert (tmp_path / ".env").stat().st_mode & 0o777 == 0o600
    assert re.fullmatch(r"[0-9a-f]{64}", made["SECRET_KEY"])
    assert re.fullmatch(r"[0-9a-f]{64}", made["POSTGRES_PASSWORD"])
    assert re.fullmatch(r"[0-9a-f]{64}", made["REDIS_PASSWORD"])
    assert len({made[name] for name in ("SECRET_KEY", "POSTGRES_PASSWORD", "REDIS_PASSWORD")}) == 3
    settings = {name: value for name, value in made.items() if name in READ}
    assert read_environment(settings).allowed_hosts == ("localhost",)
    with pytest.raises(ImproperlyConfigured, match="TABLE_THREADS"):
        read_environment({**settings, "TABLE_THREADS": "many"})


def test_every_command_of_the_page_names_services_profiles_and_programs_that_exist() -> None:
    profiles = {profile for service in SERVICES.values() for profile in service.get("profiles", ())}
    # Inside a sentence a command stands in single backticks and may run over the end of a line.
    prose = re.findall(r"`(docker compose [^`]+)`", re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL))
    typed = [line for block in BLOCKS for line in block.splitlines() if line.startswith("docker")]
    commands = [shlex.split(re.split(r" [<>] ", line)[0]) for line in (*typed, *prose)]
    assert len(typed) >= 8
    for words in commands:
        for flag, value in itertools.pairwise(words):
            assert flag != "--profile" or value in profiles, words
        verb = next(word for word in words[2:] if word in ("up", "exec", "run", "logs", "stop", "start"))
        rest = [word for word in words[words.index(verb) + 1 :] if not word.startswith("-")]
        if verb in ("exec", "run"):
            assert rest[0] in SERVICES, words
            if rest[1:3] == ["python", "manage.py"]:
                assert rest[3] in get_commands(), words
        else:
            assert set(rest) <= set(SERVICES), words


def test_the_backup_volume_is_where_the_page_writes_it() -> None:
    assert "backup:/backup" in SERVICES["web"]["volumes"]
    assert re.search(r"install -d -o parlay .*/backup", (ROOT / "Dockerfile").read_text())
