"""Writes of the board. Bots answer within milliseconds, so what a person does and all that follows is one transaction."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from negotiation.diplomacy import conduct
from negotiation.diplomacy.events import GLOBAL, Row
from negotiation.diplomacy.kind import BOARD
from negotiation.diplomacy.models import BoardEvent, BoardGame, BoardSeat
from negotiation.diplomacy.selectors import Place, power_of, seats_page, sitting_of
from negotiation.diplomacy.sitting import Sitting
from negotiation.engine.diplomacy import POWERS, ImpossibleOrder, opening
from negotiation.engine.diplomacy.bots import BOTS
from negotiation.engine.diplomacy.geography import POWER_ID
from negotiation.engine.diplomacy.press.messages import LONGEST, Tag, said
from negotiation.engine.diplomacy.press.promises import EVERYONE
from negotiation.engine.diplomacy.press.reading import Speech, read
from negotiation.engine.diplomacy.saved import (
    UnreadablePosition,
    order_from_text,
    position_from_json,
    position_to_json,
)
from negotiation.table.errors import MoveRefused
from negotiation.table.links import hash_of
from negotiation.table.log import append, seq_of
from negotiation.table.pings import announce_access
from negotiation.table.seeds import draw_seed
from negotiation.table.signals import table_ended

SECONDS = {0: "No clock", 120: "2 minutes", 300: "5 minutes", 900: "15 minutes", 86_400: "a day"}
"""How long a phase may last, and what that is called."""
MESSAGES_A_PHASE = 40
YEARS = (1, 2, 3, 4, 6, 8)


@dataclass(frozen=True, slots=True)
class Edited:
    """What a sender changed in what was understood: which promises stay (by number), and until which turn each holds."""

    dropped: frozenset[int] = frozenset()
    until: Mapping[int, int] | None = None


def game_create(
    *,
    host: User,
    power: str,
    bots: Mapping[str, str] | None = None,
    invited: Sequence[str] = (),
    years: int = 6,
    seconds: int | None = None,
    seed: int | None = None,
    taken_up: tuple[BoardGame, Mapping[str, Any]] | None = None,
) -> tuple[BoardGame, dict[str, str]]:
    """Begin a game; the tokens of the invitations come with it, by power, and are given out this once.

    ``taken_up`` is a game and a position of it to go on from, alone.
    """
    bots = dict(bots or {})
    if power not in POWERS:
        raise MoveRefused("unknown_power", "There is no such power.", "power")
    if not set(bots.values()) <= set(BOTS) or not set(bots) <= set(POWERS):
        raise MoveRefused("unknown_bot", "There is no such player.", "bots")
    if not set(invited) <= set(POWERS) - {power}:
        raise MoveRefused("unknown_power", "Only other powers can be given away.", "invited")
    if years not in YEARS or (seconds or 0) not in SECONDS:
        raise MoveRefused("bad_pace", "Choose one of the lengths offered.", "years")
    start = dict(taken_up[1]) if taken_up else None
    state = position_from_json(start) if start else opening()
    game = BoardGame(
        host=host,
        seed=draw_seed(BOARD) if seed is None else seed,
        years=years,
        seconds=seconds or None,
        start=start,
        phase=state.phase,
        parent=taken_up[0] if taken_up else None,
        parent_phase=state.phase if taken_up else "",
    )
    tokens = {other: secrets.token_urlsafe(32) for other in invited}
    with transaction.atomic():
        game.save(force_insert=True)
        BoardSeat.objects.bulk_create(
            BoardSeat(
                game=game,
                power=name,
                user=host if name == power else None,
                bot=bots.get(name, conduct.SPEAKS),
                invite_hash=hash_of(tokens[name]) if name in tokens else "",
            )
            for name in POWERS
        )
        sitting = Sitting(state)
        _set_deadline(game)
        append(BoardEvent, game, [_opened(game, sitting)])
        append(BoardEvent, game, conduct.opened(sitting, game.seed, _bots(game), game.last_seq + 1))
        _go_on(game, sitting)
        game.save()
    return game, tokens


def _opened(game: BoardGame, sitting: Sitting) -> Row:
    seats = {
        power: {"person": seat["person"] is not None, "bot": seat["bot"]}
        for power, seat in seats_page(game).items()
    }
    return "opened", {
        "position": position_to_json(sitting.state),
        "seats": seats,
        "years": game.years,
        "seconds": game.seconds,
        "deadline": game.deadline.isoformat() if game.deadline else None,
        "parent_phase": game.parent_phase,
    }


@transaction.atomic
def orders_submit(*, game_id: uuid.UUID, user: User, action_id: uuid.UUID, orders: Sequence[str]) -> int:
    """Give the orders of a phase; the last one awaited plays it. The number of the row is the acknowledgement."""
    place, done = _place(game_id, user, action_id)
    if done is not None:
        return done
    game, sitting, power = place.game, sitting_of(place.game), power_of(place.seat)
    try:
        read_orders = [order_from_text(words, sitting.state) for words in orders]
    except (UnreadablePosition, ImpossibleOrder) as problem:
        raise MoveRefused("bad_order", f"{problem}.", "orders") from None
    wrong = conduct.check_orders(sitting.state, power, read_orders)
    if wrong:
        raise MoveRefused("bad_orders", wrong, "orders")
    _back(place)
    sitting.given[power] = read_orders
    append(
        BoardEvent,
        game,
        [("ordered", {"power": place.seat.power, "orders": list(orders)})],
        action_id=action_id,
    )
    seq = game.last_seq
    _go_on(game, sitting)
    game.save()
    return seq


@transaction.atomic
def orders_withdraw(*, game_id: uuid.UUID, user: User, action_id: uuid.UUID) -> int:
    """Take the orders of this phase back, while somebody else is still awaited."""
    place, done = _place(game_id, user, action_id)
    if done is not None:
        return done
    sitting = sitting_of(place.game)
    if power_of(place.seat) not in sitting.given:
        raise MoveRefused("nothing_to_withdraw", "Your orders are not in, or the phase has been played.")
    append(BoardEvent, place.game, [("withdrawn", {"power": place.seat.power})], action_id=action_id)
    place.game.save()
    return place.game.last_seq


@transaction.atomic
def message_say(
    *, game_id: uuid.UUID, user: User, action_id: uuid.UUID, to: str, text: str, bluff: bool, edited: Edited
) -> int:
    """Write to one power or to all; the promises in it go into the ledger, and a bot that reads answers at once."""
    place, done = _place(game_id, user, action_id)
    if done is not None:
        return done
    game, sitting, power = place.game, sitting_of(place.game), power_of(place.seat)
    text = text.strip()
    if not text:
        raise MoveRefused("empty", "Write something first.", "text")
    if len(text) > LONGEST:
        raise MoveRefused("too_long", f"A message has at most {LONGEST} characters.", "text")
    if sum(row.sender == power for row, _ in sitting.messages) >= MESSAGES_A_PHASE:
        raise MoveRefused(
            "too_many", f"{MESSAGES_A_PHASE} messages a phase are enough. Send your orders.", "text"
        )
    target = _target(to, power)
    _back(place)
    speech = edit(read(text, power, target, sitting.state), edited)
    message = said(sitting.state, power, target, text, Tag.LIE if bluff else Tag.TRUTH)
    before = game.last_seq + 1
    row = conduct.heard(sitting, message, speech, before)
    bots = _bots(game)
    replies = conduct.answered(sitting, game.seed, bots, message, speech, before + 1)
    append(BoardEvent, game, [row, *replies], action_id=action_id)
    if sitting.state.moving:
        append(BoardEvent, game, [conduct.planned(sitting, game.seed, bots)])
    game.save()
    return before


def _target(to: str, power: int) -> int:
    if to == GLOBAL:
        return EVERYONE
    target = POWER_ID.get(to, power)
    if target == power:
        raise MoveRefused("unknown_target", "Choose whom to write to.", "to")
    return target


def edit(speech: Speech, edited: Edited) -> Speech:
    """What was understood, as its sender left it."""
    until = edited.until or {}
    kept = tuple(
        replace(promise, last=max(promise.first, until.get(number, promise.last)))
        for number, promise in enumerate(speech.promises)
        if number not in edited.dropped
    )
    return speech._replace(promises=kept)


@transaction.atomic
def phase_due(*, game_id: uuid.UUID) -> bool:
    """Play a phase whose time is up: bots order for the people who have not. True if it was."""
    game = BoardGame.objects.select_for_update().filter(pk=game_id, status=BoardGame.Status.LIVE).first()
    if game is None or game.deadline is None or game.deadline > timezone.now():
        return False
    sitting = sitting_of(game)
    missing = [seat for seat in _awaited(game, sitting) if power_of(seat) not in sitting.given]
    BoardSeat.objects.filter(pk__in=[seat.pk for seat in missing]).update(away=True)
    append(BoardEvent, game, [("covered", {"power": seat.power}) for seat in missing])
    _go_on(game, sitting, at_least_once=True)
    game.save()
    return True


@transaction.atomic
def seat_leave(*, game_id: uuid.UUID, user: User, action_id: uuid.UUID) -> int:
    """Give one's seat to its bot; a game that nobody plays any more ends here."""
    place, done = _place(game_id, user, action_id)
    if done is not None:
        return done
    game = place.game
    BoardSeat.objects.filter(pk=place.seat.pk).update(away=True)
    append(BoardEvent, game, [("covered", {"power": place.seat.power})], action_id=action_id)
    seq, sitting = game.last_seq, sitting_of(game)
    if not game.seats.filter(user__isnull=False, away=False).exists():
        counts = dict(zip(POWERS, sitting.state.centre_counts(), strict=True))
        _end(game, ("ended", {"reason": "left", "winner": None, "centers": counts}))
    else:
        _go_on(game, sitting)
    game.save()
    return seq


@transaction.atomic
def seat_take(*, token: str, user: User) -> BoardGame:
    """Sit down where one was invited to."""
    seat = BoardSeat.objects.filter(invite_hash=hash_of(token), user=None).first()
    game = BoardGame.objects.select_for_update().filter(pk=seat.game_id).first() if seat else None
    if seat is None or game is None or not game.is_live:
        raise MoveRefused("no_such_invitation", "This invitation was used, or its game is over.")
    if game.seats.filter(user=user).exists():
        raise MoveRefused("seated", "You sit at this table already.")
    if not BoardSeat.objects.filter(pk=seat.pk, user=None).update(user=user, away=False):
        raise MoveRefused("no_such_invitation", "Somebody was quicker.")
    append(BoardEvent, game, [("joined", {"power": seat.power})])
    game.save()
    return game


def _place(game_id: uuid.UUID, user: User, action_id: uuid.UUID) -> tuple[Place, int | None]:
    """The locked game and seat of a person, and where this very action stands if it was taken before."""
    game = BoardGame.objects.select_for_update().filter(pk=game_id).first()
    seat = BoardSeat.objects.filter(game=game, user=user).first() if game else None
    if game is None or seat is None:
        raise MoveRefused("no_such_game", "This game is not yours to play.")
    done = seq_of(BoardEvent, game.pk, action_id)
    if done is None and not game.is_live:
        raise MoveRefused("game_over", "This game is over.")
    return Place(game, seat), done


def _back(place: Place) -> None:
    """Whoever acts is here."""
    if place.seat.away:
        place.seat.away = False
        place.seat.save(update_fields=["away"])
        append(BoardEvent, place.game, [("joined", {"power": place.seat.power})])
        if place.game.deadline is None:
            _set_deadline(place.game)


def _bots(game: BoardGame) -> dict[int, str]:
    """By power: the bot that plays it now, where no person does."""
    seats = list(game.seats.all())
    return {power_of(seat): seat.bot for seat in seats if seat.user_id is None or seat.away}


def _awaited(game: BoardGame, sitting: Sitting) -> list[BoardSeat]:
    """The people of whom this phase asks something and who are not away."""
    return [
        seat
        for seat in game.seats.filter(user__isnull=False, away=False)
        if conduct.has_orders(sitting.state, power_of(seat))
    ]


def _go_on(game: BoardGame, sitting: Sitting, *, at_least_once: bool = False) -> None:
    """Play phases for as long as nobody is awaited; a table whose people are all away waits for them."""
    must = at_least_once
    while game.is_live:
        waiting = [seat for seat in _awaited(game, sitting) if power_of(seat) not in sitting.given]
        present = game.seats.filter(user__isnull=False, away=False).exists()
        if not must and (waiting or not present):
            break
        must = False
        bots = _bots(game) | {
            power_of(seat): seat.bot for seat in game.seats.all() if power_of(seat) not in sitting.given
        }
        row = conduct.played(sitting, game.seed, bots)
        _set_deadline(game)
        row[1]["deadline"] = game.deadline.isoformat() if game.deadline else None
        append(BoardEvent, game, [row])
        first = position_from_json(game.start).year if game.start else opening().year
        last = conduct.ending(sitting, first + game.years - 1)
        game.phase = sitting.state.phase
        if last:
            _end(game, last)
            return
        append(BoardEvent, game, conduct.opened(sitting, game.seed, _bots(game), game.last_seq + 1))


def _end(game: BoardGame, row: Row) -> None:
    append(BoardEvent, game, [row])
    game.status, game.finished_at, game.deadline = BoardGame.Status.FINISHED, timezone.now(), None
    announce_access(game.pk)
    table_ended.send(BoardGame, table=game)


def _set_deadline(game: BoardGame) -> None:
    """The clock of a phase runs while a person is at the table."""
    present = game.seats.filter(user__isnull=False, away=False).exists()
    game.deadline = timezone.now() + timedelta(seconds=game.seconds) if game.seconds and present else None
