"""Small games over HTTP: the engine's rules and nothing else, one move once, nothing of the other side's hand."""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.test import Client

from accounts.models import User
from coaching.analysis.skills import SKILLS
from coaching.room.leaving import account_delete
from coaching.skills.selectors import weeks_in_a_row
from negotiation.engine.drills import GAMES, KuhnMatch, play_out
from negotiation.engine.drills.books_hats_balls import decode
from negotiation.engine.drills.kuhn.rules import Hand
from negotiation.engine.drills.study import SUSPECTS
from negotiation.models import EventIsWritten
from negotiation.smallgames import opponents, selectors
from negotiation.smallgames.catalogue import BY_NAME, CATALOGUE, games_for
from negotiation.smallgames.models import SmallMatch, SmallMove
from negotiation.smallgames.opponents import model_of
from negotiation.smallgames.pages import MatchPage
from negotiation.smallgames.services import match_act, match_ask_odds, match_create, match_name
from negotiation.smallgames.sitting import PURPOSE
from negotiation.table.errors import MoveRefused
from tests.effort import matrix

pytestmark = pytest.mark.django_db(transaction=True)

SignIn = Callable[[User], Client]
PAIRS = [
    pytest.param(game, name, marks=[] if number % 3 == 0 else pytest.mark.thorough)
    for game, names in SUSPECTS.items()
    for number, name in enumerate(names)
]


def post_move(client: Client, match: SmallMatch, action: int, **more: Any) -> Any:
    match.refresh_from_db()
    data: dict[str, Any] = {"action_id": str(uuid.uuid4()), "after": match.last_seq, **more}
    if match.game == "books_hats_balls":
        data |= dict(zip(("books", "hats", "balls"), decode(action), strict=True))
    else:
        data["action"] = action
    return client.post(f"/games/match/{match.id}/act/", data)


def act(match: SmallMatch, action: int) -> SmallMatch:
    return match_act(
        match_id=match.id, player=match.player, action_id=uuid.uuid4(), after=match.last_seq, action=action
    )


def name_them(match: SmallMatch, suspect: str) -> SmallMatch:
    return match_name(
        match_id=match.id, player=match.player, action_id=uuid.uuid4(), after=match.last_seq, suspect=suspect
    )


def play_on(match: SmallMatch, dice: random.Random) -> SmallMatch:
    """Random moves to the last round."""
    while not (sitting := selectors.sitting_of(match)).match.done:
        match = act(match, dice.choice(sitting.match.legal(0)))
    return match


def shown(match: SmallMatch, sitting: Any = None) -> str:
    """The page, but for what is drawn anew for each page."""
    context = MatchPage(match, sitting or selectors.sitting_of(match)).context()
    text = render_to_string("smallgames/match.html", {**context, "action_id": "A", "odds_id": "B"})
    return text.replace(str(match.id), "MATCH")


class Scripted:
    """Plays what it is told."""

    def __init__(self, actions: list[int]) -> None:
        self.actions = iter(actions)

    def act(self, view: Any, number: float) -> int:
        return next(self.actions)


@pytest.mark.parametrize(("game", "name"), PAIRS)
def test_a_match_through_the_web_is_a_match_of_the_engine(
    game: str, name: str, rep: User, signed_in: SignIn
) -> None:
    client, dice = signed_in(rep), random.Random(f"{game} {name}")
    seed = dice.randrange(2**62)
    match = match_create(player=rep, game=game, opponent=name, seed=seed)
    taken = []
    while match.is_live:
        sitting = selectors.sitting_of(match)
        taken.append(dice.choice(sitting.match.legal(0)))
        answer = post_move(client, match, taken[-1])
        assert answer.status_code == 302, answer.content
        match.refresh_from_db()
    rules: Any = GAMES[game]  # of either kind, each with players of its own
    own = rules.match(rules.draws(1, seed, PURPOSE))
    play_out(own, Scripted(taken), rules.opponent(name))
    paid = [payoffs[0] for payoffs in own.payoffs]
    assert match.paid == pytest.approx(sum(paid) / rules.rounds)
    assert selectors.sitting_of(match).match.payoffs == own.payoffs
    page = client.get(f"/games/match/{match.id}/")
    lines = MatchPage(match, selectors.sitting_of(match)).lines()
    assert [row["line"].paid for row in lines] == paid
    assert sum(row["cost"] for row in lines) / rules.rounds == pytest.approx(match.given_away, abs=0.01)
    assert page.status_code == 200


@pytest.mark.parametrize("game", matrix(sorted(SUSPECTS), one_in=3))
def test_before_the_guess_the_page_is_the_same_whoever_it_is(game: str, rep: User) -> None:
    match = match_create(player=rep, game=game, seed=77)
    steps = 0
    while not (sitting := selectors.sitting_of(match)).match.done:
        if steps == 1:
            match_ask_odds(match_id=match.id, player=rep, action_id=uuid.uuid4(), after=match.last_seq)
            match.refresh_from_db()
        pages = set()
        for name in SUSPECTS[game]:
            match.opponent = name
            pages.add(shown(match, sitting))
        assert len(pages) == 1
        match.refresh_from_db()
        match = act(match, sitting.match.legal(0)[-1])
        steps += 1
    assert match.is_live


@pytest.mark.parametrize("game", ["auction", "books_hats_balls", "kuhn"])
@pytest.mark.parametrize("known", [True, False])
def test_what_the_other_side_holds_never_reaches_the_page_while_the_match_is_on(
    game: str, known: bool, rep: User
) -> None:
    """The page is a function of what the player may see: turn the other's hand into another, and nothing changes."""
    name = {"auction": "conservative", "books_hats_balls": "fair", "kuhn": "always_pass"}[game]
    match = match_create(player=rep, game=game, opponent=name if known else None, seed=5)
    match.opponent = name
    match.save()
    for _ in range(3):
        changed = selectors.sitting_of(match)
        assert shown(match) == shown(match, changed)
        table = changed.match
        if isinstance(table, KuhnMatch):
            hand, position = table.hands[-1], table.view(0).position
            other = next(card for card in range(3) if card not in hand.cards)
            cards = [hand.cards[position], other] if position == 0 else [other, hand.cards[position]]
            table.hands[-1] = Hand(cards)
            table.hands[-1].history = hand.history
        elif game == "auction":
            table.private = (table.private[0], tuple(6 - value for value in table.private[1]))
        else:
            table.private = (table.private[0], (*table.private[1][:3], *reversed(table.private[1][3:])))
        assert shown(match) == shown(match, changed)
        match = act(match, changed.match.legal(0)[0])
    assert match.is_live


def test_the_seed_is_on_no_page_and_in_no_archive(rep: User, signed_in: SignIn) -> None:
    match = match_create(player=rep, game="kuhn", seed=987654321987)
    client = signed_in(rep)
    texts = [client.get(path).text for path in ("/games/", "/games/poker/", f"/games/match/{match.id}/")]
    texts.append(str(selectors.archive_of(rep)))
    assert not [text for text in texts if "987654321987" in text]
    assert selectors.archive_of(rep)[0]["opponent"] is None


def test_a_move_that_is_sent_twice_is_taken_once(rep: User, signed_in: SignIn) -> None:
    match, client, action_id = match_create(player=rep, game="ipd", seed=1), signed_in(rep), str(uuid.uuid4())
    for _ in range(2):
        answer = client.post(
            f"/games/match/{match.id}/act/", {"action_id": action_id, "after": 0, "action": 1}
        )
        assert answer.status_code == 302
    assert SmallMove.objects.filter(match=match, type="acted").count() == 2
    match.refresh_from_db()
    assert match.last_seq == 2


def test_a_move_from_a_page_that_is_behind_is_refused_and_the_match_is_shown_as_it_stands(
    rep: User, signed_in: SignIn
) -> None:
    match, client = match_create(player=rep, game="ipd", opponent="tft", seed=1), signed_in(rep)
    assert post_move(client, match, 0).status_code == 302
    answer = post_move(client, match, 1, after=0)
    assert answer.status_code == 422
    assert "had moved on" in answer.text
    assert "Round 2 of 8" in answer.text
    assert SmallMove.objects.filter(match=match).count() == 2


@pytest.mark.parametrize(
    ("game", "data"),
    [
        ("ipd", {"action": "2"}),
        ("ipd", {"action": "-1"}),
        ("ipd", {"action": ""}),
        ("ipd", {}),
        ("ipd", {"action": "0", "action_id": "x"}),
        ("ipd", {"action": "0", "after": "no"}),
        ("auction", {"action": "0"}),
        ("pie", {"action": "10"}),
        ("kuhn", {"action": "2"}),
        ("books_hats_balls", {"books": "1", "hats": "1"}),
        ("books_hats_balls", {"books": "9", "hats": "0", "balls": "0"}),
        ("books_hats_balls", {"books": "0", "hats": "5", "balls": "0"}),
    ],
)
def test_what_is_no_move_is_refused_with_words_and_writes_nothing(
    game: str, data: dict[str, str], rep: User, signed_in: SignIn
) -> None:
    match = match_create(player=rep, game=game, seed=4)
    given = {"action_id": str(uuid.uuid4()), "after": match.last_seq, **data}
    answer = signed_in(rep).post(f"/games/match/{match.id}/act/", given)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert SmallMove.objects.filter(match=match).count() == match.last_seq


def test_a_reload_goes_on_where_the_match_stands(rep: User, signed_in: SignIn) -> None:
    match = match_create(player=rep, game="auction", opponent="adaptive", seed=8)
    match = act(act(match, 1), 2)
    page = signed_in(rep).get(f"/games/match/{match.id}/").text
    assert "Round 3 of 6" in page
    assert f'href="/games/match/{match.id}/"' in signed_in(rep).get("/games/auction/").text


def test_another_match_puts_the_first_one_away(rep: User, signed_in: SignIn) -> None:
    first = match_create(player=rep, game="pie", seed=1)
    answer = signed_in(rep).post("/games/pie/", {"opponent": "fair"})
    first.refresh_from_db()
    assert (first.status, SmallMatch.objects.filter(status="live").count()) == ("left", 1)
    assert signed_in(rep).get(f"/games/match/{first.id}/")["Location"] == "/games/pie/"
    assert answer["Location"] == f"/games/match/{SmallMatch.objects.get(status='live').id}/"
    with pytest.raises(MoveRefused, match="over"):
        act(first, 5)
    with pytest.raises(IntegrityError), transaction.atomic():
        SmallMatch.objects.create(player=rep, game="pie", opponent="fair", mode="open", seed=1)


def test_nobody_can_be_met_who_does_not_play_this_game(rep: User, signed_in: SignIn) -> None:
    answer = signed_in(rep).post("/games/pie/", {"opponent": "grim"})
    assert answer.status_code == 422
    assert not SmallMatch.objects.exists()
    with pytest.raises(MoveRefused, match="no such game"):
        match_create(player=rep, game="chess")


def test_a_guess_comes_after_a_round_once_and_opens_the_books(rep: User) -> None:
    match = match_create(player=rep, game="ipd", seed=3)
    with pytest.raises(MoveRefused, match="Play a round"):
        name_them(match, "tft")
    match = act(match, 0)
    with pytest.raises(MoveRefused, match="Choose one"):
        name_them(match, "shark")
    page = MatchPage(match, selectors.sitting_of(match))
    assert page.known is None
    assert page.lines()[0]["cost"] is None
    match = name_them(match, match.opponent)
    page = MatchPage(match, selectors.sitting_of(match))
    assert page.known is not None
    assert page.lines()[0]["cost"] is not None
    with pytest.raises(MoveRefused, match="already"):
        name_them(match, "tft")
    with pytest.raises(MoveRefused, match="already"):
        match_ask_odds(match_id=match.id, player=rep, action_id=uuid.uuid4(), after=match.last_seq)
    match = play_on(match, random.Random(1))
    assert (match.status, match.right, match.named_after, match.with_odds) == ("finished", True, 1, False)


def test_after_the_last_round_only_the_name_is_missing(rep: User, signed_in: SignIn) -> None:
    match = play_on(match_create(player=rep, game="kuhn", seed=3), random.Random(2))
    assert match.is_live
    page = signed_in(rep).get(f"/games/match/{match.id}/").text
    assert "Who was it?" in page
    with pytest.raises(MoveRefused, match="Say who"):
        act(match, 0)
    wrong = next(name for name in SUSPECTS["kuhn"] if name != match.opponent)
    match = name_them(match, wrong)
    assert (match.status, match.right, match.named_after) == ("finished", False, 6)


def test_odds_are_shown_on_request_and_the_help_is_remembered(rep: User, signed_in: SignIn) -> None:
    match = act(match_create(player=rep, game="pie", seed=3), 5)
    client = signed_in(rep)
    assert 'class="odds"' not in client.get(f"/games/match/{match.id}/").text
    client.post(f"/games/match/{match.id}/odds/", {"action_id": str(uuid.uuid4()), "after": match.last_seq})
    match.refresh_from_db()
    assert 'class="odds"' in client.get(f"/games/match/{match.id}/").text
    match = play_on(name_them(match, match.opponent), random.Random(3))
    assert match.right
    assert match.with_odds
    assert not selectors.is_clean(match)


def test_the_best_answer_gives_nothing_away_and_makes_a_streak(rep: User) -> None:
    for opponent in ("grim", "always_defect", "wsls"):
        match = match_create(player=rep, game="ipd", opponent=opponent, seed=3)
        while match.is_live:
            sitting = selectors.sitting_of(match)
            worths = sitting.facing(opponent).worths(sitting.view)
            match = act(match, max(worths, key=lambda action: worths[action]))
        assert match.given_away == pytest.approx(0, abs=1e-9)
        assert match.paid == pytest.approx(match.best)
    standing = selectors.standing_of(rep, BY_NAME["ipd"])
    assert (standing.played, standing.streak) == (3, 3)
    assert standing.best is not None
    match = match_create(player=rep, game="ipd", opponent="grim", seed=3)
    while match.is_live:
        match = act(match, 1)
    standing = selectors.standing_of(rep, BY_NAME["ipd"])
    assert (standing.played, standing.streak) == (4, 0)
    # 8 rounds: 5 once, then 1; the best is 3 seven times and 5 at last. What is between them was all lost at once.
    assert match.given_away == pytest.approx((26 - 12) / 8)


def test_the_log_is_written_once_and_goes_with_its_match_only(rep: User) -> None:
    match = act(match_create(player=rep, game="ipd", opponent="tft", seed=1), 0)
    row = SmallMove.objects.first()
    assert row is not None
    for change in (row.save, row.delete, SmallMove.objects.all().delete):
        with pytest.raises(EventIsWritten):
            change()
    match.delete()
    assert not SmallMove.objects.exists()


def test_practice_is_its_owners_alone_counts_as_a_week_and_goes_with_them(rep: User) -> None:
    assert weeks_in_a_row(rep) == 0
    play_on(match_create(player=rep, game="pie", opponent="fair", seed=1), random.Random(1))
    assert weeks_in_a_row(rep) == 1
    (kept,) = selectors.archive_of(rep)
    assert kept["opponent"] == "fair"
    assert [row["action"] for row in kept["log"] if row["seat"] == 1] == [5] * 4
    account_delete(user=rep)
    assert not SmallMatch.objects.exists()


def test_every_skill_of_the_coaching_room_has_a_small_game_and_no_other_is_named() -> None:
    assert all(games_for(skill) for skill in SKILLS)
    assert {skill for game in CATALOGUE.values() for skill in game.skills} <= set(SKILLS)


@pytest.mark.parametrize("game", list(BY_NAME))
def test_a_trained_model_sits_across_and_is_weighed_like_anybody(
    game: str, rep: User, signed_in: SignIn
) -> None:
    model, client = model_of(game), signed_in(rep)
    assert model is not None
    page = client.get(f"/games/{BY_NAME[game].slug}/").text
    assert f'data-testid="opponent-{model.name}"' in page
    assert f"{model.model.source['weights']:,} weights" in page  # type: ignore[union-attr]
    answer = client.post(f"/games/{BY_NAME[game].slug}/", {"opponent": model.name})
    assert answer.status_code == 302
    match = play_on(SmallMatch.objects.get(player=rep), random.Random(4))
    match.refresh_from_db()
    assert match.is_finished
    assert match.opponent == model.name
    assert (match.best or 0) >= (match.balanced or 0)
    assert model.title in client.get(f"/games/match/{match.id}/").text
    assert selectors.standing_of(rep, BY_NAME[game]).history[0].opponent == model.title


def test_somebody_unknown_is_never_a_trained_model_and_none_can_be_named(rep: User) -> None:
    model = model_of("kuhn")
    assert model is not None
    met = {match_create(player=rep, game="kuhn", seed=seed).opponent for seed in range(40)}
    assert met == set(SUSPECTS["kuhn"])
    match = act(match_create(player=rep, game="ipd", seed=3), 0)
    with pytest.raises(MoveRefused, match="Choose one of the names"):
        name_them(match, model.name)
    assert model.name not in {
        row["opponent"].name for row in MatchPage(match, selectors.sitting_of(match)).suspects()
    }


def test_where_no_model_is_trained_none_is_offered(
    rep: User, signed_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opponents, "offered", lambda game: None)
    assert model_of("pie") is None
    assert "trained model" not in signed_in(rep).get("/games/pie/").text
    with pytest.raises(MoveRefused, match="Nobody of that name"):
        match_create(player=rep, game="pie", opponent="apprentice")
