/** What the review says of a fault that the score paid for. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { gainInWords } from "../../static/js/review-words.js";

test("a fault that earned points says how many, what for, and why both can be so", () => {
  const row = {
    total: 9.5,
    terms: [
      { label: "Speed", points: 11.6 },
      { label: "Bluffs", points: -3 },
      { label: "Reading them", points: 0.9 },
    ],
  };
  const words = gainInWords(row);
  assert.match(words, /\+9\.5 points, with Speed \+11\.6, Reading them \+0\.9/);
  assert.match(words, /the review weighs the money alone/);
  assert.match(gainInWords({ ...row, total: -2 }), /−2\.0 points/);
});

test("where the score gave nothing there is nothing to explain", () => {
  assert.equal(gainInWords({ total: -3, terms: [{ label: "Bluffs", points: -3 }] }), "");
  assert.equal(gainInWords(undefined), "");
});
