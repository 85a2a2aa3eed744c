/** Tabs: one pane at a time, arrow keys between them. */

import { byId } from "./dom.js";

export function createTabs() {
  const tabs = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[role=tab]")]);

  /** @param {HTMLElement} tab @param {boolean} [focus] */
  function select(tab, focus = false) {
    for (const one of tabs) {
      const on = one === tab;
      one.setAttribute("aria-selected", String(on));
      one.tabIndex = on ? 0 : -1;
      byId(one.getAttribute("aria-controls") ?? "").hidden = !on;
    }
    if (focus) tab.focus();
  }

  for (const [i, tab] of tabs.entries()) {
    tab.addEventListener("click", () => select(tab));
    tab.addEventListener("keydown", (event) => {
      const end = event.key === "Home" ? tabs[0] : event.key === "End" ? tabs.at(-1) : undefined;
      if (end) {
        event.preventDefault();
        select(end, true);
        return;
      }
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (step) select(tabs[(i + step + tabs.length) % tabs.length], true);
    });
  }
  return {
    /** @param {string} name */
    show(name) {
      select(byId(`tab-${name}`));
    },
  };
}
