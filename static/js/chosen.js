/** The card that goes with this move: what it needs, and for a stated limit the field where it is stated. */

import { byId } from "./dom.js";
import { formatMoney, parseMoney } from "./money.js";
import { gettext } from "./words.js";

/** The card that states the player's own limit. */
const STATES_LIMIT = "batna_reveal";

/**
 * @param {import("./money.js").Money} money
 * @param {() => number} limit the player's own, as it stands
 */
export function createChosen(money, limit) {
  const input = /** @type {HTMLInputElement} */ (byId("stated-limit"));
  input.addEventListener("change", () => {
    const value = parseMoney(input.value);
    if (value !== null && Number.isFinite(value)) input.value = formatMoney(value, money);
  });

  return {
    /** @param {import("./cards.js").Card | null} card */
    show(card) {
      byId("chosen").hidden = card === null;
      byId("chosen-words").textContent = card
        ? gettext("{title} goes with this move.{needs}", { title: card.title, needs: card.needs_offer ? gettext(" It needs a binding offer.") : "" })
        : "";
      byId("stated").hidden = card?.id !== STATES_LIMIT;
      byId("stated-note").textContent = gettext("Yours is {limit}. Left empty, your words or your offer state it.", { limit: formatMoney(limit(), money) });
      input.value = "";
      input.removeAttribute("aria-invalid");
    },
    /** The limit stated with the card: null when empty, NaN when it can't be read. */
    get claim() {
      return byId("stated").hidden ? null : parseMoney(input.value);
    },
  };
}
