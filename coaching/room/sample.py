"""A team that has four weeks behind it, for looking around: what a manager's room is like when it is lived in.

Nothing is made up but the people. Every deal is played here and now, by a reference strategy against a persona, through
the same services as anybody's, and then dated back; ratings, reviews and skills follow from it as they always do.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.management.commands.demo import TEAM
from accounts.models import Membership, Team, User
from accounts.services import membership_set, user_create
from coaching.live.services import comment_write
from coaching.room.assignments import assignment_create, attempt_start
from coaching.room.models import Assignment, Attempt
from negotiation import sessions
from negotiation.answering import answer_at_once
from negotiation.engine.deal import Action
from negotiation.engine.deal.selfplay import STRATEGIES
from negotiation.engine.deal.strategies import Strategy
from negotiation.engine.deal.streams import stream
from negotiation.messages import ActData
from negotiation.models import Game
from negotiation.services import game_accept, game_create, game_walk_away, turn_submit

WEEKS = 4
FIRST_SEED, FIRST_TASK_SEED = 20_260, 21_264
"""So that everybody's sample team has played the same deals."""
SMALL_TALK = (
    "What drives your timeline?",
    "We can move a little.",
    "Help me understand where that figure comes from.",
)
"""Said where a strategy names a figure and no words."""
TABLES = (
    ("saas_enterprise", "diplomat", "seller"),
    ("procurement_hardware", "shark", "buyer"),
    ("software_licensing", "veteran", "seller"),
    ("commercial_lease", "diplomat", "buyer"),
    ("saas_enterprise", "shark", "seller"),
    ("hiring_package", "veteran", "buyer"),
)
"""Scenario, persona and seat of a person's first deal, second deal and so on."""


@dataclass(frozen=True, slots=True)
class Teammate:
    """Somebody of the sample team: a strategy for each deal, the oldest first."""

    email: str
    name: str
    plays: tuple[str, ...]


TEAMMATES = (
    Teammate(
        "nadia@demo.local", "Nadia Okafor", ("conceder", "conceder", "linear", "linear", "expert", "expert")
    ),
    Teammate(
        "sam@demo.local",
        "Sam Lindqvist",
        ("boulware", "linear", "boulware", "boulware", "linear", "boulware"),
    ),
    Teammate(
        "priya@demo.local", "Priya Raman", ("linear", "expert", "expert", "tit_for_tat", "expert", "expert")
    ),
)
"""One who learns, one who holds out and goes home, one who knows how."""
TASK: dict[str, Any] = {
    "title": "Don’t chase the Shark’s anchor",
    "note": "Keep coming in even steps, and ask, tell and answer on the way. The mark is a third of what was there.",
    "scenario": "saas_enterprise",
    "persona": "shark",
    "seat": Assignment.Seat.SELLER,
    "pass_efficiency": 0.33,
}
TASK_PLAYS = {"nadia@demo.local": "linear", "priya@demo.local": "expert"}
REMARK = "Before this move you had learnt nothing about their deadline yet. What could you have asked?"


def furnish() -> int:
    """Give the demo team its colleagues and their deals. The number of deals played; 0 where all of it was there.

    What an interrupted call left behind is completed.
    """
    team = Team.objects.get(name=TEAM)
    now = timezone.now()
    played = 0
    for number, mate in enumerate(TEAMMATES):
        person = _person(mate, team)
        begun = list(Game.objects.filter(player=person, attempt=None).order_by("created_at"))
        for deal, play in enumerate(mate.plays):
            game = begun[deal] if deal < len(begun) else _sit_down(person, team, number, deal)
            if game.is_live:
                weeks_ago = WEEKS * (len(TABLES) - deal) / len(TABLES)
                play_out(game, play, ended=now - timedelta(weeks=weeks_ago, hours=-number))
                played += 1
    return played + _assign(team)


def _person(mate: Teammate, team: Team) -> User:
    found = User.objects.filter(email=mate.email).first()
    person = found or user_create(email=mate.email, password=None, display_name=mate.name)
    membership_set(user=person, team=team, role=Membership.Role.REP)
    return person


def _sit_down(person: User, team: Team, number: int, deal: int) -> Game:
    scenario, persona, seat = TABLES[deal]
    seed = FIRST_SEED + 100 * number + deal
    return game_create(player=person, team=team, scenario=scenario, persona=persona, seat=seat, seed=seed)


def _assign(team: Team) -> int:
    """The manager's assignment, tried by two of three; and a remark on the deal that fell short of its mark."""
    if team.assignments.exists():
        return 0
    manager = User.objects.filter(memberships__team=team, memberships__role=Membership.Role.MANAGER).earliest(
        "pk"
    )
    deadline = timezone.now() + timedelta(days=3)
    task = assignment_create(team=team, by=manager, assignees=(), deadline=deadline, whole_team=True, **TASK)
    for number, (email, play) in enumerate(TASK_PLAYS.items()):
        attempt = attempt_start(
            assignment=task,
            user=User.objects.get(email=email),
            seat=Assignment.Seat.SELLER,
            seed=FIRST_TASK_SEED + number,
        )
        play_out(attempt.game, play, ended=timezone.now())
    short = task.attempts.filter(outcome=Attempt.Outcome.FAILED, game__turns__gte=2).first()
    if short is not None:
        comment_write(game=short.game, author=manager, text=REMARK, turn=2)
    return len(TASK_PLAYS)


def play_out(game: Game, play: str, *, ended: datetime) -> None:
    """Have a reference strategy play the player's seat to the end, and date the deal: what follows sees that date."""
    hand = STRATEGIES[play]()
    hand.told(sessions.rebuild(game).scenario)
    live = Game.objects.filter(pk=game.pk, status=Game.Status.LIVE)
    while live.exists():
        with transaction.atomic():
            _move(game, hand)
            answer_at_once(game.id)
            if not live.exists():
                Game.objects.filter(pk=game.pk).update(created_at=ended, finished_at=ended)


def _move(game: Game, hand: Strategy) -> None:
    game.refresh_from_db()
    table = sessions.kept.peek(game)
    action = hand.act(table.observe(), stream(game.seed, "player", table.turn))
    game_id, player, action_id = game.id, game.player, uuid.uuid4()
    if action.accept:
        seen = table.observe()
        game_accept(
            game_id=game_id,
            player=player,
            action_id=action_id,
            offer=seen.standing_offer,
            terms=seen.standing_terms,
        )
    elif action.walk_away:
        game_walk_away(game_id=game_id, player=player, action_id=action_id)
    else:
        turn_submit(game_id=game_id, player=player, action_id=action_id, act=_as_message(action, table.turn))


def _as_message(action: Action, turn: int) -> ActData:
    return ActData(
        text=action.text or SMALL_TALK[turn % len(SMALL_TALK)],
        offer=action.offer,
        card=action.card,
        claim=action.claim,
        belief=action.belief,
        challenge=action.challenge,
        event_estimate=action.event_estimate,
        terms=dict(action.terms) if action.terms else None,
        confirmed=True,
    )
