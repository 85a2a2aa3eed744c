"""What the page of a match shows: the board, what may be chosen, who it may be, what a move was worth, the result.

The name of an opponent still to be guessed enters a page in one place only, ``MatchPage.known``.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from functools import cached_property
from typing import Any

from negotiation.engine.drills.study import posterior
from negotiation.smallgames.boards import Line, board_of
from negotiation.smallgames.boards.items import ItemsBoard
from negotiation.smallgames.catalogue import BY_NAME
from negotiation.smallgames.models import SmallMatch
from negotiation.smallgames.opponents import Opponent, opponents_of, suspects_of
from negotiation.smallgames.selectors import is_clean, knows_opponent
from negotiation.smallgames.sitting import Decision, Sitting

MOVES_SHOWN = 3
"""Of many actions that could have been taken, so many of the best are listed, and the player's own."""
_NEGLIGIBLE = 0.005


class MatchPage:
    """One match, for its player."""

    def __init__(self, match: SmallMatch, sitting: Sitting) -> None:
        self.match, self.sitting = match, sitting
        self.game = BY_NAME[match.game]
        self.board = board_of(sitting)
        self._opponents = opponents_of(match.game)

    def context(self) -> dict[str, Any]:
        """All that the template needs."""
        over = self.match.is_finished
        return {
            "match": self.match,
            "game": self.game,
            "board_template": f"smallgames/_{self.game.slug}.html",
            "picture": self.board.picture(),
            "phase": self.phase,
            "number": min(self.sitting.rounds_over + 1, self.game.rounds),
            "pips": [n < self.sitting.rounds_over for n in range(self.game.rounds)],
            "ask": self.board.ask,
            "choices": self.board.choices() if self.phase == "play" else [],
            "known": self.known,
            "guessing": self.match.mode == SmallMatch.Mode.GUESS,
            "may_name": self.known is None and self.sitting.rounds_over > 0,
            "suspects": self.suspects(),
            "odds_shown": self.odds_shown,
            "named": self._opponents[self.sitting.named] if self.sitting.named else None,
            "lines": self.lines(),
            "total": sum(line.paid for line in self.board.lines(reveal=False)),
            "last": self.last_move(),
            "result": self.result() if over else None,
            "action_id": uuid.uuid4(),
            "odds_id": uuid.uuid4(),
        }

    @property
    def phase(self) -> str:
        """``play``, ``name`` once all rounds are over and only the guess is missing, or ``over``."""
        if self.match.is_finished:
            return "over"
        return "name" if self.sitting.match.done else "play"

    @cached_property
    def known(self) -> Opponent | None:
        """Who it is, as far as the player has been told."""
        told = knows_opponent(self.match, self.sitting)
        return self._opponents[self.match.opponent] if told else None

    @property
    def odds_shown(self) -> bool:
        """Odds are seen on request, and by everybody once the guess is made."""
        return self.match.mode == SmallMatch.Mode.GUESS and (
            self.sitting.odds_asked or self.known is not None
        )

    def suspects(self) -> list[dict[str, Any]]:
        """Everybody it may be; with the odds after each round where those are shown. After the guess, the likeliest
        first.
        """
        if self.match.mode != SmallMatch.Mode.GUESS:
            return []
        path = posterior(self.sitting.game, self.sitting.view) if self.odds_shown else []
        rows = [
            {
                "opponent": who,
                "path": [odds[name] for odds in path],
                "now": path[-1][name] if path else None,
                "columns": columns([odds[name] for odds in path]),
                "is_it": self.known is not None and name == self.match.opponent,
                "named": name == self.sitting.named,
            }
            for name, who in suspects_of(self.match.game).items()
        ]
        return sorted(rows, key=lambda row: -row["now"]) if self.known and path else rows

    @cached_property
    def _costs(self) -> list[float]:
        """What each of the player's decisions gave away, once it is known against whom."""
        return [self._cost(decision) for decision in self.sitting.decisions] if self.known else []

    def _cost(self, decision: Decision) -> float:
        worths = self._worths(decision)
        cost = max(worths.values()) - worths[decision.action]
        return cost if cost > _NEGLIGIBLE else 0.0

    def _worths(self, decision: Decision) -> dict[int, float]:
        return self.sitting.facing(self.match.opponent).worths(decision.view) if self.known else {}

    def lines(self) -> list[dict[str, Any]]:
        """The rounds so far, each with what it gave away where that may be known."""
        costs: defaultdict[int, float] = defaultdict(float)
        for decision, cost in zip(self.sitting.decisions, self._costs, strict=False):
            costs[decision.view.round + 1] += cost
        rows: list[Line] = self.board.lines(reveal=self.match.is_finished)
        return [{"line": row, "cost": costs[row.number] if self.known else None} for row in rows]

    def last_move(self) -> dict[str, Any] | None:
        """What the last decision was worth beside the others, and what equilibrium play would have done."""
        if not self.sitting.decisions or self.match.is_finished:
            return None
        decision = self.sitting.decisions[-1]
        # Advice hangs on the player's own view only, so it may be shown whoever sits across.
        any_name = next(iter(self._opponents))
        advice = self.sitting.facing(any_name).advice(decision.view)
        theory = self.board.theory(advice, decision.view)
        worths = self._worths(decision)
        ranked = sorted(worths, key=lambda action: -worths[action])
        listed = ranked[:MOVES_SHOWN] + [a for a in ranked[MOVES_SHOWN:] if a == decision.action]
        low = min(0.0, *worths.values()) if worths else 0.0
        span = max(max(worths.values()) - low, 1e-9) if worths else 1.0
        return {
            "number": decision.view.round + 1,
            "did": self.board.words(decision.action, decision.view),
            "theory": theory,
            "cost": self._cost(decision) if worths else None,
            "weighed": [
                {
                    "text": self.board.words(action, decision.view),
                    "worth": worths[action],
                    "share": 100 * (worths[action] - low) / span,
                    "chosen": action == decision.action,
                }
                for action in listed
            ],
        }

    def result(self) -> dict[str, Any]:
        """The end: what was paid beside the best response and the equilibrium, with the same luck."""
        match = self.match
        paid, lost, best = match.paid or 0.0, match.given_away or 0.0, match.best or 0.0
        marks = [
            {"kind": "paid", "label": "You were paid", "value": paid},
            {"kind": "best", "label": "A best response", "value": paid + lost},
        ]
        if match.balanced is not None:
            even = paid + lost - (best - match.balanced)
            marks.append({"kind": "balanced", "label": "Equilibrium play", "value": even})
        nash = self.board.nash() if isinstance(self.board, ItemsBoard) else None
        if nash:
            marks.append({"kind": "balanced", "label": "Nash’s division", "value": nash["own"]})
        return {
            "opponent": self._opponents[match.opponent],
            "paid": paid,
            "given_away": lost if lost > _NEGLIGIBLE else 0.0,
            "marks": placed(marks),
            "nash": nash,
            "clean": is_clean(match),
        }


def placed(marks: list[dict[str, Any]]) -> dict[str, Any]:
    """Marks on a drawn axis of 360 by figure, with nothing on it too."""
    values = [mark["value"] for mark in marks]
    low, high = min(0.0, *values), max(0.0, *values)
    span = (high - low) or 1.0

    def x(value: float) -> float:
        return 20 + 320 * (value - low) / span

    return {"marks": [{**mark, "x": x(mark["value"])} for mark in marks], "zero": x(0.0)}


def columns(path: list[float]) -> list[dict[str, float]]:
    """Odds over time as columns in a drawing of height 24."""
    return [
        {"x": 7.0 * n, "y": 24 - max(24 * odds, 0.75), "height": max(24 * odds, 0.75)}
        for n, odds in enumerate(path)
    ]
