"""What a set of simultaneous orders comes to: the heart of the board.

Every question the rules ask is one of three kinds, each asked of a province: does its unit's *move* succeed, does its
army's convoy *route* hold, is its unit's *support* given? Each is answered from others by the definitions of
strength in the rulebook, asked one within another and remembered. On most boards no question comes back to itself.

Where one does, the questions on the way round form a tangle. The one first met is then answered both ways on trial.
Where just one answer agrees with itself, that is the answer. Where both or neither do, the rules decide: if convoys
are in the tangle, they fail (Szykman's rule); if not, the units move round in a circle, and all of them succeed.

Source: L. B. Kruijswijk, "The Math of Adjudication" and the Diplomacy Adjudicator Test Cases (DATC), whose
preferred readings are followed; ``docs/diplomacy.md`` names them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from negotiation.engine.diplomacy.geography import NEXT_SET, PROVINCE, PROVINCES, REACH
from negotiation.engine.diplomacy.orders import CONVOY, MOVE, SUPPORT_HOLD, SUPPORT_MOVE, Order
from negotiation.engine.diplomacy.seaways import passage

_SIZE = len(PROVINCES)
_ROUTE, _SUPPORT = _SIZE, 2 * _SIZE
_UNKNOWN, _PENDING = -1, -2
_BLANK = [_UNKNOWN] * (3 * _SIZE)
_NOBODY: tuple[int, ...] = ()


class _Tangle(Exception):
    """A question came back to itself. Carries the questions on the way round, the first one first."""

    def __init__(self, questions: list[int]) -> None:
        self.questions = questions


class Board:
    """One movement phase: units, orders, and the answers found so far.

    Provinces are named by number. ``power`` and ``aim`` say by province whose unit stands there (-1: none) and
    where it is ordered to move (-1: nowhere). ``aim`` of an army that no fleet is ordered to carry is still set: it
    fails, and it cannot be supported to hold.
    """

    __slots__ = (
        "_answers", "_asked", "_attackers", "_carriers", "_hold_support", "_move_support", "_support_against",
        "aim", "carried", "power",
    )  # fmt: skip

    def __init__(self, power: Sequence[int], orders: Sequence[Order]) -> None:
        """Set up a phase.

        Args:
            power: by province, the owner of the unit that stands there, or -1.
            orders: at most one for each unit, each possible; a unit without one holds.
        """
        self.power = power
        self.aim = aim = [-1] * _SIZE
        self.carried: set[int] = set()
        self._attackers: dict[int, list[int]] = {}
        self._move_support: dict[int, list[int]] = {}
        self._hold_support: dict[int, list[int]] = {}
        self._support_against: dict[int, int] = {}
        self._carriers: dict[int, list[int]] = {}
        self._answers = _BLANK.copy()
        self._asked: list[int] = []
        backing = []
        for order in orders:
            kind, node, at, _ = order
            if kind == MOVE:
                here, there = PROVINCE[node], PROVINCE[at]
                aim[here] = there
                if there in self._attackers:
                    self._attackers[there].append(here)
                else:
                    self._attackers[there] = [here]
            elif kind:
                backing.append(order)
        self._match(backing)
        self._embark(orders)

    def _match(self, backing: Sequence[Order]) -> None:
        """Put supports and convoys beside the orders that they fit; the others have no effect."""
        aim = self.aim
        for kind, node, at, to in backing:
            here, other = PROVINCE[node], PROVINCE[at]
            if kind == SUPPORT_MOVE:
                if aim[other] == to:
                    self._move_support.setdefault(other, []).append(here)
                    self._support_against[here] = to
            elif kind == SUPPORT_HOLD:
                if aim[other] < 0:
                    self._hold_support.setdefault(other, []).append(here)
                    self._support_against[here] = other
            elif kind == CONVOY and aim[other] == to:
                self._carriers.setdefault(other, []).append(here)

    def _embark(self, orders: Sequence[Order]) -> None:
        """Find the armies that go by sea: they must, or they may and mean to (DATC 4.A.3)."""
        for kind, node, at, via in orders:
            if kind != MOVE or (not via and not self._carriers and at in NEXT_SET[node]):
                continue
            here, there = PROVINCE[node], PROVINCE[at]
            if there not in REACH[node]:
                self.carried.add(here)
            elif here in self._carriers:
                meant = via or any(self.power[fleet] == self.power[here] for fleet in self._carriers[here])
                if meant and passage(self._carriers[here], here, there):
                    self.carried.add(here)

    # The three questions -------------------------------------------------------------------------------

    def moves(self, here: int) -> int:
        """Whether the move ordered for the unit in ``here`` succeeds, 1 or 0."""
        answer = self._answers[here]
        return answer if answer >= 0 else self._ask(here, self._weigh, here)

    def sails(self, here: int) -> int:
        """Whether the army in ``here``, which is to be carried, has a route whose fleets all stay, 1 or 0."""
        answer = self._answers[here + _ROUTE]
        return answer if answer >= 0 else self._ask(here + _ROUTE, self._chart, here)

    def gives(self, here: int) -> int:
        """Whether the support of the unit in ``here``, which fits an order, is given and not cut, 1 or 0."""
        answer = self._answers[here + _SUPPORT]
        return answer if answer >= 0 else self._ask(here + _SUPPORT, self._uncut, here)

    def dislodger(self, here: int) -> int:
        """The province from which the unit in ``here`` is dislodged; -1 if it is not."""
        attackers = self._attackers.get(here, _NOBODY)
        if not attackers or self.power[here] < 0 or (self.aim[here] >= 0 and self.moves(here)):
            return -1
        return next((there for there in attackers if self.moves(there)), -1)

    # What orders came to, for reports --------------------------------------------------------------------

    def settle(self) -> None:
        """Answer everything that later readers may ask; afterwards no question raises a tangle."""
        for here, there in enumerate(self.aim):
            if there >= 0:
                self._settled(self.moves, here)
                if here in self.carried:
                    self._settled(self.sails, here)
        for here in self._support_against:
            self._settled(self.gives, here)

    def settle_moves(self) -> None:
        """Answer what decides where units stand: enough where nobody asks about supports."""
        attackers, power = self._attackers, self.power
        for there, heres in attackers.items():
            if len(heres) == 1 and power[there] < 0 and heres[0] not in self.carried:
                self._answers[heres[0]] = 1
        for here, there in enumerate(self.aim):
            if there >= 0 and self._answers[here] < 0:
                self._settled(self.moves, here)

    def contested(self, here: int) -> bool:
        """Whether units bounced in ``here`` and left it empty, so that nobody may retreat there."""
        return any(
            not self.moves(there) and self._arrives(there) and not self._beaten(there)
            for there in self._attackers.get(here, _NOBODY)
        )

    def fits(self, here: int) -> bool:
        """Whether a support or convoy ordered for ``here`` matched the order it was meant for."""
        return here in self._support_against or any(here in fleets for fleets in self._carriers.values())

    def has_route(self, here: int) -> bool:
        """Whether enough fleets were ordered to carry the army in ``here``, dislodged or not."""
        return passage(self._carriers.get(here, _NOBODY), here, self.aim[here])

    # Answers -------------------------------------------------------------------------------------------

    def _weigh(self, here: int) -> int:
        if here in self.carried and not self.sails(here):
            return 0
        power, there = self.power, self.aim[here]
        holder = power[there]
        attackers = self._attackers[there]
        supporters = self._move_support.get(here, _NOBODY)
        if holder < 0:
            if len(attackers) == 1:
                return 1
            strength = 1 + self._count(supporters)
        elif self.aim[there] >= 0:
            if self._head_on(here, there):
                strength = 0 if holder == power[here] else 1 + self._count(supporters, but=holder)
                if strength <= 1 + self._count(self._move_support.get(there, _NOBODY)):
                    return 0
            elif self.moves(there):
                strength = 1 + self._count(supporters)
            else:
                strength = 0 if holder == power[here] else 1 + self._count(supporters, but=holder)
                if strength <= 1:
                    return 0
        else:
            if holder == power[here] or not supporters:
                return 0
            strength = 1 + self._count(supporters, but=holder)
            if strength <= 1 + self._count(self._hold_support.get(there, _NOBODY)):
                return 0
        for rival in attackers:
            if rival != here and self._prevents(rival, strength):
                return 0
        return 1

    def _prevents(self, rival: int, strength: int) -> bool:
        """Whether ``rival``, bound for the same place, is strong enough to keep out a unit of ``strength``."""
        if 1 + self._count(self._move_support.get(rival, _NOBODY)) < strength:
            return False
        return self._arrives(rival) and not self._beaten(rival)

    def _arrives(self, here: int) -> bool:
        return here not in self.carried or self.sails(here) == 1

    def _beaten(self, here: int) -> bool:
        """Whether the unit in ``here`` ran head-on into one that got the better of it."""
        there = self.aim[here]
        return self._head_on(here, there) and self.moves(there) == 1

    def _head_on(self, here: int, there: int) -> bool:
        return self.aim[there] == here and here not in self.carried and there not in self.carried

    def _count(self, supporters: Sequence[int], but: int = -1) -> int:
        """How many supports are given, those of power ``but`` left out."""
        given = 0
        for supporter in supporters:
            if self.power[supporter] != but:
                given += self.gives(supporter)
        return given

    def _uncut(self, here: int) -> int:
        attackers = self._attackers.get(here, _NOBODY)
        against, power = self._support_against[here], self.power
        for there in attackers:
            if there != against and power[there] != power[here] and self._arrives(there):
                return 0
        if against in attackers and self.moves(against):
            return 0
        return 1

    def _chart(self, here: int) -> int:
        fleets = self._carriers.get(here, _NOBODY)
        return int(passage(fleets, here, self.aim[here], lambda fleet: self.dislodger(fleet) < 0))

    # Asking, and tangles ----------------------------------------------------------------------------------

    def _ask(self, question: int, answered: Callable[[int], int], here: int) -> int:
        answers, asked = self._answers, self._asked
        if answers[question] == _PENDING:
            raise _Tangle(asked[asked.index(question) :])
        answers[question] = _PENDING
        asked.append(question)
        answer = answers[question] = answered(here)
        asked.pop()
        return answer

    def _settled(self, answered: Callable[[int], int], here: int) -> int:
        """``answered(here)``, untying whatever tangles stand in the way."""
        while True:
            try:
                return answered(here)
            except _Tangle as tangle:
                for question in self._asked:
                    self._answers[question] = _UNKNOWN
                self._asked.clear()
                self._untie(tangle.questions)

    def _untie(self, questions: list[int]) -> None:
        """Answer the first of the questions that lead back to themselves, or all convoys among them."""
        first = questions[0]
        kind, here = divmod(first, _SIZE)
        answered = (self._weigh, self._chart, self._uncut)[kind]
        agree = []
        for trial in (0, 1):
            known = self._answers.copy()
            self._answers[first] = trial
            if self._settled(answered, here) == trial:
                agree.append(trial)
            self._answers[:] = known
        if len(agree) == 1:
            self._answers[first] = agree[0]
            return
        routes = [question for question in questions if _ROUTE <= question < _SUPPORT]
        if routes:
            for question in routes:
                self._answers[question] = 0
        else:
            self._answers[next(question for question in questions if question < _ROUTE)] = 1
