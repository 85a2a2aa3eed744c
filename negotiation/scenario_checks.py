"""What an author is told about a draft: everything that must be mended, and what would be better mended."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from negotiation.engine.deal import Scenario, ScenarioError
from negotiation.engine.deal.scenario_fields import Problem
from negotiation.engine.deal.scenario_file import read_scenario
from negotiation.engine.deal.scenario_sanity import sanity
from negotiation.engine.deal.toml_lines import line_of, lines_of

_ID_LINE = re.compile(r"^id\s*=.*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Checked:
    """A draft that was read. ``scenario`` is there when nothing is wrong; warnings keep nobody from playing."""

    scenario: Scenario | None
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]


def check(text: str, slug: str) -> Checked:
    """Read a draft that belongs to the scenario ``slug``."""
    try:
        scenario = read_scenario(text, slug)
    except ScenarioError as error:
        return Checked(None, error.problems, ())
    lines = lines_of(text)
    if scenario.id != slug:
        message = f'"{scenario.id}" is not "{slug}": a scenario keeps the id that it was created with'
        return Checked(None, (Problem(("id",), message, line_of(lines, ("id",))),), ())
    warnings = [replace(warning, line=line_of(lines, warning.path)) for warning in sanity(scenario)]
    return Checked(scenario, (), tuple(sorted(warnings, key=lambda warning: warning.line or 0)))


def text_with_id(text: str, slug: str) -> str:
    """The text with its first id, which is the scenario's own, replaced."""
    return _ID_LINE.sub(f'id = "{slug}"', text, count=1)
