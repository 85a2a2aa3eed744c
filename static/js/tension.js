/** The tension meter: a filling bar, the word for the band, and the value for assistive technology. */

import { byId } from "./dom.js";
import { gettext } from "./words.js";

export function createTension() {
  const meter = byId("tension");
  const fill = byId("tension-fill");
  const words = byId("tension-words");
  return {
    /** @param {number} value 0 to 100 @param {string} band */
    update(value, band) {
      meter.dataset.band = band;
      meter.setAttribute("aria-valuenow", String(Math.round(value)));
      meter.setAttribute("aria-valuetext", gettext("{band}, {value} of 100", { band, value: Math.round(value) }));
      fill.style.setProperty("transform", `scaleX(${Math.max(0.02, value / 100)})`);
      words.textContent = `${Math.round(value)}, ${band}`;
    },
  };
}
