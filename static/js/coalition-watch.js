/** The table for three, for somebody who watches through a link: with all cards open, or as its player sees it. */

import { SEATS } from "./coalition-triangle.js";
import { openTable } from "./coalition-view.js";
import { createWords } from "./coalition-words.js";
import { byId, el, embedded } from "./dom.js";

export function startWatch() {
  const start = embedded("bootstrap");
  const words = createWords(start);
  openTable(start, words, { onTable: showTruth });
  document.documentElement.dataset.ready = "true";

  /** What each seat's figures are, and what each coalition could make. @param {any} table */
  function showTruth({ stakes, worth, shapley }) {
    if (!stakes) return;
    const head = el("tr", {}, ...["Figure", ...SEATS.map(words.name)].map((label) => el("th", { scope: "col" }, label)));
    /** @param {string} label @param {(seat: import("./coalition-triangle.js").Seat) => number} of */
    const row = (label, of) => el("tr", {}, el("th", { scope: "row" }, label), ...SEATS.map((seat) => el("td", {}, of(seat) ? words.figure(of(seat)) : "–")));
    byId("stakes").replaceChildren(
      el("caption", { class: "visually-hidden" }, "What each arrangement is worth to each seat, a year; costs are negative"),
      el("thead", {}, head),
      el(
        "tbody",
        {},
        row("Whole store", (seat) => stakes[seat].alone),
        row("Store, shared", (seat) => stakes[seat].shared),
        row("Old depot", (seat) => stakes[seat].depot),
        row("Shapley value", (seat) => Math.round(shapley[seat])),
      ),
    );
    byId("worths").replaceChildren(
      ...worth.map((/** @type {any} */ one) =>
        el("div", {}, el("dt", {}, one.members.map(words.name).join(" + ")), el("dd", { class: "figure" }, words.figure(one.value))),
      ),
    );
  }
}
