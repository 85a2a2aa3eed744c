"""From episodes to lessons: what every token was worth beside the other rollouts of the same start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from trainer.domains.games import Aside
from trainer.learning.advantages import Credit, Scale, advantages, compared, unit, usual_of
from trainer.learning.policy import Policy
from trainer.learning.rollout import Episode, Row


class LessonSettings(Protocol):
    """What of the learner's settings decides what a token is worth; documented at :class:`GrpoSettings`."""

    @property
    def group(self) -> int: ...
    @property
    def credit(self) -> Credit: ...
    @property
    def scale(self) -> Scale: ...
    @property
    def parts(self) -> bool: ...
    @property
    def penalty(self) -> float: ...
    @property
    def few(self) -> int: ...
    @property
    def fades(self) -> Mapping[str, float]: ...


@dataclass(frozen=True, slots=True)
class Worth:
    """What an answer was worth beside the others of its group: its move, and each aside."""

    row: Row
    rest: float
    asides: list[tuple[Aside, float]]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A row with the advantage of each of its tokens."""

    row: Row
    advantages: list[float]


def lessons_of(
    episodes: Sequence[Episode], settings: LessonSettings, policy: Policy
) -> tuple[list[Lesson], int]:
    """What each token is worth, and how many groups had nothing to tell apart."""
    worths: list[Worth] = []
    dropped = 0
    usual = usual_of([moves_of(episode, settings) for episode in episodes], settings.credit)
    for start in range(0, len(episodes), settings.group):
        group = episodes[start : start + settings.group]
        rest, apart = compared_group(group, settings, usual)
        made = [
            Worth(row, float(value), apart.get((number, turn), []))
            for number, (episode, values) in enumerate(zip(group, rest, strict=True))
            for turn, (row, value) in enumerate(zip(episode.rows, values, strict=True))
        ]
        tells = any(worth.rest or any(share for _, share in worth.asides) for worth in made)
        worths += made if tells else []
        dropped += not tells
    lessons = [Lesson(each.row, spread_over(policy, each)) for each in scaled(worths, settings.scale)]
    failed = [row for episode in episodes for row in episode.failed]
    return lessons + [Lesson(row, blamed(row, settings.penalty)) for row in failed], dropped


def blamed(row: Row, penalty: float) -> list[float]:
    """The advantages of a malformed answer: all of ``penalty`` at the token that left the grammar.

    What was written before it was right, and what came after is of no game. An answer without such a token was cut
    short, and every token of it was too much.
    """
    if row.fault is None:
        return [penalty] * len(row.written.tokens)
    return [penalty if place == row.fault else 0.0 for place in range(len(row.written.tokens))]


def scaled(worths: Sequence[Worth], scale: Scale) -> Sequence[Worth]:
    """The same, for ``batch`` over one deviation of the step, each kind of aside over its own."""
    if scale != "batch":
        return worths
    of_rest = unit([worth.rest for worth in worths])
    shares: dict[str, list[float]] = {}
    for worth in worths:
        for aside, share in worth.asides:
            shares.setdefault(aside.name, []).append(share)
    of_aside = {name: unit(found) for name, found in shares.items()}
    return [
        Worth(w.row, w.rest / of_rest, [(aside, share / of_aside[aside.name]) for aside, share in w.asides])
        for w in worths
    ]


def compared_group(
    group: Sequence[Episode], settings: LessonSettings, usual: Sequence[float] = ()
) -> tuple[list[np.ndarray], dict[tuple[int, int], list[tuple[Aside, float]]]]:
    """The advantages of a group: of what was earned by the moves, and of each aside by (rollout, round)."""
    moves = [moves_of(episode, settings) for episode in group]
    values = advantages(moves, settings.credit, settings.scale, usual, settings.few if usual else 0).values
    return values, asides_of(group, settings.scale) if settings.parts else {}


def moves_of(episode: Episode, settings: LessonSettings) -> list[float]:
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


def asides_of(group: Sequence[Episode], scale: Scale) -> dict[tuple[int, int], list[tuple[Aside, float]]]:
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


def spread_over(policy: Policy, worth: Worth) -> list[float]:
    """The advantage of each token: an aside's own where the token begins inside it, the rest's elsewhere."""
    tokens = worth.row.written.tokens
    values = [worth.rest] * len(tokens)
    for aside, share in worth.asides:
        for place, begin in enumerate(policy.begins(tokens)):
            if aside.begin <= begin < aside.stop:
                values[place] = share
    return values


def chosen_rows(lessons: Sequence[Lesson], most: int, seed: int, step: int) -> list[Lesson]:
    """At most so many rows, drawn without looking at their worth, so that the gradient's expectation stays."""
    if not most or len(lessons) <= most:
        return list(lessons)
    rng = np.random.default_rng([seed, 41, step])
    return [lessons[place] for place in rng.choice(len(lessons), size=most, replace=False)]
