/** What lies on the table: each open proposal, what it leaves you, and who stands behind it. */

import { byId, el } from "./dom.js";

/**
 * @param {any} start
 * @param {import("./coalition-words.js").Words} words
 * @param {(offer: any, closes: boolean) => void} [support] for the one who plays
 */
export function createOffers(start, words, support) {
  const list = byId("offers");
  const together = new Intl.ListFormat("en-GB");

  /** What it leaves: the one who plays; who of the table watches reads it of the player, or of all. @param {any} offer */
  function gainOf(offer) {
    const { members } = offer.proposal;
    if (offer.gains) return `Leaves ${together.format(members.map((/** @type {any} */ seat) => `${words.name(seat)} ${words.figure(offer.gains[seat])}`))}`;
    const who = start.seat ? "you" : words.object(start.player);
    if (!members.includes(start.seat ?? start.player)) return `Leaves ${who} out`;
    return `${offer.gain < 0 ? "Costs" : "Leaves"} ${who} ${words.figure(Math.abs(offer.gain))}`;
  }

  /** @param {any} offer @param {boolean} open */
  function card(offer, open) {
    const { members } = offer.proposal;
    const mine = members.includes(start.seat);
    const backed = offer.supporters.includes(start.seat);
    const closes = members.every((/** @type {string} */ seat) => seat === start.seat || offer.supporters.includes(seat));
    const behind = together.format(offer.supporters.map(words.object));
    const button = el(
      "button",
      { class: closes && offer.gain >= 0 ? "button primary" : "button", type: "button", "data-testid": "support" },
      closes ? "Agree and close" : "Stand behind it",
    );
    button.addEventListener("click", () => support?.(offer, closes));
    return el(
      "li",
      { class: `offer-card by-${offer.by}`, "data-number": offer.number },
      el("p", { class: "offer-title" }, el("strong", {}, words.deal(members)), offer.to && el("span", { class: "tag" }, "private")),
      el("p", { class: "soft" }, words.pays(offer.proposal)),
      el("p", { class: start.seat && (!mine || offer.gain < 0) ? "gain none" : "gain" }, gainOf(offer)),
      el(
        "p",
        { class: "faint" },
        `${words.name(offer.by)} proposed it in round ${offer.round}. ${behind ? `Behind it: ${behind}.` : "Nobody stands behind it now."}`,
      ),
      open && support && mine && !backed && button,
    );
  }

  return {
    /** @param {any} table @param {boolean} open whether turns can be taken */
    show(table, open) {
      const cards = table.standing.map((/** @type {any} */ offer) => card(offer, open));
      list.replaceChildren(...(cards.length ? cards : [el("li", { class: "soft" }, "Nothing yet. Propose something.")]));
    },
  };
}
