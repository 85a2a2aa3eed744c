"""The scenario editor, as an admin meets it: from a copy to a published deal, with a preview of real games."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.services import user_create
from negotiation import catalogue, scenario_services
from negotiation.engine.shares import percent
from negotiation.models import AuthoredScenario, ScenarioPreview
from owed import services as owed

pytestmark = pytest.mark.django_db(transaction=True)

LIST = "/admin/negotiation/authoredscenario/"


@pytest.fixture
def admin(signed_in: Callable[[User], Client]) -> Client:
    return signed_in(user_create(email="admin@example.com", password="correct horse", is_staff=True))


@pytest.fixture
def authored(admin: Client) -> AuthoredScenario:
    answer = admin.post(f"{LIST}add/", {"slug": "lab_lease", "start_from": "commercial_lease"})
    made = AuthoredScenario.objects.get()
    assert answer.headers["Location"] == editor(made)
    return made


def editor(authored: AuthoredScenario) -> str:
    return reverse("admin:negotiation_authoredscenario_change", args=[authored.pk])


def save(client: Client, authored: AuthoredScenario, action: str, text: str | None = None) -> str:
    """Press a button of the editor; the page that comes of it."""
    data = {"action": action, "text": authored.draft if text is None else text}
    answer = client.post(editor(authored), data, follow=True)
    assert answer.status_code == 200
    authored.refresh_from_db()
    return answer.content.decode()


def test_the_index_leads_to_the_editor(admin: Client, authored: AuthoredScenario) -> None:
    assert LIST in admin.get("/admin/").content.decode()
    assert editor(authored) in admin.get(LIST).content.decode()
    assert authored.draft.startswith('id = "lab_lease"\n')


def test_an_id_that_ships_or_is_taken_is_refused_in_the_form(
    admin: Client, authored: AuthoredScenario
) -> None:
    for slug, words in (
        ("commercial_lease", "is a scenario that ships"),
        ("lab_lease", "already exists"),
        ("Lab Lease", "Small letters, digits and _"),
    ):
        answer = admin.post(f"{LIST}add/", {"slug": slug, "start_from": "commercial_lease"})
        assert words in answer.content.decode()
    assert AuthoredScenario.objects.count() == 1


def test_what_is_wrong_is_listed_with_its_line_and_nothing_typed_is_lost(
    admin: Client, authored: AuthoredScenario
) -> None:
    text = (
        authored.draft.replace("jitter = 0.035", "jitter = 0.7", 1).replace("per_label", "perlabel")
        + "# mine\n"
    )
    page = save(admin, authored, "publish", text)
    assert authored.draft == text
    assert authored.published is None
    assert "3 things are to mend first" in page
    assert 'data-line="23">Line 23</a>' in page
    assert "0.7 is not in [0, 0.3)" in page
    assert "did you mean per_label?" in page
    assert "# mine" in page


def test_from_a_draft_to_the_table_and_back(
    admin: Client, authored: AuthoredScenario, rep: User, signed_in: Callable[[User], Client]
) -> None:
    page = save(admin, authored, "publish", authored.draft.replace("Laboratory lease", "Riverside floors"))
    assert "Version 1 is published" in page
    player = signed_in(rep)
    assert "Riverside floors" in player.get("/deals/new/").content.decode()
    assert [s["id"] for s in player.get("/api/scenarios").json()][-1] == "lab_lease"
    choice = {"scenario": "lab_lease", "persona": "veteran", "seat": "buyer", "difficulty": "0.5"}
    table = player.post("/deals/new/", choice).headers["Location"]
    assert "Withdrawn" in save(admin, authored, "unpublish")
    assert "Riverside floors" not in player.get("/deals/new/").content.decode()
    assert "Riverside floors" in player.get(table).content.decode()


def test_bringing_a_version_back_through_the_page(admin: Client, authored: AuthoredScenario) -> None:
    save(admin, authored, "publish")
    save(admin, authored, "publish", authored.draft.replace("horizon = 20", "horizon = 18"))
    answer = admin.post(editor(authored), {"restore": "1", "text": authored.draft}, follow=True)
    authored.refresh_from_db()
    assert "Version 1 is in the editor." in answer.content.decode()
    assert "horizon = 20" in authored.draft


@pytest.mark.slow
def test_a_preview_plays_real_games_and_is_kept_with_its_version(
    admin: Client, authored: AuthoredScenario
) -> None:
    page = save(
        admin,
        authored,
        "preview",
        authored.draft.replace("empty_zone_probability = 0.05", "empty_zone_probability = 0.3"),
    )
    preview = ScenarioPreview.objects.get()
    progress = reverse("admin:negotiation_authoredscenario_preview", args=[authored.pk, preview.pk])
    assert progress in page
    assert admin.get(progress).json()["status"] == "waiting"
    assert owed.do(scenario_services.PREVIEW, preview.pk)
    assert not owed.do(scenario_services.PREVIEW, preview.pk), "a task that is delivered twice plays once"
    state = admin.get(progress).json()
    assert state["status"] == "done"
    assert state["done"] == state["total"]
    preview.refresh_from_db()
    result = preview.result
    assert result is not None
    assert result["zones"]["empty"] == pytest.approx(0.3, abs=0.05)
    assert sum(result["zones"]["counts"]) == 1000
    assert result["games"] == 1152
    for cell in (*result["opponents"], *result["strategies"]):
        assert 0 <= cell["low"] <= cell["efficiency"] <= cell["high"] <= 1
    assert {c["name"]: c["games"] for c in result["strategies"]}["expert"] == 128
    by_name = {cell["name"]: cell["efficiency"] for cell in result["strategies"]}
    assert by_name["expert"] > by_name["capitulator"]
    page = admin.get(editor(authored)).content.decode()
    assert f"Empty zone in {percent(result['zones']['empty'])} of seeds" in page
    assert page.count("data-figure=") == 3
    save(admin, authored, "validate", authored.draft.replace("horizon = 20", "horizon = 18"))
    assert "data-figure=" not in admin.get(editor(authored)).content.decode(), (
        "another text has no preview yet"
    )


@pytest.mark.slow
def test_a_preview_that_fails_says_so_and_can_be_asked_for_again(
    admin: Client, authored: AuthoredScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(admin, authored, "preview")
    first = ScenarioPreview.objects.get()
    # Fewer games than a preview's: that they are counted rightly is told above.
    monkeypatch.setattr("negotiation.scenario_preview.ROUNDS", 2)
    with monkeypatch.context() as broken:
        broken.setattr("negotiation.scenario_preview.SEEDS", 0)
        with pytest.raises(IndexError):
            owed.do(scenario_services.PREVIEW, first.pk)
    assert "did not come to an end" in admin.get(editor(authored)).content.decode()
    save(admin, authored, "preview")
    assert owed.do(scenario_services.PREVIEW, first.pk)
    assert ScenarioPreview.objects.get().state == ScenarioPreview.State.DONE


def test_a_preview_under_way_is_not_started_twice(admin: Client, authored: AuthoredScenario) -> None:
    save(admin, authored, "preview")
    first = ScenarioPreview.objects.get()
    save(admin, authored, "preview")
    assert ScenarioPreview.objects.get() == first


@pytest.mark.parametrize("who", ["nobody", "rep", "manager"])
def test_only_staff_write_scenarios(
    who: str, authored: AuthoredScenario, request: pytest.FixtureRequest, signed_in: Callable[[User], Client]
) -> None:
    client = Client() if who == "nobody" else signed_in(request.getfixturevalue(who))
    preview = scenario_services.preview_request(authored=authored, author=None)
    progress = reverse("admin:negotiation_authoredscenario_preview", args=[authored.pk, preview.pk])
    for address in (LIST, f"{LIST}add/", editor(authored), progress):
        assert client.get(address).headers["Location"].startswith("/admin/login/")
    answer = client.post(editor(authored), {"action": "publish", "text": "id = 1"})
    assert answer.headers["Location"].startswith("/admin/login/")
    before = authored.draft
    authored.refresh_from_db()
    assert authored.draft == before
    assert "lab_lease" not in catalogue.playable()


def test_staff_without_the_right_may_neither_read_nor_write(
    authored: AuthoredScenario, signed_in: Callable[[User], Client], rep: User
) -> None:
    rep.is_staff = True
    rep.save()
    client = signed_in(rep)
    assert client.get(editor(authored)).status_code == 403
    assert client.post(editor(authored), {"action": "publish", "text": ""}).status_code == 403
