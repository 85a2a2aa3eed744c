/** The promise ledger, and what the orders of a phase came to. */

import { mark, meant, verdict } from "./board-press.js";
import { orderWords, POWERS, parseOrder, phaseWords, powerName, unitName } from "./board-words.js";
import { byId, el } from "./dom.js";

const WORDS = /** @type {Record<string, string>} */ ({
  bounce: "kept out",
  "no convoy": "nobody carried it",
  disrupted: "its convoy was broken",
  cut: "cut",
  void: "not possible",
  dislodged: "driven out",
  disband: "gone",
});

/** @param {import("./board-fold.js").State} state @param {string | null} me */
export function showLedger(state, me) {
  const promises = [...state.promises.values()].reverse();
  const broken = promises.filter((promise) => promise.verdict === "BROKEN").length;
  byId("broken-count").textContent = broken ? String(broken) : "";
  byId("broken-count").setAttribute("title", broken ? `${broken} broken` : "");
  const name = (/** @type {string} */ power) => (power === me ? "you" : powerName(power));
  const rows = promises.map((promise) =>
    el(
      "li",
      { class: "promise", "data-verdict": promise.verdict },
      el(
        "span",
        { class: "promise-pair" },
        mark(promise.by),
        "›",
        mark(promise.to),
        el("span", { class: "visually-hidden" }, `${name(promise.by)} to ${name(promise.to)}`),
      ),
      el(
        "span",
        { class: "promise-words" },
        promise.summary,
        el(
          "span",
          { class: "faint" },
          `${name(promise.by)} to ${name(promise.to)}, ${phaseWords(promise.said)}${promise.judged ? `; judged ${phaseWords(promise.judged)}` : ""}${promise.tag ? " · " : ""}`,
          meant(promise),
        ),
      ),
      verdict(promise),
    ),
  );
  byId("ledger").replaceChildren(
    ...(rows.length ? rows : [el("li", { class: "faint" }, "No promise yet. Each one that is made is kept here, and judged when orders are opened.")]),
  );
}

/** @param {import("./board-fold.js").Past | undefined} past */
export function showResults(past) {
  const box = byId("results");
  if (!past) return box.replaceChildren(el("p", { class: "faint" }, "Nothing has been played yet."));
  const powers = POWERS.filter((power) => past.results[power]?.length);
  box.replaceChildren(
    el("p", { class: "label" }, phaseWords(past.phase)),
    ...powers.map((power) =>
      el(
        "section",
        { class: "result-power" },
        el("h2", {}, mark(power), powerName(power)),
        el("ul", { class: "result-lines" }, ...past.results[power].map(resultLine)),
      ),
    ),
  );
}

/** @param {import("./board-fold.js").Result} row */
function resultLine(row) {
  const order = parseOrder(row.order);
  const bad = row.results.map((word) => WORDS[word] ?? word).join(", ");
  return el("li", {}, order.unit ? `${unitName(order.unit)} ` : "", orderWords(order), bad ? el("span", { class: "bad" }, `: ${bad}`) : "");
}
