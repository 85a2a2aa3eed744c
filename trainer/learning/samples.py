"""From episodes to training samples: every token with its advantage over the other rollouts of the same start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from trainer.domains.games import Aside
from trainer.learning.advantages import Credit, Scale, advantages, baseline_of, compared, unit
from trainer.learning.loss import LossSettings
from trainer.learning.policy import Policy
from trainer.learning.rollout import Row, Trajectory


class CreditSettings(Protocol):
    """What of the settings decides a token's advantage; documented at :class:`trainer.learning.settings.GrpoSettings`."""

    @property
    def num_generations(self) -> int: ...
    @property
    def credit(self) -> Credit: ...
    @property
    def scale(self) -> Scale: ...
    @property
    def parts(self) -> bool: ...
    @property
    def malformed(self) -> float: ...
    @property
    def few(self) -> int: ...
    @property
    def fades(self) -> Mapping[str, float]: ...


@dataclass(frozen=True, slots=True)
class AnswerAdvantage:
    """The advantage of an answer over the others of its group: of its move, and of each aside."""

    row: Row
    rest: float
    asides: list[tuple[Aside, float]]


@dataclass(frozen=True, slots=True)
class TrainingSample:
    """A row with the advantage of each of its tokens."""

    row: Row
    advantages: list[float]

    @property
    def length(self) -> int:
        """Tokens that are read and written."""
        return len(self.row.prompt) + len(self.row.written.tokens)


def training_samples(
    episodes: Sequence[Trajectory], settings: CreditSettings, policy: Policy
) -> tuple[list[TrainingSample], int]:
    """Every answer with its tokens' advantages, and how many groups had nothing to tell apart."""
    found: list[AnswerAdvantage] = []
    dropped = 0
    baseline = baseline_of([moves_of(episode, settings) for episode in episodes], settings.credit)
    for start in range(0, len(episodes), settings.num_generations):
        group = episodes[start : start + settings.num_generations]
        rest, apart = compared_group(group, settings, baseline)
        made = [
            AnswerAdvantage(row, float(value), apart.get((number, turn), []))
            for number, (episode, values) in enumerate(zip(group, rest, strict=True))
            for turn, (row, value) in enumerate(zip(episode.rows, values, strict=True))
        ]
        tells = any(each.rest or any(share for _, share in each.asides) for each in made)
        found += made if tells else []
        dropped += not tells
    samples = [TrainingSample(each.row, spread_over(policy, each)) for each in scaled(found, settings.scale)]
    failed = [row for episode in episodes for row in episode.failed]
    return samples + [TrainingSample(row, blamed(row, settings.malformed)) for row in failed], dropped


def blamed(row: Row, malformed: float) -> list[float]:
    """The advantages of a malformed answer: all of ``malformed`` at the token that left the grammar.

    What was written before it was right, and what came after is of no game. An answer without such a token was cut
    short, and every token of it was too much.
    """
    if row.fault is None:
        return [malformed] * len(row.written.tokens)
    return [malformed if place == row.fault else 0.0 for place in range(len(row.written.tokens))]


def scaled(found: Sequence[AnswerAdvantage], scale: Scale) -> Sequence[AnswerAdvantage]:
    """The same, for ``batch`` over one deviation of the step, each kind of aside over its own."""
    if scale != "batch":
        return found
    of_rest = unit([each.rest for each in found])
    shares: dict[str, list[float]] = {}
    for each in found:
        for aside, share in each.asides:
            shares.setdefault(aside.name, []).append(share)
    of_aside = {name: unit(values) for name, values in shares.items()}
    return [
        AnswerAdvantage(
            each.row,
            each.rest / of_rest,
            [(aside, share / of_aside[aside.name]) for aside, share in each.asides],
        )
        for each in found
    ]


def compared_group(
    group: Sequence[Trajectory], settings: CreditSettings, baseline: Sequence[float] = ()
) -> tuple[list[np.ndarray], dict[tuple[int, int], list[tuple[Aside, float]]]]:
    """The advantages of a group: of what was earned by the moves, and of each aside by (rollout, round)."""
    moves = [moves_of(episode, settings) for episode in group]
    values = advantages(
        moves, settings.credit, settings.scale, baseline, settings.few if baseline else 0
    ).values
    return values, asides_of(group, settings.scale) if settings.parts else {}


def moves_of(episode: Trajectory, settings: CreditSettings) -> list[float]:
    """What each round of an episode earned by its move; with ``parts``, without what its asides earned by themselves.

    Where rounds answer for what follows (``to_go``), what a term in ``fades`` earned is moved back towards the round
    that earned it, so that the sums from each round on hold the share that the round answers for.
    """
    moves = list(episode.rewards)
    if settings.parts:
        moves = [
            reward - sum(aside.reward for aside in made)
            for reward, made in zip(moves, episode.asides, strict=True)
        ]
    if settings.credit != "to_go":
        return moves
    for name, kept in settings.fades.items():
        moves = faded(moves, [terms.get(name, 0.0) for terms in episode.earned], kept)
    return moves


def faded(rewards: Sequence[float], part: Sequence[float], kept: float) -> list[float]:
    """Rewards whose sums from each round on count ``part`` of them ``kept`` times as much for each round before it.

    With F(t) = part(t) + kept F(t + 1), a round's reward becomes what it is without ``part``, plus F(t) - F(t + 1).
    """
    found = list(rewards)
    after = 0.0
    for turn in reversed(range(len(found))):
        here = part[turn] + kept * after
        found[turn] += here - after - part[turn]
        after = here
    return found


def asides_of(group: Sequence[Trajectory], scale: Scale) -> dict[tuple[int, int], list[tuple[Aside, float]]]:
    """Each aside with its advantage over the same aside of those who made one on the same round."""
    rounds: dict[tuple[int, str], list[tuple[int, Aside]]] = {}
    for number, episode in enumerate(group):
        for turn, made in enumerate(episode.asides):
            for aside in made:
                rounds.setdefault((turn, aside.name), []).append((number, aside))
    found: dict[tuple[int, int], list[tuple[Aside, float]]] = {}
    for (turn, _), pairs in rounds.items():
        shares = compared(np.array([aside.reward for _, aside in pairs]), scale)
        for (number, aside), share in zip(pairs, shares, strict=True):
            found.setdefault((number, turn), []).append((aside, float(share)))
    return found


def spread_over(policy: Policy, answer: AnswerAdvantage) -> list[float]:
    """The advantage of each token: an aside's own where the token begins inside it, the rest's elsewhere."""
    tokens = answer.row.written.tokens
    values = [answer.rest] * len(tokens)
    for aside, share in answer.asides:
        for place, begin in enumerate(policy.begins(tokens)):
            if aside.begin <= begin < aside.stop:
                values[place] = share
    return values


def subsample(samples: Sequence[TrainingSample], most: int, seed: int, step: int) -> list[TrainingSample]:
    """At most so many, drawn without looking at their advantages, so that the gradient's expectation stays."""
    if not most or len(samples) <= most:
        return list(samples)
    rng = np.random.default_rng([seed, 41, step])
    return [samples[place] for place in rng.choice(len(samples), size=most, replace=False)]


def can_merge(settings: LossSettings, updates: int) -> bool:
    """Whether equal answers may be put together: the loss has to be linear in the advantage, as it is without a KL
    penalty where the policy is still the one that played."""
    return updates == 1 and not settings.kl and settings.norm == "tokens"


def merged(samples: Sequence[TrainingSample]) -> list[TrainingSample]:
    """Samples of the same answer to the same prompt as one, so that the gradient stays what it was.

    Advantages are added up, and scaled by how many fewer tokens there are: the loss is a mean over tokens.
    """
    together: dict[tuple[tuple[int, ...], tuple[int, ...]], TrainingSample] = {}
    drawn = 0
    for sample in samples:
        row = sample.row
        drawn += row.written.drawn
        key = (tuple(row.prompt), tuple(row.written.tokens))
        known = together.get(key)
        if known is None:
            together[key] = replace(sample)
            continue
        summed = [a + b for a, b in zip(known.advantages, sample.advantages, strict=True)]
        together[key] = replace(known, advantages=summed)
    left = sum(sample.row.written.drawn for sample in together.values())
    share = left / drawn if drawn else 1.0
    return [replace(each, advantages=[share * a for a in each.advantages]) for each in together.values()]
