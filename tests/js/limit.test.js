/** The own limit's moves: kept by the fold, said from what to what, and why. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { fold } from "../../static/js/fold.js";
import { limitLine } from "../../static/js/limit.js";

/** @type {import("../../static/js/money.js").Money} */
const MONEY = { low: 100_000, high: 250_000, step: 500, currency: "$", per_label: "", issues: [] };
/** @type {import("../../static/js/limit.js").LimitMove} */
const NEWS = { cause: "news", before: 117_000, after: 115_000, words: "Rates rise" };
const closed = (/** @type {number} */ seq, /** @type {any} */ moves) => ({ seq, type: "turn_closed", data: { turn: seq, ...moves } });

test("a turn that moved one's limit is kept with its reasons; one that did not leaves nothing", () => {
  const state = fold([closed(1, { limit_moves: [] }), closed(2, { limit_moves: [NEWS] }), closed(3, { limit_moves: [] })]);
  assert.deepEqual(state.limits, [{ seq: 2, turn: 2, moves: [NEWS] }]);
});

test("a frame without anything of one's own, as a watcher's, leaves nothing", () => {
  assert.deepEqual(fold([{ seq: 1, type: "turn_closed", data: { turn: 1 } }]).limits, []);
});

test("the line says from what to what, and why; the headline stands beside it and is not said again", () => {
  const line = limitLine({ seq: 2, turn: 2, moves: [NEWS] }, MONEY);
  assert.deepEqual(line, { seq: 2, kind: "limit", who: "Your walk-away", note: "It moved from $117,000 to $115,000 with the news." });
  const heat = limitLine({ seq: 2, turn: 2, moves: [{ ...NEWS, cause: "conflict", words: "" }] }, MONEY).note;
  assert.equal(heat, "It moved from $117,000 to $115,000: the heat at the table burns what there is to agree on.");
});

test("two causes in one turn are two sentences of one line", () => {
  /** @type {import("../../static/js/limit.js").LimitMove} */
  const heat = { cause: "conflict", before: 115_000, after: 116_000, words: "" };
  assert.match(limitLine({ seq: 2, turn: 2, moves: [NEWS, heat] }, MONEY).note, /with the news\. It moved from \$115,000 to \$116,000/);
});
