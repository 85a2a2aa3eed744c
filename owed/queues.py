"""Queues of the workers, by how soon somebody misses what lies in them.

One worker takes ``urgent`` alone, so that a flood of reviews delays neither a turn nor a deadline; one takes the rest, a
queue only when those before it are empty; training has a worker of its own, so that hours of it hold up nothing. A worker
that is told no queue takes all but training, in the same order.
"""

from __future__ import annotations

URGENT = "urgent"
"""Somebody at a table waits, or a deadline has come: turns whose process died, phases, handing out what nobody took."""
USUAL = "celery"
"""Short, and looked for soon: what follows from a deal's end, letters, models that were promoted. Celery's own name."""
AWAITED = "awaited"
"""Seconds of work that somebody waits for at an open page."""
REVIEWS = "reviews"
"""Reviews of deals that have just ended, whose page nobody has opened yet."""
REST = "rest"
"""What may take until the machine has nothing better to do: archives, purges, what was missed."""
TRAINING = "training"

ORDER = (URGENT, USUAL, AWAITED, REVIEWS, REST)
BY_WORKER = {"urgent": (URGENT,), "worker": (USUAL, AWAITED, REVIEWS, REST), "training": (TRAINING,)}
"""Who takes what where each has a process of its own."""

_TASKS = {
    URGENT: (
        "owed.tasks.sweep",
        "negotiation.tasks.resume_stuck_turns",
        "negotiation.pairs.tasks.sweep_pairs",
        "negotiation.diplomacy.tasks.close_overdue_phases",
    ),
    AWAITED: ("coaching.skills.tasks.deal_drill",),
    REST: (
        "negotiation.tasks.abandon_idle_games",
        "coaching.room.tasks.furnish_sample",
        "coaching.room.tasks.purge_transcripts",
        "coaching.skills.tasks.learn_what_is_owed",
        "trainer.flywheel.tasks.harvest_what_is_owed",
        "trainer.flywheel.tasks.let_go_of_runs",
    ),
    TRAINING: ("trainer.flywheel.tasks.train",),
}
ROUTES = {task: {"queue": queue} for queue, tasks in _TASKS.items() for task in tasks}
"""What is not named here goes to ``USUAL``; a kind of owed work names its own (``owed.kinds.Work.queue``)."""
