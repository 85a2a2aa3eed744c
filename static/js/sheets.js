/** On a narrow screen terms, hand and what one knows of them open as sheets over the conversation; on a wide one they stay. */

import { byId } from "./dom.js";

const NAMES = ["package", "cards", "her"].filter((name) => document.getElementById(`panel-${name}`));

export function createSheets() {
  /** @type {HTMLElement | null} */
  let opener = null;

  /** @param {string} name @param {boolean} open */
  function set(name, open) {
    byId(`panel-${name}`).classList.toggle("open", open);
    byId(`open-${name}`).setAttribute("aria-expanded", String(open));
  }

  /** Open a sheet where it is one, and move the focus into it. @param {string} name @param {() => void} [focus] */
  function show(name, focus) {
    close();
    const panel = byId(`panel-${name}`);
    opener = byId(`open-${name}`);
    set(name, true);
    const first = /** @type {HTMLElement | null} */ (panel.querySelector(".card, .option input:checked, .matters button, .link-like"));
    if (focus) focus();
    else first?.focus();
  }

  function close() {
    for (const name of NAMES) set(name, false);
  }

  for (const name of NAMES) {
    const panel = byId(`panel-${name}`);
    byId(`open-${name}`).addEventListener("click", () => (panel.classList.contains("open") ? close() : show(name)));
    panel.querySelector(".sheet-close")?.addEventListener("click", () => {
      close();
      opener?.focus();
    });
    panel.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && panel.classList.contains("open")) {
        close();
        opener?.focus();
      }
    });
  }
  return { show, close };
}
