/** Orders on the board: read from their notation, said in words, chosen by clicks, sent whole. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { isOf, nextClicks, wholeOrders } from "../../static/js/board-choices.js";
import { clicksOf, orderWords, parseOrder, phaseWords, placeName, powerName, turnOf, turnWords, unitName, useNames } from "../../static/js/board-words.js";

useNames({
  PAR: "Paris",
  BUR: "Burgundy",
  MUN: "Munich",
  STP: "St Petersburg",
  BRE: "Brest",
  ENG: "English Channel",
  LON: "London",
  PIC: "Picardy",
  SPA: "Spain",
});

const KINDS = /** @type {[string, string, string][]} */ ([
  ["A PAR H", "hold", "holds"],
  ["A PAR - BUR", "move", "to Burgundy"],
  ["A BRE - LON VIA", "move", "to London, by convoy"],
  ["F BRE - SPA/NC", "move", "to Spain, north coast"],
  ["A PAR S A BUR", "support", "supports Army Burgundy"],
  ["A PAR S A BUR - MUN", "support", "supports Army Burgundy to Munich"],
  ["F ENG C A BRE - LON", "convoy", "carries Army Brest to London"],
  ["A PAR R PIC", "retreat", "retreats to Picardy"],
  ["A PAR D", "disband", "disbands"],
  ["A PAR B", "build", "builds an army"],
  ["F STP/SC B", "build", "builds a fleet, south coast"],
  ["WAIVE", "waive", "builds nothing"],
]);

test("every form of the notation is read as its kind and said in words", () => {
  for (const [text, kind, words] of KINDS) {
    const order = parseOrder(text);
    assert.equal(order.kind, kind, text);
    assert.equal(orderWords(order), words, text);
    assert.equal(order.text, text);
  }
});

test("an order's parts are told apart: who, where to, whom it helps, by convoy or not", () => {
  assert.deepEqual(parseOrder("A PAR S A BUR - MUN"), { text: "A PAR S A BUR - MUN", kind: "support", unit: "A PAR", goal: "MUN", other: "A BUR", via: false });
  assert.deepEqual(parseOrder("F ENG C A BRE - LON"), { text: "F ENG C A BRE - LON", kind: "convoy", unit: "F ENG", goal: "LON", other: "A BRE", via: false });
  assert.equal(parseOrder("A BRE - LON VIA").via, true);
  assert.equal(parseOrder("A BRE - LON").via, false);
});

test("what is no order at all asks for nothing", () => {
  for (const text of ["", "X PAR H", "A PAR", "A PAR - ", "hello"]) assert.equal(parseOrder(text).kind, "waive", text);
});

test("an order is clicked by the provinces that it names, coasts aside; a support in place by the unit twice", () => {
  assert.deepEqual(clicksOf(parseOrder("F BRE - SPA/NC")), ["SPA"]);
  assert.deepEqual(clicksOf(parseOrder("A PAR S F STP/SC - BUR")), ["STP", "BUR"]);
  assert.deepEqual(clicksOf(parseOrder("A PAR S A BUR")), ["BUR", "BUR"]);
  assert.deepEqual(clicksOf(parseOrder("F ENG C A BRE - LON")), ["BRE", "LON"]);
  assert.deepEqual(clicksOf(parseOrder("A PAR H")), []);
});

const ORDERS = [
  "A PAR H",
  "A PAR - BUR",
  "A PAR - PIC",
  "A PAR - PIC VIA",
  "A PAR - LON VIA",
  "A PAR S A BUR",
  "A PAR S A BUR - MUN",
  "A PAR S A BUR - PIC",
].map(parseOrder);

test("a place in reach on foot is sailed to only by choice, one out of reach is simply moved to", () => {
  const kinds = (/** @type {string} */ kind) => ORDERS.filter((order) => isOf(order, kind, ORDERS)).map((order) => order.text);
  assert.deepEqual(kinds("move"), ["A PAR - BUR", "A PAR - PIC", "A PAR - LON VIA"]);
  assert.deepEqual(kinds("sail"), ["A PAR - PIC VIA", "A PAR - LON VIA"]);
});

test("after each click only what is still possible is lit", () => {
  assert.deepEqual([...nextClicks(ORDERS, "move", []).keys()], ["BUR", "PIC", "LON"]);
  assert.deepEqual([...nextClicks(ORDERS, "support", []).keys()], ["BUR"]);
  assert.deepEqual([...nextClicks(ORDERS, "support", ["BUR"]).keys()], ["BUR", "MUN", "PIC"]);
  assert.deepEqual([...nextClicks(ORDERS, "support", ["MUN"]).keys()], []);
  assert.deepEqual([...nextClicks(ORDERS, "move", ["BUR"]).keys()], []);
  assert.deepEqual([...nextClicks(ORDERS, "hold", []).keys()], []);
});

test("two coasts of one province are one click with two orders", () => {
  const coasts = ["F BRE - SPA/NC", "F BRE - SPA/SC"].map(parseOrder);
  assert.deepEqual(
    nextClicks(coasts, "move", [])
      .get("SPA")
      ?.map((order) => order.goal),
    ["SPA/NC", "SPA/SC"],
  );
});

const units = (/** @type {string[]} */ ...names) => Object.fromEntries(names.map((name) => [name, []]));

test("units without an order hold, and after a defeat disband", () => {
  const drafts = new Map([["A PAR", "A PAR - BUR"]]);
  assert.deepEqual(wholeOrders({ phase: "S1901M", delta: 0, units: units("A PAR", "F BRE") }, drafts), { orders: ["A PAR - BUR", "F BRE H"] });
  assert.deepEqual(wholeOrders({ phase: "F1901R", delta: 0, units: units("F BRE") }, new Map()), { orders: ["F BRE D"] });
});

test("in winter builds that nobody chose are waived, and no more can be sent than there are", () => {
  const winter = { phase: "W1901A", delta: 2, units: units("A PAR", "A BRE", "A MAR") };
  assert.deepEqual(wholeOrders(winter, new Map([["A PAR", "A PAR B"]])), { orders: ["A PAR B", "WAIVE"] });
  assert.deepEqual(wholeOrders(winter, new Map([["A PAR", "WAIVE"]])), { orders: ["WAIVE", "WAIVE"] });
  const three = new Map(["A PAR", "A BRE", "A MAR"].map((unit) => [unit, `${unit} B`]));
  assert.deepEqual(wholeOrders(winter, three), { wrong: "You may build 2, not 3." });
});

test("who has to disband has to choose exactly as many", () => {
  const winter = { phase: "W1901A", delta: -1, units: units("A PAR", "A BRE") };
  assert.deepEqual(wholeOrders(winter, new Map()), { wrong: "Choose 1 to disband; 0 chosen." });
  assert.deepEqual(wholeOrders(winter, new Map([["A PAR", "A PAR D"]])), { orders: ["A PAR D"] });
});

test("without options there is nothing to send", () => {
  assert.deepEqual(wholeOrders(null, new Map()), { wrong: "There is nothing to order." });
});

test("phases, turns, places and powers have the names that people use", () => {
  assert.deepEqual(["S1901M", "F1902R", "W1903A", "COMPLETED"].map(phaseWords), ["Spring 1901", "Fall 1902, retreats", "Winter 1903, builds", "The end"]);
  assert.deepEqual([0, 1, 4].map(turnWords), ["Spring 1901", "Fall 1901", "Spring 1903"]);
  assert.equal(placeName("STP/SC"), "St Petersburg, south coast");
  assert.equal(placeName("XYZ"), "XYZ");
  assert.equal(unitName("F BRE"), "Fleet Brest");
  assert.deepEqual(["GLOBAL", "FRANCE"].map(powerName), ["everybody", "France"]);
});

test("every phase belongs to the movement that it is or that comes next", () => {
  assert.deepEqual(["S1901M", "S1901R", "F1901M", "F1901R", "W1901A", "S1902M"].map(turnOf), [0, 1, 1, 1, 2, 2]);
});
