"""Judging and deciding: who may, when not, what it leaves behind, and one champion at any time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import IntegrityError
from django.test import Client

from accounts.models import User
from accounts.services import consent_give, user_create
from owed import services as owed
from tests.trainer_web.promoting import judged, promoted, trained
from trainer.flywheel import store as files
from trainer.flywheel.models import Dataset, RowIsKept
from trainer.flywheel.promotion import services
from trainer.flywheel.promotion.lineage import ancestors, datasets_of
from trainer.flywheel.promotion.models import Generation, PromotionDecision
from trainer.flywheel.promotion.selectors import certificate_of
from trainer.flywheel.runs.judging import gate_request, passed
from trainer.flywheel.runs.models import TrainingRun
from trainer.flywheel.runs.services import RunRefused
from trainer.flywheel.tasks import TRAINING, train

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pupil")]


def clerk_of() -> User:
    """Somebody of the staff without any permission."""
    user = user_create(email="b@example.com", password="correct horse", is_staff=True)
    User.objects.filter(pk=user.pk).update(is_superuser=False)
    return User.objects.get(pk=user.pk)


def test_a_run_that_passed_is_promoted_and_its_adapter_outlives_it(
    dataset: Dataset, base: str, admin: User, store: Path
) -> None:
    run = trained(dataset, base)
    gate = judged(run)
    assert passed(gate)
    assert (gate.base, gate.champion, gate.candidate) == (base, None, run)
    decision = services.run_promote(gate=gate, by=admin, reason="Better in every way.")
    generation = Generation.objects.get()
    assert (generation.title, generation.state, generation.base) == ("Generation 1", "champion", base)
    assert (decision.before, decision.after, decision.by) == (None, generation, admin)
    kept = Path(files.located(generation.path))
    assert kept.is_relative_to(store / "models")
    assert (kept / "adapter_model.safetensors").read_text() == str(Path(run.adapter).parent)
    # 60 deals at a share of one half against the Shark say something, and not everything.
    assert 0 < generation.deviation < 150


def test_a_run_that_did_not_pass_is_held_with_the_reason_and_never_promoted(
    dataset: Dataset, base: str, admin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUPIL_SHARE", "0.4")
    gate = judged(trained(dataset, base))
    assert not passed(gate)
    with pytest.raises(services.DecisionRefused, match="passed its gate"):
        services.run_promote(gate=gate, by=admin, reason="I want it.")
    held = services.run_hold(gate=gate, by=admin, reason="No gain.")
    assert (held.action, held.before, held.after) == ("hold", None, None)
    assert not Generation.objects.exists()


def test_nobody_decides_without_the_permission_or_without_a_reason(
    dataset: Dataset, base: str, admin: User
) -> None:
    gate = judged(trained(dataset, base))
    clerk = clerk_of()
    with pytest.raises(services.DecisionRefused, match="permission"):
        services.run_promote(gate=gate, by=clerk, reason="Why not.")
    with pytest.raises(services.DecisionRefused, match="Say why"):
        services.run_promote(gate=gate, by=admin, reason=" ")
    assert not PromotionDecision.objects.exists()


def test_the_next_run_is_judged_against_the_champion_and_takes_its_place(
    dataset: Dataset, base: str, admin: User
) -> None:
    first = promoted(dataset, base, admin)
    gate = judged(trained(dataset, base, "Two"))
    assert gate.champion == first
    second = services.run_promote(gate=gate, by=admin, reason="Still better.").after
    assert second is not None
    states = dict(Generation.objects.values_list("number", "state"))
    assert states == {1: "retired", 2: "champion"}
    with pytest.raises(IntegrityError):
        Generation.objects.filter(number=1).update(state="champion")


@pytest.mark.slow
def test_a_verdict_against_somebody_who_is_no_longer_champion_is_worth_nothing(
    dataset: Dataset, base: str, admin: User
) -> None:
    stale = judged(trained(dataset, base, "Early"))
    promoted(dataset, base, admin, "Late")
    with pytest.raises(services.DecisionRefused, match="Judge it again"):
        services.run_promote(gate=stale, by=admin, reason="It passed.")


def test_promoting_twice_promotes_once(dataset: Dataset, base: str, admin: User) -> None:
    gate = judged(trained(dataset, base))
    services.run_promote(gate=gate, by=admin, reason="Better.")
    with pytest.raises(services.DecisionRefused):
        services.run_promote(gate=gate, by=admin, reason="Again.")
    assert (Generation.objects.count(), PromotionDecision.objects.count()) == (1, 1)


@pytest.mark.slow
def test_rolling_back_brings_back_the_one_before(dataset: Dataset, base: str, admin: User) -> None:
    first, second = promoted(dataset, base, admin), promoted(dataset, base, admin, "Two")
    services.champion_roll_back(champion=second, by=admin, reason="Reps complain.")
    assert Generation.objects.get(state="champion") == first
    with pytest.raises(services.DecisionRefused, match="not the champion"):
        services.champion_roll_back(champion=second, by=admin, reason="Again.")
    services.champion_roll_back(champion=first, by=admin, reason="All of them.")
    assert not Generation.objects.filter(state="champion").exists()
    trail = [(each.action, each.before, each.after) for each in PromotionDecision.objects.all()]
    assert trail == [("rollback", first, None), ("rollback", second, first), ("promote", first, second),
                     ("promote", None, first)]  # fmt: skip


def test_the_trail_is_never_changed(dataset: Dataset, base: str, admin: User) -> None:
    promoted(dataset, base, admin)
    decision = PromotionDecision.objects.get()
    decision.reason = "Something else."
    for deed in (decision.save, decision.delete, PromotionDecision.objects.all().delete):
        with pytest.raises(RowIsKept):
            deed()
    with pytest.raises(RowIsKept):
        PromotionDecision.objects.update(reason="Something else.")


def test_weights_that_changed_after_the_verdict_are_not_promoted(
    dataset: Dataset, base: str, admin: User
) -> None:
    run = trained(dataset, base)
    gate = judged(run)
    (Path(run.adapter) / "adapter_model.safetensors").write_text("other weights")
    with pytest.raises(services.DecisionRefused, match="not those that were judged"):
        services.run_promote(gate=gate, by=admin, reason="Better.")
    assert not Generation.objects.exists()


@pytest.mark.slow
def test_a_withdrawn_deal_stops_a_promotion_and_stands_on_the_certificate(
    dataset: Dataset, base: str, admin: User, willing: User
) -> None:
    first = promoted(dataset, base, admin)
    gate = judged(trained(dataset, base, "Two"))
    consent_give(user=willing, granted=False)
    with pytest.raises(services.DecisionRefused, match="1 deal withdrawn"):
        services.run_promote(gate=gate, by=admin, reason="Better.")
    assert certificate_of(first).withdrawn == 1


@pytest.mark.slow
def test_what_goes_on_from_a_generation_descends_from_its_data_too(
    dataset: Dataset, base: str, admin: User, store: Path
) -> None:
    first = promoted(dataset, base, admin)
    child = trained(None, "", "Player", recipe="grpo", start=first)
    assert (child.base, child.style) == (base, "brief")
    assert [run.name for run in ancestors(child)] == ["Player", "One"]
    assert datasets_of(child) == [dataset]
    arguments = (store / child.folder / "grpo" / "arguments.txt").read_text()
    assert f"--base {base} --adapter {files.located(first.path)}" in arguments


def test_both_stages_on_a_base_work_on_one_adapter_of_it(dataset: Dataset, base: str, store: Path) -> None:
    run = trained(dataset, base, recipe="both")
    folder = store / run.folder
    assert f"--base {base} --adapter {folder}/sft/adapter" in (folder / "grpo" / "arguments.txt").read_text()
    assert run.results["adapter"] == f"{run.folder}/grpo/adapter"
    assert "base" not in run.results


def test_only_what_can_be_served_is_judged_and_once_at_a_time(dataset: Dataset, base: str) -> None:
    whole = trained(dataset, "")
    (Path(whole.adapter) / "adapter_model.safetensors").unlink()
    with pytest.raises(RunRefused, match="not on the disk"):
        gate_request(run=whole, by=None)
    run = trained(dataset, base, "Two")
    gate = gate_request(run=run, by=None)
    with pytest.raises(RunRefused, match="already"):
        gate_request(run=run, by=None)
    with pytest.raises(RunRefused, match="is done"):
        gate_request(run=gate, by=None)


def test_a_run_is_judged_by_itself_where_that_was_wished(dataset: Dataset, base: str) -> None:
    run = trained(dataset, base, then_judge=True)
    assert owed.sweep()[TRAINING.name] == 1
    assert run.gates.get().state == "waiting"
    owed.sweep()
    assert run.gates.count() == 1


def test_certificates_name_nobody_and_count_no_fewer_than_five(
    dataset: Dataset, base: str, admin: User, willing: User, signed_in: Callable[[User], Client]
) -> None:
    promoted(dataset, base, admin)
    page = signed_in(willing).get("/generations/1/")
    text = page.content.decode()
    assert page.status_code == 200
    assert "fewer than 5 people" in text
    assert "Share of the zone" in text
    assert willing.email not in text
    assert "/trainer/" not in text
    assert Client().get("/generations/1/").status_code == 302


def test_an_admin_judges_promotes_and_rolls_back_on_pages(
    dataset: Dataset, base: str, admin: User, signed_in: Callable[[User], Client]
) -> None:
    desk, run = signed_in(admin), trained(dataset, base)
    asked = desk.post(f"/trainer/runs/{run.pk}/judge/")
    gate = TrainingRun.objects.get(recipe="gate")
    assert asked.headers["Location"] == f"/trainer/runs/{gate.pk}/"
    train(gate.pk)
    page = desk.get(f"/trainer/runs/{gate.pk}/").content.decode()
    assert 'data-passed="true"' in page
    assert "+0.100 [+0.100, +0.100]" in page
    assert "What each scripted response wins" in page
    desk.post(f"/trainer/runs/{gate.pk}/promote/", {"reason": "Better."})
    assert Generation.objects.get().state == "champion"
    page = desk.get("/trainer/generations/").content.decode()
    assert "nobody → Generation 1" in page
    assert desk.get("/trainer/generations/1/deals/").status_code == 200
    desk.post("/trainer/generations/1/back/", {"reason": "Too easy."})
    assert Generation.objects.get().state == "retired"
    assert "Too easy." in desk.get("/trainer/generations/").content.decode()


def test_staff_without_the_permission_see_and_can_not_decide(
    dataset: Dataset, base: str, signed_in: Callable[[User], Client]
) -> None:
    clerk = signed_in(clerk_of())
    gate = judged(trained(dataset, base))
    assert "Deciding takes the permission" in clerk.get(f"/trainer/runs/{gate.pk}/").content.decode()
    assert clerk.post(f"/trainer/runs/{gate.pk}/promote/", {"reason": "x"}).status_code == 403
    assert not PromotionDecision.objects.exists()


def test_reps_see_nothing_of_the_desk(willing: User, signed_in: Callable[[User], Client]) -> None:
    rep = signed_in(willing)
    for path in ("generations/", "schedule/", "compare/", "generations/1/deals/"):
        assert rep.get(f"/trainer/{path}").status_code == 403
