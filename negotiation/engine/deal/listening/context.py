"""What went before a message, as far as it helps to hear it: what was told, what was raised, the last line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from negotiation.engine.deal.case.declared import Fact, SeatCase
from negotiation.engine.deal.listening.words import parts, stems_of


@dataclass(frozen=True, slots=True)
class Context:
    """Both sides of the table, the facts that the listener has told so far (``told``, the latest last), the objections
    that it has raised, the words of its last line, and whether the message takes up
    what was said ("you said ...")."""

    speaker: SeatCase
    listener: SeatCase
    told: tuple[str, ...]
    raised: tuple[str, ...]
    last_stems: frozenset[str]
    takes_up: bool = False

    @property
    def last_told(self) -> Fact | None:
        """The fact that was told last."""
        return self.listener.fact[self.told[-1]] if self.told else None


def context_of(
    speaker: SeatCase,
    listener: SeatCase,
    told: Sequence[str],
    raised: Sequence[str],
    last_line: str,
    takes_up: bool,
) -> Context:
    """The context of a message; ids that the listener's case does not hold are passed over."""
    return Context(
        speaker,
        listener,
        tuple(each for each in told if each in listener.fact),
        tuple(each for each in raised if each in listener.objection),
        stems_of(parts(last_line)),
        takes_up,
    )
