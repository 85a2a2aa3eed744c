/** A table for three: what a frame adds, what a proposal comes to, where a division lies, how it is said. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { drawn, emptyState, take } from "../../static/js/coalition-fold.js";
import { isDepot, leftTo, mayHearAlone, restOfDepot } from "../../static/js/coalition-reckoning.js";
import { placeOf, SEATS } from "../../static/js/coalition-triangle.js";
import { createWords } from "../../static/js/coalition-words.js";

/** @typedef {import("../../static/js/coalition-triangle.js").Seat} Seat */

const acted = (/** @type {number} */ seq) => ({ seq, type: "acted", data: { number: seq } });
const COALITIONS = [
  { members: /** @type {Seat[]} */ (["seller", "buyer_a"]), arrangement: "whole" },
  { members: /** @type {Seat[]} */ (["buyer_a", "buyer_b"]), arrangement: "depot" },
];
const OWN = { whole: 500, depot: 300 };

test("a frame adds its turn to what is not drawn yet, and not when it was here before", () => {
  const first = [{ seq: 1, type: "started", data: {} }, acted(2), acted(3)].reduce(take, emptyState());
  assert.deepEqual(
    first.news.map((turn) => turn.number),
    [2, 3],
  );
  const second = [acted(3), acted(4)].reduce(take, drawn(first));
  assert.deepEqual(
    second.news.map((turn) => turn.number),
    [4],
  );
  assert.equal(second.seen, 4);
});

test("a turn that this seat may not see is a bare number, and counts", () => {
  assert.deepEqual(take({ seen: 4, news: [], outcome: null }, /** @type {any} */ ({ seq: 5 })), { seen: 5, news: [], outcome: null });
});

test("the outcome comes with the frame that ends the deal and stays", () => {
  const end = [acted(2), { seq: 3, type: "ended", data: { outcome: { agreement: null } } }].reduce(take, emptyState());
  assert.deepEqual(end.outcome, { agreement: null });
  assert.deepEqual(drawn(end).outcome, { agreement: null });
});

test("a buyer is left with its arrangement less what it pays, the seller with its own and what it gets", () => {
  assert.equal(leftTo({ members: ["seller", "buyer_a"], pays: { buyer_a: 120 } }, "buyer_a", COALITIONS, OWN), 380);
  assert.equal(leftTo({ members: ["seller", "buyer_a"], pays: { buyer_a: 120 } }, "seller", COALITIONS, OWN), 620);
  assert.equal(leftTo({ members: ["buyer_a", "buyer_b"], pays: { buyer_a: 350, buyer_b: 50 } }, "buyer_a", COALITIONS, OWN), -50);
});

test("nothing is reckoned before every figure is there and can be read", () => {
  assert.equal(leftTo({ members: ["seller", "buyer_a"], pays: { buyer_a: null } }, "seller", COALITIONS, OWN), null);
  assert.equal(leftTo({ members: ["seller", "buyer_a"], pays: { buyer_a: Number.NaN } }, "seller", COALITIONS, OWN), null);
});

test("two buyers alone build the depot; what one pays of it leaves the other the rest, within the cost", () => {
  assert.equal(isDepot(["buyer_a", "buyer_b"]), true);
  assert.equal(isDepot(["seller", "buyer_a"]), false);
  assert.equal(isDepot(["seller", "buyer_a", "buyer_b"]), false);
  assert.equal(restOfDepot(30, 100), 70);
  assert.equal(restOfDepot(0, 100), 100);
  assert.equal(restOfDepot(100, 100), 0);
  for (const wrong of [null, -1, 101, Number.NaN]) assert.equal(restOfDepot(wrong, 100), null);
});

test("a private word goes to somebody who is there, and a private deal only to its other party", () => {
  assert.equal(mayHearAlone("buyer_a", [], ["seller", "buyer_a"]), true);
  assert.equal(mayHearAlone("buyer_b", [], ["seller", "buyer_a"]), false);
  assert.equal(mayHearAlone("buyer_a", ["seller", "buyer_a"], SEATS), true);
  assert.equal(mayHearAlone("buyer_b", ["seller", "buyer_a"], SEATS), false);
  assert.equal(mayHearAlone("buyer_a", SEATS, SEATS), false);
});

test("all to one seat is its corner, an even division the middle, a loss counts as nothing, no gain has no place", () => {
  assert.deepEqual(placeOf({ seller: 7, buyer_a: 0, buyer_b: 0 }), [170, 30]);
  assert.deepEqual(placeOf({ seller: 0, buyer_a: 7, buyer_b: -3 }), [30, 272]);
  const middle = placeOf({ seller: 2, buyer_a: 2, buyer_b: 2 });
  assert.ok(middle && Math.abs(middle[0] - 170) < 1e-9 && Math.abs(middle[1] - (30 + 272 + 272) / 3) < 1e-9);
  assert.equal(placeOf({ seller: 0, buyer_a: -1, buyer_b: 0 }), null);
});

test("to who only watches everybody has a name", () => {
  const seats = Object.fromEntries(SEATS.map((seat) => [seat, { short: { seller: "Nordia", buyer_a: "Arctic", buyer_b: "Bergen" }[seat] }]));
  const words = createWords({ seat: null, seats, scenario: { currency: "$", low: 1, high: 9 } });
  assert.equal(words.deal(["seller", "buyer_a"]), "Arctic takes the whole store");
  assert.equal(words.deal(["buyer_a", "buyer_b"]), "The two buyers take the depot");
  assert.equal(words.pays({ members: ["buyer_a", "buyer_b"], pays: { buyer_a: 10, buyer_b: 20 } }), "Arctic pays $10, Bergen pays $20");
});

test("a proposal is said from where one sits: you are you, and a loss has a minus", () => {
  const seats = Object.fromEntries(SEATS.map((seat) => [seat, { short: { seller: "Nordia", buyer_a: "Arctic", buyer_b: "Bergen" }[seat] }]));
  const words = createWords({ seat: "buyer_a", seats, scenario: { currency: "$", low: 1, high: 9 } });
  assert.equal(words.deal(["seller", "buyer_a"]), "You take the whole store");
  assert.equal(words.deal(["seller", "buyer_b"]), "Bergen takes the whole store");
  assert.equal(words.deal(["buyer_a", "buyer_b"]), "You and Bergen take the depot");
  assert.equal(words.deal(SEATS), "All three share the store");
  assert.equal(words.pays({ members: ["buyer_a", "buyer_b"], pays: { buyer_a: 10, buyer_b: 20 } }), "You pay $10, Bergen pays $20");
  assert.equal(words.figure(-5), "−$5");
});
