"""Fixtures of the flywheel's tests: those of the web tests, a store of one's own, and people who consent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Permission

from accounts.models import User
from accounts.services import consent_give, user_create
from tests.remembering import remembered
from tests.reviewing import brief_reviews  # noqa: F401
from tests.trainer_web.house import played_in
from tests.trainer_web.play import GOOD_SEEDS, play_well
from tests.trainer_web.things import stand_in
from tests.web.conftest import (  # noqa: F401
    game,
    manager,
    nothing_remembered,
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
from trainer.flywheel.datasets import dataset_freeze
from trainer.flywheel.filters import Filters
from trainer.flywheel.models import Dataset
from trainer.flywheel.tasks import harvest_what_is_owed


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


@pytest.fixture
def pupil(tmp_path: Path, settings: Any) -> None:
    """A stand-in for the trainer that learns nothing, and is quick at it."""
    settings.TRAINER_PYTHON = str(stand_in(tmp_path))


@pytest.fixture
def dataset(willing: User) -> Dataset:
    """A dataset of one good deal."""

    def play() -> None:
        play_well(willing, GOOD_SEEDS[0])
        assert harvest_what_is_owed() == 1
        dataset_freeze(name="First", note="", filters=Filters(validation=0), by=None)

    remembered("dataset", play)
    return Dataset.objects.get()


@pytest.fixture
def base(tmp_path: Path) -> str:
    """A folder that stands for the model that the server runs."""
    (tmp_path / "base").mkdir()
    return str(tmp_path / "base")


@pytest.fixture
def admin() -> User:
    """Somebody of the staff who may decide about models, and nothing beyond."""
    user = user_create(email="a@example.com", password="correct horse", is_staff=True)
    User.objects.filter(pk=user.pk).update(is_superuser=False)
    user.user_permissions.add(Permission.objects.get(codename="decide_generation"))
    return User.objects.get(pk=user.pk)


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installation's data with one good deal that nobody has harvested, to be copied."""
    return played_in(tmp_path_factory.mktemp("played") / "house")
