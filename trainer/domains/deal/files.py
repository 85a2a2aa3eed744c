"""A dataset on disk: two files of chats, and a card that says what they are."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

from trainer import datasets
from trainer.domains.deal.selfplay import DataSettings, TeacherGame, play
from trainer.errors import BadInput
from trainer.runs import Progress, Run
from trainer.settings import to_dict

FILES = {"train": "train.jsonl", "validation": "validation.jsonl"}


def generate(settings: DataSettings, seed: int, run: Run) -> dict[str, Any]:
    """Play, filter, write ``train.jsonl``, ``validation.jsonl`` and the card; returns the card."""
    games: list[TeacherGame] = []
    progress = Progress("generate", settings.episodes)
    for game in play(settings, seed):
        games.append(game)
        progress.show(len(games))
    kept = [game for game in games if game.kept]
    if not any(game.split == "train" for game in kept):
        raise BadInput("no game passed the filters; loosen them or play more")
    files = {}
    for split, name in FILES.items():
        path = run.folder / name
        rows = datasets.write(path, (r for game in kept if game.split == split for r in game.records))
        files[name] = {
            "rows": rows,
            "episodes": sum(game.split == split for game in kept),
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }
    card = {
        "made_by": "self-play of reference strategies against the personas",
        "seed": seed,
        "settings": to_dict(settings),
        "played": len(games),
        "kept": len(kept),
        "kept_for": dict(Counter(game.kept for game in kept).most_common()),
        "teachers": dict(Counter(game.teacher for game in kept).most_common()),
        "mean_efficiency": round(sum(game.outcome.efficiency for game in kept) / len(kept), 4),
        "files": files,
    }
    write_card(run.folder, card)
    run.log(kind="generate", step=0, played=len(games), kept=len(kept))
    return card


def write_card(folder: Path, card: dict[str, Any]) -> None:
    """The card twice: for machines, and for people."""
    (folder / "card.json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    lines = ["# Data card", ""]
    for name, value in card.items():
        if isinstance(value, dict):
            lines += [f"## {name.replace('_', ' ').capitalize()}", ""]
            lines += [f"- {key}: {inner}" for key, inner in value.items()] + [""]
        else:
            lines += [f"{name.replace('_', ' ').capitalize()}: {value}", ""]
    lines += [
        "Each line is a chat whose last message is the answer to learn. Episodes are split, never turns: no game has",
        "turns in both files. Prompts hold the player's own truth and nothing of the other side's.",
        "",
    ]
    (folder / "card.md").write_text("\n".join(lines), encoding="utf-8")
