"""Near-duplicates are noted as episodes come, and whoever looks at a choice is told them without comparing anything."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.services import consent_give
from tests.trainer_web.play import GOOD_SEEDS, play_well
from trainer.flywheel import near_duplicates, twins
from trainer.flywheel.filters import Filters, choose
from trainer.flywheel.harvest import game_harvest
from trainer.flywheel.models import Episode, Twin
from trainer.flywheel.tasks import harvest_what_is_owed

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def alike(willing: User, stranger: User) -> list[Episode]:
    """The same deal of two people, and another."""
    consent_give(user=stranger, granted=True)
    deals = [play_well(willing, GOOD_SEEDS[0]), play_well(stranger, GOOD_SEEDS[0])]
    deals.append(play_well(willing, GOOD_SEEDS[3]))
    for deal in deals:
        game_harvest(game_id=deal.pk)
    return list(Episode.objects.order_by("created_at", "id"))


def test_what_is_noted_is_what_comparing_all_would_find(alike: list[Episode]) -> None:
    assert all(episode.compared for episode in alike)
    assert Twin.objects.count() == 1
    outlines = [bytes(episode.signature or b"") for episode in alike]
    assert twins.pairs_among(alike) == list(near_duplicates.alike(outlines)) == [(0, 1, 1.0)]
    assert twins.pairs_among(alike[1:]) == []
    assert twins.episode_compare(alike[0]) == 1, "again"
    assert Twin.objects.count() == 1


def test_a_look_at_a_choice_reads_no_outline(alike: list[Episode]) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert len(choose(Filters()).chosen) == 2
    assert not [query for query in asked.captured_queries if "signature" in query["sql"]]


def test_who_was_killed_before_comparing_leaves_a_choice_right_and_the_sweep_goes_on(
    alike: list[Episode],
) -> None:
    Twin.objects.all().delete()
    Episode.objects.filter(pk=alike[1].pk).update(compared=False)
    assert choose(Filters()).pairs == [(0, 1, 1.0)]
    harvest_what_is_owed()
    assert Twin.objects.count() == 1
    assert not Episode.objects.filter(compared=False).exists()


def test_of_what_was_taken_back_no_twin_is_kept(alike: list[Episode], stranger: User) -> None:
    consent_give(user=stranger, granted=False)
    assert Twin.objects.count() == 0
    assert choose(Filters()).pairs == []
