"""What the learner knows of any game: chats to answer, and what the answers earned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from negotiation.opponents.protocol.grammar import NOTHING, Grammar

Chat = list[dict[str, str]]
Task = TypeVar("Task", contravariant=True)
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Aside:
    """A part of an answer that changes nothing in the game and earns by itself, such as a stated belief.

    ``begin`` and ``stop`` are its characters; ``reward`` is in the answer's reward too.
    """

    name: str
    begin: int
    stop: int
    reward: float


@dataclass(frozen=True, slots=True)
class EpisodePosition:
    """Where one episode stands.

    ``reward`` and ``terms`` are what the last answer earned; ``facts`` say how the episode ended, once it has;
    ``facts["score"]`` is what checkpoints are chosen by.
    """

    chat: Chat
    grammar: Grammar = NOTHING
    reward: float = 0.0
    terms: Mapping[str, float] = field(default_factory=dict)
    done: bool = False
    facts: Mapping[str, Any] = field(default_factory=dict)
    asides: tuple[Aside, ...] = ()


class Games(Protocol[Task]):
    """Many episodes side by side, numbered in the order of their tasks."""

    def start(self, tasks: Sequence[Task]) -> list[EpisodePosition]:
        """Clear all and set up these."""
        ...

    def play(self, answers: Mapping[int, str]) -> dict[int, EpisodePosition | None]:
        """Play one answer in each of the episodes named; ``None`` where it is malformed and changed nothing."""
        ...

    def close(self) -> None:
        """Leave all."""
        ...


class Writer(Protocol):
    """Something that answers chats: a model, frozen, in another seat than the learner's."""

    def __call__(self, chats: Sequence[Chat], grammars: Sequence[Grammar]) -> list[str]: ...


class Curriculum(Protocol[Item]):
    """Which tasks are played when: a function of seed and step alone, so that a run can be resumed anywhere."""

    def tasks(self, step: int, count: int) -> list[Item]:
        """The tasks of a training step, one for each group."""
        ...

    def held_out(self, count: int) -> list[Item]:
        """Tasks that are never trained on, the same ones every time, by which checkpoints are chosen."""
        ...


@dataclass(frozen=True, slots=True)
class Domain(Generic[Item]):
    """A game to learn: where it is played, and in which order."""

    games: Games[Item]
    curriculum: Curriculum[Item]
