"""What operators watch: open sockets, the time a turn takes, how late an event reaches a socket."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

open_sockets = Gauge("parlay_open_sockets", "WebSockets open in this process", ["role"])
turn_seconds = Histogram(
    "parlay_turn_seconds",
    "Seconds from a player's action to the persona's complete reply in the log",
    buckets=(0.005, 0.01, 0.02, 0.03, 0.045, 0.06, 0.1, 0.25, 0.5, 1, 2.5, 5, 15),
)
event_lag_seconds = Histogram(
    "parlay_event_lag_seconds",
    "Seconds from the writing of an event to its sending on a socket",
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15),
)
first_words_seconds = Histogram(
    "parlay_first_words_seconds",
    "Seconds from asking a model for a reply to its first words on the table",
    buckets=(0.025, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1, 1.5, 2.5, 5, 10),
)
model_turns = Counter(
    "parlay_model_turns",
    "Turns that a model should have spoken, by what became of them: spoke, refused, given_up, away",
    ["how"],
)
frames_refused = Counter("parlay_frames_refused", "Client frames answered with an error", ["code"])
