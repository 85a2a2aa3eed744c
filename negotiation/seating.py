"""Who sits across in a game: from its row and the settings to an opponent.

The one place of the web side that knows that models exist. Without a model server nothing of what talks to one is
imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings

from negotiation.models import Game
from negotiation.opponents import Account, Answer, Kind, Opponent, StrategicOpponent

if TYPE_CHECKING:
    from negotiation.opponents.client import ModelClient, Server
    from negotiation.opponents.health import ServerHealth

_STRATEGIC = StrategicOpponent()
_client: ModelClient | None = None


def may_talk() -> bool:
    """Whether a model server is configured."""
    return bool(settings.MODEL_URL)


def get_ready() -> None:
    """Load what talks to a model server and judges what it says, where one is configured: better at a process's start
    than in somebody's first turn."""
    if may_talk():
        from negotiation.opponents.client import load_library
        from negotiation.opponents.guard import load_rules

        load_library()
        load_rules()


def usual_model(opponent: str) -> str:
    """The model that speaks where a game names none; empty for the strategist."""
    return "" if opponent == Game.Opponent.STRATEGIC else settings.MODEL_NAME


def opponent_of(game: Game) -> Opponent:
    """Who answers in ``game``; the strategist where the game says so, or where no server is configured any more."""
    if game.opponent == Game.Opponent.STRATEGIC or not may_talk():
        return _STRATEGIC
    from negotiation.opponents.narrated import NarratedOpponent
    from negotiation.opponents.negotiator import NegotiatorOpponent

    if game.opponent == Game.Opponent.NARRATED:
        return NarratedOpponent(client(), game.opponent_model)
    return NegotiatorOpponent(client(), game.opponent_model, settings.MODEL_STYLE)


def answer_without(game: Game, *, why: str) -> Answer:
    """The strategist's answer where nobody else gave one: as a stand-in where a model should have spoken."""
    if game.opponent == Game.Opponent.STRATEGIC:
        return Answer()
    kind: Kind = "narrated" if game.opponent == Game.Opponent.NARRATED else "negotiator"
    return Answer(account=Account(kind, game.opponent_model, stand_in=True, why=why))


def client() -> ModelClient:
    """This process's connection to the model server.

    Raises:
        RuntimeError: where none is configured.
    """
    global _client
    if not may_talk():
        raise RuntimeError("MODEL_URL is not set")
    if _client is None or _client.server != _server():
        _client = new_client()
    return _client


def new_client() -> ModelClient:
    """A connection for one event loop's own use, which closes it: for work of a worker that ends by itself."""
    from negotiation.opponents.client import ModelClient

    return ModelClient(_server())


def _server() -> Server:
    from negotiation.opponents.client import Server

    return Server(
        url=settings.MODEL_URL,
        api_key=settings.MODEL_API_KEY,
        turn_seconds=settings.MODEL_TURN_SECONDS,
        concurrency=settings.MODEL_CONCURRENCY,
    )


def health() -> ServerHealth | None:
    """How the model server fares, as this process sees it; ``None`` before it was ever asked."""
    return None if _client is None else _client.health()
