"""Comments on turns and verdicts beside the machine's score: who writes and reads what, and when it goes."""

from __future__ import annotations

import csv
import io
import json
import uuid
import zipfile
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.utils import timezone

from accounts.models import Team, User
from coaching.live import services
from coaching.live.models import Comment, TalkSeen, Verdict
from coaching.live.selectors import talk_of, unread_of
from coaching.room.leaving import account_delete
from coaching.room.mydata import archive_of
from coaching.room.rubrics import rubric_create
from coaching.selectors import debrief_of
from negotiation.kind import DEALS
from negotiation.models import Game, Redaction
from negotiation.services import game_walk_away
from negotiation.table.forgetting import redact
from negotiation.table.threads import in_database
from tests.web.conftest import OpenSocket
from tests.web.moves import resolve
from tests.web.talking import ask, frame, play
from tests.web.test_spectators import share

pytestmark = pytest.mark.django_db(transaction=True)

SignIn = Callable[[User], Client]
WORDS = "Two unanswered gifts, zebra-like."


@pytest.fixture
def comment(over: Game, manager: User) -> Comment:
    return services.comment_write(game=over, author=manager, text=WORDS, turn=2)


def aged(comment: Comment, minutes: int) -> Comment:
    Comment.objects.filter(pk=comment.pk).update(written_at=timezone.now() - timedelta(minutes=minutes))
    comment.refresh_from_db()
    return comment


def say(browser: Client, game: Game, **data: object) -> int:
    return browser.post(f"/deals/{game.pk}/comments/?part=1", {"text": "x", **data}).status_code


# -- comments ------------------------------------------------------------------------------------------


def test_a_comment_on_a_live_deal_is_not_there_for_its_player(
    game: Game, rep: User, manager: User, signed_in: SignIn
) -> None:
    assert say(signed_in(manager), game, text=WORDS) == 200
    assert signed_in(rep).get(f"/deals/{game.pk}/comments/").status_code == 404
    assert WORDS not in signed_in(rep).get(f"/deals/{game.pk}/").content.decode()
    assert talk_of(game, rep) is None
    assert unread_of(rep) == []
    game_walk_away(game_id=game.pk, player=rep, action_id=uuid.uuid4())
    resolve(game)
    assert [one.comments for one in unread_of(rep)] == [1]
    assert WORDS in signed_in(rep).get(f"/deals/{game.pk}/comments/").content.decode()


def test_an_answer_stays_on_the_turn_of_its_thread(comment: Comment, over: Game, rep: User) -> None:
    first = services.comment_write(game=over, author=rep, text="Yes.", turn=0, parent=comment)
    second = services.comment_write(game=over, author=rep, text="And?", turn=1, parent=first)
    assert [(one.turn, one.parent) for one in (first, second)] == [(2, comment), (2, comment)]


@pytest.mark.parametrize("turn", [-1, 4, 99])
def test_only_turns_that_were_played_take_comments(over: Game, manager: User, turn: int) -> None:
    assert over.turns == 3
    with pytest.raises(services.CommentRefused):
        services.comment_write(game=over, author=manager, text="?", turn=turn)


def test_a_comment_of_another_game_can_not_be_answered_here(
    comment: Comment, game: Game, rep: User, team: Team, manager: User, signed_in: SignIn
) -> None:
    other = Game.objects.create(
        player=rep, team=team, scenario=game.scenario, persona=game.persona, seat="seller", seed=1,
        difficulty=0.5, horizon=20,
    )  # fmt: skip
    assert say(signed_in(manager), other, parent=comment.pk) == 422
    with pytest.raises(services.CommentRefused):
        services.comment_write(game=other, author=manager, text="?", turn=0, parent=comment)


def test_ones_own_words_can_be_changed_for_a_quarter_of_an_hour(comment: Comment) -> None:
    services.comment_edit(comment=comment, text="Better said.")
    comment.refresh_from_db()
    assert comment.text == "Better said."
    assert comment.edited_at is not None
    with pytest.raises(services.CommentRefused, match="15 minutes"):
        services.comment_edit(comment=aged(comment, 15), text="Too late.")
    comment.refresh_from_db()
    assert comment.text == "Better said."


def test_nobody_changes_or_deletes_what_somebody_else_wrote(
    comment: Comment, over: Game, rep: User, signed_in: SignIn
) -> None:
    for act_on in ("edit", "delete"):
        address = f"/deals/{over.pk}/comments/{comment.pk}/{act_on}/"
        assert signed_in(rep).post(address, {"text": "mine"}).status_code == 404
    comment.refresh_from_db()
    assert comment.text == WORDS


def test_deleting_leaves_a_trace_and_no_words(
    comment: Comment, over: Game, manager: User, rep: User, signed_in: SignIn
) -> None:
    signed_in(manager).post(f"/deals/{over.pk}/comments/{comment.pk}/delete/")
    page = signed_in(rep).get(f"/deals/{over.pk}/comments/").content.decode()
    assert WORDS not in page
    assert "Morgan Lee" in page
    assert "Deleted by its author" in page
    with pytest.raises(IntegrityError), transaction.atomic():
        Comment.objects.filter(pk=comment.pk).update(text="back again")
    assert say(signed_in(rep), over, parent=comment.pk) == 422


def test_what_is_new_is_counted_until_it_was_seen(
    comment: Comment, over: Game, rep: User, manager: User, signed_in: SignIn
) -> None:
    assert [(one.comments, one.verdict) for one in unread_of(rep)] == [(1, False)]
    assert "1 comment" in signed_in(rep).get("/").content.decode()
    assert unread_of(manager) == []
    assert "New</span>" in signed_in(rep).get(f"/deals/{over.pk}/debrief/").content.decode()
    assert unread_of(rep) == []
    services.comment_write(game=over, author=rep, text="Thanks.", turn=0, parent=comment)
    assert [one.comments for one in unread_of(manager)] == [1]
    services.verdict_give(game=over, by=manager, grade="solid", sentence="Well held.")
    assert [(one.comments, one.verdict) for one in unread_of(rep)] == [(0, True)]


def test_words_of_a_comment_are_shown_as_words(
    comment: Comment, over: Game, rep: User, signed_in: SignIn
) -> None:
    Comment.objects.filter(pk=comment.pk).update(text="<script>alert(1)</script>")
    page = signed_in(rep).get(f"/deals/{over.pk}/debrief/").content.decode()
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page


# -- verdicts ------------------------------------------------------------------------------------------


def test_a_verdict_stands_beside_the_machines_score_and_changes_nothing_of_it(
    over: Game, manager: User, rep: User, team: Team, signed_in: SignIn
) -> None:
    rubric = rubric_create(team=team, by=manager, name="Manners", auto=[], manual=["Kind"], every_deal=False)
    before = json.dumps(debrief_of(over), default=str)
    row = Game.objects.filter(pk=over.pk).values().get()
    given = {"grade": "weak", "sentence": WORDS, "differs": "Luck.", "rubric": rubric.pk}
    answer = signed_in(manager).post(f"/deals/{over.pk}/verdict/", given)
    assert answer["Location"].endswith("/debrief/#verdict")
    assert json.dumps(debrief_of(over), default=str) == before
    assert Game.objects.filter(pk=over.pk).values().get() == row
    page = signed_in(rep).get(f"/deals/{over.pk}/debrief/").content.decode()
    for words in ("The machine", "Weak", WORDS, "Luck.", "Manners", "Morgan Lee"):
        assert words in page


def test_a_new_verdict_keeps_the_old_one_as_history(
    over: Game, manager: User, rep: User, signed_in: SignIn
) -> None:
    for grade in ("weak", "weak", "solid"):
        services.verdict_give(game=over, by=manager, grade=grade, sentence=f"It was {grade}.")
    assert [one.grade for one in Verdict.objects.filter(game=over)] == ["solid", "weak"]
    page = signed_in(rep).get(f"/deals/{over.pk}/debrief/").content.decode()
    assert page.index("It was solid.") < page.index("Earlier: 1") < page.index("It was weak.")


def test_a_live_deal_takes_no_verdict(game: Game, manager: User) -> None:
    with pytest.raises(services.CommentRefused):
        services.verdict_give(game=game, by=manager, grade="solid", sentence="Early.")


def test_a_rubric_of_another_team_can_not_be_leant_on(over: Game, manager: User, signed_in: SignIn) -> None:
    elsewhere = Team.objects.create(name="Elsewhere")
    rubric = rubric_create(team=elsewhere, by=manager, name="R", auto=[], manual=["K"], every_deal=False)
    signed_in(manager).post(
        f"/deals/{over.pk}/verdict/", {"grade": "solid", "sentence": "x", "rubric": rubric.pk}
    )
    assert not Verdict.objects.exists()


def test_a_manager_does_not_judge_a_deal_of_their_own(over: Game, manager: User, signed_in: SignIn) -> None:
    Game.objects.filter(pk=over.pk).update(player=manager)
    answer = signed_in(manager).post(f"/deals/{over.pk}/verdict/", {"grade": "strong", "sentence": "Me!"})
    assert answer.status_code == 404


# -- what goes, and what is taken along ----------------------------------------------------------------


def test_words_go_with_the_transcript_and_the_grade_stays(
    comment: Comment, over: Game, manager: User, rep: User, signed_in: SignIn
) -> None:
    services.verdict_give(game=over, by=manager, grade="mixed", sentence=WORDS, differs=WORDS)
    redact(DEALS, over.pk, reason=Redaction.Reason.REQUEST, by=rep)
    for table in ("coaching_comment", "coaching_verdict"):
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT * FROM {table}")  # noqa: S608  # one of two names
            assert "zebra" not in str(cursor.fetchall())
    assert Verdict.objects.get().grade == "mixed"
    page = signed_in(rep).get(f"/deals/{over.pk}/debrief/").content.decode()
    assert "These words went with the transcript." in page
    assert "Mixed" in page
    assert say(signed_in(manager), over) == 422
    with pytest.raises(services.CommentRefused):
        services.verdict_give(game=over, by=manager, grade="solid", sentence="Again.")


def test_whoever_leaves_leaves_no_name_on_what_they_wrote(
    comment: Comment, over: Game, manager: User, rep: User, signed_in: SignIn
) -> None:
    services.verdict_give(game=over, by=manager, grade="mixed", sentence="Fine.")
    services.talk_seen(game=over, user=manager)
    manager.memberships.update(role="rep")
    account_delete(user=manager)
    page = signed_in(rep).get(f"/deals/{over.pk}/debrief/").content.decode()
    assert "Former member" in page
    assert "Morgan Lee" not in page
    assert WORDS in page
    assert not TalkSeen.objects.filter(user=manager).exists()


def test_both_sides_take_along_what_was_written(
    comment: Comment, over: Game, manager: User, rep: User
) -> None:
    services.verdict_give(game=over, by=manager, grade="mixed", sentence="Fine.")

    def file(user: User, start: str) -> dict[str, list[dict[str, object]]]:
        with zipfile.ZipFile(io.BytesIO(archive_of(user))) as archive:
            name = next(name for name in archive.namelist() if name.startswith(start))
            found: dict[str, list[dict[str, object]]] = json.loads(archive.read(name))
            return found

    about = file(rep, "games/")
    assert (about["comments"][0]["text"], about["comments"][0]["by"]) == (WORDS, "Morgan Lee")
    assert about["verdicts"][0]["verdict"] == "mixed"
    assert file(manager, "comments.json")["comments"][0]["text"] == WORDS
    assert file(rep, "comments.json") == {"comments": [], "verdicts": []}


def test_the_archive_of_a_live_deal_says_nothing_of_comments(game: Game, manager: User, rep: User) -> None:
    services.comment_write(game=game, author=manager, text=WORDS, turn=0)
    assert WORDS.encode() not in b"".join(
        archive.read(name)
        for archive in [zipfile.ZipFile(io.BytesIO(archive_of(rep)))]
        for name in archive.namelist()
    )


def test_a_manager_takes_comments_and_verdicts_as_tables(
    comment: Comment, over: Game, manager: User, team: Team, signed_in: SignIn
) -> None:
    services.verdict_give(game=over, by=manager, grade="mixed", sentence="=1+1")

    def rows(kind: str) -> list[dict[str, str]]:
        answer = signed_in(manager).get(f"/team/{team.pk}/export/{kind}.csv")
        text = b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]
        return list(csv.DictReader(io.StringIO(text.lstrip("\ufeff"))))

    (said,), (game,) = rows("comments"), rows("games")
    assert (said["turn"], said["comment"], said["text"]) == ("2", str(comment.pk), WORDS)
    assert (game["verdict"], game["in a sentence"], game["judged by"]) == ("mixed", "'=1+1", "Morgan Lee")
    assert game["comments"] == "1"


# -- hints on the wire ---------------------------------------------------------------------------------


async def test_a_coach_is_told_what_to_whisper_after_every_turn(
    open_socket: OpenSocket, game: Game, rep: User, session: str
) -> None:
    _, token = await in_database(share, game, "coach", rep)
    coach = await open_socket(f"/ws/watch/{token}/")
    first = (await coach.until("hints"))["data"]
    assert (first["turn"], [hint["kind"] for hint in first["hints"]]) == (0, ["ask_first"])
    player = await open_socket(f"/ws/deals/{game.id}/", session=session)
    await play(player, text="We ask for 180.", offer=180_000)
    second = (await coach.until("hints"))["data"]
    assert second["turn"] == 1
    assert set(second["hints"][0]) == {"kind", "topic", "weight", "title", "say", "evidence", "spark"}
    assert (await ask(coach, frame("whisper", text=second["hints"][0]["say"])))["type"] == "ack"


async def test_nobody_but_a_coach_is_sent_hints(
    open_socket: OpenSocket, game: Game, rep: User, session: str
) -> None:
    _, token = await in_database(share, game, "watch", rep)
    watcher = await open_socket(f"/ws/watch/{token}/")
    player = await open_socket(f"/ws/deals/{game.id}/", session=session)
    for socket in (watcher, player):
        await socket.until("turn_closed")
        sent = frame("ping")
        await socket.send_json_to(sent)
        while (answer := await socket.frame()).get("id") != sent["id"]:
            assert answer.get("type") != "hints"


async def test_hints_end_with_the_deal(open_socket: OpenSocket, game: Game, rep: User, session: str) -> None:
    _, token = await in_database(share, game, "replay", rep)
    player = await open_socket(f"/ws/deals/{game.id}/", session=session)
    await ask(player, frame("walk_away"))
    await player.until("game_ended")
    replay = await open_socket(f"/ws/watch/{token}/")
    assert (await replay.until("hints"))["data"]["hints"] == []
