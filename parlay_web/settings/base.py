"""What every deployment shares. Anything that differs comes from ``parlay_web.env``."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any

import environ
from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from owed import queues
from parlay_web.artefacts import storage_of
from parlay_web.env import ROOT, read_environment
from parlay_web.logs import logging_config

ENV = read_environment(os.environ)

BASE_DIR = ROOT
DEBUG = ENV.debug
SECRET_KEY = ENV.secret_key
ALLOWED_HOSTS = list(ENV.allowed_hosts)
CSRF_TRUSTED_ORIGINS = list(ENV.csrf_trusted_origins)
DEMO = ENV.demo
FIRST_SEED = ENV.first_seed
RETENTION_DAYS = ENV.retention_days
VAR_DIR = ENV.var
# What lies there are sessions, hashes and the truth of deals: nobody else's to read, whatever the umask was.
os.umask(0o077)
VAR_DIR.mkdir(parents=True, exist_ok=True)
with suppress(PermissionError):  # somebody else's folder is theirs to close
    VAR_DIR.chmod(0o700)

ROOT_URLCONF = "parlay_web.urls"
ASGI_APPLICATION = "parlay_web.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
# English alone so far. Every message of the pages that are done goes through gettext, and so do those of their scripts
# (tests/web/test_glossary.py, tests/js/words.test.js); `makemessages` and `makemessages -d djangojs` collect them.
USE_I18N = True
LANGUAGES = [("en", "English")]
LOCALE_PATHS = [ROOT / "locale"]

SIDE_GAMES = [f"negotiation.{name}" for name in ENV.side_games]
"""What can be played beside the deal for two. Each hangs on the house by registration alone and may be left out."""
INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "channels",
    "allauth",
    "allauth.account",
    "django_otp",
    "django_otp.plugins.otp_static",
    "django_otp.plugins.otp_totp",
    "csp",
    "django_prometheus",
    "parlay_web",
    "accounts",
    "owed",
    "negotiation",
    *SIDE_GAMES,
    "negotiation.serving",
    "coaching",
    "trainer",
]

MIDDLEWARE = [
    "parlay_web.probes.ProbeMiddleware",
    *(["parlay_web.tracing.PageSpans"] if ENV.traces_to else []),
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "parlay_web.signed_in.SignedInMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.quotas.QuotaMiddleware",
    "accounts.second_factor.SecondFactorMiddleware",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "parlay_web.context.product",
            ],
        },
    }
]

# --- data ---------------------------------------------------------------------------------------------
_database: dict[str, Any] = dict(ENV.database)
if _database["ENGINE"].endswith("sqlite3"):
    # IMMEDIATE: a transaction that will write takes the write lock at its start, so that two turns of one
    # game queue up instead of failing half-way. WAL with FULL: what was acknowledged survives a power cut.
    _database["OPTIONS"] = {
        "timeout": 10,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-8000;",
    }
DATABASES = {"default": _database}

REDIS_URL = ENV.redis_url
TABLE_THREADS = ENV.table_threads
CHANNEL_LAYERS = {
    "default": {
        # A ping may be lost, since the log is the truth: publishing costs a fifth of keeping queues.
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [{"address": REDIS_URL, "socket_timeout": 15}]},
    }
}
CACHES = {
    "default": {
        "BACKEND": "parlay_web.caching.JsonRedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "parlay",
        # Who counts there goes on without it: a Redis that hangs must not hold them up.
        "OPTIONS": {"socket_timeout": 2, "socket_connect_timeout": 2},
    }
}

# Whoever may write to Redis must not be able to have code run: JSON, and nothing else is taken.
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = CELERY_RESULT_SERIALIZER = CELERY_EVENT_SERIALIZER = "json"
CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_TIME_LIMIT = 120  # no longer than owed.kinds takes a worker for alive
CELERY_TASK_ROUTES = queues.ROUTES
CELERY_TASK_QUEUES: dict[str, dict[str, str]] = {name: {} for name in queues.ORDER}
# In the order of the queues, not in turn.
CELERY_BROKER_TRANSPORT_OPTIONS = {"queue_order_strategy": "priority"}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "celerybeat-schedule")


def _each(seconds: float, task: str) -> dict[str, Any]:
    # The next of a kind makes the one before needless: behind a flood or without a worker they don't pile up.
    return {"task": task, "schedule": seconds, "options": {"expires": seconds}}


CELERY_BEAT_SCHEDULE = {
    "hand-out-what-is-owed": _each(15.0, "owed.tasks.sweep"),
    "resume-stuck-turns": _each(15.0, "negotiation.tasks.resume_stuck_turns"),
    "abandon-idle-games": _each(3600.0, "negotiation.tasks.abandon_idle_games"),
    "settle-games": _each(300.0, "coaching.room.tasks.settle_games"),
    "learn-from-reviews": _each(900.0, "coaching.skills.tasks.learn_what_is_owed"),
    "purge-transcripts": {
        "task": "coaching.room.tasks.purge_transcripts",
        "schedule": crontab(hour=3, minute=10),
    },
    "harvest": _each(120.0, "trainer.flywheel.tasks.harvest_what_is_owed"),
    "let-go-of-runs": {
        "task": "trainer.flywheel.tasks.let_go_of_runs",
        "schedule": crontab(hour=3, minute=40),
    },
}
if "negotiation.pairs" in SIDE_GAMES:
    CELERY_BEAT_SCHEDULE |= {
        "sweep-pairs": _each(15.0, "negotiation.pairs.tasks.sweep_pairs"),
    }
if "negotiation.diplomacy" in SIDE_GAMES:
    _of_the_board = "negotiation.diplomacy"
    CELERY_BEAT_SCHEDULE |= {
        "close-overdue-phases": _each(5.0, f"{_of_the_board}.tasks.close_overdue_phases"),
    }

# --- people -------------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
SIGNUP = ENV.signup
MAIL = bool(ENV.email_url)
if ENV.verify_email and not MAIL:
    raise ImproperlyConfigured("PARLAY_VERIFY_EMAIL: no address can be proved without letters, set EMAIL_URL")
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if ENV.verify_email else "optional" if MAIL else "none"
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Parlay: "
ACCOUNT_SESSION_REMEMBER = True
# Letters hold links that open accounts: without a server they are not written, least of all to a log.
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
if ENV.email_url:
    globals().update(environ.Env.email_url_config(ENV.email_url))
SESSION_ENGINE = "django.contrib.sessions.backends.db"
SESSION_SERIALIZER = "django.contrib.sessions.serializers.JSONSerializer"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"

# --- the browser --------------------------------------------------------------------------------------
STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)
STATICFILES_DIRS = [ROOT / "static"]
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:", "blob:"],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024

# --- opponents that a model speaks for ----------------------------------------------------------------
MODEL_URL = ENV.model_url
MODEL_NAME = ENV.model_name
MODEL_API_KEY = ENV.model_api_key
MODEL_TURN_SECONDS = ENV.model_turn_seconds
MODEL_CONCURRENCY = ENV.model_concurrency
MODEL_STYLE = ENV.model_style
MODEL_READS = ENV.model_reads
MODEL_NOTE = ENV.model_note
MODEL_VOICES = ENV.model_voices
if MODEL_URL:
    CELERY_BEAT_SCHEDULE["restore-adapters"] = _each(20.0, "negotiation.serving.tasks.restore_adapters")
    CELERY_BEAT_SCHEDULE["serve-champions"] = _each(20.0, "trainer.flywheel.tasks.serve_champions")

# --- what models learn from ---------------------------------------------------------------------------
HARVEST_SHARE = ENV.harvest_share
EXPLOIT_SHARE = ENV.exploit_share
FLYWHEEL_DIR = VAR_DIR / "flywheel"
ARTEFACTS_ELSEWHERE = bool(ENV.artefacts)
TRAINS_ON = ENV.trains_on
TRAINING_JOB = ENV.training_job
if TRAINS_ON == "kubernetes" and not (ARTEFACTS_ELSEWHERE and TRAINING_JOB):
    message = "PARLAY_TRAINS_ON=kubernetes needs PARLAY_ARTEFACTS, which a pod shares with us, and PARLAY_TRAINING_JOB"
    raise ImproperlyConfigured(message)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    "artefacts": storage_of(ENV),
}
TRAINER_PYTHON = ENV.trainer_python
GATE_CONFIG = ENV.gate_config
LEARN_CONFIG = ENV.learn_config
PLAY_CONFIG = ENV.play_config
DISK_RESERVE_MB = ENV.disk_reserve_mb
FLYWHEEL_QUOTA_MB = ENV.flywheel_quota_mb
RUN_NEEDS_MB = ENV.run_needs_mb
RUNS_KEPT_DAYS = ENV.runs_kept_days
TRACES_TO = ENV.traces_to.rstrip("/")
TRACES_HEADERS = ENV.traces_headers
TRACES_SHARE = ENV.traces_share
BACKUP_DIR = ENV.backup_dir
BACKUPS_KEPT = ENV.backups_kept
if BACKUP_DIR:
    CELERY_BEAT_SCHEDULE["back-up"] = {
        "task": "trainer.flywheel.tasks.back_up",
        "schedule": crontab(hour=2, minute=20),
    }

# --- doors --------------------------------------------------------------------------------------------
QUOTAS = ENV.quotas
SECOND_FACTOR = ENV.second_factor
OTP_TOTP_ISSUER = "Parlay"
TRUSTED_PROXIES = ENV.trusted_proxies
PAGES_AT = ENV.pages_at

# --- eyes ---------------------------------------------------------------------------------------------
METRICS_TOKEN = ENV.metrics_token
PROMETHEUS_EXPORT_MIGRATIONS = False
HEARTBEAT = ENV.heartbeat
CLOCK = ENV.clock
LOGGING = logging_config(level=ENV.log_level)
LOGGING_CONFIG = "parlay_web.logs.configure"
