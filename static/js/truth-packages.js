/** For a coach: what each side's package gives to both, of all that there is to share. */

import { byId, el } from "./dom.js";
import { formatMoney } from "./money.js";
import { createScale, signed } from "./package.js";
import { gettext } from "./words.js";

/**
 * @param {import("./fold.js").Snapshot} state
 * @param {import("./money.js").Money} money
 */
export function showTruthPackages(state, money) {
  const { table, coach, game } = state;
  if (money.issues.length === 0 || !table || !coach) return;
  const { truth } = coach;
  /** @type {"seller" | "buyer"} */
  const across = game.seat === "seller" ? "buyer" : "seller";
  const rep = createScale(money, truth.player.values, game.seat);
  const them = createScale(money, truth.opponent.values, across);
  const row = (/** @type {string} */ name, /** @type {number | null} */ price, /** @type {any} */ terms) => {
    if (price === null) return null;
    const one = rep.surplus(rep.worth({ price, terms }), truth.player.walk_away);
    const other = them.surplus(them.worth({ price, terms }), truth.opponent.walk_away);
    const cells = [one, other, one + other].map((value) => el("td", {}, signed(Math.round(value), money)));
    return el("tr", {}, el("th", { scope: "row" }, name), ...cells);
  };
  byId("truth-packages").replaceChildren(
    el("thead", {}, el("tr", {}, el("td"), ...[gettext("To the rep"), gettext("To them"), gettext("Both")].map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, row(gettext("The rep’s"), table.own_offer, table.own_terms), row(gettext("Theirs"), table.standing_offer, table.standing_terms)),
  );
  byId("truth-packages-best").textContent =
    truth.zone > 0
      ? gettext("The best terms would give both together {zone}.", { zone: formatMoney(Math.round(truth.zone), money) })
      : gettext("No package is good for both now.");
}
