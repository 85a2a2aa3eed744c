/** The tactic cards: pick one to play with the next move. A card that can't be played says why. */

import { byId, el } from "./dom.js";
import { gettext } from "./words.js";

/** @typedef {{id: string, title: string, cost: number, hint: string, does: string, limit: number, theory?: string, needs_offer?: boolean}} Card */

/**
 * @param {Card[]} cards
 * @param {(card: Card | null) => void} onChoose
 */
export function createCards(cards, onChoose) {
  const root = byId("cards");
  const points = byId("credibility");
  /** @type {string | null} */
  let chosen = null;
  /** @type {Map<string, {button: HTMLButtonElement, note: HTMLElement, left: HTMLElement, card: Card}>} */
  const faces = new Map();

  for (const card of cards) {
    const note = el("span", { class: "card-note", id: `card-note-${card.id}` }, card.does);
    const left = el("span", { class: "card-left" });
    const button = el(
      "button",
      { type: "button", class: "card", "data-testid": `card-${card.id}`, "aria-pressed": "false", "aria-describedby": note.id, title: card.theory },
      el("span", { class: "card-title" }, card.title, left),
      el(
        "span",
        { class: "card-cost" },
        el("span", { class: "figure" }, card.cost === 0 ? "free" : String(card.cost)),
        el("span", { class: "visually-hidden" }, gettext(" credit")),
      ),
    );
    button.append(note);
    button.addEventListener("click", () => {
      if (button.getAttribute("aria-disabled") !== "true") choose(chosen === card.id ? null : card.id);
    });
    faces.set(card.id, { button, note, left, card });
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
    /** @param {any} table the latest closed turn @param {any[]} transcript */
    update(table, transcript) {
      points.textContent = String(table.credibility_points);
      for (const [id, { button, note, left, card }] of faces) {
        const played = transcript.filter((move) => move.side === "player" && move.card === id).map((move) => move.turn);
        const why = reason(card, table, played);
        button.setAttribute("aria-disabled", String(why !== ""));
        note.textContent = why || card.does;
        const rest = id === "sweetener" ? table.sweeteners_left : card.limit - played.length;
        left.textContent = rest > 0 ? gettext("{rest} left", { rest }) : gettext("played");
        if (why && chosen === id) choose(null);
      }
    },
  };
}

/** Why a card can't be played now; empty when it can. @param {Card} card @param {any} table @param {number[]} played turns */
function reason(card, table, played) {
  if (table.cards.includes(card.id)) return "";
  if (table.credibility_points < card.cost)
    return gettext("Needs {cost} credit, you have {credibility_points}.", { cost: card.cost, credibility_points: table.credibility_points });
  return played.length > 0 ? gettext("Played in turn {turn}; that was the last.", { turn: played.at(-1) }) : gettext("Not to be had in this deal.");
}
