/** The ruler: how far it reaches, where offers stand on it, and what it says to those who do not see it. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { domainOf, GRACE_TURNS, HOT, inWords, offersOf, remaining } from "../../static/js/ruler-figures.js";
import { placed, widthOf } from "../../static/js/ruler-labels.js";
import { linear, ticks } from "../../static/js/scale.js";

const MONEY = { low: 100, high: 200, step: 1, currency: "$", per_label: "", issues: [] };
/** @type {import("../../static/js/ruler-figures.js").RulerState} */
const NOTHING = { seat: "seller", limit: null, yours: [], theirs: [] };

test("a scale carries both ends to both ends, keeps proportion between, and goes on beyond", () => {
  const x = linear([100, 200], [0, 50]);
  assert.deepEqual([x(100), x(150), x(200), x(220)], [0, 25, 50, 60]);
  const down = linear([0, 1], [90, 10]);
  assert.deepEqual([down(0), down(1)], [90, 10]);
});

test("a domain of no width has a place all the same", () => {
  assert.equal(linear([5, 5], [10, 20])(5), 10);
});

test("ticks are round, evenly apart, inside, and about as many as asked for, at every size of money", () => {
  for (const low of [0, 3, 98.7, 104_500, 7.9e6])
    for (const width of [0.4, 7, 61, 1_234, 250_000, 9.1e6])
      for (const count of [4, 7]) {
        const found = ticks(low, low + width, count);
        assert.ok(found.length >= 1 && found.length <= count + 1, `${found.length} for ${low} + ${width}`);
        assert.ok(found.every((value) => value >= low - 1e-9 * low && value <= low + width));
        const step = found.length > 1 ? found[1] - found[0] : 0;
        for (let i = 1; i < found.length; i += 1) assert.ok(Math.abs(found[i] - found[i - 1] - step) < 1e-6 * Math.max(1, step));
        const lead = step && step / 10 ** Math.floor(Math.log10(step) + 1e-9);
        assert.ok(step === 0 || [1, 2, 2.5, 5, 10].some((round) => Math.abs(lead - round) < 1e-6), `step ${step}`);
      }
});

test("before anything is known the ruler shows what is plausible", () => {
  assert.deepEqual(domainOf(NOTHING, MONEY), [100, 200]);
});

test("everything that is known has its place inside, with air on both sides", () => {
  const state = {
    ...NOTHING,
    yours: [{ turn: 1, offer: 190 }],
    theirs: [{ turn: 1, offer: 120 }],
    estimate: { low: 110, high: 130 },
    truth: { low: 105, high: 170, nash: 140 },
  };
  const [low, high] = domainOf(state, MONEY);
  assert.ok(low < 105 && low > 95);
  assert.ok(high > 190 && high < 200);
});

test("a seller's ruler reaches further above its limit than below, a buyer's the other way", () => {
  const [low, high] = domainOf({ ...NOTHING, limit: 150 }, MONEY);
  assert.ok(low < 150 && high - 150 > 150 - low);
  const [from, to] = domainOf({ ...NOTHING, seat: "buyer", limit: 150 }, MONEY);
  assert.ok(to > 150 && 150 - from > to - 150);
});

test("an absurd offer or estimate does not squeeze the rest together; the truth is shown wherever it lies", () => {
  const sane = { ...NOTHING, yours: [{ turn: 1, offer: 150 }], theirs: [{ turn: 1, offer: 140 }] };
  const wild = { ...sane, yours: [...sane.yours, { turn: 2, offer: 9_999_999 }], estimate: { low: 1, high: 5_000 } };
  assert.deepEqual(domainOf(wild, MONEY), domainOf(sane, MONEY));
  assert.ok(domainOf({ ...sane, truth: { low: 20, high: 30, nash: null } }, MONEY)[0] < 20);
});

test("a single known figure has a stretch around it", () => {
  const [low, high] = domainOf({ ...NOTHING, yours: [{ turn: 1, offer: 150 }] }, MONEY);
  assert.ok(low < 150 && high > 150);
});

test("each side's offers are drawn in their turns; words without an offer and acceptances leave no mark", () => {
  const transcript = [
    { seq: 1, side: "player", turn: 1, offer: 190 },
    { seq: 2, side: "opponent", turn: 1, offer: 120 },
    { seq: 3, side: "player", turn: 2, offer: null },
    { seq: 4, side: "player", turn: 3, offer: 120, accept: true },
  ];
  assert.deepEqual(offersOf(transcript, "player"), [{ turn: 1, offer: 190 }]);
  assert.deepEqual(offersOf(transcript, "opponent"), [{ turn: 1, offer: 120 }]);
});

test("packages are drawn at what they are worth, and of several the one that stands", () => {
  const transcript = [
    { seq: 1, side: "player", turn: 1, offer: 190, alternatives: [{ price: 180, terms: {} }] },
    { seq: 2, side: "opponent", turn: 1, offer: null, preferred: 1 },
  ];
  assert.deepEqual(
    offersOf(transcript, "player", ({ price }) => price + 5),
    [{ turn: 1, offer: 185 }],
  );
});

test("in words the drawing says limit, offers, estimate, zone and close, and only what is known", () => {
  assert.equal(inWords(NOTHING, MONEY), "Price ruler. They have made no offer.");
  const state = {
    ...NOTHING,
    limit: 110,
    yours: [{ turn: 1, offer: 190 }],
    theirs: [{ turn: 1, offer: 120 }],
    estimate: { low: 118.6, high: 131.2 },
    truth: { low: 110, high: 140, nash: 125 },
    price: 130,
    you: "Robin",
  };
  assert.equal(
    inWords(state, MONEY),
    "Price ruler. Limit $110. They offer $120. Robin at $190. Estimate of their limit between $119 and $131. " +
      "The true zone runs from $110 to $140. Closed at $130.",
  );
  assert.match(inWords({ ...NOTHING, packages: true }, MONEY), /^Ruler of what packages are worth/);
});

test("the room that is left is said as the share that has burned, untouched and gone by their own names", () => {
  assert.deepEqual(
    [100, 99.95, 99.9, 66.1, 66, 33.1, 33, 0.1, 0].map((percent) => remaining(percent, 40).words),
    ["whole", "whole", "whole", "34% burned", "34% burned", "67% burned", "67% burned", "99% burned", "gone"],
  );
  assert.deepEqual(
    [67, 50, 20].map((percent) => remaining(percent, 40).level),
    ["gold", "amber", "scarlet"],
  );
});

test("while it is hot the room is not called whole, but what the engine will do to it and when", () => {
  const engine = readFileSync(new URL("../../negotiation/engine/deal/tension.py", import.meta.url), "utf8");
  assert.deepEqual(
    [HOT, GRACE_TURNS],
    [/^HOT = ([\d.]+)/m, /^GRACE_TURNS = (\d+)/m].map((named) => Number(named.exec(engine)?.[1])),
  );
  assert.deepEqual(remaining(100, 97), { level: "amber", words: "not burned yet", next: "it burns after 3 hot turns" });
  assert.equal(remaining(100, 75).words, "whole", "the engine burns above it, not at it");
  assert.equal(remaining(88, 97).words, "12% burned");
});

test("no two labels of the ruler lie on each other, and none reaches out of it", () => {
  const width = 360;
  const crowd = [
    { class: "limit-label", text: "walk-away", x: 165, y: 14 },
    { class: "estimate-label", text: "Their likely limit", x: 190, y: 26 },
    { class: "estimate-label", text: "their limit", x: 200, y: 26 },
    { class: "estimate-label", text: "what your offers told", x: 20, y: 60, way: /** @type {-1} */ (-1) },
  ];
  const found = placed(crowd, width);
  assert.deepEqual(found[0], crowd[0], "the first one keeps its place");
  for (const [at, one] of found.entries()) {
    assert.ok(one.x - widthOf(one) / 2 >= 0 && one.x + widthOf(one) / 2 <= width, one.text);
    for (const other of found.slice(at + 1)) {
      const apart = Math.abs(one.x - other.x) >= (widthOf(one) + widthOf(other)) / 2 || Math.abs(one.y - other.y) >= 12;
      assert.ok(apart, `${one.text} on ${other.text}`);
    }
  }
});
