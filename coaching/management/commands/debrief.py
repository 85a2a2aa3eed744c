"""``manage.py debrief GAME --json``: the whole debrief of a finished game."""

from __future__ import annotations

import json
import sys
import uuid
from argparse import ArgumentParser
from typing import Any, NoReturn

from django.core.management.base import BaseCommand

from coaching.cases.pages import lessons_of
from coaching.reviews.selectors import review_of
from coaching.selectors import debrief_of
from negotiation.models import Game
from negotiation.selectors import snapshot_of


class Command(BaseCommand):
    """Prints one JSON object on stdout; with bad input one line on stderr and exit status 2."""

    help = "Print the debrief of a finished game."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The game, and JSON for programs."""
        parser.add_argument("game", help="the id of a finished game")
        parser.add_argument("--json", action="store_true", help="one object on one line, for programs")

    def handle(self, *args: Any, **options: Any) -> None:
        """Find the game, debrief it, print it."""
        game = self._game(options["game"])
        self.stdout.write(json.dumps(_whole(game), indent=None if options["json"] else 2))

    def _game(self, raw: str) -> Game:
        try:
            game = Game.objects.filter(pk=uuid.UUID(raw)).first()
        except ValueError:
            self._refuse(f"game: {raw!r} is not the id of a game")
        if game is None:
            self._refuse(f"game: there is no game {raw}")
        if game.status != Game.Status.FINISHED:
            self._refuse(f"game: {raw} is {game.status}, only a finished game has a debrief")
        return game

    def _refuse(self, message: str) -> NoReturn:
        self.stderr.write(message)
        sys.exit(2)


def _whole(game: Game) -> dict[str, Any]:
    """The debrief with the move review, once the worker has made it, and with what the page makes of both."""
    debrief = debrief_of(game)
    lessons = lessons_of(game, debrief, snapshot_of(game.pk, "coach")["transcript"])
    return {
        **debrief,
        "review": review_of(game.pk),
        "expert": lessons["expert"],
        "story": lessons["story"],
        "rewrites": lessons["rewrites"],
        "advice": dict(lessons["advice"]),
    }
