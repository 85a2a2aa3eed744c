"""Who may do what: one table for every address and every method. Sockets have a table beside this one.

An address that is not in the table fails a test, and so does a method that answers without being listed. The
people: nobody signed in, a guest, the rep whose deals these are, a peer of the same team, the manager of the
team, the manager of another team, and the admin of the team, who is staff too.

``in``: let in (whatever the form then says); ``login``: sent to sign in; a number: that status.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve

from tests.effort import few
from tests.web.world import PEOPLE, World, filled

pytestmark = pytest.mark.django_db(transaction=True)

TABLE = """
                                                          nobody guest rep  peer manager foreign admin
GET  /                                                    in     in    in   in   in      in      in
POST /guest/                                              in     in    in   in   in      in      in
GET  /words/                                              in     in    in   in   in      in      in
GET  /deals/new/                                          login  in    in   in   in      in      in
POST /deals/new/                                          login  in    in   in   in      in      in
GET  /deals/{live}/                                       login  404   in   404  404     404     404
GET  /deals/{live}/links/                                 login  404   in   404  in      404     in
POST /deals/{live}/links/                                 login  404   in   404  in      404     in
POST /deals/{live}/links/{link}/revoke/                   login  404   in   404  in      404     in
GET  /deals/{over}/debrief/                               login  404   in   404  in      404     in
GET  /deals/{over}/debrief/turns.csv                      login  404   in   404  in      404     in
GET  /deals/{over}/moves/                                 login  404   in   404  in      404     in
GET  /deals/{over}/review/                                login  404   in   404  in      404     in
POST /deals/{over}/review/again/                          login  404   in   404  in      404     in
POST /deals/{over}/review/1/try/                          login  404   in   404  404     404     404
GET  /deals/{over}/compare/                               login  404   in   404  in      404     in
POST /deals/{over}/compare/                               login  404   in   404  404     404     404
GET  /deals/{over}/champion/                              login  404   in   404  in      404     in
POST /deals/{over}/retry/                                 login  404   in   404  404     404     404
POST /deals/{live}/guide/leave/                           login  404   204  404  404     404     404
POST /deals/{over}/swap/                                  login  404   in   404  404     404     404
POST /deals/{over}/checks/{check}/                        login  404   404  404  in      404     in
POST /deals/{live}/hint/                                 login  404   in   404  404     404     404
POST /deals/{over}/hint/                                 login  404   in   404  404     404     404
GET  /deals/{live}/comments/                              login  404   404  404  in      404     in
POST /deals/{live}/comments/                              login  404   404  404  in      404     in
GET  /deals/{over}/comments/                              login  404   in   404  in      404     in
POST /deals/{over}/comments/                              login  404   in   404  in      404     in
POST /deals/{over}/comments/{comment}/edit/               login  404   404  404  in      404     404
POST /deals/{over}/comments/{comment}/delete/             login  404   404  404  in      404     404
POST /deals/{live}/verdict/                               login  404   404  404  in      404     in
POST /deals/{over}/verdict/                               login  404   404  404  in      404     in
GET  /watch/{watch}/                                      in     in    in   in   in      in      in
GET  /watch/{coach}/                                      in     in    403  in   in      in      in
GET  /watch/{replay}/                                     in     in    in   in   in      in      in
GET  /watch/no-such-link/                                 404    404   404  404  404     404     404
GET  /watch/{shared}/                                     404    404   404  404  404     404     404
GET  /shared/{shared}/                                    in     in    in   in   in      in      in
GET  /shared/no-such-link/                                404    404   404  404  404     404     404

GET  /games/                                              login  in    in   in   in      in      in
GET  /games/dilemma/                                      login  in    in   in   in      in      in
POST /games/dilemma/                                      login  in    in   in   in      in      in
GET  /games/no-such-game/                                 login  404   404  404  404     404     404
GET  /games/match/{small}/                                login  404   in   404  404     404     404
POST /games/match/{small}/act/                            login  404   in   404  404     404     404
POST /games/match/{small}/name/                           login  404   in   404  404     404     404
POST /games/match/{small}/odds/                           login  404   in   404  404     404     404

GET  /diplomacy/                                          login  in    in   in   in      in      in
POST /diplomacy/                                          login  in    in   in   in      in      in
GET  /diplomacy/join/{seat}/                              login  in    in   in   in      in      in
POST /diplomacy/join/{seat}/                              login  in    in   in   in      in      in
GET  /diplomacy/join/no-such-invitation/                  login  404   404  404  404     404     404
GET  /diplomacy/{board}/                                  login  404   in   404  404     404     404
POST /diplomacy/{board}/leave/                            login  404   in   404  404     404     404
POST /diplomacy/{board}/links/                            login  404   in   404  404     404     404
POST /diplomacy/{board}/links/revoke/                     login  404   in   404  404     404     404
POST /diplomacy/{board}/take-up/                          login  404   in   404  404     404     404
GET  /diplomacy/{board}/forks/                            login  404   in   404  404     404     404
POST /diplomacy/{board}/forks/                            login  404   in   404  404     404     404
GET  /diplomacy/{board}/forks/{fork}/                     login  404   in   404  404     404     404
POST /diplomacy/{board}/forks/{fork}/cancel/              login  404   in   404  404     404     404
GET  /diplomacy/{board}/lesson/                           login  404   404  404  404     404     404
GET  /diplomacy/{played}/lesson/                          login  404   in   404  404     404     404
GET  /board-watch/{eyes}/                                 in     in    403  in   in      in      in
GET  /board-watch/no-such-link/                           404    404   404  404  404     404     404

GET  /coalitions/new/                                     login  in    in   in   in      in      in
POST /coalitions/new/                                     login  in    in   in   in      in      in
GET  /coalitions/{three}/                                 login  404   in   404  404     404     404
POST /coalitions/{three}/act/                             login  404   in   404  404     404     404
GET  /coalitions/{three}/debrief/                         login  404   in   404  in      404     in
POST /coalitions/{three}/links/                           login  404   in   404  in      404     in
POST /coalitions/{three}/links/revoke/                    login  404   in   404  in      404     in
GET  /coalition-watch/{three_watch}/                      in     in    in   in   in      in      in
GET  /coalition-watch/{three_coach}/                      in     in    403  in   in      in      in
GET  /coalition-watch/no-such-link/                       404    404   404  404  404     404     404

GET  /pairs/new/                                          login  in    in   in   in      in      in
POST /pairs/new/                                          login  in    in   in   in      in      in
GET  /pairs/join/{sit}/                                   in     in    403  in   in      in      in
POST /pairs/join/{sit}/                                   in     in    403  in   in      in      in
GET  /pairs/join/no-such-invitation/                      404    404   404  404  404     404     404
GET  /pairs/{pair}/                                       login  404   in   404  404     in      404
POST /pairs/{waiting}/invite/                             login  404   in   404  404     404     404
POST /pairs/{waiting}/withdraw/                           login  404   in   404  404     404     404
POST /pairs/{pair}/links/                                 login  404   in   404  in      in      in
POST /pairs/{pair}/links/revoke/                          login  404   in   404  in      in      in
GET  /pairs/{pair_over}/debrief/                          login  404   in   404  in      in      in
POST /pairs/{pair_over}/cards/                            login  404   in   404  404     in      404
GET  /pair-watch/{pair_watch}/                            in     in    in   in   in      in      in
GET  /pair-watch/{pair_coach}/                            in     in    403  in   in      403     in
GET  /pair-watch/no-such-link/                            404    404   404  404  404     404     404

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
GET  /team/{team}/export/comments.csv                     login  404   404  404  in      404     in
GET  /team/{team}/people/                                 login  404   404  404  in      404     in
POST /team/{team}/people/invite/                          login  404   404  404  in      404     in
POST /team/{team}/people/invitations/{invitation}/resend/ login  404   404  404  in      404     in
POST /team/{team}/people/invitations/{invitation}/revoke/ login  404   404  404  in      404     in
POST /team/{team}/people/invitations/{to_admin}/resend/   login  404   404  404  404     404     in
POST /team/{team}/people/invitations/{to_admin}/revoke/   login  404   404  404  404     404     in
POST /team/{team}/people/retention/                       login  404   404  404  in      404     in
GET  /team/{team}/progress/{rep}/                         login  404   404  404  in      404     in
GET  /progress/                                           login  in    in   in   in      in      in
GET  /practice/{card}/                                    login  404   in   404  404     404     404
POST /practice/{card}/answer/                             login  404   in   404  404     404     404
GET  /leaderboard/                                        login  in    in   in   in      in      in

GET  /trainer/                                            login  403   403  403  403     403     in
GET  /trainer/runs/                                       login  403   403  403  403     403     in
GET  /trainer/runs/new/                                   login  403   403  403  403     403     in
POST /trainer/runs/new/                                   login  403   403  403  403     403     in
GET  /trainer/runs/{run}/                                 login  403   403  403  403     403     in
GET  /trainer/runs/{run}/now/                             login  403   403  403  403     403     in
POST /trainer/runs/{run}/cancel/                          login  403   403  403  403     403     in
POST /trainer/runs/{run}/resume/                          login  403   403  403  403     403     in
POST /trainer/runs/{run}/judge/                           login  403   403  403  403     403     in
POST /trainer/runs/{gate}/promote/                        login  403   403  403  403     403     in
POST /trainer/runs/{gate}/hold/                           login  403   403  403  403     403     in
GET  /trainer/compare/                                    login  403   403  403  403     403     in
GET  /trainer/schedule/                                   login  403   403  403  403     403     in
POST /trainer/schedule/                                   login  403   403  403  403     403     in
POST /trainer/schedule/{retraining}/                      login  403   403  403  403     403     in
GET  /trainer/generations/                                login  403   403  403  403     403     in
POST /trainer/generations/{generation}/back/              login  403   403  403  403     403     in
GET  /trainer/generations/{generation}/deals/             login  403   403  403  403     403     in
GET  /generations/{generation}/                           login  in    in   in   in      in      in
GET  /loop/                                               in     in    in   in   in      in      in
GET  /trainer/data/                                       login  403   403  403  403     403     in
GET  /trainer/data/deals/                                 login  403   403  403  403     403     in
GET  /trainer/data/deals/{episode}/                       login  403   403  403  403     403     in
POST /trainer/data/deals/{episode}/exclude/               login  403   403  403  403     403     in
POST /trainer/data/deals/{episode}/include/               login  403   403  403  403     403     in
GET  /trainer/data/withdrawn/                             login  403   403  403  403     403     in
GET  /trainer/data/datasets/new/                          login  403   403  403  403     403     in
POST /trainer/data/datasets/new/                          login  403   403  403  403     403     in
GET  /trainer/data/datasets/{dataset}/                    login  403   403  403  403     403     in
POST /trainer/data/datasets/{dataset}/train.jsonl         login  403   403  403  403     403     in
GET  /trainer/data/datasets/{dataset}/card.json           login  403   403  403  403     403     in
GET  /trainer/data/imports/new/                           login  403   403  403  403     403     in
POST /trainer/data/imports/new/                           login  403   403  403  403     403     in
GET  /trainer/data/imports/{brought}/                     login  403   403  403  403     403     in
POST /trainer/data/imports/{brought}/                     login  403   403  403  403     403     in
POST /trainer/data/imports/{brought}/take/                login  403   403  403  403     403     in

GET  /account/privacy/                                    login  in    in   in   in      in      in
POST /account/privacy/consent/                            login  in    in   in   in      in      in
POST /account/privacy/visibility/                         login  in    in   in   in      in      in
POST /account/privacy/export/                             login  in    in   in   in      in      in
GET  /account/privacy/export/{export}/                    login  404   in   404  404     404     404
POST /account/privacy/transcripts/                        login  in    in   in   in      in      in
POST /account/privacy/account/                            login  in    in   in   in      in      in

GET  /account/second-factor/                              login  403   403  403  403     403     in
POST /account/second-factor/                              login  403   403  403  403     403     in

GET  /models/                                             login  403   403  403  403     403     in
GET  /models/now/                                         login  403   403  403  403     403     in
POST /models/adapters/                                    login  403   403  403  403     403     in
POST /models/adapters/1/load/                             login  403   403  403  403     403     404

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
GET  /api/voices                                          401    in    in   in   in      in      in
GET  /api/deals                                           401    in    in   in   in      in      in
POST /api/deals                                           401    in    in   in   in      in      in
GET  /api/deals/{live}                                    401    404   in   404  404     404     404
GET  /api/deals/{over}/debrief                            401    404   in   404  in      404     in
"""

LET_IN = {200, 201, 202, 302, 409, 422}


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
    kind = "application/json" if address.startswith("/api/") else "application/octet-stream"
    with transaction.atomic():
        answer = client.generic(method, address, "", content_type=kind)
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


def test_every_address_does_for_everybody_what_the_table_says(world: World) -> None:
    """In the quick set each address is asked by three of the seven, in turns."""
    clients = {person: world.client(person) for person in PEOPLE}
    wrong = []
    for number, (method, address, expected) in enumerate(rows()):
        asking = few([PEOPLE[(number + each) % len(PEOPLE)] for each in (0, 2, 3)], list(PEOPLE))
        if "no-such" in address:
            cache.clear()  # seven people at one address would use up its tries of links that don't exist
        got = {
            person: ask(
                world.client(person) if "log" in address else clients[person], method, filled(world, address)
            )
            for person in asking
        }
        wrong += [
            f"{method} {address}: {person} {answer}, not {expected[person]}"
            for person, answer in got.items()
            if answer != expected[person]
        ]
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
    """Every page of the admin, for everybody (in the quick set for one of them and staff): sent to sign in, unless staff."""
    clients = {person: world.client(person) for person in PEOPLE}
    let_in: set[str] = set()
    for number, route in enumerate(sorted(every_route())):
        if not route.startswith("admin/") or "(?P" in route:
            continue
        address = "/" + route
        for placeholder in ("<path:object_id>", "<path:content_type_id>"):
            address = address.replace(placeholder, "1")
        address = address.replace("<int:scenario_id>", "1").replace("<int:preview_id>", "1")
        assert "<" not in address, f"fill in {route}"
        for person in few(["admin", PEOPLE[number % (len(PEOPLE) - 1)]], list(PEOPLE)):
            client = world.client(person) if "log" in address else clients[person]
            got = ask(client, "GET", address)
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
