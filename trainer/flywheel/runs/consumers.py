"""The socket of a run's page: what changes by itself, as often as the worker says that something did."""

from __future__ import annotations

import uuid

from django.contrib.sessions.backends.db import SessionStore
from django.template.loader import render_to_string

from accounts import second_factor
from accounts.models import User
from negotiation.table import wire
from negotiation.table.parts import Drawn, PartSocket
from negotiation.table.sockets import Denied
from trainer.flywheel.runs.models import TrainingRun


class RunSocket(PartSocket):
    """``/ws/trainer/runs/<id>/``: open to staff."""

    def draw(self, user: User, session_key: str, pinged: frozenset[uuid.UUID] | None) -> Drawn:
        """What a run has come to."""
        # The page's context; imported late, since views import the sockets' neighbours.
        from trainer.flywheel.views.runs import now_of

        if second_factor.is_missing(user, SessionStore(session_key)):
            raise Denied(wire.NOT_YOURS, "second_factor", "Show your second factor, then come back.")
        run_id: uuid.UUID = self.scope["url_route"]["kwargs"]["run_id"]
        run = TrainingRun.objects.select_related("start", "candidate", "champion").filter(pk=run_id).first()
        if run is None or not user.is_staff:
            raise Denied(wire.NO_SUCH_GAME, "no_such_run", "There is no such run.")
        html = render_to_string("trainer/_run_now.html", now_of(run))
        return Drawn(html, run.is_open, frozenset((run_id,)))
