"""What a finished game for three amounts to, for the one who played it: figures, the map, and what to learn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from negotiation.engine import game_theory as gt
from negotiation.engine.coalition.game import CoalitionGame
from negotiation.engine.coalition.outcome import name_of, settle, worth_table
from negotiation.engine.coalition.types import (
    COALITIONS,
    EVERYONE,
    SEATS,
    Coalition,
    Entry,
    Outcome,
    Proposal,
    Seat,
    in_order,
)
from negotiation.engine.coalition.wire import entry_to_json, outcome_to_json
from negotiation.engine.coalition.worth import payoff
from negotiation.engine.language.types import format_money

Words = dict[Seat, str]


def review(game: CoalitionGame, seat: Seat) -> dict[str, Any]:
    """Everything that the debrief shows to ``seat``; money throughout, JSON values only.

    Raises:
        ValueError: while the game goes on: hidden truth stays hidden.
    """
    outcome = settle(game.table)
    worth = worth_table(game.table.stakes, game.scenario.depot_cost)
    formed = frozenset() if outcome.agreement is None else outcome.agreement.members
    return {
        "seat": seat,
        "outcome": outcome_to_json(outcome),
        "formed": name_of(formed),
        "left_out": [other for other in SEATS if other not in formed],
        "walked_away": walked_away(game),
        "price_of_leaving_out": round(worth[EVERYONE] - sum(outcome.payoffs.values()), 2),
        "worth": [{"members": list(in_order(m)), "value": worth[m]} for m in COALITIONS],
        "core": [list(corner) for corner in gt.core_polygon(SEATS, worth.__getitem__)],
        "proposals": [
            _proposal_row(game, entry, entry.proposal) for entry in game.table.entries if entry.proposal
        ],
        "claims": [_claim_row(game, entry) for entry in game.table.entries if entry.claim],
        "behind_your_back": [entry_to_json(e) for e in game.table.entries if not e.visible_to(seat)],
        "lessons": list(_Lessons(game, seat, outcome, worth).all()),
    }


def walked_away(game: CoalitionGame) -> list[Seat]:
    """Who left of their own accord."""
    return [entry.seat for entry in game.table.entries if entry.walk_away]


def _payoffs(game: CoalitionGame, proposal: Proposal) -> dict[str, float]:
    return {seat: round(float(payoff(game.table.stakes, seat, proposal)), 2) for seat in SEATS}


def _proposal_row(game: CoalitionGame, entry: Entry, proposal: Proposal) -> dict[str, Any]:
    return {
        "number": entry.number,
        "round": entry.round,
        "by": entry.seat,
        "to": entry.to,
        "members": list(in_order(proposal.members)),
        "pays": dict(proposal.pays),
        "payoffs": _payoffs(game, proposal),
        "agreed": game.table.agreement == proposal,
    }


def _claim_row(game: CoalitionGame, entry: Entry) -> dict[str, Any]:
    """A claim, and whether that offer had in fact been made to the one who claimed it."""
    claim = entry.claim
    if claim is None:
        raise ValueError("this turn holds no claim")
    made = any(
        other.number < entry.number
        and other.proposal is not None
        and other.seat == claim.rival
        and other.proposal.members == {claim.rival, entry.seat}
        and claim.price
        == (other.proposal.money if entry.seat == "seller" else other.proposal.pay_of(entry.seat))
        for other in game.table.entries
    )
    return {
        "round": entry.round,
        "by": entry.seat,
        "to": entry.to,
        "rival": claim.rival,
        "price": claim.price,
        "true": made,
    }


class _Lessons:
    """Plain sentences about one game, the most important first."""

    def __init__(
        self, game: CoalitionGame, seat: Seat, outcome: Outcome, worth: dict[Coalition, float]
    ) -> None:
        self._game = game
        self._seat = seat
        self._outcome = outcome
        self._worth = worth
        self._names: Words = {s: "you" if s == seat else game.scenario.seats[s].short for s in SEATS}

    def all(self) -> Iterator[dict[str, str]]:
        """``{"title", "text"}`` each."""
        yield {"title": "What you bring", "text": self._contribution()}
        yield {"title": "What holds", "text": self._stability()}
        yield {"title": "Who was in", "text": self._coalition()}
        better = self._passed_over()
        if better is not None:
            yield {"title": "What you passed over", "text": better}

    def _money(self, value: float) -> str:
        return format_money(float(round(value)), self._game.scenario.money)

    def _contribution(self) -> str:
        pairs = [m for m in COALITIONS if m != EVERYONE and self._seat in m]
        first, second = (next(iter(pair - {self._seat})) for pair in pairs)
        others = EVERYONE - {self._seat}
        added = self._worth[EVERYONE] - self._worth[others]
        a, b = in_order(others)
        got, fair = self._outcome.payoffs[self._seat], self._outcome.shapley[self._seat]
        than = "more" if got > fair else "less"
        return (
            f"With {self._names[first]} alone you make {self._money(self._worth[pairs[0]])}, with {self._names[second]} "
            f"alone {self._money(self._worth[pairs[1]])}. To {self._names[a]} and {self._names[b]}, who make "
            f"{self._money(self._worth[others])} on their own, you add {self._money(added)}. Averaged over every order in "
            f"which the three of you could have met, you bring {self._money(fair)}: "
            f"that is your Shapley value. You got {self._money(got)}, {self._money(abs(got - fair))} {than}."
        )

    def _stability(self) -> str:
        core = self._outcome.core
        if core is None:
            return (
                "No division of the whole was safe: whatever the three of you had agreed, some pair could have done better "
                "on its own. Only a penalty on breaking away, of "
                f"{self._money(gt.least_core(SEATS, self._worth.__getitem__))} or more, would have held three together. In "
                "such a game the one who closes first wins, not the one who argues best."
            )
        low, high = core[self._seat]
        safe = f"Divisions that no pair has a reason to break leave you between {self._money(low)} and {self._money(high)}."
        if self._outcome.stable:
            return f"{safe} This deal is one of them: nobody had anything better to go to."
        pair = self._breaking_pair()
        if self._outcome.agreement is None or pair is None:
            return f"{safe} You left that unused."
        one, two = (self._names[member] for member in sorted(pair, key=lambda member: member != self._seat))
        together = sum(self._outcome.payoffs[member] for member in pair)
        return (
            f"{safe} This deal is not one of them: {one} and {two} got {self._money(together)} between them and could "
            f"have made {self._money(self._worth[pair])} without the third."
        )

    def _breaking_pair(self) -> Coalition | None:
        """The pair with the most to gain from going its own way, if any gains."""
        pairs = [members for members in COALITIONS if members != EVERYONE]
        gain = {pair: self._worth[pair] - sum(self._outcome.payoffs[m] for m in pair) for pair in pairs}
        best = max(pairs, key=gain.__getitem__)
        return best if gain[best] > 0.5 else None

    def _coalition(self) -> str:
        agreement = self._outcome.agreement
        whole = self._worth[EVERYONE]
        if agreement is None:
            return f"Nobody signed. The {self._money(whole)} that three could have shared out went to nobody."
        lost = whole - sum(self._outcome.payoffs.values())
        if agreement.members == EVERYONE:
            return f"All three signed, so all of the {self._money(whole)} was shared out. The rest is who got how much."
        left = next(iter(EVERYONE - agreement.members))
        return (
            f"{self._how_it_stayed_out(left)}. With all three there was {self._money(lost)} more to share: enough to pay "
            f"{'you' if left == self._seat else self._names[left]} something and leave the other two better off as well."
        )

    def _how_it_stayed_out(self, left: Seat) -> str:
        you = left == self._seat
        if left in walked_away(self._game):
            return "You left the table" if you else f"{self._names[left]} left the table"
        return "You were left out" if you else f"{self._names[left]} was left out"

    def _passed_over(self) -> str | None:
        """The best proposal of somebody else that the player saw and did not take, if it beats the end."""
        got = self._outcome.payoffs[self._seat]
        best: tuple[float, Entry] | None = None
        for entry in self._game.table.entries:
            if entry.proposal is None or entry.seat == self._seat or not entry.visible_to(self._seat):
                continue
            gain = _payoffs(self._game, entry.proposal)[self._seat]
            if gain > got + 0.5 and (best is None or gain > best[0]):
                best = (gain, entry)
        if best is None:
            return None
        gain, entry = best
        return (
            f"In round {entry.round} {self._names[entry.seat]} proposed a deal that left you {self._money(gain)}, "
            f"{self._money(gain - got)} more than you ended with. {self._what_it_took(entry)}"
        )

    def _what_it_took(self, entry: Entry) -> str:
        if entry.proposal is None or entry.proposal.members != EVERYONE:
            return "Your word alone would have closed it."
        third = next(iter(EVERYONE - {self._seat, entry.seat}))
        return (
            f"It took {self._names[third]}'s word as well; your support would have put the question to them."
        )
