/** Where the price stands: both packages, the player's limit and how far theirs is from it, the turn, the room that is left. */

import { byId } from "./dom.js";
import { formatMoney } from "./money.js";
import { againstLimit, labelsOf } from "./package.js";
import { remaining } from "./ruler-figures.js";
import { gettext } from "./words.js";

/**
 * What became of a side's last offer where none stands any more: its maker took it back in words, or events carried its
 * maker's limit past it; null where none was made.
 * @param {any[]} transcript
 * @param {"player" | "opponent"} side
 * @returns {"lapsed" | "withdrawn" | null}
 */
export function goneOffer(transcript, side) {
  const moves = transcript.filter((move) => move.side === side);
  const last = moves.findLastIndex((move) => move.offer !== null && move.offer !== undefined);
  if (last < 0) return null;
  const back = moves.slice(last + 1).some((move) => (move.talk ?? []).some((/** @type {any} */ said) => said.act === "withdraw"));
  return back ? "withdrawn" : "lapsed";
}

/** @param {import("./ruler-figures.js").Remaining} left */
export function showRemaining({ level, words, next = "" }) {
  byId("zopa-remaining").dataset.level = level;
  byId("zopa-words").textContent = words;
  byId("zopa-next").textContent = next && `: ${next}`;
}

/**
 * @param {import("./money.js").Money} money
 * @param {import("./package.js").Scale} scale what packages are worth to the player
 */
export function createStand(money, scale) {
  const accept = /** @type {HTMLButtonElement} */ (byId("accept"));

  /** What stands where no offer does. @param {import("./fold.js").Snapshot} state @param {"player" | "opponent"} side @param {string} nothing */
  function absent(state, side, nothing) {
    const gone = goneOffer(state.transcript, side);
    return gone === "lapsed" ? gettext("Lapsed") : gone === "withdrawn" ? gettext("Taken back") : nothing;
  }

  /**
   * Where a side stands: with terms what its package is worth to the player, and under it the price with the terms.
   * @param {"their" | "your"} side
   * @param {number | null} price
   * @param {import("./package.js").Terms | null} terms
   * @param {number | null} worth
   * @param {string} nothing
   */
  function showSide(side, price, terms, worth, nothing) {
    const figure = byId(terms ? `${side}-worth` : `${side}-offer`);
    const shown = terms ? worth : price;
    figure.textContent = price === null || shown === null ? nothing : formatMoney(Math.round(shown), money);
    figure.classList.toggle("none", price === null);
    if (!terms) return;
    byId(`${side}-line`).hidden = price === null;
    byId(`${side}-offer`).textContent = price === null ? "" : formatMoney(price, money);
    byId(`${side}-terms`).textContent = labelsOf(money.issues, terms).join(" · ");
  }

  return {
    /** @param {import("./fold.js").Snapshot} state one that has a table */
    update(state) {
      const { table } = state;
      const standing = table.standing_offer;
      const packages = money.issues.length > 0;
      showSide("their", standing, packages ? table.standing_terms : null, table.standing_worth, absent(state, "opponent", gettext("No offer yet")));
      showSide("your", table.own_offer, packages ? table.own_terms : null, table.own_worth, absent(state, "player", gettext("Nothing yet")));
      const lapsed = byId("your-lapsed");
      lapsed.hidden = table.own_offer !== null || state.outcome !== null || goneOffer(state.transcript, "player") !== "lapsed";
      const limit = state.own.walk_away;
      byId("your-limit").textContent = formatMoney(limit, money);
      const surplus = standing === null ? 0 : scale.surplus(packages ? table.standing_worth : standing, limit);
      const against = byId("against");
      against.textContent = standing === null ? "" : againstLimit(surplus, money, state.game.seat);
      against.dataset.state = surplus < 0 ? "beyond" : "within";
      accept.disabled = standing === null || state.awaiting_reply || state.outcome !== null;
      accept.dataset.state = against.dataset.state;
      byId("accept-words").textContent = standing === null ? "" : ` ${formatMoney(standing, money)}`;
      byId("turn-clock").textContent =
        table.turn === 0 ? gettext("Opening") : gettext("Turn {turn} of {horizon}", { turn: table.turn, horizon: state.game.horizon });
      showRemaining(remaining(table.zopa_width_pct_remaining, table.tension));
    },
  };
}
