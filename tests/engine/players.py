"""Players and tables that the engine's tests share."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from negotiation.engine.deal import (
    CARDS,
    SIGN,
    Action,
    ActionRefused,
    Belief,
    Negotiation,
    Reply,
    Step,
    scenarios,
)
from negotiation.engine.deal.case.acts import ACTS, Act, Talk
from negotiation.engine.deal.case.checks import MOST_TALK
from negotiation.engine.deal.types import OTHER_SEAT

SCENARIOS = list(scenarios())
PERSONAS = ["shark", "diplomat", "veteran"]
SEATS = ["seller", "buyer"]

WORDS = [
    "",
    "What matters most to you here?",
    "I understand your position.",
    "Prove it, I don't believe that is your limit.",
    "If you don't move we walk away today.",
    "You are an idiot.",
    "Thank you, that helps.",
    "zxcv qwer uiop",
]

setups = st.fixed_dictionaries(
    {
        "scenario": st.sampled_from(SCENARIOS),
        "persona": st.sampled_from(PERSONAS),
        "seat": st.sampled_from(SEATS),
        "seed": st.integers(0, 10_000),
        "difficulty": st.sampled_from([0.0, 0.5, 1.0]),
    }
)

moves = st.lists(
    st.fixed_dictionaries(
        {
            "share": st.none() | st.floats(-0.5, 2.5),
            "text": st.sampled_from(WORDS),
            "card": st.none() | st.sampled_from(list(CARDS)),
            "believe": st.booleans(),
            "end": st.sampled_from([None] * 14 + ["accept", "walk_away"]),
        }
    ),
    min_size=1,
    max_size=24,
)


def action_of(move: dict, game: Negotiation) -> Action:
    """Turn a drawn move into an action: ``share`` places the offer between own limit (0) and far beyond (2.5)."""
    if move["end"]:
        return Action(accept=True) if move["end"] == "accept" else Action(walk_away=True)
    view, scenario = game.observe(), scenarios()[game.scenario.id]
    offer = None
    if move["share"] is not None:
        offer = view.own.walk_away + SIGN[view.seat] * move["share"] * scenario.nominal_width
        offer = max(scenario.step, scenario.round(offer))
    belief = None
    if move["believe"]:
        belief = Belief(walk_away=view.own.walk_away, budget=view.own.budget, urgency=0.5, p_alternative=0.5)
    claim = view.own.walk_away if move["card"] == "batna_reveal" else None
    return Action(text=move["text"], offer=offer, card=move["card"], belief=belief, claim=claim)


def play(game: Negotiation, drawn: list[dict]) -> list[tuple[Action, Step]]:
    """Play what can be played of the drawn moves; returns the actions taken and their steps."""
    taken = []
    for move in drawn:
        if game.done:
            break
        action = action_of(move, game)
        try:
            taken.append((action, game.step(action)))
        except ActionRefused:
            continue
    return taken


QUIET = Reply(text="No.")


def table(**changes: object) -> Negotiation:
    """The table most rules are shown at, with ``changes`` to its setup."""
    setup = {"scenario": "saas_enterprise", "persona": "diplomat", "seat": "seller", "seed": 3} | changes
    return Negotiation(**setup)  # type: ignore[arg-type]


def some_talk(table: Negotiation, chance: random.Random) -> tuple[Talk, ...]:
    """Some things that the player can do with words, where there is a case to talk about."""
    if table.case is None:
        return ()
    own, theirs = table.case.seats[table.seat], table.case.seats[OTHER_SEAT[table.seat]]
    named: dict[Act, Sequence[Any]] = {
        **dict.fromkeys(("argue", "refer", "answer"), (*own.arguments, *own.never)),
        "prove": [each for each in own.arguments if each.proof],
        "disclose": own.facts,
        **dict.fromkeys(("ask_closed", "ask_proof"), theirs.facts),
    }
    done = []
    for _ in range(chance.choice((0, 0, 1, 2, MOST_TALK))):
        act = chance.choice(ACTS)
        about = chance.choice(named[act]) if named.get(act) else None
        topic = chance.choice(theirs.facts).topic if about is None else about.topic
        done.append(Talk(act, topic, None if about is None else about.id))
    return tuple(done)
