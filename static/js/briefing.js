/** The briefing: the first page of the conversation. It folds away with the first move and can be reopened. */

import { byId } from "./dom.js";
import { formatMoney } from "./money.js";

/**
 * @param {import("./fold.js").Snapshot} state
 * @param {import("./money.js").Money} money
 * @param {() => void} onRead
 */
export function startBriefing(state, money, onRead) {
  const sheet = /** @type {HTMLDetailsElement} */ (byId("briefing"));
  const scroller = byId("transcript");
  const own = state.own;
  byId("brief-limit").textContent = formatMoney(own.walk_away, money);
  byId("brief-alternative").textContent =
    own.has_alternative && own.alternative_value !== null ? `${sheet.dataset.alternative}, worth about ${formatMoney(Math.round(own.alternative_value), money)}` : "You have nothing else lined up";
  byId("brief-urgency").textContent = urgency(own.urgency);
  byId("to-table").addEventListener("click", () => {
    sheet.open = false;
    onRead();
  });
  byId("brief-button").addEventListener("click", () => {
    sheet.open = true;
    scroller.scrollTo({ top: 0 });
    sheet.querySelector("summary")?.focus();
  });
  return {
    fold: () => {
      sheet.open = false;
    },
    /** First visit: at the top, to be read. Later: folded, at the latest line. */
    arrive() {
      const played = state.transcript.some((move) => move.side === "player");
      sheet.open = !played;
      scroller.scrollTo({ top: played ? scroller.scrollHeight : 0 });
    },
  };
}

/** @param {number} value 0 to 1 */
function urgency(value) {
  if (value < 0.25) return "Low. You can wait.";
  if (value < 0.5) return "Moderate. Sooner is better.";
  if (value < 0.75) return "High. Waiting costs you.";
  return "Very high. You need this closed.";
}
