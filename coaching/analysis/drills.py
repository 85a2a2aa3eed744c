"""Drills: positions of real games, dealt for one skill, with every move on offer already weighed.

A position is reached by a reference strategy playing a persona; the moves on offer are those of the move review, and
are judged as the review judges: against opponents that could be across the table, never against the real one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from coaching.analysis.evidence import BLUNDER
from coaching.analysis.positions import Reached, last_chance, lead_up, shown
from coaching.analysis.review.candidates import Candidate, Choices, standing_bundles
from coaching.analysis.review.information import InformationSet
from coaching.analysis.review.instructions import describe
from coaching.analysis.review.labels import FAULTS, label_of
from coaching.analysis.review.lessons import Skill, lesson_of
from coaching.analysis.review.moment import Moment
from coaching.analysis.review.record import PlayedMove, PlayedTurn
from coaching.analysis.review.values import Weighing, regret_of
from coaching.analysis.wording import gettext_noop, spoken
from negotiation.engine.cards import DEADLINE
from negotiation.engine.deal import SIGN, Observation, personas, scenarios
from negotiation.engine.deal.batch.players import STYLES
from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.conduct import DEADLINE_TURNS
from negotiation.engine.deal.strategist.claims import is_honest
from negotiation.engine.deal.tension import band
from negotiation.engine.language import format_money
from negotiation.engine.shares import percent

POSITIONS = 3
"""Positions in a drill: under two minutes together."""
FEWEST_CHOICES, CHOICES = 3, 4
WEIGHED_AGAINST = 96
"""Opponents that each choice of a drill meets."""
PLAINLY_WORSE = ("mistake", "blunder")
"""What stands beside a key: an inaccuracy is too small to be sure of against one opponent."""
_TRIES = 60
END_TRIES = 240
"""Games played for one drill on ends: few come to a last turn on which the wanted end is right."""
_ACROSS = 2.5
"""So many stretches lie across the limits that are likely at all: fewer than are on offer, so that one leads."""
_NEAR = 0.7
"""A stretch that holds at least this share of what the likeliest holds is as good a guess."""


End = Literal["take", "hold", "leave"]
ENDS: tuple[End, ...] = ("take", "hold", "leave")
EARLIEST_END = 8
"""The first turn on which taking or leaving is asked about."""
_END_OF: dict[str, End] = {"accept": "take", "walk_away": "leave"}


@dataclass(frozen=True, slots=True)
class Exercise:
    """What a drill of one skill is: its title, what to do, and where in a game it starts."""

    title: str
    task: str
    turns: tuple[int, int]
    kinds: tuple[str, ...]
    """Kinds of moves that belong on offer, whatever else is; one of the first is always there."""


EXERCISES: dict[Skill, Exercise] = {
    "opening": Exercise(
        gettext_noop("First moves"), gettext_noop("Name your first number."), (1, 1), ("offer", "ask")
    ),
    "probing": Exercise(
        gettext_noop("Read them"), gettext_noop("Where does their limit most likely lie?"), (5, 11), ()
    ),
    "pacing": Exercise(
        gettext_noop("How much to give"), gettext_noop("They have answered. What now?"), (4, 9), ("offer",)
    ),
    "bluff_calls": Exercise(
        gettext_noop("Call the bluff"),
        gettext_noop("They have stated a limit. Believe it?"),
        (3, 14),
        ("challenge", "offer", "accept"),
    ),
    "closing": Exercise(
        gettext_noop("Close it"),
        gettext_noop("Few turns left. Take it, hold, or leave?"),
        (12, 16),
        ("accept", "offer", "walk_away"),
    ),
    "tension": Exercise(
        gettext_noop("Cool heads"),
        gettext_noop("It is heating up. What do you do?"),
        (4, 14),
        ("card", "ask", "offer"),
    ),
    "packaging": Exercise(
        gettext_noop("Trade terms"),
        gettext_noop("More than the price is open. What do you put down?"),
        (2, 8),
        ("trade", "offer"),
    ),
}


@dataclass(frozen=True, slots=True)
class DrillPosition:
    """One position with what is on offer in it: the choices as plain values, and, where they are moves, the moves."""

    reached: Reached
    choices: tuple[dict[str, Any], ...]
    moves: tuple[Candidate, ...] = ()

    def shuffled(self, rng: np.random.Generator) -> DrillPosition:
        """The same in another order."""
        order = rng.permutation(len(self.choices))
        moves = tuple(self.moves[place] for place in order) if self.moves else ()
        return replace(self, choices=tuple(self.choices[place] for place in order), moves=moves)

    def as_plain(self) -> dict[str, Any]:
        """What the player would see, and under ``choices`` what is on offer with what each is worth and why."""
        return {**shown(self.reached), "choices": list(self.choices)}


def deal(
    skill: Skill, persona: str, rng: np.random.Generator, count: int = POSITIONS
) -> list[dict[str, Any]]:
    """Up to ``count`` positions for a skill against one persona, as plain values; see :func:`positions`."""
    return [each.as_plain() for each in positions(skill, persona, rng, count)]


def positions(
    skill: Skill, persona: str, rng: np.random.Generator, count: int = POSITIONS
) -> list[DrillPosition]:
    """Up to ``count`` positions for a skill against one persona. Of what is on offer one is right, the rest surely is not.

    Fewer come back only when that persona hardly ever gets into such a position; of one that never bluffs no limit is
    asked about, for its name would be the answer.
    """
    if skill == "bluff_calls" and is_honest(personas()[persona]):
        return []
    if skill == "closing":
        return _ends(persona, rng, count)
    found: list[DrillPosition] = []
    # One scenario after the other, so that a drill does not stay with one of them.
    fitting = [each for each in scenarios().values() if bool(each.issues) == (skill == "packaging")]
    rng.shuffle(fitting)
    for tried in range(_TRIES):
        if len(found) == count:
            break
        reached = lead_up(
            fitting[tried % len(fitting)],
            persona,
            rng,
            EXERCISES[skill].turns,
            _AT_STAKE[skill],
            heated=skill == "tension",
        )
        made = None if reached is None else _position(skill, reached, rng)
        if made is not None:
            found.append(made)
    return found


_AT_STAKE: dict[Skill, Callable[[Observation], bool]] = {
    "opening": lambda seen: True,
    "probing": lambda seen: seen.standing_offer is not None,
    "pacing": lambda seen: None not in (seen.own_offer, seen.standing_offer) and seen.open_claim is None,
    "bluff_calls": lambda seen: seen.open_claim is not None,
    "closing": lambda seen: seen.standing_offer is not None,
    "tension": lambda seen: band(seen.tension) in ("strained", "critical") and seen.open_claim is None,
    "packaging": lambda seen: None not in (seen.own_offer, seen.standing_offer),
}


def _ends(persona: str, rng: np.random.Generator, count: int) -> list[DrillPosition]:
    """Positions near the end: taking, holding and leaving are the key in turn, so that none of them is a habit."""
    keys = [ENDS[index] for index in rng.permutation(len(ENDS))]
    deals = [each for each in scenarios().values() if not each.issues]
    rng.shuffle(deals)
    found: list[DrillPosition] = []
    for tried in range(END_TRIES):
        if len(found) == count:
            break
        key, scenario = keys[len(found) % len(ENDS)], deals[tried % len(deals)]
        turns = EXERCISES["closing"].turns
        reached = (
            lead_up(scenario, persona, rng, turns, _AT_STAKE["closing"])
            if key == "hold"
            else last_chance(scenario, persona, rng, EARLIEST_END, _WORTH_TAKING[key])
        )
        made = None if reached is None else _end(key, reached, rng)
        if made is not None:
            found.append(made)
    return found


def _end(key: End, reached: Reached, rng: np.random.Generator) -> DrillPosition | None:
    """A position of which one end is surely right; None where it is not, or where too little else is surely wrong."""
    weighed = _Weighed(reached, _known(reached), to_the_end=True)
    return weighed.position(reached, weighed.with_key(key), rng)


def _standing_gain(seen: Observation) -> float:
    """What their offer is worth beyond the own limit, in money."""
    if seen.standing_offer is None:
        return float("nan")
    return SIGN[seen.seat] * (seen.standing_offer - seen.own.walk_away)


_WORTH_TAKING: dict[End, Callable[[Observation], bool]] = {
    "take": lambda seen: _standing_gain(seen) > 0,
    "leave": lambda seen: _standing_gain(seen) < 0,
}
"""Positions that an end can be right in at all: a look that costs nothing before all is weighed."""


def _known(reached: Reached) -> InformationSet:
    """The opponents that would have played so."""
    information = InformationSet(reached.played)
    for turn in reached.played.turns[:-1]:
        information.follow(turn)
    return information


def _as_move(candidate: Candidate, words: str) -> PlayedMove:
    return PlayedMove(
        offer=candidate.offer,
        bundle=candidate.bundle,
        card=candidate.card,
        claim=None,
        challenge=candidate.challenge or None,
        accept=candidate.kind == "accept",
        walk_away=candidate.kind == "walk_away",
        words=words,
    )


def _position(skill: Skill, reached: Reached, rng: np.random.Generator) -> DrillPosition | None:
    """The position with its moves weighed; None where no move on offer is surely worse than another."""
    information = _known(reached)
    if skill == "probing":
        choices = _brackets(information, reached, int(rng.integers(CHOICES)))
        clear = sum(choice["label"] != "mistake" for choice in choices) == 1
        return DrillPosition(reached, tuple(choices)) if clear else None
    weighed = _Weighed(reached, information)
    return weighed.position(reached, weighed.on_offer(EXERCISES[skill]), rng)


def _brackets(information: InformationSet, reached: Reached, place: int) -> list[dict[str, Any]]:
    """Where their limit may lie, as four stretches of money; each is worth the share of opponents that fit it.

    Args:
        place: where among them the stretch around the likeliest limits stands: any place is as likely as any other.
    """
    scenario, sign = reached.played.scenario, SIGN[reached.played.seat]
    limits, weights = sign * information.limits(), information.weights()
    order = np.argsort(limits)
    low, middle, high = np.interp([0.02, 0.5, 0.98], np.cumsum(weights[order]), limits[order])
    width = max(float(high - low) / _ACROSS, 2 * scenario.step)
    first = float(middle) - width / 2 - place * width
    cuts = [scenario.round(first + each * width) for each in range(1, CHOICES)]
    shares = np.bincount(np.searchsorted(cuts, limits), weights=weights, minlength=CHOICES)
    best = int(np.argmax(shares))
    texts = _stretches([format_money(each, scenario.money) for each in cuts])
    return [
        {
            "text": text,
            "value": round(float(share), 4),
            "regret": round(BLUNDER * float(1 - share / shares[best]), 4),
            "label": "best" if number == best else "good" if share > _NEAR * shares[best] else "mistake",
            "reason": ""
            if share > _NEAR * shares[best]
            else f"Only {percent(float(share))} of the opponents that would have played so have their limit there.",
        }
        for number, (text, share) in enumerate(zip(texts, shares, strict=True))
    ]


def _stretches(cuts: list[str]) -> list[str]:
    return [
        f"Below {cuts[0]}",
        *(f"{a} to {b}" for a, b in pairwise(cuts)),
        f"Above {cuts[-1]}",
    ]


class ToTheEnd(Choices):
    """The candidates of a position near the end, those beyond the own limit among them."""

    def others(self) -> list[Candidate]:
        return list(dict.fromkeys([*super().others(), *self.beyond()]))


class _Weighed:
    """Every candidate of a position with what it is worth.

    Args:
        to_the_end: offers beyond the own limit are weighed too.
    """

    def __init__(self, reached: Reached, information: InformationSet, *, to_the_end: bool = False) -> None:
        self._played = played = reached.played
        self._turn = played.turns[-1]
        bundles = standing_bundles(information.batch)
        self._choices = (ToTheEnd if to_the_end else Choices)(played, self._turn, *bundles)
        self._candidates = self._choices.others()
        opponents = information.sample(WEIGHED_AGAINST)
        weighing = Weighing(opponents, self._choices, information.believed()[0])
        weighing.play(np.arange(WEIGHED_AGAINST), weighing.everything)
        self._values: Array = weighing.values[1:]
        self._worth: Array = self._values.mean(axis=2).max(axis=1)
        self._order = [int(index) for index in np.argsort(-self._worth, kind="stable")]
        self._zone = float(np.maximum(0.0, opponents.table.zone_now()).mean())

    def on_offer(self, exercise: Exercise) -> list[int]:
        """The best move, and of the moves that are surely worse one of each kind; nothing where the kind that the
        exercise is about is not among them.

        Closing beyond the own limit is not among them: nobody learns from what nobody would do.
        """
        kind_of = [each.kind for each in self._candidates]
        ranked = [
            index
            for index in self._order
            if self._worth[index] >= 0 and (kind_of[index] != "walk_away" or "walk_away" in exercise.kinds)
        ]
        found = self._beside(ranked[0], ranked) if ranked else []
        about = exercise.kinds[0]
        return found if any(kind_of[index] == about for index in found) else []

    def with_key(self, key: End) -> list[int]:
        """An end that nothing surely beats, and of the moves that are surely worse one of each kind; holding must beat
        both ends."""
        kind_of = [each.kind for each in self._candidates]
        right = next(
            (
                index
                for index in self._order
                if self.choice(index)["label"] in ("best", "good")
                and _END_OF.get(kind_of[index], "hold") == key
            ),
            None,
        )
        if right is None:
            return []
        found = self._beside(right, self._order, first=("accept", "walk_away"))
        ends = {kind_of[index] for index in found}
        return [] if key == "hold" and not {"accept", "walk_away"} <= ends else found

    def _beside(self, key: int, among: list[int], first: tuple[str, ...] = ()) -> list[int]:
        """A key and moves that are surely worse, the least bad of each kind before more of one. Nothing is on offer that
        can't be told apart from the key."""
        worse = [index for index in among if index != key and self.choice(index)["label"] in PLAINLY_WORSE]
        of_kind = {self._candidates[index].kind: index for index in reversed(worse)}
        ends = [of_kind[kind] for kind in of_kind if kind in first]
        texts: dict[str, int] = {}
        for index in (key, *ends, *of_kind.values(), *reversed(worse)):
            if len(texts) < CHOICES:
                texts.setdefault(self._text(index), index)
        return list(texts.values())

    def position(
        self, reached: Reached, on_offer: list[int], rng: np.random.Generator
    ) -> DrillPosition | None:
        """The position with these moves on offer, in any order; None where they are too few."""
        if len(on_offer) < FEWEST_CHOICES:
            return None
        choices = tuple(self.choice(index) for index in on_offer)
        moves = tuple(self._candidates[index] for index in on_offer)
        return DrillPosition(reached, choices, moves).shuffled(rng)

    def choice(self, index: int) -> dict[str, Any]:
        """One move on offer: in words, its worth and regret in shares of the zone, and why another is better."""
        rest = [other for other in range(len(self._candidates)) if other != index]
        regret = regret_of(self._values[[index, *rest]])
        label = label_of(regret, breached=False)
        best = index if regret.best == 0 else rest[regret.best - 1]
        reason = self._why(index, best, regret.mean) if label in FAULTS else ""
        return {
            "text": self._text(index),
            "value": round(float(self._worth[index]), 4),
            "regret": round(regret.mean, 4) if label is not None else 0.0,
            "label": label,
            "reason": reason,
        }

    def _text(self, index: int) -> str:
        return describe(self._candidates[index], self._moment(index, index, 0.0))

    def _why(self, own: int, better: int, gain: float) -> str:
        at, price = self._choices.position, self._candidates[own].offer
        held = at.standing if self._candidates[own].kind == "accept" else None
        if price is not None:
            held = at.held - self._candidates[own].step
        if held is not None and held < at.floor:
            limit = format_money(self._turn.before.own.walk_away, self._played.scenario.money)
            return f"That lies beyond your walk-away of {limit}: leaving is better than a deal there."
        moment = self._moment(own, better, gain)
        return spoken(lesson_of(moment).says(moment))

    def _moment(self, own: int, better: int, gain: float) -> Moment:
        move = _as_move(self._candidates[own], "")
        turn = PlayedTurn(self._turn.turn, self._turn.before, move, None, None)
        return Moment(
            played=self._played,
            turn=turn,
            position=self._choices.position,
            own=self._candidates[own],
            better=self._candidates[better],
            gain=gain * self._zone,
            their_last_step=self._their_last_step(),
            their_deadline=self._their_deadline(),
            follow_up=STYLES[int(np.argmax(self._values.mean(axis=2)[better]))],
        )

    def _their_last_step(self) -> float | None:
        """What their last offer gave the player, as a price, where terms stayed as they were."""
        sign = SIGN[self._played.seat]
        views = [turn.before.standing_offer for turn in self._played.turns]
        last = [sign * offer for offer in views if offer is not None][-2:]
        return last[1] - last[0] if len(last) == 2 else None

    def _their_deadline(self) -> bool:
        recent = [t for t in self._played.turns if self._turn.turn - t.turn <= DEADLINE_TURNS]
        return any(turn.reply is not None and turn.reply.card == DEADLINE for turn in recent)
