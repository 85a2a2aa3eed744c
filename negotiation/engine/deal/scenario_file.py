"""Scenario files: read, validated, and refused with every problem named at once.

``docs/scenarios.md`` is the format in words. What is merely unwise (openings inside the zone, an option that
nobody wants) is not refused; ``scenario_sanity.py`` says it.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, cast, get_args

from negotiation.engine.deal.hidden import FIRST_MARKET_TURN, LAST_MARKET_TURN_SHARE
from negotiation.engine.deal.issues import MAX_BUNDLES, MAX_ISSUES, MAX_OPTIONS, Issue, Option
from negotiation.engine.deal.scenario import (
    DriftEvent,
    Effect,
    MarketEvent,
    Scenario,
    SeatSpec,
    Sweetener,
)
from negotiation.engine.deal.scenario_fields import Problem, Table, shown
from negotiation.engine.deal.toml_depth import too_deep
from negotiation.engine.deal.toml_lines import line_of, lines_of
from negotiation.engine.deal.types import SIGN, Seat
from negotiation.engine.language import Setting

SCENARIO_DIR = Path(__file__).resolve().parent.parent / "data" / "scenarios"

HORIZON = (4, 40)
MAX_MARKET = 24
"""More than anybody writes; what a game draws of them stays within its block of chance."""
ISSUE_JITTER = 0.15
_SEATS = cast("tuple[Seat, ...]", tuple(SIGN))
_SETTINGS = cast("tuple[str, ...]", get_args(Setting))
_CURRENCIES = ("$", "€", "£", "¥")
"""Those that the reader of words knows: in any other it would have to ask after every figure."""
_POSITIVE, _SHARE, _GAP = "(0, inf)", "[0, 1]", "[0, 1)"
_AT_LINE = re.compile(r"\s*\(at line (\d+), column (\d+)\)")


class ScenarioError(ValueError):
    """A scenario file that cannot be played. ``problems`` holds all that is wrong, in the order of the file."""

    def __init__(self, name: str, problems: Iterable[Problem]) -> None:
        self.name = name
        self.problems = tuple(problems)
        super().__init__("\n".join(f"{name}{_line(problem)}: {problem}" for problem in self.problems))


def _line(problem: Problem) -> str:
    return f", line {problem.line}" if problem.line else ""


def read_scenario(text: str, name: str) -> Scenario:
    """The scenario that a TOML text describes.

    Args:
        text: the file's content.
        name: what to call the file in messages.

    Raises:
        ScenarioError: with every problem and its line.
    """
    try:
        return parse_scenario(parsed(text, name), name)
    except ScenarioError as error:
        raise ScenarioError(name, placed(error.problems, text)) from error


def parsed(text: str, name: str) -> dict[str, Any]:
    """What a TOML text holds, before anything is asked of it.

    Raises:
        ScenarioError: for a text that is not TOML, or that nobody should take apart; with the line.
    """
    deep = too_deep(text)
    if deep is not None:
        raise ScenarioError(name, [Problem((), "nests deeper than any scenario does", deep)])
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = _AT_LINE.search(str(error))
        line = int(at[1]) if at else max(1, len(text.splitlines()))
        what = f"is not TOML: {_AT_LINE.sub('', str(error)).replace(' (at end of document)', '')}"
        column = f" (column {at[2]})" if at else " (at the end)"
        raise ScenarioError(name, [Problem((), what + column, line)]) from error
    except (ValueError, RecursionError) as error:  # such as a number of five thousand digits
        raise ScenarioError(name, [Problem((), "holds something that can't be read", 1)]) from error


def placed(problems: Iterable[Problem], text: str) -> list[Problem]:
    """The problems with their lines, in the order of the text; one that has its line keeps it."""
    lines = lines_of(text)
    found = [
        problem if problem.line else replace(problem, line=line_of(lines, problem.path))
        for problem in problems
    ]
    return sorted(found, key=lambda problem: problem.line or 0)


def parse_scenario(raw: Mapping[str, Any], name: str) -> Scenario:
    """Build and validate a scenario from its parsed TOML.

    Raises:
        ScenarioError: naming every key that is missing, unknown, of the wrong type or out of range.
    """
    top = Table(raw, (), [])
    parts = {key: top.tables(key) for key in ("drift", "market", "sweetener", "issue")}
    scenario = Scenario(
        id=top.slug(),
        title=top.text("title", 80),
        summary=top.text("summary"),
        setting=cast(Setting, top.choice("setting", _SETTINGS)),
        currency=top.choice("currency", _CURRENCIES),
        per_label=top.text("per_label", 24),
        step=top.number("step", _POSITIVE),
        plausible_low=top.number("plausible_low", _POSITIVE),
        plausible_high=top.number("plausible_high", _POSITIVE),
        horizon=top.whole("horizon", *HORIZON),
        erosion_rate=top.number("erosion_rate", "[0, 0.5]"),
        empty_zone_probability=top.number("empty_zone_probability", _SHARE),
        market_events_per_game=_counts(top),
        seats={seat: _seat_spec(top.table(seat)) for seat in _SEATS},
        drift=tuple(_drift(table) for table in parts["drift"]),
        market=tuple(_market(table) for table in parts["market"]),
        sweeteners=tuple(_sweetener(table) for table in parts["sweetener"]),
        issues=tuple(_issue(table) for table in parts["issue"]),
    )
    top.close()
    _check_figures(scenario, top)
    _check_turns(scenario, top)
    _no_twins(
        [*parts["drift"], *parts["market"]],
        [*(e.id for e in scenario.drift), *(e.id for e in scenario.market)],
    )
    _check_issues(scenario.issues, parts["issue"], top)
    if top.problems:
        raise ScenarioError(name, top.problems)
    return scenario


def _counts(top: Table) -> tuple[int, int]:
    low, high = top.pair("market_events_per_game", "[0, 8]")
    if low != int(low) or high != int(high):
        top.note(f"{shown([low, high])} is not two whole numbers", "market_events_per_game")
    return int(low), int(high)


def _seat_spec(table: Table) -> SeatSpec:
    spec = SeatSpec(
        role=table.text("role", 80),
        company=table.text("company", 80),
        brief=table.text("brief", 1200),
        goals=table.texts("goals", 1, 6),
        walk_away=table.number("walk_away", _POSITIVE),
        jitter=table.number("jitter", "[0, 0.3)"),
        budget_gap=table.pair("budget_gap", _GAP),
        urgency=table.pair("urgency", _SHARE),
        alternative_probability=table.number("alternative_probability", _SHARE),
        alternative_gap=table.pair("alternative_gap", _GAP),
        alternative_label=table.text("alternative_label", 120),
        opening=table.number("opening", _POSITIVE),
        sensitivity=table.number("sensitivity", "[0, 2]"),
    )
    table.close()
    return spec


def _drift(table: Table) -> DriftEvent:
    event = DriftEvent(
        id=table.slug(),
        turn=table.whole("turn", 2, HORIZON[1]),
        headline=table.text("headline", 200),
        effects={seat: _effect(table.table(seat)) for seat in _SEATS if seat in table},
    )
    table.close(*_SEATS)
    if not event.effects:
        table.note("changes neither seller nor buyer, expected a table for at least one of them")
    return event


def _effect(table: Table) -> Effect:
    effect = Effect(
        walk_away=table.number("walk_away", "(-1, 1)", default=0.0),
        urgency=table.number("urgency", "[-1, 1]", default=0.0),
        alternative=table.flag("alternative"),
    )
    table.close()
    return effect


def _market(table: Table) -> MarketEvent:
    impact = table.table("impact")
    event = MarketEvent(
        id=table.slug(),
        headline=table.text("headline", 200),
        impact={seat: impact.number(seat, "(-1, 1)") for seat in _SEATS if seat in impact},
        noise=table.number("noise", "[0, 0.5)"),
    )
    impact.close(*_SEATS)
    table.close()
    return event


def _sweetener(table: Table) -> Sweetener:
    sweetener = Sweetener(
        giver=cast(Seat, table.choice("giver", _SEATS)),
        name=table.text("name", 120),
        worth=table.number("worth", _SHARE),
        cost=table.number("cost", _SHARE),
    )
    table.close()
    return sweetener


def _issue(table: Table) -> Issue:
    options = table.tables("option")
    issue = Issue(
        id=table.slug(),
        title=table.text("title", 60),
        options=tuple(_option(option) for option in options),
        jitter=table.number("jitter", "[0, 0.5)", default=ISSUE_JITTER),
    )
    table.close()
    if not 2 <= len(options) <= MAX_OPTIONS:
        table.note(f"has {len(options)}, expected 2 to {MAX_OPTIONS} tables [[issue.option]]", "option")
    _no_twins(options, [option.id for option in issue.options])
    return issue


def _option(table: Table) -> Option:
    option = Option(
        id=table.slug(),
        label=table.text("label", 60),
        says=table.texts("says", 0, 12, optional=True),
        value={seat: table.number(seat) for seat in _SEATS},
    )
    table.close()
    return option


def _no_twins(tables: list[Table], ids: Iterable[str]) -> None:
    """Note every id that an earlier table of the same kind has already."""
    first: dict[str, Table] = {}
    for table, found in zip(tables, ids, strict=True):
        if found and found in first:
            table.note(f"{shown(found)} is taken by {Problem(first[found].path, '').where}", "id")
        first.setdefault(found, table)


def _sound(top: Table, *paths: tuple[str | int, ...]) -> bool:
    """Whether none of these fields has a problem of its own: what follows from it need not be said as well."""
    faulty = [problem.path for problem in top.problems]
    return not any(path[: len(bad)] == bad for path in paths for bad in faulty)


def _check_figures(scenario: Scenario, top: Table) -> None:
    """Limits, openings and the plausible range, against each other."""
    seats, low, high = scenario.seats, scenario.plausible_low, scenario.plausible_high
    floor, ceiling = seats["seller"].walk_away, seats["buyer"].walk_away
    if _sound(top, ("seller", "walk_away"), ("buyer", "walk_away")) and floor >= ceiling:
        top.note(f"{shown(ceiling)} is not above seller.walk_away ({shown(floor)})", "buyer", "walk_away")
    if not _sound(top, ("plausible_low",), ("plausible_high",)):
        return
    if low >= high:
        top.note(f"{shown(high)} is not above plausible_low ({shown(low)})", "plausible_high")
        return
    for seat, spec in seats.items():
        for key in ("walk_away", "opening"):
            value = getattr(spec, key)
            if _sound(top, (seat, key)) and not low <= value <= high:
                expected = f"between plausible_low ({shown(low)}) and plausible_high ({shown(high)})"
                top.note(f"{shown(value)} is not {expected}", seat, key)


def _check_turns(scenario: Scenario, top: Table) -> None:
    """News falls while the deal is played, and there is room for as much as is promised."""
    if not _sound(top, ("horizon",)):
        return
    for place, event in enumerate(scenario.drift, 1):
        path = ("drift", place, "turn")
        if _sound(top, path) and event.turn > scenario.horizon:
            top.note(f"{event.turn} is beyond the horizon of {scenario.horizon} turns", *path)
    key = "market_events_per_game"
    if not _sound(top, (key,), ("market",)):
        return
    most = scenario.market_events_per_game[1]
    last = int(scenario.horizon * LAST_MARKET_TURN_SHARE)
    taken = {event.turn for event in scenario.drift}
    free = len(set(range(FIRST_MARKET_TURN, last + 1)) - taken)
    if len(scenario.market) > MAX_MARKET:
        top.note(f"there are {len(scenario.market)}, expected at most {MAX_MARKET}", "market")
    elif most > len(scenario.market):
        top.note(f"{most} is more than the {len(scenario.market)} tables [[market]]", key)
    elif most > free:
        there = f"free turns from {FIRST_MARKET_TURN} to {last}, three quarters of the horizon"
        top.note(f"{most} is more than the {free} {there}", key)


def _check_issues(issues: tuple[Issue, ...], tables: list[Table], top: Table) -> None:
    """Names that tell issues apart, and few enough bundles to look at them all."""
    _no_twins(tables, [issue.id for issue in issues])
    for table, issue in zip(tables, issues, strict=True):
        if issue.id == "price":
            table.note('"price" is taken: every deal has a price', "id")
    bundles = math.prod(len(issue.options) for issue in issues)
    if len(issues) > MAX_ISSUES:
        top.note(f"there are {len(issues)}, expected at most {MAX_ISSUES}", "issue")
    elif bundles > MAX_BUNDLES:
        top.note(f"the options make {bundles} bundles, expected at most {MAX_BUNDLES}", "issue")


@cache
def scenario_texts() -> dict[str, str]:
    """The texts of the scenarios that ship, by id, in the order of their files."""
    found = {}
    for path in sorted(SCENARIO_DIR.glob("*.toml")):
        text = path.read_text(encoding="utf-8")
        found[read_scenario(text, path.name).id] = text
    return found


@cache
def scenarios() -> dict[str, Scenario]:
    """All scenarios that ship, by id, in the order of their files."""
    return {id_: read_scenario(text, id_) for id_, text in scenario_texts().items()}
