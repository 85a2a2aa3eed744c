"""The exploit pool at the table for two: who tests the learner, and what losing to them, or breaking down, costs."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from negotiation.engine.deal import Action
from negotiation.engine.deal.selfplay import STRATEGIES
from negotiation.opponents.protocol import PERSON, Ruler, encode
from trainer.domains.deal.games import DealGames
from trainer.domains.deal.rewards import RewardSettings, broke_down, margin
from trainer.domains.deal.rivals import Win, read_wins
from trainer.domains.deal.tables import OpenTables
from trainer.domains.deal.tasks import DealCurriculum, DealTask, Mixture
from trainer.errors import BadInput
from trainer.learning.recipes import TrainSettings

GIVES_IN, HOLDS = 301, 460
"""Points that a player asks for."""
LEAVES = '{"act":"walk","text":""}'
TAKES = '{"act":"accept","text":""}'


def faced(rival: str, seed: int = 3) -> DealTask:
    return DealTask("saas_enterprise", PERSON, "seller", seed, rival=rival)


def asking(games: DealGames, points: int) -> str:
    """An offer at so many points, as the protocol wants it now."""
    tables = games.tables
    assert isinstance(tables, OpenTables)
    seen, board = games._turns[0].observation, tables.games[0].scenario
    return encode(Action(offer=Ruler.of(seen, board).money(points)), seen, board)


def play_on(games: DealGames, points: int):
    """Ask for the same until the deal ends."""
    position = None
    while position is None or not position.done:
        position = games.play({0: asking(games, points)})[0]
    return position


def leave(games: DealGames):
    return games.play({0: LEAVES})[0]


@pytest.mark.parametrize("name", sorted(STRATEGIES))
def test_every_reference_strategy_can_have_the_other_seat(name) -> None:
    games = DealGames(OpenTables())
    games.start([faced(name)])
    assert play_on(games, GIVES_IN).facts["turns"] >= 1


def test_a_rival_decides_and_no_persona_does() -> None:
    """The same deal ends otherwise with a rival that never moves than with one that gives way at once."""
    offers = {}
    for name in ("stonewaller", "capitulator"):
        tables = OpenTables()
        games = DealGames(tables)
        games.start([faced(name)])
        for _ in range(4):
            games.play({0: asking(games, HOLDS)})
        offers[name] = [
            move.offer for move in tables.games[0].observe().transcript if move.side == "opponent"
        ]
    moved = {}
    for name, found in offers.items():
        first, last = found[1], found[-1]
        assert first is not None
        assert last is not None
        moved[name] = last - first
    assert 0 <= moved["stonewaller"] <= 1000
    assert moved["capitulator"] > 10_000


def test_giving_in_to_a_rival_costs_what_it_took_beyond_the_player() -> None:
    games = DealGames(OpenTables(), RewardSettings(exploited=2.0, breakdown=1.0))
    games.start([faced("stonewaller")])
    position = play_on(games, GIVES_IN)
    share = position.facts["efficiency"]
    assert share < 0.5
    assert position.terms["exploited"] == pytest.approx(-200 * (1 - 2 * share))
    assert "breakdown" not in position.terms
    charged = (position.facts["total_reward"] + position.terms["exploited"]) / 100
    assert position.facts["score"] == pytest.approx(charged)


def test_against_a_persona_nothing_is_charged_for_the_margin_and_a_breakdown_always() -> None:
    games = DealGames(OpenTables(), RewardSettings(exploited=2.0, breakdown=0.5))
    games.start([DealTask("saas_enterprise", "diplomat", "seller", 3)])
    assert "exploited" not in play_on(games, GIVES_IN).terms
    games.start([DealTask("saas_enterprise", "diplomat", "seller", 3)])
    assert leave(games).terms["breakdown"] == -50


def test_both_terms_are_off_unless_asked_for() -> None:
    games = DealGames(OpenTables())
    games.start([faced("stonewaller")])
    position = leave(games)
    assert not {"exploited", "breakdown"} & set(position.terms)
    assert position.facts["score"] == pytest.approx(position.facts["total_reward"] / 100)


def test_margin_and_breakdown_are_read_off_the_ending() -> None:
    tables = OpenTables()
    games = DealGames(tables)
    games.start([faced("stonewaller")])
    play_on(games, GIVES_IN)
    deal = games._turns[0]
    assert deal.ending is not None
    assert margin(deal) == pytest.approx(1 - 2 * deal.ending.efficiency)
    assert not broke_down(deal)
    games.start([faced("stonewaller")])
    leave(games)
    assert (margin(games._turns[0]), broke_down(games._turns[0])) == (0, True)


def test_rivals_take_their_share_of_the_groups_and_of_the_deals_to_choose_by_equally_often() -> None:
    mixture = Mixture(rivals=("boulware", "stonewaller"), rival_share=0.5)
    for tasks in (DealCurriculum(mixture, 3).tasks(7, 20), DealCurriculum(mixture, 3).held_out(20)):
        assert Counter(task.rival for task in tasks) == {"": 10, "boulware": 5, "stonewaller": 5}
        assert all((task.persona == PERSON) == bool(task.rival) for task in tasks)
    assert DealCurriculum(mixture, 3).tasks(7, 20) == DealCurriculum(mixture, 3).tasks(7, 20)


def test_without_rivals_the_deals_are_what_they_were() -> None:
    assert DealCurriculum(Mixture(), 3).tasks(7, 20) == DealCurriculum(Mixture(rivals=("linear",)), 3).tasks(
        7, 20
    )


def test_a_persons_win_is_played_again_in_points_of_their_own_ruler() -> None:
    win = Win(offers=((1, 450), (3, 430)), taken_on=6)
    tables = OpenTables(wins={"win:a": win})
    games = DealGames(tables)
    games.start([faced("win:a", 5)])
    for _ in range(4):
        games.play({0: asking(games, HOLDS)})
    game = tables.games[0]
    board, truth = game.scenario, game.truth.opponent
    width = board.nominal_width
    points = [
        round(300 + 100 * (truth.walk_away - move.offer) / width)
        for move in game.observe().transcript
        if move.side == "opponent" and move.offer is not None
    ][-4:]
    assert points == pytest.approx([450, 450, 430, 430], abs=2)


def test_a_replayed_person_takes_what_they_planned_to_ask_for() -> None:
    tables = OpenTables(wins={"win:a": Win(offers=((1, 320),), taken_on=None)})
    games = DealGames(tables)
    games.start([faced("win:a", 5)])
    seen = games._turns[0].observation
    ruler = Ruler.of(seen, tables.games[0].scenario)
    low = ruler.points(tables.games[0].truth.opponent.walk_away) - 60
    after = games.play({0: asking(games, max(low, 300))})[0]
    assert after is not None
    assert after.done


def record(game: str, turn: int, answer: str, **source: object) -> str:
    told = {
        "game": game,
        "opponent": "negotiator",
        "efficiency": 0.7,
        "scenario": "saas_enterprise",
        **source,
    }
    chat = [{"role": "user", "content": "…"}, {"role": "assistant", "content": answer}]
    return json.dumps({"id": f"game-{game}-{turn:02d}", "messages": chat, "source": told})


def test_wins_are_read_out_of_a_dataset_and_what_is_no_win_is_left_out(tmp_path) -> None:
    lines = [
        record("a", 2, '{"act":"offer","offer":410,"text":""}'),
        record("a", 1, '{"act":"offer","offer":440,"text":""}'),
        record("a", 4, TAKES),
        record("b", 1, '{"act":"offer","offer":500,"text":""}', opponent="strategic"),
        record("c", 1, '{"act":"offer","offer":500,"text":""}', efficiency=0.4),
        record("d", 1, '{"act":"talk","text":""}'),
    ]
    (tmp_path / "train.jsonl").write_text("\n".join(lines) + "\n")
    assert read_wins(tmp_path) == {"win:a": Win(offers=((1, 440), (2, 410)), taken_on=4)}
    (tmp_path / "train.jsonl").write_text(lines[3] + "\n")
    with pytest.raises(BadInput, match="beat a model"):
        read_wins(tmp_path)
    (tmp_path / "train.jsonl").write_text(record("a", 1, "Let us say 400.") + "\n")
    with pytest.raises(BadInput, match="line 1"):
        read_wins(tmp_path)


def test_bad_pools_are_refused_by_name() -> None:
    with pytest.raises(BadInput, match="there is no 'genius'"):
        Mixture(rivals=("genius",))
    with pytest.raises(BadInput, match="nobody is in the exploit pool"):
        TrainSettings(mixture=Mixture(rival_share=0.5))
    with pytest.raises(BadInput, match="nobody's win"):
        OpenTables().deal([faced("win:nobody")])
    with pytest.raises(ValueError, match="at most 1"):
        Mixture(rival_share=0.6, self_play=0.6)
