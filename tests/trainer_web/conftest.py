"""Fixtures of the flywheel's tests: those of the web tests, a store of one's own, and people who consent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from accounts.models import User
from accounts.services import consent_give
from tests.web.conftest import (  # noqa: F401
    game,
    manager,
    open_socket,
    over,
    redis,
    rep,
    session,
    signed_in,
    stranger,
    table_threads,
    team,
)


@pytest.fixture(autouse=True)
def store(tmp_path: Path, settings: Any) -> Path:
    """The files of the flywheel, in a folder of this test."""
    settings.FLYWHEEL_DIR = tmp_path / "flywheel"
    return tmp_path / "flywheel"


@pytest.fixture
def willing(rep: User) -> User:  # noqa: F811
    """A rep who says yes to training use."""
    consent_give(user=rep, granted=True)
    return rep
