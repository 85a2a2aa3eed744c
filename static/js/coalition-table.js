/** The table for three: one turn goes out, all that it led to comes back, the page shows it. */

import { createComposer } from "./coalition-composer.js";
import { emptyState, take } from "./coalition-fold.js";
import { createOffers } from "./coalition-offers.js";
import { createSaid } from "./coalition-said.js";
import { addProposals, drawTriangle, SEATS } from "./coalition-triangle.js";
import { createWords } from "./coalition-words.js";
import { byId, el, embedded, uuid } from "./dom.js";

export function startTable() {
  const start = embedded("bootstrap");
  const root = byId("trio");
  const words = createWords(start);
  const said = createSaid(start, words);
  let state = emptyState();
  /** A turn that got no answer keeps its id, so that sending it again cannot take it twice. @type {any} */
  let unanswered = null;

  const composer = createComposer(start, words, (turn) => {
    if (turn.walk_away) ask("Leave the table?", "The other two can still agree without you. You get nothing.", "Leave", () => void send(turn));
    else void send(turn);
  });
  const offers = createOffers(start, words, (offer, closes) => {
    const turn = { text: composer.words(), to: null, support: offer.number };
    if (!closes) void send(turn);
    else
      ask(
        `${words.deal(offer.proposal.members)}?`,
        `${words.pays(offer.proposal)}. That ${offer.gain < 0 ? "costs" : "leaves"} you ${words.figure(Math.abs(offer.gain))}, and the deal is closed.`,
        "Agree",
        () => void send(turn),
      );
  });

  /** @param {any} turn */
  async function send(turn) {
    const same = unanswered && JSON.stringify(unanswered.turn) === JSON.stringify(turn);
    unanswered = same ? unanswered : { turn, action_id: uuid() };
    composer.wait(true);
    try {
      const answer = await fetch(root.dataset.act ?? "", {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-CSRFToken": token() },
        body: JSON.stringify({ ...turn, action_id: unanswered.action_id, since: state.seen }),
      });
      const data = await answer.json();
      unanswered = null;
      if (answer.ok) {
        composer.clear();
        show(data, true);
      } else if (data.code === "below_outside") {
        ask("Sign at a loss?", data.message, "Sign it", () => void send({ ...turn, knowingly: true }));
      } else {
        composer.refuse(data.message, data.field);
      }
    } catch {
      composer.refuse("The line is down. Your words are still here: send them again.");
    } finally {
      composer.wait(false);
    }
  }

  const token = () => /** @type {HTMLInputElement} */ (document.querySelector("[name=csrfmiddlewaretoken]")).value;

  /** @param {any} update @param {boolean} heard */
  function show(update, heard) {
    const taken = take(state, update);
    state = taken.state;
    said.show(taken.turns, heard);
    byId("round").textContent = String(update.table.round);
    offers.show(update.table, state.open);
    composer.seat(update.table.present);
    drawFelt(update.table);
    drawMap(update.table.chart);
    if (taken.outcome) end(taken.outcome, heard);
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

  /** @param {any[]} rows */
  function drawMap(rows) {
    const board = drawTriangle(start.seats, start.seat);
    addProposals(
      board,
      rows.map((row) => ({
        by: row.by,
        gains: row.gains,
        standing: row.standing,
        words: `${words.name(row.by)}, round ${row.round}: ${words.deal(row.members)}`,
      })),
    );
    byId("triangle").replaceChildren(board);
    const head = el("tr", {}, ...["Round", "By", ...SEATS.map(words.name)].map((label) => el("th", { scope: "col" }, label)));
    const body = rows.map((row) =>
      el("tr", {}, el("td", {}, String(row.round)), el("td", {}, words.name(row.by)), ...SEATS.map((seat) => el("td", {}, words.figure(row.gains[seat])))),
    );
    byId("map-table").replaceChildren(el("caption", {}, "Gains by seat: yours exactly, theirs by the memo"), el("thead", {}, head), el("tbody", {}, ...body));
  }

  /** @param {any} outcome @param {boolean} heard */
  function end(outcome, heard) {
    composer.hide();
    const title = byId("end-title");
    const out = outcome.agreement && !outcome.agreement.members.includes(start.seat);
    title.textContent = outcome.agreement ? (out ? "They closed without you" : "It is a deal") : "No deal";
    byId("end-words").textContent = outcome.agreement
      ? `${words.deal(outcome.agreement.members)}. ${words.pays(outcome.agreement)}.`
      : "Nobody gets anything, and everybody keeps what they had.";
    byId("end").hidden = false;
    if (heard) title.focus();
  }

  show(start, false);
  document.documentElement.dataset.ready = "true";
}

/** @param {string} title @param {string} text @param {string} yes @param {() => void} then */
function ask(title, text, yes, then) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("confirm"));
  const [no, agree] = /** @type {NodeListOf<HTMLButtonElement>} */ (dialog.querySelectorAll("button"));
  byId("confirm-title").textContent = title;
  byId("confirm-words").textContent = text;
  agree.textContent = yes;
  no.onclick = () => dialog.close();
  agree.onclick = () => {
    dialog.close();
    then();
  };
  dialog.showModal();
}
