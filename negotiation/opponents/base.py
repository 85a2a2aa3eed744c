"""Who sits across: anything that can answer a move.

An opponent is asked outside every transaction and on the event loop, so one that needs a network waits
without holding a lock or a thread. Asking twice must be harmless: after a crash the same move is asked again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from negotiation.engine.deal import Action, Negotiation, Reply

Kind = Literal["strategic", "narrated", "negotiator"]
"""``strategic``: the engine decides and speaks. ``narrated``: it decides, a model finds the words. ``negotiator``: a
trained model decides and speaks."""

Done = Literal["asked again", "replaced", "taken back"]

Tell = Callable[[str], None]
"""Hears a line grow: all of its text so far, the empty string when it is taken back. Returns at once."""


def nobody_listens(text: str) -> None:
    """For where no one watches a line grow."""


@dataclass(frozen=True, slots=True)
class Intervention:
    """One time that the guard stepped in: the check that failed, why in words, and what was done about it."""

    check: str
    why: str
    done: Done


@dataclass(frozen=True, slots=True)
class Account:
    """Why this answer: who found it, what was decided, what the guard did. For a coach's eyes.

    ``stand_in`` says that the strategist spoke in a model's place, ``why`` says why. ``seconds`` is the whole wait,
    ``first_token`` that for the model's first piece of text; ``tokens`` counts what it wrote over all attempts.
    """

    kind: Kind
    model: str
    stand_in: bool = False
    why: str = ""
    attempts: int = 0
    interventions: tuple[Intervention, ...] = ()
    decided: dict[str, Any] | None = None
    seconds: float = 0.0
    first_token: float | None = None
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """What an opponent gives back. With neither reply nor words the engine's persona answers.

    ``reply`` is a whole move decided elsewhere; ``words`` are said for what the persona itself decides.
    """

    reply: Reply | None = None
    words: str | None = None
    account: Account | None = None

    @property
    def stand_in(self) -> bool:
        """Whether the strategist speaks in a model's place."""
        return self.account is not None and self.account.stand_in


class Opponent(Protocol):
    """Answers one move of the player.

    ``instant`` opponents answer from within the engine and are never waited for: their turn is written in
    one go, without asking ``reply``.
    """

    instant: bool

    async def reply(
        self, *, table: Negotiation, action: Action, game: str = "", tell: Tell = nobody_listens
    ) -> Answer:
        """The answer to ``action`` on ``table``, which stands before the move and must only be read.

        Args:
            game: whose turn it is, so that no table waits for the second turn of another.
            tell: hears the line grow.
        """
        ...
