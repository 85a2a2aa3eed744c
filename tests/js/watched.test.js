/** What a table is told of those who saw its truth. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { namesOnly, wordsOf } from "../../static/js/watched.js";

test("a name where somebody was signed in, else whose link it was; each once", () => {
  const robin = { by: "", maker: "Robin Diaz" };
  assert.equal(
    wordsOf([{ by: "Morgan Lee", maker: "Robin Diaz" }, robin, robin]),
    "Opened with a link that shows everything: Morgan Lee, somebody by a link that Robin Diaz made. This game counts as played with help.",
  );
});

test("the board knows names alone, and nothing is said while nobody looked", () => {
  assert.match(wordsOf(namesOnly([""])), /: somebody who was not signed in\./);
  assert.equal(wordsOf([]), "");
});
