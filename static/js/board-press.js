/** Press: what was said, and writing: the engine's reading of a message is shown, and can be corrected, before it goes. */

import { phaseWords, powerName, turnWords } from "./board-words.js";
import { byId, el } from "./dom.js";

const READ_AFTER = 300;
const FOREVER = 400;

/** What became of a promise, in words. @type {Record<string, string>} */
const VERDICTS = { OPEN: "Open", KEPT: "Kept", BROKEN: "Broken", PARTIAL: "Partly kept", UNVERIFIABLE: "Can’t be told" };

/** A power's letter in its colour. @param {string} power */
export function mark(power) {
  return el("span", { class: `power-mark pw-${power}`, "aria-hidden": "true" }, power === "GLOBAL" ? "∗" : power[0]);
}

/** @param {any} promise */
export function verdict(promise) {
  return el("span", { class: `verdict ${promise.verdict}` }, VERDICTS[promise.verdict] ?? promise.verdict);
}

/** What its maker meant by a promise, for those who may know. @param {any} promise */
export function meant(promise) {
  if (!promise.tag) return "";
  return el("span", { class: `meant${promise.tag === "LIE" ? " lie" : ""}` }, promise.tag === "LIE" ? "Not meant" : "Meant");
}

/**
 * @param {string | null} me
 * @param {{send: (type: string, data: any) => Promise<any>, turn: () => number}} out
 */
export function createPress(me, out) {
  const list = byId("press");
  const filter = /** @type {HTMLSelectElement} */ (byId("press-with"));
  const form = /** @type {HTMLFormElement | null} */ (document.getElementById("press-form"));
  /** @type {import("./board-fold.js").State | null} */
  let last = null;

  /** @param {import("./board-fold.js").State} state */
  function show(state) {
    last = state;
    const near = list.scrollHeight - list.scrollTop - list.clientHeight < 60;
    const rows = state.messages.filter((row) => !filter.value || row.by === filter.value || row.to === filter.value);
    let phase = "";
    /** @type {Node[]} */
    const items = [];
    for (const row of rows) {
      if (row.phase !== phase) items.push(el("li", { class: "press-phase" }, phaseWords(row.phase)));
      phase = row.phase;
      items.push(line(row, state));
    }
    if (!items.length)
      items.push(el("li", { class: "faint" }, "Nothing has been said here. A short word to a neighbour before spring is worth more than a fleet."));
    list.replaceChildren(...items);
    if (near || !list.scrollTop) list.scrollTop = list.scrollHeight;
  }

  /** @param {any} row @param {import("./board-fold.js").State} state */
  function line(row, state) {
    const promises = row.promises.map((/** @type {any} */ one) => state.promises.get(one.id) ?? one);
    const tag = row.tag && !(row.by === me && row.tag === "TRUTH") && row.promises.length ? meant(row) : "";
    return el(
      "li",
      { class: `said pw-${row.by}${row.by === me ? " own" : ""}` },
      el(
        "p",
        { class: "said-who" },
        mark(row.by),
        el("strong", {}, row.by === me ? "You" : powerName(row.by)),
        ` to ${row.to === me ? "you" : powerName(row.to)}`,
        tag,
      ),
      el("p", {}, row.text),
      ...promises.map((/** @type {any} */ promise) =>
        el(
          "p",
          { class: "said-promise" },
          `${promise.by === me ? "You" : powerName(promise.by)}: ${promise.summary}`,
          promise.verdict === "OPEN" ? "" : verdict(promise),
        ),
      ),
    );
  }

  filter.addEventListener("change", () => last && show(last));
  if (form) startWriting(form, out);
  return {
    show,
    /** Talk with one power. @param {string} power */
    with(power) {
      const target = /** @type {HTMLSelectElement | null} */ (document.getElementById("press-target"));
      if (target && power !== me) target.value = power;
    },
  };
}

/** @param {HTMLFormElement} form @param {{send: (type: string, data: any) => Promise<any>, turn: () => number}} out */
function startWriting(form, out) {
  const text = /** @type {HTMLTextAreaElement} */ (byId("press-text"));
  const target = /** @type {HTMLSelectElement} */ (byId("press-target"));
  const bluff = /** @type {HTMLInputElement} */ (byId("bluff"));
  const understood = byId("understood");
  const error = byId("press-error");
  /** @type {Set<number>} */
  let dropped = new Set();
  /** @type {Record<string, number>} */
  let until = {};
  let timer = 0;
  let asked = 0;

  function changed() {
    dropped = new Set();
    until = {};
    clearTimeout(timer);
    timer = window.setTimeout(read, READ_AFTER);
  }

  async function read() {
    const number = ++asked;
    if (!text.value.trim()) return understood.replaceChildren();
    const reply = await out.send("preview", { to: target.value, text: text.value });
    if (number !== asked || reply.type !== "reading") return;
    show(reply.data);
  }

  /** @param {any} reading */
  function show(reading) {
    const promises = reading.promises.map((/** @type {any} */ promise, /** @type {number} */ i) => (dropped.has(i) ? "" : promised(promise, i, reading)));
    const asks = reading.asks.map((/** @type {any} */ promise) => el("p", { class: "understood-row asks" }, el("span", {}, `You ask: ${promise.summary}`)));
    const nothing =
      !reading.promises.length && !reading.asks.length
        ? el("p", { class: "faint" }, reading.agrees ? "You agree to what was asked of you." : "No promise in this. Talk binds nobody.")
        : "";
    understood.replaceChildren(...promises, ...asks, nothing);
  }

  /** @param {any} promise @param {number} i @param {any} reading */
  function promised(promise, i, reading) {
    const now = out.turn();
    const last = until[i] ?? promise.last;
    const turns = [...new Set([now, now + 1, now + 2, now + 3, now + 5, Math.min(last, now + FOREVER)])]
      .filter((turn) => turn >= promise.first)
      .sort((a, b) => a - b);
    const select = el(
      "select",
      { "aria-label": "Until" },
      ...turns.map((turn) => el("option", { value: turn, selected: turn === last }, turn - now > 60 ? "for good" : turnWords(turn))),
    );
    select.addEventListener("change", () => {
      until = { ...until, [i]: Number(select.value) };
    });
    const drop = el("button", { type: "button", class: "button quiet" }, "Not meant as a promise");
    drop.addEventListener("click", () => {
      dropped.add(i);
      show(reading);
      text.focus();
    });
    const what = promise.summary.replace(/, (until|in) (Spring|Fall) \d+|, for good/, "");
    return el("div", { class: "understood-row" }, el("span", {}, `You promise: ${what}, until`), select, drop);
  }

  async function send() {
    if (!text.value.trim()) return text.focus();
    const data = { to: target.value, text: text.value, bluff: bluff.checked, dropped: [...dropped], until };
    const button = /** @type {HTMLButtonElement} */ (form.querySelector("[data-testid=press-send]"));
    button.disabled = true;
    const reply = await out.send("say", data);
    button.disabled = false;
    error.hidden = reply.type !== "error";
    if (reply.type === "error") {
      error.textContent = reply.data.message;
      return;
    }
    text.value = "";
    bluff.checked = false;
    changed();
    understood.replaceChildren();
    text.focus();
  }

  const quick = /** @type {[string, () => string][]} */ ([
    [
      "Offer peace",
      () =>
        `I propose a non-aggression pact until ${turnWords(out.turn() + 3).toLowerCase()}. I will not attack you until ${turnWords(out.turn() + 3).toLowerCase()}.`,
    ],
    ["Agree", () => "Agreed."],
  ]);
  byId("press-quick").replaceChildren(
    ...quick.map(([words, make]) => {
      const button = el("button", { type: "button", class: "chip" }, words);
      button.addEventListener("click", () => {
        text.value = make();
        changed();
        text.focus();
      });
      return button;
    }),
  );
  text.addEventListener("input", changed);
  target.addEventListener("change", changed);
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
}
