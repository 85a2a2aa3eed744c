/** The scenario editor of the admin: line numbers, jumps to lines, the preview as it comes. All of it works without. */

import { byId } from "./dom.js";
import { startFigures } from "./figures.js";

const POLL = 1000;
const text = /** @type {HTMLTextAreaElement} */ (byId("text"));
const gutter = /** @type {HTMLElement} */ (document.querySelector(".gutter"));

function number() {
  const count = text.value.split("\n").length;
  if (gutter.dataset.count === String(count)) return;
  gutter.dataset.count = String(count);
  gutter.textContent = Array.from({ length: count }, (_, index) => index + 1).join("\n");
}

/** Select a line and bring it into view. @param {number} line */
function jump(line) {
  const lines = text.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  text.focus();
  text.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
  const height = Number.parseFloat(getComputedStyle(text).lineHeight);
  text.scrollTop = Math.max(0, (line - 5) * height);
  text.scrollIntoView({ block: "nearest" });
}

/** Wait for the preview; the page that shows it is fetched anew, unless something was typed meanwhile. */
function follow() {
  const status = document.getElementById("progress");
  if (!status) return;
  const bar = /** @type {HTMLProgressElement} */ (status.querySelector("progress"));
  const said = /** @type {HTMLElement} */ (status.querySelector("span"));
  const before = text.value;
  const ask = async () => {
    const answer = await fetch(status.dataset.url ?? "", { headers: { accept: "application/json" } }).catch(() => null);
    const state = answer?.ok ? await answer.json() : null;
    if (state) {
      bar.max = state.total;
      bar.value = state.done;
    }
    if (state && !state.open) {
      if (text.value === before) location.reload();
      else said.textContent = "The preview is there. Save your changes to see it.";
      return;
    }
    setTimeout(ask, POLL);
  };
  setTimeout(ask, POLL);
}

text.addEventListener("input", number);
text.addEventListener("scroll", () => (gutter.scrollTop = text.scrollTop));
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("[data-line]") : null;
  if (!(link instanceof HTMLElement)) return;
  event.preventDefault();
  jump(Number(link.dataset.line));
});

const kept = text.value;
let leaving = false;
byId("editor").addEventListener("submit", () => (leaving = true));
window.addEventListener("beforeunload", (event) => {
  if (!leaving && text.value !== kept) event.preventDefault();
});

number();
follow();
startFigures();
document.documentElement.dataset.ready = "true";
