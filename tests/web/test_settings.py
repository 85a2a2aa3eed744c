"""The environment's parsers, what production refuses, and what logs keep to themselves."""

from __future__ import annotations

import io
import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
import structlog
from django.core.exceptions import ImproperlyConfigured

from parlay_web import env
from parlay_web.artefacts import storage_of
from parlay_web.keys import local_secret_key
from parlay_web.logs import logging_config
from tests.servers import ROOT

KEY = "a-Key-of-0123456789-and-letters-long-enough-for-anyone-to-trust"
GOOD = {
    "SECRET_KEY": KEY,
    "ALLOWED_HOSTS": "parlay.example",
    "DATABASE_URL": "postgresql://u:p@db/parlay",
    "REDIS_URL": "redis://redis:6379/0",
}


@pytest.mark.parametrize("raw", ["1", "true", "YES", " on "])
def test_true(raw: str) -> None:
    assert env.parse_bool(raw) is True


@pytest.mark.parametrize("raw", ["0", "False", "no", "off"])
def test_false(raw: str) -> None:
    assert env.parse_bool(raw) is False


@pytest.mark.parametrize("raw", ["2", "maybe", "tru"])
def test_neither(raw: str) -> None:
    with pytest.raises(ValueError, match="true or false"):
        env.parse_bool(raw)


def test_numbers_and_lists() -> None:
    assert env.parse_pairs("shark=s-1, veteran = v") == {"shark": "s-1", "veteran": "v"}
    for raw in ("shark", "shark=", "=s", "shark=a,shark=b"):
        with pytest.raises(ValueError, match="name=value"):
            env.parse_pairs(raw)
    assert env.parse_int("7", low=1, high=9) == 7
    for raw in ("0", "10", "x", "1.5"):
        with pytest.raises(ValueError, match="expected a"):
            env.parse_int(raw, low=1, high=9)
    assert env.parse_list(" a, b ,,c") == ("a", "b", "c")


def test_model_servers() -> None:
    plain = env.read_environment({})
    assert (plain.model_url, plain.model_name) == ("", "base")
    told = env.read_environment({"MODEL_URL": "http://vllm:8000/v1/", "MODEL_TURN_SECONDS": "2.5"})
    assert (told.model_url, told.model_turn_seconds) == ("http://vllm:8000/v1", 2.5)
    for name, raw in (("MODEL_URL", "vllm:8000"), ("MODEL_TURN_SECONDS", "0"), ("MODEL_CONCURRENCY", "many")):
        with pytest.raises(ImproperlyConfigured, match=name):
            env.read_environment({name: raw})


def test_quotas_change_by_name() -> None:
    assert env.read_environment({}).quotas == env.QUOTAS
    told = env.read_environment({"PARLAY_QUOTAS": "deals=5, sockets=7"}).quotas
    assert told == {**env.QUOTAS, "deals": 5, "sockets": 7}
    for raw in ("meals=3", "deals=0", "deals=many", "deals"):
        with pytest.raises(ImproperlyConfigured, match="PARLAY_QUOTAS"):
            env.read_environment({"PARLAY_QUOTAS": raw})


def test_databases() -> None:
    postgres = env.parse_database_url("postgresql://user:p%40ss@db:5433/parlay")
    assert postgres["ENGINE"] == "django.db.backends.postgresql"
    assert (postgres["HOST"], postgres["PORT"], postgres["PASSWORD"]) == ("db", 5433, "p@ss")
    assert env.parse_database_url("sqlite:////data/p.sqlite3")["NAME"] == "/data/p.sqlite3"
    for raw in ("mysql://u@h/d", "parlay", "postgresql://u@h"):
        with pytest.raises(ValueError, match=r"expected|names no database"):
            env.parse_database_url(raw)


def test_redis() -> None:
    assert env.parse_redis_url("rediss://h:6380/1") == "rediss://h:6380/1"
    for raw in ("http://h", "redis://", "localhost:6379"):
        with pytest.raises(ValueError, match="expected redis"):
            env.parse_redis_url(raw)


def test_an_empty_environment_is_a_local_installation() -> None:
    read = env.read_environment({})
    assert read.database["NAME"] == str(env.ROOT / "var" / "parlay.sqlite3")
    assert (read.debug, read.demo, read.table_threads) == (False, False, 1)


def test_postgres_gets_more_table_threads() -> None:
    assert env.read_environment(GOOD).table_threads == 4


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DEBUG", "maybe"),
        ("TABLE_THREADS", "0"),
        ("LOG_LEVEL", "LOUD"),
        ("DATABASE_URL", "x"),
        ("REDIS_URL", "x"),
        ("PARLAY_ARTEFACTS", "https://bucket"),
        ("PARLAY_ARTEFACTS", "s3:///prefix"),
        ("PARLAY_ARTEFACTS_ENDPOINT", "storage.example.org"),
        ("PARLAY_TRAINS_ON", "elsewhere"),
    ],
)
def test_nonsense_stops_the_start_by_name(name: str, value: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=name):
        env.read_environment({name: value})


def test_artefacts_lie_where_they_are_said_to(monkeypatch: pytest.MonkeyPatch) -> None:
    assert storage_of(env.read_environment({}))["OPTIONS"] == {}
    shared = storage_of(env.read_environment({"PARLAY_ARTEFACTS": "file:///mnt/shared/"}))
    assert shared["OPTIONS"] == {"location": "/mnt/shared"}
    given = {"PARLAY_ARTEFACTS": "s3://bucket/a/b", "PARLAY_ARTEFACTS_ENDPOINT": "http://127.0.0.1:1/"}
    monkeypatch.setattr("parlay_web.artefacts.find_spec", lambda name: name)
    options = storage_of(env.read_environment(given))["OPTIONS"]
    assert {name: value for name, value in options.items() if value is not None} == {
        "bucket_name": "bucket",
        "location": "a/b",
        "endpoint_url": "http://127.0.0.1:1",
    }
    monkeypatch.setattr("parlay_web.artefacts.find_spec", lambda name: None)
    with pytest.raises(ImproperlyConfigured, match=r"requirements/s3\.txt"):
        storage_of(env.read_environment(given))


def start_production(tmp_path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "import django; django.setup(); print('started')"],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "DJANGO_SETTINGS_MODULE": "parlay_web.settings.production",
            "PARLAY_VAR": str(tmp_path),
            **GOOD,
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_production_starts_when_all_is_well(tmp_path: Path) -> None:
    done = start_production(tmp_path)
    assert done.stdout.strip() == "started", done.stderr


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({"DEBUG": "1"}, "DEBUG"),
        *(
            pytest.param({"SECRET_KEY": key}, "SECRET_KEY", marks=pytest.mark.thorough)
            for key in ("", "short", "a" * 60, f"django-insecure-{KEY}")
        ),
        ({"SECRET_KEY": "please-change-me-" + KEY}, "SECRET_KEY"),
        ({"PARLAY_DEMO": "1"}, "PARLAY_DEMO"),
        pytest.param({"PARLAY_FIRST_SEED": "1"}, "PARLAY_FIRST_SEED", marks=pytest.mark.thorough),
        pytest.param({"ALLOWED_HOSTS": ""}, "ALLOWED_HOSTS", marks=pytest.mark.thorough),
        ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS"),
        pytest.param({"PARLAY_TRAINS_ON": "kubernetes"}, "PARLAY_TRAINS_ON", marks=pytest.mark.thorough),
    ],
    ids=str,
)
def test_production_refuses(tmp_path: Path, environment: dict[str, str], named: str) -> None:
    done = start_production(tmp_path, **environment)
    assert done.returncode != 0
    assert f"ImproperlyConfigured: {named}" in done.stderr


def test_the_local_key_is_made_once_and_private(tmp_path: Path) -> None:
    key = local_secret_key(tmp_path / "new")
    assert len(key) >= 50
    assert local_secret_key(tmp_path / "new") == key
    assert (tmp_path / "new" / "secret_key").stat().st_mode & 0o777 == 0o600


def test_logs_are_json_without_what_was_said_or_a_token() -> None:
    config = logging_config(level="INFO")
    stream = io.StringIO()
    formatter = config["formatters"]["json"]
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=formatter["foreign_pre_chain"], processors=formatter["processors"]
        )
    )
    own, foreign = structlog.get_logger("parlay.test"), logging.getLogger("django.test")
    for name in ("parlay.test", "django.test"):
        logging.getLogger(name).addHandler(handler)
        logging.getLogger(name).propagate = False
    own.warning("turn", game="g1", text="148k is my floor", offer=148_000, token="t0ken", data={"seed": 7})
    foreign.warning("Not Found: %s", "/watch/abcDEF-123_x/")
    foreign.warning("Bad Request: /ws/watch/abcDEF-123_x/?since=0")
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert lines[0]["game"] == "g1"
    assert "148" not in stream.getvalue()
    assert "t0ken" not in stream.getvalue()
    assert "abcDEF" not in stream.getvalue()
    assert lines[1]["event"] == "Not Found: /watch/***/"
