"""Examples to learn the moves from: demonstrators against the pools, with a thought before each action.

One demonstrator is drawn for a whole episode by the mixture of the paper's tables 6 and H.1; its opponents are those
of the training and exploit pools, never those of the shift pool. The split is by episode, so that no match stands
on both sides of it.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from negotiation.engine.drills import GAMES, Game, Kuhn
from trainer.domains.drills.prompts import FULL, AnyMatch, Telling, chat
from trainer.domains.drills.reasons import reason

DEMONSTRATOR = 0


@dataclass(frozen=True, slots=True)
class DatasetSettings:
    """How much, and from which seed."""

    per_game: int = 6400
    """Examples of each game; five games make 32,000."""
    seed: int = 42
    valid_share: float = 0.2

    def __post_init__(self) -> None:
        if not 1 <= self.per_game <= 1_000_000:
            raise ValueError("per_game must lie between 1 and 1000000")
        if self.seed < 0:
            raise ValueError("seed must not be negative")
        if not 0 < self.valid_share < 1:
            raise ValueError("valid_share must lie between 0 and 1")


def examples(game: Game, count: int, seed: int, telling: Telling = FULL) -> Iterator[dict[str, Any]]:
    """``count`` examples of one game, episode by episode."""
    rng = np.random.default_rng([seed, *game.name.encode()])
    names, weights = zip(*game.demonstrators.items(), strict=True)
    opponents = game.pools.train + game.pools.exploit
    made = episode = 0
    while made < count:
        opponent = opponents[episode % len(opponents)]
        strategy = names[rng.choice(len(names), p=weights)]
        for example in _episode(game, strategy, opponent, episode, seed, telling):
            if made < count:
                yield example
                made += 1
        episode += 1


def _episode(
    game: Game, strategy: str, opponent: str, episode: int, seed: int, telling: Telling
) -> Iterator[dict[str, Any]]:
    draws = game.draws(1, seed, f"example/{episode}")
    match: AnyMatch = game.match(draws)
    players: tuple[Any, Any] = (game.strategies[strategy], game.strategies[opponent])
    while not match.done:
        actions = {}
        for player in match.to_move:
            view: Any = match.view(player)
            actions[player] = players[player].act(view, match.number(player))
            if player == DEMONSTRATOR:
                label = match.label(actions[player])
                thought = (
                    f"{reason(game.name, strategy, view, actions[player])}\n" if telling.thoughts else ""
                )
                yield {
                    "messages": [
                        *chat(match, player, telling),
                        {"role": "assistant", "content": thought + label},
                    ],
                    "game": game.name,
                    "demonstrator": strategy,
                    "opponent": opponent,
                    "episode": episode,
                    "round": view.round,
                }
        match.play(actions)


def write(folder: Path, settings: DatasetSettings) -> dict[str, Any]:
    """Write ``train.jsonl``, ``valid.jsonl`` and ``card.json``; the card."""
    made = {game.name: list(examples(game, settings.per_game, settings.seed)) for game in GAMES.values()}
    split: dict[str, list[dict[str, Any]]] = {"train": [], "valid": []}
    for name, rows in made.items():
        for part, own in parted(rows, name, settings).items():
            split[part] += own
    folder.mkdir(parents=True, exist_ok=True)
    files = {}
    for part, rows in split.items():
        text = "".join(json.dumps(row) + "\n" for row in rows).encode()
        (folder / f"{part}.jsonl").write_bytes(text)
        files[part] = {"examples": len(rows), "sha256": hashlib.sha256(text).hexdigest()}
    card = {
        "what": "chain-of-thought examples of five strategic drills, from seeded simulators; templates, no model",
        "seed": settings.seed,
        "split": f"by episode, {settings.valid_share:g} held out",
        "files": files,
        "games": {name: _of_game(GAMES[name], rows) for name, rows in made.items()},
    }
    (folder / "card.json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    return card


def parted(
    rows: list[dict[str, Any]], name: str, settings: DatasetSettings
) -> dict[str, list[dict[str, Any]]]:
    """The examples of one game, ``train`` and ``valid``, by episode."""
    held_out = _held_out(rows, name, settings)
    return {
        part: [row for row in rows if (row["episode"] in held_out) == (part == "valid")]
        for part in ("train", "valid")
    }


def _held_out(rows: list[dict[str, Any]], name: str, settings: DatasetSettings) -> set[int]:
    episodes = sorted({row["episode"] for row in rows})
    rng = np.random.default_rng([settings.seed, len(name), *name.encode()])
    chosen = rng.permutation(len(episodes))[: max(1, round(settings.valid_share * len(episodes)))]
    return {episodes[index] for index in chosen}


def _of_game(game: Game, rows: list[dict[str, Any]]) -> dict[str, Any]:
    lengths = [len(row["messages"][2]["content"]) for row in rows]
    return {
        "examples": len(rows),
        "episodes": len({row["episode"] for row in rows}),
        "rounds": game.rounds if not isinstance(game, Kuhn) else f"{game.rounds} hands",
        "opponents": list(game.pools.train + game.pools.exploit),
        "demonstrators": dict(Counter(row["demonstrator"] for row in rows).most_common()),
        "actions": dict(
            Counter(row["messages"][2]["content"].splitlines()[-1] for row in rows).most_common(12)
        ),
        "answer_characters": {"median": int(np.median(lengths)), "most": max(lengths)},
    }
