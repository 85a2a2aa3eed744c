/**
 * What matters to the other side: the gist of what they have told so far, which was said in other words, what holds them back, notes of one's own, and the
 * questions of the trade that nobody has asked yet. A full dot is told and shown, a half one only said, a ring is open.
 */

import { byId, el } from "./dom.js";
import { gettext } from "./words.js";

/** @typedef {{id: string, topic: string, says: string, turn: number, shown: boolean | null}} Told */
/** @typedef {{topics: Record<string, string>, questions: Record<string, string>}} Case */

/** So many open questions are shown at once, and fewer once there is something to remember. */
const OPEN = 4;
const OPEN_LATER = 2;

/**
 * @param {string} gameId
 * @param {Case} sheet
 * @param {(question: string) => void} onAsk puts a question into the field
 */
export function createLearned(gameId, sheet, onAsk) {
  const list = byId("learned");
  const note = /** @type {HTMLInputElement} */ (byId("own-note"));
  const key = `parlay-learned-${gameId}`;
  /** @type {{text: string}[]} */
  let own = remembered(key);
  /** @type {any[]} */
  let transcript = [];

  note.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || note.value.trim() === "") return;
    event.preventDefault();
    own = [...own, { text: note.value.trim() }];
    note.value = "";
    keep();
  });

  function keep() {
    try {
      localStorage.setItem(key, JSON.stringify(own));
    } catch {
      // Storage can be forbidden: the note then lasts as long as the page.
    }
    draw();
  }

  function draw() {
    list.replaceChildren(
      ...toldIn(transcript).map(fact),
      ...transcript.flatMap((move) => (move.raised ?? []).map((/** @type {any} */ each) => objection(each, move.turn))),
      ...own.map(noted),
      ...openTopics(sheet, transcript).map(question),
    );
  }

  /** @param {Told} told */
  const fact = (told) =>
    el(
      "li",
      { class: told.shown ? "known" : "said-only" },
      el("span", { class: "gist" }, sentence(told.says)),
      el("span", { class: "src" }, gettext("turn {turn} · {topic}{shown}", { turn: told.turn, topic: sheet.topics[told.topic], shown: proof(told.shown) })),
    );

  /** @param {{says: string, topic: string}} each @param {number} turn */
  const objection = (each, turn) =>
    el(
      "li",
      { class: "holds" },
      el("b", {}, gettext("Holds them back")),
      el("span", { class: "gist" }, sentence(each.says)),
      el("span", { class: "src" }, gettext("turn {turn} · {topic}", { turn, topic: sheet.topics[each.topic] })),
    );

  /** @param {{text: string}} kept @param {number} index */
  function noted(kept, index) {
    const away = el(
      "button",
      { type: "button", class: "link-like", "aria-label": gettext("Take away the note: {text}", { text: kept.text }) },
      gettext("Remove"),
    );
    away.addEventListener("click", () => {
      own = own.filter((_, i) => i !== index);
      keep();
      note.focus();
    });
    return el("li", { class: "noted" }, el("span", {}, kept.text), away);
  }

  /** @param {string} topic */
  function question(topic) {
    const ask = el(
      "button",
      { type: "button", class: "link-like", "aria-label": gettext("Ask: {question}", { question: sheet.questions[topic] }) },
      gettext("Ask"),
    );
    ask.addEventListener("click", () => onAsk(sheet.questions[topic]));
    return el("li", { class: "open" }, el("span", {}, sheet.questions[topic]), ask);
  }

  return {
    /** @param {any[]} moves the transcript */
    update(moves) {
      transcript = moves;
      draw();
    },
    focus: () => /** @type {HTMLElement | null} */ (list.querySelector("button"))?.focus(),
  };
}

/**
 * The facts told so far, each as it was last said or shown.
 * @param {any[]} transcript
 * @returns {Told[]}
 */
export function toldIn(transcript) {
  /** @type {Map<string, Told>} */
  const told = new Map();
  for (const move of transcript) for (const each of move.told ?? []) told.set(each.id, each);
  return [...told.values()];
}

/**
 * The topics that the player has asked nothing about and heard nothing of yet, the usual order first.
 * @param {Case} sheet
 * @param {any[]} transcript
 */
export function openTopics(sheet, transcript) {
  const touched = new Set(toldIn(transcript).map((told) => told.topic));
  for (const move of transcript) for (const done of move.talk ?? []) if (/^(ask|follow)/.test(done.act)) touched.add(done.topic);
  return Object.keys(sheet.questions)
    .filter((topic) => !touched.has(topic))
    .slice(0, toldIn(transcript).length > 1 ? OPEN_LATER : OPEN);
}

/** A clause as a sentence. @param {string} clause */
export const sentence = (clause) => clause.charAt(0).toUpperCase() + clause.slice(1) + (/[.!?…]$/.test(clause) ? "" : ".");

/** @param {boolean | null} shown */
const proof = (shown) => (shown === null ? "" : shown ? gettext(", shown") : gettext(", not shown"));

/** @param {string} key @returns {{text: string}[]} */
function remembered(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "[]");
  } catch {
    return [];
  }
}
