"""The smallest task that can be learnt: say the one word of three that pays, and an apprentice to learn it."""

from __future__ import annotations

import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import torch

from negotiation.engine.deal import Action
from negotiation.opponents.protocol import encode, messages
from negotiation.opponents.protocol.grammar import choice, literal
from trainer.domains.deal.tables import OpenTables
from trainer.domains.deal.tasks import DealCurriculum, Mixture
from trainer.domains.games import Domain, EpisodePosition
from trainer.learning.apprentice import Build, make_model, make_tokenizer, save_base
from trainer.learning.policy import Lora, Policy, load

WORDS = ("low", "mid", "high")
SMALL = Build(vocabulary=300, hidden=32, layers=2, heads=2, key_value_heads=1, inner=64, positions=128)


@dataclass(frozen=True)
class WordTask:
    """Rounds of saying a word; ``pays`` is the one that earns 1 a round."""

    rounds: int = 2
    pays: str = "high"


class WordGames:
    """Many such games."""

    def start(self, tasks: Sequence[WordTask]) -> list[EpisodePosition]:
        self._left = [task.rounds for task in tasks]
        self._tasks = list(tasks)
        self._won = [0.0] * len(tasks)
        return [self._position(place, 0.0) for place in range(len(tasks))]

    def play(self, answers: Mapping[int, str]) -> dict[int, EpisodePosition | None]:
        after: dict[int, EpisodePosition | None] = {}
        for place, text in answers.items():
            if text not in WORDS:
                after[place] = None
                continue
            self._left[place] -= 1
            reward = float(text == self._tasks[place].pays)
            self._won[place] += reward
            after[place] = self._position(place, reward)
        return after

    def close(self) -> None:
        self._left = []

    def _position(self, place: int, reward: float) -> EpisodePosition:
        done = self._left[place] == 0
        chat = [{"role": "user", "content": f"round {self._left[place]}"}]
        facts = {"score": self._won[place] / self._tasks[place].rounds} if done else {}
        grammar = choice(literal(word) for word in WORDS)
        return EpisodePosition(chat, grammar, reward, {"word": reward}, done, facts)


@dataclass(frozen=True)
class WordCurriculum:
    """The same task for ever."""

    def tasks(self, step: int, count: int) -> list[WordTask]:
        return [WordTask()] * count

    def held_out(self, count: int) -> list[WordTask]:
        return [WordTask()] * count


def words() -> Domain[WordTask]:
    return Domain(WordGames(), WordCurriculum())


def make_base(folder: Path, seed: int = 0, build: Build = SMALL) -> Path:
    """A tiny base with random weights, on the disk."""
    texts = ["round 1", "round 2", "round 0", *WORDS] * 4
    tokenizer = make_tokenizer(texts, build.vocabulary)
    model = make_model(build, tokenizer, seed)
    with torch.no_grad():
        model.get_input_embeddings().weight.mul_(
            10
        )  # or no adapter could make one word likelier than another
    save_base(model, tokenizer, folder)
    return folder


def make_policy(base: Path, seed: int = 0) -> Policy:
    torch.set_num_threads(1)
    return load(base, lora=Lora(rank=8, alpha=16), train=True, seed=seed)


def make_deal_base(folder: Path, scenarios: tuple[str, ...] = Mixture().scenarios, hidden: int = 32) -> Path:
    """A tiny base with random weights whose vocabulary is that of the deal."""
    tables = OpenTables()
    texts = []
    for task in DealCurriculum(Mixture(scenarios=scenarios), 0).held_out(12):
        seen = tables.deal([task])[0].observation
        texts.append(messages(seen, task.board)[0]["content"])
        opening = Action(offer=task.board.seats[seen.seat].opening)
        texts.append(encode(opening, seen, task.board))
    tokenizer = make_tokenizer(texts * 5, 800)
    build = Build(800, hidden, 2, 2, 1, 2 * hidden, 1024)
    save_base(make_model(build, tokenizer, 0), tokenizer, folder)
    return folder


def wait_until_healthy(url: str, seconds: float = 60) -> None:
    """Until the server answers: it tells its address before its processes listen."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(f"{url}/health", timeout=5):  # noqa: S310
                return
        except OSError:
            assert time.monotonic() < deadline
            time.sleep(0.05)


@contextmanager
def agents_server() -> Iterator[str]:
    """The OpenEnv server in a process of its own; gives its address."""
    command = [sys.executable, "-m", "negotiation.openenv", "--host", "127.0.0.1", "--port", "0"]
    process = subprocess.Popen(command, cwd=Path(__file__).parents[2], stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        found = re.search(r"http://\S+", process.stderr.readline())
        assert found is not None
        wait_until_healthy(found[0])
        yield found[0]
    finally:
        process.terminate()
        process.wait()
