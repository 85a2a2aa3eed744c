/**
 * On a narrow screen the cards, the read and the package open as sheets over the conversation; on a wide one they
 * stay, and the package can be folded away where the window is low.
 */

import { byId } from "./dom.js";

const NAMES = ["cards", "belief", "package"].filter((name) => document.getElementById(`panel-${name}`));

/** From this height of the window on there is room for the package beside the talk. */
const ROOMY = 840;

export function createSheets() {
  /** @type {HTMLElement | null} */
  let opener = null;

  const wide = matchMedia("(min-width: 62.01rem)");
  /** @param {string} name */
  const pinned = (name) => name === "package" && wide.matches;

  /** @param {string} name @param {boolean} open */
  function set(name, open) {
    byId(`panel-${name}`).classList.toggle("open", open);
    byId(`open-${name}`).setAttribute("aria-expanded", String(open));
  }

  /** @param {string} name */
  function toggle(name) {
    const open = byId(`panel-${name}`).classList.contains("open");
    if (pinned(name)) return set(name, !open);
    close();
    if (!open) show(name);
  }

  /** Open a sheet where it is one, and move the focus into it. @param {string} name */
  function show(name) {
    close();
    const panel = byId(`panel-${name}`);
    opener = byId(`open-${name}`);
    set(name, true);
    const first = /** @type {HTMLElement | null} */ (panel.querySelector(".card, .belief-input, .option input:checked"));
    first?.focus();
  }

  function close() {
    for (const name of NAMES) if (!pinned(name)) set(name, false);
  }

  for (const name of NAMES) {
    byId(`open-${name}`).addEventListener("click", () => toggle(name));
    const panel = byId(`panel-${name}`);
    panel.querySelector(".sheet-close")?.addEventListener("click", () => {
      close();
      opener?.focus();
    });
    panel.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !pinned(name) && panel.classList.contains("open")) {
        close();
        opener?.focus();
      }
    });
  }
  if (NAMES.includes("package")) {
    const settle = () => set("package", wide.matches && innerHeight >= ROOMY);
    wide.addEventListener("change", settle);
    settle();
  }
  return { show, close };
}
