"""What belongs together: a deal, the one it was branched off, and those branched off it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from accounts.models import User
from coaching.selectors import may_share
from negotiation import catalogue
from negotiation.models import Game


@dataclass(frozen=True, slots=True)
class RetryEnding:
    """How one of them ended."""

    id: uuid.UUID
    turn: int | None
    price: float | None
    efficiency: float | None
    currency: str
    live: bool


@dataclass(frozen=True, slots=True)
class Family:
    """A deal's endings: ``before`` is that of its parent, ``own`` its own, ``after`` those of its retries."""

    before: RetryEnding | None
    own: RetryEnding
    after: list[RetryEnding]


def may_retry(user: User, game: Game) -> bool:
    """Whoever played a deal may try it again, and nobody else."""
    return game.player_id == user.pk


def game_to_retry(game_id: uuid.UUID, user: User) -> Game | None:
    """The game, if this person may take it up again."""
    game = Game.objects.select_related("player", "team", "scenario_version").filter(pk=game_id).first()
    return game if game is not None and may_retry(user, game) else None


def family_of(game: Game, user: User) -> Family:
    """The endings to lay side by side, as far as this person may read them."""
    parent = game.parent if game.parent is not None and may_share(user, game.parent) else None
    retries = game.retries.exclude(status=Game.Status.ABANDONED).order_by("branch_turn", "created_at")
    own = user.pk == game.player_id
    shown = [each for each in retries if own or (may_share(user, each) and not each.is_live)]
    return Family(
        before=None if parent is None else _ending(parent),
        own=_ending(game),
        after=[_ending(each) for each in shown],
    )


def _ending(game: Game) -> RetryEnding:
    return RetryEnding(
        id=game.pk,
        turn=game.branch_turn,
        price=game.price,
        efficiency=game.efficiency,
        currency=catalogue.for_game(game).currency,
        live=game.is_live,
    )
