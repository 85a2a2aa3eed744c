/** The tactic cards: pick one to play with the next move. A card that can't be played says why. */

import { byId, el } from "./dom.js";

/** @typedef {{id: string, title: string, cost: number, hint: string, theory?: string, needs_offer?: boolean}} Card */

/**
 * @param {Card[]} cards
 * @param {(card: Card | null) => void} onChoose
 */
export function createCards(cards, onChoose) {
  const root = byId("cards");
  const points = byId("credibility");
  const hint = byId("card-hint");
  const rest = hint.textContent;
  /** @type {string | null} */
  let chosen = null;
  /** @type {Map<string, {button: HTMLButtonElement, note: HTMLElement, card: Card}>} */
  const faces = new Map();

  for (const card of cards) {
    const note = el("span", { class: "card-note", id: `card-note-${card.id}` }, card.hint);
    const button = el(
      "button",
      { type: "button", class: "card", "data-testid": `card-${card.id}`, "aria-pressed": "false", "aria-describedby": note.id, title: card.theory },
      el("span", { class: "card-title" }, card.title),
      el("span", { class: "card-cost" }, el("span", { class: "figure" }, String(card.cost)), el("span", { class: "visually-hidden" }, " credibility")),
    );
    button.append(note);
    button.addEventListener("click", () => {
      if (button.getAttribute("aria-disabled") !== "true") choose(chosen === card.id ? null : card.id);
    });
    for (const event of ["pointerenter", "focus"]) button.addEventListener(event, () => (hint.textContent = note.textContent));
    for (const event of ["pointerleave", "blur"]) button.addEventListener(event, () => (hint.textContent = rest));
    faces.set(card.id, { button, note, card });
    root.append(button);
  }

  /** @param {string | null} id */
  function choose(id) {
    chosen = id;
    for (const [key, { button }] of faces) button.setAttribute("aria-pressed", String(key === id));
    onChoose(id === null ? null : (faces.get(id)?.card ?? null));
  }

  return {
    get chosen() {
      return chosen;
    },
    choose,
    /** @param {any} table the latest closed turn */
    update(table) {
      points.textContent = String(table.credibility_points);
      for (const [id, { button, note, card }] of faces) {
        const why = reason(card, table);
        button.setAttribute("aria-disabled", String(why !== ""));
        note.textContent = why || (id === "sweetener" ? `${card.hint} ${table.sweeteners_left} left.` : card.hint);
        if (why && chosen === id) choose(null);
      }
    },
  };
}

/** Why a card can't be played now; empty when it can. @param {Card} card @param {any} table */
function reason(card, table) {
  if (table.cards.includes(card.id)) return "";
  if (table.credibility_points < card.cost) return `Needs ${card.cost} credibility, you have ${table.credibility_points}.`;
  return "Played out for this deal.";
}
