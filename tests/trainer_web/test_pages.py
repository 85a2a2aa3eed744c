"""The pages of the data room, as an admin uses them."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import User
from accounts.services import consent_give, user_create
from tests.trainer_web.play import GOOD_SEEDS, play_well
from tests.trainer_web.test_imports import BAD
from tests.trainer_web.things import TALK, bring, taken
from trainer.flywheel.harvest import game_harvest
from trainer.flywheel.models import Dataset, DatasetUse, Episode, TranscriptImport

pytestmark = pytest.mark.django_db(transaction=True)
FILTERS = {"style": "brief", "least": "0", "validation": "0", "once": "on", "unknown": "on"}


@pytest.fixture
def admin(db: None) -> User:
    return user_create(email="admin@example.com", password="correct horse", is_staff=True)


@pytest.fixture
def desk(admin: User, signed_in: Callable[[User], Client]) -> Client:
    return signed_in(admin)


@pytest.fixture
def episode(willing: User) -> Episode:
    made = game_harvest(game_id=play_well(willing, GOOD_SEEDS[0]).pk)
    assert made is not None
    return made


def read(desk: Client, address: str, **more: Any) -> str:
    answer = desk.get(address, **more)
    assert answer.status_code == 200, answer
    return re.sub(r"\s+", " ", answer.content.decode())


def test_a_deal_is_read_from_what_a_model_is_trained_on(
    desk: Client, episode: Episode, willing: User
) -> None:
    page = read(desk, f"/trainer/data/deals/{episode.pk}/")
    assert "What drives your timeline?" in page
    assert "Offers $" in page
    assert "seller diplomat 01/20" in page
    assert willing.email not in page
    assert willing.get_full_name() not in page


def test_leaving_a_deal_out_takes_a_reason_and_can_be_undone(
    desk: Client, episode: Episode, admin: User
) -> None:
    address = f"/trainer/data/deals/{episode.pk}/"
    assert desk.post(f"{address}exclude/", {"note": ""}).status_code == 422
    desk.post(f"{address}exclude/", {"note": "Nobody talks like that."})
    episode.refresh_from_db()
    assert (episode.state, episode.note, episode.decided_by) == ("excluded", "Nobody talks like that.", admin)
    assert "Nobody talks like that." in read(desk, "/trainer/data/deals/?state=excluded")
    desk.post(f"{address}include/")
    episode.refresh_from_db()
    assert (episode.state, episode.why, episode.note) == ("taken", "", "")


def test_a_withdrawn_deal_shows_figures_and_no_words(desk: Client, episode: Episode, willing: User) -> None:
    consent_give(user=willing, granted=False)
    page = read(desk, f"/trainer/data/deals/{episode.pk}/")
    assert "There are no words of this deal here." in page
    assert "What drives your timeline?" not in page
    assert desk.post(f"/trainer/data/deals/{episode.pk}/exclude/", {"note": "x"}).status_code == 302
    episode.refresh_from_db()
    assert episode.state == "withdrawn"


def test_a_dataset_is_chosen_seen_and_frozen(desk: Client, episode: Episode, admin: User) -> None:
    seen = read(desk, "/trainer/data/datasets/new/", data=FILTERS)
    assert f"Freeze {episode.records} decisions" in seen
    assert not Dataset.objects.exists()
    desk.post("/trainer/data/datasets/new/", {**FILTERS, "name": "First"})
    dataset = Dataset.objects.get()
    assert (dataset.by, dataset.entries.count()) == (admin, 1)
    page = read(desk, f"/trainer/data/datasets/{dataset.pk}/")
    assert "How good the deals are" in page
    again = desk.post("/trainer/data/datasets/new/", {**FILTERS, "name": "First"})
    assert again.status_code == 422
    assert "choose another name" in again.content.decode()
    assert "Freeze" in read(desk, f"/trainer/data/datasets/new/?like={dataset.pk}")


def test_what_is_taken_away_is_whole_and_noted(desk: Client, episode: Episode, admin: User) -> None:
    desk.post("/trainer/data/datasets/new/", {**FILTERS, "name": "First"})
    dataset = Dataset.objects.get()
    answer: Any = desk.post(f"/trainer/data/datasets/{dataset.pk}/train.jsonl")
    lines = b"".join(answer.streaming_content).decode().splitlines()
    assert len(lines) == episode.records
    assert {tuple(sorted(json.loads(line))) for line in lines} == {("case", "id", "messages", "source")}
    use = DatasetUse.objects.get()
    assert (use.kind, use.by) == ("download", admin)
    card = json.loads(desk.get(f"/trainer/data/datasets/{dataset.pk}/card.json").content)
    assert card["files"] == [{"file": episode.file, "sha256": episode.sha256, "split": "train"}]


def test_a_withdrawal_stops_the_handing_out_and_names_who_had_it(
    desk: Client, episode: Episode, willing: User
) -> None:
    desk.post("/trainer/data/datasets/new/", {**FILTERS, "name": "First"})
    dataset = Dataset.objects.get()
    desk.post(f"/trainer/data/datasets/{dataset.pk}/train.jsonl")
    DatasetUse.objects.create(dataset=dataset, kind="run", run="runs/7")
    consent_give(user=willing, granted=False)
    answer = desk.post(f"/trainer/data/datasets/{dataset.pk}/train.jsonl", follow=True)
    assert "not handed out any more" in answer.content.decode()
    assert DatasetUse.objects.count() == 2
    page = read(desk, "/trainer/data/withdrawn/")
    assert "train anew: runs/7" in page
    assert "taken away by admin" in page
    assert "runs/7" in read(desk, "/trainer/data/")


def upload(desk: Client, content: bytes, **changes: str) -> Any:
    told = {
        "name": "A study",
        "origin": "Somewhere",
        "licence": "CC BY 4.0",
        "consent": "published",
        **changes,
    }
    file = SimpleUploadedFile("talks.csv", content)
    return desk.post("/trainer/data/imports/new/", {**told, "file": file}, follow=True)


def test_transcripts_are_brought_looked_over_and_taken_in(desk: Client) -> None:
    page = re.sub(r"\s+", " ", upload(desk, TALK + BAD.split(b"\n", 1)[1]).content.decode())
    assert "2 conversations with 3 decisions can be taken in." in page
    assert "6 can’t be taken yet" in page
    assert "A decision: offer $155,000" in page
    assert "Line 11: $12 is out of the range of this deal" in page
    assert not Episode.objects.exists()
    brought = TranscriptImport.objects.get()
    after = html.unescape(
        desk.post(f"/trainer/data/imports/{brought.pk}/take/", follow=True).content.decode()
    )
    assert "2 conversations taken in. 6 can't be taken yet; nothing of them is lost." in after
    assert Episode.objects.count() == 2


def test_without_provenance_nothing_comes_in(desk: Client) -> None:
    for missing in ("origin", "licence", "consent", "name"):
        assert upload(desk, TALK, **{missing: ""}).status_code == 422
    assert not TranscriptImport.objects.exists()


def test_another_mapping_is_kept_and_shown_at_once(desk: Client, admin: User) -> None:
    brought = bring(admin)
    mapping = {
        **brought.mapping,
        "learner": "buyer",
        "seat": "buyer",
        "limit": "other_limit",
        "other_limit": "limit",
    }
    page = desk.post(f"/trainer/data/imports/{brought.pk}/", mapping, follow=True).content.decode()
    assert "A decision: offer $130,000" in page
    wrong = desk.post(f"/trainer/data/imports/{brought.pk}/", {**mapping, "text": "no such column"})
    assert wrong.status_code == 422


def test_words_of_a_transcript_are_never_taken_for_html(desk: Client, admin: User) -> None:
    bring(admin, TALK.replace(b"Let us say 148.", b"<script>alert(1)</script>"))
    page = read(desk, f"/trainer/data/imports/{TranscriptImport.objects.get().pk}/")
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


def test_the_room_counts_what_there_is(desk: Client, episode: Episode, admin: User) -> None:
    taken(admin)
    page = read(desk, "/trainer/data/")
    decisions = episode.records + 3
    assert f'<dd class="figure">3</dd><dd class="faint">{decisions} decisions, 1 person</dd>' in page
