"""A finished game becomes examples exactly once, where everything speaks for it, and what is taken back is gone."""

from __future__ import annotations

import json
import os
import resource
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import models

from accounts import consent
from accounts.models import Consent, User
from accounts.services import consent_give, guest_create
from coaching.room.leaving import account_delete
from negotiation import catalogue, sessions
from negotiation.kind import DEALS
from negotiation.models import Event, Game, Redaction
from negotiation.opponents.protocol import messages, parse, to_action
from negotiation.services import game_branch, game_create, game_mark_assisted
from negotiation.table.forgetting import redact
from tests.effort import matrix
from tests.trainer_web.play import GOOD_SEEDS, POOR_SEED, play_well
from tests.web.moves import act, resolve, submit
from trainer.flywheel import store as files
from trainer.flywheel.harvest import game_harvest, games_owed
from trainer.flywheel.models import Episode
from trainer.flywheel.records import from_bytes
from trainer.flywheel.selectors import episodes_usable
from trainer.flywheel.tasks import harvest_game, harvest_what_is_owed
from trainer.flywheel.withdrawal import tidy, withdraw_what_must_go

pytestmark = pytest.mark.django_db(transaction=True)


def harvested(player: User, **set_up: Any) -> Episode:
    episode = game_harvest(game_id=play_well(player, **set_up).pk)
    assert episode is not None
    return episode


def test_a_good_deal_becomes_one_record_for_each_decision(willing: User, store: Path) -> None:
    deal = play_well(willing)
    episode = game_harvest(game_id=deal.pk)
    assert episode is not None
    content = (store / episode.file).read_bytes()
    assert files.checksum(content) == episode.sha256
    records = from_bytes(content)
    moves = Event.objects.filter(game=deal, type="player_moved").count()
    assert len(records) == episode.records == moves
    assert len({record["id"] for record in records}) == moves
    for record in records:
        assert record["schema"] == episode.schema == 1
        source = record["source"]
        assert (source["game"], source["efficiency"], source["seat"]) == (
            str(deal.pk),
            deal.efficiency,
            "seller",
        )
        assert source["protocol"]
        assert source["engine"]


def test_what_is_learnt_is_what_was_decided_on_what_was_seen(willing: User, store: Path) -> None:
    """Played again from the records alone, the game ends as it did."""
    deal = play_well(willing)
    episode = game_harvest(game_id=deal.pk)
    assert episode is not None
    records = from_bytes((store / episode.file).read_bytes())
    scenario = catalogue.for_game(deal)
    for record, (table, action) in zip(records, sessions.decisions(deal), strict=True):
        seen = table.observe()
        assert record["messages"][:-1] == messages(seen, scenario)
        decided = parse(record["messages"][-1]["content"], seen, scenario, "brief", guarded=False).decision
        assert decided is not None
        again = to_action(decided)
        assert (again.accept, again.walk_away, again.card) == (action.accept, action.walk_away, action.card)
        if action.offer is not None:
            assert again.offer == pytest.approx(
                action.offer, abs=scenario.nominal_width / 100 + scenario.step
            )


def test_what_was_said_of_the_case_is_kept_beside_the_words(willing: User, store: Path) -> None:
    """What was asked and what was told by then, as the log of the table has it."""
    deal = play_well(willing, words="What goes wrong today?")
    episode = game_harvest(game_id=deal.pk)
    assert episode is not None
    records = from_bytes((store / episode.file).read_bytes())
    told: list[str] = []
    logged = iter(Event.objects.filter(game=deal, type="opponent_moved", data__turn__gte=1).order_by("seq"))
    for record in records:
        assert [each["id"] for each in record["case"]["told"]] == told
        if record["move"]["accept"]:
            break
        assert record["case"]["talk"] == record["move"].get("talk", [])
        told += [each["id"] for each in next(logged).data.get("told", [])]
    asked = [each["topic"] for record in records for each in record["case"]["talk"]]
    assert "pain" in asked
    assert told


def test_delivered_twice_it_is_harvested_once(willing: User) -> None:
    deal = play_well(willing)
    assert harvest_game(str(deal.pk)) is True
    before = Episode.objects.get().sha256
    assert harvest_game(str(deal.pk)) is False
    assert harvest_what_is_owed() == 0
    assert Episode.objects.get().sha256 == before


def test_the_same_game_gives_the_same_bytes_again(willing: User, store: Path) -> None:
    """So a file that a killed worker left is overwritten by itself."""
    first = harvested(willing)
    content, deal = (store / first.file).read_bytes(), first.game
    first.delete()
    assert deal is not None
    again = game_harvest(game_id=deal.pk)
    assert again is not None
    assert (again.file, again.sha256) == (first.file, first.sha256)
    assert (store / again.file).read_bytes() == content


def test_what_was_missed_is_found(willing: User) -> None:
    deals = [play_well(willing, seed) for seed in GOOD_SEEDS[:2]]
    assert set(games_owed()) == {deal.pk for deal in deals}
    assert harvest_what_is_owed() == 2
    assert games_owed() == []


def _assisted(player: User) -> Game:
    deal = play_well(player)
    Game.objects.filter(pk=deal.pk).update(assisted=True, assisted_reason="watched")
    return deal


def _whispered(player: User) -> Game:
    deal = game_create(
        player=player, scenario="saas_enterprise", persona="diplomat", seat="seller", seed=GOOD_SEEDS[0]
    )
    game_mark_assisted(game_id=deal.pk, reason="whisper")
    submit(deal, act(150_000.0))
    resolve(deal)
    return deal


def _retried(player: User) -> Game:
    deal = play_well(player)
    again = game_branch(parent=deal, turn=deal.turns)
    Game.objects.filter(pk=again.pk).update(
        status="finished", outcome_reason="player_accepted", efficiency=0.9, awaiting_reply=False
    )
    return again


def _poor(player: User) -> Game:
    return play_well(player, POOR_SEED)


def _guest(player: User) -> Game:
    guest = guest_create()
    consent_give(user=guest, granted=True)
    return play_well(guest)


def _unwilling(player: User) -> Game:
    deal = play_well(player)
    consent_give(user=player, granted=False)
    return deal


def _redacted(player: User) -> Game:
    deal = play_well(player)
    redact(DEALS, deal.pk, reason=Redaction.Reason.RETENTION)
    return deal


@pytest.mark.parametrize(
    "made", matrix([_assisted, _whispered, _retried, _poor, _guest, _unwilling, _redacted], one_in=3)
)
def test_what_may_not_be_used_is_not(willing: User, store: Path, made: Callable[[User], Game]) -> None:
    assert game_harvest(game_id=made(willing).pk) is None
    assert not Episode.objects.exists()
    assert not list(files.names("episodes"))


def test_silence_is_a_no(rep: User) -> None:
    assert game_harvest(game_id=play_well(rep).pk) is None


def test_a_yes_counts_for_the_deals_whose_words_are_there(rep: User) -> None:
    play_well(rep)
    assert harvest_what_is_owed() == 0
    consent_give(user=rep, granted=True)
    assert harvest_what_is_owed() == 1


def test_who_went_beyond_the_own_limit_teaches_nothing(willing: User) -> None:
    deal = play_well(willing)
    ended = Event.objects.get(game=deal, type="game_ended")
    data = {**ended.data, "outcome": {**ended.data["outcome"], "floor_breached": True}}
    models.QuerySet(Event).filter(pk=ended.pk).update(data=data)
    episode = game_harvest(game_id=deal.pk)
    assert episode is not None
    assert (episode.state, episode.why, episode.file) == ("refused", "breach", "")
    assert games_owed() == []


def test_a_game_of_another_engine_is_set_aside(willing: User) -> None:
    deal = play_well(willing)
    Game.objects.filter(pk=deal.pk).update(seed=deal.seed + 1)
    episode = game_harvest(game_id=deal.pk)
    assert episode is not None
    assert (episode.state, episode.why) == ("refused", "replay")


def test_the_floor_is_a_setting(willing: User, settings: Any) -> None:
    settings.HARVEST_SHARE = 0.4
    assert game_harvest(game_id=_poor(willing).pk) is not None


def test_the_files_do_not_say_who_it_was(willing: User, store: Path) -> None:
    willing.display_name = "Robin Reyes"
    willing.save()
    deal = play_well(
        willing, words="Robin Reyes here, robin.reyes@example.com, +49 170 1234567. What is it you need?"
    )
    episode = game_harvest(game_id=deal.pk)
    assert episode is not None
    written = (store / episode.file).read_text()
    assert "[name] [name] here, [address], [number]" in written
    for secret in ("Robin", "Reyes", "example.com", "1234567", f'"{willing.pk}"'):
        assert secret not in written
    assert episode.person in written


def test_who_beats_a_model_enters_the_pool_with_less(willing: User, settings: Any) -> None:
    deal = play_well(willing, POOR_SEED)
    Game.objects.filter(pk=deal.pk).update(efficiency=0.55)
    assert game_harvest(game_id=deal.pk) is None
    # The log of a negotiator's game is replayed by its replies, which here are the strategist's own.
    Game.objects.filter(pk=deal.pk).update(opponent="negotiator", opponent_model="shark-3")
    told = {"turn": 1, "kind": "negotiator", "model": "shark-3", "stand_in": False}
    Event.objects.create(game=deal, seq=deal.last_seq + 1, type="answer_explained", data=told)
    episode = game_harvest(game_id=deal.pk)
    assert episode is not None
    assert (episode.beat_model, episode.opponent_model) == (True, "shark-3")


def test_where_the_strategist_stood_in_no_model_was_beaten(willing: User) -> None:
    deal = play_well(willing)
    Game.objects.filter(pk=deal.pk).update(opponent="negotiator", opponent_model="shark-3")
    for turn, stand_in in enumerate([True, True, False], 1):
        told = {"turn": turn, "kind": "negotiator", "model": "shark-3", "stand_in": stand_in}
        Event.objects.create(game=deal, seq=deal.last_seq + turn, type="answer_explained", data=told)
    episode = game_harvest(game_id=deal.pk)
    assert episode is not None
    assert episode.beat_model is False


def gone(store: Path, episode: Episode, why: str) -> None:
    name = episode.file
    episode.refresh_from_db()
    assert (episode.state, episode.why, episode.file, episode.signature) == ("withdrawn", why, "", None)
    assert not (store / name).exists()


def test_a_consent_taken_back_deletes_the_words_at_once(willing: User, store: Path) -> None:
    episode = harvested(willing)
    consent_give(user=willing, granted=False)
    gone(store, episode, "consent")


def test_a_yes_after_a_no_brings_nothing_back(willing: User) -> None:
    harvested(willing)
    consent_give(user=willing, granted=False)
    consent_give(user=willing, granted=True)
    assert harvest_what_is_owed() == 0
    assert Episode.objects.get().state == "withdrawn"


def test_words_that_leave_the_log_leave_the_examples(willing: User, store: Path) -> None:
    episode = harvested(willing)
    redact(DEALS, episode.game_id, reason=Redaction.Reason.REQUEST)  # type: ignore[arg-type]
    gone(store, episode, "redacted")


def test_a_deleted_account_takes_its_examples_along(willing: User, store: Path) -> None:
    episode = harvested(willing)
    account_delete(user=willing)
    name = episode.file
    episode.refresh_from_db()
    assert episode.state == "withdrawn"
    assert not (store / name).exists()


def test_a_new_wording_makes_examples_wait_and_deletes_none(
    willing: User, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    episode = harvested(willing)
    assert episodes_usable().count() == 1
    Consent.objects.filter(user=willing).update(wording=consent.CURRENT - 1)
    withdraw_what_must_go()
    assert (store / episode.file).exists()
    assert episodes_usable().count() == 0


def test_a_withdrawal_that_a_crash_cut_short_is_made_good(willing: User, store: Path) -> None:
    episode = harvested(willing)
    Consent.objects.bulk_create([Consent(user=willing, granted=False, wording=consent.CURRENT)])
    assert (store / episode.file).exists()
    harvest_what_is_owed()
    gone(store, episode, "consent")


def test_files_that_nobody_names_go_once_they_are_old(willing: User, store: Path) -> None:
    kept = harvested(willing)
    stray = files.write("episodes/00/game-stray.jsonl", b"{}\n")
    half = store / "episodes" / "00" / ".game-half.jsonl.abc.part"
    half.write_bytes(b"{")
    assert tidy() == 0
    for path in (store / stray.name, half, store / kept.file):
        os.utime(path, (0, 0))
    assert tidy() == 2
    assert list(files.names("episodes")) == [kept.file]


def test_a_full_disk_leaves_nothing_behind_and_is_tried_again(willing: User, store: Path) -> None:
    with_limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    content = b"x" * 100_000
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, with_limit[1]))
        with pytest.raises(OSError):  # noqa: PT011  # which one is the system's choice
            files.write("episodes/00/big.jsonl", content)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, with_limit)
    assert not [path for path in store.rglob("*") if path.is_file()]
    assert files.write("episodes/00/big.jsonl", content).sha256 == files.checksum(content)


def test_a_damaged_file_is_told_from_a_whole_one(store: Path) -> None:
    written = files.write("episodes/00/one.jsonl", b'{"a": 1}\n')
    assert json.loads(files.read(written.name, written.sha256)) == {"a": 1}
    (store / written.name).write_bytes(b'{"a": 2}\n')
    with pytest.raises(files.Damaged):
        files.read(written.name, written.sha256)
    with pytest.raises(ValueError, match="not in the store"):
        files.path_of(f"../{uuid.uuid4()}")
