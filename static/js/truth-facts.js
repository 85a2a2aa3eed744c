/** For a coach: every fact of the other side with where it stands, and what holds them back. */

import { byId, el } from "./dom.js";
import { sentence } from "./learned.js";
import { formatMoney } from "./money.js";
import { percent } from "./shares.js";

/** How loath somebody is to tell a fact, in words. */
const GUARDS = ["to be had for the asking", "for a good question", "for trust, or for something in return", "only for both"];

/**
 * @param {import("./fold.js").Snapshot} state
 * @param {import("./money.js").Money} money
 * @param {{topics: Record<string, string>, width: number}} sheet with the usual width of the zone, in money
 */
export function showFacts(state, money, { topics, width }) {
  const theirs = state.coach.facts.filter((/** @type {any} */ fact) => fact.seat !== state.game.seat);
  const told = theirs.filter((/** @type {any} */ fact) => fact.told).length;
  byId("truth-facts-count").textContent = `${told} of ${theirs.length} told so far.`;
  byId("truth-facts").replaceChildren(
    ...theirs.map((/** @type {any} */ fact) =>
      el(
        "li",
        { "data-state": fact.told ? (fact.lied ? "lied" : "told") : "open" },
        el("span", {}, sentence(fact.says)),
        el("span", { class: "faint" }, `${topics[fact.topic]} · ${standing(fact)}`),
      ),
    ),
  );
  byId("truth-objections").replaceChildren(
    ...state.coach.objections.map((/** @type {any} */ each) =>
      el(
        "li",
        { "data-state": each.left === 0 ? "told" : "open" },
        el("span", {}, sentence(each.says)),
        el(
          "span",
          { class: "faint" },
          `${each.raised ? "said" : "not said yet"} · ${each.left === 0 ? "answered" : `${percent(each.left)} of its ${formatMoney(Math.round(each.hold * width), money)} open`}`,
        ),
      ),
    ),
  );
}

/** @param {any} fact */
function standing(fact) {
  if (fact.lied) return fact.told ? "told falsely" : "would lie about it";
  return fact.told ? "told" : GUARDS[fact.guard];
}
