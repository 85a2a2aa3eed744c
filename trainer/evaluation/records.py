"""What is kept of a measured game, and the tables that keep it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from negotiation.engine.deal import SIGN, Action, ActionRefused, Move, Negotiation
from negotiation.engine.deal.reward import MARKET_EVENT_SCALE
from negotiation.openenv.tables import Turn
from trainer.domains.deal.tables import OpenTables
from trainer.domains.deal.tasks import DealTask


@dataclass(slots=True)
class GameRecord:
    """One game. Sums are over its turns; ``limit_error`` and ``observer_error`` are in widths of the zone."""

    task: DealTask
    deal: bool = False
    excused: bool = False
    """There was no deal to be had."""
    efficiency: float = 0.0
    turns: int = 0
    breach: bool = False
    reward: float = 0.0
    belief_score: float = 0.0
    beliefs: int = 0
    limit_error: float = 0.0
    observer_error: float = 0.0
    event_error: float = 0.0
    events: int = 0
    caught: int = 0
    false_calls: int = 0
    swallowed: int = 0
    conceded: float = 0.0
    """What was given away unmatched, in widths of the zone."""
    incoherent: int = 0
    first_offer: float | None = None
    """The first own offer beyond the own limit, in widths of the usual zone."""
    answers: int = 0
    malformed: int = 0
    """Answers that could not be played, those beyond the own limit among them where that is guarded."""
    closed_off: int = 0
    """Answers that were well formed and beyond the own limit; counted where that is guarded."""
    objected: int | None = None
    """Answers whose words the guard of the table refuses; ``None`` where they were not looked at."""
    transcript: tuple[Move, ...] = ()


class WatchedTables:
    """Tables that write down what is needed to measure a player."""

    def __init__(self, tables: OpenTables) -> None:
        self._tables = tables
        self.records: list[GameRecord] = []

    @property
    def games(self) -> list[Negotiation]:
        return self._tables.games

    def deal(self, tasks: Sequence[DealTask]) -> list[Turn]:
        self.records = [GameRecord(task) for task in tasks]
        return self._tables.deal(tasks)

    def step(self, actions: Mapping[int, Action]) -> dict[int, Turn | ActionRefused]:
        for table, action in actions.items():
            self._note_action(self.records[table], self.games[table], action)
        turns = self._tables.step(actions)
        for table, turn in turns.items():
            if not isinstance(turn, ActionRefused):
                self._note_turn(self.records[table], self.games[table], turn)
        return turns

    def _note_action(self, record: GameRecord, game: Negotiation, action: Action) -> None:
        if action.accept or action.walk_away:
            return
        sign, truth = SIGN[game.seat], game.truth
        width = truth.original_zone if truth.original_zone > 0 else game.scenario.nominal_width
        if action.belief is not None and action.belief.walk_away is not None:
            limit = truth.opponent.walk_away
            record.limit_error += min(1.0, abs(action.belief.walk_away - limit) / width)
            observed = sign * game.reference_posterior().mean()
            record.observer_error += min(1.0, abs(observed - limit) / width)
        if action.offer is not None and record.first_offer is None:
            own = truth.player.walk_away
            record.first_offer = sign * (action.offer - own) / game.scenario.nominal_width

    @staticmethod
    def _note_turn(record: GameRecord, game: Negotiation, turn: Turn) -> None:
        record.reward += turn.reward or 0.0
        for term in turn.reward_terms:
            if term.name == "theory_of_mind":
                record.belief_score += term.value
                record.beliefs += 1
            elif term.name == "market_event" and term.value > 0:
                record.event_error += (1 - term.value) * MARKET_EVENT_SCALE
                record.events += 1
            elif term.name == "bluff":
                record.caught += term.value == 1
                record.false_calls += term.value == -1
                record.swallowed += -1 < term.value < 0
            elif term.name == "capitulation":
                record.conceded += term.value
            elif term.name == "incoherence":
                record.incoherent += term.value > 0
        ending = turn.ending
        if ending is not None:
            record.transcript = turn.observation.transcript
            record.deal, record.turns = ending.deal, ending.turns
            record.efficiency, record.breach = ending.efficiency, ending.floor_breached
            record.excused = not ending.deal and game.truth.original_zone <= 0
