"""Reps of ``bench.hints`` at tables with a case: silent, asking alone, and doing what a hint says. It imports models: Django
has to be set up first.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from bench.coaching import deal
from bench.hints import ARMS, Shares
from bench.reps import Rep, Skills
from coaching.analysis.hints import Hint, hints
from negotiation import record
from negotiation.engine.deal import Action, Negotiation, Observation, Scenario
from negotiation.engine.deal.case.labels import OPENING_QUESTIONS
from negotiation.engine.deal.selfplay import STRATEGIES
from negotiation.engine.deal.strategies import Strategy
from negotiation.engine.deal.streams import stream
from negotiation.engine.deal.types import OTHER_SEAT, SIGN
from negotiation.events import Frame, redact
from trainer.domains.deal.hearing import heard

SEED: Final = 1_500_000
_HOLDS: Final = re.compile(
    r"Stay at|Hold it|before you (?:move|give)|before the next number|before your next number|Don't call it"
)
_SMALL: Final = re.compile(r"[Ss]mall(?:er)? steps|next step small")
_REAL: Final = re.compile(r"A real step now")
_TAKES: Final = re.compile(r"Consider taking it")
_LAST_TURN: Final = re.compile(r"One turn left.*already yours to take")
_CALLS: Final = re.compile(r"I doubt their")
_TERMS: Final = re.compile(r"“([^”]+)” on ")
_QUOTED: Final = re.compile(r"“([^”]+)”")
_ASKS: Final = re.compile(r"\b[Aa]sk\b")
_REAL_STEP: Final = 0.1
"""Of the usual zone."""
_ANY_QUESTION: Final = "What drives that on your side?"


def played(job: tuple[str, str, int]) -> Shares:
    """What one deal was worth to a rep in each arm."""
    rep, persona, number = job
    scenario, _, seat = deal(number)
    shares = {}
    for arm in ARMS:
        table = Negotiation(scenario, persona, seat, SEED + number, case=True)
        _play(table, _rep(rep), _ARMS[arm], SEED + number)
        shares[arm] = table.outcome.efficiency if table.outcome else 0.0
    return shares


def _rep(name: str) -> Strategy:
    return Rep(Skills(*[0.5] * 7)) if name == "rep" else STRATEGIES[name]()


Arm = Callable[[Action, Observation, Negotiation, list[record.Row]], Action]


def _play(table: Negotiation, player: Strategy, arm: Arm, seed: int) -> None:
    player.told(table.scenario)
    rows = list(_opening(table))
    while not table.done:
        turn, seen = table.turn, table.observe()
        own = replace(player.act(seen, stream(seed, "player", turn)), text="", card=None)
        action = arm(own, seen, table, rows)
        if action.offer is None and not (action.accept or action.walk_away) and not action.text:
            action = replace(action, text="I see.")
        action = heard(action, seen)
        rows.append(("player_moved", record.player_moved(turn, action, "")))
        rows += record.answered(table, turn, action)


def _opening(table: Negotiation) -> list[record.Row]:
    view = table.observe()
    start = {
        "scenario": table.scenario.id,
        "persona": table.persona.id,
        "seat": table.seat,
        "horizon": view.horizon,
        "difficulty": 0.5,
        "player_name": "",
        "case": table.scenario.id,
    }
    rows: list[record.Row] = [("game_started", start)]
    if table.opening is not None:
        rows.append(("opponent_moved", record.opponent_moved(0, table.opening)))
    rows.append(("turn_closed", record.turn_closed(view, 0)))
    rows.append(("turn_graded", record.turn_graded(table, 0, (), 0.0, table.truth.facts)))
    return rows


def _silent(own: Action, seen: Observation, table: Negotiation, rows: list[record.Row]) -> Action:
    return own


def _asks(own: Action, seen: Observation, table: Negotiation, rows: list[record.Row]) -> Action:
    """The own move, with the next question of the trade."""
    questions = list(OPENING_QUESTIONS[OTHER_SEAT[seen.seat]].values())
    ends = own.accept or own.walk_away
    return own if ends else replace(own, text=questions[(seen.turn - 1) % len(questions)])


def _obeys(own: Action, seen: Observation, table: Negotiation, rows: list[record.Row]) -> Action:
    """What the most pressing hint says; the own move where there is none, or where the rep ends the deal."""
    if own.accept or own.walk_away:
        return own
    graded = [data for kind, data in rows if kind == "turn_graded"]
    before = graded[-2]["posterior"] if len(graded) > 1 else None
    frames: list[Frame] = [
        redact(seq=seq, kind=kind, data=data, role="player") for seq, (kind, data) in enumerate(rows, 1)
    ]
    found = hints([dict(frame) for frame in frames], graded[-1]["posterior"], table.scenario, before)
    return _as_told(found[0], own, seen, table.scenario) if found else own


def _as_told(hint: Hint, own: Action, seen: Observation, scenario: Scenario) -> Action:
    """A hint read to the letter."""
    say = hint.say
    if _TAKES.search(say) or _LAST_TURN.search(say):
        return Action(accept=True)
    done = own
    if seen.own_offer is not None and _HOLDS.search(say):
        done = replace(done, offer=seen.own_offer, terms=dict(seen.own_terms) or None)
    elif seen.own_offer is not None and own.offer is not None and _SMALL.search(say):
        done = replace(done, offer=scenario.round((seen.own_offer + own.offer) / 2))
    elif seen.own_offer is not None and _REAL.search(say):
        done = replace(done, offer=_a_real_step(seen, scenario))
    if _CALLS.search(say) and seen.open_claim is not None:
        done = replace(done, challenge=True)
    if hint.kind == "terms" and (option := _option(say, scenario)) is not None and done.offer is not None:
        done = replace(done, terms={**(done.terms or {}), **option})
    return replace(done, text=_words(hint))


def _a_real_step(seen: Observation, scenario: Scenario) -> float:
    sign, own = SIGN[seen.seat], seen.own_offer or 0.0
    step = min(_REAL_STEP * scenario.nominal_width, max(0.0, sign * (own - seen.own.walk_away)))
    return scenario.round(own - sign * step)


def _option(say: str, scenario: Scenario) -> dict[str, str] | None:
    """The term that a hint names."""
    named = _TERMS.search(say)
    label = named[1] if named else ""
    return next(
        (
            {issue.id: option.id}
            for issue in scenario.issues
            for option in issue.options
            if option.label == label
        ),
        None,
    )


def _words(hint: Hint) -> str:
    """What is said with the move: the quoted question or argument, a word on what they told, else any question."""
    quoted = _QUOTED.findall(hint.say)
    if hint.kind == "objection":
        return str(quoted[-1])
    if hint.kind == "told":
        return "You said so just now. Tell me more about that."
    if quoted and quoted[0].endswith("?"):
        return str(quoted[0])
    return _ANY_QUESTION if _ASKS.search(hint.say) else ""


_ARMS: Final[dict[str, Arm]] = {"silent": _silent, "asks": _asks, "obeys": _obeys}
