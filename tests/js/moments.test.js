/** One form of date, with its zone. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { written } from "../../static/js/moments.js";

test("a moment is written alike in any zone, with the zone, whatever the machine's own habits", () => {
  const moment = new Date("2026-11-25T08:10:00Z");
  assert.equal(written(moment, "UTC"), "25 Nov 2026, 08:10 UTC");
  assert.equal(written(moment, "Europe/Berlin"), "25 Nov 2026, 09:10 GMT+1");
  assert.equal(written(moment, "America/New_York"), "25 Nov 2026, 03:10 EST");
  assert.equal(written(new Date("2026-09-01T00:00:00Z"), "UTC"), "1 Sep 2026, 00:00 UTC");
  assert.match(written(moment), /^2[45] Nov 2026, \d\d:\d\d \S+$/);
});
