/** What a face shows follows from what was said aloud, and from nothing else. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { faceOf, feltAs, READS } from "../../static/js/expression.js";
import { atRest, glide, heatOf, poseOf } from "../../static/js/pose.js";

const SAID = { side: "opponent", text: "No.", offer: 100, claim: null, accept: false, walk_away: false, challenge: false, deadline_turns: null };
const names = (/** @type {any} */ move, /** @type {any[]} */ before = []) => faceOf(move, before).map((step) => step.name);

/** A move that knows which of its keys were read. @param {any} move @param {Set<string>} read */
const watched = (move, read) => new Proxy(move, { get: (of, key) => read.add(String(key)) && of[key] });

test("only what everybody at the table hears is read of a move", () => {
  const read = new Set();
  for (const more of [{}, { claim: 90 }, { accept: true }, { walk_away: true }, { challenge: true }, { told: [{}] }, { raised: [{}] }, { offer: null }]) {
    const move = watched({ ...SAID, ...more, open_claim_is_bluff: true, truth: { walk_away: 1 } }, read);
    faceOf(move, [watched({ ...SAID, claim: 80, bluff: true }, read)]);
  }
  assert.deepEqual(
    [...read].filter((key) => !READS.includes(key)),
    [],
  );
});

test("a stated limit or deadline brings the beat, whatever its truth", () => {
  assert.deepEqual(names({ ...SAID, claim: 90 }), ["beat", "steady"]);
  assert.deepEqual(names({ ...SAID, deadline_turns: 2 }), ["beat", "steady"]);
  assert.deepEqual(names(SAID, [{ ...SAID, offer: 90 }]), ["offer"]);
});

test("who states another limit than before looks away twice, and longer", () => {
  const before = [{ ...SAID, claim: 80 }];
  assert.deepEqual(names({ ...SAID, claim: 90 }, before), ["beat", "steady", "beat"]);
  assert.deepEqual(names({ ...SAID, claim: 80 }, before), ["beat", "steady"]);
  assert.deepEqual(names({ ...SAID, claim: 90 }, [{ ...before[0], side: "player" }]), ["beat", "steady"]);
  assert.ok(faceOf({ ...SAID, claim: 90 }, before)[0].seconds > faceOf({ ...SAID, claim: 80 }, before)[0].seconds);
});

test("doubt, an opened fact, an offer that stands and the two endings each look their own way", () => {
  assert.deepEqual(names({ ...SAID, raised: [{}] }), ["doubt"]);
  assert.deepEqual(names({ ...SAID, exposed: ["x"] }), ["doubt"]);
  assert.deepEqual(names({ ...SAID, told: [{}] }), ["open"]);
  assert.deepEqual(names(SAID, [SAID]), ["hold"]);
  assert.deepEqual(names({ ...SAID, accept: true }), ["accept"]);
  assert.deepEqual(names({ ...SAID, walk_away: true, claim: 3 }), ["leave"]);
});

test("tension that falls is relief, tension that leaps is a start, and little is nothing", () => {
  assert.equal(feltAs(-6)?.name, "relief");
  assert.equal(feltAs(9)?.name, "flinch");
  assert.equal(feltAs(2), null);
});

test("heat lowers brows and the corners of the mouth, by as much as the persona shows", () => {
  const bearing = { lean: 0, tilt: 0, brow: 0, restless: 1, shows: 1 };
  const [calm, hot] = [20, 81].map((tension) => poseOf(bearing, heatOf(tension), "calm", { x: 0, y: 0 }));
  assert.equal(calm.heat, 0);
  assert.ok(hot.brow < calm.brow && hot.slant > 0.5 && hot.corners < calm.corners && hot.squint > calm.squint);
  const cool = poseOf({ ...bearing, shows: 0.5 }, heatOf(81), "calm", { x: 0, y: 0 });
  assert.ok(cool.slant < hot.slant);
});

test("a posture glides to its goal and comes to rest there", () => {
  const now = atRest();
  const goal = { ...atRest(), turn: 1, open: 1 };
  assert.equal(glide(now, goal, 0.016), true);
  assert.ok(now.open > now.turn && now.turn > 0, "a mouth is quicker than a head");
  for (let i = 0; i < 400; i++) glide(now, goal, 0.016);
  assert.equal(glide(now, goal, 0.016), false);
  assert.deepEqual(now, goal);
});
