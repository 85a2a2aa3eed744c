"""Fixtures that every kind of test may use, the database's set-up, and hypothesis's two profiles."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import settings as hypothesis_settings

from tests.effort import PROFILE
from tests.servers import ModelServer, Stack, make_tiny

hypothesis_settings.register_profile("quick", max_examples=15, deadline=None)
hypothesis_settings.register_profile("thorough", max_examples=100, deadline=None)
hypothesis_settings.load_profile(PROFILE)


@pytest.fixture(autouse=True)
def messages_go_out_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a test before made this process one that serves tables, which sends them beside."""
    from owed import post

    monkeypatch.setattr(post, "_beside", None)


if not os.environ.get("DATABASE_URL", "").startswith("postgres"):

    @pytest.fixture(scope="session")
    def django_db_setup(django_test_environment: None) -> Iterator[None]:
        """A copy of the one migrated file instead of migrating; put back after each test that commits.

        What Django does itself, a flush, empties every table one by one and works out all permissions anew.
        """
        from django.conf import settings
        from django.db import connection
        from django.test import TransactionTestCase

        from tests import database

        def as_it_was(case: TransactionTestCase) -> None:
            connection.ensure_connection()
            database.put_back(connection.connection)

        database.copy_to(Path(settings.DATABASES["default"]["NAME"]))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(TransactionTestCase, "_fixture_teardown", as_it_was)
            yield


else:

    @pytest.fixture(scope="session", autouse=True)
    def quickly_emptied(django_db_setup: None) -> Iterator[None]:
        """A PostgreSQL is emptied where something was written, instead of everywhere."""
        from django.db import connection
        from django.test import TransactionTestCase

        from tests import database

        def emptied(case: TransactionTestCase) -> None:
            database.empty(connection)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(TransactionTestCase, "_fixture_teardown", emptied)
            yield


def pytest_collection_finish() -> None:
    """What is loaded now stays for the whole run: the collector need not look through it again and again."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that wait for a browser stand evenly among those that compute: each fills the other's pauses.

    What takes longest begins, so that the others run beside it.
    """
    longest = [item for item in items if item.get_closest_marker("longest")]
    items[:] = [item for item in items if item not in longest]
    waits = [item for item in items if item.get_closest_marker("browser")]
    files = [list(tests) for _, tests in groupby(waits, key=lambda item: item.path)]
    computes = [item for item in items if not item.get_closest_marker("browser")]
    for number, tests in reversed(list(enumerate(files))):
        at = number * len(computes) // len(files)
        computes[at:at] = tests
    items[:] = longest + computes


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A whole running product with demo data, shared by tests that do it no harm."""
    stack = Stack(tmp_path_factory.mktemp("server"))
    try:
        yield stack.start()
    finally:
        stack.stop()


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tiny untrained model in ``model``, and adapters for it in ``first`` and ``second``."""
    folder = tmp_path_factory.mktemp("tiny")
    make_tiny(folder / "model", folder / "first", folder / "second")
    return folder


@pytest.fixture(scope="session")
def model_server(tiny_model: Path) -> Iterator[ModelServer]:
    """A real vLLM serving the tiny model as ``base``. Needs a quarter of a minute, so all tests of a process share it; who
    kills it starts it again."""
    running = ModelServer(tiny_model / "model", log=tiny_model / "vllm.log")
    try:
        yield running.start()
    finally:
        running.stop()
