"""What a policy of the board is trained on: positions, tables side by side, rewards within groups, tags, measures."""

import importlib.util
import json

import numpy as np
import pytest

from negotiation.engine.diplomacy import Chance, opening, possible_orders
from negotiation.engine.diplomacy.bots import DumbBot, TrustingBot
from negotiation.engine.diplomacy.geography import POWER_ID, PROVINCE, PROVINCES
from negotiation.engine.diplomacy.orders import MOVE, text
from negotiation.engine.diplomacy.press.ledger import Ledger
from negotiation.engine.diplomacy.press.messages import Tag, said
from negotiation.engine.diplomacy.press.promises import Kind, PromiseVerdict
from tests.diplomacy.test_bots import played
from tests.diplomacy.test_training import command, peace_to_all, samples
from tests.effort import few
from trainer.domains.diplomacy.answers import CLOSE, OPEN, parse
from trainer.domains.diplomacy.arena import Seat, arena
from trainer.domains.diplomacy.examples import ExampleSettings, answer, examples
from trainer.domains.diplomacy.games import DiplomacyGames, OrdersPosition, task_of
from trainer.domains.diplomacy.judge import local_judge
from trainer.domains.diplomacy.measure import answered, records, summary, worth_of_words
from trainer.domains.diplomacy.phrases import Talker
from trainer.domains.diplomacy.pledged import PledgedBot
from trainer.domains.diplomacy.pool import (
    HELD_OUT,
    TRAINING,
    PoolSettings,
    Positions,
    bots_at_play,
    phase_of,
)
from trainer.domains.diplomacy.reward import BoardRewardSettings, Tags, of_tags, plain, score
from trainer.domains.diplomacy.rollouts import group as played_group
from trainer.domains.diplomacy.rollouts import play_out, side_by_side
from trainer.domains.diplomacy.tables import BoardTable, BotPlayer, Sample, Start, play_phase
from trainer.domains.diplomacy.telling import brief, chat

FRANCE, GERMANY, ENGLAND = POWER_ID["FRANCE"], POWER_ID["GERMANY"], POWER_ID["ENGLAND"]
PLAIN = BoardRewardSettings()
SMALL = PoolSettings(games=4, years=4)


@pytest.fixture(scope="module")
def turns():
    return list(bots_at_play(SMALL, 1, TRAINING))


@pytest.fixture(scope="module")
def positions():
    return Positions(SMALL, 0)


def test_every_example_can_be_read_back_as_what_the_bot_did(turns) -> None:
    spoken = 0
    for start, sample in turns:
        read = parse(answer(start, sample), start.state, start.power)
        assert set(sample.orders) <= set(read.orders)
        assert read.messages == sample.messages
        spoken += bool(sample.messages)
    assert spoken > 50


def test_examples_speak_so_that_the_ledger_understands_and_their_tags_mean_nothing(turns) -> None:
    checked = []
    for start, sample in turns:
        ledger = Ledger()
        for message in sample.messages:
            ledger = ledger.heard(message, start.state)
        if sample.messages:
            assert len(ledger.entries) == 1
            orders = [sample.orders if power == start.power else () for power in range(7)]
            (entry,) = ledger.judged(start.state, orders).entries
            checked.append((entry.promise.kind, entry.tag, entry.verdict))
    assert {kind for kind, *_ in checked} == {Kind.NO_ATTACK, Kind.NOT_ENTER, Kind.MOVE}
    broken = {tag: [v == PromiseVerdict.BROKEN for _, t, v in checked if t == tag] for tag in Tag}
    assert abs(np.mean(broken[Tag.TRUTH]) - np.mean(broken[Tag.LIE])) < 0.2


def test_positions_are_drawn_evenly_over_powers_and_by_share_over_phases(positions) -> None:
    groups = positions.tasks(0, 8 * 7 * 2)
    by_phase = [phase_of(group.start.state) for group in groups]
    assert {phase: by_phase.count(phase) for phase in set(by_phase)} == {
        "spring": 42, "fall": 42, "retreats": 14, "winter": 14,
    }  # fmt: skip
    by_power = [group.start.power for group in groups if phase_of(group.start.state) in ("spring", "fall")]
    assert [by_power.count(power) for power in range(7)] == [12] * 7
    assert all(group.start.lines.decides for group in groups)


def test_positions_follow_from_seed_and_step_alone_and_held_out_ones_are_of_other_games(positions) -> None:
    again = Positions(SMALL, 0)
    assert positions.tasks(5, 6) == again.tasks(5, 6)
    assert positions.tasks(5, 6) != positions.tasks(6, 6)
    assert positions.held_out(9) == again.held_out(9)
    trained = {start.state for start, _ in bots_at_play(SMALL, 0, TRAINING) if start.state.year > 1901}
    held = {start.state for start, _ in bots_at_play(SMALL, 0, HELD_OUT) if start.state.year > 1901}
    assert not trained & held


def test_the_brief_telling_holds_no_tag_and_nothing_of_what_others_order_or_say(turns) -> None:
    start, _ = next(turn for turn in turns if turn[0].state.phase == "F1902M" and turn[0].power == FRANCE)
    secret = said(start.state, ENGLAND, GERMANY, "I will not attack you.", Tag.LIE)
    told = Start(start.state, FRANCE, start.ledger.heard(secret, start.state))
    assert brief(told) == brief(start)
    to_me = [said(start.state, ENGLAND, FRANCE, "I will not attack you.", tag) for tag in Tag]
    pages = {brief(Start(start.state, FRANCE, Ledger().heard(message, start.state))) for message in to_me}
    assert len(pages) == 1  # a tag changes nothing
    assert any(line.startswith("ENGLAND") and line.endswith("theirs") for line in pages.pop().split("\n"))


def test_the_brief_telling_names_each_unit_with_all_it_can_move_to() -> None:
    lines = brief(Start(opening(), FRANCE)).split("\n")
    units = [line for line in lines if ":" in line]
    assert [line.split(":")[0][-5:] for line in units] == ["A MAR", "A PAR", "F BRE"]
    assert units[2].split(":")[1].split()[3::4] == ["ENG", "GAS", "MAO", "PIC"]
    assert "np no ab SPA" in units[0]  # nobody's centre, empty, none of others near, one of mine


def test_the_full_telling_is_the_view_and_the_rules() -> None:
    system, user = chat(Start(opening(), FRANCE), "full")
    assert "<orders>" in system["content"]
    assert json.loads(user["content"])["meta"]["role"] == "FRANCE"


def test_tables_side_by_side_play_what_one_alone_plays() -> None:
    bots = [BotPlayer(TrustingBot())] * 6 + [BotPlayer(DumbBot())]
    together = [BoardTable(Chance(3, game)) for game in range(3)]
    alone = BoardTable(Chance(3, 1))
    for _ in range(9):
        play_phase(together, [bots] * 3)
        play_phase([alone], [bots])
    assert together[1].state == alone.state
    assert together[0].state != alone.state


def test_press_of_a_phase_is_read_by_those_who_order_after_it() -> None:
    state = next(s for s, _ in played([DumbBot()] * 7, 3) if s.phase == "S1903M")
    orders = samples(state, FRANCE)[0].orders
    peace = peace_to_all(state, FRANCE, Tag.TRUTH)
    readers = [BotPlayer(TrustingBot())] * 7
    answers = []
    for messages in ((), peace):
        tables = [BoardTable(Chance(1, k), state) for k in range(8)]
        given = [{FRANCE: Sample(orders, messages)}] * 8
        answers.append(play_phase(tables, [readers] * 8, given))
        assert all(row[FRANCE].orders == orders for row in answers[-1])
    assert answers[0] != answers[1]


def test_rollouts_side_by_side_are_the_rollouts_one_by_one(positions) -> None:
    groups = positions.tasks(1, 6)
    jobs = [
        (task_of(group, TrustingBot()), Talker(BotPlayer(DumbBot())).answers(
            [group.start], [Chance(9, n).draws(group.start.state, group.start.power)])[0], 3, PLAIN, local_judge)
        for n, group in enumerate(groups)
    ]  # fmt: skip
    assert side_by_side(jobs) == [play_out(job) for job in jobs]


def test_a_power_that_means_its_peace_keeps_it_and_one_that_does_not_breaks_it() -> None:
    """The same promise under both tags, in positions where a DumbBot would attack."""
    kept = {Tag.TRUTH: 0, Tag.LIE: 0}
    broken = {Tag.TRUTH: 0, Tag.LIE: 0}
    for seed in range(6):
        state = next(s for s, _ in played([DumbBot()] * 7, seed) if s.phase == "S1904M")
        for other in range(7):
            for tag in Tag:
                if other == FRANCE or not state.units[FRANCE]:
                    continue
                ledger = Ledger().heard(said(state, FRANCE, other, "I will not attack you.", tag), state)
                draws = Chance(seed, 1).draws(state, FRANCE)
                orders = PledgedBot().orders(state, FRANCE, draws, ledger)
                given = [orders if power == FRANCE else [] for power in range(7)]
                (entry,) = ledger.judged(state, given).entries
                broken[tag] += entry.verdict == PromiseVerdict.BROKEN
                kept[tag] += entry.verdict != PromiseVerdict.BROKEN
    assert broken[Tag.TRUTH] == 0
    assert broken[Tag.LIE] > 2
    assert kept[Tag.TRUTH] > 20


def test_a_place_closed_by_a_truth_is_not_entered() -> None:
    state = opening()
    draws = Chance(1, 1).draws(state, FRANCE)
    free = PledgedBot().orders(state, FRANCE, draws, Ledger())
    goal = next(PROVINCE[order.at] for order in free if order.kind == MOVE)
    ledger = Ledger().heard(
        said(state, FRANCE, ENGLAND, f"I will stay out of {PROVINCES[goal]}.", Tag.TRUTH), state
    )
    bound = PledgedBot().orders(state, FRANCE, draws, ledger)
    assert all(PROVINCE[order.at] != goal for order in bound if order.kind == MOVE)


def test_tags_cost_by_share_a_truth_broken_and_a_lie_kept_and_a_lie_meant_is_free() -> None:
    honest, mistagged, idle, lie = (
        Tags(4, 4, 0, 0, 0), Tags(4, 2, 2, 0, 0), Tags(4, 0, 0, 3, 1), Tags(4, 0, 0, 4, 0),
    )  # fmt: skip
    settings = BoardRewardSettings(tag_weight=1.0, idle_weight=0.5)
    worths = [plain(2.0, 0.5, tags, settings) for tags in (honest, mistagged, idle, lie)]
    assert worths == pytest.approx([2.25, 1.75, 2.125, 2.25])
    paid = BoardRewardSettings(tag_weight=1.0, idle_weight=0.5, right_weight=1.0)
    earned = [of_tags(tags, paid) for tags in (honest, mistagged, idle, lie, Tags(0, 0, 0, 0, 0))]
    assert earned == pytest.approx([1.0, 0.0, 0.625, 1.0, 0.0])
    flat = np.ones((4, 2))
    result = score(flat, flat, np.array([0, -0.5, -0.125, 0]), settings)
    assert result.rewards == pytest.approx([0, -0.5, -0.125, 0])
    z = result.rewards - result.rewards.mean()
    assert result.advantages == pytest.approx(z / (z.std() + settings.epsilon))
    assert float(result.advantages.mean()) == pytest.approx(0, abs=1e-9)


def text_of(start, orders, press=""):
    return press + OPEN + "".join(f"{text(order)}\n" for order in orders) + CLOSE


def test_answers_of_a_group_earn_what_the_group_score_says_and_equal_answers_equally(positions) -> None:
    group = next(g for g in positions.tasks(2, 8) if g.start.state.moving)
    start = group.start
    possible = possible_orders(start.state, start.power)
    choices = [
        tuple(possible[node][i % len(possible[node])] for node in sorted(possible)) for i in (0, 1, 1, 3)
    ]
    games = DiplomacyGames(PLAIN, "brief", TrustingBot(), 3)
    places = games.start([group] * 4)
    for place in places:
        assert isinstance(place, OrdersPosition)
        assert place.lines == start.lines
    after = games.play({i: text_of(start, orders) for i, orders in enumerate(choices)})
    rewards = []
    for i in range(4):
        stands = after[i]
        assert stands is not None
        rewards.append(stands.reward)
    assert rewards[1] == rewards[2]
    expected = played_group(task_of(group, TrustingBot()), [Sample(orders) for orders in choices], 3, PLAIN)
    assert rewards == pytest.approx(expected.score.rewards)
    games.start([group])
    alone = games.play({0: text_of(start, choices[0])})[0]
    assert alone is not None
    assert (
        alone.reward
        == alone.facts["score"]
        == pytest.approx(expected.hards[0].mean() + 0.5 * expected.softs[0].mean())
    )
    games.start([group])
    assert games.play({0: "<orders>\nA PAR - MUN\n</orders>"}) == {0: None}


@pytest.mark.slow
def test_what_words_were_worth_is_nothing_to_the_deaf_and_something_to_those_who_read(positions) -> None:
    groups = [
        g for g in positions.held_out(few(14, 40)) if g.start.state.phase[0] in "SF" and g.start.state.moving
    ]
    talker = Talker(BotPlayer(DumbBot()))
    spoken = answered(talker, groups, 3)
    peace = [
        Sample(sample.orders, peace_to_all(group.start.state, group.start.power, Tag.LIE))
        for group, sample in zip(groups, spoken, strict=True)
    ]
    found = worth_of_words(peace, groups, PLAIN, 2, 0)
    assert set(found) == {"lie"}
    assert found["lie"]["deaf"]["centres"]["mean"] == 0
    assert found["lie"]["deaf"]["worked"]["mean"] == 0
    assert found["lie"]["naive"]["centres"]["mean"] > 0
    assert found["lie"]["naive"]["messages"] == len(groups)


def test_measures_have_intervals_and_pairs_meet_the_same_luck(positions) -> None:
    groups = positions.held_out(14)
    talker = Talker(BotPlayer(DumbBot()))
    samples_ = answered(talker, groups, 5)
    assert samples_ == answered(talker, groups, 5)
    found = records(samples_, groups, PLAIN, TrustingBot(), 2)
    assert found == records(samples_, groups, PLAIN, TrustingBot(), 2)
    told = summary(found, 0)
    assert told["valid"]["mean"] == 1.0
    low, high = told["worth"]["ci95"]
    assert low <= told["worth"]["mean"] <= high
    assert 0 <= told["tag_accuracy"]["mean"] <= 1


def test_examples_of_two_parts_are_of_different_games() -> None:
    rows = examples(ExampleSettings(games=2, years=2), "brief", 0)
    assert rows["train"]
    late = {row.chat[0]["content"] + row.answer for row in rows["train"] if "fall" in row.chat[0]["content"]}
    assert len(late & {row.chat[0]["content"] + row.answer for row in rows["valid"]}) < len(late) / 2


@pytest.mark.slow
def test_evaluate_prints_a_bot_s_figures_and_bad_input_is_one_line() -> None:
    done = command("evaluate", "--policy", "dumbbot", "--positions", "7", "--rollouts", "2", "--json")
    page = json.loads(done.stdout)
    assert page["positions"] == 7
    assert page["valid"]["mean"] == 1.0
    learning_stack = importlib.util.find_spec("torch") is not None
    for arguments, named in (
        (["--policy", "clever"], "clever"),
        (["--policy", "model:/nowhere"], "/nowhere" if learning_stack else ".venv-train"),
        (["--policy", "dumbbot", "--positions", "0"], "positions"),
        (["--policy", "dumbbot", "--others", "nobody"], "nobody"),
    ):
        done = command("evaluate", *arguments)
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
        assert named in done.stderr


def test_an_arena_counts_what_became_of_the_tags_of_those_who_speak() -> None:
    talker = Talker(BotPlayer(DumbBot()))
    seats = [Seat("talker", talker), *[Seat("trusting", BotPlayer(TrustingBot()))] * 6]
    policies = arena(seats, 7, 3, 1)["policies"]
    assert policies["talker"]["promises"]["mean"] > 1
    assert 0.2 < policies["talker"]["mistag_rate"]["mean"] < 0.9  # tags are tossed
    assert 0.2 < policies["talker"]["tag_accuracy"]["mean"] < 0.8
    assert "promises" not in policies["trusting"]
