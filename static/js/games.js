/** Small games: a move without a new page, the number keys, what a demand is worth. Without this file the forms still work. */

import { byId } from "./dom.js";

const LOST = "The table could not be reached. Nothing is lost: try the same move again.";

/** Start what a match needs; on other pages this does nothing. */
export function startGames() {
  if (!document.getElementById("match")) return;
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !("move" in form.dataset)) return;
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
}

/**
 * Send a form and put the page that it leads to in the place of this one. A form carries its own identifier, so sending it
 * again after a lost answer changes nothing twice.
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement | null} button
 */
async function send(form, button) {
  if (form.getAttribute("aria-busy") === "true") return;
  form.setAttribute("aria-busy", "true");
  const data = new FormData(form);
  if (button?.name) data.set(button.name, button.value);
  try {
    const answer = await fetch(form.getAttribute("action") ?? "", { method: "POST", body: data });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("match");
    if (!fresh) return location.reload();
    byId("match").replaceWith(fresh);
    document.title = page.title;
    arrive();
  } catch {
    form.removeAttribute("aria-busy");
    const lost = byId("lost");
    lost.textContent = LOST;
    lost.hidden = false;
  }
}

/** Say what happened, once, and put the focus where the player goes on. */
function arrive() {
  byId("said").textContent = byId("say").textContent?.trim() ?? "";
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
