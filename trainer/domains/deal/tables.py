"""Tables of this process for learners and graders: any scenario, truth within reach, models across.

Where only persona and reward matter, ``negotiation.openenv``'s tables do the same near or far; these add what
stands on no wire: scenarios with moved numbers, the truth for a grader, and a model in the other seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from negotiation.engine.deal import Action, ActionRefused, Negotiation, Observation, Reply
from negotiation.engine.personas import USUAL
from negotiation.openenv.tables import Turn, first_turn, next_turn
from negotiation.opponents.protocol import (
    PERSON,
    decision_grammar,
    messages,
    parse,
    shape_of,
    to_reply,
)
from negotiation.opponents.protocol.shape import Style
from trainer.domains.deal.rivals import Rival, Wins, rival
from trainer.domains.deal.tasks import DealTask
from trainer.domains.games import Writer

ACROSS = USUAL
"""The persona whose seat a model takes; its mind stands in where the model leaves a move open."""


class OpenTables:
    """Deals whose truth may be looked at.

    Args:
        across: answers for the other seat where a task has a model there.
        style: how that model reads.
        speak: whether personas find words.
        wins: people's wins that rivals may play again.
    """

    def __init__(
        self,
        across: Writer | None = None,
        style: Style = "brief",
        *,
        speak: bool = False,
        wins: Wins | None = None,
    ) -> None:
        self.games: list[Negotiation] = []
        self.across = across
        self._wins: Wins = wins or {}
        self._rivals: dict[int, Rival] = {}
        self._style: Style = style
        self._speak = speak
        self._tasks: list[DealTask] = []

    def deal(self, tasks: Sequence[DealTask]) -> list[Turn]:
        """Set up these deals."""
        self._tasks = list(tasks)
        self.games = [
            Negotiation(
                task.board,
                ACROSS if task.against_model else task.persona,
                task.seat,
                task.seed,
                difficulty=task.difficulty,
                speak=self._speak,
                training_step=task.training_step,
                case=task.case,
            )
            for task in tasks
        ]
        self._rivals = {
            table: rival(task.rival, task.board, task.seed, self._wins)
            for table, task in enumerate(tasks)
            if task.rival
        }
        return [self._seen(table, first_turn(game)) for table, game in enumerate(self.games)]

    def step(self, actions: Mapping[int, Action]) -> dict[int, Turn | ActionRefused]:
        """Play one action at each of the tables named. A refused action changed nothing at its table."""
        turns: dict[int, Turn | ActionRefused] = {}
        replies: dict[int, Reply | None] = {}
        open_actions = {}
        for table, action in actions.items():
            try:
                self.games[table].check(action)
                open_actions[table] = action
            except ActionRefused as refusal:
                turns[table] = refusal
        replies = self._answers(open_actions)
        for table, action in open_actions.items():
            game = self.games[table]
            turns[table] = self._seen(table, next_turn(game, game.step(action, replies.get(table))))
        return turns

    def _answers(self, actions: Mapping[int, Action]) -> dict[int, Reply | None]:
        """What rivals and models across reply; nothing where the deal is closed by the player's own move."""
        open_to_answer = [
            table for table, action in actions.items() if not (action.accept or action.walk_away)
        ]
        found: dict[int, Reply | None] = {
            table: self._rivals[table].reply(self.games[table].across(actions[table]))
            for table in open_to_answer
            if table in self._rivals
        }
        asked = [
            table
            for table in open_to_answer
            if self._tasks[table].against_model and table not in self._rivals
        ]
        if not asked or self.across is None:
            return found
        views = [self._from_across(self.games[table].across(actions[table])) for table in asked]
        boards = [self.games[table].scenario for table in asked]
        shapes = [shape_of(view, board, self._style) for view, board in zip(views, boards, strict=True)]
        chats = [messages(view, board, self._style) for view, board in zip(views, boards, strict=True)]
        texts = self.across(chats, [decision_grammar(shape) for shape in shapes])
        for table, view, board, text in zip(asked, views, boards, texts, strict=True):
            decision = parse(text, view, board, self._style).decision
            found[table] = None if decision is None else to_reply(decision, view)
        return found

    @staticmethod
    def _from_across(view: Observation) -> Observation:
        return replace(view, persona=PERSON)

    def _seen(self, table: int, turn: Turn) -> Turn:
        """The player is told a model is across, not the persona whose chair it has."""
        if not self._tasks[table].against_model:
            return turn
        return replace(turn, observation=self._from_across(turn.observation))
