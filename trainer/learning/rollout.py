"""Whole episodes, many side by side: each turn one batch of answers, until the last episode has ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

import torch

from negotiation.opponents.protocol.drawing import MOST_TOKENS, TEMPERATURE
from negotiation.opponents.protocol.shape import Style
from trainer.domains.games import Aside, Chat, EpisodePosition, Games
from trainer.errors import BadInput
from trainer.learning.decoding import WrittenAnswer
from trainer.learning.policy import Policy
from trainer.learning.served import Served

Decoding = Literal["raw", "masked"]


@dataclass(frozen=True, slots=True)
class Sampling:
    """How answers are drawn."""

    decoding: Decoding = "raw"
    """``raw`` draws freely; an answer that is malformed is drawn again under the mask, and the failure is kept, to be
    learnt from. ``masked`` draws under the mask at once."""
    temperature: float = TEMPERATURE
    """Below 1, since a small model draws every digit of a price by itself and a slip in the first one is a blunder; it
    is the policy of temperature .7 that is trained, measured and served. 0 takes the likeliest token."""
    most: int = MOST_TOKENS["brief"]
    """The most tokens of an answer; a decision of the protocol takes some thirty of the apprentice's. Deals in the full
    style take ``drawing.MOST_TOKENS`` of it where this is left as it is."""

    def of_style(self, style: Style) -> Sampling:
        """As a model of this style is served, where nothing else was asked for."""
        return replace(self, most=MOST_TOKENS[style]) if self.most == MOST_TOKENS["brief"] else self


@dataclass(slots=True)
class Row:
    """One answer: what was read, what was written, with which log-probabilities and under which masks."""

    prompt: list[int]
    written: WrittenAnswer
    fault: int | None = None
    """Of an answer that could not be played, the token that left the grammar; ``None`` where it was only cut short."""


@dataclass(slots=True)
class Trajectory:
    """One episode. ``rows[t]`` is the answer played on round t; ``failed`` are answers that could not be played."""

    task: Any
    rows: list[Row] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    asides: list[tuple[Aside, ...]] = field(default_factory=list)
    failed: list[Row] = field(default_factory=list)
    terms: dict[str, float] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    earned: list[Mapping[str, float]] = field(default_factory=list)
    """What each round earned, by term; ``rewards`` are their sums."""
    refused: int = 0
    """Answers drawn under the mask that the game refused all the same; the shortest answer was played instead."""


class Decoder(Protocol):
    """Writes the answers of these positions in a way of its own, such as in stages; every one can be played."""

    def __call__(
        self,
        policy: Policy,
        prompts: Sequence[list[int]],
        positions: Sequence[EpisodePosition],
        sampling: Sampling,
        generator: torch.Generator,
        model: Any,
    ) -> list[WrittenAnswer]: ...


def roll_out(
    policy: Policy,
    games: Games[Any],
    tasks: Sequence[Any],
    sampling: Sampling,
    generator: torch.Generator,
    model: Any = None,
    served: Served | None = None,
    decoder: Decoder | None = None,
) -> list[Trajectory]:
    """Play every task to its end.

    Args:
        model: a merged copy of the policy's, to write with.
        served: a server that draws the free answers instead.
        decoder: writes all answers instead.
    """
    episodes = [Trajectory(task) for task in tasks]
    positions = dict(enumerate(games.start(tasks)))
    while positions:
        prompts = {place: policy.tokens(position.chat) for place, position in positions.items()}
        after: dict[int, EpisodePosition] = {}
        if decoder is not None:
            rows = list(prompts.values())
            answers = decoder(policy, rows, list(positions.values()), sampling, generator, model)
            written = dict(zip(prompts, answers, strict=True))
            after = _play(policy, games, episodes, prompts, written, positions)
        elif sampling.decoding == "raw":
            written = _free(policy, prompts, sampling, generator, model, served)
            after = _play(policy, games, episodes, prompts, written, positions)
        left = {place: position for place, position in positions.items() if place not in after}
        if left:
            written = _answers(policy, {p: prompts[p] for p in left}, left, sampling, generator, model)
            after |= _play(policy, games, episodes, prompts, written, positions)
        left = {place: position for place, position in positions.items() if place not in after}
        if left:
            after |= _play_shortest(policy, games, episodes, prompts, left)
        positions = {place: position for place, position in sorted(after.items()) if not position.done}
    return episodes


def _play_shortest(
    policy: Policy,
    games: Games[Any],
    episodes: list[Trajectory],
    prompts: Mapping[int, list[int]],
    positions: Mapping[int, EpisodePosition],
) -> dict[int, EpisodePosition]:
    """Where a game refuses what its own grammar let through: not the policy's fault, so nothing is learnt from it.

    Raises:
        BadInput: when the game refuses that too; nothing can be played there.
    """
    written: dict[int, WrittenAnswer] = {}
    for place, position in positions.items():
        episodes[place].failed.pop()
        episodes[place].refused += 1
        tokens = policy.answer_tokens(policy.automaton.ending(policy.automaton.start(position.grammar)))
        written[place] = WrittenAnswer(tokens, [0.0] * len(tokens), ended=True, forced=[True] * len(tokens))
    after = _play(policy, games, episodes, prompts, written, positions)
    missing = positions.keys() - after.keys()
    if missing:
        raise BadInput(f"the game refuses the shortest answer of its grammar at table {min(missing)}")
    return after


def _free(
    policy: Policy,
    prompts: Mapping[int, list[int]],
    sampling: Sampling,
    generator: torch.Generator,
    model: Any,
    served: Served | None,
) -> dict[int, WrittenAnswer]:
    if served is None:
        return _answers(policy, prompts, None, sampling, generator, model)
    rows = list(prompts.values())
    written = served.write(
        policy, rows, most=sampling.most, temperature=sampling.temperature, generator=generator
    )
    return dict(zip(prompts, written, strict=True))


def _answers(
    policy: Policy,
    prompts: Mapping[int, list[int]],
    masked: Mapping[int, EpisodePosition] | None,
    sampling: Sampling,
    generator: torch.Generator,
    model: Any,
) -> dict[int, WrittenAnswer]:
    states = None
    if masked is not None:
        states = [policy.automaton.start(masked[place].grammar) for place in prompts]
    written = policy.write(
        list(prompts.values()),
        most=sampling.most,
        temperature=sampling.temperature,
        generator=generator,
        states=states,
        model=model,
    )
    return dict(zip(prompts, written, strict=True))


def _play(
    policy: Policy,
    games: Games[Any],
    episodes: list[Trajectory],
    prompts: Mapping[int, list[int]],
    written: Mapping[int, WrittenAnswer],
    positions: Mapping[int, EpisodePosition],
) -> dict[int, EpisodePosition]:
    """Play what was written; what was malformed is noted as failed, and its place is not in the answer."""
    texts = {place: answer_text(policy, answer) for place, answer in written.items()}
    after: dict[int, EpisodePosition] = {}
    for place, position in games.play(texts).items():
        episode, row = episodes[place], Row(prompts[place], written[place])
        if position is None:
            row.fault = policy.automaton.first_refused(positions[place].grammar, row.written.tokens)
            episode.failed.append(row)
            continue
        episode.rows.append(row)
        episode.texts.append(texts[place])
        episode.rewards.append(position.reward)
        episode.earned.append(position.terms)
        episode.asides.append(position.asides)
        for name, points in position.terms.items():
            episode.terms[name] = episode.terms.get(name, 0.0) + points
        episode.facts = position.facts
        after[place] = position
    return after


def answer_text(policy: Policy, answer: WrittenAnswer) -> str:
    """What was written; under a mask, completed in the shortest way where there was no room to end it."""
    text = policy.text(answer)
    return text + policy.automaton.ending(answer.state) if answer.masks and not answer.ended else text


def writer(policy: Policy, sampling: Sampling, generator: torch.Generator, model: Any = None) -> Any:
    """The policy as something that answers chats under their grammars, for a seat that is not learning."""

    def answer(chats: Sequence[Chat], grammars: Sequence[Any]) -> list[str]:
        written = policy.write(
            [policy.tokens(chat) for chat in chats],
            most=sampling.most,
            temperature=sampling.temperature,
            generator=generator,
            states=[policy.automaton.start(grammar) for grammar in grammars],
            model=model,
        )
        return [answer_text(policy, each) for each in written]

    return answer
