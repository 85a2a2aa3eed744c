/** On a narrow screen the cards and the read open as sheets over the conversation; on a wide one they stay. */

import { byId } from "./dom.js";

const NAMES = ["cards", "belief"];

export function createSheets() {
  /** @type {HTMLElement | null} */
  let opener = null;

  /** @param {string} name */
  function toggle(name) {
    const open = byId(`panel-${name}`).classList.contains("open");
    close();
    if (!open) show(name);
  }

  /** Open a sheet where it is one, and move the focus into it. @param {string} name */
  function show(name) {
    close();
    const panel = byId(`panel-${name}`);
    opener = byId(`open-${name}`);
    panel.classList.add("open");
    opener.setAttribute("aria-expanded", "true");
    const first = /** @type {HTMLElement | null} */ (panel.querySelector(".card, .belief-input"));
    first?.focus();
  }

  function close() {
    for (const name of NAMES) {
      byId(`panel-${name}`).classList.remove("open");
      byId(`open-${name}`).setAttribute("aria-expanded", "false");
    }
  }

  for (const name of NAMES) {
    byId(`open-${name}`).addEventListener("click", () => toggle(name));
    const panel = byId(`panel-${name}`);
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
