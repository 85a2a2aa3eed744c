/**
 * Single-key shortcuts, active only while no field is being edited and no dialog is open. They can be turned
 * off in the help window, for those whose voice or hands press letters by accident.
 */

import { byId } from "./dom.js";

const KEY = "parlay-single-keys";
const EDITED = "input:not([type=checkbox], [type=range]), textarea, select, [contenteditable]";

/**
 * @param {Record<string, () => void>} actions by key
 * @param {HTMLElement} rest where Escape leads from a field, so that the keys work and Tab goes on from there
 */
export function startKeyboard(actions, rest) {
  const enabled = startSwitch();
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (document.querySelector("dialog[open]")) return;
    if (target.matches(EDITED)) {
      if (event.key === "Escape" && document.activeElement === target) rest.focus({ preventScroll: true });
      return;
    }
    const action = actions[event.key];
    if (action && enabled()) {
      event.preventDefault();
      action();
    }
  });
}

/** The checkbox in the help window; remembered where storage is allowed. */
function startSwitch() {
  const box = /** @type {HTMLInputElement} */ (byId("single-keys"));
  try {
    box.checked = localStorage.getItem(KEY) !== "off";
  } catch {
    box.checked = true;
  }
  box.addEventListener("change", () => {
    try {
      localStorage.setItem(KEY, box.checked ? "on" : "off");
    } catch {
      // Not remembered, but it holds for this page.
    }
  });
  return () => box.checked;
}
