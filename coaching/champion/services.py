"""Asking how the champion would have played, and working it out, off the path of every request.

The champion reads the table as the player's seat sees it, with the player's own limit and nothing of the other side's;
it meets the same persona with the same luck. What it says goes through the same guard as at any table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.conf import settings

from coaching.cases.services import played_again
from coaching.champion.models import AWAY, ChampionReplay
from negotiation import seating
from negotiation.engine.deal import Action, ActionRefused, Negotiation
from negotiation.engine.personas import USUAL
from negotiation.models import Game
from negotiation.opponents.guest import Guest
from negotiation.serving.selectors import champion
from negotiation.table.errors import LogDiverged
from owed import services as owed
from owed.kinds import Work, register

if TYPE_CHECKING:
    from negotiation.opponents import Account

DIVERGED = "The deal can't be dealt again: it was played on another version of the engine."
CHARACTER = USUAL
"""In whose words the champion's decisions are said where its own words may not be."""


def replay_request(*, game: Game) -> ChampionReplay | None:
    """Have the worker let the present champion play this deal. What is known already is not worked out again.

    Returns:
        The replay; without a champion or a server the latest that was ever worked out, else ``None``.
    """
    playing = champion() if settings.MODEL_URL else None
    if playing is None:
        known = ChampionReplay.objects.filter(game=game, state=ChampionReplay.State.DONE)
        return known.order_by("-heartbeat_at").first()
    noted = {"title": playing.title, "certificate": playing.certificate}
    asked = owed.ask(ChampionReplay, game=game, model=playing.name, defaults=noted)
    if asked.is_away:
        owed.again(asked)
    return asked


def _play(row: ChampionReplay) -> dict[str, Any]:
    if not settings.MODEL_URL:
        raise owed.CannotBeDone(AWAY)
    accounts: list[Account] = []
    try:
        case = played_again(row.game, lambda table: _moves(table, row, accounts))
    except (LogDiverged, ActionRefused) as problem:
        raise owed.CannotBeDone(DIVERGED) from problem
    stood_in = sum(account.stand_in for account in accounts)
    if stood_in == len(accounts):
        raise owed.CannotBeDone(AWAY)
    return {"data": case, "stand_ins": stood_in}


def _moves(table: Negotiation, row: ChampionReplay, accounts: list[Account]) -> Iterator[tuple[int, Action]]:
    """The model's moves from the player's chair, over a connection of its own that ends with them."""
    from negotiation.opponents.negotiator import NegotiatorOpponent

    client = seating.new_client()
    guest = Guest(NegotiatorOpponent(client, row.model, settings.MODEL_STYLE), CHARACTER, table)
    with asyncio.Runner() as runner:
        try:
            while not table.done:
                turn = table.turn
                owed.progress(row)
                action, account = runner.run(guest.act())
                if account is not None:
                    accounts.append(account)
                yield turn, action
        finally:
            runner.run(client.close())


REPLAY = register(Work("champion", ChampionReplay, _play))


def champion_shown(game: Game) -> dict[str, Any]:
    """What the debrief's page needs of it."""
    replay = replay_request(game=game)
    return {
        "replay": replay,
        "case": replay.data if replay and replay.state == ChampionReplay.State.DONE else None,
    }
