"""Who may do what: one table for every address and every method, one for every socket.

An address that is not in the table fails a test, and so does a method that answers without being listed. The
people: nobody signed in, a guest, the rep whose deals these are, a peer of the same team, the manager of the
team, the manager of another team, and the admin of the team, who is staff too.

``in``: let in (whatever the form then says); ``login``: sent to sign in; a number: that status.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve

from accounts.invitations import Line, invitations_create
from accounts.models import Membership, Team, User
from accounts.services import guest_create, membership_set, user_create
from coaching.room.assignments import assignment_create
from coaching.room.models import CheckResult, DataExport
from coaching.room.rubrics import rubric_create
from coaching.routing import sockets as coaching_sockets
from coaching.services import link_create
from negotiation.coalitions.services import deal_create
from negotiation.engine.coalition import coalition_scenarios
from negotiation.models import Game
from negotiation.routing import sockets as deal_sockets
from negotiation.services import game_create
from tests.web.conftest import SEED, OpenSocket

pytestmark = pytest.mark.django_db(transaction=True)

PEOPLE = ("nobody", "guest", "rep", "peer", "manager", "foreign", "admin")

TABLE = """
                                                          nobody guest rep  peer manager foreign admin
GET  /                                                    in     in    in   in   in      in      in
POST /guest/                                              in     in    in   in   in      in      in
GET  /deals/new/                                          login  in    in   in   in      in      in
POST /deals/new/                                          login  in    in   in   in      in      in
GET  /deals/{live}/                                       login  404   in   404  404     404     404
GET  /deals/{live}/links/                                 login  404   in   404  in      404     in
POST /deals/{live}/links/                                 login  404   in   404  in      404     in
POST /deals/{live}/links/{link}/revoke/                   login  404   in   404  in      404     in
GET  /deals/{over}/debrief/                               login  404   in   404  in      404     in
GET  /deals/{over}/review/                                login  404   in   404  in      404     in
POST /deals/{over}/review/again/                          login  404   202  404  202     404     202
POST /deals/{over}/review/1/try/                          login  404   in   404  404     404     404
POST /deals/{over}/checks/{check}/                        login  404   404  404  in      404     in
GET  /watch/{watch}/                                      in     in    in   in   in      in      in
GET  /watch/{coach}/                                      in     in    403  in   in      in      in
GET  /watch/{replay}/                                     in     in    in   in   in      in      in
GET  /watch/no-such-link/                                 404    404   404  404  404     404     404

GET  /coalitions/new/                                     login  in    in   in   in      in      in
POST /coalitions/new/                                     login  in    in   in   in      in      in
GET  /coalitions/{three}/                                 login  404   in   404  404     404     404
GET  /coalitions/{three}/log/                             login  404   in   404  404     404     404
POST /coalitions/{three}/act/                             login  404   in   404  404     404     404
GET  /coalitions/{three}/debrief/                         login  404   in   404  in      404     in

GET  /team/                                               login  in    in   in   in      in      in
GET  /team/{team}/                                        login  404   404  404  in      404     in
POST /team/{team}/watch/{live}/                           login  404   404  404  in      404     in
POST /team/{team}/watch/{elsewhere}/                      login  404   404  404  404     404     404
GET  /team/{team}/assignments/                            login  404   404  404  in      404     in
GET  /team/{team}/assignments/new/                        login  404   404  404  in      404     in
POST /team/{team}/assignments/new/                        login  404   404  404  in      404     in
GET  /team/{team}/assignments/{assignment}/               login  404   404  404  in      404     in
POST /team/{team}/assignments/{assignment}/               login  404   404  404  in      404     in
POST /team/{team}/assignments/{assignment}/close/         login  404   404  404  in      404     in
POST /team/{other_team}/assignments/{assignment}/close/   login  404   404  404  404     404     404
POST /assignments/{assignment}/start/                     login  404   in   in   404     404     404
GET  /team/{team}/rubrics/                                login  404   404  404  in      404     in
POST /team/{team}/rubrics/                                login  404   404  404  in      404     in
POST /team/{team}/rubrics/{rubric}/retire/                login  404   404  404  in      404     in
POST /team/{other_team}/rubrics/{rubric}/retire/          login  404   404  404  404     404     404
GET  /team/{team}/progress/                               login  404   404  404  in      404     in
GET  /team/{team}/export/games.csv                        login  404   404  404  in      404     in
GET  /team/{team}/export/attempts.csv                     login  404   404  404  in      404     in
GET  /team/{team}/export/ratings.csv                      login  404   404  404  in      404     in
GET  /team/{team}/people/                                 login  404   404  404  in      404     in
POST /team/{team}/people/invite/                          login  404   404  404  in      404     in
POST /team/{team}/people/invitations/{invitation}/resend/ login  404   404  404  in      404     in
POST /team/{team}/people/invitations/{invitation}/revoke/ login  404   404  404  in      404     in
POST /team/{team}/people/invitations/{to_admin}/resend/   login  404   404  404  404     404     in
POST /team/{team}/people/invitations/{to_admin}/revoke/   login  404   404  404  404     404     in
POST /team/{team}/people/retention/                       login  404   404  404  in      404     in
GET  /leaderboard/                                        login  in    in   in   in      in      in

GET  /account/privacy/                                    login  in    in   in   in      in      in
POST /account/privacy/consent/                            login  in    in   in   in      in      in
POST /account/privacy/visibility/                         login  in    in   in   in      in      in
POST /account/privacy/export/                             login  in    in   in   in      in      in
GET  /account/privacy/export/{export}/                    login  404   in   404  404     404     404
POST /account/privacy/transcripts/                        login  in    in   in   in      in      in
POST /account/privacy/account/                            login  in    in   in   in      in      in

GET  /join/{join}/                                        in     in    in   in   in      in      in
POST /join/{join}/                                        in     in    403  403  403     403     403
GET  /accounts/signup/                                    in     in    in   in   in      in      in
POST /accounts/signup/                                    in     in    in   in   in      in      in
GET  /accounts/login/                                     in     in    in   in   in      in      in
POST /accounts/login/                                     in     in    in   in   in      in      in
GET  /accounts/logout/                                    in     in    in   in   in      in      in
POST /accounts/logout/                                    in     in    in   in   in      in      in
GET  /accounts/inactive/                                  in     in    in   in   in      in      in
GET  /accounts/reauthenticate/                            login  403   in   in   in      in      in
POST /accounts/reauthenticate/                            login  403   in   in   in      in      in
GET  /accounts/email/                                     login  in    in   in   in      in      in
POST /accounts/email/                                     login  in    in   in   in      in      in
GET  /accounts/confirm-email/                             in     in    in   in   in      in      in
GET  /accounts/confirm-email/no-such-key/                 in     in    in   in   in      in      in
POST /accounts/confirm-email/no-such-key/                 404    404   404  404  404     404     404
GET  /accounts/password/change/                           login  in    in   in   in      in      in
POST /accounts/password/change/                           login  in    in   in   in      in      in
GET  /accounts/password/set/                              login  in    in   in   in      in      in
POST /accounts/password/set/                              login  in    in   in   in      in      in
GET  /accounts/password/reset/                            in     in    in   in   in      in      in
POST /accounts/password/reset/                            in     in    in   in   in      in      in
GET  /accounts/password/reset/done/                       in     in    in   in   in      in      in
GET  /accounts/password/reset/key/1-no-such-key/          in     in    in   in   in      in      in
POST /accounts/password/reset/key/1-no-such-key/          in     in    in   in   in      in      in
GET  /accounts/password/reset/key/done/                   in     in    in   in   in      in      in
GET  /accounts/login/code/confirm/                        login  in    in   in   in      in      in
POST /accounts/login/code/confirm/                        login  in    in   in   in      in      in

GET  /api/openapi.json                                    in     in    in   in   in      in      in
GET  /api/                                                404    404   404  404  404     404     404
GET  /api/scenarios                                       401    in    in   in   in      in      in
GET  /api/personas                                        401    in    in   in   in      in      in
GET  /api/deals                                           401    in    in   in   in      in      in
POST /api/deals                                           401    in    in   in   in      in      in
GET  /api/deals/{live}                                    401    404   in   404  404     404     404
GET  /api/deals/{over}/debrief                            401    404   in   404  in      404     in
"""

BODIES = {"/act/": {"action_id": str(uuid.uuid4()), "text": "What matters to you?"}}
"""What is sent, by the end of the address, where an empty body is refused before anybody asks who sends it."""

LET_IN = {200, 201, 302, 409, 422}


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


@pytest.fixture
def world(over: Game, game: Game, rep: User, manager: User, team: Team) -> World:
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
    lines = [Line(2, "", email="new@example.com"), Line(3, "", email="head@example.com", role="admin")]
    (invited, join), (to_admin, _) = invitations_create(team=team, by=manager, lines=lines)
    link, watch = link_create(game=live, created_by=rep, scope="watch")
    _, coach = link_create(game=live, created_by=manager, scope="coach")
    _, replay = link_create(game=over, created_by=manager, scope="replay")
    export = DataExport.objects.create(user=rep, archive=b"zip", ready_at=over.finished_at)
    three = deal_create(
        player=rep, team=team, scenario=next(iter(coalition_scenarios())), seat="seller", seed=SEED,
        opponents={"buyer_a": "diplomat", "buyer_b": "veteran"},
    )  # fmt: skip
    names = {
        "live": live.pk, "over": over.pk, "elsewhere": other.pk, "team": team.pk, "other_team": elsewhere.pk,
        "link": link.pk, "watch": watch, "coach": coach, "replay": replay, "check": check.pk, "join": join,
        "rubric": rubric.pk, "assignment": assignment.pk, "invitation": invited.pk, "to_admin": to_admin.pk,
        "export": export.pk, "three": three.pk,
    }  # fmt: skip
    return World(users, names)


def rows() -> Iterator[tuple[str, str, dict[str, str]]]:
    """Method, address and expectation by person, for each line of the table."""
    for line in TABLE.strip().splitlines()[1:]:
        if line.strip():
            method, address, *expected = line.split()
            yield method, address, dict(zip(PEOPLE, expected, strict=True))


def outcome(answer: HttpResponse) -> str:
    """What happened, in the words of the table."""
    if answer.status_code == 302 and answer.headers["Location"].startswith(
        ("/accounts/login/", "/admin/login/")
    ):
        return "login"
    return "in" if answer.status_code in LET_IN else str(answer.status_code)


def ask(client: Client, method: str, address: str) -> str:
    """One request, whose effects are undone."""
    body = next((body for end, body in BODIES.items() if address.endswith(end)), None)
    kind = "application/json" if body or address.startswith("/api/") else "application/octet-stream"
    with transaction.atomic():
        answer = client.generic(method, address, json.dumps(body) if body else "", content_type=kind)
        transaction.set_rollback(True)
    return outcome(answer)  # type: ignore[arg-type]


def routes(patterns: list[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    """Every route of the resolver, as ``resolve`` names it."""
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        else:
            yield route


def every_route() -> set[str]:
    return {plain(route) for route in routes(get_resolver().url_patterns)}


def plain(route: str) -> str:
    """Without the anchors of regular expressions, which the resolver gives in one place and not in another."""
    return route.replace("^", "").replace("$", "")


def route_of(world: World, address: str) -> str:
    return plain(resolve(filled(world, address)).route)


def filled(world: World, address: str) -> str:
    return address.format(**world.names)


def test_every_address_does_for_everybody_what_the_table_says(world: World) -> None:
    clients = {person: world.client(person) for person in PEOPLE}
    wrong = []
    for method, address, expected in rows():
        got = {
            person: ask(
                world.client(person) if "log" in address else clients[person], method, filled(world, address)
            )
            for person in PEOPLE
        }
        if got != expected:
            wrong.append(
                f"{method} {address}: {[f'{p} {got[p]}, not {expected[p]}' for p in PEOPLE if got[p] != expected[p]]}"
            )
    assert not wrong, "\n".join(wrong)


def test_every_address_is_in_the_table(world: World) -> None:
    listed = {route_of(world, address) for _, address, _ in rows()}
    missing = {route for route in every_route() if not route.startswith("admin/")} - listed
    assert not missing, f"say in the table who may: {sorted(missing)}"


def test_a_method_that_is_not_listed_is_not_answered(world: World) -> None:
    listed = {(method, route_of(world, address)) for method, address, _ in rows()}
    examples = {route_of(world, address): filled(world, address) for _, address, _ in rows()}
    admin = world.client("admin")
    answered = [
        f"{method} {address}"
        for route, address in examples.items()
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE")
        # Views of allauth take any method for one of the two that they know, the schema any for reading.
        if not (address.startswith("/accounts/") and method not in ("GET", "POST"))
        and address != "/api/openapi.json"
        and (method, route) not in listed
        and ask(admin, method, address) not in ("404", "405")
    ]
    assert not answered, answered


def test_the_admin_is_for_staff_alone(world: World) -> None:
    """Every page of the admin, for everybody: sent to sign in, unless staff."""
    let_in: set[str] = set()
    for route in sorted(every_route()):
        if not route.startswith("admin/") or "(?P" in route:
            continue
        address = "/" + route
        for placeholder in ("<path:object_id>", "<path:content_type_id>"):
            address = address.replace(placeholder, "1")
        address = address.replace("<int:scenario_id>", "1").replace("<int:preview_id>", "1")
        assert "<" not in address, f"fill in {route}"
        for person in PEOPLE:
            got = ask(world.client(person), "GET", address)
            if person == "admin":
                let_in |= {address} if got == "in" else set()
            elif address not in ("/admin/login/", "/admin/logout/", "/admin/jsi18n/"):
                assert got == "login", f"{address}: {person} {got}"
    assert "/admin/accounts/user/" in let_in


@pytest.mark.parametrize(
    "address", sorted({a for m, a, _ in rows() if m == "POST" and not a.startswith("/api")})
)
def test_no_form_is_taken_from_another_site(world: World, address: str) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.cookies = world.client("manager").cookies
    assert browser.post(filled(world, address)).status_code == 403


# --- sockets ------------------------------------------------------------------------------------------

SOCKETS = """
                      nobody guest rep    peer   manager foreign admin
/ws/deals/{live}/     4401   4404  player 4404   4404    4404    4404
/ws/deals/{over}/     4401   4404  player 4404   4404    4404    4404
/ws/watch/{watch}/    watcher watcher watcher watcher watcher watcher watcher
/ws/watch/{coach}/    coach  coach 4403   coach  coach   coach   coach
/ws/watch/{replay}/   coach  coach coach  coach  coach   coach   coach
/ws/watch/nothing/    4410   4410  4410   4410   4410    4410    4410
"""
"""A number is the code that the socket is closed with; a word is the role one gets."""

ACTIONS = {
    "player": {"act", "accept", "walk_away", "preview", "resume", "ping"},
    "watcher": {"resume", "ping"},
    "coach": {"whisper", "resume", "ping"},
}
"""What each role may send; whatever else is refused with ``not_allowed``."""


def socket_rows() -> Iterator[tuple[str, dict[str, str]]]:
    for line in SOCKETS.strip().splitlines()[1:]:
        address, *expected = line.split()
        yield address, dict(zip(PEOPLE, expected, strict=True))


@pytest.mark.parametrize(("address", "expected"), list(socket_rows()), ids=lambda value: str(value)[:20])
async def test_every_socket_gives_everybody_the_role_of_the_table(
    world: World, open_socket: OpenSocket, address: str, expected: dict[str, str]
) -> None:
    got = {}
    for person in PEOPLE:
        session = await sync_to_async(world.session)(person)
        socket = await open_socket(filled(world, address), session=session)
        frame = await socket.frame()
        got[person] = frame["data"]["role"] if frame["type"] == "hello" else str(await socket.close_code())
    assert got == expected


@pytest.mark.parametrize(
    ("address", "person", "role"),
    [
        ("/ws/deals/{live}/", "rep", "player"),
        ("/ws/watch/{watch}/", "manager", "watcher"),
        ("/ws/watch/{coach}/", "manager", "coach"),
    ],
)
async def test_a_role_sends_what_it_may_and_nothing_else(
    world: World, open_socket: OpenSocket, address: str, person: str, role: str
) -> None:
    session = await sync_to_async(world.session)(person)
    socket = await open_socket(filled(world, address), session=session)
    await socket.until("hello")
    for kind in sorted({action for actions in ACTIONS.values() for action in actions} - ACTIONS[role]):
        await socket.send_json_to({"id": str(uuid.uuid4()), "type": kind, "data": {"text": "x"}})
        refused = await socket.until("error")
        assert refused["data"]["code"] == "not_allowed", kind


def test_every_socket_is_in_the_table() -> None:
    heads = {address.split("{")[0].strip("/").removesuffix("/nothing") for address, _ in socket_rows()}
    routes_there = {str(one.pattern).split("<")[0].strip("/") for one in [*deal_sockets, *coaching_sockets]}
    assert routes_there == heads
