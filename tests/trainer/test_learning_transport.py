"""The same deals near and far: an apprentice plays over OpenEnv's WebSocket as it plays in process."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from negotiation.opponents.protocol import encode, messages
from trainer.domains.deal.games import DealGames, Elsewhere
from trainer.domains.deal.tables import OpenTables
from trainer.domains.deal.tasks import DealCurriculum, Mixture
from trainer.learning.apprentice import make_model, make_tokenizer, save_base
from trainer.learning.policy import load
from trainer.learning.rollout import Sampling, roll_out

from .toy import SMALL

pytest.importorskip("openenv", reason="needs openenv: run it in .venv-train")
from negotiation.openenv.client import RemoteTables


@pytest.fixture
def server():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "negotiation.openenv", "--host", "127.0.0.1", "--port", str(port)]
    process = subprocess.Popen(command, cwd=Path(__file__).parents[2], stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            assert process.poll() is None
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


@pytest.fixture
def policy(tmp_path):
    tables = OpenTables()
    texts = []
    for task in DealCurriculum(Mixture(), 0).held_out(12):
        seen = tables.deal([task])[0].observation
        texts.append(messages(seen, task.board)[0]["content"])
        texts.append(encode(_offer(seen, task.board), seen, task.board))
    tokenizer = make_tokenizer(texts * 5, 600)
    save_base(make_model(SMALL.__class__(600, 32, 2, 2, 1, 64, 512), tokenizer, 0), tokenizer, tmp_path)
    return load(tmp_path)


def _offer(seen, board):
    from negotiation.engine.deal import Action

    return Action(offer=board.seats[seen.seat].opening)


def test_rollouts_over_openenv_are_rollouts_in_process(server, policy):
    tasks = DealCurriculum(Mixture(), 3).held_out(6)
    sampling = Sampling(decoding="masked", most=160)
    played = []
    with RemoteTables(server) as remote:
        for tables in (OpenTables(), Elsewhere(remote)):
            generator = torch.Generator().manual_seed(4)
            played.append(roll_out(policy, DealGames(tables), tasks, sampling, generator))
    here, there = played
    assert [episode.texts for episode in here] == [episode.texts for episode in there]
    assert [episode.rewards for episode in here] == [episode.rewards for episode in there]
    assert [episode.facts for episode in here] == [episode.facts for episode in there]
