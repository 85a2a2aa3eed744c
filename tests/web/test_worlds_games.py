"""As ``test_worlds.py``, of small games and the board."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest

from negotiation.diplomacy import services as board_services
from negotiation.diplomacy.events import REVEAL, shown
from negotiation.diplomacy.models import BoardEvent
from negotiation.engine.diplomacy import POWERS
from negotiation.engine.drills import GAMES, KuhnMatch
from negotiation.smallgames import services as small_services
from negotiation.smallgames import sitting as small_sitting
from negotiation.smallgames.models import SmallMatch
from negotiation.smallgames.opponents import suspects_of
from negotiation.smallgames.selectors import sitting_of
from negotiation.smallgames.sitting import OTHER, PLAYER, Sitting
from tests.effort import matrix
from tests.noninterference.twins import Twin, difference

pytestmark = pytest.mark.django_db

SEED = 1_234_567
# -- the small games -------------------------------------------------------------------------------


@contextmanager
def other_hand(number: int) -> Iterator[None]:
    """While this holds, the other side of every match has been dealt something else; the player's own is as ever."""
    begin = small_sitting.begin

    def dealt(game: str, seed: int) -> Sitting:
        mine = begin(game, seed)
        match = mine.match
        if isinstance(match, KuhnMatch):
            swapped = []
            for hand, cards in enumerate(match._deals):
                place = (PLAYER - hand) % match.seats
                own = cards[place]
                rest = [card for card in range(3) if card != own]
                swapped.append(tuple(own if at == place else rest[number % 2] for at in range(match.seats)))
            match._deals = swapped
            match.hands = [type(match.hands[0])(swapped[0])]
        else:
            theirs_too = begin(game, seed + number).match
            assert not isinstance(theirs_too, KuhnMatch)
            # The pools of books, hats and balls lie open.
            pools = match.private[PLAYER][:3] if game == "books_hats_balls" else ()
            match.private = (match.private[PLAYER], (*pools, *theirs_too.private[OTHER][len(pools) :]))
        return mine

    with patch.object(small_sitting, "begin", dealt):
        yield


OPEN = {"auction": "random", "books_hats_balls": "fair", "ipd": "mixed", "kuhn": "random", "pie": "fair"}
"""Known opponents who could have made any of the moves, whatever they were dealt: a page works out what they may hold."""


@pytest.mark.parametrize(("game", "mode"), matrix(sorted(GAMES), ("open", "guess"), one_in=7))
def test_a_living_match_shows_the_same_in_two_worlds(twins: list[Twin], game: str, mode: str) -> None:
    seen_by_twin: list[list[Any]] = []
    views: list[list[Any]] = []
    hidden = []
    names, itself = sorted(suspects_of(game)), small_services._theirs
    for twin, number in zip(twins, (2, 3), strict=True):
        chance = random.Random(game)

        def theirs(match: SmallMatch, sitting: Sitting, chance: random.Random = chance) -> Any:
            if match.opponent == "fair" and mode == "open":
                return itself(match, sitting)
            legal = sitting.match.legal(OTHER)
            return [("acted", {"seat": OTHER, "action": legal[chance.randrange(len(legal))]})]

        seen: list[Any] = []
        known = []
        with other_hand(number), patch.object(small_services, "_theirs", theirs):
            match = small_services.match_create(
                player=twin.user, game=game, seed=SEED, opponent=OPEN[game] if mode == "open" else None
            )
            if mode == "guess":
                SmallMatch.objects.filter(pk=match.pk).update(opponent=names[number])
                match = SmallMatch.objects.get(pk=match.pk)
            sitting = sitting_of(match)
            hidden.append((sitting.match.view(OTHER), match.opponent))
            while not sitting.match.done and sitting.rounds_over < 4:
                legal = sitting.match.legal(PLAYER)
                small_services.match_act(
                    match_id=match.pk, player=twin.user, action_id=uuid.uuid4(), after=match.last_seq,
                    action=legal[chance.randrange(len(legal))],
                )  # fmt: skip
                match = SmallMatch.objects.get(pk=match.pk)
                if not match.is_live:
                    break
                sitting = sitting_of(match)
                known.append(sitting.view)
                seen.append([*twin.pages(f"/games/match/{match.pk}/", "/games/", "/"), twin.archive()])
        seen_by_twin.append(seen)
        views.append(known)
    # A shown card or a hand that was won is public: from there on the histories differ.
    equal = next((at for at, (one, two) in enumerate(zip(*views, strict=False)) if one != two), len(views[0]))
    assert difference(seen_by_twin[0][:equal], seen_by_twin[1][:equal]) == ""
    assert equal or game == "kuhn", "nothing was compared"
    assert hidden[0] != hidden[1] or (mode == "open" and game in ("ipd", "pie")), "the worlds are the same"


# -- the board -------------------------------------------------------------------------------------


def hidden_otherwise(kind: str, data: dict[str, Any], power: str) -> dict[str, Any]:
    """The row of another world: what ``power`` may not know of it is something else there."""
    if kind == "said" and data["by"] != power:
        data = {**data, "tag": "LIE" if data["tag"] != "LIE" else "TRUTH"}
        if power != data["to"] != "GLOBAL":
            data |= {"text": "Something else.", "promises": [], "spoken": [], "asks": [], "agrees": False}
    if kind == "ordered" and data["power"] != power:
        data = {**data, "orders": ["something else"]}
    if kind == "planned":
        data = {**data, "orders": {}}
    if kind == "played":
        theirs = [row for row in data["verdicts"] if power in (row["by"], row["to"]) or row["to"] == "GLOBAL"]
        data = {**data, "verdicts": theirs}
    return data


def test_a_living_board_shows_each_power_the_same_in_two_worlds(twins: list[Twin]) -> None:
    board, _ = board_services.game_create(host=twins[0].user, power="FRANCE", seed=SEED)
    said = BoardEvent.objects.filter(game=board).order_by("seq").values_list("seq", "type", "data")
    others = [*said, (90, "ordered", {"power": "GERMANY", "orders": ["A BER - KIE"]})]
    private = {
        "by": "GERMANY",
        "to": "ITALY",
        "phase": "S1901M",
        "text": "Let us.",
        "tag": "LIE",
        "promises": [],
        "spoken": [],
        "asks": [],
        "agrees": False,
    }
    others += [
        (91, "said", private),
        (92, "said", {**private, "to": "GLOBAL"}),
        (93, "said", {**private, "to": "FRANCE"}),
    ]
    verdicts = [
        {"by": "GERMANY", "to": "ITALY", "verdict": "broken"},
        {"by": "GERMANY", "to": "FRANCE", "verdict": "kept"},
    ]
    others.append(
        (
            94,
            "played",
            {
                "phase": "S1901M",
                "submitted": {},
                "results": {},
                "position": {},
                "verdicts": verdicts,
                "deadline": None,
            },
        )
    )
    for power in POWERS:
        told_apart = 0
        for seq, kind, data in others:
            other = hidden_otherwise(kind, data, power)
            told_apart += other != data
            one, two = (shown(seq=seq, kind=kind, data=each, role=power) for each in (data, other))
            assert one == two
            assert (
                shown(seq=seq, kind=kind, data=data, role=REVEAL)
                != shown(seq=seq, kind=kind, data=other, role=REVEAL)
            ) == (other != data)
        assert told_apart, "the worlds are the same"
