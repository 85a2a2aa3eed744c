/** A table for three as a page shows it, whoever looks: the felt, the talk, what lies on the table, the map. */

import { drawn, emptyState, take } from "./coalition-fold.js";
import { createOffers } from "./coalition-offers.js";
import { createSaid } from "./coalition-said.js";
import { addCore, addProposals, addTheory, drawTriangle, SEATS } from "./coalition-triangle.js";
import { createConnection } from "./connection.js";
import { byId, el } from "./dom.js";
import { openLine } from "./socket.js";

/**
 * Draws what came with the page, then opens the line and draws what it brings.
 * @param {any} start
 * @param {import("./coalition-words.js").Words} words
 * @param {object} seat what the one who plays does besides
 * @param {(offer: any, closes: boolean) => void} [seat.support]
 * @param {(table: any) => void} [seat.onTable]
 * @param {() => void} [seat.onEnd]
 */
export function openTable(start, words, { support, onTable, onEnd }) {
  const said = createSaid(start, words);
  const offers = createOffers(start, words, support);
  let state = emptyState();
  let last = "";
  let over = false;
  for (const frame of start.frames) state = take(state, frame);
  if (start.table) show(start.table, false);

  const line = openLine({
    url: start.ws_url,
    since: () => state.seen,
    onFrame: (frame) => {
      state = take(state, frame);
    },
    onTable: (table) => show(table, true),
    onState: createConnection(),
  });

  /** @param {any} table @param {boolean} heard */
  function show(table, heard) {
    const stands = JSON.stringify(table);
    const { news, outcome } = state;
    if (stands === last && !news.length && (over || !outcome)) return;
    last = stands;
    state = drawn(state);
    said.show(news, heard && news.length > 0);
    byId("round").textContent = String(table.round);
    offers.show(table, table.status === "live");
    drawFelt(table);
    drawMap(table);
    onTable?.(table);
    if (outcome && !over) {
      over = true;
      end(outcome, heard);
      onEnd?.();
    }
  }

  /** @param {any} table */
  function drawFelt(table) {
    for (const chair of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-chair]"))) {
      const seat = /** @type {import("./coalition-triangle.js").Seat} */ (chair.dataset.chair);
      const gone = !table.present.includes(seat);
      const behind = table.standing.find((/** @type {any} */ offer) => offer.supporters.includes(seat));
      chair.toggleAttribute("data-gone", gone);
      const state = /** @type {HTMLElement} */ (chair.querySelector("[data-state]"));
      state.textContent = gone ? "left" : behind ? (behind.proposal.members.length === 3 ? "for all three" : "for a pair") : "";
    }
    for (const tie of /** @type {NodeListOf<SVGElement>} */ (document.querySelectorAll("[data-tie]"))) {
      const ends = (tie.dataset.tie ?? "").split("+");
      tie.toggleAttribute(
        "data-tied",
        table.standing.some((/** @type {any} */ offer) => ends.every((seat) => offer.supporters.includes(seat))),
      );
    }
  }

  /** @param {any} table */
  function drawMap({ chart: rows, core, shapley, nucleolus }) {
    const board = drawTriangle(start.seats, start.seat);
    if (core) addCore(board, core);
    addProposals(
      board,
      rows.map((/** @type {any} */ row) => ({
        by: row.by,
        gains: row.gains,
        standing: row.standing,
        words: `${words.name(row.by)}, round ${row.round}: ${words.deal(row.members)}`,
      })),
    );
    if (core) addTheory(board, { shapley, nucleolus, payoffs: null });
    byId("triangle").replaceChildren(board);
    const head = el("tr", {}, ...["Round", "By", ...SEATS.map(words.name)].map((label) => el("th", { scope: "col" }, label)));
    const body = rows.map((/** @type {any} */ row) =>
      el("tr", {}, el("td", {}, String(row.round)), el("td", {}, words.name(row.by)), ...SEATS.map((seat) => el("td", {}, words.figure(row.gains[seat])))),
    );
    byId("map-table").replaceChildren(el("caption", {}, caption(Boolean(core))), el("thead", {}, head), el("tbody", {}, ...body));
  }

  /** @param {boolean} open whether the cards lie open */
  function caption(open) {
    if (open) return "True gains by seat";
    return start.seat ? "Gains by seat: yours exactly, theirs by the memo" : "Gains by seat as the player knows them: the others’ by the memo";
  }

  /** @param {any} outcome @param {boolean} heard */
  function end(outcome, heard) {
    const title = byId("end-title");
    const out = start.seat && outcome.agreement && !outcome.agreement.members.includes(start.seat);
    title.textContent = outcome.agreement ? (out ? "They closed without you" : "It is a deal") : "No deal";
    byId("end-words").textContent = outcome.agreement
      ? `${words.deal(outcome.agreement.members)}. ${words.pays(outcome.agreement)}.`
      : "Nobody gets anything, and everybody keeps what they had.";
    byId("end").hidden = false;
    if (heard) title.focus();
  }

  return line;
}
