"""Two teams, seven kinds of people, and one of each thing that an address can name: for the tables of permissions."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache
from django.test import Client

from accounts.invitations import InvitationLine, invitations_create
from accounts.models import Membership, Team, User
from accounts.services import guest_create, membership_set, user_create
from coaching.live.services import comment_write
from coaching.room.assignments import assignment_create
from coaching.room.models import CheckResult, DataExport
from coaching.room.rubrics import rubric_create
from coaching.services import link_create
from coaching.skills.models import PracticeCard
from negotiation.coalitions.links import link_create as three_link_create
from negotiation.coalitions.services import deal_create
from negotiation.diplomacy.links import link_create as board_link_create
from negotiation.diplomacy.models import BoardFork
from negotiation.diplomacy.selectors import place_of
from negotiation.diplomacy.services import game_create as game_create_board
from negotiation.diplomacy.services import seat_leave
from negotiation.engine.coalition import coalition_scenarios
from negotiation.models import Game
from negotiation.pairs.ending import pair_leave
from negotiation.pairs.links import link_create as pair_link_create
from negotiation.pairs.services import pair_open
from negotiation.services import game_create
from negotiation.smallgames.services import match_create
from tests.tables import pair_between
from tests.trainer_web.things import bring, dataset_row, episode_row
from trainer.models import Generation, Retraining, TrainingRun

SEED = 1_234_567_890_123
PEOPLE = ("nobody", "guest", "rep", "peer", "manager", "foreign", "admin")


@dataclass(frozen=True, slots=True)
class World:
    """Two teams with people, and one of each thing that an address can name."""

    users: dict[str, User | None]
    names: dict[str, object]

    def client(self, person: str) -> Client:
        client = Client()
        user = self.users[person]
        if user is not None:
            client.force_login(user, backend=settings.AUTHENTICATION_BACKENDS[0])
        return client

    def session(self, person: str) -> str:
        """The session key of somebody; empty for nobody."""
        cookie = self.client(person).cookies.get(settings.SESSION_COOKIE_NAME)
        return cookie.value if cookie else ""


def make_world(over: Game, rep: User, manager: User, team: Team) -> World:
    """Everybody, and everything; ``over`` is a finished game of ``rep``, of whose ``team`` ``manager`` is manager."""
    cache.clear()
    elsewhere = Team.objects.create(name="Elsewhere")
    people = {
        "peer": (team, Membership.Role.REP),
        "foreign": (elsewhere, Membership.Role.MANAGER),
        "admin": (team, Membership.Role.ADMIN),
    }
    users: dict[str, User | None] = {"nobody": None, "guest": guest_create(), "rep": rep, "manager": manager}
    for name, (of, role) in people.items():
        user = user_create(email=f"{name}@example.com", password="correct horse", is_staff=name == "admin")
        membership_set(user=user, team=of, role=role)
        users[name] = user
    foreign = users["foreign"]
    assert foreign is not None
    setting = {"scenario": "saas_enterprise", "persona": "shark", "seat": "seller", "seed": SEED}
    live = game_create(player=rep, team=team, **setting)  # type: ignore[arg-type]
    other = game_create(player=foreign, team=elsewhere, **setting)  # type: ignore[arg-type]
    rubric = rubric_create(team=team, by=manager, name="R", auto=[], manual=["Summed up"], every_deal=False)
    check = CheckResult.objects.create(game=over, question=rubric.checks.get())
    assignment = assignment_create(
        team=team, by=manager, title="A", scenario="saas_enterprise", persona="shark", pass_efficiency=0.5,
        assignees=[],
    )  # fmt: skip
    lines = [
        InvitationLine(2, "", email="new@example.com"),
        InvitationLine(3, "", email="head@example.com", role="admin"),
    ]
    (invited, join), (to_admin, _) = invitations_create(team=team, by=manager, lines=lines)
    link, watch = link_create(game=live, created_by=rep, scope="watch")
    _, coach = link_create(game=live, created_by=manager, scope="coach")
    _, replay = link_create(game=over, created_by=manager, scope="replay")
    _, shared = link_create(game=over, created_by=rep, scope="played", named=False)
    said = comment_write(game=over, author=manager, text="Well held.", turn=1)
    export = DataExport.objects.create(user=rep, state="done", archive=b"zip", ready_at=over.finished_at)
    three = deal_create(
        player=rep, team=team, scenario=next(iter(coalition_scenarios())), seat="seller", seed=SEED,
        opponents={"buyer_a": "diplomat", "buyer_b": "veteran"},
    )  # fmt: skip
    _, three_watch = three_link_create(deal=three, created_by=rep, scope="watch")
    _, three_coach = three_link_create(deal=three, created_by=manager, scope="coach")
    pair, pair_over = pair_between(rep, foreign, seed=SEED), pair_between(rep, foreign, seed=SEED)
    pair_leave(deal_id=pair_over.pk)
    _, pair_watch = pair_link_create(deal=pair, seat="seller", created_by=rep, scope="watch")
    _, pair_coach = pair_link_create(deal=pair, seat="seller", created_by=manager, scope="coach")
    waiting, sit = pair_open(opener=rep, scenario="saas_enterprise", seat="seller", seed=SEED)
    small = match_create(player=rep, game="auction", seed=SEED)
    board, invitations = game_create_board(host=rep, power="FRANCE", invited=["GERMANY"], seed=SEED)
    at_board = place_of(board.pk, rep)
    assert at_board is not None
    _, eyes = board_link_create(place=at_board, user=rep)
    played, _ = game_create_board(host=rep, power="FRANCE", seed=SEED)
    seat_leave(game_id=played.pk, user=rep, action_id=uuid.uuid4())
    fork = BoardFork.objects.create(
        game=board, owner=rep, power="FRANCE", number=0, phase="S1901M", rollouts=4, years=1
    )
    assert over.finished_at is not None
    card = PracticeCard.objects.create(
        user=rep, kind="limit", skill="probing", game=over, turn=1, due=over.finished_at, schedule={}
    )
    episode = episode_row(over)
    dataset, brought = dataset_row(episode), bring(manager)
    run = TrainingRun.objects.create(name="R", recipe="sft", dataset=dataset)
    gate = TrainingRun.objects.create(name="R, gate", recipe="gate", candidate=run, base="base")
    generation = Generation.objects.create(
        number=1, run=run, gate=gate, base="base", style="brief", path="generations/1", sha256="0" * 64,
        rating=1500.0, deviation=200.0, state="champion",
    )  # fmt: skip
    retraining = Retraining.objects.create(weekday=0, hour=3, base="base", next_at=over.finished_at)
    names = {
        "rep": rep.pk, "card": card.pk,
        "live": live.pk, "over": over.pk, "elsewhere": other.pk, "team": team.pk, "other_team": elsewhere.pk,
        "link": link.pk, "watch": watch, "coach": coach, "replay": replay, "shared": shared,
        "check": check.pk, "join": join,
        "rubric": rubric.pk, "assignment": assignment.pk, "invitation": invited.pk, "to_admin": to_admin.pk,
        "export": export.pk, "three": three.pk, "three_watch": three_watch,
        "three_coach": three_coach, "pair": pair.pk, "pair_over": pair_over.pk, "pair_watch": pair_watch,
        "pair_coach": pair_coach, "waiting": waiting.pk, "sit": sit, "small": small.pk, "comment": said.pk,
        "board": board.pk, "played": played.pk, "seat": invitations["GERMANY"], "eyes": eyes, "fork": fork.pk,
        "episode": episode.pk, "dataset": dataset.pk, "brought": brought.pk, "run": run.pk,
        "gate": gate.pk, "generation": generation.number, "retraining": retraining.pk,
    }  # fmt: skip
    return World(users, names)


def filled(world: World, address: str) -> str:
    return address.format(**world.names)
