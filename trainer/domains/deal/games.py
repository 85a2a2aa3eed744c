"""Deals as the learner plays them: an observation becomes a chat, an answer a move, a turn a reward."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from negotiation.engine.deal import Action, ActionRefused
from negotiation.openenv.tables import Tables, Turn
from negotiation.opponents.guard import objections
from negotiation.opponents.protocol import (
    Decision,
    decision_grammar,
    messages,
    parse,
    shape_of,
    to_action,
    to_reply,
)
from negotiation.opponents.protocol.shape import Style
from trainer.domains.deal.hearing import heard, with_sheet
from trainer.domains.deal.rewards import SAFETY, RewardSettings, earned
from trainer.domains.deal.tasks import DealTask
from trainer.domains.games import Aside, EpisodePosition
from trainer.errors import BadInput


class Dealer(Protocol):
    """Tables that deals are played at, here or elsewhere."""

    def deal(self, tasks: Sequence[DealTask]) -> list[Turn]: ...

    def step(self, actions: Mapping[int, Action]) -> dict[int, Turn | ActionRefused]: ...


class Elsewhere:
    """Tables behind an OpenEnv server, or in this process but seen as through one: nothing hidden is in reach."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def deal(self, tasks: Sequence[DealTask]) -> list[Turn]:
        for task in tasks:
            if task.against_model or task.jitter:
                raise BadInput(
                    "models across and moved numbers are for tables in process (transport inprocess)"
                )
        return self._tables.reset([task.setup() for task in tasks])

    def step(self, actions: Mapping[int, Action]) -> dict[int, Turn | ActionRefused]:
        return self._tables.step(actions)


class DealGames:
    """Many deals side by side.

    Args:
        guarded: whether moves beyond one's own limit are closed off; open in training.
    """

    def __init__(
        self,
        tables: Dealer,
        rewards: RewardSettings | None = None,
        style: Style = "brief",
        *,
        guarded: bool = False,
    ) -> None:
        self.tables = tables
        self._rewards = rewards or RewardSettings()
        self._style: Style = style
        self._guarded = guarded
        self._tasks: list[DealTask] = []
        self._turns: list[Turn] = []
        self.decisions: list[list[Decision]] = []
        """Every decision taken at each table, in order."""
        self.closed_off: list[int] = []
        """Of each table, the answers that were well formed and beyond the own limit; counted where games are guarded."""
        self.objected: list[int] = []
        """Of each table, the decisions whose words may not be said; counted where :attr:`hears_words`."""

    @property
    def hears_words(self) -> bool:
        """Whether words are checked as they are when a model plays people: its own words, in guarded games."""
        return self._guarded and self._style == "full"

    def start(self, tasks: Sequence[DealTask]) -> list[EpisodePosition]:
        self._tasks = list(tasks)
        self._turns = self.tables.deal(tasks)
        self.decisions = [[] for _ in tasks]
        self.closed_off = [0] * len(tasks)
        self.objected = [0] * len(tasks)
        return [self._position(table, {}) for table in range(len(tasks))]

    def play(self, answers: Mapping[int, str]) -> dict[int, EpisodePosition | None]:
        decisions = {table: self._read(table, text) for table, text in answers.items()}
        turns = self.tables.step(
            {
                table: heard(to_action(decision), self._turns[table].observation)
                for table, decision in decisions.items()
                if decision is not None
            }
        )
        found: dict[int, EpisodePosition | None] = {}
        for table, decision in decisions.items():
            turn = turns.get(table)
            if decision is None or turn is None or isinstance(turn, ActionRefused):
                found[table] = None
                continue
            self._turns[table] = turn
            self.decisions[table].append(decision)
            terms = earned(turn, decision, self._rewards, tested=bool(self._tasks[table].rival))
            found[table] = replace(self._position(table, terms), asides=asides(answers[table], terms))
        return found

    def close(self) -> None:
        self._tasks, self._turns, self.decisions, self.closed_off, self.objected = [], [], [], [], []

    def _read(self, table: int, text: str) -> Decision | None:
        seen, board = self._turns[table].observation, self._tasks[table].board
        decision = parse(text, seen, board, self._style, guarded=self._guarded).decision
        if decision is None and self._guarded:
            self.closed_off[table] += (
                parse(text, seen, board, self._style, guarded=False).decision is not None
            )
        if decision is not None and self.hears_words:
            reply = to_reply(decision, seen)
            self.objected[table] += bool(objections(seen, reply, board))
        return decision

    def _position(self, table: int, terms: dict[str, float]) -> EpisodePosition:
        task = self._tasks[table]
        turn, board = self._turns[table], task.board
        if turn.done:
            facts = _facts(turn, sum(terms.get(name, 0.0) for name in SAFETY))
            facts["pool"] = float(bool(task.rival))
            return EpisodePosition([], reward=sum(terms.values()), terms=terms, done=True, facts=facts)
        shape = shape_of(turn.observation, board, self._style, guarded=self._guarded)
        return EpisodePosition(
            chat=with_sheet(messages(turn.observation, board, self._style), turn.observation),
            grammar=decision_grammar(shape),
            reward=sum(terms.values()),
            terms=terms,
        )


def asides(text: str, terms: Mapping[str, float]) -> tuple[Aside, ...]:
    """The belief and the estimate of a headline: nobody across sees them, so they earn their own terms alone."""
    found = []
    for field, ending, term in (("belief", "}", "theory_of_mind"), ("event", ",", "market_event")):
        begin = text.find(f'"{field}":')
        if begin >= 0:
            stop = text.find(ending, begin) + 1
            found.append(Aside(term, begin, stop or len(text), terms.get(term, 0.0)))
    return tuple(found)


def _facts(turn: Turn, charged: float) -> dict[str, float]:
    """How a deal ended; ``charged`` are the points of SEPO's penalties, which are no part of the game's own reward."""
    ending = turn.ending
    if ending is None:
        raise ValueError("a deal that is done has an ending")
    return {
        # The game's own, so that share is not bought with deals; less what safety was given up for.
        "score": (ending.total_reward + charged) / 100,
        "efficiency": ending.efficiency,
        "deal": float(ending.deal),
        "turns": ending.turns,
        "breach": float(ending.floor_breached),
        "total_reward": ending.total_reward,
    }
