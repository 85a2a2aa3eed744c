"""Checkpoints: what a run needs to go on as if nothing had happened.

Everything random in training follows from seed and step (there is no generator whose state could be lost), so a
checkpoint is the trained weights, the optimizer, and the step. It is written beside its place and moved there, with
a checksum, so that a crash leaves the last good one.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from trainer.errors import BadInput
from trainer.learning.policy import Policy

KEPT = 2


class Checkpoints:
    """The checkpoints of one run, in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def latest(self) -> int | None:
        """The step of the newest checkpoint."""
        steps = self._steps()
        return steps[-1] if steps else None

    def save(
        self,
        step: int,
        policy: Policy,
        optimizer: torch.optim.Optimizer,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        """Keep the state after ``step`` steps; only the newest few stay.

        Raises:
            BadInput: when it cannot be written; the older ones are whole.
        """
        partial, place = self._folder / f".{step:06d}.part", self._folder / f"{step:06d}"
        state = {
            "weights": trained_weights(policy),
            "optimizer": optimizer.state_dict(),
            "extra": dict(extra or {}),
        }
        try:
            partial.mkdir(parents=True, exist_ok=True)
            torch.save(state, partial / "state.pt")
            about = {"step": step, "sha256": _checksum(partial / "state.pt")}
            (partial / "about.json").write_text(json.dumps(about) + "\n", encoding="utf-8")
            _settle(partial / "state.pt")
            shutil.rmtree(place, ignore_errors=True)
            partial.rename(place)
        except (OSError, RuntimeError) as problem:
            shutil.rmtree(partial, ignore_errors=True)
            reason = getattr(problem, "strerror", None) or str(problem).splitlines()[0]
            raise BadInput(f"the checkpoint {place} cannot be written: {reason}") from problem
        for old in self._steps()[:-KEPT]:
            shutil.rmtree(self._folder / f"{old:06d}", ignore_errors=True)

    def restore(self, policy: Policy, optimizer: torch.optim.Optimizer) -> int:
        """Go back to the newest checkpoint; returns its step, 0 where there is none.

        Raises:
            BadInput: for a checkpoint that is damaged or of another model.
        """
        step = self.latest()
        if step is None:
            return 0
        state = self._read(step)
        put_weights(policy, state["weights"], str(self._folder))
        try:
            optimizer.load_state_dict(state["optimizer"])
        except (ValueError, KeyError) as problem:
            raise BadInput(f"{self._folder}: its optimizer is of another model") from problem
        return step

    def extra(self) -> dict[str, Any]:
        """What was kept beside the newest checkpoint."""
        step = self.latest()
        return {} if step is None else dict(self._read(step)["extra"])

    def _read(self, step: int) -> dict[str, Any]:
        place = self._folder / f"{step:06d}"
        try:
            about = json.loads((place / "about.json").read_text(encoding="utf-8"))
            if about["sha256"] != _checksum(place / "state.pt"):
                raise BadInput(f"the checkpoint {place} is damaged; remove it to go on from the one before")
            state: dict[str, Any] = torch.load(place / "state.pt", map_location="cpu", weights_only=True)
        except (OSError, ValueError, KeyError, RuntimeError, EOFError) as problem:
            raise BadInput(
                f"the checkpoint {place} is damaged; remove it to go on from the one before"
            ) from problem
        return state

    def _steps(self) -> list[int]:
        if not self._folder.exists():
            return []
        return sorted(int(each.name) for each in self._folder.iterdir() if each.name.isdigit())


def trained_weights(policy: Policy) -> dict[str, torch.Tensor]:
    """A copy of what training changes."""
    return {
        name: weight.detach().cpu().clone()
        for name, weight in policy.model.named_parameters()
        if weight.requires_grad
    }


def put_weights(policy: Policy, weights: dict[str, torch.Tensor], source: str) -> None:
    """Put trained weights back.

    Raises:
        BadInput: when they are of another model.
    """
    own = {name: weight for name, weight in policy.model.named_parameters() if weight.requires_grad}
    if own.keys() != weights.keys() or any(own[name].shape != weights[name].shape for name in own):
        raise BadInput(f"{source}: its weights are of another model")
    with torch.no_grad():
        for name, weight in own.items():
            weight.copy_(weights[name])


def _checksum(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _settle(path: Path) -> None:
    """Wait until the file is on the disk."""
    with path.open("rb") as stream:
        os.fsync(stream.fileno())
