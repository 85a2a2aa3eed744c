"""What a stated limit tells: how well the best decoder reads it, how often it is false, what calling by the name earns.

    python -m bench.claims [--games 1500] [--output bench/results/claims.json]

A rep who asks, listens and walks down at a pace of its own plays both seats of every scenario against every persona.
The decoders know persona, scenario, seat, the claim and both sides' offers so far; half of the games teach them, the
other half measures them. Errors are shares of the price zone between the centres of both limits. ``never_so`` counts
what the rules forbid. ``by_name`` is in points of the score for a claim (a false one called +12, a true one called
-12, a false one left alone -3), ``in_play`` in share of the zone for a deal, over pairs of the same seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from bench.experiment import Figures, Given, experiment, option
from negotiation.engine.cards import DEADLINE
from negotiation.engine.deal import OTHER_SEAT, SIGN, Persona, Scenario, Seat, personas, scenarios
from negotiation.engine.deal.batch import BatchNegotiation, Moves
from negotiation.engine.deal.batch.conduct import is_bluff
from negotiation.engine.deal.batch.moves import CARD_IDS
from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.reward import COEFFICIENTS, SWALLOW_AFTER_TURNS
from negotiation.engine.deal.rows import Mask
from negotiation.engine.figures import bootstrap

CAUGHT, WRONG = COEFFICIENTS.bluff, COEFFICIENTS.bluff * COEFFICIENTS.false_call
MISSED = COEFFICIENTS.bluff * COEFFICIENTS.swallowed_bluff
FIRST_SEED = 300_000
NEIGHBOURS = (15, 40, 100)
_SAME = 1e-6
_CALLS_NOW_AND_THEN = 0.3
_FEWEST_CLAIMS = 60
"""With fewer of them in a cell nothing is decoded."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One stated limit with what the player had to go by, in the persona's value space."""

    game: int
    figure: float
    limit: float
    seen: tuple[float, ...]
    """Opening, last and last but one offer of the persona's, the player's offer, the turn."""
    another: bool
    """It is another figure than before; else the first of its game."""
    called: bool
    news: bool


class Watch:
    """One cell played: the claims, the deadlines, and what must never be so.

    Args:
        calls: ``never``, ``always``, or ``sometimes`` at random.
    """

    def __init__(self, scenario: Scenario, persona: Persona, seat: Seat, games: int, calls: str) -> None:
        seeds = np.arange(FIRST_SEED, FIRST_SEED + games, dtype=np.uint64)
        self.batch = BatchNegotiation(scenario, persona, seat, seeds)
        self.claims: list[Claim] = []
        self.deadlines: list[float] = []
        self.points = np.zeros(games)
        self.refused, self.underbid, self.met, self.turns = 0, 0, 0, 0
        self._calls = calls
        self._sign = SIGN[OTHER_SEAT[seat]]
        rng = np.random.default_rng(games)
        self._pace = rng.uniform(0.4, 1.4, games)
        self._coin = rng.random((games, self.batch.horizon + 1))
        self._figure = np.full(games, np.nan)
        self._news = np.zeros(games, dtype=np.bool_)
        self._called = np.zeros(games, dtype=np.bool_)
        self._offers = np.full((games, self.batch.horizon + 2), np.nan)
        self._bundle = int(
            np.argmax(scenario.nominal_worths(seat) + scenario.nominal_worths(OTHER_SEAT[seat]))
        )
        while not self.batch.done:
            self._turn()

    def _turn(self) -> None:
        batch, table = self.batch, self.batch.table
        turn, before = table.turn, table.game.copy()
        self._offers[before, turn - 1] = self._sign * table.opponent.offer
        held, news = table.worth(table.opponent, batch.opponent_seat) * self._sign, table.news.copy()
        limits = self._sign * table.truths[batch.opponent_seat].walk_away
        moves = self._moves()
        there = ~np.isnan(table.opponent.open_claim)
        false = is_bluff(table.opponent.open_claim, table.opponent.claim_limit)
        self._called[before] |= there & moves.challenge & false
        lapsed = ~moves.challenge & ((turn - table.opponent.claim_turn >= SWALLOW_AFTER_TURNS) | moves.accept)
        self.points[before] += np.where(
            there & moves.challenge & ~moves.accept,
            np.where(false, CAUGHT, WRONG),
            np.where(there & lapsed & false, MISSED, 0.0),
        )
        self._news[before] |= news
        left = batch.minds.stay - turn
        batch.step(moves)
        table = batch.table
        if batch.done:
            return
        rows = np.searchsorted(before, table.game)
        # As they were put: what news has carried away since is no longer on the table.
        offers = moves.offer[rows]
        mine = self._sign * table.price_worth(offers, moves.bundle[rows], batch.opponent_seat)
        theirs = batch.minds.mine.value
        self.turns += len(rows)
        with np.errstate(invalid="ignore"):
            self.refused += int((~news[rows] & (mine >= held[rows] - _SAME)).sum())
            self.underbid += int((mine >= theirs - _SAME).sum())
        named = table.opponent.deadline - turn
        fresh = (table.opponent.played[:, CARD_IDS.index(DEADLINE)] > 0) & (table.opponent.deadline > turn)
        fresh &= ~np.isin(table.game, self._running)
        self.deadlines += (left[rows] - named)[fresh].tolist()
        self._running = table.game[table.opponent.deadline > turn]
        stated = ~np.isnan(table.opponent.open_claim) & (table.opponent.claim_turn == turn)
        for row in np.flatnonzero(stated):
            at = (float(self._sign * offers[row]), float(mine[row]))
            self._note(int(row), int(table.game[row]), turn, float(limits[rows[row]]), at)

    _running = np.zeros(0, dtype=np.int64)

    def _note(self, row: int, game: int, turn: int, limit: float, at: tuple[float, float]) -> None:
        """``at`` is the player's offer in price and in what it is worth to the persona."""
        figure = self._sign * float(self.batch.table.opponent.open_claim[row])
        self.met += int(max(at) >= figure)
        shown = self._offers[game, :turn]
        shown = np.append(shown[~np.isnan(shown)], self._sign * self.batch.minds.mine.price[row])
        seen = (shown[0], shown[-1], shown[-min(2, len(shown))], at[0], float(turn))
        another = bool(not np.isnan(self._figure[game]) and figure != self._figure[game])
        if another or np.isnan(self._figure[game]):
            self.claims.append(
                Claim(game, figure, limit, seen, another, bool(self._called[game]), bool(self._news[game]))
            )
        self._figure[game] = figure
        self._news[game] = self._called[game] = False

    def _moves(self) -> Moves:
        batch, table = self.batch, self.batch.table
        scenario, seat, games = batch.scenario, batch.seat, table.game
        start, worth = scenario.seats[seat].opening, table.worths[seat][:, self._bundle]
        limit = table.truths[seat].walk_away - SIGN[seat] * worth
        share = np.minimum(1.0, self._pace[games] * (table.turn - 1) / batch.horizon)
        price = scenario.rounded(start + (limit - start) * share)
        moves = Moves.nothing(len(games))
        moves.offer = np.maximum(price, limit) if SIGN[seat] > 0 else np.minimum(price, limit)
        moves.bundle[:] = self._bundle
        moves.acts["question" if table.turn % 2 else "empathy"] = np.ones(len(games), dtype=np.bool_)
        if self._calls == "always":
            moves.challenge = ~np.isnan(table.opponent.open_claim)
        elif self._calls == "sometimes":
            moves.challenge = self._coin[games, table.turn] < _CALLS_NOW_AND_THEN
        if table.turn >= batch.horizon - 1:
            standing = SIGN[seat] * (table.worth(table.opponent, seat) - table.truths[seat].walk_away)
            moves.accept = standing >= 0
        return moves


def decoded(claims: list[Claim], scenario: Scenario, sign: int) -> dict[str, Any]:
    """How far the best decoder is off, in price zones, beside who knows only where such limits lie."""
    if len(claims) < _FEWEST_CLAIMS:
        return {"claims": len(claims)}
    zone = scenario.seats["buyer"].walk_away - scenario.seats["seller"].walk_away
    centre = np.median([claim.limit for claim in claims])
    raw = np.array([[claim.figure, *claim.seen] for claim in claims])
    raw[:, :-1] = (raw[:, :-1] - centre) / zone
    raw[:, -1] /= scenario.horizon
    wanted = np.array([(claim.limit - centre) / zone for claim in claims])
    teach = np.array([claim.game % 2 == 0 for claim in claims])
    errors = {"prior": np.abs(wanted[~teach] - np.median(wanted[teach]))}
    known, asked = raw[teach], raw[~teach]
    errors["claim times a constant"] = _by_constant(claims, teach, zone)
    errors["least squares"] = np.abs(wanted[~teach] - _squares(asked) @ _fit(_squares(known), wanted[teach]))
    spread = known.std(axis=0) + _SAME
    for columns, name in (((0,), "claim"), (tuple(range(raw.shape[1])), "claim and offers")):
        apart = ((asked[:, None, columns] - known[None, :, columns]) / spread[list(columns)]) ** 2
        order = np.argsort(apart.sum(axis=2), axis=1)
        for count in NEIGHBOURS:
            near = wanted[teach][order[:, :count]]
            errors[f"nearest {count}, {name}"] = np.abs(wanted[~teach] - np.median(near, axis=1))
    best = min((name for name in errors if name != "prior"), key=lambda name: float(errors[name].mean()))
    sharpest = min(
        (name for name in errors if name != "prior"), key=lambda name: float(np.median(errors[name]))
    )
    return {
        "claims": len(claims),
        "prior": round(float(errors["prior"].mean()), 4),
        "mean": round(float(errors[best].mean()), 4),
        "by": best,
        "median": round(float(np.median(errors[sharpest])), 4),
        "median_by": sharpest,
        "within_1_percent": round(float((errors[sharpest] < 0.01).mean()), 4),
    }


def _by_constant(claims: list[Claim], teach: Mask, zone: float) -> Array:
    """What undid the old law: a claim divided by what this persona always adds."""
    figures, limits = np.array([c.figure for c in claims]), np.array([c.limit for c in claims])
    factor = np.median(limits[teach] / figures[teach])
    error: Array = np.abs(figures[~teach] * float(factor) - limits[~teach]) / zone
    return error


def _squares(rows: Array) -> Array:
    width = rows.shape[1]
    pairs = [rows[:, i] * rows[:, j] for i in range(width) for j in range(i, width)]
    return np.column_stack([np.ones(len(rows)), rows, *pairs])


def _fit(rows: Array, wanted: Array) -> Array:
    return np.asarray(np.linalg.lstsq(rows, wanted, rcond=1e-6)[0], dtype=np.float64)


def worth_of(watch: Watch) -> Array:
    """Share of the zone, points for claims, and what both count in the score; a row for each, a column a deal."""
    share = watch.batch.outcomes.efficiency
    return np.stack([share, watch.points, COEFFICIENTS.efficiency * share + watch.points])


def false_of(claims: list[Claim]) -> Array:
    """1 for each claim that is false, else 0."""
    figures, limits = np.array([c.figure for c in claims]), np.array([c.limit for c in claims])
    return is_bluff(figures, limits).astype(np.float64)


def points_by_name(false: Array) -> dict[str, Any]:
    """What calling every claim earns beyond calling none, a claim."""
    return bootstrap(false * CAUGHT + (1 - false) * WRONG - false * MISSED).as_json(3)


def cells(games: int, persona: Persona, calls: str) -> Iterator[tuple[Scenario, Seat, Watch]]:
    for scenario in scenarios().values():
        for seat in get_args(Seat):
            yield scenario, seat, Watch(scenario, persona, seat, games, calls)


def measured(persona: Persona, games: int) -> dict[str, Any]:
    """All that is asked of one persona."""
    never: dict[str, int] = dict.fromkeys(
        ("met", "another without a reason", "own figure refused", "underbid"), 0
    )
    first: list[Claim] = []
    decoder: dict[str, dict[str, Any]] = {}
    late: list[float] = []
    without: list[Array] = []
    turns = others = 0
    for scenario, seat, watch in cells(games, persona, "never"):
        once = [claim for claim in watch.claims if not claim.another]
        decoder.setdefault(scenario.id, {})[seat] = decoded(once, scenario, SIGN[seat])
        first += once
        late += watch.deadlines
        without.append(worth_of(watch))
        turns += _count(never, watch)
        others += sum(claim.another for claim in watch.claims)
    gain = []
    for at, (_, _, watch) in enumerate(cells(games, persona, "always")):
        gain.append(worth_of(watch) - without[at])
        turns += _count(never, watch)
        others += sum(claim.another for claim in watch.claims)
    for _, _, watch in cells(max(2, games // 4), persona, "sometimes"):
        turns += _count(never, watch)
        others += sum(claim.another for claim in watch.claims)
    deadlines = np.array(late)
    found: dict[str, Any] = {"claims": len(first), "other_figures": others, "turns": turns, "never_so": never}
    found["decoder"] = decoder
    named = ("share of the zone", "points for claims", "score of both")
    found["in_play"] = {
        name: bootstrap(each).as_json(4)
        for name, each in zip(named, np.concatenate(gain, axis=1), strict=True)
    }
    if first:
        found |= {"false": bootstrap(false_of(first)).as_json(3), "by_name": points_by_name(false_of(first))}
    if len(deadlines):
        found["deadlines"] = {
            "named": len(deadlines),
            "true": round(float((deadlines <= 0).mean()), 3),
            "one or two rounds short": round(float(((deadlines > 0) & (deadlines <= 2)).mean()), 3),
            "false, three or more": bootstrap((deadlines >= 3).astype(np.float64)).as_json(3),
        }
    return found


def _count(never: dict[str, int], watch: Watch) -> int:
    never["met"] += watch.met
    never["another without a reason"] += sum(c.another and not (c.called or c.news) for c in watch.claims)
    never["own figure refused"] += watch.refused
    never["underbid"] += watch.underbid
    return watch.turns


@experiment("claims.json", option("--games", type=int, default=1500), told=False)
def main(options: Given) -> Figures:
    report: dict[str, Any] = {"games_a_cell": options.games}
    for persona in personas().values():
        found = report[persona.id] = measured(persona, options.games)
        cells_of = [cell for each in found["decoder"].values() for cell in each.values() if "mean" in cell]
        print(persona.name, {key: value for key, value in found.items() if key != "decoder"})
        for scenario, seats in found["decoder"].items():
            print(f"  {scenario:24}", seats)
        if cells_of:
            found["over_cells"] = {
                "mean": round(float(np.mean([cell["mean"] for cell in cells_of])), 4),
                "median": round(float(np.mean([cell["median"] for cell in cells_of])), 4),
                "prior": round(float(np.mean([cell["prior"] for cell in cells_of])), 4),
                "least_mean": min(cell["mean"] for cell in cells_of),
                "least_median": min(cell["median"] for cell in cells_of),
            }
            print("  over cells", found["over_cells"])
    return report


if __name__ == "__main__":
    main()
