/** The guide of a first deal: what comes next follows from what was played, and its words say what really happened. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { beliefOf, cameBy, endVoice, gaveForNothing, nextStep, STEPS, stepOf, stepWords, surplusOf, voiceOf } from "../../static/js/guide-steps.js";

const money = { currency: "$", step: 500, low: 60_000, high: 300_000, issues: [] };
const mine = (offer, more = {}) => ({ side: "player", offer, card: null, belief: null, ...more });
const hers = (offer, more = {}) => ({ side: "opponent", offer, told: [], ...more });
const at = (transcript, { seat = "seller", limit = 125_000, standing = null, own = null, outcome = null } = {}) => ({
  transcript,
  game: { seat },
  own: { walk_away: limit },
  table: { standing_offer: standing, own_offer: own, credibility_points: 100 },
  outcome,
});

test("five controls are met in order, each after the move that it was for", () => {
  const asked = [hers(null), mine(null), hers(110_000)];
  const offered = [...asked, mine(172_000), hers(121_000)];
  const paused = [...offered, mine(null, { card: "silence" }), hers(134_000)];
  assert.equal(stepOf(at([hers(null)]), false), "ask");
  assert.equal(stepOf(at(asked), false), "number");
  assert.equal(stepOf(at(offered), false), "card");
  assert.equal(stepOf(at(paused), false), "read");
  assert.equal(stepOf(at(paused), true), "close");
  assert.equal(stepOf(at([...paused, mine(158_000, { belief: {} }), hers(144_000)]), false), "close");
});

test("who names a number first, or asks on, is not sent back", () => {
  assert.equal(stepOf(at([mine(172_000), hers(110_000)]), false), "card");
  assert.equal(stepOf(at([mine(null), hers(null), mine(null), hers(null)]), false), "number");
  assert.match(voiceOf("number", at([mine(null), hers(null), mine(null), hers(null)]), money, "Dana").heading, /Good questions/);
});

test("the voice says by how much they came, from either seat, and never more", () => {
  const seller = at([hers(110_000), mine(172_000), hers(121_000)], { standing: 121_000, own: 172_000 });
  assert.equal(cameBy(seller), 11_000);
  assert.match(voiceOf("card", seller, money, "Dana").heading, /^Dana came up \$11,000\./);
  const buyer = at([hers(180_000), mine(120_000), hers(171_000)], { seat: "buyer", limit: 165_000, standing: 171_000, own: 120_000 });
  assert.equal(cameBy(buyer), 9_000);
  assert.match(voiceOf("card", buyer, money, "Dana").heading, /^Dana came down \$9,000\./);
  assert.match(voiceOf("card", at([hers(110_000), mine(172_000), hers(110_000)], { own: 172_000 }), money, "Dana").heading, /did not move/);
  assert.equal(cameBy(at([mine(172_000), hers(110_000)])), null);
});

test("an opening with nothing left to give is told so", () => {
  const close = at([hers(110_000), mine(128_000), hers(112_000)], { standing: 112_000, own: 128_000 });
  assert.match(voiceOf("card", close, money, "Dana").heading, /close to your walk-away/);
  assert.match(voiceOf("card", close, money, "Dana").words, /\$3,000/);
});

test("closing is not advised below the walk-away, and one more step never goes past it", () => {
  const below = at([hers(110_000), mine(172_000), hers(112_000)], { standing: 112_000, own: 172_000 });
  assert.equal(surplusOf(below), -13_000);
  assert.match(voiceOf("close", below, money, "Dana").heading, /Not yet enough/);
  for (const [own, standing, limit, seat] of [
    [172_000, 112_000, 125_000, "seller"],
    [126_000, 112_000, 125_000, "seller"],
    [120_000, 171_000, 165_000, "buyer"],
  ]) {
    const next = nextStep(at([], { own, standing, limit, seat }), money);
    if (next === null) continue;
    assert.equal(next % money.step, 0);
    assert.ok(seat === "seller" ? next >= limit && next < own : next <= limit && next > own, `${next}`);
  }
  assert.equal(nextStep(at([], { own: 125_500, standing: 112_000 }), money), null);
  assert.equal(nextStep(at([], { own: null, standing: 112_000 }), money), null);
});

test("no step is said in the words of the step before", () => {
  const moves = [mine(172_000), hers(121_000)];
  const said = [158_000, 151_000, 146_000, 142_000, 139_000].map((price) => {
    const words = stepWords(at(moves), `$${price / 1000},000`);
    moves.push(mine(price), hers(null));
    return words.replace(/\$\d+,000/, "");
  });
  assert.equal(new Set(said.slice(0, 4)).size, 4);
  assert.ok(said.every((words, turn) => words !== said[turn - 1]));
});

test("while it is not enough the guide says how far off it is now, not the same again", () => {
  const first = at([hers(110_000), mine(172_000), hers(111_000)], { standing: 111_000, own: 172_000 });
  const second = at([...first.transcript, mine(162_000), hers(114_000)], { standing: 114_000, own: 162_000 });
  const third = at([...second.transcript, mine(155_000), hers(119_000)], { standing: 119_000, own: 155_000 });
  assert.match(voiceOf("close", first, money, "Dana").words, /accepting would cost you/);
  assert.match(voiceOf("close", second, money, "Dana").words, /^Still \$11,000 below your walk-away, 4 more moves like this one\./);
  assert.match(voiceOf("close", third, money, "Dana").words, /^Still \$6,000 below your walk-away, 2 more moves like this one\./);
});

test("a step that brought nothing is answered with a question, not with another step", () => {
  const nothing = at([hers(110_000), mine(172_000), hers(112_000), mine(158_000), hers(112_000)], { standing: 112_000, own: 158_000 });
  assert.ok(gaveForNothing(nothing));
  assert.match(voiceOf("close", nothing, money, "Dana").heading, /Ask before you give more/);
  assert.ok(!gaveForNothing(at([hers(110_000), mine(172_000), hers(112_000), mine(158_000), hers(114_000)])));
  assert.ok(!gaveForNothing(at([hers(110_000), mine(172_000), hers(112_000), mine(null), hers(112_000)])));
  assert.ok(!gaveForNothing(at([mine(172_000), hers(112_000)])));
});

test("no heading is longer than nine words and nothing longer than two sentences", () => {
  const states = [
    at([hers(null)]),
    at([mine(null), hers(110_000, { told: [{}] })], { standing: 110_000 }),
    at([hers(110_000), mine(172_000), hers(121_000)], { standing: 121_000, own: 172_000 }),
    at([hers(110_000), mine(172_000), hers(144_000)], { standing: 144_000, own: 158_000 }),
    at([hers(110_000), mine(172_000), hers(112_000)], { standing: 112_000, own: 172_000 }),
    at([hers(110_000), mine(172_000), hers(112_000), mine(162_000), hers(114_000)], { standing: 114_000, own: 162_000 }),
  ];
  for (const state of states)
    for (const step of STEPS) {
      const { heading, words } = voiceOf(step, state, money, "Dana");
      assert.ok(heading.split(/\s+/).length <= 9, heading);
      assert.ok(words.split(/(?<=[.?!])\s+/).length <= 2, words);
    }
});

test("the end is told in money, and whether no deal was right is left to the debrief", () => {
  assert.match(endVoice(at([], { outcome: { deal: true, price: 148_000 } }), money).heading, /^\$23,000 above/);
  assert.match(endVoice(at([], { outcome: { deal: true, price: 120_000 } }), money).heading, /\$5,000 below your walk-away/);
  assert.match(endVoice(at([], { outcome: { deal: false, price: null } }), money).heading, /can be right/);
});

test("a belief from two ends draws the same band again", () => {
  const { walk_away: centre, confidence } = beliefOf(150_000, 170_000);
  const half = centre * (0.02 + 0.16 * (1 - confidence));
  assert.ok(Math.abs(centre - half - 150_000) < 500);
  assert.ok(Math.abs(centre + half - 170_000) < 500);
});
