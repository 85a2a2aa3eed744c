"""Scenarios of admins among those that ship: what is edited or withdrawn never reaches a deal that was started."""

from __future__ import annotations

import uuid

import pytest

from accounts.models import User
from coaching.selectors import debrief_of
from negotiation import catalogue, sessions
from negotiation import scenario_services as services
from negotiation.engine.deal import ScenarioError
from negotiation.models import AuthoredScenario, Game, ScenarioVersion
from negotiation.scenario_models import VersionIsWritten
from negotiation.selectors import bootstrap_of, games_of
from negotiation.services import game_create, game_walk_away
from negotiation.table.errors import MoveRefused
from tests.web.moves import act, resolve, submit

pytestmark = pytest.mark.django_db(transaction=True)

ID = "lab_lease"


@pytest.fixture
def authored(rep: User) -> AuthoredScenario:
    """A draft in euros, copied from the lease that ships."""
    made = services.scenario_create(slug=ID, start_from="commercial_lease", author=rep)
    change(made, 'currency = "$"', 'currency = "€"')
    return made


def change(authored: AuthoredScenario, old: str, new: str) -> None:
    assert old in authored.draft
    services.draft_save(authored=authored, text=authored.draft.replace(old, new))


def sit_down(player: User) -> Game:
    return game_create(player=player, scenario=ID, persona="diplomat", seat="seller", seed=11)


def play(game: Game, offer: float) -> None:
    submit(game, act(offer, text=f"We are at {offer:.0f} now. What drives your timeline?", confirmed=True))
    resolve(game)
    game.refresh_from_db()


def test_a_draft_is_nobodys_deal_until_it_is_published(rep: User, authored: AuthoredScenario) -> None:
    assert ID not in catalogue.playable()
    with pytest.raises(MoveRefused, match="no such scenario"):
        sit_down(rep)
    services.scenario_publish(authored=authored, author=rep)
    assert catalogue.playable()[ID].currency == "€"
    assert list(catalogue.playable())[:-1] == list(catalogue.shipped())
    assert sit_down(rep).scenario_version == authored.published


def test_an_unpublished_scenario_is_played_to_its_end_and_debriefed(
    rep: User, authored: AuthoredScenario
) -> None:
    services.scenario_publish(authored=authored, author=rep)
    game = sit_down(rep)
    play(game, 690_000.0)
    services.scenario_unpublish(authored=authored)
    sessions.kept.forget_all()
    play(game, 660_000.0)
    assert game.turns == 2
    assert bootstrap_of(game, role="player", ws_url="")["scenario"]["currency"] == "€"
    assert games_of(rep, status=Game.Status.LIVE)[0]["scenario_title"] == "Laboratory lease"
    with pytest.raises(MoveRefused, match="no such scenario"):
        sit_down(rep)
    if game.is_live:
        game_walk_away(game_id=game.id, player=rep, action_id=uuid.uuid4())
        resolve(game)
        game.refresh_from_db()
    assert debrief_of(game)["currency"] == "€"


def test_an_edit_reaches_new_deals_and_no_running_one(rep: User, authored: AuthoredScenario) -> None:
    services.scenario_publish(authored=authored, author=rep)
    before = sit_down(rep)
    play(before, 690_000.0)
    log = list(before.events.values_list("seq", "type", "data"))
    change(authored, "walk_away = 520_000", "walk_away = 560_000")
    change(authored, "horizon = 20", "horizon = 16")
    services.scenario_publish(authored=authored, author=rep)
    after = sit_down(rep)
    assert (before.horizon, after.horizon) == (20, 16)
    sessions.kept.forget_all()
    assert catalogue.for_game(before).seats["seller"].walk_away == 520_000
    assert catalogue.for_game(after).seats["seller"].walk_away == 560_000
    # Replaying compares with the log and raises where they differ.
    play(before, 660_000.0)
    assert list(before.events.values_list("seq", "type", "data"))[: len(log)] == log


def test_publishing_again_without_a_change_makes_no_new_version(
    rep: User, authored: AuthoredScenario
) -> None:
    first = services.scenario_publish(authored=authored, author=rep)
    services.scenario_unpublish(authored=authored)
    assert services.scenario_publish(authored=authored, author=rep) == first
    change(authored, "horizon = 20", "horizon = 18")
    assert services.scenario_publish(authored=authored, author=rep).number == 2


def test_a_draft_with_a_problem_is_not_published_and_what_was_published_stays(
    rep: User, authored: AuthoredScenario
) -> None:
    version = services.scenario_publish(authored=authored, author=rep)
    change(authored, "horizon = 20", "horizon = 200")
    with pytest.raises(ScenarioError, match=r"line 10: horizon: 200 is not in \[4, 40\]"):
        services.scenario_publish(authored=authored, author=rep)
    authored.refresh_from_db()
    assert authored.published == version
    assert catalogue.playable()[ID].horizon == 20


def test_a_scenario_keeps_its_id(rep: User, authored: AuthoredScenario) -> None:
    change(authored, f'id = "{ID}"', 'id = "saas_enterprise"')
    with pytest.raises(ScenarioError, match="keeps the id that it was created with"):
        services.scenario_publish(authored=authored, author=rep)
    with pytest.raises(services.ScenarioRefused, match="is a scenario that ships"):
        services.scenario_create(slug="saas_enterprise", start_from="saas_enterprise", author=rep)


def test_versions_are_written_once(rep: User, authored: AuthoredScenario) -> None:
    version = services.scenario_publish(authored=authored, author=rep)
    version.text = "id = 1"
    for refused in (
        version.save,
        version.delete,
        ScenarioVersion.objects.all().delete,
        lambda: ScenarioVersion.objects.update(text=""),
    ):
        with pytest.raises(VersionIsWritten):
            refused()
    assert catalogue.playable()[ID].currency == "€"


def test_bringing_a_version_back_keeps_what_stood_in_the_editor(
    rep: User, authored: AuthoredScenario
) -> None:
    services.scenario_publish(authored=authored, author=rep)
    change(authored, "horizon = 20", "horizon = 18")
    services.draft_restore(authored=authored, number=1, author=rep)
    assert "horizon = 20" in authored.draft
    assert [v.number for v in authored.versions.all() if "horizon = 18" in v.text] == [2]
    change(authored, "horizon = 20", "horizon = ")
    with pytest.raises(services.ScenarioRefused, match="would be lost"):
        services.draft_restore(authored=authored, number=2, author=rep)
    assert "horizon = \n" in authored.draft
