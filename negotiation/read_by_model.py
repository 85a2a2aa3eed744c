"""The words of a move read by a model too, at tables where one speaks and the settings have it read (``MODEL_READS``).

It is asked before the move is taken, while no lock is held; what it proposes counts as far as the engine lets it
(``engine.deal.listening.proposed``), and where it says nothing usable in time the move is heard as ever. What was heard is
on the log with the move, so that nothing of it is asked again.
"""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import dataclass

from django.conf import settings

from negotiation import catalogue, seating
from negotiation.engine.deal.case.declared import SeatCase
from negotiation.engine.deal.listening import Listening
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.types import OTHER_SEAT
from negotiation.models import Event, Game
from negotiation.selectors import seat_of
from negotiation.table.threads import in_database

READ_SECONDS = 3.0
"""The most that a person waits for a reader before their move is taken."""


@dataclass(frozen=True, slots=True)
class _Table:
    """What a reader has to know of a table: nothing that the speaker does not."""

    model: str
    scenario: Scenario
    speaker: SeatCase
    listener: SeatCase
    told: tuple[str, ...]
    raised: tuple[str, ...]
    last_line: str


async def read_by_model(game_id: uuid.UUID, text: str) -> Listening | None:
    """What the words do, as both readers hear it; ``None`` where no model reads at this table or it could not."""
    if not (settings.MODEL_READS and seating.may_talk() and text.strip()):
        return None
    table = await in_database(_table, game_id)
    if table is None:
        return None
    from negotiation.opponents.listener import ModelListener

    heard = await ModelListener(seating.client(), table.model).listen(
        text,
        speaker=table.speaker,
        listener=table.listener,
        told=table.told,
        raised=table.raised,
        last_line=table.last_line,
        settled=table.scenario.speaks_of,
        game=str(game_id),
        until=asyncio.get_running_loop().time() + READ_SECONDS,
    )
    return heard.listening if heard.model else None


def _table(game_id: uuid.UUID) -> _Table | None:
    game = Game.objects.filter(pk=game_id, status=Game.Status.LIVE, awaiting_reply=False).first()
    if game is None or game.opponent == Game.Opponent.STRATEGIC:
        return None
    case = catalogue.case_for(game)
    if case is None:
        return None
    said = Event.objects.filter(game=game, type="opponent_moved").order_by("seq")
    answers = list(said.values_list("data", flat=True))
    seat = seat_of(game)
    return _Table(
        game.opponent_model,
        catalogue.for_game(game),
        case.seats[seat],
        case.seats[OTHER_SEAT[seat]],
        tuple(each["id"] for answer in answers for each in answer.get("told", ())),
        tuple(each["id"] for answer in answers for each in answer.get("raised", ())),
        answers[-1]["text"] if answers else "",
    )
