/** A plan beside what became of it: each row states what was planned, what happened, and whether it was kept. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { planRows } from "../../static/js/plan.js";

const MONEY = { low: 100_000, high: 200_000, step: 500, currency: "$", per_label: "", issues: [] };
const PLAN = { first: 170_000, target: 150_000, rule: "Ask twice first" };

/** @param {Partial<import("../../static/js/plan.js").Done>} done */
const told = (done, plan = PLAN) =>
  planRows(plan, { seat: "seller", first: 170_000, closed: 145_000, walkAway: 125_000, ...done }, MONEY).map(({ deal, kept }) => [deal, kept]);

test("a seller's deal is held against first number, target and walk-away, and the rule is theirs to judge", () => {
  assert.deepEqual(told({}), [
    ["$170,000", true],
    ["$5,000 short", false],
    ["kept", true],
    ["you judge", null],
  ]);
});

test("a buyer does better below the target and worse above it", () => {
  const buyer = { seat: /** @type {const} */ ("buyer"), walkAway: 160_000 };
  assert.deepEqual(told({ ...buyer, closed: 148_000 })[1], ["$2,000 better", true]);
  assert.deepEqual(told({ ...buyer, closed: 161_000 }).slice(1, 3), [
    ["$11,000 short", false],
    ["signed beyond it", false],
  ]);
});

test("without a deal the target is neither kept nor missed, and the walk-away is kept", () => {
  assert.deepEqual(told({ first: null, closed: null }), [
    ["no number said", false],
    ["no deal", null],
    ["kept", true],
    ["you judge", null],
  ]);
});

test("who planned nothing is told nothing", () => {
  assert.deepEqual(told({}, { first: null, target: null, rule: "" }), []);
});
