/** The page's fold of a deal. tests/web/test_events.py holds it equal to the server's over whole games. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { answers, emptySnapshot, fold } from "../../static/js/fold.js";

const STARTED = { seq: 1, type: "game_started", data: { scenario: "saas_enterprise", seat: "seller", own: { walk_away: 100 } } };
const MOVED = { seq: 2, type: "player_moved", data: { turn: 1, offer: 150, text: "Hello." } };
const ANSWERED = { seq: 3, type: "opponent_moved", data: { turn: 1, offer: 120, text: "No." } };
const CLOSED = { seq: 4, type: "turn_closed", data: { turn: 1, tension: 20, own: { walk_away: 98 } } };

const graded = (/** @type {number} */ turn) => ({ turn, posterior: { mean: turn, ci95: [0, 9], grid: [1, 2], density: [0.5, 0.5] } });

test("a whole turn is on the page after it: who moved, the table, one's own limit as it is now", () => {
  const state = fold([STARTED, MOVED, ANSWERED, CLOSED]);
  assert.deepEqual(state.game, { scenario: "saas_enterprise", seat: "seller" });
  assert.deepEqual(
    state.transcript.map(({ seq, side, offer }) => [seq, side, offer]),
    [
      [2, "player", 150],
      [3, "opponent", 120],
    ],
  );
  assert.deepEqual(state.table, { turn: 1, tension: 20 });
  assert.deepEqual(state.own, { walk_away: 98 });
  assert.equal(state.last_seq, 4);
});

test("folding in two parts gives what folding at once gives, wherever the log is cut", () => {
  const frames = [STARTED, MOVED, ANSWERED, CLOSED];
  for (let at = 0; at <= frames.length; at += 1) assert.deepEqual(fold(frames.slice(at), fold(frames.slice(0, at))), fold(frames));
});

test("a frame that is held already is passed over, so nothing is said twice after a reconnect", () => {
  const state = fold([STARTED, MOVED]);
  assert.deepEqual(fold([STARTED, MOVED, MOVED], state), state);
});

test("the snapshot that is continued is not changed", () => {
  const before = fold([STARTED]);
  const copy = structuredClone(before);
  fold([MOVED, ANSWERED, CLOSED], before);
  assert.deepEqual(before, copy);
});

test("a frame without a type, of something one may not see, only moves the number on", () => {
  assert.deepEqual(fold([{ seq: 7 }]), { ...emptySnapshot(), last_seq: 7 });
});

test("a kind of frame that this page does not know is passed over", () => {
  assert.deepEqual(fold([{ seq: 7, type: "of_tomorrow", data: { text: "?" } }]), { ...emptySnapshot(), last_seq: 7 });
});

test("a reply is awaited from one's own move to the close of the turn, or to the end of the game", () => {
  assert.equal(fold([STARTED, MOVED]).awaiting_reply, true);
  assert.equal(fold([STARTED, MOVED, ANSWERED]).awaiting_reply, true);
  assert.equal(fold([STARTED, MOVED, ANSWERED, CLOSED]).awaiting_reply, false);
  assert.equal(fold([STARTED, MOVED, { seq: 3, type: "game_ended", data: { outcome: { deal: false } } }]).awaiting_reply, false);
});

test("past gradings lose the density that only the latest turn draws, and stay in order", () => {
  const state = fold([
    { seq: 1, type: "turn_graded", data: graded(1) },
    { seq: 2, type: "turn_graded", data: graded(2) },
  ]);
  assert.deepEqual(state.coach.posterior.density, [0.5, 0.5]);
  assert.deepEqual(
    state.coach.history.map((/** @type {any} */ past) => [past.turn, past.posterior]),
    [
      [1, { mean: 1, ci95: [0, 9] }],
      [2, { mean: 2, ci95: [0, 9] }],
    ],
  );
});

test("whispers, accounts, news and help each come to their own place, with their number", () => {
  const state = fold([
    { seq: 1, type: "whispered", data: { text: "Wait." } },
    { seq: 2, type: "answer_explained", data: { why: "house" } },
    { seq: 3, type: "news", data: { id: "storm" } },
    { seq: 4, type: "assisted", data: { reason: "coached" } },
  ]);
  assert.deepEqual(state.whispers, [{ seq: 1, text: "Wait." }]);
  assert.deepEqual(state.accounts, [{ seq: 2, why: "house" }]);
  assert.deepEqual(state.news, [{ seq: 3, id: "storm" }]);
  assert.equal(state.assisted, "coached");
});

test("a draft is shown only while its reply is awaited, and only for the latest move", () => {
  const waiting = fold([STARTED, MOVED]);
  assert.equal(answers(waiting, { after: 2 }), true);
  assert.equal(answers(waiting, { after: 1 }), false);
  assert.equal(answers(fold([ANSWERED, CLOSED], waiting), { after: 2 }), false);
  assert.equal(answers(emptySnapshot(), { after: 2 }), false);
});
