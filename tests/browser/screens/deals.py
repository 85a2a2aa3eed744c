"""Deals as pictures need them: code for the clerk of an installation, which prints the deal's key first."""

from __future__ import annotations

from typing import Final

_REP: Final = """
import uuid
from accounts.models import User
from accounts.selectors import team_of
from negotiation import sessions
from negotiation.kind import DEALS
from negotiation.models import Redaction
from negotiation.services import game_accept, game_create, game_mark_assisted, game_walk_away
from negotiation.table.forgetting import redact
from tests.practice import _answered, give_away, play_out, review_now
from tests.web.moves import act, submit
rep = User.objects.get(email="rep@demo.local")

def sit(seed, persona="diplomat", scenario="saas_enterprise"):
    return game_create(player=rep, team=team_of(rep), scenario=scenario, persona=persona, seat="seller", seed=seed)

def talk(game, *moves):
    for offer, words in moves:
        if game.is_live:
            submit(game, act(offer, text=words))
            _answered(game)
    return game

def walk(game):
    game_walk_away(game_id=game.id, player=rep, action_id=uuid.uuid4())
    _answered(game)
    return game

def take(game):
    if game.is_live:
        standing = sessions.rebuild(game).observe().standing_offer
        game_accept(game_id=game.id, player=rep, action_id=uuid.uuid4(), offer=standing)
        _answered(game)
    return game
"""
_INSULTS: Final = '(178_000.0, "You are an idiot, and your offer is a joke.")'
REVIEW: Final = """
from negotiation.models import Game
from tests.practice import review_now
review_now(Game.objects.get(pk="{game}"))
"""
LESSONS: Final = """
from negotiation.diplomacy.lessons.services import LESSON
from negotiation.diplomacy.models import AllianceLesson
from owed import services as owed
for row in AllianceLesson.objects.filter(state="waiting"):
    owed.do(LESSON, row.pk)
"""
HOT: Final = f"{_REP}\nprint(talk(sit(3, 'veteran'), {_INSULTS}, {_INSULTS}, {_INSULTS}).pk)"
WAITING: Final = (
    f'{_REP}\nprint(talk(sit(3), (178_000.0, "We start at 178. Which sites are hardest to run?")).pk)'
)
DEBRIEFS: Final = {
    "deal": _REP + "game = give_away(rep)\nreview_now(game)\nprint(game.pk)",
    "terms": _REP
    + """
game = play_out(rep, seed=4, strategy="conceder", scenario="software_licensing", persona="diplomat")
review_now(game)
print(game.pk)
""",
    "without-a-fault": _REP
    + """
game = play_out(rep, seed=1, strategy="expert", scenario="hiring_package", persona="diplomat")
review_now(game)
print(game.pk)
""",
    "right": _REP
    + """
game = walk(talk(sit(2), (178_000.0, "Which sites are hardest to run?")))
review_now(game)
print(game.pk)
""",
    "missed": _REP
    + """
game = walk(talk(sit(6), (178_000.0, "Which sites are hardest to run?")))
review_now(game)
print(game.pk)
""",
    "beyond": _REP
    + """
game = take(talk(sit(6, "shark"), (120_000.0, "We can do 120."), (90_000.0, "Then 90."), (60_000.0, "And 60.")))
review_now(game)
print(game.pk)
""",
    "computing": _REP + "print(give_away(rep).pk)",
    "wordless": _REP
    + """
game = give_away(rep)
review_now(game)
redact(DEALS, game.pk, reason=Redaction.Reason.REQUEST, by=rep)
print(game.pk)
""",
    "coached": _REP
    + """
game = sit(5, "shark")
game_mark_assisted(game_id=game.id, reason="hint")
take(talk(game, (178_000.0, "We start at 178."), (165_000.0, "We can do 165 if you sign this week.")))
review_now(game)
print(game.pk)
""",
}
"""The cases of a debrief, by name."""
