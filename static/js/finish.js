/** The end of the talks, in place of the composer: the price, the way to the debrief, and the way to another deal. */

import { byId, el } from "./dom.js";
import { formatMoney } from "./money.js";
import { labelsOf } from "./package.js";
import { gettext } from "./words.js";

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
  byId("hand").inert = true;
  const link = el("a", { class: "button primary large", href: `/deals/${gameId}/debrief/` }, gettext("See what they were hiding"));
  root.replaceChildren(
    el(
      "div",
      {},
      el(
        "h2",
        {},
        outcome.deal ? gettext("Closed at ") : gettext("No deal"),
        outcome.deal && el("span", { class: "figure" }, formatMoney(outcome.price, money)),
      ),
      outcome.deal && money.issues.length > 0 && el("p", { class: "finish-terms" }, labelsOf(money.issues, outcome.agreed).join(" · ")),
      el("p", { class: "soft" }, ending(outcome, opponent)),
    ),
    el("div", { class: "finish-ways" }, another(), link),
  );
  root.hidden = false;
  link.focus({ preventScroll: true });
}

/** The form for the next deal against the same opponent, where the page has one. */
function another() {
  const form = document.getElementById("another");
  if (form) form.hidden = false;
  return form;
}

/**
 * How it ended, in one sentence.
 * @param {any} outcome
 * @param {string} opponent
 * @param {string} [player] for those who watch; without it the sentence speaks to the player
 */
export function ending(outcome, opponent, player) {
  switch (outcome.reason) {
    case "player_accepted":
      return player ? gettext("{player} accepted {opponent}’s offer.", { player, opponent }) : gettext("You accepted {opponent}’s offer.", { opponent });
    case "opponent_accepted":
      return player ? gettext("{opponent} accepted {player}’s offer.", { opponent, player }) : gettext("{opponent} accepted your offer.", { opponent });
    case "player_walked":
      return player ? gettext("{player} walked away.", { player }) : gettext("You walked away.");
    case "opponent_walked":
      return gettext("{player} walked away.", { player: opponent });
    case "zone_collapsed":
      return gettext("The heat used up the last of the room for a deal.");
    default:
      return gettext("The last turn passed without agreement.");
  }
}
