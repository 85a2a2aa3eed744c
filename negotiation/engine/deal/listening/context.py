"""What went before a message, as far as it helps to hear it: what was told, what was raised, the last line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from negotiation.engine.deal.case.declared import Fact, Objection, SeatCase
from negotiation.engine.deal.listening.words import parts, stems_of
from negotiation.engine.language.voicing import renderings

_HELD_FROM: Final = 0.8
"""Share of the words of a clause from which a line holds it."""


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
    goes_before: bool = False
    """Whether something else stands before the sentence in its message: "what did they do?" is about that, then."""
    mentions: frozenset[str] = frozenset()
    """Ids of what the listener told or raised that the message names somewhere."""

    @property
    def last_said(self) -> Fact | Objection | None:
        """The objection or the fact that the listener's last line held, if it held one."""
        said: list[Fact | Objection] = [self.listener.objection[each] for each in self.raised]
        said += [self.listener.fact[each] for each in self.told]
        found = [(self._held(each), each) for each in said]
        best = max(found, key=lambda each: each[0], default=None)
        return best[1] if best is not None and best[0] >= _HELD_FROM else None

    def _held(self, thing: Fact | Objection) -> float:
        """The largest share of the words of one of its clauses that stand in the last line."""
        stems = [stems_of(parts(clause)) for clause in _clauses(thing)]
        return max(len(each & self.last_stems) / len(each) for each in stems if each)

    def words_of(self, thing: Fact | Objection) -> frozenset[str]:
        """The words of the clause of a thing that stands in the last line."""
        return max(
            (stems_of(parts(each)) for each in _clauses(thing)), key=lambda each: len(each & self.last_stems)
        )

    @property
    def last_told(self) -> Fact | None:
        """The fact that was told last."""
        return self.listener.fact[self.told[-1]] if self.told else None


def _clauses(thing: Fact | Objection) -> Sequence[str]:
    """The clauses of a thing in all words in which a line may hold it."""
    says = (thing.says,) if isinstance(thing.says, str) else thing.says
    return tuple(said for clause in says for said in renderings(clause))


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
