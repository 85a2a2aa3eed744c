/** Small games: moves over the line without a new page, the number keys, what a demand is worth. Without this file the forms still work. */

import { createConnection } from "./connection.js";
import { byId } from "./dom.js";
import { openLine } from "./socket.js";

const LOST = "The page could not be drawn anew. Nothing is lost: reload it.";

/** Start what a match needs; on other pages this does nothing. */
export function startGames() {
  const match = document.getElementById("match");
  if (!match) return;
  let seen = after();
  let busy = false;
  const line = openLine({
    url: match.dataset.socket ?? "",
    since: () => seen,
    onFrame: (frame) => {
      seen = Math.max(seen, frame.seq);
      // What came from another window is drawn here too; what was done here is drawn once it is answered.
      if (!busy && seen > after()) void draw();
    },
    onState: createConnection(),
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.dataset.move) return;
    event.preventDefault();
    void send(form, /** @type {HTMLButtonElement | null} */ (event.submitter));
  });
  document.addEventListener("keydown", pressByNumber);
  document.addEventListener("change", showWorth);
  showWorth();
  // A page that comes back from the browser's memory may be older than the match.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });

  /**
   * Send what a form says over the line, which answers it once, after as many reconnects as it takes.
   * @param {HTMLFormElement} form
   * @param {HTMLButtonElement | null} button
   */
  async function send(form, button) {
    if (busy) return;
    const data = new FormData(form);
    if (button?.name) data.set(button.name, button.value);
    busy = true;
    form.setAttribute("aria-busy", "true");
    const answer = await line.send(form.dataset.move ?? "", Object.fromEntries(data));
    await draw();
    busy = false;
    form.removeAttribute("aria-busy");
    if (answer.type === "error") complain(answer.data.message);
  }

  /** Put the page as it is now in the place of this one. */
  async function draw() {
    try {
      const answer = await fetch(location.href);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById("match");
      if (!fresh) return location.reload();
      byId("match").replaceWith(fresh);
      document.title = page.title;
      seen = Math.max(seen, after());
      arrive();
    } catch {
      complain(LOST);
    }
  }
}

/** How far the log goes on the page. */
const after = () => Number(byId("match").dataset.after);

/** @param {string} words */
function complain(words) {
  const lost = byId("lost");
  lost.textContent = words;
  lost.hidden = false;
}

/** Say what happened, once, and put the focus where the player goes on. */
function arrive() {
  byId("live").textContent = byId("say").textContent?.trim() ?? "";
  const next = /** @type {HTMLElement | null} */ (document.querySelector("#match [data-focus]"));
  next?.focus({ preventScroll: next.tagName !== "H1" });
  showWorth();
}

/** @param {KeyboardEvent} event */
function pressByNumber(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target instanceof Element && event.target.closest("input, textarea, select")) return;
  const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("#match .move"));
  buttons[Number(event.key) - 1]?.click();
}

/** What the demand for books, hats and balls is worth, as far as it is chosen. */
function showWorth() {
  const out = document.getElementById("worth-of");
  if (!out) return;
  const chosen = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(".count input:checked"));
  const worth = [...chosen].reduce((sum, input) => sum + Number(input.value) * Number(input.dataset.worth), 0);
  out.hidden = chosen.length < document.querySelectorAll(".count").length;
  out.textContent = `worth ${worth} to you`;
}
