/** The fact sheet: what can be argued, what can be told of oneself, and what must not be claimed. *Use it* puts it into the field. */

import { byId, el } from "./dom.js";
import { sentence } from "./learned.js";
import { gettext } from "./words.js";

/** @typedef {{id: string, topic: string, says: string, proof?: boolean, gift?: number}} Line */

/**
 * @param {{arguments: Line[], never: Line[], topics: Record<string, string>}} sheet
 * @param {(words: string) => void} onUse
 */
export function createFacts(sheet, onUse) {
  /** @param {Line} line @param {string} about @param {string[]} marks */
  function usable(line, about, marks) {
    const use = el("button", { type: "button", class: "link-like", "aria-label": gettext("Use it: {says}", { says: line.says }) }, gettext("Use it"));
    use.addEventListener("click", () => onUse(sentence(line.says)));
    return el(
      "li",
      {},
      el("b", {}, about),
      el("span", {}, sentence(line.says)),
      el("span", { class: "fact-foot" }, el("span", { class: "faint" }, marks.join(" · ")), use),
    );
  }

  /** @param {string} topic */
  const title = (topic) => sheet.topics[topic].charAt(0).toUpperCase() + sheet.topics[topic].slice(1);

  byId("facts-arguments").replaceChildren(
    ...sheet.arguments.map((line) =>
      usable(line, title(line.topic), [line.proof ? gettext("can be shown") : "", line.gift ? gettext("once the sweetener is given") : ""].filter(Boolean)),
    ),
  );
  byId("facts-never").replaceChildren(...sheet.never.map((line) => el("li", {}, el("b", {}, title(line.topic)), el("span", {}, sentence(line.says)))));

  return {
    /** @param {{facts: (Line & {weakens?: boolean})[]}} own the player's side as it is now */
    update(own) {
      byId("facts-own").replaceChildren(...own.facts.map((fact) => usable(fact, title(fact.topic), fact.weakens ? [gettext("weakens you")] : [])));
    },
  };
}
