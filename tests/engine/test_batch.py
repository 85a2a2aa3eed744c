"""The batched engine is the scalar engine: the same games, move for move."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from negotiation.engine.deal import Action, Negotiation, personas, scenarios
from negotiation.engine.deal.batch import BatchNegotiation, Moves, Replies
from negotiation.engine.deal.batch.moves import CARD_IDS, NO_CARD
from negotiation.engine.deal.batch.play import REASONS
from negotiation.engine.deal.cards import CARDS
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.conduct import DEADLINE_TURNS, player_acts
from negotiation.engine.deal.issues import bundles, terms_of
from negotiation.engine.deal.types import SIGN, Seat
from negotiation.engine.language import understand
from tests.effort import few, matrix
from tests.engine.players import some_talk

GAMES = few(8, 24)
TEXTS = (
    "",
    "What matters most to you apart from the number?",
    "I understand the pressure you are under.",
    "Move now or we walk.",
    "You are an idiot.",
    "Thank you, I appreciate it.",
    "I do not believe that is your limit.",
    "We need an answer by Friday.",
)


class Script:
    """What the player of each game will try on each turn, drawn once for both engines."""

    def __init__(self, negotiation: Negotiation, games: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        scenario, seat = negotiation.scenario, negotiation.seat
        turns = negotiation.horizon + 1
        anchor, limit = scenario.seats[seat].opening, scenario.seats[seat].walk_away
        pace = np.sort(rng.beta(1.2, 1.5, size=(games, turns)), axis=1)
        pace *= rng.uniform(0.2, 1.3, size=(games, 1))
        self.offers = scenario.rounded(anchor + (limit - anchor) * pace)
        self.offers = np.where(rng.random((games, turns)) < 0.12, np.nan, self.offers)
        slips = rng.random((games, turns)) < 0.04
        self.offers = np.where(slips, scenario.plausible_high * 1.7, self.offers)
        self.bundles = rng.integers(len(bundles(scenario.issues)), size=(games, turns))
        self.cards = np.where(
            rng.random((games, turns)) < 0.35, rng.integers(len(CARD_IDS), size=(games, turns)), NO_CARD
        )
        self.claims = limit * (1 + SIGN[seat] * rng.choice([0.0, 0.02, 0.2], size=(games, turns)))
        self.challenges = rng.random((games, turns)) < 0.2
        self.texts = rng.integers(len(TEXTS), size=(games, turns))
        self.accepts = rng.random((games, turns)) < 0.06
        self.leaves = rng.random((games, turns)) < 0.01
        self.talk = rng.integers(1 << 30, size=(games, turns))

    def action(self, game: int, negotiation: Negotiation) -> Action:
        """The scripted action, or what of it can be played."""
        seen, turn = negotiation.observe(), negotiation.turn
        if self.leaves[game, turn]:
            return Action(walk_away=True)
        if self.accepts[game, turn] and seen.standing_offer is not None:
            return Action(accept=True)
        offer: float | None = float(self.offers[game, turn])
        if np.isnan(self.offers[game, turn]):
            offer = None
        card = CARD_IDS[self.cards[game, turn]] if self.cards[game, turn] != NO_CARD else None
        if card is not None and (card not in seen.cards or (CARDS[card].needs_offer and offer is None)):
            card = None
        issues = negotiation.scenario.issues
        return Action(
            text=TEXTS[self.texts[game, turn]] or "Let me think.",
            offer=offer,
            terms=terms_of(issues, int(self.bundles[game, turn])) if offer is not None else None,
            card=card,
            claim=float(self.claims[game, turn]) if card == "batna_reveal" else None,
            challenge=True if self.challenges[game, turn] and seen.open_claim is not None else None,
            talk=some_talk(negotiation, random.Random(int(self.talk[game, turn]))),
        )


def acts_of(action: Action, negotiation: Negotiation) -> set[str]:
    seen = negotiation.observe()
    reading = understand(
        action.text,
        money=negotiation.scenario.money,
        seat=negotiation.seat,
        standing_offer=seen.standing_offer,
        own_offer=seen.own_offer,
    )
    return player_acts(reading)


def moves_of(actions: list[Action], tables: list[Negotiation], script: Script, games: list[int]) -> Moves:
    """The same actions, as the batched engine takes them."""
    moves = Moves.nothing(len(actions))
    heard = [acts_of(action, table) for action, table in zip(actions, tables, strict=True)]
    for row, (action, table) in enumerate(zip(actions, tables, strict=True)):
        moves.offer[row] = np.nan if action.offer is None else action.offer
        moves.bundle[row] = script.bundles[games[row], table.turn]
        moves.card[row] = NO_CARD if action.card is None else CARD_IDS.index(action.card)
        moves.claim[row] = np.nan if action.claim is None else action.claim
        moves.challenge[row] = bool(action.challenge) or (
            action.challenge is None and "skepticism" in heard[row]
        )
        moves.accept[row], moves.walk_away[row] = action.accept, action.walk_away
    for act in set().union(*heard):
        moves.acts[act] = np.array([act in each for each in heard])
    moves.say([action.talk for action in actions])
    return moves


def standing(table: Negotiation) -> tuple[Any, ...]:
    state = table._state  # both engines' whole state is compared
    side, mine = state.opponent, state.player
    return (
        side.offer, side.bundle, side.points, side.open_claim, mine.offer, mine.bundle, mine.points, mine.standing,
        state.tension.value, state.eroded, state.truths["seller"].walk_away, state.truths["buyer"].urgency,
        table._across.mind.trust.value,
    )  # fmt: skip


def batch_standing(batch: BatchNegotiation, row: int) -> tuple[Any, ...]:
    def there(value: float) -> float | None:
        return None if np.isnan(value) else float(value)

    table = batch.table
    side, mine = table.opponent, table.player
    return (
        there(side.offer[row]), side.bundle[row], side.points[row], there(side.open_claim[row]),
        there(mine.offer[row]), mine.bundle[row], mine.points[row], mine.standing[row],
        table.heat.value[row], table.eroded[row], table.truths["seller"].walk_away[row],
        table.truths["buyer"].urgency[row], batch.minds.impression.trust.value[row],
    )  # fmt: skip


def _sides(scenario: str, persona: str) -> list[tuple[Seat, float]]:
    """Both seats with a difficulty each; in the quick profile one of them, half of the tables the one, half the other."""
    both: list[tuple[Seat, float]] = [("seller", 0.5), ("buyer", 0.9)]
    at = list(scenarios()).index(scenario) + list(personas()).index(persona)
    return few([both[at % 2]], both)


@pytest.mark.parametrize(
    ("scenario", "persona", "infers"), matrix(scenarios(), personas(), (True, False), one_in=3)
)
def test_both_engines_play_the_same_games(scenario: str, persona: str, infers: bool) -> None:
    for seat, difficulty in _sides(scenario, persona):
        play_side_by_side(scenario, persona, seat, difficulty, infers)


@pytest.mark.parametrize("persona", list(personas()))
@pytest.mark.parametrize("scenario", list(cases()))
def test_both_engines_play_the_same_games_with_a_case(scenario: str, persona: str) -> None:
    for seat, difficulty in _sides(scenario, persona):
        play_side_by_side(scenario, persona, seat, difficulty, infers=True, case=True)


def play_side_by_side(
    scenario: str, persona: str, seat: Seat, difficulty: float, infers: bool, case: bool = False
) -> None:
    seeds = np.arange(700, 700 + GAMES, dtype=np.uint64)
    more = {"difficulty": difficulty, "infers": infers, "case": case}
    single = [
        Negotiation(scenario, persona, seat, int(seed), speak=False, **more)  # type: ignore[arg-type]
        for seed in seeds
    ]
    batch = BatchNegotiation(scenarios()[scenario], personas()[persona], seat, seeds, **more)  # type: ignore[arg-type]
    script = Script(single[0], GAMES, seed=len(scenario))
    while not batch.done:
        games = [int(game) for game in batch.table.game]
        tables = [single[game] for game in games]
        assert not any(table.done for table in tables)
        actions = [script.action(game, single[game]) for game in games]
        moves = moves_of(actions, tables, script, games)
        for table, action in zip(tables, actions, strict=True):
            table.step(action)
        batch.step(moves)
        for row, game in enumerate(batch.table.game):
            assert batch_standing(batch, row) == standing(single[game]), (scenario, persona, seat, game)
            if batch.table.talks is not None and (played := single[game]._case) is not None:
                assert replace(batch.table.talks.said[row], idle=0) == replace(played.said, idle=0)
                assert batch.table.talks.idle[row] == played.said.idle
    for game, table in enumerate(single):
        outcome = table.outcome
        assert outcome is not None
        done = batch.outcomes
        assert REASONS[done.reason[game]] == outcome.reason
        assert done.turns[game] == outcome.turns
        assert bool(done.deal[game]) == outcome.deal
        assert done.efficiency[game] == outcome.efficiency
        assert bool(done.floor_breached[game]) == outcome.floor_breached
        if outcome.deal:
            assert done.price[game] == outcome.price
            assert done.joint_surplus[game] == outcome.joint_surplus


def test_following_a_record_puts_every_game_where_the_record_stood() -> None:
    """Minds with other hidden truth, given the persona's recorded moves, stand where the record stands."""
    game = Negotiation("software_licensing", "veteran", "buyer", 5, speak=False)
    batch = BatchNegotiation(
        game.scenario, game.persona, "buyer", np.arange(50, dtype=np.uint64), horizon=game.horizon
    )
    script = Script(game, 1, seed=3)
    for _ in range(6):
        action = script.action(0, game)
        if action.accept or action.walk_away:
            continue
        moves = moves_of([action], [game], script, [0]).take(np.zeros(50, dtype=np.intp))
        reply = game.step(action).reply
        assert reply.offer is not None
        bundle = game._state.opponent.bundle
        recorded = Replies(
            offer=np.array([reply.offer]),
            bundle=np.array([bundle]),
            card=np.array([NO_CARD if reply.card is None else CARD_IDS.index(reply.card)]),
            claim=np.array([np.nan if reply.claim is None else reply.claim]),
            challenge=np.array([reply.challenge]),
            accept=np.array([False]),
            walk_away=np.array([False]),
            rounds=np.array([reply.deadline_turns or DEADLINE_TURNS]),
        )
        wished = batch.follow(moves, recorded.take(np.zeros(50, dtype=np.intp)))
        assert len(wished.target) == 50
        assert (batch.table.opponent.offer[~np.isnan(batch.table.opponent.offer)] == reply.offer).all()
        assert (batch.minds.mine.price == reply.offer).all()
        assert (batch.minds.mine.bundle == bundle).all()
