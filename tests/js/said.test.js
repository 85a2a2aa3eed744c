/** What three parties say, as it is read out. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { sentences } from "../../static/js/coalition-said.js";

test("finished sentences are joined without a second stop", () => {
  assert.equal(sentences(["Mira, Northwind", "Together we all gain.", "Leaves the table."]), "Mira, Northwind. Together we all gain. Leaves the table.");
  assert.equal(sentences(["You", "Why?", "", null]), "You. Why?");
  assert.equal(sentences(["Mira", "Stands behind “A and B. A pays $3.”"]), "Mira. Stands behind “A and B. A pays $3.”");
});
