"""The environment, read once and typed: the only module that looks at ``os.environ`` for settings.

A variable that is set but makes no sense stops the start with its name and what was expected; an absent
or empty one takes the default that is written here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

ROOT = Path(__file__).resolve().parent.parent
SIDE_GAMES = ("coalitions", "pairs", "diplomacy", "smallgames")
"""Each an app of ``negotiation`` that hangs on the house by registration alone."""
T = TypeVar("T")


def parse_bool(raw: str) -> bool:
    """``1/true/yes/on`` and ``0/false/no/off``, in any case."""
    value = raw.strip().lower()
    if value in ("1", "true", "yes", "on"):
        return True
    if value in ("0", "false", "no", "off"):
        return False
    raise ValueError("expected true or false")


def parse_int(raw: str, *, low: int, high: int) -> int:
    """A whole number between two bounds, both included."""
    try:
        value = int(raw)
    except ValueError:
        raise ValueError("expected a whole number") from None
    if not low <= value <= high:
        raise ValueError(f"expected a number from {low} to {high}")
    return value


def parse_list(raw: str) -> tuple[str, ...]:
    """Comma-separated words; blanks are dropped."""
    return tuple(part.strip() for part in raw.split(",") if part.strip())


def parse_neighbour(raw: str) -> str:
    """The address of another process of the house: ``unix:`` and a file, or ``http://host:port``.

    Raises:
        ValueError: it is neither.
    """
    found = urlsplit(raw)
    if found.scheme == "unix" and found.path.startswith("/"):
        return raw
    if found.scheme == "http" and found.hostname and found.path in ("", "/"):
        return raw
    message = "expected unix:/path/of.sock or http://host:port"
    raise ValueError(message)


def parse_artefacts(raw: str) -> str:
    """Where artefacts are kept: ``s3://bucket`` or ``s3://bucket/prefix``, or a folder as ``file:///path``.

    Raises:
        ValueError: it is neither.
    """
    found = urlsplit(raw)
    if found.scheme == "s3" and found.netloc:
        return raw.rstrip("/")
    if found.scheme == "file" and not found.netloc and found.path.strip("/"):
        return raw.rstrip("/")
    raise ValueError("expected s3://bucket/prefix or file:///path")


def parse_pairs(raw: str) -> dict[str, str]:
    """Comma-separated ``name=value``; each name once."""
    found: dict[str, str] = {}
    for part in parse_list(raw):
        name, is_pair, value = (each.strip() for each in part.partition("="))
        if not (name and is_pair and value) or name in found:
            raise ValueError("expected name=value, name=value, each name once")
        found[name] = value
    return found


def parse_counts(raw: str, *, known: Mapping[str, int]) -> dict[str, int]:
    """Comma-separated ``name=number`` over what is known; the names that are not given stay as they are."""
    given = parse_pairs(raw)
    if not given.keys() <= known.keys():
        raise ValueError(f"expected name=number with names of {', '.join(known)}")
    return {**known, **{name: parse_int(value, low=1, high=10**9) for name, value in given.items()}}


def _side_games(raw: str) -> tuple[str, ...]:
    given = () if raw == "none" else parse_list(raw)
    unknown = set(given) - set(SIDE_GAMES)
    if unknown:
        raise ValueError(f"expected some of {', '.join(SIDE_GAMES)}, or none")
    return tuple(game for game in SIDE_GAMES if game in given)


def parse_number(raw: str, *, low: float, high: float) -> float:
    """A number between two bounds, both included."""
    try:
        value = float(raw)
    except ValueError:
        raise ValueError("expected a number") from None
    if not low <= value <= high:
        raise ValueError(f"expected a number from {low:g} to {high:g}")
    return value


def parse_http_url(raw: str) -> str:
    """An ``http://`` or ``https://`` URL, without the slash at its end."""
    parts = urlsplit(raw)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ValueError("expected http://host:port/v1 or https://...")
    return raw.rstrip("/")


def parse_redis_url(raw: str) -> str:
    """A ``redis://``, ``rediss://`` or ``unix://`` URL."""
    parts = urlsplit(raw)
    if parts.scheme not in ("redis", "rediss", "unix") or not (parts.netloc or parts.path):
        raise ValueError("expected redis://host:port/0, rediss://... or unix:///path")
    return raw


def parse_database_url(raw: str) -> dict[str, Any]:
    """A ``postgresql://`` or ``sqlite:///path`` URL as a Django database entry."""
    parts = urlsplit(raw)
    if parts.scheme not in ("postgres", "postgresql", "sqlite"):
        raise ValueError("expected postgresql://user:password@host/name or sqlite:///path")
    if not parts.path.strip("/") and not parts.query:
        raise ValueError("the URL names no database")
    return dict(environ.Env.db_url_config(raw))


@dataclass(frozen=True, slots=True)
class Environment:
    """Every setting that a deployment may change."""

    debug: bool
    secret_key: str
    allowed_hosts: tuple[str, ...]
    csrf_trusted_origins: tuple[str, ...]
    demo: bool
    var: Path
    database: dict[str, Any]
    redis_url: str
    log_level: str
    metrics_token: str
    table_threads: int
    behind_proxy: bool
    email_url: str
    first_seed: int | None
    side_games: tuple[str, ...]
    retention_days: int
    model_url: str
    model_name: str
    model_api_key: str
    model_turn_seconds: float
    model_concurrency: int
    model_style: Literal["brief", "full"]
    model_reads: bool
    model_note: str
    model_voices: dict[str, str]
    harvest_share: float
    exploit_share: float
    trainer_python: str
    gate_config: str
    learn_config: str
    play_config: str
    disk_reserve_mb: int
    flywheel_quota_mb: int
    run_needs_mb: int
    runs_kept_days: int
    artefacts: str
    artefacts_endpoint: str
    aws_access_key_id: str
    aws_secret_access_key: str
    aws_region: str
    trains_on: Literal["queue", "kubernetes"]
    training_job: str
    traces_to: str
    traces_headers: dict[str, str]
    traces_share: float
    backup_dir: str
    backups_kept: int
    heartbeat: str
    clock: bool
    trusted_proxies: tuple[str, ...]
    pages_at: str
    signup: bool
    verify_email: bool
    quotas: dict[str, int]
    second_factor: bool


QUOTAS = {"guests": 30, "deals": 60, "links": 60, "work": 120, "exports": 30, "sockets": 30}
"""What one person may have: in an hour, and of sockets at once. An address and a team have twenty times as much; guests
are counted by address alone."""
_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


def _level(raw: str) -> str:
    if raw.upper() not in _LEVELS:
        raise ValueError(f"expected one of {', '.join(_LEVELS)}")
    return raw.upper()


def _style(raw: str) -> Literal["brief", "full"]:
    if raw == "brief":
        return "brief"
    if raw == "full":
        return "full"
    raise ValueError("expected brief or full")


def _trains_on(raw: str) -> Literal["queue", "kubernetes"]:
    if raw == "queue":
        return "queue"
    if raw == "kubernetes":
        return "kubernetes"
    raise ValueError("expected queue or kubernetes")


def read_environment(source: Mapping[str, str]) -> Environment:
    """Read and check every variable of ``source``."""

    def get(name: str, default: T, parse: Callable[[str], T]) -> T:
        raw = source.get(name, "")
        if raw == "":
            return default
        try:
            return parse(raw)
        except ValueError as error:
            raise ImproperlyConfigured(f"{name}: {error}, not {raw!r}") from None

    var = get("PARLAY_VAR", ROOT / "var", Path).absolute()
    embedded = parse_database_url(f"sqlite:///{var / 'parlay.sqlite3'}")
    database = get("DATABASE_URL", embedded, parse_database_url)
    on_sqlite = database["ENGINE"].endswith("sqlite3")
    return Environment(
        debug=get("DEBUG", False, parse_bool),
        secret_key=get("SECRET_KEY", "", str),
        allowed_hosts=get("ALLOWED_HOSTS", (), parse_list),
        csrf_trusted_origins=get("CSRF_TRUSTED_ORIGINS", (), parse_list),
        demo=get("PARLAY_DEMO", False, parse_bool),
        var=var,
        database=database,
        redis_url=get("REDIS_URL", "redis://127.0.0.1:6379/0", parse_redis_url),
        log_level=get("LOG_LEVEL", "INFO", _level),
        metrics_token=get("METRICS_TOKEN", "", str),
        # SQLite has one writer: a second thread would only wait for the first.
        table_threads=get("TABLE_THREADS", 1 if on_sqlite else 4, lambda raw: parse_int(raw, low=1, high=64)),
        behind_proxy=get("BEHIND_PROXY", False, parse_bool),
        email_url=get("EMAIL_URL", "", str),
        # Deals that can be dealt again: for tests and demonstrations, never where somebody plays to win.
        first_seed=get("PARLAY_FIRST_SEED", None, lambda raw: parse_int(raw, low=0, high=2**31)),
        # What can be played beside the deal for two.
        side_games=get("PARLAY_SIDE_GAMES", SIDE_GAMES, _side_games),
        # Words of deals go so many days after the end, where a team has not said otherwise.
        retention_days=get("PARLAY_RETENTION_DAYS", 365, lambda raw: parse_int(raw, low=1, high=3650)),
        # A server that speaks the OpenAI protocol. Without one the opponents are the strategists alone.
        model_url=get("MODEL_URL", "", parse_http_url),
        model_name=get("MODEL_NAME", "base", str),
        model_api_key=get("MODEL_API_KEY", "", str),
        # How long a table waits for the model before the strategist answers in its place.
        model_turn_seconds=get("MODEL_TURN_SECONDS", 8.0, lambda raw: parse_number(raw, low=0.05, high=120)),
        # Turns that this process has under way at the server at once; others queue, one per table in its turn.
        model_concurrency=get("MODEL_CONCURRENCY", 16, lambda raw: parse_int(raw, low=1, high=512)),
        # How trained models were taught to read: "brief" for the embedded apprentice, "full" for one that knows English.
        # Whether the model also reads what is said at tables where it speaks; the engine decides what of that counts.
        model_reads=get("MODEL_READS", False, parse_bool),
        model_style=get("MODEL_STYLE", "full", _style),
        model_note=get("MODEL_NOTE", "", str),
        # Adapters that find a persona's words, as in "shark=shark-voice"; who has none is voiced by MODEL_NAME.
        model_voices=get("MODEL_VOICES", {}, parse_pairs),
        # The least share of the zone that makes a person's deal an example to learn from.
        harvest_share=get("PARLAY_HARVEST_SHARE", 0.60, lambda raw: parse_number(raw, low=0, high=1)),
        # A person who took more than this of the zone from a trained model has beaten it.
        exploit_share=get("PARLAY_EXPLOIT_SHARE", 0.50, lambda raw: parse_number(raw, low=0, high=1)),
        # Training has an environment of its own: this one never loads torch.
        trainer_python=get("TRAINER_PYTHON", str(ROOT / ".venv-train" / "bin" / "python"), str),
        # What the gate measures and how much may be lost, as TOML; without a file its defaults stand.
        gate_config=get("PARLAY_GATE_CONFIG", "", str),
        # How a run learns moves, as TOML (a large base wants a far lower rate than the apprentice); else the usual way.
        learn_config=get("PARLAY_LEARN_CONFIG", "", str),
        play_config=get("PARLAY_PLAY_CONFIG", "", str),
        # What the disk must have left, whatever is trained; a run that would eat into it stops.
        disk_reserve_mb=get("PARLAY_DISK_RESERVE_MB", 1000, lambda raw: parse_int(raw, low=0, high=10**9)),
        # The most that everything of the trainer may take; 0 for no limit but the disk's.
        flywheel_quota_mb=get("PARLAY_FLYWHEEL_QUOTA_MB", 0, lambda raw: parse_int(raw, low=0, high=10**9)),
        # What a run is expected to write: asked for before it starts.
        run_needs_mb=get("PARLAY_RUN_NEEDS_MB", 200, lambda raw: parse_int(raw, low=0, high=10**9)),
        # Where spans go, as OpenTelemetry names it; without one nothing is traced.
        traces_to=get("OTEL_EXPORTER_OTLP_ENDPOINT", "", parse_http_url),
        traces_headers=get("OTEL_EXPORTER_OTLP_HEADERS", {}, parse_pairs),
        traces_share=get("PARLAY_TRACES_SHARE", 1.0, lambda raw: parse_number(raw, low=0, high=1)),
        # A backup is kept and rehearsed each night, so many of them.
        backup_dir=get("PARLAY_BACKUP_DIR", "", str),
        backups_kept=get("PARLAY_BACKUPS_KEPT", 7, lambda raw: parse_int(raw, low=1, high=365)),
        # Files of runs that nothing refers to go so many days after their end; their rows stay.
        runs_kept_days=get("PARLAY_RUNS_KEPT_DAYS", 90, lambda raw: parse_int(raw, low=1, high=3650)),
        # Where examples and the files of runs are kept, when workers elsewhere are to have them; else in PARLAY_VAR.
        artefacts=get("PARLAY_ARTEFACTS", "", parse_artefacts),
        # Of an S3 that is not Amazon's. Without keys boto3 looks where it always does, a pod's own role among it.
        artefacts_endpoint=get("PARLAY_ARTEFACTS_ENDPOINT", "", parse_http_url),
        aws_access_key_id=get("AWS_ACCESS_KEY_ID", "", str),
        aws_secret_access_key=get("AWS_SECRET_ACCESS_KEY", "", str),
        aws_region=get("AWS_REGION", "", str),
        # Who works a run: a worker of the queue "training", or a Job of the cluster that this process runs in.
        trains_on=get("PARLAY_TRAINS_ON", "queue", _trains_on),
        # The Job of one run, as the chart writes it for the worker.
        training_job=get("PARLAY_TRAINING_JOB", "", str),
        # The file that a worker touches while it lives, for parlay_web.health; without a name, none.
        heartbeat=get("PARLAY_HEARTBEAT", "", str),
        # Whether this worker sends what is due on the schedule; exactly one does.
        clock=get("PARLAY_CLOCK", False, parse_bool),
        # Whose word on where a request comes from is taken: addresses, networks, names.
        trusted_proxies=get("TRUSTED_PROXIES", (), parse_list),
        # The process that makes pages, where that is another one: unix:/path/of.sock or http://host:port.
        pages_at=get("PAGES_AT", "", parse_neighbour),
        # Whether anybody may open an account; invitations work either way.
        signup=get("PARLAY_SIGNUP", True, parse_bool),
        # Whether an account opens only once its address was proved by a letter.
        verify_email=get("PARLAY_VERIFY_EMAIL", False, parse_bool),
        quotas=get("PARLAY_QUOTAS", dict(QUOTAS), lambda raw: parse_counts(raw, known=QUOTAS)),
        # Whether staff show a code of their telephone before the pages of staff open.
        second_factor=get("PARLAY_SECOND_FACTOR", False, parse_bool),
    )
