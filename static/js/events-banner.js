/**
 * The latest headline, with the estimate that the table asks for after a market event. It goes with the turn after it, or
 * when the estimate is no longer asked; the headline then stands in the transcript, and never in both.
 */

import { byId, el } from "./dom.js";
import { gettext } from "./words.js";

/** @param {(seq: number | null) => void} onShown told which headline stands here now */
export function createEventBanner(onShown) {
  const root = byId("event-banner");
  const words = el("p", { class: "event-words" });
  const slider = el("input", { type: "range", class: "range", id: "event-estimate", min: -30, max: 30, step: 1, value: 0, "data-untouched": "true" });
  const shown = el("output", { class: "figure", for: slider.id }, gettext("not stated"));
  const question = el("div", { class: "event-estimate" }, el("label", { for: slider.id }, gettext("How far does this move their limit?")), slider, shown);
  const close = el("button", { type: "button", class: "button quiet" }, gettext("Dismiss"));
  root.append(words, question, close);
  /** @type {string | null} */
  let current = null;
  let seq = 0;
  let touched = false;

  slider.addEventListener("input", () => {
    touched = true;
    slider.dataset.untouched = "false";
    const percent = Number(slider.value);
    shown.value = percent === 0 ? gettext("not at all") : percent > 0 ? gettext("up {size}%", { size: percent }) : gettext("down {size}%", { size: -percent });
  });
  close.addEventListener("click", () => {
    root.hidden = true;
    onShown(null);
  });

  return {
    /** The stated estimate as a share, null when none was asked or given. */
    value: () => (!question.hidden && touched ? Number(slider.value) / 100 : null),
    /**
     * @param {any} headline the latest one
     * @param {string | null} pending the id of the headline whose effect is asked for
     * @param {boolean} seen whether it came with an earlier turn
     */
    update(headline, pending, seen) {
      if (!headline) return;
      if (headline.id !== current) {
        current = headline.id;
        seq = headline.seq;
        touched = false;
        slider.value = "0";
        slider.dataset.untouched = "true";
        shown.value = gettext("not stated");
        words.textContent = headline.text;
        root.hidden = false;
      }
      if (seen && pending !== headline.id) root.hidden = true;
      onShown(root.hidden ? null : seq);
      question.hidden = pending !== headline.id;
    },
  };
}
