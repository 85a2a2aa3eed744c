"""For the tests: a database file and a Redis of their own, cheap password hashes, real everything else."""

import atexit
import os
import shutil
import tempfile

from parlay_web.ports import kept_port

_WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")
if os.environ.get("PARLAY_TEST_WORKER", _WORKER) != _WORKER:
    # Chosen by the process that hands out the tests: each of its workers has a folder and a Redis of its own.
    del os.environ["PARLAY_VAR"], os.environ["REDIS_URL"]
os.environ["PARLAY_TEST_WORKER"] = _WORKER
if not os.environ.get("PARLAY_VAR"):
    os.environ["PARLAY_VAR"] = tempfile.mkdtemp(prefix="parlay-test-")
    atexit.register(shutil.rmtree, os.environ["PARLAY_VAR"], ignore_errors=True)
# tests/web/conftest.py starts a Redis there unless the environment names one.
REDIS_IS_OURS = not os.environ.get("REDIS_URL")
if REDIS_IS_OURS:
    os.environ["REDIS_URL"] = f"redis://127.0.0.1:{kept_port()}/0"

from parlay_web.settings.base import *  # noqa: E402, F403 (it reads what was just set)
from parlay_web.settings.base import DATABASES, ENV  # noqa: E402

SECRET_KEY = "test-only-" + "0123456789abcdef" * 4
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "testserver"]
DEMO = True
MAIL = True  # kept in memory
QUOTAS = {name: 1000 * number for name, number in ENV.quotas.items()}  # tests of them set their own
MODEL_URL = ""  # tests that want a server start one
PASSWORD_HASHERS = ["tests.hashing.Quick"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True  # else each test client looks at every file before its first request
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, not memory: sockets and requests use the database from threads of their own.
    DATABASES["default"]["NAME"] = str(ENV.var / "test.sqlite3")
    # No test cuts the power.
    DATABASES["default"]["OPTIONS"]["init_command"] += " PRAGMA synchronous=OFF;"
