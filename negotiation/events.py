"""The log of a game: what can be written in it, who may see what of it, and the state it folds to.

This is the one place where redaction is decided. It works by permission, not by removal: a role sees the
keys listed for it and nothing else, so a field added to an event is hidden until someone lists it here.
``static/js/fold.js`` is the same fold for the browser; a test runs both on the same logs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NotRequired, TypedDict, get_args

EventType = Literal[
    "game_started",
    "player_moved",
    "opponent_moved",
    "answer_explained",
    "news",
    "turn_closed",
    "turn_graded",
    "whispered",
    "watched",
    "assisted",
    "game_ended",
]
EVENT_TYPES: tuple[EventType, ...] = get_args(EventType)

Role = Literal["player", "watcher", "coach"]
ROLES: tuple[Role, ...] = get_args(Role)


class GameStarted(TypedDict):
    """The set-up that both the player and the spectators know; ``own`` is the player's own truth.

    ``law`` is the law that the persona decides by; logs from before there was a number have none. ``case`` names the
    world behind the deal, and ``sheet`` is the player's side of it; both are absent where there is none.
    """

    scenario: str
    persona: str
    seat: str
    horizon: int
    difficulty: float
    player_name: str
    law: int
    own: dict[str, Any]
    case: NotRequired[str]
    sheet: NotRequired[OwnSheet]


class OwnSheet(TypedDict):
    """What a player knows of its own side of a case: its facts as it takes them for true, and what each of its needs
    weighs, 1 as heavily as usual."""

    facts: list[dict[str, Any]]
    needs: dict[str, float]


class PlayerMoved(TypedDict):
    """One move of the player, exactly as it was bound. ``action_id`` is the client's own identifier; ``talk`` is what the
    words were heard to do, absent where that is nothing."""

    turn: int
    text: str
    offer: float | None
    card: str | None
    challenge: bool | None
    claim: float | None
    accept: bool
    walk_away: bool
    action_id: str
    belief: dict[str, Any] | None
    event_estimate: float | None
    terms: dict[str, str] | None
    alternatives: list[dict[str, Any]]
    talk: NotRequired[list[dict[str, Any]]]
    asked: NotRequired[dict[str, Any]]


class OpponentMoved(TypedDict):
    """One move of the persona; ``claim`` is the floor that it states, true or not.

    ``preferred`` says which of several packages it would rather have: 0 is the offer itself. ``stand_in`` says that
    the strategist spoke because the model that sits here could not. ``deadline_turns`` is how many turns a deadline
    gives that it names. ``told`` are the facts that it tells or shows proof of, ``raised`` the objections that it gives, by
    id, ``exposed`` the player's claims that it found to be false: all public, being said aloud, and absent where empty.
    """

    turn: int
    text: str
    offer: float | None
    card: str | None
    claim: float | None
    accept: bool
    walk_away: bool
    challenge: bool
    terms: dict[str, str] | None
    preferred: int | None
    stand_in: bool
    deadline_turns: int | None
    told: NotRequired[list[dict[str, Any]]]
    raised: NotRequired[list[dict[str, Any]]]
    exposed: NotRequired[list[str]]


class AnswerExplained(TypedDict):
    """Why this answer: who found it, how long it took, what the guard did. The fields of an ``Account``."""

    turn: int
    kind: str
    model: str
    stand_in: bool
    why: str
    attempts: int
    interventions: list[dict[str, Any]]
    decided: dict[str, Any] | None
    seconds: float
    first_token: float | None
    tokens: int


class News(TypedDict):
    """A headline: public words only."""

    turn: int
    id: str
    kind: str
    text: str


class LimitMoved(TypedDict):
    """One thing that moved the player's own limit; ``words`` are the headline's, empty where conflict did it."""

    cause: Literal["news", "conflict"]
    words: str
    before: float
    after: float


class TurnClosed(TypedDict):
    """The table as the player sees it after a whole turn. A worth tells of the player's own values. ``sheet`` is there
    where news has changed it."""

    turn: int
    tension: float
    tension_band: str
    zopa_width_pct_remaining: float
    own_offer: float | None
    standing_offer: float | None
    open_claim: float | None
    pending_estimate: str | None
    credibility_points: int
    credibility_cap: int
    cards: list[str]
    sweeteners_left: int
    own_terms: dict[str, str]
    standing_terms: dict[str, str]
    own_worth: float | None
    standing_worth: float | None
    own: dict[str, Any]
    limit_moves: list[LimitMoved]
    sheet: NotRequired[OwnSheet]


class TurnGraded(TypedDict):
    """What only a coach sees while the game is live: truth, reward and the reference observer.

    ``facts`` are those of both sides that are not as they were a turn ago, ``objections`` the opponent's as they stand; both
    are absent where there is no case behind the deal.
    """

    turn: int
    truth: dict[str, Any]
    open_claim_is_bluff: bool | None
    terms: list[dict[str, Any]]
    reward: float
    total_reward: float
    posterior: dict[str, Any]
    hint: str
    facts: NotRequired[list[dict[str, Any]]]
    objections: NotRequired[list[dict[str, Any]]]


class Whispered(TypedDict):
    """A coach's note to the player, anchored to a turn."""

    turn: int
    text: str
    author: str


class Watched(TypedDict):
    """Somebody opened the truth of the live game: ``by`` is empty for who was not signed in, ``maker`` made the link."""

    turn: int
    by: str
    maker: str


class Assisted(TypedDict):
    """From here on the game counts for learning only."""

    reason: str


class GameEnded(TypedDict):
    """How the game ended. The whole outcome is public from this moment."""

    turn: int
    outcome: dict[str, Any]


class Frame(TypedDict):
    """One event on its way to a browser; only ``seq`` when the role may not see it."""

    seq: int
    type: NotRequired[EventType]
    data: NotRequired[dict[str, Any]]


TURN_OF_THE_PLAYER = frozenset({"own", "own_worth", "standing_worth", "limit_moves", "sheet"})
"""Of a turn that has closed, what only the player and who coaches may see."""
_EVERYONE: dict[EventType, frozenset[str]] = {
    "game_started": frozenset(GameStarted.__annotations__) - {"own", "sheet"},
    "player_moved": frozenset(PlayerMoved.__annotations__) - {"belief", "event_estimate"},
    "opponent_moved": frozenset(OpponentMoved.__annotations__),
    "answer_explained": frozenset(),
    "news": frozenset(News.__annotations__),
    "turn_closed": frozenset(TurnClosed.__annotations__) - TURN_OF_THE_PLAYER,
    "turn_graded": frozenset(),
    "whispered": frozenset(),
    "watched": frozenset(),
    "assisted": frozenset(Assisted.__annotations__),
    "game_ended": frozenset(GameEnded.__annotations__),
}
_PLAYER: dict[EventType, frozenset[str]] = {
    "game_started": frozenset({"own", "sheet"}),
    "player_moved": frozenset({"belief", "event_estimate"}),
    "turn_closed": TURN_OF_THE_PLAYER,
    "whispered": frozenset(Whispered.__annotations__),
    "watched": frozenset(Watched.__annotations__),
}
_COACH: dict[EventType, frozenset[str]] = {
    "turn_graded": frozenset(TurnGraded.__annotations__),
    "answer_explained": frozenset(AnswerExplained.__annotations__),
}


def visible_keys(kind: EventType, role: Role) -> frozenset[str]:
    """The keys of an event that a role may see."""
    keys = _EVERYONE[kind]
    if role in ("player", "coach"):
        keys |= _PLAYER.get(kind, frozenset())
    if role == "coach":
        keys |= _COACH.get(kind, frozenset())
    return keys


def redact(*, seq: int, kind: EventType, data: Mapping[str, Any], role: Role) -> Frame:
    """The event as ``role`` may see it. Sequences stay contiguous: what is hidden leaves a bare number."""
    keys = visible_keys(kind, role)
    if not keys:
        return {"seq": seq}
    return {"seq": seq, "type": kind, "data": {k: v for k, v in data.items() if k in keys}}


class Snapshot(TypedDict):
    """The state of a game for one role: the fold of the frames that this role was sent."""

    game: dict[str, Any] | None
    own: dict[str, Any] | None
    sheet: OwnSheet | None
    """The player's side of the case behind the deal."""
    transcript: list[dict[str, Any]]
    news: list[dict[str, Any]]
    limits: list[dict[str, Any]]
    """Each turn that moved the player's own limit, with the reasons; empty for who may not see it."""
    table: dict[str, Any] | None
    coach: dict[str, Any] | None
    accounts: list[dict[str, Any]]
    whispers: list[dict[str, Any]]
    watchers: list[dict[str, Any]]
    outcome: dict[str, Any] | None
    assisted: str | None
    awaiting_reply: bool
    last_seq: int


def empty_snapshot() -> Snapshot:
    """The state before the first event."""
    return {
        "game": None,
        "own": None,
        "sheet": None,
        "transcript": [],
        "news": [],
        "limits": [],
        "table": None,
        "coach": None,
        "accounts": [],
        "whispers": [],
        "watchers": [],
        "outcome": None,
        "assisted": None,
        "awaiting_reply": False,
        "last_seq": 0,
    }


def fold(frames: Iterable[Frame], snapshot: Snapshot | None = None) -> Snapshot:
    """Fold frames, oldest first, into a snapshot; a given snapshot is continued, not changed.

    A frame that the snapshot already holds is passed over, so overlapping resumes do no harm.
    """
    state = empty_snapshot() if snapshot is None else _copy(snapshot)
    for frame in frames:
        if frame["seq"] > state["last_seq"]:
            state["last_seq"] = frame["seq"]
            if "type" in frame:
                _apply(state, frame["seq"], frame["type"], frame["data"])
    return state


def _copy(snapshot: Snapshot) -> Snapshot:
    state = snapshot.copy()
    state["transcript"] = list(snapshot["transcript"])
    state["news"] = list(snapshot["news"])
    # A page that was open when this was added holds a snapshot without it.
    state["limits"] = list(snapshot.get("limits", ()))
    state["accounts"] = list(snapshot["accounts"])
    state["whispers"] = list(snapshot["whispers"])
    state["watchers"] = list(snapshot["watchers"])
    return state


def _apply(state: Snapshot, seq: int, kind: EventType, data: dict[str, Any]) -> None:
    if kind in ("game_started", "turn_closed"):
        state["own"] = data.get("own", state["own"])
        state["sheet"] = data.get("sheet", state.get("sheet"))
    shown = {k: v for k, v in data.items() if k not in ("own", "sheet")}
    if kind == "game_started":
        state["game"] = shown
    elif kind == "player_moved":
        state["transcript"].append({"seq": seq, "side": "player", **shown})
        state["awaiting_reply"] = True
    elif kind == "opponent_moved":
        state["transcript"].append({"seq": seq, "side": "opponent", **shown})
    elif kind == "answer_explained":
        state["accounts"].append({"seq": seq, **shown})
    elif kind == "news":
        state["news"].append({"seq": seq, **shown})
    elif kind == "turn_closed":
        state["table"] = shown
        if moves := data.get("limit_moves"):
            state["limits"].append({"seq": seq, "turn": shown["turn"], "moves": moves})
        # Between two people a table stands after each move, and says whose turn it is.
        state["awaiting_reply"] = shown.get("on_turn") is False
    elif kind == "turn_graded":
        before = state["coach"] or {"history": [], "facts": []}
        state["coach"] = {
            **shown,
            "facts": _as_they_are(before.get("facts", []), shown.get("facts", [])),
            "history": [*before["history"], _headline_of(shown)],
        }
    elif kind == "whispered":
        state["whispers"].append({"seq": seq, **shown})
    elif kind == "watched":
        state["watchers"].append({"seq": seq, **shown})
    elif kind == "assisted":
        state["assisted"] = shown["reason"]
    else:
        state["outcome"] = shown["outcome"]
        state["awaiting_reply"] = False


def _as_they_are(facts: list[dict[str, Any]], changed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All facts of both sides, in their first order, each as it was last graded."""
    latest = {(fact["seat"], fact["id"]): fact for fact in [*facts, *changed]}
    return list(latest.values())


def _headline_of(graded: dict[str, Any]) -> dict[str, Any]:
    """A past grading without what only the latest turn shows: the density of its posterior, and the case."""
    posterior = graded["posterior"]
    kept = {name: part for name, part in graded.items() if name not in ("facts", "objections")}
    return {**kept, "posterior": {"mean": posterior["mean"], "ci95": posterior["ci95"]}}
