/** What lies on the table: each open proposal, what it leaves you, and who stands behind it. */

import { byId, el } from "./dom.js";

/**
 * @param {any} start
 * @param {import("./coalition-words.js").Words} words
 * @param {(offer: any, closes: boolean) => void} support
 */
export function createOffers(start, words, support) {
  const list = byId("offers");
  const together = new Intl.ListFormat("en-GB");

  /** @param {any} offer @param {boolean} open */
  function card(offer, open) {
    const { members } = offer.proposal;
    const mine = members.includes(start.seat);
    const backed = offer.supporters.includes(start.seat);
    const closes = members.every((/** @type {string} */ seat) => seat === start.seat || offer.supporters.includes(seat));
    const gain = !mine ? "Leaves you out" : `${offer.gain < 0 ? "Costs you" : "Leaves you"} ${words.figure(Math.abs(offer.gain))}`;
    const behind = together.format(offer.supporters.map(words.object));
    const button = el(
      "button",
      { class: closes && offer.gain >= 0 ? "button primary" : "button", type: "button", "data-testid": "support" },
      closes ? "Agree and close" : "Stand behind it",
    );
    button.addEventListener("click", () => support(offer, closes));
    return el(
      "li",
      { class: `offer-card by-${offer.by}`, "data-number": offer.number },
      el("p", { class: "offer-title" }, el("strong", {}, words.deal(members)), offer.to && el("span", { class: "tag" }, "private")),
      el("p", { class: "soft" }, words.pays(offer.proposal)),
      el("p", { class: !mine || offer.gain < 0 ? "gain none" : "gain" }, gain),
      el(
        "p",
        { class: "faint" },
        `${words.name(offer.by)} proposed it in round ${offer.round}. ${behind ? `Behind it: ${behind}.` : "Nobody stands behind it now."}`,
      ),
      open && mine && !backed && button,
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
