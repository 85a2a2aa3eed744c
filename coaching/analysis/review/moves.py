"""From a recorded move to the batched engine's, the same in every game."""

from __future__ import annotations

import numpy as np

from coaching.analysis.review.record import PlayedGame, PlayedMove, TableView
from negotiation.engine.deal.batch import Moves, Replies
from negotiation.engine.deal.batch.moves import CARD_IDS, NO_CARD
from negotiation.engine.deal.conduct import DEADLINE_TURNS, player_acts
from negotiation.engine.language import understand


def _number(value: float | None) -> float:
    return np.nan if value is None else value


def heard_acts(words: str, played: PlayedGame, view: TableView) -> set[str]:
    """The acts that the player's words amount to at this table."""
    if not words.strip():
        return set()
    return player_acts(
        understand(
            words,
            money=played.scenario.money,
            seat=played.seat,
            standing_offer=view.standing_offer,
            own_offer=view.own_offer,
        )
    )


def engine_move(move: PlayedMove, games: int, played: PlayedGame, view: TableView) -> Moves:
    """The player's recorded move in ``games`` games."""
    acts = heard_acts(move.words, played, view)
    made = Moves.nothing(games)
    made.offer[:] = _number(move.offer)
    made.bundle[:] = move.bundle
    made.card[:] = NO_CARD if move.card is None else CARD_IDS.index(move.card)
    made.claim[:] = _number(move.claim)
    made.challenge[:] = "skepticism" in acts if move.challenge is None else move.challenge
    made.accept[:], made.walk_away[:] = move.accept, move.walk_away
    made.acts = {act: np.ones(games, dtype=np.bool_) for act in acts}
    if move.talk:
        made.say([move.talk] * games)
    return made


def engine_reply(reply: PlayedMove, games: int) -> Replies:
    """The persona's recorded reply in ``games`` games."""
    return Replies(
        offer=np.full(games, _number(reply.offer)),
        bundle=np.full(games, reply.bundle),
        card=np.full(games, NO_CARD if reply.card is None else CARD_IDS.index(reply.card)),
        claim=np.full(games, _number(reply.claim)),
        challenge=np.full(games, bool(reply.challenge)),
        accept=np.full(games, reply.accept),
        walk_away=np.full(games, reply.walk_away),
        rounds=np.full(games, reply.deadline_turns or DEADLINE_TURNS),
    )
