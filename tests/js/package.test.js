/** Packages: what terms are worth to whom, which package of several stands, how it is said. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { createScale, fromLimit, inARow, labelsOf, packagesOf, sameTerms, signed, standingOf, worthInWords } from "../../static/js/package.js";

const issue = (/** @type {string} */ id, /** @type {string[]} */ ...options) => ({
  id,
  title: id,
  options: options.map((one) => ({ id: one, label: one.toUpperCase() })),
});
const MONEY = { low: 100, high: 900, step: 10, currency: "$", per_label: "", issues: [issue("term", "one", "three"), issue("support", "basic", "full")] };
const VALUES = [
  [0, 40],
  [0, -25],
];
const TERMS = { term: "three", support: "full" };

test("for the seller what its terms bring is added to the price, for the buyer it is taken off", () => {
  assert.equal(createScale(MONEY, VALUES, "seller").worth({ price: 500, terms: TERMS }), 515);
  assert.equal(createScale(MONEY, VALUES, "buyer").worth({ price: 500, terms: TERMS }), 485);
});

test("the first option of every issue is worth the bare price, as is a deal without values", () => {
  const first = { term: "one", support: "basic" };
  assert.equal(createScale(MONEY, VALUES, "seller").worth({ price: 500, terms: first }), 500);
  assert.equal(createScale(MONEY, undefined, "seller").worth({ price: 500, terms: TERMS }), 500);
});

test("the price for a worth undoes the worth of a price, to the step, for both seats", () => {
  for (const seat of /** @type {("seller" | "buyer")[]} */ (["seller", "buyer"])) {
    const scale = createScale(MONEY, VALUES, seat);
    for (const price of [100, 370, 900]) assert.ok(Math.abs(scale.priceFor(scale.worth({ price, terms: TERMS }), TERMS) - price) <= MONEY.step / 2);
  }
});

test("a price is never below one step, whatever the terms would need", () => {
  assert.equal(createScale(MONEY, VALUES, "seller").priceFor(-1000, TERMS), 10);
});

test("a surplus is positive on the good side of the limit: above for the seller, below for the buyer", () => {
  assert.equal(createScale(MONEY, VALUES, "seller").surplus(520, 500), 20);
  assert.equal(createScale(MONEY, VALUES, "buyer").surplus(520, 500), -20);
});

test("a move puts on the table its offer and what stands beside it; an acceptance or bare words put nothing", () => {
  assert.deepEqual(packagesOf({ offer: 5, terms: TERMS, alternatives: [{ price: 6, terms: {} }] }), [
    { price: 5, terms: TERMS },
    { price: 6, terms: {} },
  ]);
  assert.deepEqual(packagesOf({ offer: 0 }), [{ price: 0, terms: {} }]);
  assert.deepEqual(packagesOf({ offer: null }), []);
  assert.deepEqual(packagesOf({ offer: 5, accept: true }), []);
});

test("of several packages the one that the other side would rather have stands, else the first", () => {
  const move = { seq: 2, side: "player", turn: 1, offer: 5, alternatives: [{ price: 6, terms: {} }] };
  const answer = { seq: 3, side: "opponent", turn: 1, preferred: 1 };
  assert.equal(standingOf(move, [move, answer]).price, 6);
  assert.equal(standingOf(move, [move]).price, 5);
  assert.equal(standingOf(move, [move, { ...answer, preferred: 7 }]).price, 5);
  assert.equal(standingOf(move, [{ ...answer, seq: 1 }, move]).price, 5, "an answer comes after");
});

test("terms are the same in any order, and none at all is like no terms", () => {
  assert.equal(sameTerms({ a: "1", b: "2" }, { b: "2", a: "1" }), true);
  assert.equal(sameTerms({ a: "1" }, { a: "2" }), false);
  assert.equal(sameTerms(null, {}), true);
});

test("labels are given for all terms, or only for those that differ", () => {
  assert.deepEqual(labelsOf(MONEY.issues, TERMS), ["THREE", "FULL"]);
  assert.deepEqual(labelsOf(MONEY.issues, TERMS, { term: "three", support: "basic" }), ["FULL"]);
  assert.deepEqual(labelsOf(MONEY.issues, null), []);
  assert.deepEqual(labelsOf(MONEY.issues, { term: "gone", support: "full" }), ["gone", "FULL"]);
});

test("what it comes to is said with its side: worth or cost, better or beyond, plus or minus", () => {
  assert.equal(worthInWords(512.4, MONEY, "seller"), "worth $512 to you");
  assert.equal(worthInWords(512.4, MONEY, "buyer"), "costs you $512, all told");
  assert.equal(fromLimit(23.4, MONEY), "$23 better than your walk-away");
  assert.equal(fromLimit(-23.4, MONEY, true), "$23 beyond your own walk-away");
  assert.equal(signed(9, MONEY), "+$9");
  assert.equal(signed(-9, MONEY), "−$9");
  assert.equal(signed(0, MONEY), "$0");
});

test("a row of labels has commas and one and", () => {
  assert.equal(inARow(["a"]), "a");
  assert.equal(inARow(["a", "b"]), "a and b");
  assert.equal(inARow(["a", "b", "c"]), "a, b and c");
});
