"""Coaching with two browsers: a hint is whispered and read; a comment and a verdict wait for the debrief."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.driver import close_deal, connected, fits, say, sign_in, start_deal
from tests.browser.test_access import serious_in_both

pytestmark = pytest.mark.browser
WIDTHS = (320, 360, 768, 1440)


def seated(visit: Visit) -> tuple[Page, Page]:
    """A rep at a table after two moves without an answer in kind, and the manager beside."""
    rep, manager = visit(), visit()
    sign_in(rep)
    start_deal(rep, persona="shark")
    say(rep, "We start at 178.", "178000")
    sign_in(manager, "manager@demo.local")
    manager.goto("/")
    manager.locator("[data-watch-game]").last.click()
    connected(manager)
    say(rep, "We can do 170.", "170000")
    expect(manager.locator("#hint-turn")).to_have_text("after turn 2")
    return rep, manager


@pytest.mark.slow
def test_a_hint_is_whispered_and_read_without_taking_the_focus(visit: Visit) -> None:
    rep, manager = seated(visit)
    hint = manager.get_by_test_id("hint").first
    expect(hint).to_be_visible()
    said = (hint.locator(".hint-say").text_content() or "").strip("“”")
    expect(manager.locator("#whisper-first")).to_contain_text("counts for learning only")
    hint.get_by_test_id("whisper-this").click()
    field = manager.get_by_test_id("whisper")
    expect(field).to_be_focused()
    expect(field).to_have_value(said)
    field.press("End")
    field.type(" Breathe.")
    rep.get_by_test_id("utterance").fill("I was about to")
    field.press("Enter")
    expect(manager.locator("#whisper-done")).to_have_text("Passed to Robin.")
    expect(manager.locator("#whisper-first")).to_be_hidden()

    note = rep.get_by_test_id("coach-note")
    expect(note).to_contain_text(f"{said} Breathe.")
    expect(note).to_contain_text("Morgan Lee, after turn 2")
    expect(rep.get_by_test_id("utterance")).to_be_focused()
    expect(rep.get_by_test_id("utterance")).to_have_value("I was about to")
    expect(rep.locator("#live")).to_contain_text("Breathe.")
    note.get_by_role("button", name="Dismiss").click()
    expect(note).to_be_hidden()
    expect(rep.get_by_test_id("transcript")).to_contain_text("Breathe.")
    rep.reload()
    connected(rep)
    expect(note).to_be_hidden()
    rep.get_by_role("button", name="Notes 1").click()
    expect(rep.get_by_test_id("notes-list")).to_contain_text("Breathe.")
    rep.keyboard.press("Escape")
    expect(rep.get_by_test_id("notes-list")).to_be_hidden()


@pytest.mark.slow
def test_hints_stay_apart_from_what_rests_on_hidden_truth(visit: Visit) -> None:
    _, manager = seated(visit)
    secret = manager.get_by_test_id("secret")
    expect(secret).to_contain_text("With hidden truth, for your eyes.")
    assert secret.get_by_role("button").count() == 0
    expect(manager.get_by_test_id("hints")).to_contain_text("Hidden truth plays no part.")
    expect(manager.locator("#hint-turn")).to_have_text("after turn 2")


@pytest.mark.slow
def test_a_comment_and_a_verdict_wait_for_the_debrief(visit: Visit) -> None:
    rep, manager = seated(visit)
    manager.get_by_role("radio", name="Comment").check()
    manager.get_by_label("The turn that you comment on").select_option("1")
    field = manager.get_by_test_id("whisper")
    field.fill("A first number without a question.")
    field.press("Enter")
    expect(manager.get_by_test_id("comment")).to_contain_text("A first number without a question.")
    assert serious_in_both(manager) == []
    for width in WIDTHS:
        manager.set_viewport_size({"width": width, "height": 800})
        assert fits(manager), width
    expect(rep.get_by_test_id("coach-note")).to_be_hidden()
    assert "without a question" not in rep.content()

    close_deal(rep)
    expect(manager.locator("#finish")).to_be_visible()
    expect(manager.get_by_role("radio", name="Note")).to_be_disabled()
    rep.goto("/")
    news = rep.get_by_test_id("unread")
    expect(news).to_contain_text("1 comment")
    assert serious_in_both(rep) == []
    news.get_by_role("link").first.click()
    comment = rep.get_by_test_id("comment")
    expect(comment).to_contain_text("New")
    expect(rep.locator("#comments-turn-1")).to_contain_text("A first number without a question.")
    address = rep.url.split("#")[0]
    rep.get_by_text("Answer Morgan Lee").click()
    rep.get_by_label("Your answer").fill("Next time I ask first.")
    rep.locator("#comments").get_by_role("button", name="Answer").click()
    expect(comment).to_have_count(2)

    manager.goto(address)
    manager.get_by_test_id("tab-verdict").click()
    manager.get_by_role("radio", name="Mixed").check()
    manager.get_by_label("In a sentence").fill("Two gifts in a row.")
    manager.get_by_label("Why we differ").fill("The figures can't see the tone.")
    manager.get_by_role("button", name="Give the verdict").click()
    expect(manager.get_by_test_id("verdict-grade")).to_have_text("Mixed")
    assert serious_in_both(manager) == []

    rep.goto("/")
    expect(news).to_contain_text("A verdict")
    news.get_by_role("link").first.click()
    verdict = rep.get_by_test_id("verdict")
    expect(verdict).to_contain_text("Morgan Lee")
    expect(verdict).to_contain_text("The figures can't see the tone.")
    expect(verdict).to_contain_text("The machine")
    assert rep.get_by_role("button", name="Give the verdict").count() == 0
    assert serious_in_both(rep) == []
    for width in WIDTHS:
        rep.set_viewport_size({"width": width, "height": 800})
        assert fits(rep), width
    rep.goto("/")
    expect(news).to_have_count(0)


@pytest.mark.slow
def test_one_changes_and_deletes_ones_own_words(visit: Visit) -> None:
    rep, manager = seated(visit)
    close_deal(rep)
    rep.get_by_role("link", name="See what they were hiding").click()
    manager.goto(rep.url)
    manager.on("dialog", lambda dialog: dialog.accept())
    manager.get_by_test_id("tab-comments").click()
    manager.get_by_test_id("comment-text").fill("To fast.")
    manager.get_by_role("button", name="Comment", exact=True).click()
    comment = manager.get_by_test_id("comment")
    expect(comment).to_contain_text("To fast.")
    expect(manager.get_by_test_id("comment-text")).to_have_value("")
    comment.get_by_text("Change").click()
    comment.get_by_label("Your comment").fill("Too fast.")
    comment.get_by_role("button", name="Save").click()
    expect(comment).to_contain_text("Too fast.")
    expect(comment).to_contain_text("changed")
    comment.get_by_role("button", name="Delete").click()
    expect(comment).to_contain_text("Deleted by its author just now.")
    rep.reload()
    expect(rep.get_by_test_id("comment")).to_contain_text("Deleted by its author")
