/** The latest headline, with the estimate that the table asks for after a market event. */

import { byId, el } from "./dom.js";

export function createEventBanner() {
  const root = byId("event-banner");
  const words = el("p", { class: "event-words" });
  const slider = el("input", { type: "range", class: "range", id: "event-estimate", min: -30, max: 30, step: 1, value: 0, "data-untouched": "true" });
  const shown = el("output", { class: "figure", for: slider.id }, "not stated");
  const question = el(
    "div",
    { class: "event-estimate" },
    el("label", { for: slider.id }, "How far does this move their limit?"),
    slider,
    shown,
  );
  const close = el("button", { type: "button", class: "button quiet" }, "Dismiss");
  root.append(words, question, close);
  /** @type {string | null} */
  let current = null;
  let touched = false;

  slider.addEventListener("input", () => {
    touched = true;
    slider.dataset.untouched = "false";
    const percent = Number(slider.value);
    shown.value = percent === 0 ? "not at all" : `${percent > 0 ? "up" : "down"} ${Math.abs(percent)}%`;
  });
  close.addEventListener("click", () => (root.hidden = true));

  return {
    /** The stated estimate as a share, null when none was asked or given. */
    value: () => (!question.hidden && touched ? Number(slider.value) / 100 : null),
    /**
     * @param {any} headline the latest one
     * @param {string | null} pending the id of the headline whose effect is asked for
     * @param {boolean} seen whether it was already there when the page was loaded and is no longer asked
     */
    update(headline, pending, seen) {
      if (!headline) return;
      if (headline.id !== current) {
        current = headline.id;
        touched = false;
        slider.value = "0";
        slider.dataset.untouched = "true";
        shown.value = "not stated";
        words.textContent = headline.text;
        root.hidden = seen && pending !== headline.id;
      }
      question.hidden = pending !== headline.id;
    },
  };
}
