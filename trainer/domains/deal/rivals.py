"""Who tests a learner at the table for two: the exploit pool, of reference strategies and of people who won.

A rival has the other seat and decides by itself; it sees what that seat may see. People's wins are played again from a
dataset of the flywheel whose filter is "only deals in which a person beat a model": consent, withdrawal and the trace
of who had which words are the dataset's.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from negotiation.engine.deal import Observation, Reply, Scenario
from negotiation.engine.deal.selfplay import STRATEGIES
from negotiation.opponents.protocol import Decision, Ruler, to_reply
from negotiation.opponents.protocol.ruler import LIMIT_POINTS
from trainer import datasets
from trainer.errors import BadInput

WIN = "win:"
"""Before the name of a rival that is a person's win."""
MODEL = "negotiator"
"""What a record calls a model that decided for itself."""
BEATEN = 0.5
"""A person won who took more than this share of the zone."""


class Rival(Protocol):
    """Whoever has the other seat of one deal."""

    def reply(self, seen: Observation) -> Reply:
        """Its answer, from the table as its seat sees it."""


class ScriptedRival:
    """A reference strategy, for its offers alone: no words and no cards."""

    def __init__(self, name: str, board: Scenario, seed: int) -> None:
        self._strategy = STRATEGIES[name]()
        self._strategy.told(board)
        self._seed = seed

    def reply(self, seen: Observation) -> Reply:
        """The strategy's move as an answer."""
        action = self._strategy.act(seen, np.random.default_rng([self._seed, 16, seen.turn]))
        if action.accept or action.walk_away:
            return to_reply(Decision("accept" if action.accept else "walk"), seen)
        return to_reply(Decision("offer", action.offer, action.terms), seen)


@dataclass(frozen=True, slots=True)
class Win:
    """How a person beat a model: own offers by turn in points of their own ruler, and where they took what lay there."""

    offers: tuple[tuple[int, int], ...]
    """(turn, points), oldest first; never empty."""
    taken_on: int | None
    """The turn on which they accepted, if they did."""


class Replayed:
    """A person's moves once more. Money is in points, so they fit whatever limits this deal has drawn."""

    def __init__(self, win: Win, board: Scenario) -> None:
        self._win, self._board = win, board

    def reply(self, seen: Observation) -> Reply:
        """What the person did on this turn; the last of it when the deal goes on longer."""
        ruler = Ruler.of(seen, self._board)
        planned = [points for turn, points in self._win.offers if turn <= seen.turn]
        points = planned[-1] if planned else self._win.offers[0][1]
        if seen.standing_offer is not None:
            lies = ruler.points(seen.standing_offer, seen.standing_terms)
            late = self._win.taken_on is not None and seen.turn >= self._win.taken_on
            if lies >= (LIMIT_POINTS if late else points):
                return to_reply(Decision("accept"), seen)
        return to_reply(Decision("offer", ruler.money(points), dict(seen.own_terms) or None), seen)


Wins = Mapping[str, Win]


def rival(name: str, board: Scenario, seed: int, wins: Wins) -> Rival:
    """The rival of a name, for one deal.

    Raises:
        BadInput: for a name that is none.
    """
    if name.startswith(WIN):
        if name not in wins:
            raise BadInput(f"rivals: nobody's win is called {name!r}")
        return Replayed(wins[name], board)
    if name not in STRATEGIES:
        raise BadInput(f"rivals: there is no {name!r}; there are {', '.join(STRATEGIES)}")
    return ScriptedRival(name, board, seed)


def read_wins(folder: Path) -> dict[str, Win]:
    """People's wins out of a dataset in the brief style, by the name of a rival.

    Raises:
        BadInput: for a dataset that cannot be read, or holds no deal in which a person beat a model.
    """
    told: dict[str, list[tuple[int, dict[str, object]]]] = defaultdict(list)
    for part in ("train.jsonl", "validation.jsonl"):
        path = folder / part
        if part != "train.jsonl" and not path.exists():
            continue
        for number, record in datasets.records(path):
            source = record.get("source") or {}
            if source.get("opponent") != MODEL or (source.get("efficiency") or 0) <= BEATEN:
                continue
            try:
                turn, answer = (
                    int(record["id"].rsplit("-", 1)[1]),
                    json.loads(record["messages"][-1]["content"]),
                )
            except (KeyError, IndexError, TypeError, ValueError) as problem:
                raise BadInput(f"{path}, line {number}: not a decision in the brief style") from problem
            told[str(source["game"])].append((turn, answer))
    wins = {WIN + game: _win(sorted(moves, key=lambda move: move[0])) for game, moves in told.items()}
    found = {name: win for name, win in wins.items() if win is not None}
    if not found:
        raise BadInput(f"{folder} holds no deal in which a person beat a model")
    return found


def _win(moves: list[tuple[int, dict[str, object]]]) -> Win | None:
    """``None`` for somebody who never named a figure: there is nothing to play again."""
    offers = tuple((turn, int(str(move["offer"]))) for turn, move in moves if move.get("act") == "offer")
    if not offers:
        return None
    taken = next((turn for turn, move in moves if move.get("act") == "accept"), None)
    return Win(offers, taken)
