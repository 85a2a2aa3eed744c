"""Positions to practise on: real games, led up to a turn by a reference strategy, as their player saw them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from coaching.analysis.review.record import PlayedGame, PlayedMove, PlayedTurn, ReviewHeadline, TableView
from negotiation.engine.deal import SIGN, Action, Negotiation, Observation, Reply, Scenario, personas
from negotiation.engine.deal.issues import bundle_of, bundle_worths, labels
from negotiation.engine.deal.selfplay import STRATEGIES
from negotiation.engine.deal.streams import stream

_LEADERS = ("linear", "conceder", "boulware", "tit_for_tat")
"""The strategies that lead up to a position."""
_FINISHERS = (*_LEADERS, "bayesian", "stonewaller")
"""Those whose games are played to their end."""
_WORDS = ("", "What drives your timeline?", "", "I understand where you are coming from.")
_HOT_WORDS = ("If you don't move we walk away today.", "That is ridiculous.", "")
_NO_MOVE = PlayedMove(None, 0, None, None, None, accept=False, walk_away=False, words="")


@dataclass(frozen=True, slots=True)
class Reached:
    """A game led up to a position: as its player saw it, and their words so far."""

    played: PlayedGame
    seen: Observation
    said: str
    seed: int
    """Of the game: whoever judges in truth plays on from here against who was really there."""


def lead_up(
    scenario: Scenario,
    persona: str,
    rng: np.random.Generator,
    turns: tuple[int, int],
    at_stake: Callable[[Observation], bool],
    *,
    heated: bool = False,
) -> Reached | None:
    """Play a game of its own up to a position of the wanted kind.

    Args:
        turns: the first and the last turn that will do.
        at_stake: whether the position is what is wanted.
        heated: whether the player spoke so that it got hot.

    Returns:
        The position, or ``None`` when this game never came to one.
    """
    seed = int(rng.integers(1 << 60))
    seat = "seller" if rng.random() < 0.5 else "buyer"
    game = Negotiation(scenario, persona, seat, seed)  # type: ignore[arg-type]  # one of both seats
    player = STRATEGIES[_LEADERS[int(rng.integers(len(_LEADERS)))]]()
    player.told(scenario)
    first, last = turns
    record = _Record(game)
    for turn in range(1, last + 1):
        seen = game.observe()
        if turn >= first and at_stake(seen):
            return Reached(record.played(), seen, record.said, seed)
        action = player.act(seen, stream(seed, "player", turn))
        if action.accept or action.walk_away:
            return None
        words = _HOT_WORDS if heated else _WORDS
        record.step(Action(words[turn % len(words)], offer=action.offer, terms=action.terms))
        if game.done:
            return None
    return None


def last_chance(
    scenario: Scenario,
    persona: str,
    rng: np.random.Generator,
    first: int,
    fits: Callable[[Observation], bool],
) -> Reached | None:
    """Play a game of its own to its end, and go back to the last turn on which its player could choose.

    Args:
        first: the first turn that will do.
        fits: whether the position is what is wanted.

    Returns:
        The position, or ``None`` where the end came before, or otherwise.
    """
    seed = int(rng.integers(1 << 60))
    seat = "seller" if rng.random() < 0.5 else "buyer"
    game = Negotiation(scenario, persona, seat, seed)  # type: ignore[arg-type]  # one of both seats
    player = STRATEGIES[_FINISHERS[int(rng.integers(len(_FINISHERS)))]]()
    player.told(scenario)
    record = _Record(game)
    while True:
        turn, seen = game.turn, game.observe()
        reached = Reached(record.played(), seen, record.said, seed)
        action = player.act(seen, stream(seed, "player", turn))
        if not (action.accept or action.walk_away):
            record.step(Action(_WORDS[turn % len(_WORDS)], offer=action.offer, terms=action.terms))
        if action.accept or action.walk_away or game.done:
            return reached if turn >= first and fits(seen) else None


class _Record:
    """Writes a game down as its player saw it, turn by turn."""

    def __init__(self, game: Negotiation) -> None:
        self._game = game
        self._mine = self._theirs = 0
        self._turns: list[PlayedTurn] = []
        opening = game.opening
        self.said = opening.text if opening else ""
        self._opening = self._move(opening, "theirs") if opening and opening.offer is not None else None

    def step(self, action: Action) -> None:
        """Play one turn and note it."""
        before = self._game.observe()
        step = self._game.step(action)
        mine = self._move(action, "mine")
        reply = self._move(step.reply, "theirs")
        self.said = step.reply.text
        after = step.observation
        self._turns.append(PlayedTurn(before.turn, _view(before), mine, reply, _view(after)))

    def played(self) -> PlayedGame:
        """The game so far, with the turn that is now to be played."""
        seen, game = self._game.observe(), self._game
        now = PlayedTurn(seen.turn, _view(seen), _NO_MOVE, None, None)
        return PlayedGame(
            scenario=game.scenario,
            persona=game.persona,
            seat=game.seat,
            difficulty=0.5,
            horizon=game.horizon,
            opening=self._opening,
            turns=(*self._turns, now),
            headlines=tuple(ReviewHeadline(each.id, each.kind, each.turn) for each in seen.headlines),
        )

    def _move(self, made: Action | Reply, side: str) -> PlayedMove:
        issues = self._game.scenario.issues
        last = self._mine if side == "mine" else self._theirs
        bundle = bundle_of(issues, made.terms or {}, last) if made.offer is not None else last
        if side == "mine":
            self._mine = bundle
        else:
            self._theirs = bundle
        return PlayedMove(
            offer=made.offer,
            bundle=bundle,
            card=made.card,
            claim=made.claim,
            challenge=made.challenge,
            accept=made.accept,
            walk_away=made.walk_away,
            words=made.text,
        )


def _view(seen: Observation) -> TableView:
    return TableView(
        own=seen.own,
        own_offer=seen.own_offer,
        standing_offer=seen.standing_offer,
        open_claim=seen.open_claim,
        tension=seen.tension,
        points=seen.credibility_points,
        cards=seen.cards,
    )


def shown(reached: Reached) -> dict[str, Any]:
    """What the player sees of the position."""
    seen, scenario = reached.seen, reached.played.scenario
    persona = personas()[seen.persona]
    return {
        "scenario": scenario.id,
        "title": scenario.title,
        "persona": persona.id,
        "persona_name": persona.name,
        "seat": seen.seat,
        "turn": seen.turn,
        "horizon": seen.horizon,
        "own_limit": seen.own.walk_away,
        "claim": seen.open_claim,
        "words": reached.said,
        "tension_band": seen.tension_band,
        "offers": list(_offers(reached.played)),
        "own_terms": _in_words(scenario, dict(seen.own_terms)) if seen.own_offer is not None else "",
        "standing_terms": _in_words(scenario, dict(seen.standing_terms))
        if seen.standing_offer is not None
        else "",
        "own_worth": seen.own_worth,
        "standing_worth": seen.standing_worth,
        "worths": _worths(seen, scenario),
        "headlines": [headline.text for headline in seen.headlines],
    }


def _in_words(scenario: Scenario, terms: dict[str, str]) -> str:
    return ", ".join(labels(scenario.issues, bundle_of(scenario.issues, terms))) if scenario.issues else ""


def _worths(seen: Observation, scenario: Scenario) -> list[dict[str, Any]]:
    """What each option of each issue is worth to the player, in money, beyond the first."""
    return [
        {
            "title": issue.title,
            "options": [
                {"label": option.label, "worth": round(worth), "plain": abs(round(worth))}
                for option, worth in zip(issue.options, values, strict=True)
            ],
        }
        for issue, values in zip(scenario.issues, seen.own.values, strict=False)
    ]


def _offers(played: PlayedGame) -> Iterator[dict[str, Any]]:
    """Both sides' offers by turn, each with what it is worth to the player as a price on the first terms."""
    sign, worths = SIGN[played.seat], bundle_worths(played.scenario.issues, played.turns[0].before.own.values)

    def told(move: PlayedMove | None, side: str) -> dict[str, Any]:
        if move is None or move.offer is None:
            return {side: None, f"{side}_worth": None}
        return {side: move.offer, f"{side}_worth": move.offer + sign * float(worths[move.bundle])}

    if played.opening is not None:
        yield {"turn": 0, **told(None, "own"), **told(played.opening, "theirs")}
    for turn in played.turns[:-1]:
        yield {"turn": turn.turn, **told(turn.move, "own"), **told(turn.reply, "theirs")}
