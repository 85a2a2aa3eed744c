"""Datasets are frozen once, say what is in them, and are not handed out when what they hold was taken back."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from accounts.services import consent_give
from negotiation.models import Game
from tests.remembering import remembered
from tests.trainer_web.play import GOOD_SEEDS, play_well
from tests.trainer_web.things import taken
from trainer import datasets as training
from trainer.flywheel import datasets, near_duplicates, selectors, store
from trainer.flywheel.filters import Filters, choose
from trainer.flywheel.models import Dataset, DatasetUse, Episode, RowIsKept
from trainer.flywheel.records import from_bytes, to_bytes
from trainer.flywheel.tasks import harvest_what_is_owed

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def harvested(willing: User) -> list[Episode]:
    """Three good deals."""

    def play() -> None:
        for seed in GOOD_SEEDS[:3]:
            play_well(willing, seed)
        assert harvest_what_is_owed() == 3

    remembered("harvested", play)
    return list(Episode.objects.order_by("created_at"))


def freeze(name: str = "First", **filters: Any) -> Dataset:
    return datasets.dataset_freeze(
        name=name, note="", filters=Filters(**{"validation": 0.0, **filters}), by=None
    )


def test_a_dataset_is_what_the_trainer_reads(harvested: list[Episode], tmp_path: Path) -> None:
    counts = datasets.dataset_write(dataset=freeze(), folder=tmp_path / "run", run="runs/1")
    examples = list(training.read(tmp_path / "run" / "train.jsonl"))
    assert len(examples) == counts["train"] == sum(episode.records for episode in harvested)
    assert all(json.loads(example.answer)["act"] for example in examples)
    card = json.loads((tmp_path / "run" / "card.json").read_text())
    assert card["card"]["decisions"] == len(examples)
    assert DatasetUse.objects.get().run == "runs/1"


def test_the_full_style_has_the_words(harvested: list[Episode]) -> None:
    records = list(datasets.dataset_records(freeze(style="full"), "train"))
    assert records
    assert all(record["messages"][0]["role"] == "system" for record in records)
    assert "What drives your timeline?" in json.dumps(records)


def test_the_card_counts_what_is_in_it(harvested: list[Episode], manager: User) -> None:
    taken(manager)
    dataset = freeze(least=0.0)
    card, episodes = dataset.card, Episode.objects.all()
    assert card["episodes"] == dataset.entries.count() == 5
    assert card["decisions"] == sum(episode.records for episode in episodes)
    assert card["by"]["source"]["import"]["episodes"] == 2
    assert card["by"]["seat"]["seller"]["decisions"] == card["decisions"]
    assert sum(card["share"]["counts"]) == card["share"]["known"] == 5
    assert card["people"] == 1
    assert card["licences"] == ["CC BY 4.0 (A study)"]


def test_filters_let_through_what_they_say(harvested: list[Episode], manager: User) -> None:
    taken(manager)
    best = max(episode.efficiency or 0 for episode in harvested)
    assert {each.episode.efficiency for each in choose(Filters(least=best)).chosen} == {best}
    assert {e.source for e in choose(Filters(least=0, sources=("import",))).found} == {"import"}
    assert choose(Filters(scenarios=("hiring_package",))).found == []
    assert choose(Filters(pool=True)).found == []
    Episode.objects.filter(source="import").update(efficiency=None)
    assert len(choose(Filters(unknown=False)).found) == 3
    assert len(choose(Filters(unknown=True)).found) == 5


@pytest.mark.slow
def test_the_split_is_by_deal_and_stays_with_it(willing: User) -> None:
    for seed in GOOD_SEEDS:
        play_well(willing, seed)
    harvest_what_is_owed()
    small = {c.episode.pk: c.split for c in choose(Filters(validation=0.5, once=False)).chosen}
    assert set(small.values()) <= {"train", "validation"}
    large = {c.episode.pk: c.split for c in choose(Filters(validation=0.9, once=False)).chosen}
    assert all(large[key] == "validation" for key, split in small.items() if split == "validation")


def test_a_frozen_dataset_never_changes(harvested: list[Episode]) -> None:
    dataset = freeze()
    dataset.note = "changed"
    for change in (
        dataset.save,
        dataset.delete,
        Dataset.objects.all().delete,
        lambda: Dataset.objects.update(note="x"),
        dataset.entries.all().delete,
    ):
        with pytest.raises(RowIsKept):
            change()
    with pytest.raises(datasets.DatasetRefused, match="already"):
        freeze()


def test_the_same_choice_has_the_same_checksum(harvested: list[Episode]) -> None:
    first, again = freeze("First"), freeze("Again")
    assert first.sha256 == again.sha256
    datasets.episode_exclude(episode=harvested[0], note="A test.", by=harvested[0].game.player)  # type: ignore[union-attr]
    assert freeze("Less").sha256 != first.sha256


def test_what_was_withdrawn_stops_the_old_and_leaves_the_new(
    harvested: list[Episode], willing: User, stranger: User, tmp_path: Path
) -> None:
    consent_give(user=stranger, granted=True)
    play_well(stranger, GOOD_SEEDS[4])
    harvest_what_is_owed()
    before = freeze("Before", once=False)
    datasets.dataset_write(dataset=before, folder=tmp_path, run="runs/apprentice-2")
    DatasetUse.objects.update(adapter="apprentice-2")
    consent_give(user=stranger, granted=False)
    with pytest.raises(datasets.DatasetRefused, match="1 of its deals was withdrawn"):
        next(datasets.dataset_records(before, "train"))
    after = freeze("After", once=False)
    assert after.entries.count() == before.entries.count() - 1 == 3
    (taught,) = selectors.withdrawn_and_learnt()
    assert [(use.run, use.adapter) for use in taught.uses] == [("runs/apprentice-2", "apprentice-2")]
    ((run, lost),) = selectors.to_retrain()
    assert (run.run, lost) == ("runs/apprentice-2", 1)


def test_what_is_left_out_by_hand_is_in_no_new_dataset(harvested: list[Episode], manager: User) -> None:
    with pytest.raises(datasets.DatasetRefused, match="why"):
        datasets.episode_exclude(episode=harvested[0], note="  ", by=manager)
    datasets.episode_exclude(episode=harvested[0], note="Somebody tried the page.", by=manager)
    assert freeze().entries.count() == 2
    datasets.episode_include(episode=harvested[0], by=manager)
    assert freeze("Second").entries.count() == 3


def test_a_damaged_file_is_not_frozen_and_not_handed_out(harvested: list[Episode]) -> None:
    dataset = freeze()
    store.path_of(harvested[1].file).write_bytes(b"{}\n")
    with pytest.raises(datasets.DatasetRefused, match=str(harvested[1].pk)):
        freeze("Second")
    with pytest.raises(datasets.DatasetRefused, match="damaged"):
        list(datasets.dataset_records(dataset, "train"))


def test_nothing_is_not_a_dataset(db: None) -> None:
    with pytest.raises(datasets.DatasetRefused, match="Nothing"):
        freeze()


@pytest.mark.slow
def test_the_same_deal_played_twice_is_found_and_the_better_one_kept(willing: User, stranger: User) -> None:
    consent_give(user=stranger, granted=True)
    twice = [play_well(player, GOOD_SEEDS[0]) for player in (willing, stranger)]
    play_well(willing, GOOD_SEEDS[3])
    Game.objects.filter(pk=twice[1].pk).update(efficiency=0.99)
    harvest_what_is_owed()
    choice = choose(Filters())
    assert len(choice.found) == 3
    assert [round(share, 2) for *_, share in choice.pairs] == [1.0]
    assert sorted(c.episode.game_id != twice[0].pk for c in choice.chosen) == [True, True]
    assert len(choose(Filters(once=False)).chosen) == 3


def test_likeness_is_the_share_of_what_two_deals_have_in_common() -> None:
    words = [f"piece {number}" for number in range(100)]
    for shared in (0.2, 0.5, 0.95):
        count = round(100 * shared)
        other = [*words[:count], *(f"other {number}" for number in range(100 - count))]
        jaccard = count / (200 - count)
        pair = [near_duplicates.signature(words), near_duplicates.signature(other)]
        found = list(near_duplicates.alike(pair))
        assert bool(found) == (jaccard >= near_duplicates.ALIKE)
        if found:
            assert found[0][2] == pytest.approx(jaccard, abs=0.12)
    assert near_duplicates.families(4, [(0, 2, 0.9), (2, 3, 0.9)]) == [0, 1, 0, 0]


def test_records_survive_a_round_trip(harvested: list[Episode]) -> None:
    content = store.read(harvested[0].file, harvested[0].sha256)
    assert to_bytes(from_bytes(content)) == content


def test_the_command_writes_a_dataset_and_says_no_in_one_line(
    harvested: list[Episode], tmp_path: Path
) -> None:
    freeze("Spring deals")
    out = io.StringIO()
    call_command("dataset", "Spring deals", "--output", str(tmp_path / "out"), "--json", stdout=out)
    told = json.loads(out.getvalue())
    assert told["train"] == len((tmp_path / "out" / "train.jsonl").read_text().splitlines())
    with pytest.raises(CommandError, match="there is no dataset 'Autumn'") as refused:
        call_command("dataset", "Autumn", "--output", str(tmp_path))
    assert refused.value.returncode == 2
