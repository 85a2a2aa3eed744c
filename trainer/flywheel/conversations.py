"""A conversation from elsewhere as its learner lived through it: what stood on the table, and what was decided on it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import groupby

from negotiation.engine.deal import SIGN, Action, Scenario, Seat
from trainer.domains.deal.talks import after, empty_table
from trainer.flywheel.privacy import Anonymiser
from trainer.flywheel.records import DecisionRecord


@dataclass(slots=True)
class ImportedLine:
    """One line of the file: what it says, what it would become, and what is wrong with it."""

    number: int
    conversation: str = ""
    mine: bool = False
    text: str = ""
    offer: float | None = None
    ending: str = ""
    becomes: str = ""
    problems: list[str] = field(default_factory=list)


@dataclass(slots=True)
class ImportedConversation:
    """All lines of one conversation in order. One problem in it, and none of it is taken."""

    name: str
    lines: list[ImportedLine] = field(default_factory=list)
    limit: float | None = None
    other_limit: float | None = None
    problems: list[str] = field(default_factory=list)
    decisions: list[DecisionRecord] = field(default_factory=list)
    efficiency: float | None = None

    @property
    def is_sound(self) -> bool:
        """Whether it can be taken."""
        return not self.problems and not any(line.problems for line in self.lines) and bool(self.decisions)


def tell(conversation: ImportedConversation, seat: Seat, scenario: Scenario) -> None:
    """Go through a conversation as its learner, in ``seat``, and say of every line what it becomes."""
    if conversation.limit is None:
        conversation.problems.append("No line of it says the learner's own limit.")
        for line in conversation.lines:
            line.becomes = "nothing, for want of the learner’s limit"
        return
    _Talk(conversation, seat, scenario).tell()


class _Talk:
    """A conversation on its way: what stands on the table, and what the learner decided on it.

    Lines of one speaker in a row are one move; it is told on the first of them.
    """

    def __init__(self, conversation: ImportedConversation, seat: Seat, scenario: Scenario) -> None:
        self._of, self._seat, self._scenario = conversation, seat, scenario
        self._anonymous = Anonymiser()
        self._seen = empty_table(scenario, seat, conversation.limit)
        self._open = True
        self._agreed: float | None = None

    def tell(self) -> None:
        """Every move in turn."""
        for _, together in groupby(self._of.lines, key=lambda line: line.mine):
            first, *more = together
            for line in more:
                line.becomes = "the same, with the line before"
            move = ImportedLine(first.number, mine=first.mine)
            move.text = " ".join(line.text for line in (first, *more) if line.text)
            move.offer = next(
                (line.offer for line in reversed([first, *more]) if line.offer is not None), None
            )
            move.ending = next((line.ending for line in (first, *more) if line.ending), "")
            if not self._open:
                move.becomes = "nothing: the talk was over"
            elif first.mine:
                self._decide(move)
            else:
                self._hear(move)
            first.becomes = move.becomes
            first.problems += move.problems
        if not self._of.decisions and not any(line.problems for line in self._of.lines):
            self._of.problems.append("The learner decides nothing in it.")
        self._score()

    def _hear(self, line: ImportedLine) -> None:
        if line.ending == "accept":
            self._end(line, self._seen.own_offer, "the other side accepts", "has offered nothing")
            return
        if line.ending == "walk":
            self._open, line.becomes = False, "the other side leaves"
            return
        self._seen = after(self._seen, "opponent", line.text, line.offer)
        line.becomes = "heard" + (f", with an offer of {self._money(line.offer)}" if line.offer else "")

    def _decide(self, line: ImportedLine) -> None:
        if line.ending == "accept":
            if not self._end(line, self._seen.standing_offer, "a decision: accept", "has no offer to accept"):
                return
            action = Action(text=line.text, accept=True)
        elif line.ending == "walk":
            action, self._open = Action(text=line.text, walk_away=True), False
            line.becomes = "a decision: walk away"
        elif line.text or line.offer is not None:
            action = Action(text=line.text, offer=line.offer)
            line.becomes = (
                f"a decision: offer {self._money(line.offer)}" if line.offer else "a decision: talk"
            )
        else:
            line.becomes = "nothing: it is empty"
            return
        if self._seen.turn > self._scenario.horizon:
            line.problems.append(
                f"It is the learner's turn {self._seen.turn}; a deal has {self._scenario.horizon}."
            )
            return
        seen = self._anonymous.observation(self._seen)
        self._of.decisions.append(DecisionRecord(self._seen.turn, seen, self._anonymous.action(action)))
        moved = after(self._seen, "player", line.text, line.offer)
        self._seen = replace(moved, turn=moved.turn + 1)

    def _end(self, line: ImportedLine, price: float | None, becomes: str, lacks: str) -> bool:
        if price is None:
            line.problems.append(f"Somebody accepts, but the other one {lacks}.")
            return False
        self._open, self._agreed = False, price
        line.becomes = f"{becomes} {self._money(price)}"
        return True

    def _score(self) -> None:
        """The learner's share, where both limits are known; a deal beyond the own limit is refused."""
        sign, own, other = SIGN[self._seat], self._of.limit or 0.0, self._of.other_limit
        if self._agreed is not None and sign * (self._agreed - own) < 0:
            self._of.problems.append(
                f"The learner closed at {self._money(self._agreed)}, beyond the own limit."
            )
        if other is None:
            return
        width = sign * (other - own)
        if width > 0:
            gained = 0.0 if self._agreed is None else sign * (self._agreed - own)
            self._of.efficiency = min(1.0, max(0.0, gained / width))

    def _money(self, value: float | None) -> str:
        return f"{self._scenario.currency}{value or 0:,.0f}"
