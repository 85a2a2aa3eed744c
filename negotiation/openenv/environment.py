"""The deal as an OpenEnv environment: ``reset``, ``step``, ``state``."""

from __future__ import annotations

import secrets
import uuid
from dataclasses import fields
from functools import cache
from typing import Any

from openenv.core.env_server import Environment
from openenv.core.env_server.types import EnvironmentMetadata

from negotiation.engine.deal import CARDS, OTHER_SEAT, ActionRefused, Negotiation, Seat, personas, scenarios
from negotiation.engine.deal.case.labels import ACT_WORDS, OPENING_QUESTIONS, TOPIC_WORDS
from negotiation.openenv.models import DealAction, DealObservation, DealState
from negotiation.openenv.tables import Setup, SetupRefused, Turn, first_turn, next_turn
from parlay_web.version import VERSION

NAME = "parlay"
DESCRIPTION = (
    "A business negotiation under hidden information against an opponent that plays to win: prices, terms, claims "
    "that may be bluffs, news that moves limits, and a reward for the deal and for reading the other side."
)
MAX_EPISODE_ID = 255
DRAWN_SEED_BITS = 62
PARAMETERS = tuple(field.name for field in fields(Setup))


class DealEnvironment(Environment[DealAction, DealObservation, DealState]):
    """One table. Refusals raise and change nothing; an episode goes on after them."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._setup: Setup | None = None
        self._game: Negotiation | None = None
        self._name: str | None = None
        self._steps = 0

    def reset(
        self, /, seed: int | None = None, episode_id: str | None = None, **parameters: Any
    ) -> DealObservation:
        """Set up a deal; a running one is left. See :meth:`deal`."""
        return DealObservation.of(*self.deal(seed, episode_id, **parameters))

    def step(self, action: DealAction, timeout_s: float | None = None, **_: Any) -> DealObservation:
        """Play one move and hear the answer to it. A move is never cut short, so ``timeout_s`` is not used.

        Raises:
            ActionRefused: when the move cannot be taken; nothing has changed then.
        """
        return DealObservation.of(*self.play(action))

    def deal(
        self, /, seed: int | None = None, episode_id: str | None = None, **parameters: Any
    ) -> tuple[Turn, dict[str, Any]]:
        """Set up a deal; what its player is told, and what stands beside it as metadata.

        Args:
            seed: reproduces the episode. Drawn where absent, and told once the deal has ended.
            episode_id: the caller's name for the episode; made up where absent.
            parameters: as in :class:`~negotiation.openenv.tables.Setup`.

        Raises:
            SetupRefused: when no such deal can be set up, or a parameter is not known; the running one stands.
        """
        unknown = sorted(set(parameters) - set(PARAMETERS))
        if unknown:
            known = ", ".join(("episode_id", *PARAMETERS))
            raise SetupRefused("unknown_parameter", f"reset takes {known}.", unknown[0])
        setup = Setup(secrets.randbits(DRAWN_SEED_BITS) if seed is None else seed, **parameters)
        name = str(uuid.uuid4()) if episode_id is None else _checked_name(episode_id)
        game = setup.deal()
        self._setup, self._game, self._name, self._steps = setup, game, name, 0
        return first_turn(game), {
            "episode_id": name,
            "deal": brief(game.scenario.id, game.seat, game.persona.id) | sheet_of(game),
        }

    def play(self, action: DealAction) -> tuple[Turn, dict[str, Any]]:
        """Play one move; what its player is told, and what stands beside it as metadata.

        Raises:
            ActionRefused: when the move cannot be taken; nothing has changed then.
        """
        if self._game is None or self._setup is None:
            raise ActionRefused("no_episode", "Reset first. Episodes live on the WebSocket, one for each.")
        turn = next_turn(self._game, self._game.step(action.to_engine()), self._setup.rewards)
        self._steps += 1
        return turn, {"seed": self._setup.seed} if turn.done else {}

    @property
    def state(self) -> DealState:
        """Where the episode stands; nothing hidden."""
        if self._game is None or self._setup is None:
            return DealState()
        seen = self._game.observe()
        return DealState(
            episode_id=self._name,
            step_count=self._steps,
            scenario=self._setup.scenario,
            persona=self._setup.persona,
            seat=self._game.seat,
            difficulty=self._setup.difficulty,
            turn=seen.turn,
            horizon=self._game.horizon,
            done=seen.done,
        )

    def get_metadata(self) -> EnvironmentMetadata:
        """What this environment is called and does."""
        return EnvironmentMetadata(name=NAME, description=DESCRIPTION, version=VERSION, author="Parlay")


@cache
def brief(scenario_id: str, seat: Seat, persona_id: str) -> dict[str, Any]:
    """What is known of a deal before it starts: what a person reads before sitting down. Not to be changed."""
    scenario, persona = scenarios()[scenario_id], personas()[persona_id]
    spec = scenario.seats[seat]
    return {
        "title": scenario.title,
        "summary": scenario.summary,
        "role": spec.role,
        "brief": spec.brief,
        "goals": list(spec.goals),
        "currency": scenario.currency,
        "per": scenario.per_label,
        "price_step": scenario.step,
        "plausible_prices": [scenario.plausible_low, scenario.plausible_high],
        "issues": [
            {
                "id": issue.id,
                "title": issue.title,
                "options": [{"id": option.id, "label": option.label} for option in issue.options],
            }
            for issue in scenario.issues
        ],
        "sweeteners": [sweetener.name for sweetener in scenario.sweeteners_of(seat)],
        "cards": [{"id": card.id, "cost": card.cost, "hint": card.hint} for card in CARDS.values()],
        "opponent": {"name": persona.name, "title": persona.title, "tagline": persona.tagline},
    }


def sheet_of(game: Negotiation) -> dict[str, Any]:
    """What its author gave the player to say, to answer and never to claim; nothing where there is no case.

    What the game has drawn of it stands in the observation's ``sheet``.
    """
    if game.case is None:
        return {}
    side = game.case.seats[game.seat]
    return {
        "case": {
            "arguments": [
                {
                    "id": each.id,
                    "topic": each.topic,
                    "says": each.says,
                    "proof": each.proof,
                    "sweetener": each.sweetener,
                }
                for each in side.arguments
            ],
            "never_claim": [{"id": each.id, "topic": each.topic, "says": each.says} for each in side.never],
            "answers": dict(side.answers),
            "needs": {each.id: each.says for each in side.needs},
            "questions": dict(OPENING_QUESTIONS[OTHER_SEAT[game.seat]]),
            "topics": dict(TOPIC_WORDS),
            "acts": dict(ACT_WORDS),
        }
    }


def _checked_name(episode_id: object) -> str:
    if (
        not isinstance(episode_id, str)
        or not 0 < len(episode_id) <= MAX_EPISODE_ID
        or not episode_id.isprintable()
    ):
        raise SetupRefused(
            "bad_episode_id", f"episode_id must be 1 to {MAX_EPISODE_ID} printable characters.", "episode_id"
        )
    return episode_id
