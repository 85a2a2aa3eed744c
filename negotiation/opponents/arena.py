"""The arena: opponents against each other, in both seats, on the same deals.

Every pair meets on every scenario and seed twice, each once in the player's seat. Shares are of what there was to share;
a game without a deal is a share of 0 for both. Games whose zone was empty say nothing about either and are left out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from negotiation.engine.deal import OTHER_SEAT, SIGN, Action, Negotiation, Scenario
from negotiation.engine.deal.types import Seat
from negotiation.engine.figures import bootstrap
from negotiation.opponents.base import Account, Opponent
from negotiation.opponents.guest import Guest

AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class Contestant:
    """Who takes part. ``name`` is as it was written; ``persona`` is in whose character it sits there."""

    name: str
    persona: str
    opponent: Opponent


@dataclass(frozen=True, slots=True)
class Meeting:
    """One game: ``player`` and ``across`` are contestants' names; shares in [0, 1]."""

    player: str
    across: str
    deal: bool
    shares: tuple[float, float]
    turns: int
    breaches: tuple[int, int]
    accounts: tuple[tuple[Account, ...], tuple[Account, ...]]


@dataclass(slots=True)
class Tally:
    """What one contestant did over all its games."""

    deals: list[float] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)
    accounts: list[Account] = field(default_factory=list)
    breaches: int = 0
    scores: list[tuple[str, float]] = field(default_factory=list)
    """Whom it met, and its score from 0 to 1: the half by which its share was the larger one."""


async def meet(
    player: Contestant, across: Contestant, scenario: Scenario, seat: Seat, seed: int
) -> Meeting | None:
    """Play one game; ``None`` where there was nothing to share from the start."""
    game = Negotiation(scenario, across.persona, seat, seed)
    if game.truth.original_zone <= 0:
        return None
    guest = Guest(player.opponent, player.persona, game)
    accounts: tuple[list[Account], list[Account]] = ([], [])
    breach = 0
    while not game.done:
        action, account = await guest.act()
        if account is not None:
            accounts[0].append(account)
        standing = game.truth.opponent.walk_away
        answer = await across.opponent.reply(table=game, action=action, game=f"arena-{seed}")
        if answer.account is not None:
            accounts[1].append(answer.account)
        reply = game.step(action, answer.reply, words=answer.words).reply
        if reply.accept and _beyond(game, action, standing):
            breach = 1
    outcome = game.outcome
    if outcome is None:
        raise RuntimeError("a finished game has an outcome")
    mine = outcome.efficiency if outcome.deal else 0.0
    theirs = 0.0
    if outcome.joint_surplus is not None and outcome.best_joint_surplus > 0:
        theirs = min(1.0, max(0.0, outcome.joint_surplus / outcome.best_joint_surplus - mine))
    return Meeting(
        player=player.name,
        across=across.name,
        deal=outcome.deal,
        shares=(mine, theirs),
        turns=outcome.turns,
        breaches=(int(outcome.floor_breached), breach),
        accounts=(tuple(accounts[0]), tuple(accounts[1])),
    )


def _beyond(game: Negotiation, action: Action, walk_away: float) -> bool:
    """Whether the opponent took less than leaving was worth to it; where only the price is open."""
    if action.offer is None or game.scenario.issues:
        return False
    return SIGN[OTHER_SEAT[game.seat]] * (action.offer - walk_away) < -1e-6


async def tournament(
    contestants: Sequence[Contestant],
    scenarios: Sequence[Scenario],
    seeds: Sequence[int],
    heard: Callable[[int, int], None],
) -> list[Meeting]:
    """Every pair on every scenario, seed and seat, from both sides of the table.

    Args:
        heard: told how many games are over, and of how many.
    """
    gate = asyncio.Semaphore(AT_ONCE)
    over = 0
    seats: tuple[Seat, ...] = ("seller", "buyer")

    async def one(player: Contestant, across: Contestant, scenario: Scenario, seat: Seat, seed: int) -> Any:
        nonlocal over
        async with gate:
            played = await meet(player, across, scenario, seat, seed)
        over += 1
        heard(over, len(games))
        return played

    games = [
        (*pair, scenario, seats[number % 2], seed)
        for one_, other in combinations(contestants, 2)
        for pair in ((one_, other), (other, one_))
        for scenario in scenarios
        for number, seed in enumerate(seeds)
    ]
    played = await asyncio.gather(*(one(*game) for game in games))
    return [meeting for meeting in played if meeting is not None]


def tallies(meetings: Sequence[Meeting]) -> dict[str, Tally]:
    """The games by contestant."""
    found: dict[str, Tally] = {}
    for meeting in meetings:
        sides = ((meeting.player, meeting.across), (meeting.across, meeting.player))
        for at, (name, other) in enumerate(sides):
            tally = found.setdefault(name, Tally())
            tally.deals.append(float(meeting.deal))
            tally.shares.append(meeting.shares[at])
            tally.accounts += meeting.accounts[at]
            tally.breaches += meeting.breaches[at]
            tally.scores.append((other, 0.5 + (meeting.shares[at] - meeting.shares[1 - at]) / 2))
    return found


def interval(values: Sequence[float], seed: int) -> dict[str, Any] | None:
    """Mean with its 95% bootstrap interval; ``None`` of nothing."""
    if not values:
        return None
    return bootstrap(np.asarray(values, dtype=np.float64), seed).as_json()


def report_of(tally: Tally, seed: int) -> dict[str, Any]:
    """One contestant's figures. ``validity`` is the share of turns that its model answered at the first attempt."""
    asked = [account for account in tally.accounts if account.attempts]
    waits = sorted(account.seconds for account in asked)
    closed = [share for share, deal in zip(tally.shares, tally.deals, strict=True) if deal]
    return {
        "games": len(tally.deals),
        "deal_rate": interval(tally.deals, seed),
        "share": interval(tally.shares, seed),
        "share_of_deals": interval(closed, seed),
        "validity": interval([float(a.attempts == 1 and not a.stand_in) for a in asked], seed),
        "stand_ins": interval([float(account.stand_in) for account in asked], seed),
        "interventions_per_turn": interval([float(len(account.interventions)) for account in asked], seed),
        "limit_breaches": tally.breaches,
        "latency": interval(waits, seed),
        "latency_p50": waits[len(waits) // 2] if waits else None,
        "latency_p95": waits[min(len(waits) - 1, int(0.95 * len(waits)))] if waits else None,
        "tokens": sum(account.tokens for account in asked),
    }
