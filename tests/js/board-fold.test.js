/** The page's fold of a game on the board, as one power sees it and as somebody who looks on. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { emptyState, take } from "../../static/js/board-fold.js";

const SPRING = { phase: "S1901M", units: { FRANCE: ["A PAR"] }, centers: { FRANCE: ["PAR"] } };
const FALL = { phase: "F1901M", units: { FRANCE: ["A BUR"] }, centers: { FRANCE: ["PAR"] } };
const OPENED = { seq: 1, type: "opened", data: { position: SPRING, seats: { FRANCE: { person: true }, ITALY: { bot: "dumbbot" } }, deadline: "12:00" } };
const PROMISE = { id: "p1", by: "FRANCE", text: "peace" };
const SAID = { seq: 2, type: "said", data: { by: "FRANCE", to: "ITALY", phase: "S1901M", tag: "LIE", promises: [PROMISE] } };

/** @param {any[]} frames @param {string | null} power */
function after(frames, power) {
  const state = emptyState();
  for (const frame of frames) take(state, frame, power);
  return state;
}

test("the opening puts units, seats and the deadline on the page", () => {
  const state = after([OPENED], "FRANCE");
  assert.deepEqual(state.position, SPRING);
  assert.equal(state.deadline, "12:00");
  assert.deepEqual(Object.keys(state.seats), ["FRANCE", "ITALY"]);
});

test("a frame that is held already is passed over, so a message is not shown twice", () => {
  assert.equal(after([OPENED, SAID, SAID], "FRANCE").messages.length, 1);
});

test("a frame without a type, or of a kind unknown here, only moves the number on", () => {
  const state = after([OPENED, { seq: 5 }, { seq: 6, type: "of_tomorrow", data: {} }], "FRANCE");
  assert.equal(state.seq, 6);
  assert.deepEqual(state.position, SPRING);
});

test("one's own orders are shown as given; another's only that they are in", () => {
  const ordered = { seq: 2, type: "ordered", data: { power: "FRANCE", orders: ["A PAR - BUR"] } };
  const own = after([OPENED, ordered], "FRANCE");
  assert.deepEqual(own.mine, ["A PAR - BUR"]);
  assert.deepEqual(own.plans, {});
  const other = after([OPENED, { seq: 2, type: "ordered", data: { power: "FRANCE" } }], "ITALY");
  assert.equal(other.mine, null);
  assert.deepEqual([...other.given], ["FRANCE"]);
});

test("who looks on sees the plans of all, and has none of its own", () => {
  const ordered = { seq: 2, type: "ordered", data: { power: "FRANCE", orders: ["A PAR H"] } };
  const state = after([OPENED, ordered, { seq: 3, type: "planned", data: { orders: { ITALY: ["A VEN H"] } } }], null);
  assert.deepEqual(state.plans, { FRANCE: ["A PAR H"], ITALY: ["A VEN H"] });
  assert.equal(state.mine, null);
});

test("orders taken back are in no longer; another's withdrawal leaves one's own alone", () => {
  const both = [OPENED, { seq: 2, type: "ordered", data: { power: "FRANCE", orders: ["A PAR H"] } }, { seq: 3, type: "ordered", data: { power: "ITALY" } }];
  const others = after([...both, { seq: 4, type: "withdrawn", data: { power: "ITALY" } }], "FRANCE");
  assert.deepEqual([...others.given], ["FRANCE"]);
  assert.deepEqual(others.mine, ["A PAR H"]);
  const own = after([...both, { seq: 4, type: "withdrawn", data: { power: "FRANCE" } }], "FRANCE");
  assert.equal(own.mine, null);
});

test("a promise is open until a phase judges it, and the tag is kept for the words' own speaker alone", () => {
  const state = after([OPENED, SAID], "FRANCE");
  assert.deepEqual(state.promises.get("p1"), { ...PROMISE, tag: "LIE", verdict: "OPEN", said: "S1901M" });
  const mutual = { ...SAID, data: { ...SAID.data, promises: [{ ...PROMISE, by: "ITALY" }] } };
  assert.equal(after([OPENED, mutual], "FRANCE").promises.get("p1").tag, null);
});

test("a played phase goes to the past with both positions, judges promises, and clears what was ordered", () => {
  const played = {
    seq: 4,
    type: "played",
    data: {
      phase: "S1901M",
      position: FALL,
      results: { FRANCE: [] },
      verdicts: [
        { id: "p1", verdict: "BROKEN" },
        { id: "unknown", verdict: "KEPT" },
      ],
      deadline: "13:00",
    },
  };
  const state = after([OPENED, SAID, { seq: 3, type: "ordered", data: { power: "FRANCE", orders: ["A PAR - BUR"] } }, played], "FRANCE");
  assert.deepEqual(state.past, [{ phase: "S1901M", before: SPRING, after: FALL, results: { FRANCE: [] } }]);
  assert.deepEqual(state.position, FALL);
  assert.equal(state.promises.get("p1").verdict, "BROKEN");
  assert.equal(state.promises.get("p1").judged, "S1901M");
  assert.equal(state.promises.size, 1);
  assert.deepEqual([state.mine, state.given.size, state.plans, state.deadline], [null, 0, {}, "13:00"]);
});

test("who joins is a person, who leaves is covered by the bot that sat there", () => {
  const state = after([OPENED, { seq: 2, type: "joined", data: { power: "ITALY" } }], "FRANCE");
  assert.deepEqual(state.seats.ITALY, { bot: "dumbbot", person: true });
  take(state, { seq: 3, type: "covered", data: { power: "ITALY" } }, "FRANCE");
  assert.deepEqual(state.seats.ITALY, { bot: "dumbbot", person: false });
});

test("the end takes the deadline away", () => {
  const state = after([OPENED, { seq: 2, type: "ended", data: { winner: "FRANCE" } }], "FRANCE");
  assert.deepEqual([state.ended, state.deadline], [{ winner: "FRANCE" }, null]);
});
