/** The binding offer: a figure one can type, step with the buttons, or step with the arrow keys. */

import { byId } from "./dom.js";
import { formatMoney, parseMoney, steppedMoney } from "./money.js";

/**
 * @param {import("./money.js").Money} money
 * @param {() => number} start where stepping begins while the field is empty
 * @param {() => void} onChange
 */
export function createOfferField(money, start, onChange) {
  const input = /** @type {HTMLInputElement} */ (byId("offer"));

  /** @param {number} steps */
  function step(steps) {
    set(steppedMoney(parseMoney(input.value), steps, money, start));
    onChange();
  }

  /** @param {number | null} value */
  function set(value) {
    input.value = value === null ? "" : formatMoney(value, money);
    input.removeAttribute("aria-invalid");
  }

  byId("offer-down").addEventListener("click", () => step(-1));
  byId("offer-up").addEventListener("click", () => step(1));
  input.addEventListener("keydown", (event) => {
    const steps = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (steps) {
      event.preventDefault();
      step(steps);
    }
  });
  input.addEventListener("input", () => {
    input.removeAttribute("aria-invalid");
    onChange();
  });
  input.addEventListener("change", () => {
    const value = parseMoney(input.value);
    if (value !== null && Number.isFinite(value)) set(value);
    else if (Number.isNaN(value)) input.setAttribute("aria-invalid", "true");
    onChange();
  });

  return {
    input,
    set,
    get text() {
      return input.value;
    },
    set text(text) {
      input.value = text;
    },
    /** The figure, null when empty, NaN when it can't be read. */
    get value() {
      return parseMoney(input.value);
    },
  };
}
