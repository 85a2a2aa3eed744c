"""A whole game for three: one seat played from outside, the others by personas, from one seed.

The same seed and the same actions give the same game, so a log of the player's actions is enough to have it back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from negotiation.engine.coalition.chance import stream
from negotiation.engine.coalition.mind import Mind
from negotiation.engine.coalition.outcome import settle
from negotiation.engine.coalition.scenario import Array, CoalitionScenario, coalition_scenarios
from negotiation.engine.coalition.speech import Speaker
from negotiation.engine.coalition.table import Table
from negotiation.engine.coalition.types import (
    EVERYONE,
    SEAT_INDEX,
    SEATS,
    Action,
    Entry,
    Observation,
    Outcome,
    Seat,
)
from negotiation.engine.deal.persona import personas


def draw_stakes(scenario: CoalitionScenario, seed: int) -> Array:
    """The hidden truth of one seed, in steps of the scenario's money; shape (seat, arrangement)."""
    drawn = scenario.draw(stream(seed, "truth"), 1)[0]
    return np.asarray(np.round(drawn / scenario.step) * scenario.step)


class CoalitionGame:
    """A game of one player among personas. ``seats`` says which persona sits where; the rest are played from outside.

    ``stakes`` replaces the truth of the seed, for tests and what-if questions.
    """

    def __init__(
        self,
        scenario: str,
        seats: Mapping[Seat, str],
        seed: int,
        *,
        stakes: Array | None = None,
        speak: bool = True,
    ) -> None:
        self.scenario = coalition_scenarios()[scenario]
        self.seed = seed
        self.table = Table(self.scenario, draw_stakes(self.scenario, seed) if stakes is None else stakes)
        self._speak = speak
        people = EVERYONE - frozenset(seats)
        said: set[str] = set()
        self._minds: dict[Seat, Mind] = {}
        self._speakers: dict[Seat, Speaker] = {}
        for seat in SEATS:
            if seat in seats:
                persona = personas()[seats[seat]]
                rng = stream(seed, "character", SEAT_INDEX[seat])
                self._minds[seat] = Mind(persona, self.scenario, self.table.observe(seat), rng)
                self._speakers[seat] = Speaker(persona.voice, seat, self.scenario, people, said)
        self._play_on()

    @property
    def done(self) -> bool:
        """Whether the game has ended."""
        return self.table.done

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; ``None`` while it goes on."""
        return settle(self.table) if self.table.done else None

    def observe(self, seat: Seat) -> Observation:
        """What ``seat`` may know now."""
        return self.table.observe(seat)

    def check(self, seat: Seat, action: Action) -> None:
        """Raise ``ActionRefused`` when the action cannot be taken; change nothing."""
        self.table.check(seat, action)

    def step(self, seat: Seat, action: Action) -> tuple[Entry, ...]:
        """Take one turn, and all turns of personas after it; the new entries, unredacted."""
        before = len(self.table.entries)
        self.table.take(seat, action)
        self._play_on()
        return tuple(self.table.entries[before:])

    @classmethod
    def replay(
        cls, scenario: str, seats: Mapping[Seat, str], seed: int, actions: Iterable[tuple[Seat, Action]]
    ) -> CoalitionGame:
        """The game after these actions of the seats that are played from outside."""
        game = cls(scenario, seats, seed)
        for seat, action in actions:
            game.step(seat, action)
        return game

    def _play_on(self) -> None:
        while self.table.to_move in self._minds:
            seat = self.table.to_move
            view = self.table.observe(seat)
            action = self._minds[seat].decide(view, stream(self.seed, "turn", view.turn))
            words = "…"
            if self._speak:
                words = self._speakers[seat].say(action, view, stream(self.seed, "speech", view.turn))
            self.table.take(seat, replace(action, text=words))
