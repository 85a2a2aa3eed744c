"""The secret key of a local installation: made once, kept beside its database."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def local_secret_key(var: Path) -> str:
    """Read the key from ``var/secret_key``, or make one that only its owner may read."""
    path = var / "secret_key"
    if not path.exists():
        var.mkdir(parents=True, exist_ok=True)
        draft = var / f"secret_key.{os.getpid()}"
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(64))
        # Two first starts at once: link() lets exactly one of them win.
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text().strip()
