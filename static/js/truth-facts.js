/** For a coach: every fact of the other side with where it stands, and what holds them back. */

import { byId, el } from "./dom.js";
import { sentence } from "./learned.js";
import { formatMoney } from "./money.js";
import { percent } from "./shares.js";
import { gettext } from "./words.js";

/** How loath somebody is to tell a fact, in words. */
const GUARDS = [
  gettext("to be had for the asking"),
  gettext("for a good question"),
  gettext("for trust, or for something in return"),
  gettext("only for both"),
];

/**
 * @param {import("./fold.js").Snapshot} state
 * @param {import("./money.js").Money} money
 * @param {{topics: Record<string, string>, width: number}} sheet with the usual width of the zone, in money
 */
export function showFacts(state, money, { topics, width }) {
  const theirs = state.coach.facts.filter((/** @type {any} */ fact) => fact.seat !== state.game.seat);
  const told = theirs.filter((/** @type {any} */ fact) => fact.told).length;
  byId("truth-facts-count").textContent = gettext("{told} of {length} told so far.", { told, length: theirs.length });
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
          `${each.raised ? gettext("said") : gettext("not said yet")} · ${each.left === 0 ? gettext("answered") : gettext("{left} of its {hold} open", { left: percent(each.left), hold: formatMoney(Math.round(each.hold * width), money) })}`,
        ),
      ),
    ),
  );
}

/** @param {any} fact */
function standing(fact) {
  if (fact.lied) return fact.told ? gettext("told falsely") : gettext("would lie about it");
  return fact.told ? "told" : GUARDS[fact.guard];
}
