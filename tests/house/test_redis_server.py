"""The embedded Redis: closed to who has no password, and honest about why it does not start."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from redis import AuthenticationError, Redis

from parlay_web import redis_server
from parlay_web.ports import free_port
from parlay_web.processes import die_with_parent


def test_who_has_no_password_is_refused(tmp_path: Path) -> None:
    port, password = free_port(), redis_server.new_password()
    process = redis_server.start(port=port, directory=tmp_path, password=password, preexec_fn=die_with_parent)
    try:
        with Redis(port=port) as stranger, pytest.raises(AuthenticationError):
            stranger.ping()
        with Redis.from_url(redis_server.url_of(port, password)) as friend:
            assert friend.ping()
        assert redis_server.answers(port, password)
        assert not redis_server.answers(port)
        assert not redis_server.answers(port, "another")
        command = Path(f"/proc/{process.pid}/cmdline")
        assert not command.exists() or password.encode() not in command.read_bytes()
    finally:
        process.kill()
        process.wait()


def test_what_it_keeps_only_its_owner_reads(tmp_path: Path) -> None:
    redis_server.settings(port=1, directory=tmp_path / "redis")
    assert (tmp_path / "redis").stat().st_mode & 0o777 == 0o700


def test_what_was_written_is_there_after_a_kill(tmp_path: Path) -> None:
    port = free_port()
    first = redis_server.start(port=port, directory=tmp_path, preexec_fn=die_with_parent)
    with Redis(port=port) as client:
        client.set("deal", "open")
        client.config_set("appendfsync", "always")
        client.set("deal", "closed")
    first.kill()
    first.wait()
    second = redis_server.start(port=port, directory=tmp_path, preexec_fn=die_with_parent)
    try:
        with Redis(port=port) as client:
            assert client.get("deal") == b"closed"
    finally:
        second.kill()
        second.wait()


def test_a_file_that_it_can_not_read_is_named_in_its_error(tmp_path: Path) -> None:
    folder = tmp_path / "appendonlydir"
    folder.mkdir()
    (folder / "appendonly.aof.manifest").write_text("file nothing.aof seq 1 type b\n")
    with pytest.raises(redis_server.RedisNotStartedError, match=r"(?i)aof"):
        redis_server.start(port=free_port(), directory=tmp_path, preexec_fn=die_with_parent)


def test_without_the_wheel_a_server_of_the_machine_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    carried = redis_server.binary()
    monkeypatch.setattr(redis_server, "find_spec", lambda _: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(redis_server.RedisNotStartedError, match="set REDIS_URL to one of yours") as refused:
        redis_server.binary()
    assert "\n" not in str(refused.value)
    shutil.copy(carried, tmp_path / "redis-server")
    assert redis_server.binary() == tmp_path / "redis-server"
    shutil.copy(carried, tmp_path / "valkey-server")
    assert redis_server.binary() == tmp_path / "valkey-server"
