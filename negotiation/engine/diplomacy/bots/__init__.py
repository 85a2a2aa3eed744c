"""Players without a model: hold, random, DumbBot, and a DumbBot that reads press and remembers."""

from collections.abc import Callable

from negotiation.engine.diplomacy.bots.base import Bot
from negotiation.engine.diplomacy.bots.dumbbot import DumbBot
from negotiation.engine.diplomacy.bots.envoy import EnvoyBot
from negotiation.engine.diplomacy.bots.simple import HoldBot, RandomBot
from negotiation.engine.diplomacy.bots.trusting import TrustingBot

BOTS: dict[str, Callable[[], Bot]] = {
    "hold": HoldBot,
    "random": RandomBot,
    "dumbbot": DumbBot,
    "trusting": TrustingBot,
    "envoy": EnvoyBot,
}
"""By name, each made without arguments."""

__all__ = ["BOTS", "Bot", "DumbBot", "EnvoyBot", "HoldBot", "RandomBot", "TrustingBot"]
