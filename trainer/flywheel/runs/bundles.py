"""The files of a run on their way between machines: sent by the worker that has it, fetched by whoever looks.

Each version of a file is an object under a key of its own. A list says which make up the run, with the checksum of each;
the row says which list, by the list's own checksum. So what is fetched is what was sent, byte for byte, a process that
is killed half-way leaves the list before whole, and a worker that has lost its lease changes nothing: the row refuses it.
Words that a run was handed (``data``) are never sent. Where the storage is this machine's own folder there is nothing
to do.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import secrets
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

from django.conf import settings
from django.core.files.base import ContentFile, File

from owed.services import LeaseLost
from trainer.flywheel import store
from trainer.flywheel.runs.models import TrainingRun

WORDS, LOCK, NOTE = "data", "lock", ".fetched.json"
HEAVY = ("checkpoints", "adapter", "base", "untrained")
"""Folders of weights: whoever looks at a run does without them."""
IN_MEMORY = 8_000_000
CHUNK = 1 << 20


class Sent(NamedTuple):
    """One file of a run in the storage: its object's key, the checksum of its bytes, and how many they are."""

    key: str
    sha256: str
    size: int


class Here(NamedTuple):
    """The same file on this machine: which version of it, and the size and time that it had then."""

    key: str
    size: int
    at: int

    @property
    def stamp(self) -> tuple[int, int]:
        """What tells whether it was written to since."""
        return self.size, self.at


@contextmanager
def alone(folder: Path) -> Iterator[IO[str]]:
    """A lock on a run's folder, which its training process inherits: it is free when the last of both has ended.

    Raises:
        BlockingIOError: when somebody else on this machine has it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield lock


class Sender:
    """Sends what has changed of a run's folder, for the worker that has the run."""

    def __init__(self, run: TrainingRun, folder: Path) -> None:
        self._run, self._folder = run, folder
        self._kept = run.kept
        self._sent = _list(run)
        noted = _noted(folder)
        self._seen = {
            name: noted[name].stamp
            for name, sent in self._sent.items()
            if name in noted and noted[name].key == sent.key
        }

    def send(self) -> None:
        """Send every file that is new or another than before, then the list of all, then tell the row.

        Raises:
            LeaseLost: when another worker has the run by now.
            OSError: when the storage does not take it.
        """
        if not settings.ARTEFACTS_ELSEWHERE:
            return
        found: dict[str, Sent] = {}
        for name, path in _files(self._folder, self._run):
            stamp = _stamp(path)
            if name in self._sent and self._seen.get(name) == stamp:
                found[name] = self._sent[name]
            elif stamp and (sent := _send(path, self._run.folder)):
                found[name], self._seen[name] = sent, stamp
        if found == self._sent:
            return
        listed = json.dumps(found, sort_keys=True).encode()
        kept = store.checksum(listed)
        store.artefacts().save(_key_of(self._run, kept), ContentFile(listed))
        held = TrainingRun.objects.filter(
            pk=self._run.pk, state=TrainingRun.State.RUNNING, lease=self._run.lease
        )
        if not held.update(kept=kept):
            raise LeaseLost
        before, self._sent, old, self._kept = self._sent, found, self._kept, kept
        _write_note(self._folder, {name: Here(each.key, *self._seen[name]) for name, each in found.items()})
        for key in {each.key for each in before.values()} - {each.key for each in found.values()}:
            store.remove(key)
        if old:
            store.remove(_key_of(self._run, old))


def fetch(run: TrainingRun, wanted: Callable[[str], bool]) -> None:
    """Bring the files of a run that are ``wanted`` to this machine, as they were sent last.

    A run that this machine works on just now has its newest files here already, and stays as it is.

    Raises:
        store.Damaged: when a file can't be read, or is not what was sent.
    """
    if not settings.ARTEFACTS_ELSEWHERE or not run.kept:
        return
    folder = store.path_of(run.folder)
    try:
        with alone(folder):
            bring(run, folder, wanted)
    except BlockingIOError:
        return


def bring(run: TrainingRun, folder: Path, wanted: Callable[[str], bool] = lambda _: True) -> None:
    """The same for who has the folder to itself."""
    if not settings.ARTEFACTS_ELSEWHERE or not run.kept:
        return
    listed, here = _list(run), _noted(folder)
    for name in here.keys() - listed.keys():
        (folder / name).unlink(missing_ok=True)
    here = {name: each for name, each in here.items() if name in listed and (folder / name).is_file()}
    for name, sent in listed.items():
        if wanted(name) and (name not in here or here[name].key != sent.key):
            here[name] = _fetch(sent, folder / name)
    _write_note(folder, here)


def words_forget() -> None:
    """Take away the words that this machine was handed for runs which it works no more, or was killed over.

    Where runs have one machine only, they stay until the run ends: whoever goes on finds them here.
    """
    if not settings.ARTEFACTS_ELSEWHERE:
        return
    for words in store.path_of("runs").glob(f"*/{WORDS}"):
        with suppress(BlockingIOError), alone(words.parent):
            shutil.rmtree(words, ignore_errors=True)


def folder_fetch(name: str) -> None:
    """Bring a folder that some run made, as rows name it, to this machine; nothing where it is no run's.

    Raises:
        store.Damaged: as :func:`fetch`.
    """
    parts = PurePosixPath(name).parts
    if len(parts) < 3 or parts[0] != "runs":
        return
    inside = "/".join(parts[2:])
    maker = TrainingRun.objects.filter(pk=uuid.UUID(parts[1])).first()
    if maker is not None:
        fetch(maker, lambda file: file.startswith(f"{inside}/"))


def is_told(name: str) -> bool:
    """Whether a file is of those that a page tells: settings, curves, the log, the results."""
    return not set(Path(name).parts) & set(HEAVY)


def forget(run: TrainingRun, gone: Callable[[str], bool] = lambda _: True) -> None:
    """Take what is ``gone`` of a run that is over out of the storage."""
    if not settings.ARTEFACTS_ELSEWHERE or not run.kept:
        return
    listed = _list(run)
    left = {name: sent for name, sent in listed.items() if not gone(name)}
    if left == listed:
        return
    told = json.dumps(left, sort_keys=True).encode()
    old, kept = run.kept, store.checksum(told) if left else ""
    if left:
        store.artefacts().save(_key_of(run, kept), ContentFile(told))
    if (
        not TrainingRun.objects.filter(pk=run.pk, kept=old)
        .exclude(state=TrainingRun.State.RUNNING)
        .update(kept=kept)
    ):
        return
    run.kept = kept
    for key in {each.key for each in listed.values()} - {each.key for each in left.values()}:
        store.remove(key)
    store.remove(_key_of(run, old))


def tidy() -> int:
    """Take away objects of runs that no list names: of workers that were killed before they told the row; how many."""
    if not settings.ARTEFACTS_ELSEWHERE:
        return 0
    gone, standing = 0, dict[str, set[str] | None]()
    for name in store.names("runs"):
        key = name.split("/")[1]
        if key not in standing:
            standing[key] = _standing(key)
        named = standing[key]
        if named is not None and name not in named and store.is_forgotten(name):
            store.remove(name)
            gone += 1
    return gone


def _standing(key: str) -> set[str] | None:
    """The objects that the row of a run stands for; ``None`` while it runs: it is about to name others."""
    run = TrainingRun.objects.filter(pk=uuid.UUID(key)).first()
    if run is None:
        return set()
    if run.state == TrainingRun.State.RUNNING:
        return None
    return {_key_of(run, run.kept), *(sent.key for sent in _list(run).values())}


def _files(folder: Path, run: TrainingRun) -> Iterator[tuple[str, Path]]:
    """What of a folder is sent. A base that was given is not: what training makes of it is the adapter."""
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        aside = parts[0] in (WORDS, LOCK) or any(part.startswith(".") for part in parts)
        merged = bool(run.base) and "base" in parts
        if not aside and not merged and path.is_file() and not path.is_symlink():
            yield path.relative_to(folder).as_posix(), path


def _send(path: Path, folder: str) -> Sent | None:
    """One file as it is at this moment, under a key of its own; ``None`` where it has just gone."""
    digest, size = hashlib.sha256(), 0
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as copy:
        try:
            with path.open("rb") as file:
                while chunk := file.read(CHUNK):
                    digest.update(chunk)
                    size += copy.write(chunk)
        except FileNotFoundError:
            return None
        copy.seek(0)
        key = f"{folder}/{secrets.token_hex(12)}"
        store.artefacts().save(key, File(copy, name=key))
    return Sent(key, digest.hexdigest(), size)


def _fetch(sent: Sent, path: Path) -> Here:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}{store.PARTIAL}")
    digest = hashlib.sha256()
    try:
        with store.artefacts().open(sent.key, "rb") as file, partial.open("wb") as copy:
            while chunk := file.read(CHUNK):
                digest.update(chunk)
                copy.write(chunk)
        if digest.hexdigest() != sent.sha256:
            raise store.Damaged(f"{path.name} is not what was sent")
        found = partial.stat()
        partial.replace(path)
    except OSError as problem:
        raise store.Damaged(f"{path.name} can't be fetched: {problem}") from problem
    finally:
        partial.unlink(missing_ok=True)
    return Here(sent.key, found.st_size, found.st_mtime_ns)


def _key_of(run: TrainingRun, kept: str) -> str:
    return f"{run.folder}/{kept}.json"


def _list(run: TrainingRun) -> dict[str, Sent]:
    """What the row says was sent; nothing where nothing was."""
    if not settings.ARTEFACTS_ELSEWHERE or not run.kept:
        return {}
    told = json.loads(store.read(_key_of(run, run.kept), run.kept))
    return {name: Sent(*sent) for name, sent in told.items()}


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_size, found.st_mtime_ns


def _write_note(folder: Path, here: dict[str, Here]) -> None:
    partial = folder / f"{NOTE}{store.PARTIAL}"
    partial.write_text(json.dumps(here), encoding="utf-8")
    partial.replace(folder / NOTE)


def _noted(folder: Path) -> dict[str, Here]:
    """What this machine has of what was sent."""
    try:
        told = json.loads((folder / NOTE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {name: Here(*here) for name, here in told.items()}
