/** The end of the talks, in place of the composer: the price and the way to the debrief. */

import { byId, el } from "./dom.js";
import { formatMoney } from "./money.js";

/**
 * @param {import("./fold.js").Snapshot} state
 * @param {import("./money.js").Money} money
 * @param {string} gameId
 * @param {string} opponent
 */
export function showFinish(state, money, gameId, opponent) {
  const root = byId("finish");
  if (!root.hidden) return;
  const { outcome } = state;
  byId("composer").hidden = true;
  const button = el("a", { class: "button primary large", href: `/deals/${gameId}/debrief/` }, "See what they were hiding");
  root.replaceChildren(
    el(
      "div",
      {},
      el("h2", { tabindex: "-1" }, outcome.deal ? "Closed at " : "No deal", outcome.deal && el("span", { class: "figure" }, formatMoney(outcome.price, money))),
      el("p", { class: "soft" }, ending(outcome, opponent)),
    ),
    button,
  );
  root.hidden = false;
}

/** @param {any} outcome @param {string} opponent */
export function ending(outcome, opponent) {
  switch (outcome.reason) {
    case "player_accepted":
      return `You accepted ${opponent}’s offer.`;
    case "opponent_accepted":
      return `${opponent} accepted your offer.`;
    case "player_walked":
      return "You walked away.";
    case "opponent_walked":
      return `${opponent} walked away.`;
    case "zone_collapsed":
      return "The heat burnt up the last of the room for a deal.";
    default:
      return "Time ran out.";
  }
}
