"""The arena: who meets whom, in both seats, and the figures that come of it."""

from __future__ import annotations

import json
import re
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from pytest_django import Settings

from negotiation.engine.deal import Negotiation, scenarios
from negotiation.opponents import StrategicOpponent
from negotiation.opponents.arena import Contestant, meet, tallies, tournament
from negotiation.opponents.guest import Guest, playable
from tests.opponents.model_double import Said, speaking_apart
from tests.opponents.test_talking import decision, obedient


def arena(*names: str, **options: Any) -> dict[str, Any]:
    out = StringIO()
    call_command("arena", *names, "--json", stdout=out, stderr=StringIO(), **options)
    report: dict[str, Any] = json.loads(out.getvalue())
    return report


def strategist(persona: str) -> Contestant:
    return Contestant(persona, persona, StrategicOpponent())


async def test_two_personas_meet_as_guest_and_host() -> None:
    deal = scenarios()["saas_enterprise"]
    met = await meet(strategist("diplomat"), strategist("veteran"), deal, "seller", 4)
    assert met is not None
    assert (met.player, met.across) == ("diplomat", "veteran")
    assert met.breaches == (0, 0)
    if met.deal:
        assert 0 < sum(met.shares) <= 1 + 1e-6
    again = await meet(strategist("diplomat"), strategist("veteran"), deal, "seller", 4)
    assert again == met, "a seed repeats a meeting"


async def test_a_guest_plays_by_its_own_truth() -> None:
    """What the guest believes to be its limit is the limit of the seat that it sits in, events included."""
    game = Negotiation("saas_enterprise", "diplomat", "buyer", 12)
    guest = Guest(StrategicOpponent(), "veteran", game)
    while not game.done:
        action, _ = await guest.act()
        if action.offer is not None:
            assert action.offer <= game.truth.buyer.walk_away + 1e-6, "a buyer pays no more than its limit"
        game.step(action)
    assert game.outcome is not None
    assert not game.outcome.floor_breached


async def test_an_offer_that_lapsed_at_the_hosts_table_is_not_taken_at_the_guests() -> None:
    """The one seed of 2,880 in which news lets the host's offer lapse just as the guest would take it."""
    game = Negotiation("hiring_package", "auditor", "buyer", 14)
    guest = Guest(StrategicOpponent(), "shark", game)
    lapsed = False
    while not game.done:
        action, _ = await guest.act()
        lapsed |= game.observe().standing_offer is None and len(game.observe().transcript) > 2
        game.step(action)
    assert lapsed, "without a lapse it proves nothing"


@pytest.mark.slow
async def test_everybody_sits_on_both_sides_equally_often() -> None:
    contestants = [strategist(name) for name in ("shark", "diplomat", "veteran")]
    deals = [scenarios()["saas_enterprise"], scenarios()["hiring_package"]]
    heard: list[tuple[int, int]] = []
    meetings = await tournament(contestants, deals, range(4), lambda over, of: heard.append((over, of)))
    assert heard[-1] == (48, 48)
    sides = [(m.player, m.across) for m in meetings]
    for one in ("shark", "diplomat", "veteran"):
        as_player, across = (sum(side[at] == one for side in sides) for at in (0, 1))
        assert abs(as_player - across) <= 2, "but for a deal with nothing to share"
    found = tallies(meetings)
    assert sum(len(tally.deals) for tally in found.values()) == 2 * len(meetings)
    for tally in found.values():
        assert tally.breaches == 0
        assert all(0 <= score <= 1 for _, score in tally.scores)


def test_the_command_prints_figures_with_intervals() -> None:
    report = arena("shark", "veteran", scenario=["saas_enterprise"], seeds=3)
    assert {each["name"] for each in report["contestants"]} == {"shark", "veteran"}
    for each in report["contestants"]:
        assert each["games"] in (2, 4, 6), "but for deals with nothing to share"
        for figure in ("deal_rate", "share"):
            low, high = each[figure]["ci95"]
            assert low <= each[figure]["mean"] <= high
        low, high = each["glicko"]["ci95"]
        assert low < each["glicko"]["rating"] < high
        assert each["validity"] is None, "nobody asked a model"
        assert each["limit_breaches"] == 0


@pytest.mark.slow
def test_models_take_part_and_are_measured(settings: Settings) -> None:
    def brain(body: dict[str, Any]) -> str:
        if "response_format" not in body:
            return obedient(body)
        return decision(text="") if body["model"] == "tidy" else "nonsense"

    with speaking_apart(brain) as double:
        settings.MODEL_URL, settings.MODEL_STYLE = double.url, "full"
        report = arena(
            "diplomat", "narrated:base@shark", "negotiator:tidy", f"outside:{double.url}#wild",
            scenario=["saas_enterprise"], seeds=2,
        )  # fmt: skip
    found = {each["name"]: each for each in report["contestants"]}
    assert found["diplomat"]["validity"] is None
    assert found["negotiator:tidy"]["validity"]["mean"] > 0.5
    assert found[f"outside:{double.url}#wild"]["validity"]["mean"] == 0
    assert found[f"outside:{double.url}#wild"]["stand_ins"]["mean"] == 1
    assert found[f"outside:{double.url}#wild"]["interventions_per_turn"]["mean"] >= 2
    assert found["narrated:base@shark"]["latency_p50"] > 0
    assert all(each["limit_breaches"] == 0 for each in report["contestants"])


def test_the_printed_table_gives_every_mean_its_interval() -> None:
    out = StringIO()
    call_command(
        "arena", "shark", "veteran", scenario=["saas_enterprise"], seeds=3, stdout=out, stderr=StringIO()
    )
    head, *lines = out.getvalue().splitlines()
    assert [head.index(title) for title in ("deals", "share", "valid", "guard per turn", "wait, s", "rating")]
    for line in lines:
        assert len(re.findall(r"\d\.\d\d \(\d\.\d\d-\d\.\d\d\)", line)) == 2, (
            "nobody asked a model: no more than these"
        )
        assert re.search(r"\d+ \(\d+ to \d+\)$", line)


def test_a_dead_server_costs_no_game(settings: Settings) -> None:
    with speaking_apart(lambda body: Said((), status=500)) as double:
        settings.MODEL_URL = double.url
        report = arena("diplomat", "negotiator:any", scenario=["saas_enterprise"], seeds=1)
    found = {each["name"]: each for each in report["contestants"]}
    assert found["negotiator:any"]["stand_ins"]["mean"] == 1


@pytest.mark.parametrize(
    ("names", "named"),
    [
        (("shark",), "two"),
        (("shark", "shark"), "once"),
        (("shark", "nobody"), "nobody"),
        (("shark", "narrated:base"), "MODEL_URL"),
        (("shark", "outside:base"), "outside:base"),
        (("shark", "outside:ftp://x#y"), "outside:ftp"),
        (("shark", "mixed:base"), "mixed:base"),
    ],
    ids=str,
)
def test_bad_input_is_named(names: tuple[str, ...], named: str, settings: Settings) -> None:
    settings.MODEL_URL = ""
    with pytest.raises(CommandError, match=named) as refused:
        arena(*names)
    assert refused.value.returncode == 2


def test_a_card_that_one_table_has_spent_is_left_out() -> None:
    from negotiation.engine.deal import Action

    game = Negotiation("saas_enterprise", "shark", "seller", 3)
    game._state.player.points = 0
    asked = Action("We have other offers.", offer=170_000, card="batna_reveal", claim=160_000)
    assert playable(game, asked) == Action("We have other offers.", offer=170_000)
