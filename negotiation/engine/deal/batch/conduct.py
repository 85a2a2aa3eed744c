"""What the players' moves amount to, in many games: ``conduct.py`` over arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from negotiation.engine.cards import FLOOR
from negotiation.engine.deal.batch.moves import CARD_IDS, Moves
from negotiation.engine.deal.batch.table import Sides, Table
from negotiation.engine.deal.batch.talk import Talked
from negotiation.engine.deal.case.acts import acts_heard
from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.checks import ABSURD_FACTOR
from negotiation.engine.deal.conduct import DEADLINE_TURNS, STONEWALL_AFTER
from negotiation.engine.deal.issues import usual_worths
from negotiation.engine.deal.reward import BLUFF_TOLERANCE, SWALLOW_AFTER_TURNS
from negotiation.engine.deal.rows import Ints, Mask, Rows
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, Seat


@dataclass(slots=True)
class Conducts(Rows):
    """One turn of the players', read as behaviour. Fields as in :class:`Conduct`."""

    acts: dict[str, Mask]
    fresh: Mask
    gift: Array
    given: Array
    card: Ints
    claim: Array
    caught: Mask
    false_call: Mask
    absurd: Mask
    talked: Talked | None = None
    """What the words did, where there is a case."""

    def note(self, act: str, where: Mask) -> None:
        """Add an act to the games of ``where``."""
        if where.any():
            known = self.acts.get(act)
            self.acts[act] = where if known is None else known | where


def is_bluff(claims: Array, limits: Array) -> Mask:
    """As ``reward.is_bluff``, over arrays; a claim that is not there is none."""
    bluff: Mask = np.abs(claims - limits) > BLUFF_TOLERANCE * np.abs(limits)
    return bluff


def players_conduct(moves: Moves, table: Table, scenario: Scenario, seat: Seat) -> Conducts:
    """Apply the players' moves to the table and say what they amounted to."""
    nowhere = np.zeros(len(moves.offer), dtype=np.bool_)
    conduct = Conducts(
        acts=dict(moves.acts),
        fresh=~np.isnan(moves.offer),
        gift=np.zeros(len(moves.offer)),
        given=np.zeros(len(moves.offer)),
        card=moves.card,
        claim=np.full(len(moves.offer), np.nan),
        caught=nowhere,
        false_call=nowhere,
        absurd=nowhere,
    )
    if moves.talk is not None:
        _note_words(moves.talk, conduct)
    _note_offers(moves, table, scenario, seat, conduct)
    deadline = np.full(len(moves.card), table.turn + DEADLINE_TURNS)
    table.player.play(moves.card, scenario, seat, deadline)
    for number, card in enumerate(CARD_IDS):
        conduct.note(card, moves.card == number)
    reveals = moves.card == CARD_IDS.index(FLOOR)
    if reveals.any():
        stated = np.where(np.isnan(moves.claim), moves.offer, moves.claim)
        conduct.claim = np.where(reveals, stated, np.nan)
        table.player.open_claim = np.where(reveals, stated, table.player.open_claim)
    _note_holding(moves, table, conduct)
    _settle_claims(moves, table, conduct)
    return conduct


def _note_words(talk: npt.NDArray[np.object_], conduct: Conducts) -> None:
    """What the table hears in the words, beside what was read from them."""
    for act in set().union(*(acts_heard(each) for each in set(talk))):
        conduct.note(act, np.array([act in acts_heard(each) for each in talk]))


def shifts(scenario: Scenario, giver: Seat, side: Sides, offer: Array, bundle: Ints) -> tuple[Array, Array]:
    """As ``in_public.shift``, over arrays: what the next packages give in public, and what they cost."""

    def gained(seat: Seat) -> Array:
        worths = np.array(usual_worths(scenario.issues)[seat])
        gain: Array = SIGN[seat] * (offer - side.offer) + worths[bundle] - worths[side.bundle]
        return gain

    return gained(OTHER_SEAT[giver]), -gained(giver)


def _note_offers(moves: Moves, table: Table, scenario: Scenario, seat: Seat, conduct: Conducts) -> None:
    fresh, side, other = conduct.fresh, table.player, OTHER_SEAT[seat]
    if not fresh.any():
        return
    worth_before = table.worth(side, other)
    bundle = np.where(fresh, moves.bundle, side.bundle)
    offer = np.where(fresh, moves.offer, side.offer)
    moved = fresh & ~np.isnan(worth_before)
    gift = SIGN[other] * (table.price_worth(offer, bundle, other) - worth_before)
    conduct.gift = np.where(moved, gift, 0.0)
    given, cost = shifts(scenario, seat, side, offer, bundle)
    conduct.given = np.where(moved, given, 0.0)
    side.offer, side.bundle = offer, bundle
    low, high = scenario.plausible_low, scenario.plausible_high
    conduct.absurd = fresh & ~((low / ABSURD_FACTOR <= offer) & (offer <= high * ABSURD_FACTOR))
    conduct.note("absurd_offer", conduct.absurd)
    conduct.note("implausible_offer", fresh & ~conduct.absurd & ~((low <= offer) & (offer <= high)))
    conduct.note("backwards_offer", moved & (cost < 0) & (given < 0))


def _note_holding(moves: Moves, table: Table, conduct: Conducts) -> None:
    engaged = moves.card >= 0
    for act in ("question", "empathy"):
        if act in conduct.acts:
            engaged = engaged | conduct.acts[act]
    holds = np.where(conduct.given > 0, 0, table.player.holds + 1)
    table.player.holds = holds
    conduct.note("stonewalling", (holds >= STONEWALL_AFTER) & ~engaged)


def _settle_claims(moves: Moves, table: Table, conduct: Conducts) -> None:
    """Call the personas' open claims, or let them pass; a claim is settled once."""
    side = table.opponent
    there = ~np.isnan(side.open_claim)
    if not there.any():
        return
    false = is_bluff(side.open_claim, side.claim_limit)
    challenged = there & moves.challenge
    conduct.caught, conduct.false_call = challenged & false, challenged & ~false
    conduct.note("skepticism", challenged)
    conduct.note("false_call", conduct.false_call)
    lapsed = there & (table.turn - side.claim_turn >= SWALLOW_AFTER_TURNS)
    side.open_claim = np.where(challenged | lapsed, np.nan, side.open_claim)
