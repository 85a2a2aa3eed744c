"""What goes over the wire: the action, the observation and the state, as the ``openenv`` library wants them.

The fields are the engine's own (``engine/deal/types.py``), and a test keeps them so. Whatever is not named here is
refused on the way in; whatever is hidden has no field on the way out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from openenv.core.env_server import Action as BaseAction
from openenv.core.env_server import Observation as BaseObservation
from openenv.core.env_server import State as BaseState
from pydantic import BaseModel, ConfigDict, Field

from negotiation.engine.deal import Action, Belief, CardId, Headline, LimitMove, Move, Reply, Seat, SeatTruth
from negotiation.engine.deal.case.acts import Act, Talk, Topic
from negotiation.engine.deal.case.state import Sheet, ToldFact
from negotiation.engine.deal.issues import Package
from negotiation.engine.deal.types import TensionBand
from negotiation.openenv.tables import Earned, Ending, Turn


class StatedBelief(BaseModel):
    """What you believe of the other side. A part left out is not stated; none of it is ever shown to them."""

    model_config = ConfigDict(extra="forbid", strict=True)

    walk_away: float | None = Field(None, description="The worst price they would take, in money.")
    budget: float | None = Field(None, description="Their hard limit, in money.")
    urgency: float | None = Field(None, description="How pressed they are, from 0 to 1.")
    p_alternative: float | None = Field(None, description="The probability that they have an alternative.")
    confidence: float = Field(0.5, description="How sure you are, from 0 to 1.")


class OfferedPackage(BaseModel):
    """A price with its terms; an issue that is not named keeps its first option."""

    model_config = ConfigDict(extra="forbid", strict=True)

    price: float
    terms: dict[str, str]


class TalkMove(BaseModel):
    """One thing done with words, where a case lies behind the deal."""

    model_config = ConfigDict(extra="forbid", strict=True)

    act: Act
    topic: Topic | None = Field(None, description="What it is about; questions and labels need one.")
    id: str | None = Field(
        None,
        description="An argument, a claim or a fact of your own sheet; or a fact of theirs that is asked about.",
    )


class DealAction(BaseAction):
    """One move. ``offer`` binds; ``text`` never does by itself. Money in whole currency units."""

    model_config = ConfigDict(extra="forbid", strict=True)

    text: str = Field("", description="What you say, up to 2,000 characters.")
    offer: float | None = Field(None, description="The price you put on the table.")
    card: CardId | None = Field(None, description="A tactical card to play; the observation lists yours.")
    belief: StatedBelief | None = Field(None, description="Your estimate of the other side; it is graded.")
    claim: float | None = Field(None, description="The limit you state with the card batna_reveal.")
    challenge: bool | None = Field(None, description="Call their open claim; null lets your words decide.")
    event_estimate: float | None = Field(
        None, description="Relative effect of the pending headline on their limit, from -1 to 1."
    )
    accept: bool = Field(False, description="Take their standing offer; ends the deal.")
    walk_away: bool = Field(False, description="Leave; ends the deal.")
    terms: dict[str, str] | None = Field(None, description="Terms that go with the offer: issue to option.")
    alternatives: list[OfferedPackage] = Field(
        default_factory=list, description="Up to two further packages beside the offer."
    )
    talk: list[TalkMove] = Field(
        default_factory=list,
        description="What your words do, up to four things; only where the deal was set up with its case.",
    )

    def to_engine(self) -> Action:
        """The same move as the engine takes it."""
        return Action(
            text=self.text,
            offer=self.offer,
            card=self.card,
            belief=None if self.belief is None else Belief(**self.belief.model_dump()),
            claim=self.claim,
            challenge=self.challenge,
            event_estimate=self.event_estimate,
            accept=self.accept,
            walk_away=self.walk_away,
            terms=self.terms,
            alternatives=tuple(Package(each.price, each.terms) for each in self.alternatives),
            talk=tuple(Talk(each.act, each.topic, each.id) for each in self.talk),
        )


class DealObservation(BaseObservation):
    """All that you may see, after each move and before the first."""

    scenario: str
    persona: str
    seat: Seat
    turn: int
    horizon: int
    own: SeatTruth = Field(description="Your own limits, and what each option is worth to you.")
    transcript: tuple[Move, ...]
    own_offer: float | None
    standing_offer: float | None = Field(description="Their price on the table; accept takes it.")
    open_claim: float | None = Field(description="A limit they have stated and you have not called.")
    tension: float
    tension_band: TensionBand
    zopa_width_pct_remaining: float = Field(
        description="Per cent of the scenario's usual width that conflict has left."
    )
    credibility_points: int
    credibility_cap: int
    cards: tuple[CardId, ...] = Field(description="Cards that you can play now.")
    sweeteners_left: int
    headlines: tuple[Headline, ...]
    pending_estimate: str | None = Field(description="The headline whose effect you are asked for, if any.")
    last_belief: Belief | None
    own_terms: dict[str, str]
    standing_terms: dict[str, str]
    own_worth: float | None = Field(description="What your package is worth to you, as a price.")
    standing_worth: float | None = Field(description="What their package is worth to you, as a price.")
    limit_moves: tuple[LimitMove, ...] = Field(
        (), description="What moved your own limit when the last turn closed: news, by its id, or conflict."
    )
    told: tuple[ToldFact, ...] = Field(
        (), description="What they have told of themselves; a lie looks like anything else."
    )
    sheet: Sheet | None = Field(
        None, description="Your own facts and needs, and the ids of the objections that they have raised."
    )
    reply: Reply | None = Field(description="Their answer to your move, or their opening words.")
    reward_terms: tuple[Earned, ...] = Field(
        description="The reward by name. For learning; a policy should not read it."
    )
    ending: Ending | None = Field(description="How the deal ended, once it has.")

    @classmethod
    def of(cls, turn: Turn, metadata: dict[str, Any]) -> DealObservation:
        """A turn as it goes over the wire. It comes from the engine, so nothing is checked again."""
        seen = turn.observation
        return cls.model_construct(
            **{name: getattr(seen, name) for name in VIEW_FIELDS},
            reply=turn.reply,
            reward_terms=turn.reward_terms,
            ending=turn.ending,
            reward=turn.reward,
            metadata=metadata,
        )


VIEW_FIELDS = tuple(
    name
    for name in DealObservation.model_fields
    if name not in {"reply", "reward_terms", "ending", "reward", "metadata"}
)
"""Those of the engine's own observation."""
SHOWN = tuple(name for name in VIEW_FIELDS if name != "done")
"""Those inside ``observation`` on the wire; whether it is done stands beside them."""


class Written:
    """The transcript of one episode as it goes over the wire. It only ever grows, so each move is written once."""

    def __init__(self) -> None:
        self._moves: list[bytes] = []
        self._count = 0

    def up_to(self, transcript: Sequence[Move]) -> orjson.Fragment:
        """All moves of ``transcript``, of which those that were written before stand first."""
        if len(transcript) > self._count:
            self._moves.append(_json(transcript[self._count :])[1:-1])
            self._count = len(transcript)
        return orjson.Fragment(b"[" + b",".join(self._moves) + b"]")


def observation_frame(turn: Turn, metadata: dict[str, Any], written: Written) -> str:
    """The frame that the library makes of :meth:`DealObservation.of`, written in one pass instead of four.

    A test holds the two against each other. ``written`` is that of the episode, from its first frame on.
    """
    seen = turn.observation
    shown = {name: getattr(seen, name) for name in SHOWN}
    shown |= {
        "transcript": written.up_to(seen.transcript),
        "reply": turn.reply,
        "reward_terms": turn.reward_terms,
        "ending": turn.ending,
        "metadata": metadata,
    }
    data = {"observation": shown, "reward": turn.reward, "done": seen.done}
    if metadata:
        data["metadata"] = metadata
    frame = {"type": "observation", "data": data}
    return _json(frame).decode()


def _json(part: object) -> bytes:
    return orjson.dumps(part, default=_as_object, option=orjson.OPT_SERIALIZE_NUMPY)


def _as_object(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"no {type(value).__name__} goes over the wire")


class DealState(BaseState):
    """Where the episode stands. Public facts only, and no seed: whoever knows the seed can work out the rest."""

    model_config = ConfigDict(extra="forbid")

    scenario: str | None = None
    persona: str | None = None
    seat: Seat | None = None
    difficulty: float | None = None
    turn: int = 0
    horizon: int = 0
    done: bool = False
