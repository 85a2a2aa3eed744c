/** The tabs of a debrief. Without scripts every pane stands open; an address that names something in a pane opens that pane. */

import { createTabs } from "./tabs.js";

export function createPanes() {
  for (const pane of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".pane[data-shut]"))) {
    pane.hidden = true;
    delete pane.dataset.shut;
  }
  const tabs = createTabs();

  function toAddress() {
    const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
    const pane = target?.closest(".pane");
    if (!target || !(pane instanceof HTMLElement) || !pane.hidden) return;
    tabs.show(pane.id.replace("pane-", ""));
    target.scrollIntoView();
  }
  window.addEventListener("hashchange", toAddress);
  // A second press on the same link changes no address.
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest('a[href^="#"]');
    if (link && link.getAttribute("href") === location.hash) toAddress();
  });
  toAddress();
  // What was pressed before this page's scripts were there has the focus.
  const pressed = document.activeElement;
  if (pressed?.getAttribute("role") === "tab") tabs.show(pressed.id.replace("tab-", ""));
}
