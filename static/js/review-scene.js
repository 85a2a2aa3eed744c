/** The position of a move: the words of both sides around it, the ruler as it then stood, and, on demand, their side of it. */

import { el } from "./dom.js";
import { formatMoney } from "./money.js";
import { verdictOf } from "./review-words.js";
import { createRuler } from "./ruler.js";

/** @typedef {import("./review-words.js").ReviewedMove} ReviewedMove */
/** @typedef {{turn: number, limit: number, urgency: number, alternative: boolean, stated: number | null, stands: string | null}} TheirSide */

/**
 * @param {{scene: HTMLElement, ruler: HTMLElement}} parts
 * @param {import("./review-panel.js").Setting} setting
 */
export function createScene(parts, setting) {
  const ruler = createRuler(parts.ruler, setting.money);
  return {
    /** @param {ReviewedMove} move @param {TheirSide | null} theirs what they were hiding, where it is shown */
    show(move, theirs) {
      parts.scene.replaceChildren(talkOf(move, setting));
      ruler.update({ ...rulerState(move, setting.debrief), theirLimit: theirs?.limit ?? null });
    },
  };
}

/** The line before it, the move itself, the answer. @param {ReviewedMove} move @param {import("./review-panel.js").Setting} setting */
function talkOf(move, setting) {
  const before = setting.talk.findLast((line) => line.side === "opponent" && line.turn < move.turn);
  const own = setting.talk.find((line) => line.side === "player" && line.turn === move.turn);
  const after = setting.talk.find((line) => line.side === "opponent" && line.turn === move.turn);
  return el(
    "ul",
    { class: "panel-talk" },
    before && lineOf(before, setting, "before"),
    own && lineOf(own, setting, `own ${move.label ?? "none"}`, verdictOf(move.label).sign),
    after && lineOf(after, setting, "after"),
  );
}

/** @param {any} line @param {import("./review-panel.js").Setting} setting @param {string} kind @param {string} [sign] */
function lineOf(line, { money, persona }, kind, sign) {
  const did = line.accept ? "accepted" : line.walk_away ? "left" : line.offer === null ? "" : formatMoney(line.offer, money);
  return el(
    "li",
    { class: `${line.side === "player" ? "you" : "them"} ${kind}` },
    el(
      "span",
      { class: "who" },
      line.side === "player" ? `You, turn ${line.turn}` : persona,
      sign && el("i", { class: "sign", "aria-hidden": "true" }, sign),
      did && el("span", { class: "figure" }, did),
    ),
    line.text && el("q", { dir: "auto" }, line.text),
  );
}

/** @param {ReviewedMove} move @param {any} debrief */
function rulerState(move, debrief) {
  const upTo = (/** @type {"own_worth" | "their_worth"} */ side, /** @type {number} */ last) =>
    debrief.offers
      .filter((/** @type {any} */ row) => row[side] !== null && row.turn <= last)
      .map((/** @type {any} */ row) => ({ turn: row.turn, offer: row[side] }));
  const now = debrief.offers.find((/** @type {any} */ row) => row.turn === move.turn);
  return {
    seat: debrief.seat,
    limit: now?.own_limit ?? null,
    yours: upTo("own_worth", move.turn),
    theirs: upTo("their_worth", move.turn - 1),
    estimate: { low: move.believed.low, high: move.believed.high },
    estimateLabel: "Their likely limit",
    packages: debrief.packages !== null,
  };
}

/**
 * What they were hiding on this turn, in words.
 * @param {TheirSide} side
 * @param {import("./review-panel.js").Setting} setting
 */
export function theirSideOf(side, { money, debrief, first }) {
  const rows = [
    [debrief.packages ? "Their limit, as worth to you" : "Their limit", formatMoney(Math.round(side.limit), money)],
    ["In a hurry", side.urgency < 0.34 ? "hardly" : side.urgency < 0.67 ? "somewhat" : "very"],
    ["Another option", side.alternative ? "yes" : "no"],
    ...(side.stated === null ? [] : [["The limit they stated", `${formatMoney(side.stated, money)}, ${side.stands}`]]),
  ];
  return el(
    "section",
    { class: "their-side", "aria-label": "Their side" },
    el("h3", {}, `${first}’s side`),
    el("dl", {}, ...rows.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", { class: "figure" }, value)))),
  );
}
