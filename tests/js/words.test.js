import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { gettext, ngettext } from "../../static/js/words.js";
import { literals } from "./said-literals.js";

const FOLDER = fileURLToPath(new URL("../../static/js/", import.meta.url));
/** The pages whose messages are all in gettext: the table, the debrief, the review, watching, sharing, a new deal. */
const PAGES = ["table.js", "table-packages.js", "debrief.js", "moves.js", "watch.js", "shared.js", "setup.js", "links.js", "moments.js"];

/** A page's script and all that it imports. @param {string[]} begun */
function modules(begun) {
  const found = new Set(begun);
  for (const name of found) for (const [, next] of readFileSync(FOLDER + name, "utf8").matchAll(/(?:from|import\()\s*"\.\/([\w-]+\.js)"/g)) found.add(next);
  return [...found].sort();
}

test("no script of these pages shows or says a message outside gettext", () => {
  const all = modules(PAGES);
  assert.ok(all.length > 60, `the pages lead to ${all.length} modules`);
  const left = all.flatMap((name) => literals(readFileSync(FOLDER + name, "utf8")).map(({ line, text }) => `${name}:${line}: ${text}`));
  assert.deepEqual(left, []);
});

test("a message outside gettext would be found: alone, in a template, and as what fills another message", () => {
  const source = `
    const label = "Your offer";
    const where = \`\${name} has left\`;
    say(gettext("Start {where} it", { where: seller ? "above" : "below" }));
    el("p", { class: "button quiet", "data-state": "open" }, gettext("Fine, {name}", { name: title("a") }));
    if (event.key === "Enter") document.querySelector(".line:not(.draft, [hidden])");`;
  assert.deepEqual(
    literals(source).map(({ line, text }) => [line, text]),
    [
      [2, "Your offer"],
      [3, "… has left"],
      [4, "above"],
      [4, "below"],
    ],
  );
});

test("every message names what fills it, and nothing is filled that it does not name", () => {
  for (const name of readdirSync(FOLDER).filter((each) => each.endsWith(".js")))
    for (const [call, message] of readFileSync(FOLDER + name, "utf8").matchAll(/\bgettext\("((?:[^"\\]|\\.)*)"\)/g))
      assert.doesNotMatch(message, /\{\w+\}/, `${name}: ${call}`);
});

test("values go where their names stand, and an unknown name stays", () => {
  assert.equal(gettext("{first} came up {came}.", { first: "Dana", came: "$5,000" }), "Dana came up $5,000.");
  assert.equal(gettext("{a} {b}", { a: "{b}" }), "{b} {b}");
});

test("plurals follow the language of the page", () => {
  assert.equal(ngettext("{count} day", "{count} days", 1), "1 day");
  assert.equal(ngettext("{count} day", "{count} days", 3), "3 days");
  const polish = { language: "pl", catalog: { "{count} day": ["{count} dzień", "{count} dni", "{count} dni"] } };
  assert.equal(ngettext("{count} day", "{count} days", 1, {}, polish), "1 dzień");
  assert.equal(ngettext("{count} day", "{count} days", 5, {}, polish), "5 dni");
});
