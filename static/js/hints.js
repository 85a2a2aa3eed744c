/** What a coach could whisper now: up to three hints, each with what shows it and one click into the note's field. */

import { byId, el, svg } from "./dom.js";
import { formatMoney } from "./money.js";
import { linear } from "./scale.js";
import { gettext } from "./words.js";

/**
 * @typedef {object} Hint
 * @property {string} kind
 * @property {string} title why, to the coach
 * @property {string} say what to whisper, to the player
 * @property {string} evidence
 * @property {Spark | null} spark
 */
/** @typedef {{values: number[], label: string, unit: "money" | "points", low: number, high: number, band: [number, number] | null}} Spark */

/**
 * @param {import("./money.js").Money} money
 * @param {(text: string) => void} onWhisper
 */
export function createHints(money, onWhisper) {
  const root = byId("hints");
  const list = byId("hint-list");
  const none = byId("hint-none");

  return {
    /** @param {{turn: number, hints: Hint[]}} data */
    update({ turn, hints }) {
      byId("hint-turn").textContent = turn === 0 ? gettext("at the opening") : gettext("after turn {turn}", { turn });
      list.replaceChildren(...hints.map((hint) => itemOf(hint, money, onWhisper)));
      none.hidden = hints.length > 0;
    },
    /** While the other side answers, the hints are about a table that is about to change. @param {boolean} on */
    stale: (on) => root.setAttribute("aria-busy", String(on)),
    /** Nothing is whispered into a deal that is over. */
    close: () => (root.hidden = true),
  };
}

/** @param {Hint} hint @param {import("./money.js").Money} money @param {(text: string) => void} onWhisper */
function itemOf(hint, money, onWhisper) {
  const button = el(
    "button",
    { type: "button", class: "button", "data-testid": "whisper-this" },
    gettext("Whisper this"),
    el("span", { class: "visually-hidden" }, `: ${hint.say}`),
  );
  button.addEventListener("click", () => onWhisper(hint.say));
  return el(
    "li",
    { class: "hint-item", "data-kind": hint.kind, "data-testid": "hint" },
    el("div", { class: "hint-head" }, el("h3", {}, hint.title), hint.spark && draw(hint.spark, money)),
    el("p", { class: "hint-evidence" }, hint.evidence),
    el("p", { class: "hint-say" }, `“${hint.say}”`),
    button,
  );
}

/** A tiny line over the turns; the band is where the other side's limit probably lies. @param {Spark} spark @param {import("./money.js").Money} money */
function draw({ values, label, unit, low, high, band }, money) {
  const [width, height] = [84, 28];
  const x = linear([0, Math.max(1, values.length - 1)], [3, width - 5]);
  const y = linear([low, high], [height - 4, 4]);
  const shown = (/** @type {number} */ value) => (unit === "money" ? formatMoney(Math.round(value), money) : String(Math.round(value)));
  const path = values.map((value, i) => `${i === 0 ? "M" : "L"}${x(i).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  const last = values.length - 1;
  const limit = band ? gettext("; their limit probably between {band} and {band2}", { band: shown(band[0]), band2: shown(band[1]) }) : "";
  return svg(
    "svg",
    { class: "hint-spark", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `${label}: ${values.map(shown).join(", ")}${limit}` },
    band && svg("rect", { class: "hint-band", x: 0, width, y: y(band[1]).toFixed(1), height: Math.max(1, y(band[0]) - y(band[1])).toFixed(1) }),
    svg("path", { class: "spark-line", d: path }),
    svg("circle", { class: "spark-dot", cx: x(last).toFixed(1), cy: y(values[last]).toFixed(1), r: 2.5 }),
  );
}
