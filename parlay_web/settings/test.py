"""For the tests: a database file and a Redis of their own, cheap password hashes, real everything else."""

import os
import tempfile
from pathlib import Path

from parlay_web.ports import free_port

_WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")
if os.environ.get("PARLAY_TEST_WORKER", _WORKER) != _WORKER:
    # Chosen by the process that hands out the tests: each of its workers has a folder and a Redis of its own.
    del os.environ["PARLAY_VAR"], os.environ["REDIS_URL"]
os.environ["PARLAY_TEST_WORKER"] = _WORKER
os.environ.setdefault("PARLAY_VAR", str(Path(tempfile.gettempdir()) / f"parlay-test-{os.getpid()}"))
# tests/conftest.py starts a Redis there unless the environment names one.
os.environ.setdefault("REDIS_URL", f"redis://127.0.0.1:{free_port()}/0")

from parlay_web.settings.base import *  # noqa: E402, F403 (it reads what was just set)
from parlay_web.settings.base import DATABASES, ENV  # noqa: E402

SECRET_KEY = "test-only-" + "0123456789abcdef" * 4
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "testserver"]
DEMO = True
MODEL_URL = ""  # tests that want a server start one
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
WHITENOISE_USE_FINDERS = True
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, not memory: sockets and requests use the database from threads of their own.
    DATABASES["default"]["TEST"] = {"NAME": str(ENV.var / "test.sqlite3")}
