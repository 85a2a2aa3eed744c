"""The drills as the learner's loop plays them: chats to answer, what the answers earned, the record at the end.

Nothing of torch. A task names a game, an opponent and a seed; rollouts of one task meet the same draws.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from negotiation.engine.drills import GAMES, KuhnStrategy, Strategy
from negotiation.opponents.protocol.grammar import NOTHING, Grammar, choice, literal
from trainer.domains.drills.contestants import MEASURED
from trainer.domains.drills.objective import Pool
from trainer.domains.drills.prompts import FULL, AnyMatch, Telling, chat, labels, parse
from trainer.domains.games import EpisodePosition


@dataclass(frozen=True, slots=True)
class DrillTask:
    """One match to play."""

    game: str
    opponent: str
    seed: int
    pool: Pool = "train"
    grown: Strategy | KuhnStrategy | None = None
    """An opponent that stands in no pool: a best response made to measure."""


@dataclass(slots=True)
class _Episode:
    match: AnyMatch
    opponent: Any
    rounds: list[int]
    """The round that each answer was given in; in poker a hand may take two answers."""


class DrillGames:
    """Many matches side by side."""

    def __init__(self, telling: Telling = FULL) -> None:
        self._telling = telling
        self._episodes: list[_Episode] = []

    def start(self, tasks: Sequence[DrillTask]) -> list[EpisodePosition]:
        """Clear all and set up these, each at the learner's first choice."""
        self._episodes = [_set_up(task) for task in tasks]
        return [_position(episode, self._telling) for episode in self._episodes]

    def play(self, answers: Mapping[int, str]) -> dict[int, EpisodePosition | None]:
        """Play one answer in each of the episodes named; ``None`` where no legal action stands alone at its end."""
        return {
            place: _answered(self._episodes[place], text, self._telling) for place, text in answers.items()
        }

    def close(self) -> None:
        """Leave all."""
        self._episodes = []


def _set_up(task: DrillTask) -> _Episode:
    game = GAMES[task.game]
    match: AnyMatch = game.match(game.draws(1, task.seed, task.opponent))
    opponent = task.grown or game.opponent(task.opponent)
    episode = _Episode(match, opponent, [])
    _opponent_moves(episode)
    return episode


def _answered(episode: _Episode, text: str, telling: Telling) -> EpisodePosition | None:
    action = parse(episode.match, MEASURED, text)
    if action is None:
        return None
    match = episode.match
    closed = len(match.payoffs)
    episode.rounds.append(match.view(MEASURED).round)
    actions = {MEASURED: action}
    for player in match.to_move:
        if player != MEASURED:
            actions[player] = episode.opponent.act(match.view(player), match.number(player))
    match.play(actions)
    _opponent_moves(episode)
    earned = sum(paid[MEASURED] for paid in match.payoffs[closed:])
    return _position(episode, telling, match.game.scale * earned)


def _opponent_moves(episode: _Episode) -> None:
    """In a game of turns, play on until the learner is to choose."""
    match = episode.match
    while not match.done and MEASURED not in match.to_move:
        (player,) = match.to_move
        match.play({player: episode.opponent.act(match.view(player), match.number(player))})


def _position(episode: _Episode, telling: Telling, reward: float = 0.0) -> EpisodePosition:
    """Where an episode stands; once it is over, ``facts`` hold the match, which any measure can be taken of."""
    match = episode.match
    if match.done:
        earned = sum(paid[MEASURED] for paid in match.payoffs) / match.game.rounds
        facts = {"score": match.game.scale * earned, "match": match, "rounds": tuple(episode.rounds)}
        return EpisodePosition(chat=[], reward=reward, terms={"pay": reward}, done=True, facts=facts)
    return EpisodePosition(chat(match, MEASURED, telling), grammar(match), reward, {"pay": reward})


def grammar(match: AnyMatch) -> Grammar:
    """Full action strings, as the constrained fallback may write them: first tokens of several may be the same."""
    return choice(literal(label) for label in labels(match, MEASURED)) if not match.done else NOTHING
