"""A table of each kind of game, with words in it: for what the house promises of all of them alike."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from accounts.models import Team, User
from accounts.services import user_create
from negotiation.answering import answer_at_once
from negotiation.coalitions.services import deal_act, deal_create
from negotiation.diplomacy import services as board
from negotiation.diplomacy.services import Edited
from negotiation.engine.coalition import Action
from negotiation.engine.deal import Action as Move
from negotiation.messages import ActData
from negotiation.pairs import selectors as pair_selectors
from negotiation.pairs import services as pairs
from negotiation.pairs.models import PairDeal
from negotiation.services import game_create, game_walk_away, turn_submit
from negotiation.smallgames.opponents import suspects_of
from negotiation.smallgames.selectors import sitting_of
from negotiation.smallgames.services import match_act, match_create
from negotiation.table.models import TableRow

SAID = "Between us: the harbour at noon."


def _deal(player: User, team: Team, *, end: bool) -> TableRow:
    game = game_create(player=player, team=team, scenario="saas_enterprise", persona="shark", seat="seller")
    words = ActData(SAID, 180_000.0, None, None, None, None, None, confirmed=True)
    turn_submit(game_id=game.pk, player=player, action_id=uuid.uuid4(), act=words)
    answer_at_once(game.pk)
    if end:
        game_walk_away(game_id=game.pk, player=player, action_id=uuid.uuid4())
        answer_at_once(game.pk)
    return game


def _for_three(player: User, team: Team, *, end: bool) -> TableRow:
    across = {"seller": "shark", "buyer_a": "diplomat"}
    deal = deal_create(player=player, team=team, scenario="cold_store", seat="buyer_b", opponents=across)
    deal_act(deal_id=deal.pk, player=player, action_id=uuid.uuid4(), action=Action(text=SAID))
    if end:
        deal_act(deal_id=deal.pk, player=player, action_id=uuid.uuid4(), action=Action(walk_away=True))
    return deal


def pair_between(seller: User, buyer: User, *, seed: int | None = None) -> PairDeal:
    """Two people at a table that the seller has opened."""
    _, token = pairs.pair_open(opener=seller, scenario="saas_enterprise", seat="seller", seed=seed)
    return pairs.pair_join(link=pair_selectors.invitation(token), user=buyer)


def _pair(player: User, team: Team, *, end: bool) -> TableRow:
    colleague = user_create(email=f"{uuid.uuid4().hex}@example.com", password=None)
    deal = pair_between(player, colleague)
    others = {"seller": player, "buyer": colleague}

    def move(**what: Any) -> None:
        deal.refresh_from_db()
        pairs.pair_act(deal_id=deal.pk, player=others[deal.on_turn], action_id=uuid.uuid4(), **what)

    if deal.on_turn == "buyer":
        move(act=ActData("Good morning.", 120_000.0, None, None, None, None, None, confirmed=True))
    move(act=ActData(SAID, 180_000.0, None, None, None, None, None, confirmed=True))
    if end:
        move(action=Move(walk_away=True))
    return deal


def _board(player: User, team: Team, *, end: bool) -> TableRow:
    game, _ = board.game_create(host=player, power="FRANCE", years=1)
    words = f"{SAID} I will not attack you until fall 1902."
    board.message_say(
        game_id=game.pk, user=player, action_id=uuid.uuid4(), to="GERMANY", text=words, bluff=False, edited=Edited()
    )  # fmt: skip
    if end:
        board.seat_leave(game_id=game.pk, user=player, action_id=uuid.uuid4())
    return game


def _small(player: User, team: Team, *, end: bool) -> TableRow:
    match = match_create(player=player, game="ipd", opponent=next(iter(suspects_of("ipd"))))
    while end and not sitting_of(match).match.done:
        match = match_act(
            match_id=match.pk, player=player, action_id=uuid.uuid4(), after=match.last_seq, action=0
        )
    return match


_PLAY: dict[str, Callable[..., TableRow]] = {
    "deal": _deal, "coalition": _for_three, "pair": _pair, "diplomacy": _board, "small": _small
}  # fmt: skip


def table_of(kind: Any, player: User, team: Team, *, end: bool = True) -> Any:
    """A table of this kind, played to its end or still on; whoever adds a kind adds its line here."""
    table = _PLAY[kind.name](player, team, end=end)
    table.refresh_from_db()
    assert table.is_live is not end
    return table
