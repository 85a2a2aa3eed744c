"""The arithmetic of learning against closed forms and plain references in double precision."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
import pytest
import torch

from negotiation.opponents.protocol.grammar import accepts, choice, digits, literal, sequence
from trainer.domains.games import Aside
from trainer.learning.advantages import advantages, baseline_of
from trainer.learning.decoding import Stream, WrittenAnswer, draw
from trainer.learning.loss import LossSettings, answer_logprobs, clipped, collate, divergence, total
from trainer.learning.masks import ENDED, TokenAutomaton
from trainer.learning.rollout import Row, Trajectory
from trainer.learning.samples import faded, training_samples
from trainer.learning.settings import GrpoSettings

from .toy import make_base, make_policy

GROUP = [[1.0, 2.0, 6.0], [0.0, 4.0], [3.0]]


def test_episode_credit_is_the_standardised_total() -> None:
    found = advantages(GROUP, "episode")
    totals = np.array([9.0, 4.0, 3.0])
    expected = (totals - totals.mean()) / totals.std()
    for row, value, length in zip(found.values, expected, (3, 2, 1), strict=True):
        assert row == pytest.approx([value] * length, abs=1e-6)


def test_per_round_credit_compares_only_those_who_reached_the_round() -> None:
    found = advantages(GROUP, "round", "none").values
    assert found[0] == pytest.approx([1 - 4 / 3, 2 - 3, 0])
    assert found[1] == pytest.approx([0 - 4 / 3, 4 - 3])
    assert found[2] == pytest.approx([3 - 4 / 3])


def test_return_to_go_sums_what_follows() -> None:
    found = advantages(GROUP, "to_go", "none").values
    assert found[0] == pytest.approx([9 - 16 / 3, 8 - 6, 0])
    assert found[1] == pytest.approx([4 - 16 / 3, 4 - 6])
    assert found[2] == pytest.approx([3 - 16 / 3])


def test_who_reached_a_round_alone_is_compared_with_all_of_the_step_that_did() -> None:
    group, others = [[1.0], [2.0], [0.0, 0.0, -90.0]], [[3.0], [0.0, 5.0], [0.0, 0.0, 30.0]]
    usual = baseline_of([*group, *others], "to_go")
    assert usual == [-49 / 6, (-90 + 5 + 30) / 3, -30.0]
    alone = advantages(group, "to_go", "batch")
    assert list(alone.values[2][1:]) == [0.0, 0.0]
    found = advantages(group, "to_go", "batch", usual, few=2)
    assert list(found.values[2]) == pytest.approx([-90 + 29, -90 - usual[1], -60.0])
    assert list(found.values[0]) == pytest.approx(
        [1 + 29]
    )  # three reached the first round: compared among themselves


def test_a_group_without_spread_is_dropped_and_says_so() -> None:
    found = advantages([[1.0, 2.0], [1.0, 2.0]], "to_go")
    assert found.dropped
    assert all(np.all(row == 0) for row in found.values)
    assert not advantages([[1.0], [2.0]], "to_go").dropped


def _reference_loss(logprobs, old, reference, advantage, low, high, weight):
    """The loss of one row, token by token, in plain Python."""
    lost = 0.0
    for now, then, there in zip(logprobs, old, reference, strict=True):
        ratio = math.exp(now - then)
        cut = min(max(ratio, 1 - low), 1 + high)
        lost += -min(ratio * advantage, cut * advantage)
        lost += weight * (math.exp(there - now) - (there - now) - 1)
    return lost


@pytest.mark.parametrize("norm", ["rows", "tokens"])
def test_the_loss_is_the_plain_reference_in_double_precision(norm) -> None:
    torch.manual_seed(1)
    settings = LossSettings(kl=0.04, norm=norm)
    batch = collate(
        [[1, 2], [1]], [[3, 4, 5], [6, 7]], 0, torch.device("cpu"), advantages=[[0.7] * 3, [-1.3] * 2]
    )
    shape = batch.ids.shape
    now, then, there = (-torch.rand(shape, dtype=torch.float64) for _ in range(3))
    batch = batch.__class__(
        batch.ids, batch.attention, batch.mine, batch.mask_numbers, then, batch.advantages.double()
    )
    loss, _ = total(now, there, batch, settings, rows=2, tokens=5)
    lengths, tokens = (3, 2), 5
    expected = sum(
        _reference_loss(
            now[row][batch.mine[row]].tolist(),
            then[row][batch.mine[row]].tolist(),
            there[row][batch.mine[row]].tolist(),
            advantage,
            settings.clip_low,
            settings.clip_high,
            settings.kl,
        )
        / (tokens if norm == "tokens" else 2 * lengths[row])
        for row, advantage in enumerate([0.7, -1.3])
    )
    assert float(loss) == pytest.approx(expected, rel=1e-6)


def test_the_loss_has_the_gradient_of_the_reference() -> None:
    settings = LossSettings(kl=0.1)
    batch = collate([[1]], [[3, 4]], 0, torch.device("cpu"), advantages=[[1.5] * 2])
    now = torch.tensor([[0.0, -0.9, -0.4]], dtype=torch.float64, requires_grad=True)
    there = torch.tensor([[0.0, -0.7, -0.5]], dtype=torch.float64)
    old = torch.tensor([[0.0, -1.0, -0.45]], dtype=torch.float64)
    batch = batch.__class__(
        batch.ids, batch.attention, batch.mine, batch.mask_numbers, old, batch.advantages.double()
    )
    loss, _ = total(now, there, batch, settings, rows=1, tokens=2)
    loss.backward()
    for place in (1, 2):
        ratio = math.exp(float(now[0, place].detach() - old[0, place]))
        of_gain = -1.5 * ratio  # inside the clip both ways
        of_kl = settings.kl * (1 - math.exp(float(there[0, place] - now[0, place].detach())))
        assert float(now.grad[0, place]) == pytest.approx((of_gain + of_kl) / 2, rel=1e-9)
    assert float(now.grad[0, 0]) == 0


@pytest.mark.parametrize(("advantage", "ratio"), [(1.0, 1.5), (-1.0, 0.5)])
def test_beyond_the_clip_there_is_no_gradient(advantage, ratio) -> None:
    now = torch.tensor([math.log(ratio)], dtype=torch.float64, requires_grad=True)
    loss = clipped(now, torch.zeros(1, dtype=torch.float64), torch.tensor([advantage]), LossSettings())
    loss.sum().backward()
    assert float(now.grad) == 0


def test_k3_is_unbiased_and_never_negative() -> None:
    torch.manual_seed(0)
    policy, reference = (torch.log_softmax(torch.randn(6, dtype=torch.float64), 0) for _ in range(2))
    apart = divergence(policy, reference, "k3")
    assert torch.all(apart >= 0)
    exact = float((policy.exp() * (policy - reference)).sum())
    assert float((policy.exp() * apart).sum()) == pytest.approx(exact, rel=1e-9)
    one_sided = divergence(policy, reference, "one_sided")
    assert torch.equal(one_sided, torch.clamp(policy - reference, min=0))


def test_a_bandit_has_the_gradient_of_the_theorem() -> None:
    """d/d theta of -E[A] under a softmax: -p_k (A_k - mean A)."""
    logits = torch.tensor([0.2, -0.1, 0.4], dtype=torch.float64, requires_grad=True)
    gains = torch.tensor([1.0, 0.0, -0.5], dtype=torch.float64)
    logprobs = torch.log_softmax(logits, 0)
    weights = logprobs.detach().exp()
    loss = (weights * clipped(logprobs, logprobs.detach(), gains, LossSettings())).sum()
    loss.backward()
    expected = -weights * (gains - (weights * gains).sum())
    assert torch.allclose(logits.grad, expected)


VOCABULARY = [None, None, b"a", b"ab", b"b", b"1", b"12", b"2", b'","', b"c", b"12c"]
GRAMMAR = sequence(choice((literal("ab"), literal("a"))), digits(10, 29), literal("c"))


def _walk(automaton, state, text, found) -> None:
    """Every string that the automaton lets through, by every way to write it."""
    mask = automaton.masks([automaton.mask_number(state)])[0]
    for token in mask.nonzero()[:, 0].tolist():
        if token == 1:
            found.add(text)
            continue
        _walk(automaton, automaton.step(state, token), text + VOCABULARY[token].decode(), found)


def test_masks_let_through_the_whole_language_that_the_tokens_can_write_and_nothing_else() -> None:
    automaton = TokenAutomaton(VOCABULARY, end=1)
    found: set[str] = set()
    _walk(automaton, automaton.start(GRAMMAR), "", found)
    assert found == {head + number + "c" for head in ("a", "ab") for number in ("11", "12", "21", "22")}
    assert all(accepts(GRAMMAR, text) for text in found)


def test_an_automaton_refuses_what_its_mask_refuses_and_knows_how_to_end() -> None:
    automaton = TokenAutomaton(VOCABULARY, end=1)
    state = automaton.start(GRAMMAR)
    with pytest.raises(ValueError, match="not allowed"):
        automaton.step(state, 9)
    state = automaton.step(automaton.step(state, 3), 5)
    assert accepts(GRAMMAR, "ab1" + automaton.ending(state))
    assert automaton.step(state, 1) == ENDED


def test_masked_logprobs_sum_to_one_over_what_is_allowed_and_match_those_sampled(tmp_path) -> None:
    policy = make_policy(make_base(tmp_path))
    grammar = choice(literal(word) for word in ("low", "mid", "high"))
    prompts = [policy.tokens([{"role": "user", "content": f"round {n}"}]) for n in (1, 2)]
    states = [policy.automaton.start(grammar)] * 2
    generator = torch.Generator().manual_seed(3)
    written = policy.write(prompts, most=20, temperature=0.8, generator=generator, states=states)
    batch = collate(
        prompts,
        [each.tokens for each in written],
        policy.pad,
        policy.device,
        logprobs=[each.logprobs for each in written],
        masks=[each.masks for each in written],
    )
    found, entropy = answer_logprobs(policy.model, batch, policy.automaton, 0.8)
    assert torch.allclose(found, batch.old_logprobs, atol=1e-5)
    assert float(entropy.min()) >= -1e-6
    mask = policy.automaton.masks([written[0].masks[0]])[0]
    allowed = mask.nonzero()[:, 0].tolist()
    sums = 0.0
    for token in allowed:
        row = collate([prompts[0]], [[token]], policy.pad, policy.device, masks=[[written[0].masks[0]]])
        sums += math.exp(float(answer_logprobs(policy.model, row, policy.automaton, 0.8)[0].sum()))
    assert sums == pytest.approx(1, abs=1e-5)


def test_logprobs_in_chunks_are_logprobs_at_once_with_the_same_gradient(tmp_path) -> None:
    policy = make_policy(make_base(tmp_path))
    batch = collate([[5, 6], [7]], [[8, 9, 10], [11, 12]], policy.pad, policy.device)
    gradients = []
    for chunk in (2, 512):
        policy.model.zero_grad()
        logprobs, _ = answer_logprobs(policy.model, batch, policy.automaton, 1.0, chunk)
        logprobs.sum().backward()
        gradients.append([weight.grad.clone() for weight in policy.trainable])
    for one, other in zip(*gradients, strict=True):
        assert torch.allclose(one, other, atol=1e-6)


class Watched(torch.Tensor):
    """Remembers what was done with it."""

    done: ClassVar[list[str]] = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.done.append(func.__name__)
        return super().__torch_function__(func, types, args, kwargs or {})


def test_logits_are_drawn_from_where_they_are(tmp_path, monkeypatch) -> None:
    policy = make_policy(make_base(tmp_path))
    forward = Stream._forward
    monkeypatch.setattr(Stream, "_forward", lambda self, ids: forward(self, ids).as_subclass(Watched))
    grammar = choice(literal(text) for text in ("low", "mid", "high"))
    for states in (None, [policy.automaton.start(grammar)] * 2):
        Watched.done.clear()
        generator = torch.Generator().manual_seed(3)
        policy.write([[5, 6]] * 2, most=4, temperature=0.7, generator=generator, states=states)
        assert "searchsorted" in Watched.done
        assert not {"cpu", "numpy"} & set(Watched.done)


def test_a_draw_needs_nothing_of_the_logits_on_the_host() -> None:
    """On the device that holds no data: whatever would bring logits to the host, or mix devices, raises there."""
    automaton = TokenAutomaton([None, b"a", b"b", b"c"], 0)
    state = automaton.start(choice((literal("ab"), literal("c"))))
    for given in (None, automaton):
        answers = [WrittenAnswer(state=state), WrittenAnswer(state=ENDED, ended=True)]
        logits = torch.empty((2, 4), device="meta")
        chosen, logprobs = draw(logits, answers, 0.7, torch.Generator().manual_seed(0), given)
        assert (chosen.device.type, chosen.shape, logprobs.shape) == ("meta", (2,), (2,))


def test_the_reference_is_the_adapter_switched_off(tmp_path) -> None:
    base = make_base(tmp_path)
    policy = make_policy(base)
    with torch.no_grad():
        for weight in policy.trainable:
            weight.add_(0.05)
    batch = collate([[5, 6]], [[8, 9]], policy.pad, policy.device)
    with policy.model.disable_adapter():
        off, _ = answer_logprobs(policy.model, batch, policy.automaton, 1.0)
    fresh, _ = answer_logprobs(make_policy(base).model, batch, policy.automaton, 1.0)
    on, _ = answer_logprobs(policy.model, batch, policy.automaton, 1.0)
    assert torch.allclose(off, fresh)
    assert not torch.allclose(off, on)


def test_a_stated_belief_answers_for_what_it_earned_alone(tmp_path) -> None:
    policy = make_policy(make_base(tmp_path))
    text = "mid low"
    tokens = policy.answer_tokens(text)
    row = Row([1], WrittenAnswer(tokens, [0.0] * len(tokens)))

    def episode(reward, alone):
        return Trajectory(None, rows=[row], rewards=[reward], asides=[(Aside("belief", 4, 7, alone),)])

    group = [episode(5.0, 1.0), episode(5.0, 3.0)]  # the belief of the second was better, its deal worse
    samples, dropped = training_samples(group, GrpoSettings(num_generations=2, scale="none"), policy)
    assert dropped == 0
    for sample, rest, alone in zip(samples, (1.0, -1.0), (-1.0, 1.0), strict=True):
        begins = policy.begins(tokens)
        expected = [alone if 4 <= begin < 7 else rest for begin in begins]
        assert sample.advantages == pytest.approx(expected)
    whole, _ = training_samples(group, GrpoSettings(num_generations=2, scale="none", parts=False), policy)
    assert whole == []  # taken together the two earned the same


def test_one_deviation_for_the_step_keeps_groups_in_proportion(tmp_path) -> None:
    policy = make_policy(make_base(tmp_path))
    row = Row([1], WrittenAnswer(policy.answer_tokens("mid"), []))
    group = [
        [Trajectory(None, [row], [reward], [()]) for reward in pair] for pair in ((0.0, 2.0), (0.0, 200.0))
    ]
    everyone = [episode for pair in group for episode in pair]

    def worths(scale):
        samples, _ = training_samples(everyone, GrpoSettings(num_generations=2, scale=scale), policy)
        return [sample.advantages[0] for sample in samples]

    assert worths("std") == pytest.approx([-1, 1, -1, 1], abs=1e-6)
    small, large = worths("batch")[1], worths("batch")[3]
    assert large == pytest.approx(100 * small)
    assert np.mean(np.square(worths("batch"))) == pytest.approx(1)


def test_a_term_that_fades_counts_for_less_with_every_round_before_it() -> None:
    rewards, part, kept = [1.0, -2.0, 4.0, -103.0], [0.0, -1.0, 0.0, -100.0], 0.8
    moves = faded(rewards, part, kept)
    for turn in range(4):
        rest = sum(reward - share for reward, share in zip(rewards[turn:], part[turn:], strict=True))
        share = sum(kept**later * value for later, value in enumerate(part[turn:]))
        assert sum(moves[turn:]) == pytest.approx(rest + share)
    assert faded(rewards, part, 1.0) == pytest.approx(rewards)


def test_an_impasse_is_charged_to_the_last_moves_and_its_share_to_all(tmp_path) -> None:
    policy = make_policy(make_base(tmp_path))
    row = Row([1], WrittenAnswer(policy.answer_tokens("mid"), []))

    def episode(ending, **terms):
        return Trajectory(None, [row] * 3, [0.0, 0.0, ending], earned=[{}, {}, terms], asides=[(), (), ()])

    group = [episode(-100.0, no_deal=-100.0), episode(40.0, efficiency=40.0)]

    def worth_of_holding_out(**settings):
        samples, _ = training_samples(
            group, GrpoSettings(num_generations=2, scale="none", **settings), policy
        )
        return [sample.advantages[0] for sample in samples[:3]]

    assert worth_of_holding_out() == pytest.approx([-70, -70, -70])
    assert worth_of_holding_out(fades={"no_deal": 0.5}) == pytest.approx([-32.5, -45, -70])
    assert worth_of_holding_out(fades={"no_deal": 0.5}, credit="episode") == pytest.approx([-70, -70, -70])
