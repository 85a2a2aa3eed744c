/**
 * The briefing: a card above the conversation with what a player must know, the whole of it one click away. The
 * whole folds away with the first move and can be reopened.
 */

import { byId, el } from "./dom.js";
import { formatMoney } from "./money.js";
import { signed } from "./package.js";
import { gettext } from "./words.js";

/**
 * @param {import("./fold.js").Snapshot} state
 * @param {import("./money.js").Money} money
 * @param {import("./package.js").Scale} scale
 * @param {() => void} onRead
 */
export function startBriefing(state, money, scale, onRead) {
  const card = byId("briefing");
  const whole = /** @type {HTMLDetailsElement} */ (byId("briefing-whole"));
  const { own } = state;
  byId("brief-limit").textContent = formatMoney(own.walk_away, money);
  byId("brief-alternative").textContent =
    own.has_alternative && own.alternative_value !== null
      ? gettext("{alternative}, worth about {alternative_value}", {
          alternative: card.dataset.alternative,
          alternative_value: formatMoney(Math.round(own.alternative_value), money),
        })
      : gettext("You have nothing else lined up");
  byId("brief-urgency").textContent = urgency(own.urgency);
  if (money.issues.length > 0) byId("brief-issues").replaceChildren(...money.issues.map((issue) => valuesOf(issue, money, scale)));
  byId("to-table").addEventListener("click", () => {
    whole.open = false;
    onRead();
  });
  byId("brief-button").addEventListener("click", () => {
    whole.open = true;
    card.scrollIntoView({ block: "start" });
    whole.querySelector("summary")?.focus({ preventScroll: true });
  });
  return {
    fold: () => {
      whole.open = false;
    },
  };
}

/**
 * One issue with what each option is worth to you.
 * @param {import("./package.js").Issue} issue
 * @param {import("./money.js").Money} money
 * @param {import("./package.js").Scale} scale
 */
function valuesOf(issue, money, scale) {
  const options = issue.options.map((option) =>
    el("li", {}, el("span", {}, option.label), el("span", { class: "figure" }, signed(scale.optionValue(issue, option.id), money))),
  );
  return el("div", {}, el("h4", {}, issue.title), el("ul", {}, ...options));
}

/** @param {number} value 0 to 1 */
function urgency(value) {
  if (value < 0.25) return gettext("Low. You can wait.");
  if (value < 0.5) return gettext("Moderate. Sooner is better.");
  if (value < 0.75) return gettext("High. Waiting costs you.");
  return gettext("Very high. You need this closed.");
}
