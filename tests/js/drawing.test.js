import assert from "node:assert/strict";
import { test } from "node:test";

import { axes, written } from "../../static/js/drawing-axes.js";
import { dress } from "../../static/js/drawing-marks.js";

const bar = (/** @type {number[]} */ y, /** @type {string} */ name = "a") => ({ type: "bar", name, x: [1, 2], y, meta: { role: `term-${name}` } });
const dressed = (/** @type {any[]} */ data) => data.map((trace, i) => dress(trace, i, data));

test("the axis of bars reaches over all that stands on one place, above zero and below", () => {
  const { y } = axes(dressed([bar([3, -2]), bar([4, -5], "b")]), {}, 600);
  assert.ok(y.domain[0] <= -7 && y.domain[1] >= 7, String(y.domain));
});

test("names of lying bars keep their order and have room to the left", () => {
  const ending = { type: "bar", name: "Points", orientation: "h", x: [3, 40], y: ["All turns together", "Price"], meta: { role: "signed" } };
  const { x, y } = axes(dressed([ending]), { yaxis: { ticktext: ["All turns together<br><b>+3.0</b>", "Price<br><b>+40.0</b>"] } }, 600);
  assert.deepEqual(
    y.ticks.map(({ value, text }) => [value, text]),
    [
      [0, "All turns together\n+3.0"],
      [1, "Price\n+40.0"],
    ],
  );
  assert.ok(y.room > 100 && x.domain[0] === 0);
});

test("more turns than fit are marked by every second or third", () => {
  const turns = Array.from({ length: 21 }, (_, i) => i);
  const { x } = axes(dressed([{ type: "scatter", name: "Tension", x: turns, y: turns, mode: "lines" }]), { xaxis: { dtick: 2 } }, 360);
  assert.ok(x.ticks.length <= 5 && x.ticks.every(({ value }) => value % 2 === 0), JSON.stringify(x.ticks));
});

test("one point alone still has an axis", () => {
  const { x, y } = axes(dressed([{ type: "scatter", name: "Agreed", x: [4], y: [0], mode: "markers" }]), {}, 400);
  assert.ok(x.domain[0] < 4 && x.domain[1] > 4 && y.domain[0] < 0 && y.domain[1] > 0);
});

test("figures are written as their axis has them, the sign before the currency", () => {
  assert.equal(written(-5000, { tickprefix: "$" }), "−$5k");
  assert.equal(written(0.25, { tickformat: ".0%" }), "25%");
  assert.equal(written(-1.5, { ticksuffix: "%" }), "−1.5%");
});

test("traces without a role of their own differ in colour", () => {
  const looks = dressed([bar([1, 1]), bar([1, 1], "b"), { ...bar([1, 1]), meta: { role: "own" } }, bar([1, 1], "c")]).map(({ look }) => look);
  assert.deepEqual(looks, ["of-part-0", "of-part-1", "of-own", "of-part-2"]);
});
