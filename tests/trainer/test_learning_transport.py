"""The same deals near and far: an apprentice plays over OpenEnv's WebSocket as it plays in process."""

from __future__ import annotations

import pytest
import torch

from trainer.domains.deal.games import DealGames, Elsewhere
from trainer.domains.deal.tables import OpenTables
from trainer.domains.deal.tasks import DealCurriculum, Mixture
from trainer.learning.policy import load
from trainer.learning.rollout import Sampling, roll_out

from .toy import agents_server, make_deal_base

pytest.importorskip("openenv", reason="needs openenv: run it in .venv-train")
from negotiation.openenv.client import RemoteTables


@pytest.fixture
def server():
    with agents_server() as url:
        yield url


@pytest.fixture
def policy(tmp_path):
    return load(make_deal_base(tmp_path / "base"))


def test_rollouts_over_openenv_are_rollouts_in_process(server, policy) -> None:
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
