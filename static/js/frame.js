/** What every page has: the theme button, and menus that close on Escape and beside themselves. */

import { startTheme } from "./toggle.js";

export function startFrame() {
  startTheme();
  const menus = /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll("details.more, details.nav-menu")]);
  document.addEventListener("keydown", (event) => {
    const open = menus.find((menu) => menu.open);
    if (event.key !== "Escape" || !open) return;
    open.open = false;
    open.querySelector("summary")?.focus();
  });
  document.addEventListener("click", (event) => {
    const at = /** @type {Element} */ (event.target);
    for (const menu of menus) if (!menu.contains(at) || at.closest("a, button")) menu.open = false;
  });
}
