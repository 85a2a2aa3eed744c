"""What a policy is told before it answers: the whole view as JSON, or its figures alone for a small model.

``full`` is the view of :mod:`.view`, in JSON, behind the rules of an answer: for a model that can read. ``brief`` is
for a network of less than a million weights. It names for each unit, in the order in which orders are due, each place
that it could go to, and before the name what a player sees on the board there. No bot's opinion is in it.

A place in ``brief`` is ``what near stand crowd NAME``: whose centre it is (its owner's letter, ``n`` nobody's, ``o`` my
own, ``x`` no centre) with the moves from there to the nearest centre that is not mine (0 to 3); whose unit stands there
(a power's letter, ``me``, ``no``); how many units of others, and of mine, could be there next (``a`` none to ``d``).
"""

from __future__ import annotations

import json
from typing import Literal

from negotiation.engine.diplomacy.geography import (
    CENTRE_ID,
    CENTRES,
    NEUTRAL,
    NEXT,
    NODES,
    NODES_OF,
    PLACE,
    POWERS,
    PROVINCE,
    REACH,
)
from negotiation.engine.diplomacy.position import threat
from negotiation.engine.diplomacy.possible import possible_orders
from negotiation.engine.diplomacy.press.promises import Kind, turn_of
from negotiation.engine.diplomacy.state import FALL, WINTER, State
from trainer.domains.diplomacy.tables import Start
from trainer.domains.diplomacy.view import view
from trainer.domains.games import Chat

Style = Literal["brief", "full"]
_RULES = (
    "You play {power} in Diplomacy. Answer with <analysis> (your thoughts), then any number of <communication>"
    "<target>POWER or GLOBAL</target><truth_status>TRUTH or LIE</truth_status><message_content>at most 300 characters"
    "</message_content></communication>; nobody else sees the truth status. End with <orders>, one order a line out of "
    "valid_moves, in that order, and </orders>."
)
_FAR = 3
_CROWD = "abcd"


def chat(start: Start, style: Style) -> Chat:
    """What the power of ``start`` is asked."""
    if style == "brief":
        return [{"role": "user", "content": brief(start)}]
    seen = view(start.state, start.power, start.ledger, start.messages, dict(start.last))
    return [
        {"role": "system", "content": _RULES.format(power=POWERS[start.power])},
        {"role": "user", "content": json.dumps(seen)},
    ]


def brief(start: Start) -> str:
    """The position in figures."""
    state, power = start.state, start.power
    season = "winter" if state.season == WINTER else "moves" if state.moving else "retreats"
    due = state.delta(power) if state.season == WINTER else 0
    time, change = (
        "fall" if state.season >= FALL else "spring",
        "build" if due > 0 else "cut" if due else "even",
    )
    lines = [f"{POWERS[power]} {season} {time} {change}", *_others(start)]
    board = _Board(state, power)
    possible = possible_orders(state, power)
    for node in sorted(possible):
        if state.season == WINTER:
            lines.append(f"{board.told(node)} {NODES[node]}")
            continue
        goals = (
            NEXT[node]
            if state.moving
            else next(unit.options for unit in state.dislodged if unit.node == node)
        )
        lines.append(
            f"{board.told(node)} {NODES[node]}:" + "".join(f" {board.told(to)} {PLACE[to]}" for to in goals)
        )
    return "\n".join(lines)


def _others(start: Start) -> list[str]:
    """By power still on the board: how much it threatens me, and which peace stands between us."""
    state, me, turn = start.state, start.power, turn_of(start.state)
    found = []
    for other in range(len(POWERS)):
        if other == me or not (state.units[other] or state.centres(other)):
            continue
        mine, theirs = (
            any(promise.kind == Kind.NO_ATTACK for promise in start.ledger.standing(by, to, turn))
            for by, to in ((me, other), (other, me))
        )
        peace = "both" if mine and theirs else "mine" if mine else "theirs" if theirs else "none"
        found.append(f"{POWERS[other]} {threat(state, me, other).lower()} {peace}")
    return found


class _Board:
    """What one power sees in each place, worked out once."""

    def __init__(self, state: State, power: int) -> None:
        self._state, self._power = state, power
        self._stands = {PROVINCE[node]: owner for owner, row in enumerate(state.units) for node in row}
        self._near = _distances(state, power)
        self._mine = [0] * 100
        self._theirs = [0] * 100
        for owner, row in enumerate(state.units):
            crowd = self._mine if owner == power else self._theirs
            for node in row:
                for place in {*REACH[node], PROVINCE[node]}:
                    crowd[place] += 1

    def told(self, node: int) -> str:
        place = PROVINCE[node]
        centre = CENTRE_ID[place]
        owner = self._state.owners[centre] if centre >= 0 else None
        what = (
            "x"
            if owner is None
            else "n"
            if owner == NEUTRAL
            else "o"
            if owner == self._power
            else POWERS[owner][0].lower()
        )
        stands = self._stands.get(place)
        who = "no" if stands is None else "me" if stands == self._power else POWERS[stands][0].lower()
        crowd = "".join(_CROWD[min(count[place], 3)] for count in (self._theirs, self._mine))
        return f"{what}{'pqrs'[self._near[node]]} {who} {crowd}"


def _distances(state: State, power: int) -> list[int]:
    """By node: moves of that kind of unit to the nearest centre that is not the power's, at most ``_FAR``."""
    steps = [_FAR] * len(NODES)
    edge = [
        node
        for place, owner in zip(CENTRES, state.owners, strict=True)
        if owner != power
        for node in NODES_OF[place]
    ]
    for node in edge:
        steps[node] = 0
    for step in range(1, _FAR):
        edge = [there for node in edge for there in NEXT[node] if steps[there] > step]
        for node in edge:
            steps[node] = min(steps[node], step)
    return steps
