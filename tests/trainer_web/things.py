"""One of each thing of the data room, made the short way: for tests that are not about how they come to be."""

from __future__ import annotations

import sys
from pathlib import Path

from accounts.models import User
from negotiation.models import Game
from tests.servers import ROOT
from trainer.flywheel import imports, store
from trainer.flywheel.imports import import_begin
from trainer.flywheel.models import Dataset, DatasetEntry, Episode, TranscriptImport

TALK = b"""conversation,speaker,text,offer,limit,other_limit,ending
1,buyer,What would it cost?,,120000,160000,
1,seller,"We thought of 155,000.",155000,,,
1,buyer,That is a lot. I can do 130.,130000,,,
1,seller,Let us say 148.,148000,,,
1,buyer,"Fine, 148.",,,,accept
2,buyer,120 and we sign.,120000,120000,160000,
2,seller,I can't go there. 150.,150000,,,
2,buyer,Then no.,,,,walk
"""
"""Two talks of a software deal, one with a deal at 70% of the zone and one without."""


def bring(by: User, content: bytes = TALK, name: str = "A study") -> TranscriptImport:
    """A file of transcripts, not taken in yet."""
    return import_begin(
        name=name, origin="A study", licence="CC BY 4.0", consent="published", filename="talks.csv",
        content=content, by=by,
    )  # fmt: skip


def taken(by: User) -> TranscriptImport:
    """The same, taken in."""
    brought = bring(by)
    imports.import_take(brought=brought)
    return brought


def episode_row(game: Game) -> Episode:
    """A deal that counts, with a file that holds nothing."""
    written = store.write(f"episodes/00/game-{game.pk}.jsonl", b"")
    return Episode.objects.create(
        source="game", game=game, state="taken", scenario=game.scenario, persona=game.persona, seat=game.seat,
        efficiency=0.7, schema=1, records=1, file=written.name, sha256=written.sha256, signature=b"\0" * 384,
        opponent=game.opponent, person="0" * 16,
    )  # fmt: skip


def dataset_row(episode: Episode) -> Dataset:
    """A dataset of one deal."""
    card = {
        "episodes": 1, "decisions": 1, "people": 1, "splits": {"train": {"episodes": 1, "decisions": 1}},
        "by": {part: {} for part in ("scenario", "persona", "seat", "source", "opponent")}, "beat_model": 0,
        "share": {"known": 0, "unknown": 1, "edges": [0, 1], "counts": [0]},
        "alike": {"pairs": 0, "left_out": 0, "shown": []}, "licences": [],
    }  # fmt: skip
    dataset = Dataset.objects.create(name="One deal", style="brief", filters={}, card=card, sha256="0" * 64)
    DatasetEntry.objects.create(dataset=dataset, episode=episode, sha256=episode.sha256, split="train")
    return dataset


def stand_in(folder: Path) -> Path:
    """A program that is called as the trainer's Python is, and runs the pupil."""
    program = folder / "pupil"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} {ROOT}/tests/trainer_web/pupil.py "$@"\n')
    program.chmod(0o755)
    return program
