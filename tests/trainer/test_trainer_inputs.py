"""What the trainer is given: settings, datasets, transcripts, tasks. No torch."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from negotiation.engine.deal import scenarios
from negotiation.engine.deal.selfplay import STRATEGIES
from negotiation.opponents.protocol import PERSON
from trainer import datasets, settings
from trainer.commands import COMMANDS, main
from trainer.domains.deal import files, transcripts
from trainer.domains.deal.games import DealGames, Elsewhere, asides
from trainer.domains.deal.rewards import RewardSettings, earned
from trainer.domains.deal.selfplay import DataSettings
from trainer.domains.deal.tables import OpenTables
from trainer.domains.deal.tasks import FIRST_SEED, SEEDS, DealCurriculum, DealTask, Mixture, Split, measured
from trainer.errors import BadInput
from trainer.evaluation.intervals import difference, gap, mean, ratio
from trainer.evaluation.players import Scripted
from trainer.evaluation.table import as_json, as_markdown, what_it_brought
from trainer.reports import page
from trainer.runs import Run, read_metrics
from trainer.settings import dump, from_dict, load, to_dict

SAAS = Mixture(scenarios=("saas_enterprise",))


@dataclass(frozen=True)
class Inner:
    rate: float = 0.5
    names: tuple[str, ...] = ("a",)


@dataclass(frozen=True)
class Outer:
    steps: int = 3
    on: bool = True
    inner: Inner = field(default_factory=Inner)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("stesp = 3", "no setting stesp"),
        ("steps = 3.5", "steps must be a whole number"),
        ("steps = true", "steps must be a whole number"),
        ("on = 1", "on must be true or false"),
        ("[inner]\nrate = 'fast'", "inner.rate must be a number"),
        ("[inner]\nnames = 'a'", "inner.names must be a list"),
        ("inner = 3", "inner must be a table"),
        ("steps =", "config.toml"),
    ],
)
def test_a_wrong_setting_is_one_line_that_names_it(tmp_path, text, word) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(BadInput, match=word) as problem:
        load(Outer, path)
    assert "\n" not in str(problem.value)


@dataclass(frozen=True)
class Renamed:
    """Settings of which one had another name."""

    OLD_KEYS: ClassVar[dict[str, str]] = {"piece": "micro_batch"}
    micro_batch: int = 64


def test_a_setting_is_read_by_its_old_name_and_not_by_both() -> None:
    assert from_dict(Renamed, {"piece": 3}, "old.toml") == Renamed(3)
    with pytest.raises(BadInput, match=r"old\.toml: micro_batch is given twice"):
        from_dict(Renamed, {"piece": 3, "micro_batch": 4}, "old.toml")
    with pytest.raises(BadInput, match="there are micro_batch"):
        from_dict(Renamed, {"pieces": 3}, "old.toml")


def test_settings_written_out_read_back_the_same() -> None:
    for made in (Outer(steps=9, inner=Inner(0.25, ("b", "c"))), DataSettings(), RewardSettings()):
        assert from_dict(type(made), to_dict(made), "test") == made
    assert 'names = ["a"]' in dump(Outer())


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("{", "line 2: not JSON"),
        ("[]", "line 2: not a JSON object"),
        ("{}", "line 2: messages must be"),
        (
            '{"messages":[{"role":"user","content":"a"},{"role":"user","content":"b"}]}',
            "line 2: the last message",
        ),
    ],
)
def test_a_malformed_line_of_a_dataset_is_named_by_its_number(tmp_path, line, word) -> None:
    good = '{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}'
    (tmp_path / "d.jsonl").write_text(f"{good}\n{line}\n")
    with pytest.raises(BadInput, match=word):
        list(datasets.read(tmp_path / "d.jsonl"))


def test_an_empty_dataset_is_an_error(tmp_path) -> None:
    (tmp_path / "d.jsonl").write_text("\n")
    with pytest.raises(BadInput, match="holds no examples"):
        list(datasets.read(tmp_path / "d.jsonl"))


def test_a_dataset_is_split_by_episode_and_made_again_from_its_seed(tmp_path) -> None:
    wanted = DataSettings(episodes=30, validation=0.3, mixture=SAAS)
    cards = [
        files.generate(wanted, 4, Run(tmp_path / name, "generate", wanted, 4)) for name in ("one", "two")
    ]
    assert cards[0] == cards[1]
    games = {
        name: {
            (record["source"]["persona"], record["source"]["seat"], record["source"]["seed"])
            for _, record in datasets.records(tmp_path / "one" / name)
        }
        for name in ("train.jsonl", "validation.jsonl")
    }
    assert games["train.jsonl"]
    assert games["validation.jsonl"]
    assert not games["train.jsonl"] & games["validation.jsonl"]
    assert "Data card" in (tmp_path / "one" / "card.md").read_text()


MAPPING = 'source = "a study"\nlicence = "CC BY 4.0"\n'


def test_transcripts_are_imported_with_where_they_are_from_and_only_with_consent(tmp_path) -> None:
    (tmp_path / "map.toml").write_text(MAPPING)
    rows = [
        "talk,turn,speaker,text,offer,accept,walk_away,limit,consent",
        "1,1,buyer,We can do 120,120000,,,,yes",
        '1,2,seller,We need more,"150,000",,,125000,yes',
        "1,3,buyer,Then 140,140000,,,,yes",
        "1,4,seller,Done,,yes,,125000,yes",
        "2,1,seller,Hello,160000,,,,no",
    ]
    (tmp_path / "t.csv").write_text("\n".join(rows))
    found = transcripts.read(tmp_path / "t.csv", tmp_path / "map.toml")
    assert found.card()["left_out_without_consent"] == 1
    assert len(found.records) == 2
    assert json.loads(found.records[1]["messages"][-1]["content"]) == {"act": "accept", "text": "Done"}
    assert found.records[0]["source"]["licence"] == "CC BY 4.0"
    transcripts.write(found, Run(tmp_path / "out", "generate", found.mapping, 0))
    assert len(list(datasets.read(tmp_path / "out" / "train.jsonl"))) == 2


def test_the_command_reads_transcripts_as_spreadsheets_save_them(tmp_path) -> None:
    (tmp_path / "map.toml").write_text(MAPPING)
    rows = [
        "talk;turn;speaker;text;offer;accept;walk_away;limit;consent",
        "Gespräch;1;seller;More;150000;;;125000;yes",
    ]
    for encoding in ("utf-16", "utf-8-sig", "cp1252"):
        (tmp_path / "t.csv").write_bytes("\r\n".join(rows).encode(encoding))
        found = transcripts.read(tmp_path / "t.csv", tmp_path / "map.toml")
        assert found.records[0]["source"]["talk"] == "Gespräch"
    (tmp_path / "t.csv").write_text("a,b\n1,2,3\n")
    with pytest.raises(BadInput, match=r"t\.csv: Line 2 has more cells"):
        transcripts.read(tmp_path / "t.csv", tmp_path / "map.toml")


def test_transcripts_without_a_licence_are_refused_and_bad_numbers_named(tmp_path) -> None:
    (tmp_path / "map.toml").write_text('source = "somewhere"\n')
    (tmp_path / "t.csv").write_text("talk,turn,speaker,offer,consent\n1,1,seller,lots,yes\n")
    with pytest.raises(BadInput, match="licence"):
        transcripts.read(tmp_path / "t.csv", tmp_path / "map.toml")
    (tmp_path / "map.toml").write_text(MAPPING)
    with pytest.raises(BadInput, match="line 2: offer must be a number"):
        transcripts.read(tmp_path / "t.csv", tmp_path / "map.toml")


def test_tasks_follow_from_seed_and_step_and_the_splits_never_meet() -> None:
    curriculum = DealCurriculum(Mixture(self_play=0.5), 3)
    assert curriculum.tasks(7, 20) == curriculum.tasks(7, 20)
    assert curriculum.tasks(7, 20) != curriculum.tasks(8, 20)
    assert any(task.persona == PERSON for task in curriculum.tasks(7, 20))
    drawn: dict[Split, list[DealTask]] = {
        "train": curriculum.tasks(0, 50),
        "choose": curriculum.held_out(50),
        "measure": measured(Mixture(), 5, 0),
    }
    for split, tasks in drawn.items():
        assert all(FIRST_SEED[split] <= task.seed < FIRST_SEED[split] + SEEDS for task in tasks)


@pytest.mark.parametrize("scenario", list(scenarios()))
def test_a_jittered_scenario_is_the_same_deal_in_another_size(scenario) -> None:
    plain, moved = (DealTask(scenario, "shark", "seller", 5, jitter=flag).board for flag in (False, True))
    assert moved.seats["seller"].walk_away != plain.seats["seller"].walk_away
    ratio_of_widths = moved.nominal_width / plain.nominal_width
    ratio_of_limits = moved.seats["buyer"].walk_away / plain.seats["buyer"].walk_away
    assert ratio_of_widths == pytest.approx(ratio_of_limits, rel=0.06)


def test_an_anchored_shark_opens_harder_and_nothing_else_changes() -> None:
    task = DealTask("saas_enterprise", "shark", "seller", 5)
    tables = OpenTables()
    plain, hard = (tables.deal([each])[0].observation for each in (task, replace(task, anchor=0.6)))
    assert hard.standing_offer is not None
    assert plain.standing_offer is not None
    assert hard.standing_offer < plain.standing_offer
    assert hard.own == plain.own


def test_weights_leave_terms_out_and_the_proxy_pays_for_words() -> None:
    tables = OpenTables()
    games = DealGames(tables, RewardSettings(theory_of_mind=0.0))
    text = (
        '{"act":"offer","offer":380,"card":"none","belief":{"limit":390,"budget":395,"urgency":4,'
        '"alternative":5,"sure":3},"text":"Which part of the package is worth most to your team?"}'
    )
    games.start([DealTask("saas_enterprise", "diplomat", "seller", 1)])
    after = games.play({0: text})[0]
    assert after is not None
    assert after.terms["theory_of_mind"] == 0
    assert [text[aside.begin : aside.stop] for aside in after.asides] == [
        '"belief":{"limit":390,"budget":395,"urgency":4,"alternative":5,"sure":3}'
    ]
    turn, decision = games._turns[0], games.decisions[0][0]
    full = earned(turn, decision, RewardSettings())
    proxy = earned(turn, decision, RewardSettings(grader="proxy"))
    assert full["theory_of_mind"] != proxy["theory_of_mind"] == pytest.approx(2.5)
    assert asides('{"act":"walk","text":""}', {}) == ()


def test_a_malformed_answer_changes_nothing() -> None:
    games = DealGames(OpenTables())
    before = games.start([DealTask("saas_enterprise", "diplomat", "seller", 1)])[0]
    assert games.play({0: '{"act":"offer"}'})[0] is None
    after = games.play({0: '{"act":"walk","text":""}'})[0]
    assert after is not None
    assert after.done
    assert before.chat


def test_deals_seen_through_the_wire_are_the_deals_of_this_process() -> None:
    from negotiation.openenv.tables import LocalTables

    tasks = [DealTask("saas_enterprise", "shark", "buyer", seed) for seed in range(4)]
    text = (
        '{"act":"offer","offer":400,"card":"none","belief":{"limit":390,"budget":395,"urgency":4,'
        '"alternative":5,"sure":3},"text":""}'
    )
    here, there = DealGames(OpenTables()), DealGames(Elsewhere(LocalTables()))
    assert here.start(tasks) == there.start(tasks)
    for _ in range(3):
        one, other = (games.play(dict.fromkeys(range(4), text)) for games in (here, there))
        assert one == other
    with pytest.raises(BadInput, match="inprocess"):
        there.start([DealTask("saas_enterprise", PERSON, "buyer", 1)])


def test_a_scripted_player_is_measured_and_a_person_across_falls_back_on_the_persona() -> None:
    tasks = measured(SAAS, 2, 1)
    records = Scripted("expert").play(tasks)
    assert len(records) == len(tasks) == 12
    assert all(record.turns > 0 for record in records)
    assert sum(record.beliefs for record in records) > 0
    assert records == Scripted("expert").play(tasks)
    with pytest.raises(BadInput, match="no strategy"):
        Scripted("genius")


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
def test_every_strategy_plays_against_a_model_in_the_personas_chair(strategy) -> None:
    task = DealTask("saas_enterprise", PERSON, "seller", 5)
    assert Scripted(strategy).play([task])[0].turns > 0


def test_a_gap_between_ratios_is_paired_by_deal() -> None:
    rng = np.random.default_rng(5)
    luck = rng.normal(0, 10, size=400)
    below = rng.integers(1, 5, size=400).astype(float)
    one, other, turns = (below * (luck + 1.0)).tolist(), (below * luck).tolist(), below.tolist()
    found = gap((one, turns), (other, turns))
    assert found is not None
    assert found.mean == pytest.approx(1.0)
    assert found.high - found.low < 1e-6  # the luck is shared, so nothing is left to doubt
    apart = ratio(one, turns)
    assert apart is not None
    assert apart.high - apart.low > 1.0
    assert gap(([1.0], [0.0]), ([1.0], [1.0])) is None
    with pytest.raises(ValueError, match="pairs"):
        gap(([1.0], [1.0]), ([1.0, 2.0], [1.0, 1.0]))


def test_what_was_left_out_is_told_from_what_it_was_left_out_of() -> None:
    tasks = measured(Mixture(scenarios=("saas_enterprise",)), 4, 0)
    records = {name: Scripted(name).play(tasks) for name in ("expert", "linear")}
    table = as_json(records, "linear") | {
        "brought": what_it_brought(records | {"again": records["expert"]}, "expert")
    }
    assert set(table["brought"]) == {"linear", "again"}
    assert table["brought"]["again"]["efficiency"] == {"mean": 0.0, "ci95": [0.0, 0.0]}
    other = table["brought"]["linear"]["efficiency"]
    gained = table["gain_over_baseline"]["expert"]
    assert other["mean"] == pytest.approx(gained["mean"])
    assert other["ci95"] == pytest.approx(gained["ci95"])
    table["by_seed"] = {"0": table["players"]}
    assert "| the whole, less | linear | again |" in as_markdown(table)


def test_intervals_hold_what_they_are_of() -> None:
    found = mean([0.0, 1.0] * 100)
    assert found is not None
    assert found.mean == 0.5
    assert 0.42 < found.low < 0.5 < found.high < 0.58
    half = ratio([1, 1], [2, 2])
    assert half is not None
    assert half.mean == 0.5
    assert ratio([], []) is None
    none = difference([1.0, 2.0], [1.0, 2.0])
    assert none is not None
    assert none.mean == 0
    with pytest.raises(ValueError, match="pairs"):
        difference([1.0], [])


def test_a_run_refuses_a_folder_that_holds_one_and_reads_lines_that_a_crash_cut_short(tmp_path) -> None:
    run = Run(tmp_path / "run", "test", Outer(), 0)
    run.log(kind="x", step=0)
    with pytest.raises(BadInput, match="--resume"):
        Run(tmp_path / "run", "test", Outer(), 0)
    with pytest.raises(BadInput, match="other settings"):
        Run(tmp_path / "run", "test", Outer(steps=4), 0, resume=True)
    with (tmp_path / "run" / "metrics.jsonl").open("a") as lines:
        lines.write('{"kind": "x", "st')
    assert len(read_metrics(tmp_path / "run")) == 1
    with (tmp_path / "run" / "metrics.jsonl").open("a") as lines:
        lines.write("\n{}\n")
    with pytest.raises(BadInput, match="line 2"):
        read_metrics(tmp_path / "run")


@pytest.mark.parametrize(
    ("argv", "word"),
    [
        ([], "usage"),
        (["nonsense"], "no command 'nonsense'"),
        (["generate", "--seed", "x"], "whole number"),
        (["generate", "--episodes", "0", "--output", "{tmp}"], "episodes must be at least 1"),
        (["generate", "--transcripts", "none.csv"], "--mapping"),
        (["generate", "--config", "/nowhere.toml"], "/nowhere.toml"),
        (["evaluate", "genius", "--output", "{tmp}"], "neither a strategy"),
        (["evaluate", "m=/nowhere", "--output", "{tmp}"], "no such folder"),
        (["plot", "/nowhere"], "/nowhere"),
    ],
)
def test_bad_input_ends_with_status_two_and_one_line(tmp_path, capsys, argv, word) -> None:
    assert main([part.replace("{tmp}", str(tmp_path / "out")) for part in argv]) == 2
    said = capsys.readouterr().err
    assert word in said
    assert word == "usage" or said.count("\n") == 1


def test_without_torch_a_command_that_needs_it_says_where_it_is() -> None:
    hide = "import sys; sys.modules['torch'] = None; from trainer.commands import main; sys.exit(main(['grpo', '--help']))"
    found = subprocess.run(
        [sys.executable, "-c", hide],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        check=False,
    )
    assert found.returncode == 2
    assert "needs torch" in found.stderr
    assert ".venv-train" in found.stderr
    assert found.stderr.count("\n") == 1
    assert set(COMMANDS) >= {"generate", "sft", "grpo", "evaluate", "demo", "drills", "diplomacy", "ablate"}


def test_evaluate_runs_without_torch_on_strategies_and_prints_one_object(tmp_path, capsys) -> None:
    config = tmp_path / "e.toml"
    config.write_text('[mixture]\nscenarios = ["saas_enterprise"]\nseats = ["seller"]\n')
    out = tmp_path / "out"
    assert (
        main(
            [
                "evaluate",
                "random",
                "expert",
                "--episodes",
                "12",
                "--config",
                str(config),
                "--output",
                str(out),
                "--json",
            ]
        )
        == 0
    )
    table = json.loads(capsys.readouterr().out)
    for row in table["players"].values():
        assert row["efficiency"]["ci95"][0] <= row["efficiency"]["mean"] <= row["efficiency"]["ci95"][1]
    assert table["gain_over_baseline"]["expert"]["mean"] > 0
    assert "| measure | random | expert |" in (out / "evaluation.md").read_text()
    report = (out / "evaluation.html").read_text()
    assert "Plotly.react" in report
    assert ("plotly.js (basic" in report) == page.SCRIPT.exists()
    assert settings.load(DataSettings, None)
