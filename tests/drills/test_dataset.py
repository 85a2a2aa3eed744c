"""Examples to learn from: seeded, split by episode, readable, each ending in a legal action."""

from __future__ import annotations

import json

import pytest

from negotiation.engine.drills import GAMES, play_out
from tests.drills.kinds import poker, simultaneous
from trainer.commands import main
from trainer.domains.drills.dataset import DatasetSettings, examples, write
from trainer.domains.drills.prompts import elicitation, labels, parse, system, user


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dataset")
    card = write(folder, DatasetSettings(per_game=900))
    rows = {
        part: [json.loads(line) for line in (folder / f"{part}.jsonl").read_text().splitlines()]
        for part in ("train", "valid")
    }
    return card, rows


def test_the_default_makes_about_thirty_two_thousand() -> None:
    assert DatasetSettings().per_game * len(GAMES) == 32_000
    assert DatasetSettings().seed == 42


def test_no_episode_stands_on_both_sides_of_the_split(dataset) -> None:
    _, rows = dataset
    sides = {part: {(row["game"], row["episode"]) for row in rows[part]} for part in rows}
    assert not sides["train"] & sides["valid"]
    share = len(rows["valid"]) / (len(rows["train"]) + len(rows["valid"]))
    assert share == pytest.approx(0.2, abs=0.02)


@pytest.mark.slow
def test_the_same_seed_writes_the_same_bytes_and_another_seed_does_not(dataset, tmp_path) -> None:
    card, _ = dataset
    again = write(tmp_path / "again", DatasetSettings(per_game=900))
    other = write(tmp_path / "other", DatasetSettings(per_game=900, seed=43))
    assert again["files"] == card["files"]
    assert other["files"] != card["files"]


def test_every_answer_is_a_thought_and_then_a_legal_action_alone(dataset) -> None:
    _, rows = dataset
    for row in rows["train"] + rows["valid"]:
        assert [message["role"] for message in row["messages"]] == ["system", "user", "assistant"]
        thought, action = row["messages"][2]["content"].split("\n")
        assert 20 < len(thought) < 200
        assert action.upper() == action
        if not action.isdigit():
            assert action not in thought, "the action stands on its line alone"


def test_opponents_of_the_shift_pool_are_never_met(dataset) -> None:
    _, rows = dataset
    for row in rows["train"] + rows["valid"]:
        assert row["opponent"] not in GAMES[row["game"]].pools.shift


def test_demonstrators_come_by_the_mixture(dataset) -> None:
    counts: dict[str, float] = {}
    for row in examples(GAMES["ipd"], 8000, 42):
        counts[row["demonstrator"]] = counts.get(row["demonstrator"], 0) + 1 / 8000
    for name, weight in GAMES["ipd"].demonstrators.items():
        assert counts[name] == pytest.approx(weight, abs=0.05)


def test_a_demonstration_can_be_read_back_as_the_move_that_was_made() -> None:
    for game in GAMES.values():
        match = game.match(game.draws(1, 1, "test"))
        while not match.done:
            for player in match.to_move:
                for label, action in labels(match, player).items():
                    assert parse(match, player, f"Because I think so.\n{label}") == action
                    assert parse(match, player, f"<think>{label}\n</think>\n**{label}**.") == action
            match.play({player: match.legal(player)[0] for player in match.to_move})


@pytest.mark.parametrize(
    "text",
    ["", "  \n", "I will COOPERATE", "COOPERATE\nbecause of trust", "<think>\nDEFECT", "BET", "</think>"],
)
def test_what_does_not_end_in_an_action_alone_is_no_action(text) -> None:
    match = GAMES["ipd"].match(GAMES["ipd"].draws(1, 1, "test"))
    assert parse(match, 0, text) is None


def test_a_thought_that_was_closed_does_not_hide_the_answer_and_one_reopened_does() -> None:
    match = GAMES["pie"].match(GAMES["pie"].draws(1, 1, "test"))
    assert parse(match, 0, "<think>\n7\n</think>\n5") == 5
    assert parse(match, 0, "<think>7</think>\n<think>\n5") is None


def test_a_prompt_says_what_the_player_knows_and_nothing_of_the_other() -> None:
    auction = simultaneous("auction")
    match = auction.match(auction.draws(1, 6, "test"))
    match.play({0: 2, 1: 1})
    told = user(match, 0)
    assert "Round 2 of 6." in told
    assert f"Your value: {match.private[0][1]}." in told
    assert "you MEDIUM, they LOW" in told
    assert "LOW, MEDIUM" in system(auction)
    assert "LOW, MEDIUM, HIGH" in elicitation(match, 0)
    kuhn = poker()
    hands = kuhn.match(kuhn.draws(1, 6, "test"))
    names = ("Jack", "Queen", "King")
    assert f"Your card: {names[hands.hand.cards[0]]}." in user(hands, 0)
    assert names[hands.hand.cards[1]] not in user(hands, 0)
    play_out(hands, kuhn.strategies["always_pass"], kuhn.strategies["always_pass"])
    assert "Hand 6" in user(hands, 0)


def test_the_command_writes_a_card_and_refuses_bad_input(tmp_path, capsys) -> None:
    assert main(["drills", "generate", "--output", str(tmp_path / "set"), "--per-game", "60", "--json"]) == 0
    card = json.loads(capsys.readouterr().out)
    assert sum(part["examples"] for part in card["files"].values()) == 300
    assert json.loads((tmp_path / "set" / "card.json").read_text()) == card
    assert main(["drills", "generate"]) == 2
    assert main(["drills", "generate", "--output", str(tmp_path / "set"), "--per-game", "0"]) == 2
    assert main(["drills", "dance"]) == 2
