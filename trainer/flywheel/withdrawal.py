"""Taking examples back: the words go at once, the figures stay, and what learnt from them can be named."""

from __future__ import annotations

import uuid

import structlog
from django.db import transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery

from accounts.models import Consent, User
from trainer.flywheel import store, twins
from trainer.flywheel.harvest import FOLDER
from trainer.flywheel.models import Episode

log = structlog.get_logger(__name__)

WITH_WORDS = (Episode.State.TAKEN, Episode.State.EXCLUDED)


def people_refusing() -> QuerySet[User]:
    """Everybody whose last answer is a no, who never gave one, or who is gone.

    Somebody who said yes to an earlier wording is not among them: their examples wait, unused, for an answer.
    """
    latest = Consent.objects.filter(user=OuterRef("pk")).order_by("-id").values("granted")[:1]
    return User.objects.annotate(last_answer=Subquery(latest)).filter(
        Q(is_active=False) | Q(last_answer=False) | Q(last_answer=None)
    )


def episodes_to_withdraw() -> QuerySet[Episode]:
    """Examples with words that may not be kept any more."""
    must_go = Q(game__player__in=people_refusing()) | Q(game__redaction__isnull=False)
    return Episode.objects.filter(must_go, state__in=WITH_WORDS)


@transaction.atomic
def person_withdraw(*, user_id: int) -> int:
    """Take back what this person's consent does not cover any more; how many episodes that was."""
    User.objects.select_for_update().filter(pk=user_id).first()
    return sum(
        map(_withdraw, episodes_to_withdraw().filter(game__player=user_id).select_for_update(of=("self",)))
    )


@transaction.atomic
def game_withdraw(*, game_id: uuid.UUID) -> int:
    """Take back a game whose words were deleted."""
    return sum(map(_withdraw, episodes_to_withdraw().filter(game=game_id).select_for_update(of=("self",))))


def withdraw_what_must_go() -> int:
    """Everything that should have gone already: somebody was killed between the wish and the deed."""
    players = episodes_to_withdraw().values_list("game__player", flat=True).distinct()
    return sum(person_withdraw(user_id=user_id) for user_id in list(players) if user_id is not None)


def _withdraw(episode: Episode) -> int:
    """Empty the row now, delete the file once that is certain."""
    game = episode.game
    if game is None:
        return 0
    if not game.player.is_active:
        episode.why = Episode.Why.ACCOUNT
    elif hasattr(game, "redaction"):
        episode.why = Episode.Why.REDACTED
    else:
        episode.why = Episode.Why.CONSENT
    name, episode.file = episode.file, ""
    episode.state = Episode.State.WITHDRAWN
    episode.signature = None
    episode.note = ""
    episode.save()
    twins.forget(episode)
    transaction.on_commit(lambda: store.remove(name), robust=True)
    log.info("episode_withdrawn", episode=str(episode.pk), why=episode.why)
    return 1


def tidy() -> int:
    """Take away files that no row names: of killed processes, and of rows that were withdrawn; how many."""
    gone = store.sweep_partial(FOLDER)
    named = set(Episode.objects.exclude(file="").values_list("file", flat=True))
    for name in store.names(FOLDER):
        if name not in named and store.is_forgotten(name):
            store.remove(name)
            gone += 1
    return gone
