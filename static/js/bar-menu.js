/** On a phone the buttons of the bar stand behind one: there the one across has their place. */

import { byId } from "./dom.js";

export function startBarMenu() {
  const opener = byId("bar-more");
  const menu = byId("bar-menu");

  /** @param {boolean} open */
  function set(open) {
    opener.setAttribute("aria-expanded", String(open));
    menu.classList.toggle("open", open);
  }

  opener.addEventListener("click", () => set(!menu.classList.contains("open")));
  menu.addEventListener("click", () => set(false));
  document.addEventListener("pointerdown", (event) => {
    const target = /** @type {Node} */ (event.target);
    if (!menu.contains(target) && !opener.contains(target)) set(false);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.classList.contains("open")) return;
    set(false);
    opener.focus();
  });
}
