"""Artefacts as objects of an S3. What goes wrong on the way there is an ``OSError``, as a full disk's is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from boto3.exceptions import Boto3Error
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.utils import timezone
from storages.backends.s3 import S3Storage

from trainer.flywheel.storage.files import FORGOTTEN_AFTER


class ObjectStore(S3Storage):
    """One bucket, or what lies under a prefix of it. An object appears whole, or not at all."""

    def __init__(self, **options: Any) -> None:
        patience = Config(
            connect_timeout=5, read_timeout=30, retries={"mode": "standard", "total_max_attempts": 3}
        )
        super().__init__(client_config=patience, file_overwrite=True, default_acl=None, **options)

    def _save(self, name: str, content: Any) -> str:
        with _as_os_errors():
            return str(super()._save(name, content))

    def _open(self, name: str, mode: str = "rb") -> Any:
        with _as_os_errors():
            return super()._open(name, mode)

    def delete(self, name: str) -> None:
        """Take an object away; one that is gone already is fine."""
        with _as_os_errors():
            super().delete(name)

    def names(self, folder: str) -> Iterator[str]:
        """Every object of a folder, a thousand with each request."""
        prefix = f"{self._normalize_name(folder)}/".lstrip("/")
        root = f"{self.location}/".lstrip("/")
        with _as_os_errors():
            for found in self.bucket.objects.filter(Prefix=prefix):
                yield found.key.removeprefix(root)

    def sweep_partial(self, folder: str) -> int:
        """Nothing is ever half-written here."""
        return 0

    def is_forgotten(self, name: str) -> bool:
        """Whether an object that no row names has lain there for too long to be somebody's work in progress."""
        with _as_os_errors():
            return bool(self.get_modified_time(name) < timezone.now() - timedelta(seconds=FORGOTTEN_AFTER))


@contextmanager
def _as_os_errors() -> Iterator[None]:
    try:
        yield
    except (BotoCoreError, ClientError, Boto3Error) as problem:
        raise OSError(f"the storage of artefacts: {problem}") from problem
